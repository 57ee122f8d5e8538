/* SPDX-License-Identifier: MIT */
/*
 * Lines out of a byte stream that arrives in pieces. A line inside one piece is not copied; of one
 * that spans pieces a bounded part is kept.
 */
#ifndef TW_APP_LINES_H
#define TW_APP_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

/* What is left of a line in a frame of which the first 96 bytes were captured. */
#define TW_LINES_FIRST 48

struct tw_lines {
    uint8_t *more;       /* the line's begin from earlier pieces, once it was more than first */
    uint32_t len, space; /* of the begin; and of more */
    bool started;        /* a line has begun and not ended */
    uint8_t first[TW_LINES_FIRST];
};

/* Take a whole line off *rest, if there is one. @return true with *line, without CR LF. */
static inline bool tw_lines_take_whole(struct tw_bytes *rest, struct tw_bytes *line)
{
    const uint8_t *lf = rest->len > 0 ? memchr(rest->data, '\n', rest->len) : NULL;
    size_t len;

    if (!lf)
        return false;
    len = (size_t)(lf - rest->data);
    *line = tw_bytes(rest->data, len - (len > 0 && lf[-1] == '\r'));
    *rest = tw_bytes(lf + 1, rest->len - len - 1);
    return true;
}

/* Take what there is of a line whose end has not come. */
void tw_lines_begin(struct tw_lines *lines, struct tw_bytes *rest);

/*
 * Take bytes off *rest up to and with the next LF.
 * @return true with *line (without CR LF, valid until the next call) when the line is whole.
 */
bool tw_lines_take(struct tw_lines *lines, struct tw_bytes *rest, struct tw_bytes *line);

/* What there is of the line that has begun, and forget it. Valid until the next call. */
struct tw_bytes tw_lines_cut(struct tw_lines *lines);

void tw_lines_clear(struct tw_lines *lines);

#endif
