/* SPDX-License-Identifier: MIT */
/*
 * How surely slow start, or its end, held a segment: a gap that each of them explains, changed in
 * one thing.
 */
#include "tests/unit.h"

#include "tests/unit/made_gap.h"

#define START TCPWHY_SLOW_START
#define EARLY TCPWHY_EARLY_SLOW_START_EXIT

/* A wait of so long. */
static void shorten(struct made_gap *m, tcpwhy_ns wait_ns)
{
    m->gap.from_ns = m->gap.to_ns - wait_ns;
}

/* ---- slow start ---------------------------------------------------------------------------- */

/* The flights: twice as many from round to round. */
static void make_doubling(struct made_gap *m)
{
    make_gap(m);
    for (int i = 0; i < 3; i++) {
        m->round[i].flight_bytes = (10 << i) * CLAIM_MSS;
        m->round[i].most_bytes = i ? m->round[i - 1].flight_bytes : 0;
    }
}

GAP_TEST(flights_that_double_are_slow_start, make_doubling(m))
{
    assert_claims_surely(m, START);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_SERVER);
    lose_before(m);
    assert_leaves(m, START);
    make_gap(m);
    assert_leaves(m, START);
}

/* Flights that grow by a segment, each answered by one ACK. */
static void make_step(struct made_gap *m)
{
    make_gap(m);
    for (int i = 0; i < 3; i++)
        m->round[i].flight_bytes = (10 + i) * CLAIM_MSS;
    m->round[0].first = 1;
    m->record[ACK_BEFORE].ack = m->record[ACK].ack;
}

/* Slow start is refuted. */
static void assert_not_even_rival(struct made_gap *m)
{
    assert_leaves(m, START);
    assert_int_not_equal(m->claim.rival, START);
}

GAP_TEST(a_segment_more_for_each_ack_may_be_slow_start, make_step(m))
{
    assert_claim(m, EARLY, TCPWHY_AMBIGUOUS, START);
    m->record[ACK_BEFORE].ack--;
    assert_not_even_rival(m);
    make_step(m);
    m->round[1].flight_bytes--;
    assert_not_even_rival(m);
    make_step(m);
    m->round[2].flight_bytes = m->round[1].flight_bytes - 1;
    assert_not_even_rival(m);
    make_step(m);
    m->round[1].starved = true;
    assert_not_even_rival(m);
    make_step(m);
    m->round[1].misled_before = true;
    assert_not_even_rival(m);
}

GAP_TEST(doubling_after_idle_may_be_slow_start_after_idle, make_doubling(m))
{
    m->round[1].restarted = true;
    assert_claims_but(m, START, TCPWHY_APP_LIMITED);
}

/* Its queue has run over, and what was sent before that still comes at the path's rate. */
GAP_TEST(doubling_beyond_a_full_path_may_be_the_path, make_doubling(m))
{
    m->gap.busy = true;
    assert_claims_surely(m, START);
    m->gap.episode = &m->episode;
    assert_claims_but(m, START, TCPWHY_BANDWIDTH_LIMITED);
}

GAP_TEST(the_last_round_that_doubles_is_none_of_more, make_doubling(m))
{
    m->round[2].flight_bytes = m->round[1].flight_bytes;
    assert_claims_surely(m, START);
    /* What is in flight now was before. */
    m->round[1].most_bytes = m->round[1].flight_bytes;
    assert_claims_but(m, START, TCPWHY_APP_LIMITED);
    m->round[2].flight_bytes = 2 * m->round[1].flight_bytes;
    m->round[2].most_bytes = m->round[1].flight_bytes;
    assert_claims_surely(m, START);
}

GAP_TEST(without_its_beginning_a_connection_shows_growth_twice, make_doubling(m))
{
    m->connection.side[TCPWHY_SERVER].syn = false;
    assert_claims_surely(m, START);
    m->round[2].flight_bytes = m->round[1].flight_bytes;
    assert_claims_but(m, START, TCPWHY_APP_LIMITED);
    make_doubling(m);
    m->connection.side[TCPWHY_SERVER].syn = false;
    m->round[0].flight_bytes = m->round[1].flight_bytes;
    assert_claims_but(m, START, TCPWHY_APP_LIMITED);
    make_doubling(m);
    m->connection.side[TCPWHY_SERVER].syn = false;
    m->round[1].no_next = true;
    assert_claims_but(m, START, TCPWHY_APP_LIMITED);
}

GAP_TEST(a_pause_in_slow_start_may_be_the_writer_s_or_the_way_s, make_doubling(m))
{
    m->gap.ack_clocked = false;
    assert_claims_but(m, TCPWHY_APP_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = CLAIM_RTT / 2;
    shorten(m, CLAIM_RTT / 8);
    assert_claims_but(m, START, TCPWHY_WIRE);
    shorten(m, CLAIM_RTT / 8 + 1);
    assert_claims_but(m, START, TCPWHY_APP_LIMITED);
    m->gap.ack_clocked = true;
    m->send[1].is |= TW_SEND_PARTIAL;
    m->record[BEFORE].flags |= TW_PSH;
    assert_claims_but(m, START, TCPWHY_APP_LIMITED);
}

/* Pushed or not; but at the end of the window more may stand behind it. */
GAP_TEST(behind_less_than_a_segment_there_may_have_been_nothing, make_doubling(m))
{
    m->send[1].is |= TW_SEND_PARTIAL;
    assert_claims_surely(m, START); /* as large as the next */
    m->send[1].len--;
    assert_claims_but(m, START, TCPWHY_APP_LIMITED);
    m->send[1].edge = m->send[1].end;
    assert_claims_surely(m, START);
    m->send[1].edge++;
    assert_claims_but(m, START, TCPWHY_APP_LIMITED);
}

GAP_TEST(a_burst_was_released_by_one_ack, make_doubling(m))
{
    m->gap.ack_clocked = false;
    shorten(m, tw_burst_ns(&m->context.vantage));
    assert_claims_surely(m, START);
    shorten(m, tw_burst_ns(&m->context.vantage) + 1);
    assert_claims_but(m, START, TCPWHY_WIRE);
}

GAP_TEST(nothing_holds_back_the_first_flight, make_doubling(m))
{
    m->gap.ack_clocked = false;
    m->send[2].end = 1 + 10 * CLAIM_MSS;
    m->send[2].acked = 1;
    shorten(m, CLAIM_RTT / 8);
    assert_leaves(m, START);
    m->gap.ack_clocked = true; /* by an ACK of nothing, that moved the window */
    assert_leaves(m, START);
    m->gap.ack_clocked = false;
    m->send[2].acked = 2;
    assert_claims_but(m, START, TCPWHY_WIRE);
    m->send[2].acked = 1;
    m->send[2].end++;
    assert_claims_but(m, START, TCPWHY_WIRE);
    m->send[2].end--;
    shorten(m, CLAIM_RTT / 8 + 1);
    assert_claims_but(m, START, TCPWHY_APP_LIMITED);
    m->context.vantage.rtt_min_ns = TCPWHY_MS(1);
    shorten(m, TCPWHY_MS(1));
    assert_leaves(m, START);
    shorten(m, TCPWHY_MS(1) + 1);
    assert_claims_but(m, TCPWHY_APP_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
}

/* The ACK that let it go is of the segment before, and was so late. */
static void make_late_ack(struct made_gap *m, tcpwhy_ns late_ns)
{
    make_doubling(m);
    m->record[ACK].ack = m->record[BEFORE].seq + CLAIM_MSS;
    m->record[ACK_BEFORE].ack = m->record[ACK].ack - 2 * CLAIM_MSS;
    for (int i = ACK; i <= LATER; i++)
        m->record[i].time_ns += late_ns;
    m->send[2].sent_ns += late_ns;
    m->gap.to_ns += late_ns;
}

TEST(a_late_ack_in_slow_start_may_be_bandwidth_limited)
{
    struct made_gap m;

    /* A quarter of the round trip that the ACK ended. */
    make_late_ack(&m, CLAIM_RTT / 3 - TCPWHY_US(10));
    assert_claims_surely(&m, START);
    make_late_ack(&m, CLAIM_RTT / 3 + TCPWHY_US(10));
    assert_claims_but(&m, START, TCPWHY_BANDWIDTH_LIMITED);
    /* The way varies by as much. */
    m.context.vantage.jitter_ns[TCPWHY_CLIENT] = CLAIM_RTT / 3 + TCPWHY_US(10);
    assert_claims_surely(&m, START);
    /* At the receiver it is nobody else's. */
    make_late_ack(&m, CLAIM_RTT / 3 + TCPWHY_US(10));
    m.context.vantage.to_side_ns[TCPWHY_CLIENT] = 0;
    assert_claims_but(&m, START, TCPWHY_DELAYED_ACK);
    /* On a short way, what a busy host takes. */
    make_late_ack(&m, TCPWHY_MS(2));
    m.context.vantage.to_side_ns[TCPWHY_CLIENT] = CLAIM_RTT / 2;
    m.context.vantage.rtt_min_ns = TCPWHY_US(100);
    m.gap.from_ns = m.gap.to_ns - TCPWHY_MS(2);
    assert_claims_surely(&m, START);
    make_late_ack(&m, TCPWHY_MS(2) + 1);
    m.context.vantage.rtt_min_ns = TCPWHY_US(100);
    m.gap.from_ns = m.gap.to_ns - TCPWHY_MS(2);
    assert_claims_but(&m, START, TCPWHY_BANDWIDTH_LIMITED);
}

GAP_TEST(an_ack_of_less_than_two_segments_may_have_waited_for_a_timer,
         make_late_ack(m, TW_DELAYED_ACK_NS))
{
    assert_claims_but(m, START, TCPWHY_BANDWIDTH_LIMITED);
    m->record[ACK_BEFORE].ack++;
    assert_claims_but(m, START, TCPWHY_DELAYED_ACK);
    make_late_ack(m, TW_DELAYED_ACK_NS - 1);
    m->record[ACK_BEFORE].ack++;
    assert_claims_but(m, START, TCPWHY_BANDWIDTH_LIMITED);
}

GAP_TEST(an_ack_over_a_repair_tells_no_round_trip, make_late_ack(m, TW_DELAYED_ACK_NS))
{
    m->round[1].repeats = 1;
    assert_claims_surely(m, START);
    m->round[1].repeats = 0;
    m->round[0].repeats = 1;
    assert_claims_surely(m, START);
}

/* ---- out of it too early ------------------------------------------------------------------- */

/* A segment more from round to round. */
static void make_slow(struct made_gap *m)
{
    make_gap(m);
    for (int i = 0; i < 3; i++)
        m->round[i].flight_bytes = (10 + i) * CLAIM_MSS;
}

GAP_TEST(a_segment_more_a_round_trip_without_a_loss_left_slow_start_early, make_slow(m))
{
    assert_claims_but(m, EARLY, TCPWHY_APP_LIMITED);
    lose_before(m);
    assert_leaves(m, EARLY);
    make_slow(m);
    m->round[1].misled_before = true;
    assert_leaves(m, EARLY);
    make_slow(m);
    m->round[1].starved = true;
    assert_leaves(m, EARLY);
    make_slow(m);
    m->round[1].restarted = true;
    assert_leaves(m, EARLY);
    make_slow(m);
    m->round[1].queue_ns = CLAIM_RTT / 8 + 1;
    assert_leaves(m, EARLY);
}

GAP_TEST(only_small_steps_in_a_row_are_congestion_avoidance, make_slow(m))
{
    m->round[0].flight_bytes = m->round[1].flight_bytes;
    assert_leaves(m, EARLY);
    make_slow(m);
    m->round[0].flight_bytes = m->round[1].flight_bytes * 10 / 14;
    assert_leaves(m, EARLY);
    make_slow(m);
    m->round[2].flight_bytes = m->round[1].flight_bytes - 1;
    assert_leaves(m, EARLY);
    m->round[2].flight_bytes = m->round[1].flight_bytes * 14 / 10;
    assert_leaves(m, EARLY);
    m->round[2].flight_bytes--;
    assert_claims_but(m, EARLY, TCPWHY_APP_LIMITED);
}

GAP_TEST(a_flight_as_large_as_before_is_no_growth, make_slow(m))
{
    m->round[1].most_bytes = m->round[1].flight_bytes - 1;
    assert_claims_but(m, EARLY, TCPWHY_APP_LIMITED);
    m->round[1].most_bytes++;
    assert_leaves(m, EARLY);
}
