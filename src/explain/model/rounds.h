/* SPDX-License-Identifier: MIT */
/*
 * A direction divided into round trips: each begins with the first segment sent after the first
 * segment of the previous round was acknowledged. The changes of flight, RTT and rate from round to
 * round show what limits a bulk transfer.
 */
#ifndef TW_EXPLAIN_MODEL_ROUNDS_H
#define TW_EXPLAIN_MODEL_ROUNDS_H

#include "explain/thresholds.h"
#include "explain/sender/sender_timeline.h"

/* A run of rounds with this flight and no loss, as plateau.c and pacing.c find it. */
struct tw_flat_run {
    uint32_t rounds;  /* its length */
    bool own_clock;   /* the sender follows its own clock, not ACKs, ... */
    bool paced;       /* ... and spreads full segments as a pacing kernel does */
    bool at_capacity; /* ... at the rate that filled the path at other times */
    bool unprompted;  /* no ACK released many of its bursts */
    bool written;     /* ... and, away from the sender, nothing sent had to wait */
    bool climbing;    /* one of several runs that climb in small steps */
};

/* The queue of a round, as queueing_delay.c and, for arrivals, ack_spacing.c see it. */
struct tw_round_queue {
    bool standing;  /* the path is full: a longer RTT brings no more rate */
    bool spread;    /* only even arrivals show it */
    bool drains;    /* the sender waits until all is acknowledged, which drains the queue */
    bool at_window; /* the window is full and a queue stands as well */
    bool doubtful;  /* ... or jitter: some of its segments found no queue */
    bool pushed;    /* ... or the sender's own rate: no ACK released most segments of the round, and
                       each ended a write */
    bool near_capacity; /* about as much passed as while the path was full */
};

struct tw_round {
    uint32_t first, last;  /* sends of this round */
    tcpwhy_ns duration_ns; /* until the next round begins */
    tcpwhy_ns max_gap_ns;  /* longest silence of the sender in it */
    tcpwhy_ns queue_ns;    /* excess of the RTT over its minimum, busy time only */
    int64_t flight_bytes;  /* most in flight */
    int64_t most_bytes;    /* most in flight before it, since the last idle time */
    int64_t idle_bytes;    /* most in flight before that idle time, since the last loss */
    int64_t window_bytes;  /* smallest receive window; INT64_MAX: unknown */
    double rate;           /* bytes per second through the path: acknowledged, or arrived */
    uint32_t repeats;      /* retransmissions in it */
    struct tw_flat_run flat;
    struct tw_round_queue queue;
    bool idle_before;   /* the sender was silent for more than an RTO before it */
    bool restarted;     /* since such an idle time the flight has only grown from a small start */
    bool reduced;       /* the sender sent CWR */
    bool loss_before;   /* the direction had a loss or ECN-Echo before or in this round: the same
                           rules apply (RFC 3168, 6.1.2) */
    bool misled_before; /* it retransmitted data that had arrived, and may have assumed a loss */
    bool no_next;       /* it is the last one */
    bool window_full;   /* the flight reached the edge of the receive window */
    bool starved;       /* the sender ran out of data in it */
    bool unread;        /* the receiver's program read less than arrived: ACKs may be late */
    bool ends_message;  /* all of the message was acknowledged before more was sent */
    bool missing;       /* frames are missing from the capture here */
};

/* The flight relative to the previous round's; 0 in the first. */
static inline double tw_round_growth(const struct tw_round *r)
{
    if (r->first == 0)
        return 0;
    return (double)r->flight_bytes / (double)(r[-1].flight_bytes > 0 ? r[-1].flight_bytes : 1);
}

/* The next round's flight relative to this one's; 0 in the last. */
static inline double tw_round_next_growth(const struct tw_round *r)
{
    return r->no_next ? 0 : tw_round_growth(r + 1);
}

/* The excess over the minimum RTT that shows a queue. */
static inline tcpwhy_ns tw_queue_shows_ns(tcpwhy_ns rtt)
{
    return rtt / TW_QUEUE_VARIES_SHARE > TW_HOST_LATENCY_NS ? rtt / TW_QUEUE_VARIES_SHARE
                                                            : TW_HOST_LATENCY_NS;
}

/* The most that a pacing kernel sends at a time beyond a millisecond's worth: 64 KiB, halved for
 * each 512 us of the shortest round trip, or two segments (tcp_tso_autosize(), tcp_tso_rtt_log). */
static inline int64_t tw_pace_burst_bytes(tcpwhy_ns rtt, int64_t mss)
{
    const int64_t halved = rtt / TCPWHY_US(512), most = halved < 16 ? 65536 >> halved : 0;

    return most > TW_PACE_SEGMENTS * mss ? most : TW_PACE_SEGMENTS * mss;
}

/* The last segments of a message arrive evenly if a queue spreads them, together if something
 * stopped them all: no silence is this long. The median one queues for half as long as the last. */
static inline tcpwhy_ns tw_even_queue_ns(const struct tw_round *r)
{
    return r->queue_ns / 2;
}

/* The effect of more data in flight while the RTT is above its minimum. */
enum tw_growth {
    TW_GROWTH_UNKNOWN,
    TW_GROWTH_QUEUES, /* a longer queue */
    TW_GROWTH_PASSES, /* more rate: the RTT grew for another reason, or others share the path */
};

struct tw_rounds {
    struct tw_round *round;
    uint32_t n;
    uint32_t
        first_loss; /* the first send after loss or congestion; only if a round has loss_before */
    enum tw_growth growth;
    double capacity;     /* bytes per second while the path was full; 0: never */
    bool spread_by_path; /* the path spread short bursts evenly */
};

#endif
