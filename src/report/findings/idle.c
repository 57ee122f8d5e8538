/* SPDX-License-Identifier: MIT */
#include "report/findings/idle.h"

#include "base/ns.h"

static void note_doubt(struct tw_idle *idle, tcpwhy_ns ns, enum tcpwhy_cause rival)
{
    if (ns <= idle->doubted_ns)
        return;
    idle->doubted_ns = ns;
    idle->rival = rival;
}

void tw_idle_add(struct tw_idle *idle, tcpwhy_ns ns, enum tcpwhy_confidence confidence,
                 enum tcpwhy_cause rival)
{
    idle->ns = tw_ns_add(idle->ns, ns);
    idle->by_confidence[confidence] = tw_ns_add(idle->by_confidence[confidence], ns);
    if (confidence != TCPWHY_CERTAIN)
        note_doubt(idle, ns, rival);
}

void tw_idle_merge(struct tw_idle *into, const struct tw_idle *from)
{
    into->ns = tw_ns_add(into->ns, from->ns);
    for (int i = 0; i < 3; i++)
        into->by_confidence[i] = tw_ns_add(into->by_confidence[i], from->by_confidence[i]);
    note_doubt(into, from->doubted_ns, from->rival);
}

enum tcpwhy_confidence tw_idle_confidence(const struct tw_idle *idle)
{
    tcpwhy_ns half_ns = idle->ns / 2;

    if (idle->by_confidence[TCPWHY_CERTAIN] >= half_ns)
        return TCPWHY_CERTAIN;
    return idle->by_confidence[TCPWHY_AMBIGUOUS] <= half_ns ? TCPWHY_LIKELY : TCPWHY_AMBIGUOUS;
}
