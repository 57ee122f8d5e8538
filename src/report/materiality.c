/* SPDX-License-Identifier: MIT */
#include "report/materiality.h"

#include "report/ledger.h"

tcpwhy_ns tw_material_ns(const struct tw_span *span)
{
    tcpwhy_ns ns = span->to_ns - span->from_ns;

    return tw_cause_blames(span->cause) && ns >= TW_MATERIAL_WAIT ? ns : 0;
}
