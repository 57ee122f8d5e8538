/* SPDX-License-Identifier: MIT */
/*
 * One connection's row, found without a look at any other.
 */
#ifndef TW_REPORT_ROWS_CONNECTION_ROW_MAKE_H
#define TW_REPORT_ROWS_CONNECTION_ROW_MAKE_H

#include "report/findings/connection_findings.h"
#include "report/rows/connection_result.h"
#include "report/rows/connection_row.h"

/*
 * Build a row. Its connection and log, and the judgement, must live until the clear.
 */
void tw_connection_row_make(struct tw_connection_row *conn,
                            const struct tw_connection_result *result,
                            const struct tcpwhy_options *options,
                            struct tw_connection_findings *per_connection);

#endif
