/* SPDX-License-Identifier: MIT */
/*
 * The five-tuple of a segment or a connection: two addresses and two ports. In a segment, index 0
 * is the source; in a connection, index 0 is the client (enum tcpwhy_side).
 */
#ifndef TW_BASE_TUPLE_H
#define TW_BASE_TUPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <tcpwhy/types.h>

struct tw_tuple {
    uint8_t address[2][16]; /* IPv4 in the first four bytes, the rest 0 */
    uint16_t port[2];
    uint8_t version; /* 4 or 6 */
};

/* Does one host talk to itself: over its loopback (127.0.0.0/8, RFC 1122, 3.2.1.3; ::1, RFC 4291,
 * 2.5.3), or from an address of its own to the same? */
static inline bool tw_tuple_is_one_host(const struct tw_tuple *t)
{
    if (t->version == 4 && t->address[0][0] == 127 && t->address[1][0] == 127)
        return true;
    return memcmp(t->address[0], t->address[1], sizeof t->address[0]) == 0;
}

/* An address that no router of the Internet forwards: private (RFC 1918; RFC 4193), of a carrier's
 * NAT (RFC 6598) or of one link (RFC 3927; RFC 4291, 2.5.6). */
static inline bool tw_tuple_is_private(const struct tw_tuple *t, int index)
{
    const uint8_t *a = t->address[index];

    if (t->version == 6)
        return (a[0] & 0xfe) == 0xfc || (a[0] == 0xfe && (a[1] & 0xc0) == 0x80);
    return a[0] == 10 || (a[0] == 172 && (a[1] & 0xf0) == 16) || (a[0] == 192 && a[1] == 168) ||
           (a[0] == 100 && (a[1] & 0xc0) == 64) || (a[0] == 169 && a[1] == 254);
}

static inline struct tcpwhy_endpoint tw_tuple_endpoint(const struct tw_tuple *t, int index)
{
    struct tcpwhy_endpoint e = { .port = t->port[index], .version = t->version };

    for (int i = 0; i < 16; i++)
        e.address[i] = t->address[index][i];
    return e;
}

#endif
