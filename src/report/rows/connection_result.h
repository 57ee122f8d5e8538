/* SPDX-License-Identifier: MIT */
/*
 * A connection with everything that the stages before found of it.
 */
#ifndef TW_REPORT_ROWS_CONNECTION_RESULT_H
#define TW_REPORT_ROWS_CONNECTION_RESULT_H

#include "app/app.h"
#include "explain/explain.h"
#include "log/log.h"
#include "track/track.h"

struct tw_connection_result {
    const struct tw_connection *connection;
    struct tw_log *log;
    const struct tw_exchanges *exchanges;
    const struct tw_explanation *explanation;
};

#endif
