/* SPDX-License-Identifier: MIT */
/*
 * The congestion window and the slow-start threshold, each between two bounds: a sender that takes
 * every choice that TCP leaves it for the smaller window, and one that takes it for the larger,
 * live through the same events (RFC 5681, 6928, 6937, 9438, 2861/7661). Counts in segments.
 */
#ifndef TW_EXPLAIN_MODEL_CWND_H
#define TW_EXPLAIN_MODEL_CWND_H

#include "explain/model/cwnd_path.h"

/* After an idle time, does the sender begin again with the initial window (RFC 2861;
 * net.ipv4.tcp_slow_start_after_idle)? */
enum tw_restart { TW_RESTART_UNKNOWN, TW_RESTARTS, TW_KEEPS };

struct tw_cwnd {
    struct tw_cwnd_path path[TW_N_CONGESTIONS][2];
    /* Times that more left than it allows, and that the sender waited for an ACK far below it. */
    uint32_t over[TW_N_CONGESTIONS], short_of[TW_N_CONGESTIONS];
    enum tw_restart restart;
    uint32_t restarted, kept; /* times that the flight after an idle time showed the one, the
                                 other */
    int64_t restarted_cwnd;   /* what a sender that restarts has then; 0: no such time now ... */
    int64_t halved_cwnd;      /* ... and with the longest RTO */
    bool known;               /* what it is was found in a run before: ... */
    enum tw_congestion congestion; /* ... this; TW_N_CONGESTIONS: another */
    int64_t flight;                /* when the newest left */
};

void tw_cwnd_begin(struct tw_cwnd *cwnd, struct tw_interval initial, tcpwhy_ns at_ns);

/* An ACK came. */
void tw_cwnd_hear(struct tw_cwnd *cwnd, const struct tw_cwnd_event *event);
/* The timer fired, or a repeat shows that something was deemed lost: before the pipe takes it in.
 */
void tw_cwnd_change(struct tw_cwnd *cwnd, const struct tw_cwnd_event *event);
/* Segments left, new ones or repeats: so many. */
void tw_cwnd_send(struct tw_cwnd *cwnd, const struct tw_cwnd_event *event, int64_t packets,
                  bool fresh);
/* The burst is over (tcp_cwnd_validate()). room: the receive window has room for a segment more;
 * clocked: an ACK let the burst go. */
void tw_cwnd_settle(struct tw_cwnd *cwnd, const struct tw_cwnd_event *event, bool room,
                    bool clocked);
/* Sent after an idle time, with nothing in flight. */
void tw_cwnd_restart(struct tw_cwnd *cwnd, const struct tw_cwnd_event *event, tcpwhy_ns idle_ns);

/* The bounds, over all congestion controls that fit. */
struct tw_interval tw_cwnd_bounds(const struct tw_cwnd *cwnd);
struct tw_interval tw_cwnd_ssthresh(const struct tw_cwnd *cwnd);

enum tw_restart tw_cwnd_tell_restart(const struct tw_cwnd *cwnd);
/* Which congestion control it is; TW_N_CONGESTIONS: another. exact: times are the sender's own.
 * @return false: nothing tells. */
bool tw_cwnd_tell(const struct tw_cwnd *cwnd, bool exact, enum tw_congestion *out);

#endif
