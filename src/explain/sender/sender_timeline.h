/* SPDX-License-Identifier: MIT */
/*
 * One direction as its sender lived it: when each segment left, what was acknowledged and allowed
 * by then, and what let it go. Rebuilt from any vantage: the sender's clock runs half a round trip
 * before ours for what it sends, and after ours for what it hears.
 */
#ifndef TW_EXPLAIN_SENDER_SENDER_TIMELINE_H
#define TW_EXPLAIN_SENDER_SENDER_TIMELINE_H

#include "base/scratch.h"
#include "explain/thresholds.h"
#include "explain/vantage/tsval_clock.h"

/* What a send is. */
#define TW_SEND_FIN     TW_FIN /* its last offset is a FIN */
#define TW_SEND_FRESH   0x02   /* brings bytes never sent before */
#define TW_SEND_REPEAT  0x04   /* a retransmission */
#define TW_SEND_PARTIAL 0x08   /* not a whole number of full segments */
#define TW_SEND_SPURIOUS                                                                           \
    0x10                    /* a repeat that was not needed: what it brings had arrived (set by    \
                               recovery) */
#define TW_SEND_CLOSED 0x20 /* the window was 0 while it waited; not unless the side is heard */
#define TW_SEND_BEGINS 0x40 /* it is the first of a message; where its side has long ones */
#define TW_SEND_REDUCED                                                                            \
    TW_CWR /* its sender says that it reduced its congestion window (RFC 3168, section 6.1.2), and \
              not for a loss; with TW_SEND_SPURIOUS: it may have (set by recovery) */

/* A segment with payload or FIN, as it left its sender. */
struct tw_send {
    /* What its record tells. */
    int64_t end; /* offset after its last byte, or after its FIN */
    uint32_t record;
    uint32_t behind;      /* how far the bytes sent so far reach beyond its end: 0 of fresh ones */
    uint32_t len;         /* payload */
    uint8_t is;           /* TW_SEND_* */
    uint16_t ack_late_ms; /* moved_record may have come so much later than over the shortest way: an
                             earlier send had not heard it; 0: nothing tells */
    /* Where the side is heard (struct tw_sender_timeline), on the sender's side. */
    tcpwhy_ns sent_ns;
    int64_t acked;         /* offset acknowledged by then */
    int64_t edge;          /* right edge of the receive window by then; INT64_MAX: unknown */
    tcpwhy_ns allowed_ns;  /* when the receive window first had room for this; or unknown: always,
                              before all times */
    uint32_t ack_record;   /* newest frame of the receiver that the sender had; or TW_NO_RECORD */
    uint32_t moved_record; /* newest of them that acknowledged data or moved the window's edge */
};

/* Offset of a send's first byte, or of its FIN. */
static inline int64_t tw_send_seq(const struct tw_send *s)
{
    return s->end - s->len - (s->is & TW_SEND_FIN);
}

/* Bytes unacknowledged after this went out, SACKed ones not counted off. */
static inline int64_t tw_send_flight(const struct tw_send *s)
{
    return s->end + s->behind - s->acked;
}

/* Had the window no room for it when the send before it left? There must be one. */
static inline bool tw_send_lacked_room(const struct tw_send *s)
{
    return s->allowed_ns > s[-1].sent_ns;
}

static inline tcpwhy_ns tw_prompt_ns(tcpwhy_ns rtt_ns)
{
    return rtt_ns / TW_PROMPT_SHARE > TW_SHORT_NS ? rtt_ns / TW_PROMPT_SHARE : TW_SHORT_NS;
}

/* And did it leave as soon as there was room? There must be one. */
static inline bool tw_send_was_blocked(const struct tw_send *s, tcpwhy_ns rtt_ns)
{
    return tw_send_lacked_room(s) && s->sent_ns - s->allowed_ns <= tw_prompt_ns(rtt_ns);
}

/* Does it bring new bytes that fill no segment? */
static inline bool tw_send_is_small(const struct tw_send *s)
{
    return (s->is & (TW_SEND_FRESH | TW_SEND_PARTIAL)) == (TW_SEND_FRESH | TW_SEND_PARTIAL);
}

/* Does it fill room for less than a segment? That is left unused until the window opens or a timer
 * fires (silly-window avoidance, RFC 9293, 3.8.6.2.1). */
static inline bool tw_send_fills_remainder(const struct tw_send *s)
{
    return tw_send_is_small(s) && s->end == s->edge;
}

/* What is inferred: nothing, what fits best, or what alone is possible. */
enum tw_inference {
    TW_INFERRED_NOT,
    TW_INFERRED_LIKELY,
    TW_INFERRED_SURELY,
};

struct tw_sender_timeline {
    enum tcpwhy_side from;
    const struct tw_record *record; /* of the log */
    tcpwhy_ns to_sender;            /* one way, from the vantage */
    struct tw_send *send;
    uint32_t n;
    tcpwhy_ns *rtt_ns; /* of each send, until its last byte was acknowledged; unknown after Karn's
                          rule. NULL where messages are short, filled where queues_seen, and left
                          to whoever reads it first */
    uint32_t first_unknown; /* of them; n without one */
    uint32_t repeats;       /* of them, retransmissions */
    uint32_t mss_bytes;     /* payload of a full segment */
    uint32_t agreed_bytes;  /* of the largest that the SYNs allow; no less */
    /* How the windows scale that it fills, where the SYNs do not tell: as its sends do. */
    enum tw_inference wscale_inferred;
    uint8_t wscale;
    const struct tw_ip_id_gap *lacks; /* the sender counts its packets, and these did not pass here,
                                    up to one of TW_NO_RECORD; or NULL */
    uint32_t n_lacks;                 /* so many */
    bool heard; /* what the sender heard is filled in, and the rest below: where a message has more
                   than one segment, or something was lost; else nobody asks as a rule */
    bool queues_seen; /* round trips hold the time in queues: at the sender, or by its clock */
    bool clock_read;  /* by tw_sender_timeline_clock() */
    struct tw_tsval_clock clock;
    uint32_t held; /* partial segments that left at once when their partial forerunner was
                      acknowledged ... */
    uint32_t nagle_held_alone; /* ... and not soon after something that they may answer */
    uint32_t late;             /* those that left later, in as long again as that took, and answer
                                  nothing */
    bool app_timed_pauses; /* what lies between such two is far steadier than what the ACK takes:
                        the program's own, whatever it ends with */
    uint32_t outdated;     /* at the sender: those that echo an older timestamp than one that passed
                              here long before */
    uint32_t slips;        /* those that left while an earlier one was unacknowledged ... */
    uint32_t first_slip;   /* ... the first of these sends, where there is one */
};

/* Without exception, or mostly: Nagle's algorithm may be on. An ACK that the capture lacks looks
 * like a slip, and programs set TCP_NODELAY when they have begun (OpenSSH, nginx when it keeps
 * alive). */
static inline bool tw_sender_timeline_hold(const struct tw_sender_timeline *x)
{
    return x->slips == 0 || x->held / x->slips >= TW_OFTEN;
}

/* Or had nothing shown by a send that it is off? */
static inline bool tw_sender_timeline_may_hold(const struct tw_sender_timeline *x,
                                               const struct tw_send *s)
{
    return tw_sender_timeline_hold(x) || (uint32_t)(s - x->send) < x->first_slip;
}

/* When a record of the receiver reached the sender, over the shortest way. */
static inline tcpwhy_ns tw_sender_timeline_heard_ns(const struct tw_sender_timeline *x,
                                                    uint32_t record)
{
    return x->record[record].time_ns + x->to_sender;
}

/* So long it took at least. */
static inline tcpwhy_ns tw_sender_timeline_soonest_ns(const struct tw_sender_timeline *x)
{
    tcpwhy_ns share_ns = x->to_sender / TW_JITTER_SHARE;

    return x->to_sender - (share_ns > TW_HOST_NS ? share_ns : TW_HOST_NS);
}

/* When moved_record reached the sender, at the latest; or unknown: before all times. */
static inline tcpwhy_ns tw_send_moved_ns(const struct tw_sender_timeline *x,
                                         const struct tw_send *s)
{
    tcpwhy_ns moved_ns;

    if (s->moved_record == TW_NO_RECORD)
        return TCPWHY_NS_UNKNOWN;
    moved_ns = tw_sender_timeline_heard_ns(x, s->moved_record);
    return s->ack_late_ms ? MIN(moved_ns + TCPWHY_MS(s->ack_late_ms), s->sent_ns) : moved_ns;
}

/* The side's own clock, read when it is first asked for. */
const struct tw_tsval_clock *tw_sender_timeline_clock(struct tw_sender_timeline *sends,
                                                      const struct tw_prescan *prescan,
                                                      struct tw_scratch *scratch);

/* How late after an ACK a segment may leave and still have been let go by it: the kernel answers in
 * microseconds; a busy host, or the way to a sender that is not here, adds its jitter. */
tcpwhy_ns tw_sender_timeline_at_once(const struct tw_vantage *vantage, enum tcpwhy_side from);

/* How late it may seem for the way from here to the sender and back alone: no later than that. A
 * short way adds little, however far the receiver is. */
tcpwhy_ns tw_sender_timeline_lag_of_way(const struct tw_vantage *vantage, enum tcpwhy_side from);

/* Did the sender hear from the receiver just before it sent that? */
bool tw_send_heard_just_before(const struct tw_sender_timeline *sends, const struct tw_send *send,
                               const struct tw_vantage *vantage);

/* Do packets of the sender lack before a record of it? */
bool tw_sender_timeline_lacks(const struct tw_sender_timeline *sends, uint32_t record);

#endif
