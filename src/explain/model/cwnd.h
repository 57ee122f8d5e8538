/* SPDX-License-Identifier: MIT */
/*
 * Bounds of cwnd and ssthresh: two senders replay the same events; one takes every choice that TCP
 * leaves for the smaller window, the other for the larger (RFC 5681, 6928, 6937, 9438, 2861/7661).
 * Counts in segments.
 */
#ifndef TW_EXPLAIN_MODEL_CWND_H
#define TW_EXPLAIN_MODEL_CWND_H

#include "explain/model/cwnd_path.h"

/* Does the sender restart with the initial window after idle (RFC 2861;
 * net.ipv4.tcp_slow_start_after_idle)? */
enum tw_restart { TW_RESTART_UNKNOWN, TW_RESTARTS, TW_KEEPS };

struct tw_cwnd {
    struct tw_cwnd_path path[TW_N_CONGESTIONS][2];
    /* Times that the sender exceeded the window, and that it waited for an ACK far below it. */
    uint32_t over[TW_N_CONGESTIONS], short_of[TW_N_CONGESTIONS];
    enum tw_restart restart;
    uint32_t restarted, kept;      /* times that the flight after idle showed a restart, and none */
    int64_t restarted_cwnd;        /* cwnd after a restart; 0: not after idle now ... */
    int64_t halved_cwnd;           /* ... and with the longest RTO */
    bool known;                    /* known from an earlier run: ... */
    enum tw_congestion congestion; /* ... this; TW_N_CONGESTIONS: another */
    int64_t flight;                /* when the newest segment left */
};

void tw_cwnd_begin(struct tw_cwnd *cwnd, struct tw_interval initial, tcpwhy_ns at_ns);

/* An ACK came. */
void tw_cwnd_hear(struct tw_cwnd *cwnd, const struct tw_cwnd_event *event);
/* The RTO fired, or a retransmission shows a loss; call before the pipe processes it. */
void tw_cwnd_change(struct tw_cwnd *cwnd, const struct tw_cwnd_event *event);
/* This many segments left, new or retransmitted. */
void tw_cwnd_send(struct tw_cwnd *cwnd, const struct tw_cwnd_event *event, int64_t packets,
                  bool fresh);
/* The burst is over (tcp_cwnd_validate()). room: the receive window has room for another segment;
 * clocked: an ACK released the burst. */
void tw_cwnd_settle(struct tw_cwnd *cwnd, const struct tw_cwnd_event *event, bool room,
                    bool clocked);
/* Data is sent after an idle time with nothing in flight. */
void tw_cwnd_restart(struct tw_cwnd *cwnd, const struct tw_cwnd_event *event, tcpwhy_ns idle_ns);

/* The bounds, over all congestion controls that fit. */
struct tw_interval tw_cwnd_bounds(const struct tw_cwnd *cwnd);
struct tw_interval tw_cwnd_ssthresh(const struct tw_cwnd *cwnd);

enum tw_restart tw_cwnd_tell_restart(const struct tw_cwnd *cwnd);
/* The congestion control that fits; TW_N_CONGESTIONS: none of these. exact: times are the sender's
 * own. @return false: undecided. */
bool tw_cwnd_tell(const struct tw_cwnd *cwnd, bool exact, enum tw_congestion *out);

#endif
