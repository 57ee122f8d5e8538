/* SPDX-License-Identifier: MIT */
/*
 * A hypothesis: one mechanism that may have held the segment that ended a gap. It says which part
 * of the gap it explains, and how strongly the frames support it. It knows nothing of the other
 * hypotheses; the arbiter weighs them (attribute/arbiter.h).
 */
#ifndef TW_EXPLAIN_CAUSES_HYPOTHESIS_H
#define TW_EXPLAIN_CAUSES_HYPOTHESIS_H

#include "explain/timeline/pause.h"

/*
 * Odds are logarithms to the base of ten, against a program that does nothing when it likes: that
 * explains any silence, and none well. A mechanism that let the segment go at one moment and was
 * right gains by how unlikely that moment is for a program (tw_odds_of_moment()).
 *
 * A ladder: what each is alone against a program, and against the others, is the certainty that its
 * words mean, by the limits of attribute/arbiter.h. Unit: log10 of odds. Source: those limits, and
 * judgement within them (docs/how-verdicts-are-reached.md tells how little that decides). */
#define TW_ODDS_PROVEN  8.0 /* the frames show the mechanism at work */
#define TW_ODDS_SHOWN   4.0 /* its pattern is there, and nothing contradicts it */
#define TW_ODDS_DOUBTED 2.0 /* its pattern is there, but part of it is unknown */
#define TW_ODDS_HINTED  1.0 /* some evidence, and as much for others */
#define TW_ODDS_PROGRAM 0.0 /* a program: only its silence is seen */
/* Below this a hypothesis is no verdict but may be a rival. */
#define TW_ODDS_SUSPECTED -0.2 /* explains as much as a program, and has as little evidence */
#define TW_ODDS_LET_GO    -0.5 /* a program, although a mechanism let the segment go */
#define TW_ODDS_POSSIBLE  -1.5 /* no evidence for or against it */
#define TW_ODDS_RARE      -2.5 /* likewise, and rare */

/* A hypothesis fills this in for a gap. It is preset to the whole gap, with the odds of a program.
 */
struct tw_release {
    enum tcpwhy_party party;
    enum tcpwhy_side from;    /* whose data waited; preset to the side waited for */
    tcpwhy_ns from_ns, to_ns; /* the part that it explains; the rest is propagation */
    uint32_t key_record;      /* the frame that let the segment go, or TW_NO_RECORD */
    double odds;
};

/* Odds of a mechanism that releases a segment at one moment, when the segment left after_ns later.
 * The gap and the kernel's usual reaction time are at least 1 ns. */
double tw_odds_of_moment(tcpwhy_ns after_ns, tcpwhy_ns gap_ns, tcpwhy_ns reaction_ns);

/* Leave out the part of the gap that is propagation. */
static inline void tw_release_behind_way(struct tw_release *r, const struct tw_gap *w)
{
    tcpwhy_ns path_until_ns = w->from_ns + w->propagation_ns;

    r->from_ns = path_until_ns < w->to_ns ? path_until_ns : w->to_ns;
}

/* A hypothesis is asked only about gaps that have all of these. */
enum tw_needs {
    TW_NEEDS_NOTHING = 0,
    TW_NEEDS_TURN = 1 << 0,    /* the phase is a turn */
    TW_NEEDS_MESSAGE = 1 << 1, /* the phase is a message */
    TW_NEEDS_AWAITED = 1 << 2, /* the phase is not idle */
    TW_NEEDS_GAP = 1 << 3,     /* frames are missing from the capture here */
    TW_NEEDS_EPISODE = 1 << 4, /* within the repair of a loss */
    TW_NEEDS_BEFORE = 1 << 5,  /* a send ended it, and another came before; so there is a round */
    TW_NEEDS_PARTIAL = 1 << 6, /* the send that ended it is a partial segment */
    TW_NEEDS_CLOSED = 1 << 7,  /* the receive window was 0 */
    TW_NEEDS_LOSS = 1 << 8,    /* a loss, real or assumed, came before */
    TW_NEEDS_RESTART = 1 << 9, /* the round restarts after an idle time */
    TW_NEEDS_HOLE = 1 << 10,   /* within a repair, or the sender's data lies beyond a hole */
    TW_NEEDS_LINK = 1 << 11,   /* only the link of the host here is known of the path */
    TW_NEEDS_LOCAL_QDISC = 1 << 12, /* the sender's segments queue in its own host */
    TW_NEEDS_EMPTY = 1 << 13, /* nothing was in flight; of an idle gap, perhaps nobody asked */
    TW_NEEDS_WAY = 1 << 14,   /* the one-way delay to the sender is known, or surely shorter */
    TW_NEEDS_WHOLE = 1 << 15, /* no repair, or one during which the path carries all that it can */
};

struct tw_hypothesis {
    enum tcpwhy_cause cause;
    unsigned needs; /* enum tw_needs; a missing one refutes it */
    /* @return NULL, or what refutes it, for --why: a clause, static. */
    const char *(*weigh)(const struct tw_gap *gap, struct tw_release *release);
};

#endif
