/* SPDX-License-Identifier: MIT */
/*
 * IP reassembly (RFC 791 section 3.2, RFC 8200 section 4.5): the only state of dissection, one per
 * session. Bounded in number, bytes and age; the oldest datagram is evicted.
 */
#ifndef TW_DISSECT_DEFRAG_H
#define TW_DISSECT_DEFRAG_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "base/bytes.h"

struct tw_defrag;

/* A fragment's IP header fields. */
struct tw_fragment {
    uint8_t address[2][16];
    uint32_t id;
    uint32_t offset;       /* offset of its first byte in the datagram's payload */
    uint16_t vlan;         /* VLAN tag, or 0 */
    uint8_t version;       /* IP version */
    uint8_t protocol;      /* of the payload */
    bool more;             /* more fragments */
    struct tw_bytes bytes; /* its whole payload */
};

enum tw_defrag_result {
    TW_DEFRAG_WAITS,
    TW_DEFRAG_WHOLE,
    TW_DEFRAG_IMPOSSIBLE, /* empty, or beyond the maximum datagram size */
};

/* Fragments that could not be used. */
struct tw_defrag_facts {
    uint64_t incomplete; /* TCP fragments of incomplete datagrams */
    uint64_t overlaps;   /* fragments that contradict earlier bytes or lengths */
    uint32_t first_incomplete, first_overlap; /* frames */
};

struct tw_defrag *tw_defrag_new(void);
void tw_defrag_free(struct tw_defrag *defrag);

/* Start a new frame: release datagrams completed by the last one, and discard expired ones. */
void tw_defrag_begin(struct tw_defrag *defrag, tcpwhy_ns now, uint32_t frame);

/*
 * Add a fragment. On TW_DEFRAG_WHOLE *fragment becomes the datagram: offset 0, the first fragment's
 * protocol, all bytes, valid until the next tw_defrag_begin().
 */
enum tw_defrag_result tw_defrag_add(struct tw_defrag *defrag, struct tw_fragment *fragment);

/* Count an unusable TCP fragment, truncated by the snap length. */
void tw_defrag_miss(struct tw_defrag *defrag);

/* Facts so far; pending datagrams count as incomplete. */
struct tw_defrag_facts tw_defrag_facts(const struct tw_defrag *defrag);

#endif
