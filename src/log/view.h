/* SPDX-License-Identifier: MIT */
/*
 * Part of a log as if the capture held nothing else: its records are tracked again, and classified
 * among themselves. Offsets are kept.
 */
#ifndef TW_LOG_VIEW_H
#define TW_LOG_VIEW_H

#include "log/log.h"

/* Reduce a connection's first log to the records to keep. The log notes how many were removed. */
void tw_view_keep(struct tw_connection *connection, struct tw_log *log, const bool *keep);

#endif
