/* SPDX-License-Identifier: MIT */
/*
 * A direction cut into round trips: each begins with the first segment that leaves after the first
 * segment of the round before was acknowledged. What the flight, the round trip and the rate do
 * from round to round tells what limits a bulk transfer.
 */
#ifndef TW_EXPLAIN_MODEL_ROUNDS_H
#define TW_EXPLAIN_MODEL_ROUNDS_H

#include "explain/thresholds.h"
#include "explain/sender/sender_timeline.h"

/* Rounds in a row with this flight and no loss: what plateau.c and pacing.c see in them. */
struct tw_flat_run {
    uint32_t rounds;  /* its length */
    bool own_clock;   /* the sender goes by its own clock, not by ACKs, ... */
    bool paced;       /* ... and spreads full segments as a kernel that paces */
    bool at_capacity; /* ... at the rate at which the path was full at other times */
    bool unprompted;  /* no ACK let many of its bursts go */
    bool written;     /* ... and, seen from afar, nothing that was sent had to wait */
    bool climbing;    /* it is one of several that climb by small steps */
};

/* The queue of a round: what queueing_delay.c and, of arrivals, ack_spacing.c see of it. */
struct tw_round_queue {
    bool standing;      /* the path is full: a longer round trip, and no more rate for it */
    bool spread;        /* nothing but even arrivals says so */
    bool drains;        /* its sender waits until all is acknowledged, which empties a queue */
    bool at_window;     /* the window is full, and a queue stands beside that */
    bool doubtful;      /* ... or ways that vary: some of its segments found no queue */
    bool pushed;        /* ... or its sender's own rate: no ACK let most segments of the round go,
                           and each ended what was written */
    bool near_capacity; /* around it as much passed as while the path was full, or nearly */
};

struct tw_round {
    uint32_t first, last;  /* sends of this round */
    tcpwhy_ns duration_ns; /* until the next round begins */
    tcpwhy_ns max_gap_ns;  /* longest silence of the sender in it */
    tcpwhy_ns queue_ns;    /* how much longer than the shortest round trip, busy time only */
    int64_t flight_bytes;  /* most in flight */
    int64_t most_bytes;    /* most in flight before it, since the last silence */
    int64_t idle_bytes;    /* most in flight before that silence, since the last loss */
    int64_t window_bytes;  /* smallest receive window; INT64_MAX: unknown */
    double rate;           /* bytes a second that passed the path: acknowledged, or arrived */
    uint32_t repeats;      /* retransmissions in it */
    struct tw_flat_run flat;
    struct tw_round_queue queue;
    bool idle_before;   /* the sender was silent for more than an RTO before it */
    bool restarted;     /* since such a silence the flight has only grown from a small start */
    bool reduced;       /* the sender says in it that it reduced its congestion window */
    bool loss_before;   /* the direction lost something before this round or in it, or was told
                           of congestion: by the same rules (RFC 3168, section 6.1.2) */
    bool misled_before; /* it sent again what had arrived, and may have thought it lost */
    bool no_next;       /* it is the last one */
    bool window_full;   /* the flight reached the edge of the receive window */
    bool starved;       /* the sender ran out of data in it */
    bool ends_message;  /* all of the message was acknowledged before more was to be sent */
    bool missing;       /* the capture lacks frames in it */
};

/* The flight against that of the round before; 0 in the first. */
static inline double tw_round_growth(const struct tw_round *r)
{
    if (r->first == 0)
        return 0;
    return (double)r->flight_bytes / (double)(r[-1].flight_bytes > 0 ? r[-1].flight_bytes : 1);
}

/* That of the round after; 0 in the last. */
static inline double tw_round_next_growth(const struct tw_round *r)
{
    return r->no_next ? 0 : tw_round_growth(r + 1);
}

/* By how much longer a round trip has to be to show a queue. */
static inline tcpwhy_ns tw_queue_shows_ns(tcpwhy_ns rtt)
{
    return rtt / TW_QUEUE_VARIES_SHARE > TW_HOST_LATENCY_NS ? rtt / TW_QUEUE_VARIES_SHARE
                                                            : TW_HOST_LATENCY_NS;
}

/* The last segments of a message come evenly where a queue spreads them, and together where
 * something stopped them all: no silence is as long as this. The usual one of them queues for half
 * as long as the last. */
static inline tcpwhy_ns tw_even_queue_ns(const struct tw_round *r)
{
    return r->queue_ns / 2;
}

/* What more in flight brings while the round trip is longer than its shortest. */
enum tw_growth {
    TW_GROWTH_UNKNOWN,
    TW_GROWTH_QUEUES, /* a longer queue */
    TW_GROWTH_PASSES, /* more rate: the longer round trip is the way's, or others share the path */
};

struct tw_rounds {
    struct tw_round *round;
    uint32_t n;
    uint32_t first_loss; /* the first send that tells of loss or congestion; only where a round has
                            loss_before */
    enum tw_growth growth;
    double capacity;     /* bytes a second that the path carried while it was full; 0: never */
    bool spread_by_path; /* what came in short bursts was spread as evenly */
};

#endif
