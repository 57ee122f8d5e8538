/* SPDX-License-Identifier: MIT */
#include "app/lines.h"

#include <string.h>

/* Of a longer line the end is dropped. What we read of a line stands at its begin, and common
 * servers take request lines of up to 8 KiB. */
#define MAX_LINE 8192

static struct tw_bytes without_cr(struct tw_bytes line)
{
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    return line;
}

static void keep(struct tw_lines *lines, struct tw_bytes bytes)
{
    if (!lines->partial)
        lines->partial = g_string_new(NULL);
    bytes = tw_bytes_first(bytes, MAX_LINE - lines->partial->len);
    g_string_append_len(lines->partial, (const char *)bytes.data, (gssize)bytes.len);
}

struct tw_bytes tw_lines_cut(struct tw_lines *lines)
{
    struct tw_bytes line = { 0 };

    if (lines->started && lines->partial) {
        line = tw_bytes((const uint8_t *)lines->partial->str, lines->partial->len);
        lines->partial->len = 0;
    }
    lines->started = false;
    return line;
}

bool tw_lines_take(struct tw_lines *lines, struct tw_bytes *rest, struct tw_bytes *line)
{
    const uint8_t *lf = rest->len > 0 ? memchr(rest->data, '\n', rest->len) : NULL;
    struct tw_bytes part = lf ? tw_bytes_first(*rest, (size_t)(lf - rest->data)) : *rest;
    bool fresh = !lines->started;

    *rest = tw_bytes_from(*rest, part.len + (lf ? 1 : 0));
    if (lf && fresh) {
        *line = without_cr(part);
        return true;
    }
    if (part.len > 0 || fresh)
        keep(lines, part);
    lines->started = true;
    if (!lf)
        return false;
    *line = without_cr(tw_lines_cut(lines));
    return true;
}

void tw_lines_clear(struct tw_lines *lines)
{
    if (lines->partial)
        g_string_free(lines->partial, TRUE);
    *lines = (struct tw_lines) { 0 };
}
