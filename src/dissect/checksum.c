/* SPDX-License-Identifier: MIT */
/* TCP checksum (RFC 1071, RFC 9293 section 3.1), computed on demand for few segments. */
#include "dissect/checksum.h"

#define PROTO_TCP 6
#define CHECKSUM  16

/* One's complement sum of 16-bit words; an odd last byte is padded with 0. */
static uint64_t sum(struct tw_bytes b)
{
    uint64_t total = 0;

    for (size_t at = 0; at + 1 < b.len; at += 2)
        total += tw_load_be16(b.data + at);
    return b.len % 2 ? total + ((uint64_t)b.data[b.len - 1] << 8) : total;
}

static uint16_t fold(uint64_t total)
{
    while (total >> 16)
        total = (total & 0xffff) + (total >> 16);
    return (uint16_t)total;
}

static uint64_t sum_pseudo_header(const struct tw_segment *s)
{
    const size_t address = s->tuple.version == 4 ? 4 : 16;

    return PROTO_TCP + s->header_len + (uint64_t)s->len +
           sum(tw_bytes(s->tuple.address[0], address)) +
           sum(tw_bytes(s->tuple.address[1], address));
}

/* Without data the check costs little, and excludes a coincidence. */
bool tw_checksum_is_begun(const struct tw_segment *s)
{
    struct tw_bytes header = tw_segment_header(s);
    uint64_t pseudo;

    if (header.len == 0)
        return false;
    pseudo = sum_pseudo_header(s);
    return fold(pseudo) == tw_load_be16(header.data + CHECKSUM) &&
           (s->len > 0 || fold(pseudo + sum(header)) != 0xffff);
}
