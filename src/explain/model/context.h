/* SPDX-License-Identifier: MIT */
/*
 * A connection, as far as it is known beyond a single gap.
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

/* A side's TSval clock. */
struct tw_timekeeper {
    bool looked_at, good;    /* the clock agrees with the capture's */
    tcpwhy_ns step_ns;       /* its largest step */
    tcpwhy_ns error_ns;      /* it was found to be behind by this */
    tcpwhy_ns rtt_varies_ns; /* jitter of the RTT of its answers, at most; 0: unknown */
    bool acks_looked_at, acks_with_answers; /* its late ACKs come just before its answers */
};

/* Serialization on the links to a side (serialization.h). */
struct tw_link_time {
    bool looked_at;
    double byte_ns; /* beyond the minimum delay, for a segment ... */
    uint32_t bytes; /* ... of this size; 0: unknown */
    bool pairs_looked_at;
    double pair_byte_ns; /* of segments that the side itself sends, before the vantage */
};

/* An application window (app_window.h); zeros: none. */
struct tw_app_window {
    uint32_t first, last; /* sends: the first of the first block, and the one after the last */
    uint32_t grants,
        ignored;         /* blocks of one size, and those after which bare ACKs released nothing */
    int64_t block_bytes; /* that size */
    int64_t bytes;       /* of all blocks in between */
    tcpwhy_ns from_ns, to_ns; /* at the vantage */
};

/* Hypotheses may read this besides the gap. */
struct tw_context {
    const struct tw_connection *connection;
    const struct tw_log *log;
    const struct tw_exchanges *exchanges;
    struct tw_scratch *scratch;     /* memory that lives as long as the context */
    struct tw_asked *asked;         /* hypotheses to ask, by kind of gap */
    struct tw_weighings *weighings; /* where weighings are kept; NULL: nowhere */
    struct tw_prescan prescan;
    struct tw_vantage vantage;
    struct tw_sender_timeline sends[2]; /* by sender */
    struct tw_rounds rounds[2];
    struct tw_recovery recovery[2];
    struct tw_app_window app_window[2]; /* by sender */
    struct tw_timekeeper timekeeper[2];
    struct tw_link_time link_time[2];
    enum tw_timer_ticks timer_ticks[2]; /* what releases held segments (timer_ticks.h) */
    bool local_qdisc[2]; /* this sender's segments queue in its own host before they pass here */
    bool link_rate_known[2]; /* only the load of the link here is known of this sender's path */
    bool too_big[2];         /* a router reported that this sender's segments were too big */
    int64_t hole_bytes[2];   /* data of this sender that never came and was not received */
    const struct tw_record *beyond[2]; /* likewise, its first record that shows so; else NULL */
};

#endif
