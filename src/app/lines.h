/* SPDX-License-Identifier: MIT */
/*
 * Lines out of a byte stream that arrives in pieces. A line inside one piece is not copied; of one
 * that spans pieces a bounded part is kept.
 */
#ifndef TW_APP_LINES_H
#define TW_APP_LINES_H

#include <glib.h>

#include "base/bytes.h"

struct tw_lines {
    GString *partial; /* the line's begin from earlier pieces; NULL while none was needed */
    bool started;     /* a line has begun and not ended */
};

/*
 * Take bytes off *rest up to and with the next LF.
 * @return true with *line (without CR LF, valid until the next call) when the line is whole.
 */
bool tw_lines_take(struct tw_lines *lines, struct tw_bytes *rest, struct tw_bytes *line);

/* What there is of the line that has begun, and forget it. Valid until the next call. */
struct tw_bytes tw_lines_cut(struct tw_lines *lines);

void tw_lines_clear(struct tw_lines *lines);

#endif
