/* SPDX-License-Identifier: MIT */
/*
 * cwnd of one sender that replays a connection's events and takes every choice that TCP leaves for
 * the smaller window, or for the larger (RFC 5681, 6937, 9438, 2861/7661). Counts in segments.
 */
#ifndef TW_EXPLAIN_MODEL_CWND_PATH_H
#define TW_EXPLAIN_MODEL_CWND_PATH_H

#include "explain/model/ca_state.h"
#include "explain/model/cubic.h"
#include "explain/model/interval.h"

/* A flight this many segments below cwnd counts as a full window: the sender defers them to fill a
 * TSO segment (tcp_tso_should_defer()). */
#define TW_CWND_DEFERRED 2

#define TW_NO_SSTHRESH INT32_MAX

enum tw_congestion {
    TW_CONGESTION_CUBIC,
    TW_CONGESTION_RENO,
    TW_N_CONGESTIONS, /* another: BBR, delay-based ones */
};

enum tw_bound { TW_BOUND_LOW, TW_BOUND_HIGH };

/* The lower or the upper bound. */
struct tw_cwnd_path {
    enum tw_congestion congestion;
    enum tw_bound bound;
    int64_t cwnd, ssthresh;
    int64_t acks; /* ACKs towards the next segment */
    int64_t prior_cwnd, prior_ssthresh;
    int64_t prr_delivered, prr_out;
    int64_t most_out;              /* segments out in the window that ends at usage_end */
    int64_t most_now, most_before; /* in this round trip, until most_end, and in the previous one */
    int64_t most_end;
    int64_t usage_end;
    int64_t used; /* most segments out since the window was last full */
    tcpwhy_ns full_ns;
    bool limited; /* in that window cwnd was full */
    struct tw_cubic cubic;
    struct tw_hystart hystart;
};

/* An event, as both bounds see it. */
struct tw_cwnd_event {
    tcpwhy_ns at_ns;
    const struct tw_pipe *pipe;
    enum tw_ca state;
    unsigned what;             /* TW_CA_* */
    struct tw_interval rtt_ns; /* of this ACK; unbounded: none */
    struct tw_interval rtt_min_ns;
    int64_t rto_ns;
    int64_t rto_least_ns;            /* that it may be */
    struct tw_interval initial;      /* the initial window, in segments */
    const struct tw_pipe_news *news; /* of an ACK */
    int64_t unsure; /* segments in flight that may have been acknowledged by then, or be probes */
};

void tw_cwnd_path_begin(struct tw_cwnd_path *path, enum tw_congestion congestion,
                        enum tw_bound bound, int64_t cwnd, tcpwhy_ns at_ns);
/* Apply a change of the congestion-control state. */
void tw_cwnd_path_change(struct tw_cwnd_path *path, const struct tw_cwnd_event *event);
/* An ACK came. least: the smallest that cwnd may be. */
void tw_cwnd_path_hear(struct tw_cwnd_path *path, const struct tw_cwnd_event *event, int64_t least);
/* cwnd is at least the flight. */
void tw_cwnd_path_raise(struct tw_cwnd_path *path, int64_t flight);
/* A burst is over (tcp_cwnd_validate()). clocked: an ACK released it. */
void tw_cwnd_path_settle(struct tw_cwnd_path *path, const struct tw_cwnd_event *event,
                         bool clocked);
/* The sender was idle for longer than its RTO (tcp_cwnd_restart()). */
void tw_cwnd_path_restart(struct tw_cwnd_path *path, const struct tw_cwnd_event *event,
                          tcpwhy_ns idle_ns);
/* cwnd after that. */
int64_t tw_cwnd_restarted(int64_t cwnd, int64_t initial, tcpwhy_ns rto_ns, tcpwhy_ns idle_ns);

#endif
