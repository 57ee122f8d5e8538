/* SPDX-License-Identifier: MIT */
/* The format of Visual Networks' probes: millisecond timestamps, an index at the end. */
#include "base/memory.h"
#include "source/record.h"

#define FILE_HEADER   192
#define RECORD_HEADER 20
#define ATM_HEADER    20
#define FCS           4

/* RFC 2863 interface types. */
enum { ETHERNET = 6, TOKEN_RING = 9, SERIAL = 22, FRAME_RELAY = 32, ATM = 37, HDLC = 118 };

struct visual {
    uint32_t left; /* records: behind them stands the index */
    uint32_t start_s;
    uint16_t media;
};

static bool probe(struct tw_bytes start)
{
    return tw_be32(start, 0) == 0x05564e46; /* "\5VNF" */
}

static uint32_t link_type(uint16_t media)
{
    switch (media) {
    case ETHERNET:
        return TW_LINK_ETHERNET;
    case TOKEN_RING:
        return TW_LINK_TOKEN_RING;
    case FRAME_RELAY:
        return TW_LINK_FRAME_RELAY;
    case SERIAL:
    case HDLC:
        return TW_LINK_CHDLC;
    case ATM:
        return TW_LINK_ATM_RFC1483;
    default:
        return TW_NO_LINK_TYPE;
    }
}

static bool open_visual(struct tw_source *source, struct tw_source_error *error)
{
    struct visual *visual = tw_new0(struct visual, 1);
    struct tw_bytes b = tw_record_header(source, FILE_HEADER);

    source->state = visual;
    if (b.len < FILE_HEADER)
        return tw_record_refuse_cut(error, "Visual Networks");
    *visual = (struct visual) { tw_le32(b, 4), tw_le32(b, 8), tw_le16(b, 12) };
    tw_window_take(&source->window, FILE_HEADER);
    return tw_source_check_filter(source, link_type(visual->media), error);
}

/* A serial line carries Cisco HDLC or PPP, which begins with an address of all stations. */
static void tell_ppp(struct tw_frame *frame)
{
    if (tw_be16(frame->bytes, 0) == 0xff03)
        frame->link_type = TW_LINK_PPP;
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    struct visual *visual = source->state;
    struct tw_bytes b = tw_record_header(source, RECORD_HEADER);
    struct tw_record record = {
        .header = RECORD_HEADER,
        .captured = tw_le16(b, 6),
        .original = tw_le16(b, 4),
        .link_type = link_type(visual->media),
        .time_ns = tw_record_time(visual->start_s, (uint64_t)tw_le32(b, 0) * 1000000),
    };
    int rc;

    if (visual->left == 0) {
        source->done = true;
        return 0;
    }
    if (b.len < RECORD_HEADER)
        return tw_source_end(source, MAX(b.len, 1));
    if (visual->media == ETHERNET) /* counted, but never captured */
        record.original = MAX(record.captured, record.original - MIN(FCS, record.original));
    rc = tw_record_take(source, &record, frame);
    if (rc <= 0)
        return rc;
    visual->left--;
    if (record.link_type == TW_LINK_CHDLC)
        tell_ppp(frame);
    if (visual->media == ATM)
        tw_record_strip(frame, ATM_HEADER);
    return rc;
}

const struct tw_format tw_format_visual = {
    .probe = probe,
    .open = open_visual,
    .next = next,
    .close = tw_record_close,
};
