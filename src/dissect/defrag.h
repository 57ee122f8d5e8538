/* SPDX-License-Identifier: MIT */
/*
 * IP fragments that wait for the rest of their datagram (RFC 791 section 3.2, RFC 8200 section
 * 4.5). The one thing that dissection remembers from frame to frame; one a session. Bounded in
 * number, bytes and age: whoever has waited longest gives way.
 */
#ifndef TW_DISSECT_DEFRAG_H
#define TW_DISSECT_DEFRAG_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "base/bytes.h"

struct tw_defrag;

/* One fragment as its IP header tells it. */
struct tw_fragment {
    uint8_t address[2][16];
    uint32_t id;
    uint32_t offset;       /* of its first byte in the datagram's payload */
    uint16_t vlan;         /* tag around it, 0 without */
    uint8_t version;       /* of IP */
    uint8_t protocol;      /* of the payload */
    bool more;             /* it is not the last one */
    struct tw_bytes bytes; /* all of its payload */
};

enum tw_defrag_result {
    TW_DEFRAG_WAITS,
    TW_DEFRAG_WHOLE,
    TW_DEFRAG_IMPOSSIBLE, /* of no length, or beyond what a datagram can hold */
};

/* What there is to know of fragments that could not be used as they came. */
struct tw_defrag_facts {
    uint64_t incomplete; /* fragments of TCP whose datagram never became whole */
    uint64_t overlaps;   /* fragments that contradict bytes or lengths told before */
    uint32_t first_incomplete, first_overlap; /* frames */
};

struct tw_defrag *tw_defrag_new(void);
void tw_defrag_free(struct tw_defrag *defrag);

/* A new frame begins: what the last one completed is gone, what waited too long is given up. */
void tw_defrag_begin(struct tw_defrag *defrag, tcpwhy_ns now, uint32_t frame);

/*
 * Take a fragment. On TW_DEFRAG_WHOLE *fragment becomes the datagram: offset 0, the first
 * fragment's protocol, all bytes, which live until the next tw_defrag_begin().
 */
enum tw_defrag_result tw_defrag_add(struct tw_defrag *defrag, struct tw_fragment *fragment);

/* Count a fragment of TCP that cannot be used: the snap length cut it. */
void tw_defrag_miss(struct tw_defrag *defrag);

/* Facts so far, what still waits counted as incomplete. */
struct tw_defrag_facts tw_defrag_facts(const struct tw_defrag *defrag);

#endif
