/* SPDX-License-Identifier: MIT */
/*
 * The snoop format (RFC 1761) of Solaris, and Shomiti's variant of it, told by its longer record
 * trailer.
 */
#include "base/memory.h"
#include "source/record.h"

#define FILE_HEADER     16
#define RECORD_HEADER   24
#define SHOMITI_TRAILER 16

struct snoop {
    uint32_t link_type;
    bool has_radio; /* Shomiti's 802.11 frames begin with a header of their own */
    uint32_t drops; /* so far */
};

static bool probe(struct tw_bytes start)
{
    return tw_be64(start, 0) == UINT64_C(0x736e6f6f70000000); /* "snoop" */
}

/* Numbers of the IANA registry of snoop datalink types; SUNatm calls its own IP over ATM. */
static uint32_t sun_link_type(uint32_t network)
{
    switch (network) {
    case 0: /* IEEE 802.3 */
    case 4: /* Ethernet */
        return TW_LINK_ETHERNET;
    case 2:
        return TW_LINK_TOKEN_RING;
    case 8:
        return TW_LINK_FDDI;
    case 9:
    case 14: /* software loopback */
        return TW_LINK_NULL;
    case 16:
        return TW_LINK_IP_OVER_FC;
    case 18:
        return TW_LINK_SUNATM;
    case 0x80000005:
        return TW_LINK_IPNET;
    default:
        return TW_NO_LINK_TYPE;
    }
}

#define SHOMITI_RADIO 18

static uint32_t shomiti_link_type(uint32_t network)
{
    switch (network) {
    case 0:
    case 4:
    case 10: /* fast */
    case 12: /* gigabit */
    case 19: /* 10 gigabit */
        return TW_LINK_ETHERNET;
    case 2:
    case 11:
    case 13:
    case 14:
        return TW_LINK_TOKEN_RING;
    case 8:
        return TW_LINK_FDDI;
    case SHOMITI_RADIO:
        return TW_LINK_80211;
    default:
        return TW_NO_LINK_TYPE;
    }
}

static bool is_shomiti(struct tw_source *source)
{
    struct tw_bytes b = tw_record_header(source, RECORD_HEADER);
    uint64_t framed = (uint64_t)tw_be32(b, 4) + RECORD_HEADER;

    return tw_be32(b, 8) >= framed + SHOMITI_TRAILER;
}

static bool open_snoop(struct tw_source *source, struct tw_source_error *error)
{
    struct snoop *snoop = tw_new0(struct snoop, 1);
    struct tw_bytes b = tw_record_header(source, FILE_HEADER);
    uint32_t network = tw_be32(b, 12);

    source->state = snoop;
    if (b.len < FILE_HEADER)
        return tw_record_refuse_cut(error, "snoop");
    tw_window_take(&source->window, FILE_HEADER);
    snoop->link_type = sun_link_type(network);
    if (is_shomiti(source)) {
        snoop->link_type = shomiti_link_type(network);
        snoop->has_radio = network == SHOMITI_RADIO;
    }
    return tw_source_check_filter(source, snoop->link_type, error);
}

/* The drops of a record are those since the beginning of the capture. */
static void note_drops(struct tw_source *source, uint32_t drops)
{
    struct snoop *snoop = source->state;

    if (drops > snoop->drops)
        tw_source_add_fact(source, TW_SOURCE_DROPPED, drops - snoop->drops);
    snoop->drops = MAX(snoop->drops, drops);
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    struct snoop *snoop = source->state;
    struct tw_bytes b = tw_record_header(source, RECORD_HEADER);
    struct tw_record record = {
        .header = RECORD_HEADER,
        .captured = tw_be32(b, 4),
        .original = tw_be32(b, 0),
        .link_type = snoop->link_type,
        .time_ns = tw_record_time(tw_be32(b, 16), (uint64_t)tw_be32(b, 20) * 1000),
    };
    uint32_t len = tw_be32(b, 8), drops = tw_be32(b, 12);
    int rc;

    if (b.len < RECORD_HEADER)
        return tw_source_end(source, b.len);
    if (len < RECORD_HEADER || len - RECORD_HEADER < record.captured)
        return tw_source_stop_at_bad_record(source);
    record.trailer = len - RECORD_HEADER - record.captured;
    rc = tw_record_take(source, &record, frame);
    if (rc > 0)
        note_drops(source, drops);
    if (rc > 0 && snoop->has_radio) /* its length is in the fourth byte, and does not count those */
        tw_record_strip(frame, 4u + tw_u8(frame->bytes, 3));
    return rc;
}

const struct tw_format tw_format_snoop = {
    .probe = probe,
    .open = open_snoop,
    .next = next,
    .close = tw_record_close,
};
