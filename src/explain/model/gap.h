/* SPDX-License-Identifier: MIT */
/*
 * A gap: an interval between two frames in which somebody was waited for, with all that is known of
 * it. Hypotheses read it and never change it.
 */
#ifndef TW_EXPLAIN_MODEL_GAP_H
#define TW_EXPLAIN_MODEL_GAP_H

#include "explain/model/context.h"
#include "explain/thresholds.h"

enum tw_phase {
    TW_PHASE_IDLE,    /* idle: for the next request */
    TW_PHASE_TURN,    /* the request is there: for the first byte of the answer */
    TW_PHASE_MESSAGE, /* for the next segment of a message that has begun */
    TW_PHASE_ARRIVAL, /* the message has left and queues: for its end to arrive */
};

/* A receive window that closes and never opens again while its sender probes it. */
struct tw_closed_window {
    uint32_t record;         /* the record that closed it; TW_NO_RECORD: none */
    uint32_t probe;          /* the sender's first probe */
    enum tcpwhy_side sender; /* the side with more to send */
};

/* The path's part of a gap, from path/. */
struct tw_gap_way {
    tcpwhy_ns late_ns; /* part of propagation_ns: excess of the return path over its minimum */
    tcpwhy_ns cross_traffic_ns; /* likewise, the likely excess of the path to the sender, queued
                                   behind other traffic */
    tcpwhy_ns maybe_late_ns;    /* part of the rest that may have been the path's */
    tcpwhy_ns ack_late_ns;      /* within a message: how late the ACK of since_ack_ns surely was */
    tcpwhy_ns due_ns;   /* likewise: when the segment would have passed here had its delay not grown
                           since the previous send; INT64_MAX: as it did */
    bool queued;        /* the known or possible excess was a queue */
    bool cross_traffic; /* likewise, of the client's other connections */
    bool refilled;      /* propagation lasts until overtaken or lost data had arrived */
    bool maybe_lost; /* the path loses frames, and the segment's original may have been lost before
                      */
};

/* Is somebody waiting for the gap's sender? From timeline/ and the exchanges. */
struct tw_gap_turn {
    bool guessed;  /* whether somebody waits is a guess: there are no message boundaries */
    bool unasked;  /* likewise, and nothing shows a request, however short the gap */
    bool in_turns; /* within a message without boundaries ... */
    bool asks;     /* ... which is answered later */
    bool closes;   /* ... or only by the close that its sender's own brought */
    bool steady;   /* within a message: its sender's program goes on by a clock of its own ... */
    bool live;     /* ... that is no rate limit's */
    bool at_once;  /* both sides talk; it is unknown which answer is awaited */
    bool cut;      /* the capture ended here; the last message may go on */
};

struct tw_gap {
    const struct tw_context *context;
    enum tw_phase phase;
    enum tcpwhy_side sender;  /* the side waited for */
    tcpwhy_ns from_ns, to_ns; /* at the vantage */
    tcpwhy_ns propagation_ns; /* the part that is propagation, to the sender and back */
    struct tw_gap_way way;
    struct tw_gap_turn turn;
    uint32_t first_record, last_record;
    struct tw_closed_window closed; /* the receiver's window, until the connection's end */
    const struct tw_send *send; /* the send that ended it; NULL: none. What its sender had heard is
                                   known within messages, and for gaps of TW_RTO_MIN_NS or longer */
    const struct tw_send *before; /* the sender's previous send; NULL if it is the first */
    const struct tw_round *round; /* of the previous send, in an arrival of the last one; NULL:
                                     none, or not within a message */
    tcpwhy_ns since_ack_ns;       /* from the newest ACK that opened room to the send; or unknown */
    bool ack_clocked;             /* the send left at once after that ACK */
    bool paused;       /* within a message: nothing released the send (timeline/pause.h) */
    bool flight_empty; /* nothing was in flight when it left */
    bool busy;         /* the path carried nearly all that it can around it */
    bool final;        /* the send ends its message */
    bool missing;      /* frames are missing from the capture here */
    bool uneven;       /* an arrival in leaps */
    bool lacks_room; /* within a message: the receive window had no room until the end of the gap */
    bool has_room;   /* it begins when the sender knew of room that it did not use */
    bool ack_in_time; /* it ends when the ACK that released the send would have come undelayed */
    const struct tw_recovery_episode *episode; /* the recovery that it lies in; or NULL */
};

static inline tcpwhy_ns tw_burst_ns(const struct tw_vantage *v)
{
    tcpwhy_ns share = v->rtt_min_ns / TW_BURST_SHARE;

    return share < TW_KERNEL_NS ? TW_KERNEL_NS : share > TW_SHORT_NS ? TW_SHORT_NS : share;
}

static inline const struct tw_record *tw_gap_record(const struct tw_gap *w, const struct tw_send *s)
{
    return &w->context->log->record[s->record];
}

/* The side that the gap's path leads to: it is waited for, or it tells that data arrived. */
static inline enum tcpwhy_side tw_gap_far_side(const struct tw_gap *w)
{
    return w->phase == TW_PHASE_ARRIVAL ? tw_other(w->sender) : w->sender;
}

/* Does the gap lie between two partial segments of a writer with pauses of its own? Then Nagle's
 * algorithm held nothing. */
static inline bool tw_gap_is_own_pause(const struct tw_gap *w)
{
    return w->context->sends[w->sender].app_timed_pauses && tw_send_is_small(w->send) &&
           tw_send_is_small(w->before) && w->flight_empty;
}

/* Had the sender lost data or seen ECN-Echo when it sent the segment? That may happen within the
 * round. There must be a round. */
static inline bool tw_gap_after_loss(const struct tw_gap *w)
{
    const struct tw_context *context = w->context;

    return w->round->loss_before && (uint32_t)(w->send - context->sends[w->sender].send) >=
                                        context->rounds[w->sender].first_loss;
}

/* Lost data is retransmitted while the path carries nearly all that it can: more in flight would be
 * lost as well. */
static inline bool tw_gap_repairs_busily(const struct tw_gap *w)
{
    return w->episode && w->busy;
}

/* Receiver's view: a segment of the sender, or its ACK of our FIN, lies beyond a hole that was
 * never filled. */
static inline bool tw_gap_hole_stays(const struct tw_gap *w)
{
    return w->phase == TW_PHASE_TURN && !w->send && w->context->beyond[w->sender];
}

static inline bool tw_gap_may_be_serialisation(const struct tw_gap *w)
{
    tcpwhy_ns rtt = w->context->vantage.rtt_min_ns, wait_ns = w->to_ns - w->from_ns;

    return rtt != TCPWHY_NS_UNKNOWN && (wait_ns <= TW_SHORT_NS || wait_ns <= rtt / TW_SHORT_SHARE);
}

/*
 * The first flight fills the initial window (RFC 6928): that held what follows, whatever other
 * limit is as large. There must be a round.
 */
static inline bool tw_gap_is_initial_window(const struct tw_gap *w)
{
    const struct tw_round *r = w->round;
    const int64_t mss = w->context->sends[w->sender].mss_bytes, most = TW_INITIAL_SEGMENTS * mss;

    return w->context->connection->side[w->sender].syn && r->flight_bytes > most - mss &&
           r->flight_bytes <= most && r->most_bytes <= most - mss && r->idle_bytes <= most - mss &&
           !r->loss_before;
}

/* Is the size of the receive window known? There must be a round. */
static inline bool tw_gap_knows_window(const struct tw_gap *w)
{
    return w->round->window_bytes != INT64_MAX &&
           w->context->sends[w->sender].wscale_inferred != TW_INFERRED_LIKELY;
}

/* Did the segment, alone or with others after a silence, fill room of less than a segment? */
static inline bool tw_gap_fills_remainder(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];

    if (w->to_ns - w->from_ns < TW_QUIET_NS)
        return tw_send_fills_remainder(w->send);
    return tw_sws_remainder_is_filled(w->context->log, x, (uint32_t)(w->send - x->send));
}

/* The last segment queued has PSH (RFC 9293, 3.9.1.2, MUST-61): behind a partial one with PSH,
 * usually nothing was left for a window to hold. There must be a previous send. */
static inline bool tw_gap_queue_was_empty(const struct tw_gap *w)
{
    return (w->before->is & TW_SEND_PARTIAL) && (tw_gap_record(w, w->before)->flags & TW_PSH);
}

/*
 * Was so little in flight that any cwnd had room for the segment? cwnd is at least one full segment
 * (RFC 5681, 3.1), and two packets once a repair is acknowledged (tcp_slow_start()). There must be
 * a previous send.
 */
static inline bool tw_gap_fits_any_window(const struct tw_gap *w)
{
    return w->before->acked >= tw_send_seq(w->before) &&
           tw_send_flight(w->before) + w->send->len <= w->context->sends[w->sender].mss_bytes;
}

/* Away from the sender and without its clock, no RTT shows a queue: may a full path have delivered
 * this round, segment by segment? There must be a round. */
static inline bool tw_gap_may_be_full_path(const struct tw_gap *w)
{
    return !w->context->sends[w->sender].queues_seen &&
           w->round->max_gap_ns < w->round->duration_ns / TW_SILENCE_SHARE;
}

/* May half or more of the gap beyond propagation be the path's as well? */
static inline bool tw_gap_may_be_way(const struct tw_gap *w)
{
    return w->way.maybe_late_ns > 0 &&
           2 * w->way.maybe_late_ns >= w->to_ns - w->from_ns - w->propagation_ns;
}

/* The possible excess is a queue's. */
static inline bool tw_gap_way_queues(const struct tw_gap *w)
{
    return w->way.queued || w->way.cross_traffic;
}

/* Did the segment leave so soon after the newest ACK that chance rarely explains it? */
static inline bool tw_gap_is_soon(const struct tw_gap *w)
{
    return w->since_ack_ns != TCPWHY_NS_UNKNOWN &&
           w->since_ack_ns <= (w->to_ns - w->from_ns) / TW_SOON_SHARE;
}

/* Bytes that came to a side's host between two records, on all its connections without
 * timestamps. */
static inline uint32_t tw_came_between(const struct tw_record *from, const struct tw_record *to,
                                       enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? to->to_client - from->to_client
                                 : to->to_server - from->to_server;
}

/* Was that as much as its link carries? */
static inline bool tw_link_was_full(const struct tw_log *log, enum tcpwhy_side side,
                                    const struct tw_record *from, const struct tw_record *to)
{
    double most = log->inflow_rate[side] * (double)(to->time_ns - from->time_ns) / 1e9;

    return tw_came_between(from, to, side) >= TW_SAME_RATE * most;
}

/* The probes of a closed window are as far apart as keep-alives and do not back off. */
bool tw_gap_probes_may_be_keep_alives(const struct tw_gap *gap);

/* The time for which the receiver delayed the ACK of the newest data that it covers; or unknown.
 * Searches the log: call it last. */
tcpwhy_ns tw_ack_delay(const struct tw_context *context, enum tcpwhy_side sender,
                       uint32_t ack_record);
/* The same for the ACK of since_ack_ns. */
tcpwhy_ns tw_gap_ack_delay(const struct tw_gap *gap);

/* Is that as long as a delayed-ACK timer? */
static inline bool tw_gap_ack_was_held(const struct tw_gap *gap)
{
    tcpwhy_ns delay_ns = tw_gap_ack_delay(gap);

    return delay_ns >= TW_DELAYED_ACK_NS && delay_ns < TW_FORBIDDEN_DELAY_NS;
}
/* The part of the gap for which the receiver held that ACK, as far as minimum delays and its clock
 * show. */
tcpwhy_ns tw_gap_ack_hold(const struct tw_gap *gap);
/* Did the segment wait for that alone, with nothing else in flight? */
bool tw_gap_waited_for_timer(const struct tw_gap *gap);
/* Was it late, and did it cover several segments? */
bool tw_gap_ack_joins(const struct tw_gap *gap);

/* cwnd costs one RTT. A late ACK may make much of the gap another cause's. */
enum tw_late_ack {
    TW_ACK_IN_TIME,
    TW_ACK_MAYBE_DELAYED, /* by the receiver's timer */
    TW_ACK_MAYBE_QUEUED,  /* it, or the data it covers, queued */
};

enum tw_late_ack tw_gap_late_ack(const struct tw_gap *gap);

#endif
