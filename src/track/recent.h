/* SPDX-License-Identifier: MIT */
/*
 * The last frames of a side, to recognise one that is captured twice. Most connections have a
 * handful of frames, so the memory grows with them.
 */
#ifndef TW_TRACK_RECENT_H
#define TW_TRACK_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <glib.h>

#include <tcpwhy/types.h>

#include "dissect/dissect.h"

/* The segments that one side of a short connection sends. */
#define TW_RECENT_FIRST 6

/* A copy on a bridge comes microseconds later, after the burst's next segments. */
#define TW_RECENT_FRAMES 32

struct tw_recent_frame {
    uint32_t digest, ticks;
};

struct tw_recent {
    struct tw_recent_frame *ring; /* holds all once they are more */
    uint32_t n;                   /* frames so far */
    struct tw_recent_frame first[TW_RECENT_FIRST];
};

_Static_assert(offsetof(struct tw_segment, ack) == offsetof(struct tw_segment, seq) + 4,
               "one word");
_Static_assert(offsetof(struct tw_segment, len) == offsetof(struct tw_segment, tsval) + 4,
               "one word");
_Static_assert(offsetof(struct tw_segment, mss) == offsetof(struct tw_segment, flags) + 6,
               "one word");

/* Neighbours of a segment at once. */
static inline uint64_t tw_recent_word(const void *first)
{
    uint64_t word;

    memcpy(&word, first, sizeof word);
    return word;
}

/* The MSS is last in its word and is shifted out. */
#define TW_RECENT_MSS_BITS 16

/* The fields that a copy shares with the packet, in 32 bits: numbers, timestamp, length, flags, ID
 * and window, but not TTL and MSS, which a hop between two interfaces may change. */
static inline uint32_t tw_recent_digest(const struct tw_segment *s)
{
    uint64_t h = tw_recent_word(&s->seq) * 0x1e3779b1u + tw_recent_word(&s->tsval) * 0x42b2ae3du +
                 (GUINT64_FROM_LE(tw_recent_word(&s->flags)) << TW_RECENT_MSS_BITS) * 0x27d4eb2fu;

    if (s->n_sack)
        h += tw_recent_word(s->sack[0]) * 0x56e8feb9u;
    return (uint32_t)(h ^ h >> 32);
}

/* 1,024 ns each, to avoid a division. */
#define TW_RECENT_TICK_BITS 10

static inline uint32_t tw_recent_ticks(tcpwhy_ns time_ns)
{
    return (uint32_t)(time_ns >> TW_RECENT_TICK_BITS);
}

/* Keep a frame while there is no ring, or create it. */
void tw_recent_begin(struct tw_recent *recent, struct tw_recent_frame frame);

static inline void tw_recent_add(struct tw_recent *recent, const struct tw_segment *s,
                                 tcpwhy_ns time_ns)
{
    const struct tw_recent_frame frame = { tw_recent_digest(s), tw_recent_ticks(time_ns) };

    if (recent->ring)
        recent->ring[recent->n++ % TW_RECENT_FRAMES] = frame;
    else
        tw_recent_begin(recent, frame);
}

/* Time since the last frame, which must exist, within a tick. */
static inline tcpwhy_ns tw_recent_age(const struct tw_recent *recent, tcpwhy_ns time_ns)
{
    const uint32_t last = recent->n - 1;
    const struct tw_recent_frame *frame =
        recent->ring ? &recent->ring[last % TW_RECENT_FRAMES] : &recent->first[last];

    return (tcpwhy_ns)(tw_recent_ticks(time_ns) - frame->ticks) << TW_RECENT_TICK_BITS;
}

/* Is there a frame like that no more than limit_ns before time_ns? */
bool tw_recent_has(const struct tw_recent *recent, const struct tw_segment *s, tcpwhy_ns time_ns,
                   tcpwhy_ns limit_ns);

/* Have there been more frames since limit_ns before time_ns than are kept? */
bool tw_recent_forgets(const struct tw_recent *recent, tcpwhy_ns time_ns, tcpwhy_ns limit_ns);

void tw_recent_clear(struct tw_recent *recent);

/* Heap memory of it, in bytes. */
size_t tw_recent_bytes(const struct tw_recent *recent);

#endif
