/* SPDX-License-Identifier: MIT */
/* TCP checksum (RFC 1071, RFC 9293 section 3.1), computed on demand for few segments. */
#include "dissect/checksum.h"

#define PROTO_TCP    6
#define PROTO_UDP    17
#define CHECKSUM     16
#define UDP_CHECKSUM 6

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

static uint64_t sum_addresses(const struct tw_tuple *tuple, uint64_t protocol_and_length)
{
    const size_t address = tuple->version == 4 ? 4 : 16;

    return protocol_and_length + sum(tw_bytes(tuple->address[0], address)) +
           sum(tw_bytes(tuple->address[1], address));
}

static uint64_t sum_pseudo_header(const struct tw_segment *s)
{
    return sum_addresses(&s->tuple, PROTO_TCP + s->header_len + (uint64_t)s->len);
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

bool tw_checksum_is_wrong(const struct tw_segment *s)
{
    struct tw_bytes header = tw_segment_header(s);
    uint64_t pseudo;
    uint16_t field;

    if (header.len == 0 || s->payload.len != s->len || s->facts & TW_SEG_NO_IP_LENGTH)
        return false;
    field = tw_load_be16(header.data + CHECKSUM);
    pseudo = sum_pseudo_header(s);
    return field != 0 && field != fold(pseudo) &&
           fold(pseudo + sum(header) + sum(s->payload)) != 0xffff;
}

bool tw_checksum_is_wrong_udp(const struct tw_tuple *tuple, struct tw_bytes datagram)
{
    uint64_t pseudo = sum_addresses(tuple, PROTO_UDP + datagram.len);
    uint16_t field = tw_load_be16(datagram.data + UDP_CHECKSUM);

    return field != 0 && field != fold(pseudo) && fold(pseudo + sum(datagram)) != 0xffff;
}
