/* SPDX-License-Identifier: MIT */
#include "report/findings/idle.h"

#include <glib.h>

#include "base/clock_step.h"
#include "base/memory.h"
#include "base/ns.h"
#include "base/select.h"
#include "explain/thresholds.h"

/* A pause, and not a host's latency. */
static bool is_pause(const struct tw_span *span)
{
    return span->cause == TCPWHY_CLIENT_IDLE && span->to_ns - span->from_ns >= TW_WORTH_NS;
}

/* Intervals from the end of each pause to the end of the next; @return their number. */
static uint32_t intervals_of(const struct tw_explanation *x, tcpwhy_ns *every_ns)
{
    const struct tw_span *last = NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; i < x->n_spans; i++) {
        if (!is_pause(&x->span[i]))
            continue;
        if (last)
            every_ns[n++] = x->span[i].to_ns - last->to_ns;
        last = &x->span[i];
    }
    return n;
}

/* All, or of many two of three: before them a client may log in. */
static bool are_equal(tcpwhy_ns *every_ns, uint32_t n, tcpwhy_ns clock_step_ns)
{
    tcpwhy_ns usual_ns = tw_select_ns(every_ns, n, n / 2);
    uint32_t equal = 0;

    for (uint32_t i = 0; i < n; i++)
        equal += TW_QUARTER * ABS(every_ns[i] - usual_ns) <= usual_ns;
    if (usual_ns < TW_QUARTER * TW_CLOCK_TOLD_STEPS * clock_step_ns)
        return false; /* the steps of the capture's clock are as equal */
    return equal == n || (equal >= TW_HABIT && 3 * equal >= 2 * n);
}

bool tw_idle_is_steady(const struct tw_explanation *x, tcpwhy_ns clock_step_ns)
{
    tcpwhy_ns idle_ns = 0, *every_ns;
    uint32_t pauses = 0;
    bool steady;

    for (uint32_t i = 0; i < x->n_spans; i++)
        if (is_pause(&x->span[i])) {
            idle_ns += x->span[i].to_ns - x->span[i].from_ns;
            pauses++;
        }
    if (pauses <= TW_FEWEST || 2 * idle_ns < x->span[x->n_spans - 1].to_ns - x->span[0].from_ns)
        return false;
    every_ns = tw_new(tcpwhy_ns, pauses);
    steady = are_equal(every_ns, intervals_of(x, every_ns), clock_step_ns);
    tw_free(every_ns);
    return steady;
}

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
