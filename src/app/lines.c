/* SPDX-License-Identifier: MIT */
#include "app/lines.h"

#include <string.h>

#include <glib.h>

#include "base/memory.h"

/* Longer lines are truncated. The relevant part is at the start, and common servers accept
 * request lines of up to 8 KiB. */
#define MAX_LINE 8192

static struct tw_bytes without_cr(struct tw_bytes line)
{
    if (line.len > 0 && line.data[line.len - 1] == '\r')
        line.len--;
    return line;
}

static void make_room(struct tw_lines *lines, uint32_t wanted)
{
    bool fresh = !lines->more;

    if (wanted <= (fresh ? TW_LINES_FIRST : lines->space))
        return;
    lines->space = MAX(2 * wanted, 256);
    lines->more = tw_realloc(lines->more, lines->space);
    if (fresh)
        memcpy(lines->more, lines->first, lines->len);
}

static void keep(struct tw_lines *lines, struct tw_bytes bytes)
{
    bytes = tw_bytes_first(bytes, MAX_LINE - lines->len);
    if (bytes.len == 0)
        return;
    make_room(lines, lines->len + (uint32_t)bytes.len);
    memcpy((lines->more ? lines->more : lines->first) + lines->len, bytes.data, bytes.len);
    lines->len += (uint32_t)bytes.len;
}

struct tw_bytes tw_lines_cut(struct tw_lines *lines)
{
    struct tw_bytes line = { 0 };

    if (lines->started)
        line = tw_bytes(lines->more ? lines->more : lines->first, lines->len);
    lines->len = 0;
    lines->started = false;
    return line;
}

void tw_lines_begin(struct tw_lines *lines, struct tw_bytes *rest)
{
    keep(lines, *rest);
    lines->started = lines->started || rest->len > 0;
    *rest = tw_bytes_from(*rest, rest->len);
}

bool tw_lines_take(struct tw_lines *lines, struct tw_bytes *rest, struct tw_bytes *line)
{
    struct tw_bytes before = *rest;

    if (!tw_lines_take_whole(rest, line)) {
        tw_lines_begin(lines, rest);
        return false;
    }
    if (!lines->started)
        return true;
    keep(lines, tw_bytes_first(before, before.len - rest->len - 1));
    *line = without_cr(tw_lines_cut(lines));
    return true;
}

void tw_lines_clear(struct tw_lines *lines)
{
    tw_free(lines->more);
    *lines = (struct tw_lines) { 0 };
}
