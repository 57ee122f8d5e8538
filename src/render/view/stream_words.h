/* SPDX-License-Identifier: MIT */
/* Lines about a connection: duration, payload, RTT, point of capture, requests, verdict. */
#ifndef TW_RENDER_VIEW_STREAM_WORDS_H
#define TW_RENDER_VIEW_STREAM_WORDS_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/text.h"
#include "render/writers/fields.h"
#include "report/report_rows.h"

/* The lines of a connection in their order; words() appends nothing where there is nothing to say.
 */
#define TW_STREAM_LINES 7
extern const struct tw_stream_line {
    const char *label;
    void (*words)(tw_string *to, const struct tw_stream_row *stream);
} tw_stream_lines[TW_STREAM_LINES];

/* Where it was captured: "at the client (certain)". */
void tw_stream_vantage(tw_string *to, const struct tw_stream_row *stream);

/* A connection, as JSON, as a row of a table, and on a page. */
extern const struct tw_field tw_stream_fields[];

#endif
