/* SPDX-License-Identifier: MIT */
/*
 * Splits a byte stream into lines. A line within one piece is not copied; of one that spans pieces
 * a bounded prefix is kept.
 */
#ifndef TW_APP_LINES_H
#define TW_APP_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"

/* Rest of a line in a frame captured with 96 bytes. */
#define TW_LINES_FIRST 48

struct tw_lines {
    uint8_t *more;       /* the line's start from earlier pieces, if longer than first */
    uint32_t len, space; /* of the start; capacity of more */
    bool started;        /* within a line */
    uint8_t first[TW_LINES_FIRST];
};

/* Take a complete line off *rest, if there is one. @return true with *line, without CR LF. */
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

/* Take the start of an unfinished line. */
void tw_lines_begin(struct tw_lines *lines, struct tw_bytes *rest);

/*
 * Consume *rest through the next LF. @return true with *line (without CR LF, valid until the next
 * call) if the line is complete.
 */
bool tw_lines_take(struct tw_lines *lines, struct tw_bytes *rest, struct tw_bytes *line);

/* The unfinished line so far, which is then dropped. Valid until the next call. */
struct tw_bytes tw_lines_cut(struct tw_lines *lines);

void tw_lines_clear(struct tw_lines *lines);

#endif
