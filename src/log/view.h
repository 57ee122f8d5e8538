/* SPDX-License-Identifier: MIT */
/*
 * A part of a log as if the capture held nothing else: its records are tracked anew, so that each
 * is what it is among them. Their offsets stay what they were.
 */
#ifndef TW_LOG_VIEW_H
#define TW_LOG_VIEW_H

#include "log/log.h"

/* Of a connection's first log. Notes in it how many records went. */
void tw_view_keep(struct tw_connection *connection, struct tw_log *log, const bool *keep);

#endif
