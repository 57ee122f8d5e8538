/* SPDX-License-Identifier: MIT */
/*
 * The record of how the arbiter weighed a gap, and which of these records are kept.
 */
#include "tests/unit.h"

#include <string.h>

#include "base/causes.h"
#include "explain/attribute/hypotheses.h"
#include "explain/attribute/weigh.h"
#include "explain/weighings.h"
#include "tests/unit/made_gap.h"

#define MSS CLAIM_MSS

static struct tw_weighings kept;

/* The arbiter's verdict on a gap, and its weighing. */
static const struct tw_weighing *weigh(struct made_gap *m)
{
    kept = (struct tw_weighings) { 0 };
    for (uint32_t i = 0; i < N_CLAIM_RECORDS; i++)
        m->record[i].frame = i + 1;
    m->context.weighings = &kept;
    claims(m, TCPWHY_UNKNOWN);
    tw_weigh_gap(&m->gap, &m->claim);
    assert_int_equal(kept.n, 1);
    return &kept.weighing[0];
}

static const struct tcpwhy_hypothesis *find(const struct tw_weighing *w, enum tcpwhy_cause cause)
{
    for (size_t i = 0; i < w->gap.n_hypotheses; i++)
        if (w->hypothesis[i].cause == cause)
            return &w->hypothesis[i];
    return NULL;
}

static const char *refuted(const struct tw_weighing *w, enum tcpwhy_cause cause)
{
    return find(w, cause)->refuted;
}

/* A partial segment after another one, the ACK of which let it go. */
static void make_held(struct made_gap *m)
{
    make_gap(m);
    m->gap.flight_empty = true;
    m->send[1].is |= TW_SEND_PARTIAL;
    m->send[2].is |= TW_SEND_PARTIAL;
}

static void make_doubling(struct made_gap *m)
{
    make_gap(m);
    for (int i = 0; i < 3; i++) {
        m->round[i].flight_bytes = (10 << i) * MSS;
        m->round[i].most_bytes = i ? m->round[i - 1].flight_bytes : 0;
    }
}

TEST(the_best_cause_that_fits_is_the_verdict)
{
    void (*const make[])(struct made_gap *) = { make_held, make_doubling };
    struct made_gap m;

    for (size_t i = 0; i < sizeof(make) / sizeof(make[0]); i++) {
        const struct tcpwhy_hypothesis *best;
        const struct tw_weighing *w;

        make[i](&m);
        w = weigh(&m);
        best = &w->hypothesis[0];
        assert_true(best->shown);
        assert_int_equal(best->cause, m.claim.cause);
        assert_int_equal(best->from_ns, m.claim.from_ns);
        assert_int_equal(best->to_ns, m.claim.to_ns);
        assert_int_equal(best->frame,
                         m.claim.key_record == TW_NO_RECORD ? 0 : m.claim.key_record + 1);
        assert_int_equal(w->gap.cause, m.claim.cause);
        assert_int_equal(w->gap.confidence, m.claim.confidence);
        assert_int_equal(w->gap.rival, m.claim.rival);
    }
}

GAP_TEST(a_gap_that_no_cause_fits_is_unknown, make_gap(m))
{
    const struct tw_weighing *w = weigh(m);
    assert_int_equal(w->gap.cause, TCPWHY_UNKNOWN);
    for (size_t i = 0; i < w->gap.n_hypotheses; i++)
        assert_false(w->hypothesis[i].shown);
}

GAP_TEST(odds_say_how_sure_the_verdict_is, make_held(m))
{
    const struct tw_weighing *w = weigh(m);
    assert_true(w->hypothesis[0].shown);
    assert_null(w->hypothesis[1].refuted);
    double lead = w->hypothesis[0].odds - w->hypothesis[1].odds;
    assert_int_equal(m->claim.confidence == TCPWHY_CERTAIN, lead >= TW_ODDS_CERTAIN);
    assert_int_equal(m->claim.confidence == TCPWHY_AMBIGUOUS, lead < TW_ODDS_LIKELY);
}

GAP_TEST(each_cause_is_listed_once_and_refuted_ones_last, make_held(m))
{
    tw_causes listed = 0, all = 0;
    bool unneeded = false;

    const struct tw_weighing *w = weigh(m);
    for (unsigned i = 0; i < tw_n_hypotheses; i++)
        all |= TW_CAUSE(tw_hypotheses[i]->cause);
    for (size_t i = 0; i < w->gap.n_hypotheses; i++) {
        const struct tcpwhy_hypothesis *h = &w->hypothesis[i];

        assert_int_equal(listed >> h->cause & 1, 0);
        listed |= TW_CAUSE(h->cause);
        if (i > 0 && !h->refuted) {
            assert_null(h[-1].refuted);
            assert_true(h[-1].odds >= h->odds);
        }
        if (h->cause == TCPWHY_SLOW_START)
            assert_false(unneeded);
        unneeded |= h->refuted && strcmp(h->refuted, "the capture lacks no frames here") == 0;
    }
    assert_int_equal(listed, all);
}

GAP_TEST(what_the_gap_lacks_refutes_a_cause, make_gap(m))
{
    const struct tw_weighing *w = weigh(m);
    assert_string_equal(refuted(w, TCPWHY_NAGLE_HOLD), "the segment was no partial one");
    assert_string_equal(refuted(w, TCPWHY_ZERO_WINDOW), "the receive window was not closed");
    assert_string_equal(refuted(w, TCPWHY_CAPTURE_GAP), "the capture lacks no frames here");
    m->gap.missing = true;
    m->gap.closed = (struct tw_closed_window) { ACK, NOW, TCPWHY_SERVER };
    m->gap.episode = &m->episode;
    w = weigh(m);
    assert_null(refuted(w, TCPWHY_CAPTURE_GAP));
    assert_string_equal(refuted(w, TCPWHY_NAGLE_HOLD), "a lost segment was being repaired");
    assert_string_not_equal(refuted(w, TCPWHY_KEEP_ALIVE), "the receive window was not closed");
}

GAP_TEST(an_unknown_one_way_delay_refutes_what_needs_it, make_gap(m))
{
    static const char unknown[] = "the one-way delay to the sender is not known";

    assert_ptr_not_equal(refuted(weigh(m), TCPWHY_APP_LIMITED), unknown);
    m->context.vantage.rtt_min_ns = TCPWHY_NS_UNKNOWN;
    assert_string_equal(refuted(weigh(m), TCPWHY_APP_LIMITED), unknown);
}

/* Is a hypothesis the only one of its cause? Then the cause is refuted by its words. */
static bool is_alone(const struct tw_hypothesis *h)
{
    unsigned n = 0;

    for (unsigned i = 0; i < tw_n_hypotheses; i++)
        n += tw_hypotheses[i]->cause == h->cause;
    return n == 1;
}

TEST(every_need_has_words)
{
    struct made_gap m;

    for (int phase = TW_PHASE_IDLE; phase <= TW_PHASE_ARRIVAL; phase++) {
        make_gap(&m);
        m.gap.phase = (enum tw_phase)phase;
        m.gap.episode = phase & 1 ? &m.episode : NULL;
        const struct tw_weighing *w = weigh(&m);

        for (unsigned i = 0; i < tw_n_hypotheses; i++) {
            const struct tw_hypothesis *h = tw_hypotheses[i];

            if (is_alone(h) && tw_asked_lacks(&m.gap, h))
                assert_non_null(refuted(w, h->cause));
        }
    }
}

GAP_TEST(the_hypothesis_itself_says_which_of_its_conditions_the_gap_lacks, make_held(m))
{
    assert_string_equal(refuted(weigh(m), TCPWHY_SERVER_THINK),
                        "it was not the server's turn to begin an answer");
    assert_null(refuted(weigh(m), TCPWHY_NAGLE_HOLD));
    m->send[1].is &= ~TW_SEND_PARTIAL;
    assert_string_equal(refuted(weigh(m), TCPWHY_NAGLE_HOLD),
                        "no partial segment before it was unacknowledged");
    m->send[2].is &= ~TW_SEND_FRESH;
    assert_string_equal(refuted(weigh(m), TCPWHY_NAGLE_HOLD), "its data was sent before");
}

/* ---- which are kept -------------------------------------------------------------------------- */

/* A gap of this cost between two frames. */
static struct tw_weighing *place(uint32_t first_frame, uint32_t last_frame, tcpwhy_ns cost_ns)
{
    const struct tw_weighing w = { .gap = { .from_ns = 0,
                                            .to_ns = cost_ns,
                                            .first_frame = first_frame,
                                            .last_frame = last_frame,
                                            .burst_frame = last_frame },
                                   .cost_ns = cost_ns };

    return tw_weighings_place(&kept, &w);
}

static uint32_t ends_at(uint32_t i)
{
    return kept.weighing[i].gap.last_frame;
}

TEST(the_costliest_gaps_are_kept)
{
    kept = (struct tw_weighings) { 0 };
    for (uint32_t i = 1; i <= TCPWHY_WEIGHINGS; i++)
        assert_non_null(place(i, i + 1, TCPWHY_MS(i)));
    assert_int_equal(ends_at(0), TCPWHY_WEIGHINGS + 1);
    assert_null(place(20, 21, TCPWHY_US(1)));
    assert_non_null(place(30, 31, TCPWHY_MS(3) + 1));
    assert_int_equal(kept.n, TCPWHY_WEIGHINGS);
    assert_int_equal(ends_at(2), 31);
    assert_int_equal(ends_at(TCPWHY_WEIGHINGS - 1), 3);
}

TEST(the_gap_that_ends_at_the_frame_is_kept)
{
    kept = (struct tw_weighings) { .frame = 12 };
    place(1, 5, TCPWHY_MS(900));
    place(5, 12, TCPWHY_MS(1));
    place(5, 12, TCPWHY_MS(2)); /* a piece of it */
    place(12, 20, TCPWHY_MS(900));
    assert_int_equal(kept.n, 2);
    assert_int_equal(ends_at(0), 12);
    assert_int_equal(ends_at(1), 12);
}

TEST(a_frame_that_ends_no_gap_is_answered_by_its_burst_or_its_gap)
{
    kept = (struct tw_weighings) { .frame = 12 };
    place(5, 10, TCPWHY_MS(1));
    tw_weighings_extend(&kept, 14);
    place(14, 20, TCPWHY_MS(1));
    assert_int_equal(ends_at(0), 10);
    kept = (struct tw_weighings) { .frame = 12 };
    place(5, 10, TCPWHY_MS(1));
    place(10, 20, TCPWHY_MS(1));
    place(20, 30, TCPWHY_MS(1));
    assert_int_equal(kept.n, 1);
    assert_int_equal(ends_at(0), 20);
}

TEST(a_frame_beyond_all_gaps_is_answered_by_the_nearest)
{
    kept = (struct tw_weighings) { .frame = 90 };
    place(5, 10, TCPWHY_MS(1));
    place(10, 20, TCPWHY_MS(1));
    assert_int_equal(ends_at(0), 20);
    kept = (struct tw_weighings) { .frame = 2 };
    place(5, 10, TCPWHY_MS(1));
    place(10, 20, TCPWHY_MS(1));
    assert_int_equal(ends_at(0), 10);
}

TEST(a_burst_extends_the_newest_gap_alone)
{
    kept = (struct tw_weighings) { 0 };
    for (uint32_t i = 1; i <= TCPWHY_WEIGHINGS; i++)
        place(i, i + 1, TCPWHY_MS(i));
    tw_weighings_extend(&kept, 9);
    assert_int_equal(kept.weighing[0].gap.burst_frame, 9);
    place(20, 21, 1); /* is not kept */
    tw_weighings_extend(&kept, 25);
    for (uint32_t i = 0; i < kept.n; i++)
        assert_true(kept.weighing[i].gap.burst_frame <= 9);
}
