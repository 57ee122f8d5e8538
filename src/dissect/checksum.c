/* SPDX-License-Identifier: MIT */
/* TCP checksum (RFC 1071, RFC 9293 section 3.1), computed on demand for few segments. */
#include "dissect/checksum.h"

#define PROTO_TCP    6
#define PROTO_UDP    17
#define CHECKSUM     16
#define UDP_CHECKSUM 6

/* One's complement sum of 16-bit words, two at a time (RFC 1071, section 2): what is carried into
 * the upper half is folded later. An odd last byte is padded with 0. */
static uint64_t sum(struct tw_bytes b)
{
    const uint8_t *at = b.data;
    uint64_t total = 0;
    size_t left = b.len;

    for (; left >= 4; left -= 4, at += 4)
        total += tw_load_be32(at);
    if (left >= 2)
        total += tw_load_be16(at);
    return left % 2 ? total + ((uint64_t)at[left - 1] << 8) : total;
}

static uint16_t fold(uint64_t total)
{
    while (total >> 16)
        total = (total & 0xffff) + (total >> 16);
    return (uint16_t)total;
}

static uint64_t sum_addresses(const struct tw_tuple *tuple, uint64_t protocol_and_length)
{
    const uint8_t *from = tuple->address[0], *to = tuple->address[1];

    if (tuple->version == 4)
        return protocol_and_length + tw_load_be32(from) + tw_load_be32(to);
    return protocol_and_length + sum(tw_bytes(from, 16)) + sum(tw_bytes(to, 16));
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
           fold(pseudo + sum(tw_bytes(header.data, header.len + s->payload.len))) != 0xffff;
}

bool tw_checksum_is_wrong_udp(const struct tw_tuple *tuple, struct tw_bytes datagram)
{
    uint64_t pseudo = sum_addresses(tuple, PROTO_UDP + datagram.len);
    uint16_t field = tw_load_be16(datagram.data + UDP_CHECKSUM);

    return field != 0 && field != fold(pseudo) && fold(pseudo + sum(datagram)) != 0xffff;
}
