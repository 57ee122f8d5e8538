/* SPDX-License-Identifier: MIT */
/*
 * The ERF format of Endace's cards: records without a file header, in time order. A record is a
 * frame of link type ERF, which src/dissect reads.
 */
#include "source/record.h"

#define HEADER   16
#define TYPE_MAX 27 /* of records with something to show; 48 is padding */
#define PAD      48
#define MORE     0x80 /* extension headers follow */
#define WEEK_S   (7 * 86400)

/* Lengths of an Ethernet record's frame begin behind two bytes that align it. */
#define ETHERNET_ALIGN 2

/* Records that must look right, since the format has no signature. */
#define ENOUGH 3

struct header {
    uint64_t stamp; /* seconds in the upper half */
    uint8_t type;
    uint16_t len, lost, wire_len;
};

static struct header read_header(struct tw_bytes b)
{
    return (struct header) { tw_le64(b, 0), tw_u8(b, 8) & 0x7f, tw_be16(b, 10), tw_be16(b, 12),
                             tw_be16(b, 14) };
}

static bool is_ethernet(uint8_t type)
{
    return type == 2 || type == 11 || type == 16 || type == 20;
}

/* Types whose field of lost records has no other meaning. */
static bool counts_losses(uint8_t type)
{
    return type == 1 || type == 2 || type == 22 || type == 23;
}

/* From 1990 on, no record earlier than the one before, or a week later. */
static bool is_plausible(const struct header *h, uint64_t before)
{
    uint64_t seconds = h->stamp >> 32;

    return h->type >= 1 && (h->type <= TYPE_MAX || (before && h->type == PAD)) &&
           h->len >= HEADER && seconds > UINT64_C(20) * 365 * 86400 && h->stamp >= before &&
           (!before || seconds - (before >> 32) < WEEK_S);
}

static bool guess(struct tw_bytes start)
{
    uint64_t before = 0;
    int n = 0;

    for (size_t at = 0; n < ENOUGH && tw_bytes_has(start, at, HEADER); n++) {
        struct header h = read_header(tw_bytes_from(start, at));

        if (!is_plausible(&h, before))
            return false;
        before = h.stamp;
        at += h.len;
    }
    return n > 0;
}

static bool open_erf(struct tw_source *source, struct tw_source_error *error)
{
    return tw_source_check_filter(source, TW_LINK_ERF, error);
}

/* Fractions are 2^-32 s, rounded as in Wireshark. */
static int64_t time_of(uint64_t stamp)
{
    uint64_t ns = ((stamp & UINT32_MAX) * 1000000000 + (UINT64_C(1) << 31)) >> 32;

    return tw_record_time((int64_t)(stamp >> 32), ns);
}

/* Length of the headers before the frame. */
static uint32_t headers_len(struct tw_bytes record, const struct header *h)
{
    uint32_t len = HEADER;
    bool more = tw_u8(record, 8) & MORE;

    for (; more && len < h->len; len += 8)
        more = tw_u8(record, len) & MORE;
    return len + (is_ethernet(h->type) ? ETHERNET_ALIGN : 0);
}

static int next_record(struct tw_source *source, struct tw_frame *frame)
{
    struct tw_bytes b = tw_record_header(source, HEADER);
    struct header h = read_header(b);
    uint32_t whole;
    struct tw_record record;
    int rc;

    if (b.len < HEADER)
        return tw_source_end(source, b.len);
    if (h.len < HEADER)
        return tw_source_stop_at_bad_record(source);
    if (h.type == PAD)
        return tw_record_pass_over(source, h.len);
    b = tw_record_header(source, h.len);
    whole = h.wire_len ? headers_len(b, &h) + h.wire_len : h.len;
    record = (struct tw_record) {
        .captured = MIN(h.len, whole), /* records are padded to 8 bytes */
        .original = whole,
        .trailer = h.len - MIN(h.len, whole),
        .link_type = TW_LINK_ERF,
        .time_ns = time_of(h.stamp),
    };
    rc = tw_record_take(source, &record, frame);
    if (rc > 0 && h.lost > 0 && counts_losses(h.type))
        tw_source_add_fact(source, TW_SOURCE_DROPPED, h.lost);
    return rc;
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    int rc;

    do
        rc = next_record(source, frame);
    while (rc == TW_RECORD_PASSED_OVER);
    return rc;
}

const struct tw_format tw_format_erf = { .guess = guess, .open = open_erf, .next = next };
