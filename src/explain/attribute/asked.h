/* SPDX-License-Identifier: MIT */
/*
 * Which detectors look at which kind of gap: looked up, since few kinds come over and over.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_ASKED_H
#define TW_EXPLAIN_ATTRIBUTE_ASKED_H

#include <stdint.h>

/* Waits are of a few kinds that come over and over: there is room for so many. */
#define TW_GAP_KINDS_BITS 7
#define TW_GAP_KINDS      (1 << TW_GAP_KINDS_BITS)

/* Which detectors are asked about a kind of wait, as found once. */
struct tw_asked {
    uint32_t has[TW_GAP_KINDS];       /* enum tw_needs; 0: not found yet */
    uint32_t detectors[TW_GAP_KINDS]; /* a bit for each */
};

#endif
