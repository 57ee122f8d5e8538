/* SPDX-License-Identifier: MIT */
/*
 * What is said of a pause within a message behind which Nagle's algorithm may stand, and not the
 * program: one that is surely the program's, changed in one thing.
 */
#include "tests/unit.h"

#include "tests/unit/made_pause.h"

static void make_held(struct made_gap *m)
{
    make_pause(m);
    m->gap.flight_empty = false;
    m->send[2].is |= TW_SEND_PARTIAL;
    m->context.sends[TCPWHY_SERVER].held = 3;
}

GAP_TEST(a_sender_with_nagle_may_hold_this_segment, make_held(m))
{
    assert_claims_but(m, PAUSE, TCPWHY_NAGLE_HOLD);
    pause_for(m, TCPWHY_MS(30));
    assert_claims_but(m, PAUSE, TCPWHY_NAGLE_DELAYED_ACK);
    m->gap.flight_empty = true;
    assert_claims_surely(m, PAUSE);
}

GAP_TEST(a_sender_with_nagle_off_holds_nothing, make_held(m))
{
    m->context.sends[TCPWHY_SERVER].held = 2;
    assert_claims_surely(m, PAUSE);
    make_held(m);
    m->context.sends[TCPWHY_SERVER].slips = 1;
    assert_claims_but(m, PAUSE, TCPWHY_NAGLE_HOLD);
    m->context.sends[TCPWHY_SERVER].slips = 2;
    assert_claims_surely(m, PAUSE);
}

GAP_TEST(only_behind_a_small_segment_is_a_small_one_held, make_held(m))
{
    m->send[2].is = TW_SEND_FRESH;
    assert_claims_surely(m, PAUSE);
    make_held(m);
    m->send[1].is = TW_SEND_FRESH;
    m->send[2].acked = m->send[1].end - CLAIM_MSS;
    assert_claims_surely(m, PAUSE);
}

/* Away from who holds them: the ACK may have come later than it seems. */
GAP_TEST(a_small_segment_may_be_held_by_as_late_an_ack_as_ways_vary, make_remote_pause(m))
{
    m->context.vantage.jitter_ns[TCPWHY_SERVER] = TCPWHY_MS(10);
    assert_claims_but(m, TCPWHY_NAGLE_HOLD, PAUSE);
    m->context.vantage.jitter_ns[TCPWHY_SERVER] = TCPWHY_MS(1);
    assert_claim(m, PAUSE, TCPWHY_AMBIGUOUS, TCPWHY_NAGLE_HOLD);
    m->context.vantage.jitter_ns[TCPWHY_SERVER] = TCPWHY_MS(10);
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    m->round[1].most_bytes = 13 * CLAIM_MSS; /* nor was a window full */
    assert_claims_surely(m, PAUSE);
    m->send[1].is |= TW_SEND_PARTIAL;
    m->send[2].is = TW_SEND_SPURIOUS; /* no news */
    assert_claims_surely(m, PAUSE);
}

GAP_TEST(an_ack_may_queue_behind_other_connections_of_its_host, make_remote_pause(m))
{
    m->record[NOW].tx_delay[TCPWHY_CLIENT] =
        TCPWHY_MS(29) / TW_HOST_TX_DELAY_STEP_NS; /* 9 and an eighth */
    assert_claims_but(m, PAUSE, TCPWHY_NAGLE_HOLD);
    m->record[NOW].tx_delay[TCPWHY_CLIENT] = TCPWHY_MS(26) / TW_HOST_TX_DELAY_STEP_NS;
    assert_claims_surely(m, PAUSE);
    m->record[BEFORE].tx_delay[TCPWHY_CLIENT] = TCPWHY_MS(29) / TW_HOST_TX_DELAY_STEP_NS;
    assert_claims_but(m, PAUSE, TCPWHY_NAGLE_HOLD);
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL; /* no algorithm held it, but perhaps a window */
    m->round[1].most_bytes = 13 * CLAIM_MSS;
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->record[BEFORE].tx_delay[TCPWHY_CLIENT] = 0;
    assert_claims_surely(m, PAUSE);
}

/* Few samples tell the way, and it is shorter than they say. */
GAP_TEST(an_ack_that_passed_just_before_may_have_come_in_time, make_remote_pause(m))
{
    m->gap.flight_empty = false;
    assert_claims_surely(m, PAUSE);
    m->record[ACK].ack = m->record[NOW].seq;
    assert_claims_but(m, PAUSE, TCPWHY_NAGLE_HOLD);
    pause_for(m, TCPWHY_MS(30));
    assert_claims_but(m, PAUSE, TCPWHY_NAGLE_DELAYED_ACK);
    m->context.sends[TCPWHY_SERVER].slips = 1;
    assert_claims_surely(m, PAUSE);
    m->context.sends[TCPWHY_SERVER].slips = 0;
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = 0;
    assert_claims_surely(m, PAUSE);
}
