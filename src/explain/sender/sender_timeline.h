/* SPDX-License-Identifier: MIT */
/*
 * One direction as its sender saw it: when each segment left, what was acknowledged and allowed by
 * then, and what released it. Rebuilt from any vantage: data passes here after the sender sent it,
 * by the one-way delay, and ACKs pass here before the sender hears them.
 */
#ifndef TW_EXPLAIN_SENDER_SENDER_TIMELINE_H
#define TW_EXPLAIN_SENDER_SENDER_TIMELINE_H

#include "base/scratch.h"
#include "explain/thresholds.h"
#include "explain/vantage/tsval_clock.h"

/* Kinds of sends (tw_send.is). */
#define TW_SEND_FIN     TW_FIN /* its last offset is a FIN */
#define TW_SEND_FRESH   0x02   /* brings bytes never sent before */
#define TW_SEND_REPEAT  0x04   /* a retransmission */
#define TW_SEND_PARTIAL 0x08   /* not a whole number of full segments */
#define TW_SEND_SPURIOUS                                                                           \
    0x10                    /* a spurious retransmission: its data had arrived (set by recovery) */
#define TW_SEND_CLOSED 0x20 /* the window was 0 while it waited; needs heard */
#define TW_SEND_BEGINS 0x40 /* the first segment of a message, if its side has long ones */
#define TW_SEND_REDUCED                                                                            \
    TW_CWR /* CWR is set (RFC 3168, 6.1.2), and not for a loss; with TW_SEND_SPURIOUS: may be (set \
              by recovery) */

/* A segment with payload or FIN, as it left its sender. */
struct tw_send {
    /* Copied from its record. */
    int64_t end; /* offset after its last byte, or after its FIN */
    uint32_t record;
    uint32_t behind;      /* how far SND.NXT is beyond its end; 0 for new data */
    uint32_t len;         /* payload */
    uint8_t is;           /* TW_SEND_* */
    uint16_t ack_late_ms; /* upper bound of moved_record's delay beyond the minimum: an earlier send
                             had not heard it; 0: unknown */
    /* Filled in if the side is heard (struct tw_sender_timeline), in the sender's time. */
    tcpwhy_ns sent_ns;
    int64_t acked;         /* offset acknowledged by then */
    int64_t edge;          /* right edge of the receive window then; INT64_MAX: unknown */
    tcpwhy_ns allowed_ns;  /* when the receive window first had room for it; unknown: always, before
                              all times */
    uint32_t ack_record;   /* newest frame of the receiver that the sender had; or TW_NO_RECORD */
    uint32_t moved_record; /* newest of them that acknowledged data or moved the edge */
};

/* Offset of a send's first byte, or of its FIN. */
static inline int64_t tw_send_seq(const struct tw_send *s)
{
    return s->end - s->len - (s->is & TW_SEND_FIN);
}

/* Bytes in flight after this left, SACKed ones included. */
static inline int64_t tw_send_flight(const struct tw_send *s)
{
    return s->end + s->behind - s->acked;
}

/* Was there no room for it when the previous send left? There must be one. */
static inline bool tw_send_lacked_room(const struct tw_send *s)
{
    return s->allowed_ns > s[-1].sent_ns;
}

static inline tcpwhy_ns tw_prompt_ns(tcpwhy_ns rtt_ns)
{
    return rtt_ns / TW_PROMPT_SHARE > TW_SHORT_NS ? rtt_ns / TW_PROMPT_SHARE : TW_SHORT_NS;
}

/* Did it have to wait for room, and leave as soon as there was some? There must be a previous
 * send. */
static inline bool tw_send_was_blocked(const struct tw_send *s, tcpwhy_ns rtt_ns)
{
    return tw_send_lacked_room(s) && s->sent_ns - s->allowed_ns <= tw_prompt_ns(rtt_ns);
}

/* Is it new data of less than a segment? */
static inline bool tw_send_is_small(const struct tw_send *s)
{
    return (s->is & (TW_SEND_FRESH | TW_SEND_PARTIAL)) == (TW_SEND_FRESH | TW_SEND_PARTIAL);
}

/* Does it fill room of less than a segment? That stays unused until the window opens or a timer
 * fires (silly-window avoidance, RFC 9293, 3.8.6.2.1). */
static inline bool tw_send_fills_remainder(const struct tw_send *s)
{
    return tw_send_is_small(s) && s->end == s->edge;
}

/* Inferred: nothing, what fits best, or the only possibility. */
enum tw_inference {
    TW_INFERRED_NOT,
    TW_INFERRED_LIKELY,
    TW_INFERRED_SURELY,
};

struct tw_sender_timeline {
    enum tcpwhy_side from;
    const struct tw_record *record; /* of the log */
    tcpwhy_ns to_sender;            /* one-way delay from the vantage */
    struct tw_send *send;
    uint32_t n;
    tcpwhy_ns *rtt_ns; /* by send (Karn: unknown); filled on first read; NULL: short messages */
    uint32_t first_unknown; /* the first unknown one; n if there is none */
    uint32_t repeats;       /* of them, retransmissions */
    uint32_t mss_bytes;     /* payload of a full segment */
    uint32_t agreed_bytes;  /* of the largest segment that the SYNs allow; at least mss_bytes */
    /* Inferred scale of the peer's windows if the SYNs do not show it. */
    enum tw_inference wscale_inferred;
    uint8_t wscale;
    const struct tw_ip_id_gap *lacks; /* packets of the sender that did not pass here, by its IP ID;
                                         ends with TW_NO_RECORD; or NULL */
    uint32_t n_lacks;                 /* how many */
    bool heard; /* what the sender heard, and the fields below, are filled in: if a message has
                   several segments or a loss occurred; else usually nobody asks */
    bool queues_seen; /* RTTs include queueing: at the sender, or by its clock */
    bool clock_read;  /* by tw_sender_timeline_clock() */
    struct tw_tsval_clock clock;
    uint32_t held; /* partial segments that left at the ACK of the previous partial one ... */
    uint32_t nagle_held_alone; /* ... and not soon after data that they may answer */
    uint32_t late;         /* those that left later, within twice that time, and answer nothing */
    uint32_t own_pauses;   /* sends that their program wrote long after that ACK, and that answer
                              nothing: it pauses between the pieces of what it says */
    bool app_timed_pauses; /* pauses between such two are far steadier than their ACK delays: the
                              program's own, whatever ends them */
    uint32_t outdated;     /* at the sender: those with a TSecr older than one that passed here long
                              before */
    uint32_t slips;        /* those that left while an earlier partial one was unacknowledged ... */
    uint32_t first_slip;   /* ... the first of these sends, if any */
};

/* May Nagle's algorithm be on, without exception or mostly? An ACK missing from the capture looks
 * like a slip, and programs set TCP_NODELAY some time after they start (OpenSSH, nginx for keep-
 * alive). */
static inline bool tw_sender_timeline_hold(const struct tw_sender_timeline *x)
{
    return x->slips == 0 || x->held / x->slips >= TW_OFTEN;
}

/* Or had no send shown it to be off by this one? */
static inline bool tw_sender_timeline_may_hold(const struct tw_sender_timeline *x,
                                               const struct tw_send *s)
{
    return tw_sender_timeline_hold(x) || (uint32_t)(s - x->send) < x->first_slip;
}

/* When a record of the receiver reached the sender, by the minimum delay. */
static inline tcpwhy_ns tw_sender_timeline_heard_ns(const struct tw_sender_timeline *x,
                                                    uint32_t record)
{
    return x->record[record].time_ns + x->to_sender;
}

/* The delay from the vantage to the sender is at least this. */
static inline tcpwhy_ns tw_sender_timeline_soonest_ns(const struct tw_sender_timeline *x)
{
    tcpwhy_ns share_ns = x->to_sender / TW_JITTER_SHARE;

    return x->to_sender - (share_ns > TW_HOST_NS ? share_ns : TW_HOST_NS);
}

/* When moved_record reached the sender at the latest; unknown: before all times. */
static inline tcpwhy_ns tw_send_moved_ns(const struct tw_sender_timeline *x,
                                         const struct tw_send *s)
{
    tcpwhy_ns moved_ns;

    if (s->moved_record == TW_NO_RECORD)
        return TCPWHY_NS_UNKNOWN;
    moved_ns = tw_sender_timeline_heard_ns(x, s->moved_record);
    return s->ack_late_ms ? MIN(moved_ns + TCPWHY_MS(s->ack_late_ms), s->sent_ns) : moved_ns;
}

/* The side's TSval clock, read on first use. */
const struct tw_tsval_clock *tw_sender_timeline_clock(struct tw_sender_timeline *sends,
                                                      const struct tw_prescan *prescan,
                                                      struct tw_scratch *scratch);

/* The longest time after an ACK at which a segment was still released by it: a kernel reacts in
 * microseconds; a busy host, or the path to a distant sender, adds jitter. */
tcpwhy_ns tw_sender_timeline_at_once(const struct tw_vantage *vantage, enum tcpwhy_side from);

/* The part of that which is the jitter of the path from the vantage to the sender and back. A short
 * path adds little, however far the receiver is. */
tcpwhy_ns tw_sender_timeline_lag_of_way(const struct tw_vantage *vantage, enum tcpwhy_side from);

/* The receive window that the first send found; 0: unknown. */
static inline int64_t tw_first_window(const struct tw_sender_timeline *x)
{
    if (x->n == 0 || !x->heard || x->send->edge == INT64_MAX)
        return 0;
    return x->send->edge - tw_send_seq(x->send);
}

/*
 * Did the probe timer let go what was queued, the rest of a write, while nothing was heard? The
 * timer is two round trips, a tick at least, and sends new data first, whatever Nagle's algorithm
 * says (RFC 8985, 7.2, 7.3; Linux: tcp_send_loss_probe()). More was queued behind a full segment
 * without PSH (RFC 9293, 3.9.1.2, MUST-61).
 */
static inline bool tw_send_is_probe(const struct tw_sender_timeline *x, const struct tw_send *s,
                                    tcpwhy_ns rtt_min_ns)
{
    const struct tw_send *before = s - 1;

    return s > x->send && rtt_min_ns != TCPWHY_NS_UNKNOWN && (s->is & TW_SEND_FRESH) &&
           !(before->is & TW_SEND_PARTIAL) && !(x->record[before->record].flags & TW_PSH) &&
           (x->record[s->record].flags & TW_PSH) && s->acked == before->acked &&
           s->sent_ns - before->sent_ns >= 2 * rtt_min_ns &&
           s->sent_ns - before->sent_ns >= TW_TIMER_TICK_NS;
}

/* Did the sender hear from the receiver just before this send? */
bool tw_send_heard_just_before(const struct tw_sender_timeline *sends, const struct tw_send *send,
                               const struct tw_vantage *vantage);

/* The first send that reaches an offset of the sender's stream; n: none does. */
uint32_t tw_sender_timeline_up_to(const struct tw_sender_timeline *sends, int64_t offset);

/* Are packets of the sender missing before this record? */
bool tw_sender_timeline_lacks(const struct tw_sender_timeline *sends, uint32_t record);

#endif
