/* SPDX-License-Identifier: MIT */
/*
 * Interface of src/failures: what broke on a connection, found from its log, its exchanges and the
 * explanation's vantage. A connection breaks at most once.
 */
#ifndef TW_FAILURES_H
#define TW_FAILURES_H

#include <stdbool.h>

#include "app/app.h"
#include "explain/explanation.h"
#include "failures/failure.h"
#include "log/log.h"
#include "track/track.h"

/* @return whether the connection failed. Not for later parts of a connection reported before. */
bool tw_failures_find(const struct tw_connection *connection, const struct tw_log *log,
                      const struct tw_exchanges *exchanges, const struct tw_vantage *vantage,
                      struct tw_failure *out);

#endif
