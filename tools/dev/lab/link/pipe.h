/* SPDX-License-Identifier: MIT */
#ifndef LAB_PIPE_H
#define LAB_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "frame.h"

#define PIPE_NEVER  INT64_MAX
#define PIPE_RANGES 32

/* Frames of one kind to lose, counted from 1 in their direction, retransmissions included. */
struct pipe_victims {
    unsigned n;
    unsigned from[PIPE_RANGES], to[PIPE_RANGES];
    unsigned seen;
};

struct pipe_settings {
    int64_t delay_ns;                 /* one way */
    int64_t jitter_ns;                /* added at random, order kept */
    double rate_bps;                  /* 0: unlimited */
    double queue_bytes;               /* room before the bottleneck; 0: unlimited */
    double loss;                      /* probability, frames with data */
    double ack_loss;                  /* probability, frames without */
    double burst;                     /* probability that a run of lost data frames begins */
    unsigned burst_length;            /* frames in such a run */
    double reorder;                   /* probability that a data frame is held back */
    int64_t reorder_ns;               /* how long */
    double duplicate;                 /* probability that a data frame arrives twice */
    size_t hole_bytes;                /* IP packets above this vanish; 0: none do */
    bool too_big;                     /* ... and the sender is told by ICMP */
    int64_t dark_from_ns, dark_to_ns; /* nothing passes between these, counted from the first SYN */
    int64_t still_from_ns, still_to_ns; /* what would come out between these does at their end */
    double low_bps;                     /* the rate is anything from this to rate_bps ... */
    int64_t change_ns;   /* ... and another one after each of these; 0: always rate_bps */
    double police_bytes; /* tokens of a policer at rate_bps, which then is no queue */
    double mark_bytes;   /* CE (RFC 3168) on what finds more than this before it */
    int64_t codel_ns;    /* CoDel's target; hits what knows ECN by CE, the rest by loss. 0: none */
    int64_t gather_ns;   /* frames come out together, about so long after the first; 0: alone */
    bool ack_filter;     /* a newer pure ACK takes the place of one that waits */
    double damage;       /* probability that a data frame arrives with a wrong checksum */
    struct pipe_victims syn, syn_ack, data, ack, fin;
};

struct pipe_counts {
    unsigned long seen, data, lost, queue_drops, hole_drops, reordered, duplicated, marked,
        codel_drops, filtered, damaged, forwarded;
};

/* State of CoDel: the frames dropped or marked in this spell, the newest one's time, and the next
 * one's. */
struct codel {
    int64_t next_ns, last_ns;
    bool dropping;
    unsigned count;
};

struct parcel;

/* One direction of the cable. Frames lie in it sorted by the time they come out. */
struct pipe {
    struct pipe_settings set;
    struct pipe_counts count;
    struct parcel *first, *last;
    int64_t busy_until_ns; /* the bottleneck has sent everything it holds by then */
    int64_t start_ns;      /* of the first SYN; 0: none yet */
    int64_t last_due_ns;
    int64_t gate_ns; /* the frames that are gathered now come out then */
    struct codel codel;
    unsigned burst_left;
    uint64_t random;
};

/* Apply one "name=value" setting. Returns false when the name is not known. */
bool pipe_set(struct pipe *pipe, const char *setting);

/* Take the frame in at `now_ns`; `head` bytes stand before the Ethernet header and are carried
 * along. */
void pipe_put(struct pipe *pipe, int64_t now_ns, const unsigned char *bytes, size_t length,
              size_t head);

/* When the next frame comes out, PIPE_NEVER when none lies in it. */
int64_t pipe_next_ns(const struct pipe *pipe);

/* Write the frames due by `now_ns` to `fd`. */
void pipe_deliver(struct pipe *pipe, int64_t now_ns, int fd);

/* Room for an answer that the pipe itself makes for the frame just put: its length, 0 for none. */
size_t pipe_answer(const struct pipe *pipe, const unsigned char *bytes, size_t length, size_t head,
                   unsigned char *out);

void pipe_print(const struct pipe *pipe, const char *name, FILE *out);
void pipe_free(struct pipe *pipe);

#endif
