/* SPDX-License-Identifier: MIT */
/*
 * Caches which hypotheses a kind of gap leaves: a connection has few kinds.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_ASKED_H
#define TW_EXPLAIN_ATTRIBUTE_ASKED_H

#include <stdint.h>

struct tw_gap;
struct tw_hypothesis;

/* Size of the cache: gaps of a connection are of a few kinds. */
#define TW_GAP_KINDS_BITS 7
#define TW_GAP_KINDS      (1 << TW_GAP_KINDS_BITS)

/* The hypotheses that apply to each kind of gap, cached. */
struct tw_asked {
    uint32_t has[TW_GAP_KINDS];        /* enum tw_needs; 0: not found yet */
    uint32_t hypotheses[TW_GAP_KINDS]; /* a bit for each */
};

/* A bit for each hypothesis whose needs the gap has; never 0, since unknown needs nothing. */
uint32_t tw_asked_of(struct tw_asked *asked, const struct tw_gap *gap);

/* The needs of a hypothesis that the gap lacks: enum tw_needs; 0: none. */
unsigned tw_asked_lacks(const struct tw_gap *gap, const struct tw_hypothesis *hypothesis);

#endif
