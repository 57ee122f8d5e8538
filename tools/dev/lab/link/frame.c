/* SPDX-License-Identifier: MIT */
/* As much of Ethernet, IP and TCP as the link needs to choose its victims, and the one packet
 * that a router writes itself. */
#include "frame.h"

#include <stdint.h>
#include <string.h>

enum { ETHER = 14, IPV4 = 20, IPV6 = 40, TCP = 20, ICMP = 8, QUOTED = IPV4 + 8 };

static unsigned be16(const unsigned char *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static uint32_t be32(const unsigned char *p)
{
    return (uint32_t)be16(p) << 16 | be16(p + 2);
}

static void put16(unsigned char *p, unsigned value)
{
    p[0] = (unsigned char)(value >> 8);
    p[1] = (unsigned char)value;
}

size_t frame_ip_length(const unsigned char *frame, size_t length)
{
    unsigned type = length >= ETHER + IPV4 ? be16(frame + 12) : 0;

    return type == 0x0800 || type == 0x86dd ? length - ETHER : 0;
}

enum frame_kind frame_kind(const unsigned char *frame, size_t length)
{
    const unsigned char *ip = frame + ETHER;
    size_t header, total;

    if (length >= ETHER + IPV4 + TCP && be16(frame + 12) == 0x0800 && ip[9] == 6) {
        header = (ip[0] & 15u) * 4u;
        total = be16(ip + 2);
    } else if (length >= ETHER + IPV6 + TCP && be16(frame + 12) == 0x86dd && ip[6] == 6) {
        header = IPV6;
        total = IPV6 + be16(ip + 4);
    } else {
        return FRAME_OTHER;
    }
    if (length < ETHER + header + TCP)
        return FRAME_OTHER;
    const unsigned char *tcp = ip + header;
    if (tcp[13] & 2)
        return tcp[13] & 16 ? FRAME_SYN_ACK : FRAME_SYN;
    if (total > header + (tcp[12] >> 4) * 4u)
        return FRAME_DATA;
    return tcp[13] & 1 ? FRAME_FIN : FRAME_ACK;
}

bool frame_newer_ack(const unsigned char *one, const unsigned char *other, size_t length)
{
    enum { PORTS = ETHER + IPV4, ACK = PORTS + 8, FLAGS = PORTS + 13, ECE = 0x40 };
    const size_t no_sack = ETHER + IPV4 + TCP + 12; /* timestamps at most */
    bool sack = length > no_sack || (length > PORTS + TCP + 2 && one[PORTS + TCP + 2] == 5);

    if (sack || frame_kind(one, length) != FRAME_ACK || frame_kind(other, length) != FRAME_ACK ||
        ((one[FLAGS] | other[FLAGS]) & ECE))
        return false;
    return !memcmp(one + ETHER + 12, other + ETHER + 12, 8) &&
           !memcmp(one + PORTS, other + PORTS, 4) &&
           (int32_t)(be32(one + ACK) - be32(other + ACK)) > 0;
}

static void put_checksum(unsigned char *p, size_t length, size_t at)
{
    unsigned long sum = 0;

    put16(p + at, 0);
    for (size_t i = 0; i + 1 < length; i += 2)
        sum += be16(p + i);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    put16(p + at, (unsigned)~sum & 0xffff);
}

bool frame_knows_ecn(const unsigned char *frame, size_t length)
{
    return length >= ETHER + IPV4 && be16(frame + 12) == 0x0800 && (frame[ETHER + 1] & 3);
}

bool frame_mark(unsigned char *frame, size_t length)
{
    unsigned char *ip = frame + ETHER;

    if (!frame_knows_ecn(frame, length))
        return false;
    ip[1] |= 3;
    put_checksum(ip, (ip[0] & 15u) * 4u, 10);
    return true;
}

size_t frame_too_big(const unsigned char *frame, size_t length, size_t mtu, unsigned char *out)
{
    unsigned char *ip = out + ETHER, *icmp = ip + IPV4;

    if (length < ETHER + QUOTED || be16(frame + 12) != 0x0800)
        return 0;
    memcpy(out, frame + 6, 6);
    memcpy(out + 6, frame, 6);
    put16(out + 12, 0x0800);
    memset(ip, 0, IPV4 + ICMP);
    ip[0] = 0x45;
    put16(ip + 2, IPV4 + ICMP + QUOTED);
    ip[8] = 64;
    ip[9] = 1;
    memcpy(ip + 12, frame + ETHER + 16, 4);
    memcpy(ip + 16, frame + ETHER + 12, 4);
    icmp[0] = 3; /* destination unreachable, fragmentation needed (RFC 1191) */
    icmp[1] = 4;
    put16(icmp + 6, (unsigned)mtu);
    memcpy(icmp + ICMP, frame + ETHER, QUOTED);
    put_checksum(ip, IPV4, 10);
    put_checksum(icmp, ICMP + QUOTED, 2);
    return ETHER + IPV4 + ICMP + QUOTED;
}
