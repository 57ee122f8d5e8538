/* SPDX-License-Identifier: MIT */
/*
 * What a detector is: it looks at a gap and claims it for its cause, or leaves it.
 */
#ifndef TW_EXPLAIN_CAUSES_DETECTOR_H
#define TW_EXPLAIN_CAUSES_DETECTOR_H

#include "explain/model/gap.h"

/* A detector's answer; preset to the whole wait, certain, no rival. */
struct tw_claim {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    enum tcpwhy_side from;    /* whose data waited: preset to the one waited for */
    tcpwhy_ns from_ns, to_ns; /* the part that is claimed; the rest is wire */
    uint32_t key_record;
};

/* It may be that as well. */
static inline void tw_claim_add_rival(struct tw_claim *c, enum tcpwhy_cause rival)
{
    c->confidence = TCPWHY_LIKELY;
    c->rival = rival;
}

/* What the way takes of the wait is left out. */
static inline void tw_claim_behind_way(struct tw_claim *c, const struct tw_gap *w)
{
    tcpwhy_ns path_until_ns = w->from_ns + w->propagation_ns;

    c->from_ns = path_until_ns < w->to_ns ? path_until_ns : w->to_ns;
}

/* What a wait must have for a detector to look at it: few have much, so that few are asked. */
enum tw_needs {
    TW_NEEDS_NOTHING = 0,
    TW_NEEDS_IDLE = 1 << 0,    /* its phase is that */
    TW_NEEDS_TURN = 1 << 1,    /* likewise */
    TW_NEEDS_MESSAGE = 1 << 2, /* likewise */
    TW_NEEDS_AWAITED = 1 << 3, /* it is not idle */
    TW_NEEDS_GAP = 1 << 4,     /* the capture lacks frames in it */
    TW_NEEDS_EPISODE = 1 << 5, /* it lies in the repair of a loss */
    TW_NEEDS_BEFORE = 1 << 6,  /* a send ended it, and another one came before; so the round, too */
    TW_NEEDS_PARTIAL = 1 << 7, /* the send that ended it is no full segment */
    TW_NEEDS_DRAINED = 1 << 8, /* all was acknowledged when that left */
    TW_NEEDS_RELEASED = 1 << 9, /* an ACK let it go */
    TW_NEEDS_CLOSED = 1 << 10,  /* the window was 0 while it waited */
    TW_NEEDS_QUEUE = 1 << 11, /* a queue stood in the round before, or its pace is a full path's */
    TW_NEEDS_LOSS = 1 << 12,  /* something was lost before it, or thought lost */
    TW_NEEDS_RESTART = 1 << 13, /* the round is one of a restart after a silence */
    TW_NEEDS_HOLE = 1 << 14,    /* it lies in a repair, or its sender's data stands behind a hole */
    TW_NEEDS_WINDOW = 1 << 15,  /* the round, or what ended it, came to the end of the window */
    TW_NEEDS_LINK = 1 << 16,    /* the link of the host here is all that tells of its way */
    TW_NEEDS_LOCAL_QDISC = 1 << 17, /* its sender's segments queue in their own host */
    TW_NEEDS_LET_GO = 1 << 18,      /* an ACK let it go, or all was acknowledged when it left */
    TW_NEEDS_EMPTY = 1 << 19,       /* all was, or in an idle one perhaps nobody asked */
};

/* One cause: looks at a wait and claims it, or leaves it, and the claim as it is, to the next. */
struct tw_detector {
    enum tcpwhy_cause cause;
    bool (*claim)(const struct tw_gap *gap, struct tw_claim *claim);
    unsigned needs; /* enum tw_needs: it is not asked where one of these is missing */
};

#endif
