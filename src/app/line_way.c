/* SPDX-License-Identifier: MIT */
#include "app/line_way.h"

#include <glib.h>
#include <string.h>

/* A line that a hole interrupts is not told. Of one that the snap length cuts the start is, which
 * holds a command, a tag, or a code; behind a literal that may be nothing. */
static void take_gap(struct tw_line_way *way, tw_line_fn fn, void *user, const struct tw_piece *gap)
{
    bool in_literal = gap->from < way->literal_to, told = gap->cut;
    struct tw_bytes line;

    if (in_literal && gap->to <= way->literal_to)
        return;
    told &= in_literal || way->lines.started;
    line = tw_lines_cut(&way->lines);
    if (told)
        fn(user, line, in_literal ? way->literal_to : way->from, gap->to);
}

void tw_line_way_take(struct tw_line_way *way, tw_line_fn fn, void *user,
                      const struct tw_piece *piece)
{
    struct tw_bytes rest = piece->bytes, line;

    if (piece->gap) {
        take_gap(way, fn, user, piece);
        return;
    }
    while (rest.len > 0) {
        const int64_t at = piece->to - (int64_t)rest.len;

        if (at < way->literal_to) {
            rest = tw_bytes_from(rest, (size_t)MIN(way->literal_to - at, (int64_t)rest.len));
            continue;
        }
        if (!way->lines.started)
            way->from = at;
        if (tw_lines_take(&way->lines, &rest, &line) &&
            !fn(user, line, way->from, piece->to - (int64_t)rest.len))
            return;
    }
}

void tw_line_ways_clear(struct tw_line_way way[2])
{
    for (int i = 0; i < 2; i++)
        tw_lines_clear(&way[i].lines);
}

struct tw_bytes tw_line_word(struct tw_bytes *line)
{
    const uint8_t *blank = line->len > 0 ? memchr(line->data, ' ', line->len) : NULL;
    struct tw_bytes word = tw_bytes_first(*line, blank ? (size_t)(blank - line->data) : line->len);

    *line = tw_bytes_from(*line, word.len + 1);
    return word;
}

bool tw_line_begins(struct tw_bytes line, const char *text)
{
    const size_t len = strlen(text);

    return tw_bytes_has(line, 0, len) &&
           g_ascii_strncasecmp((const char *)line.data, text, len) == 0;
}

bool tw_line_is(struct tw_bytes word, const char *text)
{
    return word.len == strlen(text) && tw_line_begins(word, text);
}

bool tw_line_is_one_of(struct tw_bytes word, const char *list)
{
    while (*list) {
        const size_t len = strcspn(list, " ");

        if (len == word.len && g_ascii_strncasecmp((const char *)word.data, list, len) == 0)
            return true;
        list += len + (list[len] == ' ');
    }
    return false;
}

uint16_t tw_line_reply(struct tw_bytes line, bool *last)
{
    uint16_t code = 0;

    for (size_t i = 0; i < 3; i++) {
        if (!g_ascii_isdigit(tw_u8(line, i)))
            return 0;
        code = (uint16_t)(code * 10 + line.data[i] - '0');
    }
    *last = tw_u8(line, 3) != '-';
    return code >= 100 && code < 600 && (line.len == 3 || line.data[3] == ' ' || !*last) ? code : 0;
}
