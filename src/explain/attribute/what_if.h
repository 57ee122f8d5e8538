/* SPDX-License-Identifier: MIT */
/*
 * The connection's duration with one setting changed: waits that the setting ends are left out,
 * transfers that it speeds up are stepped again (model/stepping.h), and all else stays as it was.
 * No estimate is given where that cannot be known.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_WHAT_IF_H
#define TW_EXPLAIN_ATTRIBUTE_WHAT_IF_H

#include "explain/attribute/cause_totals.h"

/* Tell it of the knob that mends the cause, if there is one. */
void tw_what_if(const struct tw_cause_total *cost);

#endif
