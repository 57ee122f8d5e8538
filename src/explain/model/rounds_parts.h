/* SPDX-License-Identifier: MIT */
/*
 * What the files that make rounds share: each looks at all rounds of a direction for one thing.
 */
#ifndef TW_EXPLAIN_MODEL_ROUNDS_PARTS_H
#define TW_EXPLAIN_MODEL_ROUNDS_PARTS_H

#include "explain/model/rounds.h"

/* After a silence a flight that grows by this a round trip is in slow start again. */
#define DOUBLING 1.35

/* Segments further apart than this, or than that part of a round trip, are not of one burst. */
#define GAP_NS    TCPWHY_US(100)
#define GAP_SHARE 64

/* The direction that is looked at. */
struct tw_rounds_view {
    const struct tw_sender_timeline *sends;
    struct tw_rounds *rounds;
    tcpwhy_ns rtt_ns;    /* the shortest; 0 when not known */
    tcpwhy_ns prompt_ns; /* tw_sender_timeline_at_once() */
    bool remote;         /* the sender is not here */
    struct tw_scratch *scratch;
    tcpwhy_ns *room; /* for a value of each send, once the rounds are measured */
};

/* The gap that begins a burst: no link makes it. */
static inline tcpwhy_ns tw_burst_gap_ns(const struct tw_rounds_view *view)
{
    return view->rtt_ns / GAP_SHARE > GAP_NS ? view->rtt_ns / GAP_SHARE : GAP_NS;
}

/* Had all before this send arrived when its message began? Then nothing but the writer held it. */
static inline bool tw_begins_anew(const struct tw_send *s)
{
    return s->is & TW_SEND_BEGINS && s->acked >= tw_send_seq(s);
}

/* What leaves within this part of the silence before it did so for the ACK, and not by chance:
 * hosts that are busy, virtual, or do TCP in a program take longer than a kernel, and never as
 * long. By judgement: programs that write once a round trip keep to it less closely. */
#define PROMPT_SHARE 16

/* No kernel takes this long; away from the sender the path's jitter comes on top. */
#define LATE_NS TCPWHY_US(500)

/* Did the newest ACK let it go, behind such a pause? It must have one. */
static inline bool tw_leaves_promptly(const struct tw_sender_timeline *x, const struct tw_send *s,
                                      tcpwhy_ns pause_ns)
{
    tcpwhy_ns part_ns = pause_ns / PROMPT_SHARE;

    return s->sent_ns - tw_send_moved_ns(x, s) <= (part_ns < LATE_NS ? part_ns : LATE_NS);
}

static inline bool tw_mostly(uint32_t so_many, uint32_t of_all)
{
    return so_many * 3 >= of_all * 2;
}

/* Cut the direction into rounds and measure each.
 * @return false when it has none. */
bool tw_rounds_measure(struct tw_rounds_view *view);

/* The value that percent of n values do not exceed; moves them about. n is not 0. */
tcpwhy_ns tw_quantile(tcpwhy_ns *values, uint32_t n, unsigned percent);

#endif
