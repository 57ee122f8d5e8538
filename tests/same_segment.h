/* SPDX-License-Identifier: MIT */
/* Whether the short way and the plain walk of src/dissect find the same in a frame. */
#ifndef TW_TESTS_SAME_SEGMENT_H
#define TW_TESTS_SAME_SEGMENT_H

#include <string.h>

#include "dissect/fast.h"

static inline bool same_tuple(const struct tw_tuple *a, const struct tw_tuple *b)
{
    return a->version == b->version && memcmp(a->port, b->port, sizeof a->port) == 0 &&
           memcmp(a->address, b->address, sizeof a->address) == 0;
}

static inline bool same_segment(const struct tw_segment *a, const struct tw_segment *b)
{
    return same_tuple(&a->tuple, &b->tuple) && a->seq == b->seq && a->ack == b->ack &&
           a->flags == b->flags && a->window == b->window && a->ip_id == b->ip_id &&
           a->ttl == b->ttl && a->header_len == b->header_len && a->facts == b->facts &&
           a->options == b->options && a->mss == b->mss && a->wscale == b->wscale &&
           a->n_sack == b->n_sack && a->tsval == b->tsval && a->tsecr == b->tsecr &&
           a->len == b->len && a->payload.data == b->payload.data &&
           a->payload.len == b->payload.len &&
           memcmp(a->sack, b->sack, a->n_sack * sizeof a->sack[0]) == 0;
}

/* True as well when the short way is not taken. */
static inline bool both_ways_agree(uint32_t link_type, struct tw_bytes bytes, uint32_t original_len,
                                   bool *taken)
{
    struct tw_dissection plain;
    struct tw_segment fast;

    memset(&fast, 0xa5, sizeof fast); /* what is left unset shows */
    *taken = tw_dissect_fast(link_type, bytes, original_len, &fast);
    return !*taken || (tw_dissect(NULL, link_type, bytes, original_len, &plain) == TW_FRAME_TCP &&
                       same_segment(&fast, &plain.segment));
}

#endif
