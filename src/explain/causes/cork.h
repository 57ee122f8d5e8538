/* SPDX-License-Identifier: MIT */
/*
 * A cork that may have held what ended a wait, where another cause claims it.
 */
#ifndef TW_EXPLAIN_CAUSES_CORK_H
#define TW_EXPLAIN_CAUSES_CORK_H

#include "explain/causes/detector.h"

/* For half of the wait, or longer? */
bool tw_may_be_corked(const struct tw_gap *gap);

#endif
