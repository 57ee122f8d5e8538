/* SPDX-License-Identifier: MIT */
/* The way that a window of the application was waited for. */
#ifndef TW_EXPLAIN_DISTANCE_GRANTS_H
#define TW_EXPLAIN_DISTANCE_GRANTS_H

#include "explain/model/context.h"

/* Add the readings and details of a side's. @return is there one? */
bool tw_grants_read(const struct tw_context *context, enum tcpwhy_side side,
                    struct tw_explanation *out);

#endif
