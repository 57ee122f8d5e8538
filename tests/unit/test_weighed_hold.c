/* SPDX-License-Identifier: MIT */
/*
 * How surely Nagle's algorithm and a cork held a segment: a gap that each of them explains, changed
 * in one thing.
 */
#include "tests/unit.h"

#include "tests/unit/made_gap.h"

#define NAGLE TCPWHY_NAGLE_HOLD
#define BOTH  TCPWHY_NAGLE_DELAYED_ACK
#define CORK  TCPWHY_CORK_HOLD

/* A partial segment leaves so long behind the ACK of the one before. */
static void make_held(struct made_gap *m, tcpwhy_ns since_ack_ns)
{
    make_gap(m);
    m->gap.flight_empty = true;
    m->gap.since_ack_ns = since_ack_ns;
    m->send[1].is |= TW_SEND_PARTIAL;
    m->send[2].is |= TW_SEND_PARTIAL;
}

TEST(data_released_by_the_ack_of_a_small_segment_was_held_by_nagle)
{
    struct made_gap m;

    make_held(&m, TCPWHY_US(10));
    assert_claims_surely(&m, NAGLE);
    assert_int_equal(m.claim.party, TCPWHY_PARTY_SERVER);
    m.send[1].is = TW_SEND_FRESH;
    assert_leaves(&m, NAGLE);
}

TEST(only_news_between_which_an_ack_came_was_held)
{
    struct made_gap m;

    make_held(&m, TCPWHY_US(10));
    m.send[2].is = TW_SEND_PARTIAL;
    assert_leaves(&m, NAGLE);
    make_held(&m, TCPWHY_US(10));
    m.send[1].sent_ns = m.send[2].sent_ns - TCPWHY_US(10);
    assert_leaves(&m, NAGLE);
    make_held(&m, TCPWHY_US(10));
    m.record[ACK].facts = TW_FACT_ACKS_UNSEEN;
    assert_leaves(&m, NAGLE);
    make_held(&m, TCPWHY_US(10));
    m.record[BEFORE].flags |= TW_FIN;
    assert_leaves(&m, NAGLE);
}

TEST(a_sender_with_many_slips_has_nagle_off)
{
    struct made_gap m;

    make_held(&m, TCPWHY_US(10));
    m.context.sends[TCPWHY_SERVER].held = 5;
    m.context.sends[TCPWHY_SERVER].slips = 2;
    assert_leaves(&m, NAGLE);
    m.context.sends[TCPWHY_SERVER].held = 6;
    assert_claims_surely(&m, NAGLE);
}

/* A kernel takes 100 us, as a rule; the wait is 20.01 ms. */
TEST(the_longer_after_the_ack_the_more_it_may_be_chance)
{
    struct made_gap m;

    make_held(&m, TCPWHY_US(200));
    assert_claims_surely(&m, NAGLE);
    m.gap.since_ack_ns = TCPWHY_US(400);
    assert_claims_but(&m, NAGLE, TCPWHY_APP_LIMITED);
    m.gap.since_ack_ns = TCPWHY_MS(5);
    assert_leaves(&m, NAGLE);
}

TEST(what_a_sender_held_before_makes_it_surer)
{
    struct made_gap m;

    make_held(&m, TCPWHY_US(400));
    m.context.sends[TCPWHY_SERVER].held = m.context.sends[TCPWHY_SERVER].nagle_held_alone = 3;
    assert_claims_surely(&m, NAGLE);
    m.gap.since_ack_ns = TCPWHY_MS(1);
    assert_claims_but(&m, NAGLE, TCPWHY_APP_LIMITED);
    m.context.sends[TCPWHY_SERVER].held = m.context.sends[TCPWHY_SERVER].nagle_held_alone = 6;
    assert_claims_surely(&m, NAGLE);
}

/* Its pauses are about as long. */
TEST(who_often_writes_late_may_have_done_so_again)
{
    struct made_gap m;

    make_held(&m, TCPWHY_US(100));
    m.context.sends[TCPWHY_SERVER].held = m.context.sends[TCPWHY_SERVER].nagle_held_alone = 3;
    m.context.sends[TCPWHY_SERVER].late = 3;
    assert_claims_surely(&m, NAGLE);
    m.context.sends[TCPWHY_SERVER].late = 6;
    assert_claims_but(&m, NAGLE, TCPWHY_APP_LIMITED);
}

/* The client says in that record what the server's segment then acknowledges. */
static void say(struct made_gap *m, int record)
{
    m->record[record].len = 1;
    m->record[record].seq = m->record[NOW].ack - 1;
}

TEST(data_that_acknowledges_a_request_may_be_its_answer)
{
    struct made_gap m;

    make_held(&m, TCPWHY_US(10));
    m.record[NOW].ack++;
    assert_claims_but(&m, NAGLE, TCPWHY_APP_LIMITED);
    say(&m, ACK);
    assert_claims_but(&m, NAGLE, TCPWHY_APP_LIMITED);
}

/* A fiftieth of the time since that was said. */
TEST(an_answer_much_later_than_its_request_was_held)
{
    struct made_gap m;

    make_held(&m, TCPWHY_US(10));
    m.record[NOW].ack++;
    say(&m, ACK_BEFORE);
    assert_int_equal(m.record[NOW].time_ns - m.record[ACK_BEFORE].time_ns, TCPWHY_US(510));
    assert_claims_surely(&m, NAGLE);
    m.record[ACK_BEFORE].time_ns += TCPWHY_US(10);
    assert_claims_but(&m, NAGLE, TCPWHY_APP_LIMITED);
}

/* Of an ACK that may have been late each time. */
TEST(without_the_handshake_the_way_may_hold_a_delayed_ack)
{
    struct made_gap m;

    make_held(&m, TCPWHY_US(10));
    m.context.vantage.answered_by[TCPWHY_CLIENT] = TW_BY_ACKS;
    m.context.vantage.to_side_ns[TCPWHY_CLIENT] = TCPWHY_MS(15);
    assert_claims_but(&m, NAGLE, BOTH);
    m.record[NOW].ack++;
    assert_claims_but(&m, NAGLE, BOTH);
    m.record[NOW].ack--;
    m.context.vantage.answered_by[TCPWHY_CLIENT] = TW_BY_SYN;
    assert_claims_surely(&m, NAGLE);
    m.context.vantage.answered_by[TCPWHY_CLIENT] = TW_BY_ACKS;
    m.context.vantage.to_side_ns[TCPWHY_CLIENT]--;
    assert_claims_surely(&m, NAGLE);
}

/* The rest of a message behind few full segments. */
static void make_rest(struct made_gap *m)
{
    make_held(m, TCPWHY_US(10));
    m->send[1].is = TW_SEND_FRESH;
    m->send[1].acked = m->send[1].end - 10 * CLAIM_MSS + 1;
    m->gap.final = true;
}

GAP_TEST(the_rest_of_a_message_may_wait_for_full_segments, make_rest(m))
{
    assert_claims_but(m, NAGLE, TCPWHY_APP_LIMITED);
    m->gap.final = false;
    assert_leaves(m, NAGLE);
    make_rest(m);
    m->gap.ack_clocked = false;
    assert_leaves(m, NAGLE);
    make_rest(m);
    m->send[1].acked--; /* a first window may have been full */
    assert_leaves(m, NAGLE);
    make_rest(m);
    m->send[1].is |= TW_SEND_PARTIAL;
    assert_claims_surely(m, NAGLE);
}

TEST(nagle_holds_nothing_without_unacknowledged_data)
{
    struct made_gap m;

    make_held(&m, TCPWHY_US(10));
    m.gap.flight_empty = false;
    assert_leaves(&m, NAGLE);
    make_rest(&m);
    m.gap.flight_empty = false;
    assert_leaves(&m, NAGLE);
}

/* ---- with a delayed ACK ---------------------------------------------------------------------- */

/* The client acknowledges what it got so long before. */
static void make_delayed(struct made_gap *m, tcpwhy_ns delay_ns)
{
    make_held(m, TCPWHY_US(10));
    m->record[BEFORE].seq = m->record[ACK].ack - CLAIM_MSS;
    m->record[BEFORE].time_ns = m->record[ACK].time_ns - delay_ns - CLAIM_RTT;
}

TEST(thirty_milliseconds_are_a_delayed_ack)
{
    struct made_gap m;

    make_delayed(&m, TCPWHY_MS(30));
    assert_true(claims(&m, BOTH));
    assert_int_equal(m.claim.party, TCPWHY_PARTY_SERVER);
    m.gap.way.ack_late_ns = 1;
    assert_leaves(&m, BOTH);
    make_delayed(&m, TCPWHY_MS(30) - 1);
    assert_leaves(&m, BOTH);
    make_delayed(&m, TCPWHY_MS(30));
    m.send[1].is = TW_SEND_FRESH;
    assert_leaves(&m, BOTH);
}

/* Most of the wait, which is 20.01 ms, and more than the way varies. */
TEST(less_may_be_one_of_a_timer_that_ticks)
{
    struct made_gap m;

    make_delayed(&m, TCPWHY_US(20010) / 2);
    assert_claims_surely(&m, NAGLE);
    make_delayed(&m, TCPWHY_US(20010) / 2 + 1);
    assert_claims_but(&m, NAGLE, BOTH);
    m.gap.way.ack_late_ns = 1;
    assert_claims_surely(&m, NAGLE);
    m.gap.way.ack_late_ns = 0;
    m.context.vantage.jitter_ns[TCPWHY_CLIENT] = TCPWHY_MS(11);
    assert_claims_surely(&m, NAGLE);
}

TEST(within_two_milliseconds_a_busy_host_acknowledges)
{
    struct made_gap m;

    make_delayed(&m, TCPWHY_MS(2));
    m.gap.from_ns = m.gap.to_ns - TCPWHY_MS(3);
    assert_claims_surely(&m, NAGLE);
    make_delayed(&m, TCPWHY_MS(2) + 1);
    m.gap.from_ns = m.gap.to_ns - TCPWHY_MS(3);
    assert_claims_but(&m, NAGLE, BOTH);
}

TEST(forty_milliseconds_on_a_short_way_are_surely_one)
{
    struct made_gap m;

    make_delayed(&m, TCPWHY_MS(40));
    m.context.vantage.rtt_min_ns = m.context.vantage.rtt_median_ns = TCPWHY_MS(1);
    assert_claims_surely(&m, BOTH);
    m.record[NOW].ack++;
    assert_claims_but(&m, BOTH, TCPWHY_DELAYED_ACK);
}

TEST(a_delay_that_no_timer_makes_may_be_the_way_s)
{
    struct made_gap m;

    make_delayed(&m, TCPWHY_MS(220));
    assert_claims_surely(&m, BOTH);
    make_delayed(&m, TCPWHY_MS(220) + 1);
    assert_claims_but(&m, BOTH, NAGLE);
    m.record[NOW].ack++;
    assert_claims_but(&m, BOTH, TCPWHY_DELAYED_ACK);
    make_delayed(&m, TCPWHY_MS(40));
    m.context.vantage.rtt_min_ns = TCPWHY_MS(40);
    assert_claims_surely(&m, BOTH);
    m.context.vantage.rtt_min_ns++;
    assert_claims_but(&m, BOTH, NAGLE);
}

TEST(behind_a_queue_on_the_way_back_one_may_have_stood_on_the_way_there)
{
    struct made_gap m;

    make_delayed(&m, TCPWHY_MS(90));
    m.gap.way.ack_late_ns = TCPWHY_MS(30) - 1;
    assert_claims_surely(&m, BOTH);
    m.gap.way.ack_late_ns++;
    assert_claims_but(&m, BOTH, NAGLE);
}

/* ---- a cork ---------------------------------------------------------------------------------- */

/* A small segment leaves 215 ms after all was acknowledged, by ticks of a timer. */
static void make_corked(struct made_gap *m, tcpwhy_ns since_ack_ns)
{
    make_held(m, since_ack_ns);
    m->context.timer_ticks[TCPWHY_SERVER] = TW_TIMER_TICKS_SHOWN;
}

/* 200 ms and a round trip, and an eighth and a tick more. */
#define LONGEST (TCPWHY_MS(220) + TCPWHY_US(27500) + TCPWHY_MS(4))

TEST(a_cork_holds_for_two_tenths_of_a_second)
{
    struct made_gap m;

    make_corked(&m, TCPWHY_MS(215));
    assert_claims_but(&m, CORK, TCPWHY_APP_LIMITED);
    assert_int_equal(m.claim.party, TCPWHY_PARTY_SERVER);
    m.gap.since_ack_ns--;
    assert_leaves(&m, CORK);
    m.gap.since_ack_ns = LONGEST;
    assert_claims_but(&m, CORK, TCPWHY_APP_LIMITED);
    m.gap.since_ack_ns++;
    assert_leaves(&m, CORK);
    m.context.timer_ticks[TCPWHY_SERVER] = TW_TIMER_TICKS_SURE;
    m.context.vantage.rtt_min_ns = TCPWHY_MS(40); /* eight round trips, and an eighth */
    m.gap.since_ack_ns = TCPWHY_MS(364);
    assert_claims_but(&m, CORK, TCPWHY_APP_LIMITED);
    m.gap.since_ack_ns++;
    assert_leaves(&m, CORK);
    m.context.vantage.rtt_min_ns = CLAIM_RTT;
    m.gap.since_ack_ns = TCPWHY_MS(215);
    m.context.timer_ticks[TCPWHY_SERVER] = TW_TIMER_TICKS_NONE;
    assert_leaves(&m, CORK);
    m.context.timer_ticks[TCPWHY_SERVER] = TW_TIMER_TICKS_SHOWN;
    m.context.vantage.rtt_min_ns = TCPWHY_NS_UNKNOWN;
    assert_leaves(&m, CORK);
}

/* Programs that wait for whole milliseconds from delayed ACKs on go by their ticks, too. */
TEST(a_sender_with_nagle_has_no_cork)
{
    struct made_gap m;

    make_corked(&m, TCPWHY_MS(215));
    m.context.timer_ticks[TCPWHY_SERVER] = TW_TIMER_TICKS_SURE;
    m.context.sends[TCPWHY_SERVER].nagle_held_alone = 2;
    assert_claims_but(&m, CORK, TCPWHY_APP_LIMITED);
    m.context.sends[TCPWHY_SERVER].nagle_held_alone = 3;
    assert_leaves(&m, CORK);
}

GAP_TEST(a_whole_response_may_be_held_by_a_cork, make_corked(m, TCPWHY_NS_UNKNOWN))
{
    m->gap.phase = TW_PHASE_TURN;
    m->gap.from_ns = m->gap.to_ns - TCPWHY_MS(235);
    m->gap.propagation_ns = CLAIM_RTT;
    assert_claims_but(m, TCPWHY_SERVER_THINK, CORK); /* a few think times may be alike */
    m->context.timer_ticks[TCPWHY_SERVER] = TW_TIMER_TICKS_SURE;
    assert_claims_but(m, CORK, TCPWHY_SERVER_THINK);
    assert_int_equal(m->claim.from_ns, m->gap.from_ns + CLAIM_RTT);
    m->gap.propagation_ns++;
    assert_leaves(m, CORK);
    m->gap.propagation_ns--;
    m->gap.sender = TCPWHY_CLIENT;
    m->context.timer_ticks[TCPWHY_CLIENT] = TW_TIMER_TICKS_SURE;
    assert_claims_but(m, CORK, TCPWHY_CLIENT_THINK);
}

/* The segment before was full and not pushed: that is the last of what was to go then. */
TEST(the_last_of_what_was_left_over_needs_no_ticks)
{
    struct made_gap m;

    make_corked(&m, TCPWHY_MS(215));
    m.context.timer_ticks[TCPWHY_SERVER] = TW_TIMER_TICKS_NONE;
    m.send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    m.record[NOW].flags |= TW_PSH;
    assert_claims_but(&m, CORK, TCPWHY_APP_LIMITED);
    m.record[BEFORE].flags |= TW_PSH;
    assert_leaves(&m, CORK);
    m.record[BEFORE].flags = TW_ACK;
    m.record[NOW].flags = TW_ACK;
    assert_leaves(&m, CORK);
    m.record[NOW].flags |= TW_PSH;
    m.gap.since_ack_ns = LONGEST + 1;
    assert_leaves(&m, CORK);
    m.gap.since_ack_ns = LONGEST;
    m.context.vantage.to_side_ns[TCPWHY_SERVER] = 1; /* more may have been lost */
    assert_leaves(&m, CORK);
    m.record[NOW].ip_id = (uint16_t)(m.record[BEFORE].ip_id + 1); /* no */
    assert_claims_but(&m, CORK, TCPWHY_APP_LIMITED);
}

/* Nobody waits for the next question: programs sleep so long, too. */
GAP_TEST(a_request_may_be_held_where_the_cork_timer_is_certain, make_corked(m, TCPWHY_NS_UNKNOWN))
{
    m->gap.phase = TW_PHASE_IDLE;
    m->gap.from_ns = m->gap.to_ns - TCPWHY_MS(215);
    assert_leaves(m, CORK);
    m->context.timer_ticks[TCPWHY_SERVER] = TW_TIMER_TICKS_SURE;
    assert_claims_but(m, CORK, TCPWHY_CLIENT_IDLE);
    m->gap.flight_empty = false;
    assert_leaves(m, CORK);
    m->context.sends[TCPWHY_SERVER].heard = false; /* not asked */
    assert_claims_but(m, CORK, TCPWHY_CLIENT_IDLE);
}

/* Is a cork not refuted? */
static bool corks(const struct made_gap *m)
{
    struct tw_asked asked = { 0 };
    struct tw_release release = { 0 };
    uint32_t left = tw_asked_of(&asked, &m->gap);

    for (unsigned i = 0; i < tw_n_hypotheses; i++)
        if (tw_hypotheses[i]->cause == CORK)
            return left >> i & 1 && !tw_hypotheses[i]->weigh(&m->gap, &release);
    return false;
}

/* At a program's beat, and as late as a cork makes it: by a round trip more behind a SYN that
 * waited for an address of the link. */
GAP_TEST(a_question_on_ticks_may_be_held_at_whatever_beat, make_corked(m, TCPWHY_NS_UNKNOWN))
{
    m->gap.phase = TW_PHASE_IDLE;
    m->gap.from_ns = m->gap.to_ns - m->gap.propagation_ns - LONGEST - CLAIM_RTT;
    assert_true(corks(m));
    m->gap.from_ns--;
    assert_false(corks(m));
    m->gap.from_ns++;
    m->context.timer_ticks[TCPWHY_SERVER] = TW_TIMER_TICKS_NONE;
    assert_false(corks(m));
}

GAP_TEST(half_of_a_longer_wait_may_be_a_cork_s, make_corked(m, 2 * LONGEST))
{
    assert_false(corks(m));
    m->context.timer_ticks[TCPWHY_SERVER] = TW_TIMER_TICKS_SURE;
    assert_true(corks(m));
    m->gap.since_ack_ns++;
    assert_false(corks(m));
    m->gap.since_ack_ns = TCPWHY_MS(215) - 1;
    assert_false(corks(m));
    m->gap.since_ack_ns++;
    assert_true(corks(m));
    m->send[2].is &= (uint8_t)~TW_SEND_PARTIAL;
    assert_false(corks(m));
}
