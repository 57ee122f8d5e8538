/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files that make rounds: each looks for one thing in all rounds of a direction.
 */
#ifndef TW_EXPLAIN_MODEL_ROUNDS_PARTS_H
#define TW_EXPLAIN_MODEL_ROUNDS_PARTS_H

#include "explain/thresholds.h"
#include "explain/model/rounds.h"

/* The direction. */
struct tw_rounds_view {
    const struct tw_sender_timeline *sends;
    struct tw_rounds *rounds;
    tcpwhy_ns rtt_ns;    /* minimum RTT; 0: unknown */
    tcpwhy_ns prompt_ns; /* tw_sender_timeline_at_once() */
    bool remote;         /* the vantage is not at the sender */
    struct tw_scratch *scratch;
    tcpwhy_ns *room; /* for a value of each send, once the rounds are measured */
};

/* The gap that begins a burst: longer than any link makes. */
static inline tcpwhy_ns tw_burst_gap_ns(const struct tw_rounds_view *view)
{
    return view->rtt_ns / TW_BURST_SHARE > TW_KERNEL_NS ? view->rtt_ns / TW_BURST_SHARE
                                                        : TW_KERNEL_NS;
}

/* Had all earlier data arrived when this message began? Then only the writer held it. */
static inline bool tw_begins_anew(const struct tw_send *s)
{
    return s->is & TW_SEND_BEGINS && s->acked >= tw_send_seq(s);
}

/* Did the newest ACK release it after such a pause? It must have one. */
static inline bool tw_leaves_promptly(const struct tw_sender_timeline *x, const struct tw_send *s,
                                      tcpwhy_ns pause_ns)
{
    tcpwhy_ns part_ns = pause_ns / TW_SOON_SHARE;

    return s->sent_ns - tw_send_moved_ns(x, s) <= (part_ns < TW_HOST_NS ? part_ns : TW_HOST_NS);
}

static inline bool tw_mostly(uint32_t so_many, uint32_t of_all)
{
    return so_many * 3 >= of_all * 2;
}

/* Divide the direction into rounds and measure each. @return false if it has none. */
bool tw_rounds_measure(struct tw_rounds_view *view);

/* The value that percent of n values do not exceed; moves them about. n is not 0. */
tcpwhy_ns tw_quantile(tcpwhy_ns *values, uint32_t n, unsigned percent);

#endif
