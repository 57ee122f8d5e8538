/* SPDX-License-Identifier: MIT */
/* The TCP checksum (RFC 1071, RFC 9293 section 3.1), on demand: most captures never need it. */
#include "dissect/dissect.h"

#define PROTO_TCP 6

#define CANNOT_TELL (TW_SEG_HEADER_CUT | TW_SEG_PAYLOAD_CUT | TW_SEG_QUOTED | TW_SEG_NO_LENGTH)

/* One's complement sum of 16-bit words; an odd last byte is padded with 0. */
static uint64_t sum(struct tw_bytes b, uint64_t total)
{
    size_t at = 0;

    for (; at + 1 < b.len; at += 2)
        total += tw_be16(b, at);
    if (at < b.len)
        total += (uint64_t)tw_u8(b, at) << 8;
    return total;
}

bool tw_dissect_checksum_ok(const struct tw_segment *s)
{
    size_t address = s->tuple.version == 4 ? 4 : 16;
    uint64_t total = PROTO_TCP + s->header_len + (uint64_t)s->len;

    if (s->facts & CANNOT_TELL)
        return true;
    total = sum(tw_bytes(s->tuple.address[0], address), total);
    total = sum(tw_bytes(s->tuple.address[1], address), total);
    /* A whole segment has its header right before its payload. */
    total = sum(tw_bytes(s->payload.data - s->header_len, s->header_len), total);
    total = sum(s->payload, total);
    while (total >> 16)
        total = (total & 0xffff) + (total >> 16);
    return total == 0xffff;
}
