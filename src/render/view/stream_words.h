/* SPDX-License-Identifier: MIT */
/* What is to be said of a connection in words, the same wherever it is told; all append. */
#ifndef TW_RENDER_VIEW_STREAM_WORDS_H
#define TW_RENDER_VIEW_STREAM_WORDS_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "report/report_rows.h"

/* How long, since when, which frames, and what of it is missing. */
void tw_stream_life(GString *to, const struct tw_stream_row *stream);
/* Bytes each way, retransmissions. */
void tw_stream_payload(GString *to, const struct tw_stream_row *stream);
/* Round trips, and where it was captured. */
void tw_stream_rtt(GString *to, const struct tw_stream_row *stream);
/* The latter alone: "captured at the client (certain)". */
void tw_stream_vantage(GString *to, const struct tw_stream_row *stream);
void tw_stream_verdict(GString *to, const struct tcpwhy_verdict *verdict);

#endif
