/* SPDX-License-Identifier: MIT */
/*
 * The tagged format of EtherPeek, AiroPeek and OmniPeek: sections with a description in XML, then
 * packets as lists of tags.
 */
#include "base/memory.h"
#include "source/record.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#define TAG       6 /* number, value */
#define TAGS_MAX  64
#define HEAD_MAX  (1024u * 1024) /* of the sections before the packets */
#define HEAD_STEP 4096
#define PACKETS   12 /* bytes of the header of the section with the packets */
#define FCS       4  /* zeros, but for a type with a real one */

enum { LENGTH = 0, TIME_LOW = 1, TIME_HIGH = 2, SLICE = 0xffff };
enum { ETHERNET, WIFI, WIFI_2, WIFI_WITH_FCS };

struct peek {
    uint32_t link_type;
    uint32_t fcs;
};

static bool probe(struct tw_bytes start)
{
    return tw_be32(start, 0) == 0x7f766572; /* "\177ver" */
}

/* Offset behind the text, or 0. */
static size_t find(struct tw_bytes b, const char *text)
{
    size_t len = strlen(text);
    const uint8_t *at = b.len ? memmem(b.data, b.len, text, len) : NULL;

    return at ? (size_t)(at - b.data) + len : 0;
}

static unsigned number_after(struct tw_bytes b, const char *element)
{
    size_t at = find(b, element);
    unsigned n = 0;

    if (at == 0)
        return UINT_MAX;
    for (; n < 1000 && tw_u8(b, at) >= '0' && tw_u8(b, at) <= '9'; at++)
        n = n * 10 + tw_u8(b, at) - '0';
    return n;
}

/* Everything before the packets; empty if they do not come. */
static struct tw_bytes read_head(struct tw_source *source)
{
    for (size_t want = HEAD_STEP;; want += HEAD_STEP) {
        struct tw_bytes b = tw_record_header(source, want);
        size_t session = find(b, "<MediaSubType>");
        size_t packets = session ? find(tw_bytes_from(b, session), "pkts") : 0;

        if (packets > 0)
            return tw_bytes_first(b, session + packets);
        if (b.len < want || want >= HEAD_MAX)
            return (struct tw_bytes) { 0 };
    }
}

static bool open_peek(struct tw_source *source, struct tw_source_error *error)
{
    struct peek *peek = tw_new0(struct peek, 1);
    struct tw_bytes head = read_head(source);
    size_t len = head.len + PACKETS - strlen("pkts");
    unsigned media = number_after(head, "<MediaSubType>");

    source->state = peek;
    if (head.len == 0 || tw_record_header(source, len).len < len)
        return tw_record_refuse_cut(error, "OmniPeek");
    peek->link_type = media == ETHERNET        ? TW_LINK_ETHERNET
                      : media <= WIFI_WITH_FCS ? TW_LINK_80211
                                               : TW_NO_LINK_TYPE;
    peek->fcs = media == WIFI_WITH_FCS ? 0 : FCS;
    tw_window_take(&source->window, len);
    return tw_source_check_filter(source, peek->link_type, error);
}

struct tags {
    size_t len;
    uint32_t length, slice;
    uint64_t time;
    bool has_length, has_slice;
};

/* Up to the tag that ends a list. @return false if it is incomplete. */
static bool read_tags(struct tw_source *source, struct tags *tags)
{
    for (unsigned i = 0; i < TAGS_MAX && !tags->has_slice; i++) {
        struct tw_bytes b = tw_record_header(source, tags->len + TAG);
        uint32_t value = tw_le32(b, tags->len + 2);

        if (b.len < tags->len + TAG)
            return false;
        switch (tw_le16(b, tags->len)) {
        case LENGTH:
            tags->length = value;
            tags->has_length = true;
            break;
        case TIME_LOW:
            tags->time |= value;
            break;
        case TIME_HIGH:
            tags->time |= (uint64_t)value << 32;
            break;
        case SLICE:
            tags->slice = value;
            tags->has_slice = true;
            break;
        default:
            break;
        }
        tags->len += TAG;
    }
    return true;
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    const struct peek *peek = source->state;
    struct tags tags = { 0 };
    struct tw_record record;

    if (!read_tags(source, &tags))
        return tw_source_end(source, tw_window_shown(&source->window).len);
    if (!tags.has_length || !tags.has_slice)
        return tw_source_stop_at_bad_record(source);
    record = (struct tw_record) {
        .header = tags.len,
        .captured = tags.slice ? tags.slice : tags.length,
        .original = tags.length - MIN(peek->fcs, tags.length),
        .link_type = peek->link_type,
        .time_ns = tw_record_windows_time(tags.time, 1000000000),
    };
    record.trailer = MIN(peek->fcs, record.captured);
    record.captured -= (uint32_t)record.trailer;
    return tw_record_take(source, &record, frame);
}

const struct tw_format tw_format_peek = {
    .probe = probe,
    .open = open_peek,
    .next = next,
    .close = tw_record_close,
};
