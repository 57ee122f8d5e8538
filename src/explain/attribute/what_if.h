/* SPDX-License-Identifier: MIT */
/*
 * How long the connection would have taken with one knob changed: waits that the knob ends are
 * left out, transfers that it opens are stepped anew (model/stepping.h), and all else stays as it
 * was. Where that cannot be known no estimate is given.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_WHAT_IF_H
#define TW_EXPLAIN_ATTRIBUTE_WHAT_IF_H

#include "explain/attribute/cause_totals.h"

/* Tell it of the knob that mends the cause, if there is one. */
void tw_what_if(const struct tw_cause_total *cost);

#endif
