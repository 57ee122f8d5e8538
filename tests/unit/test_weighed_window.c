/* SPDX-License-Identifier: MIT */
/*
 * How surely the receiver's window, open or closed, or the sender's buffer held a segment: a gap
 * that each of them explains, changed in one thing.
 */
#include "tests/unit.h"

#include "tests/unit/made_gap.h"

#define WINDOW TCPWHY_RECEIVE_WINDOW_LIMITED
#define BUFFER TCPWHY_SEND_BUFFER_LIMITED
#define CLOSED TCPWHY_ZERO_WINDOW

/* The edge moved with the ACK, and there had been no room for this before. */
static void make_blocked(struct made_gap *m)
{
    make_gap(m);
    m->send[1].edge = m->send[1].end;
    m->send[2].allowed_ns = m->record[ACK].time_ns;
}

GAP_TEST(data_released_by_a_window_update_was_window_limited, make_blocked(m))
{
    assert_claims_surely(m, WINDOW);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_CLIENT);
}

GAP_TEST(a_repeat_was_not_held_by_the_window, make_blocked(m))
{
    m->send[2].is = TW_SEND_REPEAT;
    assert_leaves(m, WINDOW);
}

GAP_TEST(room_that_was_there_before_held_nothing, make_blocked(m))
{
    m->send[2].allowed_ns = m->send[1].sent_ns;
    assert_leaves(m, WINDOW);
    m->send[2].allowed_ns = TCPWHY_NS_UNKNOWN;
    assert_leaves(m, WINDOW);
    m->send[2].allowed_ns = m->send[1].sent_ns = m->send[2].sent_ns - CLAIM_RTT / 4;
    assert_leaves(m, WINDOW);
}

GAP_TEST(data_long_after_a_window_update_was_not_window_limited, make_blocked(m))
{
    m->send[2].allowed_ns = m->send[2].sent_ns - CLAIM_RTT / 4;
    assert_claims_surely(m, WINDOW);
    m->send[2].allowed_ns--;
    assert_leaves(m, WINDOW);
    /* On a LAN the host's own time counts. */
    m->context.vantage.rtt_min_ns = TCPWHY_US(100);
    m->send[2].allowed_ns = m->send[2].sent_ns - TCPWHY_MS(1);
    assert_claims_surely(m, WINDOW);
    m->send[2].allowed_ns--;
    assert_leaves(m, WINDOW);
}

GAP_TEST(an_edge_that_moved_late_may_have_stood_in_a_queue, make_blocked(m))
{
    m->send[2].ack_late_ms = 2 * CLAIM_RTT / 8 / TCPWHY_MS(1);
    assert_claims_surely(m, WINDOW);
    m->send[2].ack_late_ms += 2;
    assert_claims_but(m, WINDOW, TCPWHY_BANDWIDTH_LIMITED);
}

/* Linux waits for room for more; the round came to the window's edge. */
GAP_TEST(in_a_round_at_the_edge_an_ack_lets_go, make_gap(m))
{
    assert_leaves(m, WINDOW);
    m->round[1].window_full = true;
    m->send[1].edge = m->send[1].end + CLAIM_MSS - 1;
    assert_claims_surely(m, WINDOW);
    m->gap.ack_clocked = false;
    assert_leaves(m, WINDOW);
    m->gap.from_ns = m->gap.to_ns - CLAIM_RTT / 4;
    assert_claims_surely(m, WINDOW);
}

GAP_TEST(a_window_open_for_half_a_round_trip_held_nothing, make_gap(m))
{
    m->round[1].window_full = true;
    assert_leaves(m, WINDOW);
    m->send[1].edge = INT64_MAX;
    assert_claims_surely(m, WINDOW);
    m->send[1].edge = m->send[1].end + CLAIM_MSS;
    assert_leaves(m, WINDOW);
    m->gap.from_ns = m->gap.to_ns - CLAIM_RTT / 4; /* within a burst */
    assert_claims_surely(m, WINDOW);
    m->gap.from_ns--;
    assert_leaves(m, WINDOW);
    m->send[1].sent_ns = m->send[2].sent_ns - CLAIM_RTT / 2;
    assert_claims_surely(m, WINDOW);
    make_wait_remote(m);
    m->round[1].window_full = true;
    assert_leaves(m, WINDOW); /* two thirds of it are unused */
    m->send[1].edge = m->send[1].end + CLAIM_MSS;
    assert_claims_but(m, WINDOW, TCPWHY_APP_LIMITED);
}

/* It filled the last room, of which only the ACK behind it tells. */
GAP_TEST(an_inferred_window_edge_leaves_the_application_in_doubt, make_gap(m))
{
    m->send[1].is = TW_SEND_FRESH | TW_SEND_PARTIAL;
    m->record[BEFORE].flags |= TW_PSH;
    m->round[1].window_full = true;
    m->send[2].edge = m->send[1].edge = INT64_MAX;
    assert_claims_but(m, WINDOW, TCPWHY_APP_LIMITED);
    m->gap.turn.guessed = true;
    assert_claims_but(m, WINDOW, TCPWHY_APP_LIMITED);
    m->record[BEFORE].flags &= (uint16_t)~TW_PSH;
    assert_claims_surely(m, WINDOW);
}

/* ---- the sender's buffer ------------------------------------------------------------------- */

static void make_flat(struct made_gap *m)
{
    make_gap(m);
    m->round[1].flat.rounds = 10;
}

GAP_TEST(the_same_flight_over_ten_round_trips_is_a_ceiling, make_flat(m))
{
    assert_claims_surely(m, BUFFER);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_SERVER);
    m->round[1].flat.rounds = 9;
    assert_claims_but(m, BUFFER, TCPWHY_APP_LIMITED);
    m->round[1].flat.rounds = 4;
    assert_leaves(m, BUFFER);
}

GAP_TEST(a_constant_flight_with_a_lag_may_be_written_so, make_flat(m))
{
    m->record[BEFORE].flags |= TW_PSH;
    m->record[ACK].ack = 1 + 16 * CLAIM_MSS; /* half of the flight is free */
    m->record[ACK].time_ns = m->record[NOW].time_ns - TCPWHY_US(100);
    assert_claims_surely(m, BUFFER);
    m->record[ACK].time_ns--;
    assert_claims_but(m, BUFFER, TCPWHY_APP_LIMITED);
    m->record[ACK].ack--;
    assert_claims_surely(m, BUFFER);
    m->record[ACK].ack++;
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = CLAIM_RTT / 2;
    assert_claims_surely(m, BUFFER);
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = 0;
    m->record[BEFORE].flags = TW_ACK;
    assert_claims_surely(m, BUFFER);
}

/* With several bursts in flight no ACK frees so much, and the newest is the last that may have. */
GAP_TEST(a_lag_behind_the_newest_ack_may_be_the_application, make_flat(m))
{
    m->record[BEFORE].flags |= TW_PSH;
    m->gap.since_ack_ns = TCPWHY_US(400); /* a 50th of the wait: a busy host */
    assert_claims_surely(m, BUFFER);
    m->gap.since_ack_ns += TCPWHY_US(1);
    assert_claims_but(m, BUFFER, TCPWHY_APP_LIMITED);
    m->gap.since_ack_ns = TCPWHY_NS_UNKNOWN;
    assert_claims_surely(m, BUFFER);
}

GAP_TEST(the_first_ack_that_frees_enough_wakes, make_flat(m))
{
    m->record[BEFORE].flags |= TW_PSH;
    m->record[ACK].ack = 1 + 17 * CLAIM_MSS;
    assert_claims_surely(m, BUFFER);
    m->record[ACK_BEFORE].ack = 1 + 16 * CLAIM_MSS;
    assert_claims_but(m, BUFFER, TCPWHY_APP_LIMITED);
}

GAP_TEST(away_from_the_sender_a_program_in_step_with_the_round_trip_looks_the_same, make_flat(m))
{
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = CLAIM_RTT / 2;
    m->round[1].flat.written = true;
    assert_claims_but(m, BUFFER, TCPWHY_APP_LIMITED);
    m->round[1].flat.written = false;
    assert_claims_surely(m, BUFFER);
}

GAP_TEST(after_a_loss_a_plateau_may_be_the_congestion_window_s, make_flat(m))
{
    lose_before(m);
    assert_leaves(m, BUFFER);
    m->round[1].flat.rounds = 49;
    assert_leaves(m, BUFFER);
    m->round[1].flat.rounds = 50;
    assert_claims_but(m, BUFFER, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->round[1].loss_before = false;
    m->round[1].misled_before = true;
    assert_claims_but(m, BUFFER, TCPWHY_CONGESTION_WINDOW_LIMITED);
}

GAP_TEST(a_periodic_or_growing_sender_has_no_ceiling, make_flat(m))
{
    m->round[1].flat.own_clock = true;
    assert_leaves(m, BUFFER);
    make_flat(m);
    m->round[1].flat.climbing = true;
    assert_leaves(m, BUFFER);
}

GAP_TEST(a_flight_that_ends_at_the_window_fills_no_buffer, make_flat(m))
{
    m->round[1].window_bytes = 11 * CLAIM_MSS;
    assert_leaves(m, BUFFER);
    m->round[1].window_bytes++;
    assert_claims_surely(m, BUFFER);
    m->context.sends[TCPWHY_SERVER].wscale_inferred = TW_INFERRED_SURELY;
    assert_claims_surely(m, BUFFER);
    m->context.sends[TCPWHY_SERVER].wscale_inferred = TW_INFERRED_LIKELY;
    assert_claims_but(m, BUFFER, TCPWHY_RECEIVE_WINDOW_LIMITED);
    make_flat(m);
    m->round[1].window_bytes = INT64_MAX;
    assert_claims_but(m, BUFFER, TCPWHY_RECEIVE_WINDOW_LIMITED);
}

GAP_TEST(a_buffer_holds_two_segments_at_least, make_flat(m))
{
    m->round[1].flight_bytes = m->round[2].flight_bytes = 2 * CLAIM_MSS;
    assert_claims_surely(m, BUFFER);
    m->round[1].flight_bytes--;
    assert_leaves(m, BUFFER);
}

/* The segment before ends what was written; seen by the client. */
GAP_TEST(away_from_the_sender_writes_in_step_with_the_round_trip_look_the_same, make_flat(m))
{
    m->send[1].is |= TW_SEND_PARTIAL;
    m->record[BEFORE].flags |= TW_PSH;
    assert_claims_surely(m, BUFFER);
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = CLAIM_RTT / 2;
    assert_claims_but(m, BUFFER, TCPWHY_APP_LIMITED);
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    assert_claims_surely(m, BUFFER);
}

GAP_TEST(a_standing_queue_leaves_the_send_buffer_in_doubt, make_flat(m))
{
    m->round[1].queue_ns = CLAIM_RTT / 8;
    assert_claims_surely(m, BUFFER);
    m->round[1].queue_ns++;
    assert_claims_but(m, BUFFER, TCPWHY_BANDWIDTH_LIMITED);
}

GAP_TEST(without_a_clock_a_full_path_has_the_same_flight, make_flat(m))
{
    m->context.sends[TCPWHY_SERVER].queues_seen = false;
    m->round[1].duration_ns = CLAIM_RTT;
    m->round[1].max_gap_ns = CLAIM_RTT / 2;
    assert_claims_surely(m, BUFFER);
    m->round[1].max_gap_ns--;
    assert_claims_but(m, BUFFER, TCPWHY_BANDWIDTH_LIMITED);
}

GAP_TEST(a_receiver_that_speaks_may_grant_what_may_be_sent, make_flat(m))
{
    m->record[NOW].ack++;
    assert_claims_but(m, BUFFER, TCPWHY_APP_LIMITED);
}

/* What an ACK lets go, when two segments more were in flight before. */
static void make_ragged(struct made_gap *m)
{
    make_gap(m);
    m->round[1].most_bytes = 12 * CLAIM_MSS;
}

GAP_TEST(a_ceiling_may_be_ragged_where_more_was_in_flight_before, make_ragged(m))
{
    assert_claims_but(m, BUFFER, TCPWHY_APP_LIMITED);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_SERVER);
    m->round[1].most_bytes--;
    assert_leaves(m, BUFFER);
    make_ragged(m);
    m->gap.ack_clocked = false;
    assert_leaves(m, BUFFER);
    make_ragged(m);
    m->round[1].queue_ns = CLAIM_RTT / 8 + 1;
    assert_leaves(m, BUFFER);
    make_ragged(m);
    m->gap.from_ns = m->gap.to_ns - CLAIM_RTT / 8;
    assert_leaves(m, BUFFER);
}

GAP_TEST(a_reduced_window_is_no_ceiling, make_ragged(m))
{
    lose_before(m);
    assert_leaves(m, BUFFER);
    make_ragged(m);
    m->round[1].misled_before = true;
    assert_leaves(m, BUFFER);
    make_ragged(m);
    m->round[1].window_full = true;
    assert_leaves(m, BUFFER);
    make_ragged(m);
    m->round[1].window_bytes = INT64_MAX;
    assert_leaves(m, BUFFER);
}

/* Another round trip has two segments less in flight than there was before it. */
static void give_room(struct made_gap *m, int round)
{
    m->round[round].most_bytes = m->round[round].flight_bytes + 2 * CLAIM_MSS;
}

TEST(beside_a_ragged_ceiling_what_did_not_grow_has_it_as_well)
{
    for (int beside = 0; beside <= 2; beside += 2) {
        struct made_gap m;

        make_gap(&m);
        m.round[1].most_bytes = m.round[1].flight_bytes;
        assert_leaves(&m, BUFFER);
        give_room(&m, beside);
        assert_claims_but(&m, BUFFER, TCPWHY_APP_LIMITED);
        m.round[1].most_bytes--;
        assert_leaves(&m, BUFFER);
        give_room(&m, 2 - beside);
        assert_claims_but(&m, BUFFER, TCPWHY_APP_LIMITED);
    }
}

GAP_TEST(doubling_beside_a_ragged_ceiling_may_be_slow_start, make_gap(m))
{
    give_room(m, 0);
    give_room(m, 2);
    m->round[1].flight_bytes = m->round[0].flight_bytes * 14 / 10 - 1;
    assert_claims_but(m, BUFFER, TCPWHY_APP_LIMITED);
    m->round[1].flight_bytes++;
    assert_leaves(m, BUFFER);
}

/* ---- a window of nothing ------------------------------------------------------------------- */

GAP_TEST(a_window_that_was_closed_held_what_came_when_it_opened, make_blocked(m))
{
    m->send[2].is |= TW_SEND_CLOSED;
    assert_claims_surely(m, CLOSED);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_CLIENT);
    m->send[2].allowed_ns = TCPWHY_NS_UNKNOWN;
    assert_leaves(m, CLOSED);
    make_blocked(m);
    m->gap.before = NULL;
    m->gap.round = NULL;
    assert_leaves(m, CLOSED);
}

/* Of a wait that something else divides. */
GAP_TEST(before_the_window_closed_it_held_nothing, make_gap(m))
{
    m->gap.send = m->gap.before = NULL;
    m->gap.closed =
        (struct tw_closed_window) { .record = ACK, .probe = LATER, .sender = TCPWHY_SERVER };
    m->gap.to_ns = m->record[ACK].time_ns;
    assert_leaves(m, CLOSED);
    m->gap.to_ns++;
    assert_claims_surely(m, CLOSED);
    assert_int_equal(m->claim.from_ns, m->record[ACK].time_ns);
    /* The first question comes as late as a keep-alive. */
    m->record[LATER].time_ns = m->record[ACK].time_ns + TCPWHY_S(1);
    assert_claims_but(m, CLOSED, TCPWHY_KEEP_ALIVE);
    m->record[LATER].time_ns--;
    assert_claims_surely(m, CLOSED);
}
