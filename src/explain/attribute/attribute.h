/* SPDX-License-Identifier: MIT */
/*
 * Waits become spans: the detectors are asked whose a wait is. The segments of one burst follow
 * each other as fast as the link takes them: what let the first go let them all go, so that only
 * the first wait of a burst is asked about.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_ATTRIBUTE_H
#define TW_EXPLAIN_ATTRIBUTE_ATTRIBUTE_H

#include "explain/timeline/gap.h"

/* Where it is told, and what the last wait was. */
struct tw_attribution {
    struct tw_explanation *out;
    tcpwhy_ns burst_ns; /* segments that are not further apart follow each other in one burst */
    tcpwhy_ns until_ns; /* no repair begins or ends between the last wait and then */
    bool in_message;    /* the last wait was; then these are its own */
    enum tcpwhy_side sender;
    const struct tw_round *round;
    const struct tw_recovery_episode *episode;
    unsigned of_sender[2];  /* enum tw_needs that each wait for a side has */
    struct tw_asked *asked; /* who, about waits of a kind */
};

void tw_attribute_begin(struct tw_attribution *attribution, const struct tw_context *context,
                        struct tw_explanation *out);

/* Cut a wait where repairs begin and end, and charge each piece. Changes the wait. */
void tw_attribute_wait(struct tw_attribution *attribution, struct tw_gap *gap);

/* Does a wait within a message begin where the repair of the last one, or none, still goes on? */
static inline bool tw_attribute_keeps_episode(const struct tw_attribution *t,
                                              const struct tw_gap *w)
{
    return t->in_message && w->phase == TW_PHASE_MESSAGE && t->sender == w->sender &&
           w->from_ns < t->until_ns;
}

/* Then no part of it may lie in a repair. */
static inline bool tw_attribute_is_of_none(const struct tw_attribution *t, const struct tw_gap *w)
{
    return tw_attribute_keeps_episode(t, w) && !t->episode && w->to_ns <= t->until_ns;
}

/* How long a wait within a message of the sender may be to be of the last one's burst: then it is,
 * as long as it has the last one's round and episode, and the capture all its frames. 0: none is.
 */
static inline tcpwhy_ns tw_attribute_burst_ns(const struct tw_attribution *t,
                                              enum tcpwhy_side sender)
{
    return t->in_message && t->sender == sender ? t->burst_ns : 0;
}

#endif
