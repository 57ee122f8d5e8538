/* SPDX-License-Identifier: MIT */
/*
 * A frame as a line of text: who sent what, what it is, and tshark's labels for it.
 *
 *     frame       ms  stream  side    class  flags seq ack len window  labels
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "render/view/flow_words.h"
#include "base/number.h"
#include "render/writers/terminal_layout.h"
#include "render/view/segment.h"

/* Columns at which the parts of a line begin; numbers end one short of the next. */
#define TIME_AT   8
#define STREAM_AT 20
#define SIDE_AT   27
#define CLASS_AT  34
#define FLAGS_AT  51

/* The next word begins there, or a space behind one that is too long for its column. */
static void begin_at(struct tw_layout *page, size_t column)
{
    tw_layout_tab(page, MAX((unsigned)column, page->at + (page->at > 0)));
}

static void end_at(struct tw_layout *page, size_t column, const char *text)
{
    size_t len = strlen(text);

    begin_at(page, column - MIN(len, column));
    tw_layout_put(page, TW_TONE_PLAIN, text);
}

static void numbers(struct tw_layout *page, const struct tcpwhy_segment *segment)
{
    tw_layout_putf(page, TW_TONE_PLAIN, "%s seq %" PRId64, tw_flags(segment->flags).text,
                   segment->seq);
    if (segment->flags & 0x010)
        tw_layout_putf(page, TW_TONE_PLAIN, " ack %" PRId64, segment->ack);
    if (segment->len > 0)
        tw_layout_putf(page, TW_TONE_PLAIN, " len %" PRIu32, segment->len);
    if (segment->window_bytes >= 0)
        tw_layout_putf(page, TW_TONE_PLAIN, " win %" PRId64, segment->window_bytes);
}

static void labels(struct tw_layout *page, uint32_t flags)
{
    for (int i = 0; i < TW_SEGMENT_LABELS; i++)
        if (flags & tw_segment_labels[i].flag)
            tw_layout_putf(page, TW_TONE_WARN, " [%s]", tw_segment_labels[i].name);
}

void tw_segment_text(const struct tw_request *request, struct tw_layout *page)
{
    const struct tcpwhy_segment *s = request->options.segment;

    end_at(page, TIME_AT - 1, tw_plain(s->frame).text);
    end_at(page, STREAM_AT - 1, tw_ms(s->relative_ns, 3).text);
    end_at(page, SIDE_AT - 2, tw_plain(s->stream).text);
    begin_at(page, SIDE_AT);
    tw_layout_put(page, TW_TONE_QUIET, s->from == TCPWHY_CLIENT ? "client" : "server");
    begin_at(page, CLASS_AT);
    tw_layout_put(page, TW_TONE_STRONG, tcpwhy_class_name(s->frame_class));
    begin_at(page, FLAGS_AT);
    numbers(page, s);
    if (s->wireshark)
        labels(page, s->wireshark->flags);
    tw_layout_end_line(page);
}
