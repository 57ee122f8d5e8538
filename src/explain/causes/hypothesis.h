/* SPDX-License-Identifier: MIT */
/*
 * What a hypothesis is: one mechanism that may have held the segment that ended a gap. It says
 * which part of the gap it explains, and how strongly the frames speak for it. It knows nothing of
 * the others; the arbiter weighs them (attribute/arbiter.h).
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
#define TW_ODDS_DOUBTED 2.0 /* its pattern is there, and something of it is not known */
#define TW_ODDS_HINTED  1.0 /* something points to it, and as much to others */
#define TW_ODDS_PROGRAM 0.0 /* a program, of which nothing is seen but that it is silent */
/* With less it is no verdict, and may be the rival of one. */
#define TW_ODDS_SUSPECTED -0.2 /* it would explain as much as a program, and shows as little */
#define TW_ODDS_LET_GO    -0.5 /* a program, where a mechanism let the segment go */
#define TW_ODDS_POSSIBLE  -1.5 /* nothing contradicts it, and nothing shows it */
#define TW_ODDS_RARE      -2.5 /* and it seldom is so */

/* A hypothesis fills this in for a gap. It is preset to the whole gap, with the odds of a program.
 */
struct tw_release {
    enum tcpwhy_party party;
    enum tcpwhy_side from;    /* whose data waited: preset to the one waited for */
    tcpwhy_ns from_ns, to_ns; /* the part that it explains; the rest is the way's */
    uint32_t key_record;      /* the frame that let the segment go; or TW_NO_RECORD */
    double odds;
};

/* The odds of a mechanism that let the segment go at a moment, which it left so long after: both
 * the gap and what a kernel takes to react as a rule are no less than 1 ns. */
double tw_odds_of_moment(tcpwhy_ns after_ns, tcpwhy_ns gap_ns, tcpwhy_ns reaction_ns);

/* Leave out the part of the gap that the way takes. */
static inline void tw_release_behind_way(struct tw_release *r, const struct tw_gap *w)
{
    tcpwhy_ns path_until_ns = w->from_ns + w->propagation_ns;

    r->from_ns = path_until_ns < w->to_ns ? path_until_ns : w->to_ns;
}

/* A hypothesis is asked only about a gap that has all of these. */
enum tw_needs {
    TW_NEEDS_NOTHING = 0,
    TW_NEEDS_TURN = 1 << 0,    /* its phase is that */
    TW_NEEDS_MESSAGE = 1 << 1, /* likewise */
    TW_NEEDS_AWAITED = 1 << 2, /* it is not idle */
    TW_NEEDS_GAP = 1 << 3,     /* the capture lacks frames in it */
    TW_NEEDS_EPISODE = 1 << 4, /* it lies in the repair of a loss */
    TW_NEEDS_BEFORE = 1 << 5,  /* a send ended it, and another one came before; so the round, too */
    TW_NEEDS_PARTIAL = 1 << 6, /* the send that ended it is no full segment */
    TW_NEEDS_CLOSED = 1 << 7,  /* the window was 0 while it waited */
    TW_NEEDS_LOSS = 1 << 8,    /* something was lost before it, or thought lost */
    TW_NEEDS_RESTART = 1 << 9, /* the round is one of a restart after a silence */
    TW_NEEDS_HOLE = 1 << 10,   /* it lies in a repair, or its sender's data stands behind a hole */
    TW_NEEDS_LINK = 1 << 11,   /* the link of the host here is all that tells of its way */
    TW_NEEDS_LOCAL_QDISC = 1 << 12, /* its sender's segments queue in their own host */
    TW_NEEDS_EMPTY = 1 << 13,       /* all was, or in an idle one perhaps nobody asked */
    TW_NEEDS_WAY = 1 << 14, /* the way to its sender is known, or it lasts longer than one may be */
    TW_NEEDS_WHOLE = 1 << 15, /* nothing is repaired in it, or only while the path carries all that
                                 it can */
};

struct tw_hypothesis {
    enum tcpwhy_cause cause;
    unsigned needs; /* enum tw_needs: it is refuted where one of these is missing */
    /* @return NULL, or what refutes it, as --why says it: a clause, kept for ever. */
    const char *(*weigh)(const struct tw_gap *gap, struct tw_release *release);
};

#endif
