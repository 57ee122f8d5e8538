/* SPDX-License-Identifier: MIT */
/*
 * The five-tuple of a segment or a connection: two addresses and two ports. In a segment, index 0
 * is the source; in a connection, index 0 is the client (enum tcpwhy_side).
 */
#ifndef TW_BASE_TUPLE_H
#define TW_BASE_TUPLE_H

#include <stdint.h>

#include <tcpwhy/types.h>

struct tw_tuple {
    uint8_t address[2][16]; /* IPv4 in the first four bytes, the rest 0 */
    uint16_t port[2];
    uint8_t version; /* 4 or 6 */
};

static inline struct tcpwhy_endpoint tw_tuple_endpoint(const struct tw_tuple *t, int index)
{
    struct tcpwhy_endpoint e = { .port = t->port[index], .version = t->version };

    for (int i = 0; i < 16; i++)
        e.address[i] = t->address[index][i];
    return e;
}

#endif
