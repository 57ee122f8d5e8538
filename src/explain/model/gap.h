/* SPDX-License-Identifier: MIT */
/*
 * A gap: one interval between two frames in which somebody was waited for, with all that is known
 * of it. Hypotheses read it; none changes it.
 */
#ifndef TW_EXPLAIN_MODEL_GAP_H
#define TW_EXPLAIN_MODEL_GAP_H

#include "explain/model/context.h"
#include "explain/thresholds.h"

enum tw_phase {
    TW_PHASE_IDLE,    /* no exchange is open: for the next request */
    TW_PHASE_TURN,    /* the request is there: for the first byte of the answer */
    TW_PHASE_MESSAGE, /* for the next segment of a message that has begun */
    TW_PHASE_ARRIVAL, /* all of it has left, and stands in a queue: for its end to arrive */
};

/* A window that closes and does not open any more, while its sender asks for room. */
struct tw_closed_window {
    uint32_t record;         /* that closed it; TW_NO_RECORD: none did */
    uint32_t probe;          /* with which the sender first asked */
    enum tcpwhy_side sender; /* who had more to send */
};

/* The way's part of a gap, as path/ sees it. */
struct tw_gap_way {
    tcpwhy_ns late_ns;          /* of propagation_ns, what the way back was longer than shortest */
    tcpwhy_ns cross_traffic_ns; /* likewise, what the way there likely was longer, behind others */
    tcpwhy_ns maybe_late_ns;    /* of the rest, what perhaps was the way's, too */
    tcpwhy_ns ack_late_ns;      /* within a message: what the ACK of since_ack_ns surely was late */
    tcpwhy_ns due_ns;           /* likewise: when what ended it would have passed here, had its way
                                   not grown longer since the send before; INT64_MAX: as it did */
    bool queued;                /* where it was late, and perhaps was, a queue stood */
    bool cross_traffic;         /* likewise: one of the asker's other connections */
    bool refilled;   /* the way lasts until what had been overtaken or lost on it was there */
    bool maybe_lost; /* the path loses frames, and what ended it may have been lost before */
};

/* Whether somebody awaits the sender of a gap, as timeline/ concludes from exchanges. */
struct tw_gap_turn {
    bool guessed;  /* that somebody awaits the sender: only turns tell, and nothing says so */
    bool unasked;  /* likewise, and nothing here shows a question, however short it is */
    bool in_turns; /* within a message: nothing but turns tells where it ends ... */
    bool asks;     /* ... and it is one that is answered later */
    bool closes;   /* ... or by nothing but the end that its sender's own brought */
    bool at_once;  /* both talk, and nothing says which answer is awaited */
    bool cut;      /* the capture ended with it: perhaps the last message had not */
};

struct tw_gap {
    const struct tw_context *context;
    enum tw_phase phase;
    enum tcpwhy_side sender;  /* who is waited for */
    tcpwhy_ns from_ns, to_ns; /* at the vantage */
    tcpwhy_ns propagation_ns; /* of it, what the way to the sender and back takes */
    struct tw_gap_way way;
    struct tw_gap_turn turn;
    uint32_t first_record, last_record;
    struct tw_closed_window closed; /* the receiver's window, until the connection's end */
    const struct tw_send *send;     /* what ended it; NULL when nothing of the sender did. What its
                                       sender had heard is known within messages, and of waits that
                                       are not shorter than TW_RTO_MIN_NS */
    const struct tw_send *before;   /* the sender's send before that; NULL for its first */
    const struct tw_round *round; /* of the send before, in an arrival of the last one; NULL: none,
                                     or not within a message */
    tcpwhy_ns since_ack_ns; /* from the newest ACK that moved something to the send; unknown */
    bool ack_clocked;       /* the send left at once after that ACK */
    bool paused;            /* within a message nothing let the send go (timeline/pause.h) */
    bool flight_empty;      /* all was acknowledged when it left */
    bool busy;              /* around it the path carried nearly all that it can */
    bool final;             /* the send ends its message */
    bool missing;           /* the capture lacks frames in it */
    bool uneven;            /* an arrival that goes by leaps */
    bool lacks_room;        /* within a message the window had no room for the send until its end */
    bool has_room;          /* it begins where the sender knew of room, and did not use it yet */
    bool ack_in_time; /* it ends where the ACK that let the send go would have come, if not held */
    const struct tw_recovery_episode *episode; /* it lies in the repair of a loss; NULL */
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

/* Between two partial segments of a writer whose pauses are its own, whatever else ends with one:
 * Nagle's algorithm held nothing. */
static inline bool tw_gap_is_own_pause(const struct tw_gap *w)
{
    return w->context->sends[w->sender].app_timed_pauses && tw_send_is_small(w->send) &&
           tw_send_is_small(w->before) && w->flight_empty;
}

/* Had the sender lost something, or been told of congestion, when it sent what ended the wait? That
 * may come later in the round. There must be a round. */
static inline bool tw_gap_after_loss(const struct tw_gap *w)
{
    const struct tw_context *context = w->context;

    return w->round->loss_before && (uint32_t)(w->send - context->sends[w->sender].send) >=
                                        context->rounds[w->sender].first_loss;
}

/* What was lost goes again, and the path still carries nearly all that it can: more in flight would
 * be lost as well. */
static inline bool tw_gap_repairs_busily(const struct tw_gap *w)
{
    return w->episode && w->busy;
}

/* The receiver's view: a frame of the sender, or its ACK of our FIN, stands behind a hole that
 * nothing ever filled. */
static inline bool tw_gap_hole_stays(const struct tw_gap *w)
{
    const struct tw_context *context = w->context;
    const struct tw_record *beyond = context->prescan.last_beyond[w->sender];

    return w->phase == TW_PHASE_TURN && !w->send && beyond &&
           beyond >= &context->log->record[w->first_record] && context->hole_bytes[w->sender] > 0;
}

static inline bool tw_gap_may_be_serialisation(const struct tw_gap *w)
{
    tcpwhy_ns rtt = w->context->vantage.rtt_min_ns, wait_ns = w->to_ns - w->from_ns;

    return rtt != TCPWHY_NS_UNKNOWN && (wait_ns <= TW_SHORT_NS || wait_ns <= rtt / TW_SHORT_SHARE);
}

/*
 * The first flight that is as large as the initial congestion window (RFC 6928): that held what
 * follows, whatever other limit is as high. There must be a round.
 */
static inline bool tw_gap_is_initial_window(const struct tw_gap *w)
{
    const struct tw_round *r = w->round;
    const int64_t mss = w->context->sends[w->sender].mss_bytes, most = TW_INITIAL_SEGMENTS * mss;

    return w->context->connection->side[w->sender].syn && r->flight_bytes > most - mss &&
           r->flight_bytes <= most && r->most_bytes <= most - mss && r->idle_bytes <= most - mss &&
           !r->loss_before;
}

/* Is it known how large the receive window was? There must be a round. */
static inline bool tw_gap_knows_window(const struct tw_gap *w)
{
    return w->round->window_bytes != INT64_MAX &&
           w->context->sends[w->sender].wscale_inferred != TW_INFERRED_LIKELY;
}

/* Did what ended the wait, alone or after a silence with others, fill room for less than a segment?
 */
static inline bool tw_gap_fills_remainder(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];

    if (w->to_ns - w->from_ns < TW_QUIET_NS)
        return tw_send_fills_remainder(w->send);
    return tw_sws_remainder_is_filled(w->context->log, x, (uint32_t)(w->send - x->send));
}

/* The last segment of what is queued is pushed (RFC 9293, 3.9.1.2, MUST-61); where it is no full
 * one, nothing that a window could have held back stood behind it, as a rule. There must be a send
 * before the wait's. */
static inline bool tw_gap_queue_was_empty(const struct tw_gap *w)
{
    return (w->before->is & TW_SEND_PARTIAL) && (tw_gap_record(w, w->before)->flags & TW_PSH);
}

/*
 * Was so little in flight that every congestion window had room for what ended the wait? It is
 * never less than a full segment (RFC 5681, 3.1), nor, counted in packets, less than two once a
 * repair is acknowledged (tcp_slow_start()). There must be a send before the wait's.
 */
static inline bool tw_gap_fits_any_window(const struct tw_gap *w)
{
    return w->before->acked >= tw_send_seq(w->before) &&
           tw_send_flight(w->before) + w->send->len <= w->context->sends[w->sender].mss_bytes;
}

/* Away from the sender, and without its clock, no round trip shows a queue: is its round one that a
 * full path might have brought, segment after segment? There must be one. */
static inline bool tw_gap_may_be_full_path(const struct tw_gap *w)
{
    return !w->context->sends[w->sender].queues_seen &&
           w->round->max_gap_ns < w->round->duration_ns / TW_SILENCE_SHARE;
}

/* Half of what the way leaves of the wait, or more, may have been the way's, too. */
static inline bool tw_gap_may_be_way(const struct tw_gap *w)
{
    return w->way.maybe_late_ns > 0 &&
           2 * w->way.maybe_late_ns >= w->to_ns - w->from_ns - w->propagation_ns;
}

/* A queue is what may have made it longer. */
static inline bool tw_gap_way_queues(const struct tw_gap *w)
{
    return w->way.queued || w->way.cross_traffic;
}

/* Did what ended it leave so soon after the newest ACK that it seldom follows one by chance? */
static inline bool tw_gap_is_soon(const struct tw_gap *w)
{
    return w->since_ack_ns != TCPWHY_NS_UNKNOWN &&
           w->since_ack_ns <= (w->to_ns - w->from_ns) / TW_SOON_SHARE;
}

/* What came to a side's host between two records, by all its connections without timestamps. */
static inline uint32_t tw_came_between(const struct tw_record *from, const struct tw_record *to,
                                       enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? to->to_client - from->to_client
                                 : to->to_server - from->to_server;
}

/* Did as much as the link to it lets pass? */
static inline bool tw_link_was_full(const struct tw_log *log, enum tcpwhy_side side,
                                    const struct tw_record *from, const struct tw_record *to)
{
    double most = log->inflow_rate[side] * (double)(to->time_ns - from->time_ns) / 1e9;

    return tw_came_between(from, to, side) >= TW_SAME_RATE * most;
}

/* The probes of a closed window come as late as keep-alives, and do not back off. */
bool tw_gap_probes_may_be_keep_alives(const struct tw_gap *gap);

/* How long the receiver sat on the newest data that an ACK covers; unknown. Looks back through the
 * log, so it is asked last. */
tcpwhy_ns tw_ack_delay(const struct tw_context *context, enum tcpwhy_side sender,
                       uint32_t ack_record);
/* The same of the ACK of since_ack_ns. */
tcpwhy_ns tw_gap_ack_delay(const struct tw_gap *gap);

/* Was that a timer's, by its length? */
static inline bool tw_gap_ack_was_held(const struct tw_gap *gap)
{
    tcpwhy_ns delay_ns = tw_gap_ack_delay(gap);

    return delay_ns >= TW_DELAYED_ACK_NS && delay_ns < TW_FORBIDDEN_DELAY_NS;
}
/* Of the gap, how long the receiver held that ACK, as far as the shortest ways and its clock tell.
 */
tcpwhy_ns tw_gap_ack_hold(const struct tw_gap *gap);
/* Was that all that the segment waited for, with nothing else in flight? */
bool tw_gap_waited_for_timer(const struct tw_gap *gap);
/* Did it come late, and tell of several segments together? */
bool tw_gap_ack_joins(const struct tw_gap *gap);

/* A congestion window costs a round trip. The ACK may have been so late that a good part of the
 * wait is another's. */
enum tw_late_ack {
    TW_ACK_IN_TIME,
    TW_ACK_MAYBE_DELAYED, /* by the receiver's timer */
    TW_ACK_MAYBE_QUEUED,  /* on its way, or what it acknowledges was */
};

enum tw_late_ack tw_gap_late_ack(const struct tw_gap *gap);

#endif
