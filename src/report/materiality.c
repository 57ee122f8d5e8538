/* SPDX-License-Identifier: MIT */
#include "report/materiality.h"

#include "report/ledger.h"

/* A refused connection failed, however quickly. */
static bool is_failure(enum tcpwhy_cause cause)
{
    return cause == TCPWHY_CONNECT_REFUSED;
}

tcpwhy_ns tw_material_ns(const struct tw_span *span)
{
    tcpwhy_ns ns = span->to_ns - span->from_ns;

    return tw_cause_blames(span->cause) && (ns >= TW_MATERIAL_WAIT || is_failure(span->cause)) ? ns
                                                                                               : 0;
}

bool tw_is_material(enum tcpwhy_cause cause, tcpwhy_ns cost_ns, tcpwhy_ns waited_ns)
{
    if (!is_failure(cause) && cost_ns < TW_MATERIAL_TOTAL)
        return false;
    return (double)cost_ns >= TW_MATERIAL_SHARE * (double)waited_ns;
}
