/* SPDX-License-Identifier: MIT */
/* Propagation spent waiting for an application window. */
#ifndef TW_EXPLAIN_DISTANCE_GRANTS_H
#define TW_EXPLAIN_DISTANCE_GRANTS_H

#include "explain/model/context.h"

/* Add the readings and details of a side's window. @return false: it has none. */
bool tw_grants_read(const struct tw_context *context, enum tcpwhy_side side,
                    struct tw_explanation *out);

#endif
