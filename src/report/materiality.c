/* SPDX-License-Identifier: MIT */
#include "report/materiality.h"

#include "report/ledger.h"

/* A refused connection failed, however quickly. */
static bool is_failure(enum tcpwhy_cause cause)
{
    return cause == TCPWHY_CONNECT_REFUSED;
}

static bool is_typical(const struct tw_explanation *x, enum tcpwhy_cause cause)
{
    uint32_t n = 0, long_ones = 0;

    for (uint32_t i = 0; i < x->n_spans; i++)
        if (x->span[i].cause == cause) {
            n++;
            long_ones += x->span[i].to_ns - x->span[i].from_ns >= TW_MATERIAL_WAIT;
        }
    return 2 * long_ones > n;
}

struct tw_thresholds tw_thresholds_of(const struct tw_explanation *x)
{
    struct tw_thresholds t;

    for (int cause = 0; cause < TCPWHY_N_CAUSES; cause++)
        t.shortest_ns[cause] = is_failure((enum tcpwhy_cause)cause) ? 1 : TW_MATERIAL_WAIT;
    if (!is_typical(x, TCPWHY_SERVER_THINK))
        t.shortest_ns[TCPWHY_SERVER_THINK] = TW_MATERIAL_OUTLIER;
    if (!is_typical(x, TCPWHY_CLIENT_THINK))
        t.shortest_ns[TCPWHY_CLIENT_THINK] = TW_MATERIAL_OUTLIER;
    return t;
}

tcpwhy_ns tw_material_ns(const struct tw_span *span, const struct tw_thresholds *thresholds)
{
    tcpwhy_ns ns = span->to_ns - span->from_ns;

    return tw_cause_blames(span->cause) && ns >= thresholds->shortest_ns[span->cause] ? ns : 0;
}

bool tw_is_material(enum tcpwhy_cause cause, tcpwhy_ns cost_ns, tcpwhy_ns waited_ns)
{
    if (!is_failure(cause) && cost_ns < TW_MATERIAL_TOTAL)
        return false;
    return (double)cost_ns >= TW_MATERIAL_SHARE * (double)waited_ns;
}
