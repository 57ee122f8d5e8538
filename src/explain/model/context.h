/* SPDX-License-Identifier: MIT */
/*
 * All that is known of a connection beside a single gap: one per connection.
 */
#ifndef TW_EXPLAIN_MODEL_CONTEXT_H
#define TW_EXPLAIN_MODEL_CONTEXT_H

#include "app/app.h"
#include "explain/explanation.h"
#include "explain/loss/recovery_episodes.h"
#include "explain/model/rounds.h"
#include "explain/model/timer_ticks.h"
#include "explain/sender/sender_timeline.h"
#include "explain/sender/sws_avoidance.h"
#include "explain/vantage/prescan.h"
#include "log/log.h"
#include "track/track.h"

struct tw_asked;
struct tw_weighings;

/* What is known of a side's clock. */
struct tw_timekeeper {
    bool looked_at, good;    /* good: what it tells goes with the capture's time */
    tcpwhy_ns step_ns;       /* by no more it goes on at a time */
    tcpwhy_ns error_ns;      /* it was found to be so much behind */
    tcpwhy_ns rtt_varies_ns; /* by which the way of its answers was usually longer, at most; 0 where
                            nothing good tells */
};

/* What is known of the links to a side (serialization.h). */
struct tw_link_time {
    bool looked_at;
    double byte_ns; /* beyond the shortest way, by a segment ... */
    uint32_t bytes; /* ... of so many; 0: nothing tells */
};

/* A window of the application (app_window.h), of its sender; zeros: none shows. */
struct tw_app_window {
    uint32_t first, last;     /* sends: the first of the first block, and behind the last one */
    uint32_t grants, ignored; /* blocks of one size, and those behind which bare ACKs let nothing
                                 go */
    int64_t block_bytes;      /* that size */
    int64_t bytes;            /* of all blocks in between */
    tcpwhy_ns from_ns, to_ns; /* here */
};

/* Hypotheses may look at this beside the gap: one per connection. */
struct tw_context {
    const struct tw_connection *connection;
    const struct tw_log *log;
    const struct tw_exchanges *exchanges;
    struct tw_scratch *scratch;     /* of what lives as long as the context */
    struct tw_asked *asked;         /* which hypotheses, about the gaps */
    struct tw_weighings *weighings; /* where the weighing of gaps is kept; NULL: nowhere */
    struct tw_prescan prescan;
    struct tw_vantage vantage;
    struct tw_sender_timeline sends[2]; /* by sender */
    struct tw_rounds rounds[2];
    struct tw_recovery recovery[2];
    struct tw_app_window app_window[2]; /* by sender */
    struct tw_timekeeper timekeeper[2];
    struct tw_link_time link_time[2];
    enum tw_timer_ticks timer_ticks[2]; /* what lets its held segments go (timer_ticks.h) */
    bool local_qdisc[2]; /* what this sender sends queues in its own host before it passes here */
    bool link_rate_known[2]; /* of this sender's way nothing but the load of the link here */
    bool too_big[2];         /* a router said that segments of this sender were too big */
    int64_t hole_bytes[2];   /* of this sender that never came, and the other side did not get */
};

#endif
