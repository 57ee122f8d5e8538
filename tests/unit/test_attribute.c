/* SPDX-License-Identifier: MIT */
/*
 * From a wait to spans: what of it is the way's, what repairs cut out, how sure its cause is where
 * the capture lacks something, and which waits are of one burst.
 */
#include "tests/unit.h"

#include "explain/attribute/attribute.h"
#include "tests/unit/made_gap.h"

struct charged {
    struct made_gap made;
    struct tw_asked asked;
    struct tw_scratch scratch;
    struct tw_explanation out;
    struct tw_attribution attribution;
};

/* The server thinks for 100 ms, over a way of 20 ms, far from it. */
static void make_turn(struct charged *c)
{
    *c = (struct charged) { .scratch = { 0 } };
    make_wait_remote(&c->made);
    c->out.scratch = &c->scratch;
    c->made.context.asked = &c->asked;
    c->made.context.vantage.answered_by[TCPWHY_SERVER] = TW_BY_SYN;
    c->made.gap.phase = TW_PHASE_TURN;
    c->made.gap.from_ns = TCPWHY_MS(100);
    c->made.gap.to_ns = TCPWHY_MS(220);
    c->made.gap.propagation_ns = CLAIM_RTT;
}

/* Told as the server's own pause within a message. */
static void make_message(struct charged *c)
{
    make_turn(c);
    c->made.gap.phase = TW_PHASE_MESSAGE;
    c->made.gap.propagation_ns = 0;
    c->made.gap.ack_clocked = false;
    c->made.gap.flight_empty = true;
    c->made.gap.since_ack_ns = TCPWHY_MS(90);
    c->made.send[1].sent_ns = TCPWHY_MS(90);
    c->made.send[2].sent_ns = TCPWHY_MS(210);
    c->made.send[1].is |= TW_SEND_PARTIAL;
    c->made.record[BEFORE].flags |= TW_PSH;
}

static void tell(struct charged *c)
{
    struct tw_gap gap = c->made.gap;

    tw_attribute_begin(&c->attribution, &c->made.context, &c->out);
    c->attribution.sink.take(&c->attribution.sink, &gap);
}

static void assert_span(const struct charged *c, uint32_t i, enum tcpwhy_cause cause,
                        enum tcpwhy_confidence confidence, enum tcpwhy_cause rival, tcpwhy_ns to_ns)
{
    const struct tw_span *s = &c->out.span[i];

    assert_true(i < c->out.n_spans);
    assert_int_equal(s->cause, cause);
    assert_int_equal(s->confidence, confidence);
    assert_int_equal(s->rival, rival);
    assert_int_equal(s->to_ns, to_ns);
    assert_int_equal(s->from_ns, i ? s[-1].to_ns : c->made.gap.from_ns);
}

/* The last one. */
static void assert_told(struct charged *c, enum tcpwhy_cause cause, enum tcpwhy_confidence sure,
                        enum tcpwhy_cause rival)
{
    tell(c);
    assert_span(c, c->out.n_spans - 1, cause, sure, rival, c->made.gap.to_ns);
    tw_scratch_clear(&c->scratch);
}

#define assert_told_surely(c, cause)     assert_told(c, cause, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE)
#define assert_told_but(c, cause, rival) assert_told(c, cause, TCPWHY_LIKELY, rival)

/* ---- the way --------------------------------------------------------------------------------- */

static void assert_way(enum tw_answerer by, bool at_once, tcpwhy_ns propagation_ns,
                       enum tcpwhy_confidence sure)
{
    struct charged c;

    make_turn(&c);
    c.made.context.vantage.answered_by[TCPWHY_SERVER] = by;
    c.made.gap.turn.at_once = at_once;
    c.made.gap.propagation_ns = propagation_ns;
    tell(&c);
    assert_int_equal(c.out.n_spans, 2);
    assert_span(&c, 0, TCPWHY_WIRE, sure,
                sure == TCPWHY_CERTAIN ? TCPWHY_CAUSE_NONE : TCPWHY_SERVER_THINK,
                TCPWHY_MS(100) + propagation_ns);
    tw_scratch_clear(&c.scratch);
}

TEST(a_one_way_delay_is_as_certain_as_the_acks_that_measured_it)
{
    assert_way(TW_BY_SYN, false, CLAIM_RTT, TCPWHY_CERTAIN);
    assert_way(TW_BY_ACKS, false, CLAIM_RTT, TCPWHY_CERTAIN);
    assert_way(TW_BY_PROGRAM, false, CLAIM_RTT, TCPWHY_AMBIGUOUS);
    assert_way(TW_BY_PROGRAM, false, TCPWHY_MS(1), TCPWHY_CERTAIN);
    assert_way(TW_BY_PROGRAM, false, TCPWHY_MS(1) + 1, TCPWHY_AMBIGUOUS);
}

TEST(in_full_duplex_a_response_may_belong_to_an_earlier_request)
{
    assert_way(TW_BY_SYN, true, CLAIM_RTT, TCPWHY_LIKELY);
    assert_way(TW_BY_PROGRAM, true, CLAIM_RTT, TCPWHY_AMBIGUOUS);
}

TEST(queueing_on_the_path_is_bandwidth_limited)
{
    struct charged c;

    make_turn(&c);
    c.made.gap.propagation_ns = TCPWHY_MS(50);
    c.made.gap.way.late_ns = TCPWHY_MS(30);
    tell(&c);
    assert_int_equal(c.out.n_spans, 2);
    tw_scratch_clear(&c.scratch);
    make_turn(&c);
    c.made.gap.propagation_ns = TCPWHY_MS(50);
    c.made.gap.way.late_ns = TCPWHY_MS(30);
    c.made.gap.way.queued = true;
    tell(&c);
    assert_int_equal(c.out.n_spans, 3);
    assert_span(&c, 0, TCPWHY_WIRE, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE, TCPWHY_MS(120));
    assert_span(&c, 1, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE, TCPWHY_MS(150));
    assert_span(&c, 2, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE, TCPWHY_MS(220));
    tw_scratch_clear(&c.scratch);
}

/* ---- what the capture lacks ------------------------------------------------------------------ */

#define CHARGED_TEST(name, make) TEST_WITH(name, struct charged, c, make, (void)c)

CHARGED_TEST(a_capture_of_one_direction_gives_no_certain_verdict, make_turn(c))
{
    assert_told_surely(c, TCPWHY_SERVER_THINK);
    make_turn(c);
    c->made.context.prescan.half = true;
    assert_told_but(c, TCPWHY_SERVER_THINK, TCPWHY_CAPTURE_GAP);
}

CHARGED_TEST(a_gap_is_the_capture_s_for_certain, make_turn(c))
{
    c->made.context.prescan.half = true;
    c->made.gap.missing = true;
    assert_told_surely(c, TCPWHY_CAPTURE_GAP);
}

CHARGED_TEST(a_round_with_missing_frames_gives_no_certain_verdict, make_message(c))
{
    assert_told_surely(c, TCPWHY_APP_LIMITED);
    make_message(c);
    c->made.round[1].missing = true;
    assert_told_but(c, TCPWHY_APP_LIMITED, TCPWHY_CAPTURE_GAP);
    make_turn(c);
    c->made.round[1].missing = true; /* nor does it tell whose turn it was */
    assert_told_surely(c, TCPWHY_SERVER_THINK);
}

CHARGED_TEST(a_likely_cause_keeps_its_rival, make_turn(c))
{
    c->made.gap.turn.guessed = true;
    c->made.gap.to_ns = TCPWHY_MS(400);
    c->made.context.prescan.half = true;
    assert_told_but(c, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
}

CHARGED_TEST(a_message_may_continue_after_the_capture, make_turn(c))
{
    c->made.gap.turn.cut = true;
    assert_told_but(c, TCPWHY_SERVER_THINK, TCPWHY_APP_LIMITED);
    make_message(c);
    c->made.gap.turn.cut = true;
    assert_told_surely(c, TCPWHY_APP_LIMITED);
}

/* ---- both talk at once ----------------------------------------------------------------------- */

CHARGED_TEST(a_silence_of_one_may_be_a_wait_for_the_other_or_nobody, make_turn(c))
{
    c->made.gap.turn.at_once = true;
    assert_told_but(c, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
    make_turn(c);
    c->made.gap.turn.at_once = true;
    c->made.gap.propagation_ns = TCPWHY_MS(119);
    assert_told_surely(c, TCPWHY_SERVER_THINK); /* a millisecond */
    make_turn(c);
    c->made.gap.turn.at_once = true;
    c->made.gap.phase = TW_PHASE_IDLE;
    assert_told_but(c, TCPWHY_CLIENT_IDLE, TCPWHY_SERVER_THINK);
    make_message(c);
    c->made.gap.turn.at_once = true;
    assert_told_but(c, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    make_turn(c);
    c->made.gap.turn.at_once = true;
    c->made.gap.sender = TCPWHY_CLIENT;
    c->made.gap.send = c->made.gap.before = NULL;
    c->made.gap.round = NULL;
    assert_told_but(c, TCPWHY_CLIENT_THINK, TCPWHY_SERVER_THINK);
}

/* ---- repairs --------------------------------------------------------------------------------- */

/* From 130 to 190 ms one side repairs something. */
static void lose(struct charged *c, enum tcpwhy_side side)
{
    c->made.episode = (struct tw_recovery_episode) {
        .from_ns = TCPWHY_MS(130), .to_ns = TCPWHY_MS(190), .sender = side, .repair_record = NOW
    };
    c->made.context.recovery[side] = (struct tw_recovery) { .episode = &c->made.episode, .n = 1 };
}

TEST(a_recovery_takes_its_time_out_of_a_wait)
{
    struct charged c;

    for (int side = 0; side < 2; side++) {
        make_turn(&c);
        lose(&c, (enum tcpwhy_side)side);
        tell(&c);
        assert_int_equal(c.out.n_spans, 4);
        assert_span(&c, 1, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE, TCPWHY_MS(130));
        assert_span(&c, 2, TCPWHY_LOSS_RECOVERY, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE, TCPWHY_MS(190));
        assert_int_equal(c.out.span[2].from, side);
        assert_span(&c, 3, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE, TCPWHY_MS(220));
        tw_scratch_clear(&c.scratch);
    }
}

TEST(a_way_that_is_longer_than_a_repair_goes_on_behind_it)
{
    struct charged c;

    make_turn(&c);
    lose(&c, TCPWHY_CLIENT);
    c.made.gap.propagation_ns = TCPWHY_MS(105);
    tell(&c);
    assert_span(&c, c.out.n_spans - 2, TCPWHY_WIRE, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE,
                TCPWHY_MS(205));
    assert_span(&c, c.out.n_spans - 1, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE,
                TCPWHY_MS(220));
    tw_scratch_clear(&c.scratch);
}

TEST(only_the_sender_s_recoveries_count_within_a_message)
{
    struct charged c;

    make_message(&c);
    lose(&c, TCPWHY_CLIENT);
    tell(&c);
    assert_int_equal(c.out.n_spans, 1);
    tw_scratch_clear(&c.scratch);
    make_message(&c);
    lose(&c, TCPWHY_SERVER);
    tell(&c);
    assert_int_equal(c.out.n_spans, 3);
    assert_span(&c, 1, TCPWHY_LOSS_RECOVERY, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE, TCPWHY_MS(210));
    tw_scratch_clear(&c.scratch);
}

TEST(a_sender_here_repairs_until_its_ack_passes)
{
    struct charged c;

    make_message(&c);
    lose(&c, TCPWHY_SERVER);
    c.made.context.vantage.to_side_ns[TCPWHY_SERVER] = 0;
    tell(&c);
    assert_int_equal(c.out.span[1].to_ns, TCPWHY_MS(190));
    tw_scratch_clear(&c.scratch);
}

TEST(a_recovery_with_missing_frames_gives_no_certain_verdict)
{
    struct charged c;

    make_turn(&c);
    lose(&c, TCPWHY_SERVER);
    c.made.episode.missing = true;
    c.made.gap.turn.cut = true;
    tell(&c);
    assert_span(&c, 2, TCPWHY_LOSS_RECOVERY, TCPWHY_LIKELY, TCPWHY_CAPTURE_GAP, TCPWHY_MS(190));
    tw_scratch_clear(&c.scratch);
    make_turn(&c);
    lose(&c, TCPWHY_SERVER);
    c.made.gap.turn.cut = true;
    tell(&c);
    assert_span(&c, 2, TCPWHY_LOSS_RECOVERY, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE, TCPWHY_MS(190));
    tw_scratch_clear(&c.scratch);
}

/* ---- bursts ---------------------------------------------------------------------------------- */

/* A segment follows after_ns after the pause, which was the program's; 'change' changes that gap.
 * @return the number of spans. */
static uint32_t follow(struct charged *c, tcpwhy_ns after_ns, void (*change)(struct tw_gap *w))
{
    struct tw_gap gap;
    uint32_t n;

    make_message(c);
    tell(c);
    gap = c->made.gap;
    gap.from_ns = gap.to_ns;
    gap.to_ns += after_ns;
    gap.ack_clocked = true; /* it has a cause of its own */
    gap.flight_empty = false;
    c->made.round[1].loss_before = c->made.round[2].loss_before = true;
    if (change)
        change(&gap);
    c->attribution.sink.take(&c->attribution.sink, &gap);
    n = c->out.n_spans;
    tw_scratch_clear(&c->scratch);
    return n;
}

static void leave_out(struct tw_gap *w)
{
    w->missing = true;
}

static void pass_turn(struct tw_gap *w)
{
    w->phase = TW_PHASE_TURN;
}

static void begin_round(struct tw_gap *w)
{
    w->round++;
}

TEST(the_first_segment_of_a_burst_tells_for_all)
{
    struct charged c;
    tcpwhy_ns burst_ns = CLAIM_RTT / TW_BURST_SHARE;

    assert_int_equal(follow(&c, burst_ns, NULL), 1);
    assert_int_equal(follow(&c, burst_ns + 1, NULL), 2);
    assert_int_equal(follow(&c, burst_ns, leave_out), 2);
    assert_int_equal(follow(&c, burst_ns, pass_turn), 2);
    assert_int_equal(follow(&c, burst_ns, begin_round), 2);
}

TEST(over_a_way_of_unknown_length_no_pause_within_a_second_tells)
{
    struct charged c;

    make_message(&c);
    c.made.context.vantage.rtt_min_ns = TCPWHY_NS_UNKNOWN;
    c.made.gap.to_ns = c.made.gap.from_ns + TCPWHY_S(1) - 1;
    assert_told(&c, TCPWHY_UNKNOWN, TCPWHY_AMBIGUOUS, TCPWHY_CAUSE_NONE);
    make_message(&c);
    c.made.context.vantage.rtt_min_ns = TCPWHY_NS_UNKNOWN;
    c.made.gap.to_ns = c.made.gap.from_ns + TCPWHY_S(1);
    tell(&c);
    assert_int_equal(c.out.span[0].cause, TCPWHY_APP_LIMITED);
    tw_scratch_clear(&c.scratch);
}

CHARGED_TEST(turns_over_a_way_of_unknown_length_tell_where_its_sender_was_timed, make_turn(c))
{
    c->made.context.vantage.rtt_min_ns = TCPWHY_NS_UNKNOWN;
    c->made.context.vantage.timed[TCPWHY_SERVER] = true;
    assert_told(c, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE);
    make_turn(c);
    c->made.context.vantage.rtt_min_ns = TCPWHY_NS_UNKNOWN;
    assert_told(c, TCPWHY_UNKNOWN, TCPWHY_AMBIGUOUS, TCPWHY_CAUSE_NONE);
}
