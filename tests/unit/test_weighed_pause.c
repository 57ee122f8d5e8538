/* SPDX-License-Identifier: MIT */
/*
 * What is said of a pause within a message: that the program wrote late, and what else it may have
 * been. A pause that is surely the program's, changed in one thing.
 */
#include "tests/unit.h"

#include "tests/unit/made_pause.h"

GAP_TEST(a_sender_that_writes_late_is_application_limited, make_pause(m))
{
    assert_claims_surely(m, PAUSE);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_SERVER);
    m->send[2].is = TW_SEND_REPEAT;
    assert_leaves(m, PAUSE);
    make_pause(m);
    m->gap.ack_clocked = true;
    assert_leaves(m, PAUSE);
}

GAP_TEST(a_quarter_of_a_round_trip_or_a_millisecond_is_no_pause, make_pause(m))
{
    pause_for(m, CLAIM_RTT / 4);
    assert_claims_surely(m, PAUSE);
    pause_for(m, CLAIM_RTT / 4 - 1);
    assert_leaves(m, PAUSE);
    m->context.vantage.rtt_min_ns = TCPWHY_US(100);
    pause_for(m, TCPWHY_MS(1));
    assert_claims_surely(m, PAUSE);
    pause_for(m, TCPWHY_MS(1) - 1);
    assert_leaves(m, PAUSE);
    /* What a queue spread had left together. */
    make_pause(m);
    m->send[1].sent_ns = m->send[2].sent_ns - CLAIM_RTT / 8;
    assert_leaves(m, PAUSE);
}

GAP_TEST(while_a_queue_stands_the_path_is_busy, make_pause(m))
{
    m->round[1].queue.standing = true;
    m->round[1].queue_ns = CLAIM_RTT;
    assert_claims_surely(m, PAUSE);
    m->gap.flight_empty = false;
    pause_for(m, 2 * CLAIM_RTT);
    assert_leaves(m, PAUSE);
    pause_for(m, 2 * CLAIM_RTT + 1);
    assert_claims_surely(m, PAUSE);
    m->context.vantage.rtt_min_ns = TCPWHY_NS_UNKNOWN;
    assert_claim(m, TCPWHY_UNKNOWN, TCPWHY_AMBIGUOUS, TCPWHY_CAUSE_NONE);
}

GAP_TEST(after_a_loss_data_in_flight_fills_the_congestion_window, make_pause(m))
{
    lose_before(m);
    assert_claims_surely(m, PAUSE);
    m->gap.flight_empty = false;
    assert_leaves(m, PAUSE);
}

GAP_TEST(with_data_in_flight_the_congestion_window_may_be_full_for_a_round_trip, make_pause(m))
{
    pause_for(m, CLAIM_RTT - 1);
    assert_claims_surely(m, PAUSE);
    m->gap.flight_empty = false;
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    pause_for(m, CLAIM_RTT);
    assert_claims_surely(m, PAUSE);
}

/* The newest ACK came here so long before the segment, and its sender had heard the one before. */
static void hear_late(struct made_gap *m, tcpwhy_ns before_ns)
{
    make_pause(m);
    m->send[2].ack_record = m->send[2].moved_record = ACK_BEFORE;
    m->send[2].acked = m->record[ACK_BEFORE].ack;
    m->record[ACK].time_ns = m->record[NOW].time_ns - before_ns;
}

TEST(an_ack_echoed_late_was_late_at_the_sender)
{
    struct made_gap m;

    hear_late(&m, TCPWHY_US(501));
    assert_claims_but(&m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    hear_late(&m, TCPWHY_US(500));
    assert_claims_surely(&m, PAUSE);
    hear_late(&m, TCPWHY_US(501));
    m.send[2].ack_record = TW_NO_RECORD;
    assert_claims_surely(&m, PAUSE);
}

/* ... of two segments, or more. */
GAP_TEST(a_window_of_two_segments_may_be_full_for_longer, make_pause(m))
{
    m->gap.flight_empty = false;
    m->send[2].acked = tw_send_seq(&m->send[2]) - 2 * CLAIM_MSS;
    assert_claims_surely(m, PAUSE);
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->send[2].acked++;
    assert_claims_surely(m, PAUSE);
}

/* ---- by a clock of its own ------------------------------------------------------------------- */

GAP_TEST(a_periodic_writer_may_be_send_buffer_limited, make_pause(m))
{
    m->round[1].flat.own_clock = true;
    assert_claims_surely(m, PAUSE); /* it was empty for long */
    m->gap.since_ack_ns = CLAIM_RTT / 4 - 1;
    assert_claims_but(m, PAUSE, TCPWHY_SEND_BUFFER_LIMITED);
    m->gap.since_ack_ns = TCPWHY_NS_UNKNOWN;
    assert_claims_but(m, PAUSE, TCPWHY_SEND_BUFFER_LIMITED);
    m->gap.since_ack_ns = TCPWHY_MS(10);
    m->gap.flight_empty = false;
    assert_claims_but(m, PAUSE, TCPWHY_SEND_BUFFER_LIMITED);
    m->gap.flight_empty = true;
    leave_more(m);
    assert_claims_but(m, PAUSE, TCPWHY_SEND_BUFFER_LIMITED);
}

/* ---- nobody waits ---------------------------------------------------------------------------- */

GAP_TEST(without_a_protocol_a_message_may_be_complete, make_pause(m))
{
    m->gap.turn.guessed = true;
    m->gap.since_ack_ns = TCPWHY_MS(50);
    pause_for(m, TCPWHY_MS(200) - 1);
    assert_claims_surely(m, PAUSE);
    pause_for(m, TCPWHY_MS(200));
    assert_claims_but(m, PAUSE, TCPWHY_CLIENT_IDLE);
    leave_more(m);
    assert_claims_surely(m, PAUSE);
    m->send[1].is |= TW_SEND_PARTIAL; /* nor was it a full segment */
    assert_claims_but(m, PAUSE, TCPWHY_CLIENT_IDLE);
    make_pause(m);
    m->gap.turn.guessed = true;
    m->round[1].flat.own_clock = true;
    assert_claims_but(m, PAUSE, TCPWHY_CLIENT_IDLE);
}

/* ---- away from the sender -------------------------------------------------------------------- */

GAP_TEST(a_path_whose_rate_changes_may_spread_full_segments, make_remote_pause(m))
{
    leave_more(m);
    m->round[1].flat.own_clock = true;
    m->context.sends[TCPWHY_SERVER].queues_seen = true;
    assert_claims_but(m, PAUSE, TCPWHY_SEND_BUFFER_LIMITED);
    m->context.sends[TCPWHY_SERVER].queues_seen = false;
    assert_claims_but(m, PAUSE, TCPWHY_BANDWIDTH_LIMITED);
}

GAP_TEST(with_more_data_a_pause_of_an_rto_may_be_loss_recovery, make_remote_pause(m))
{
    m->gap.since_ack_ns = TCPWHY_MS(50);
    pause_for(m, TW_RTO_SEEN_NS);
    assert_claims_surely(m, PAUSE);
    leave_more(m);
    assert_claims_but(m, PAUSE, TCPWHY_LOSS_RECOVERY);
    pause_for(m, TW_RTO_SEEN_NS - 1);
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    pause_for(m, TW_RTO_SEEN_NS);
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = 0;
    assert_claims_surely(m, PAUSE);
}

GAP_TEST(a_periodic_sender_may_follow_a_tcp_timer, make_remote_pause(m))
{
    leave_more(m);
    m->round[1].flat.own_clock = true;
    pause_for(m, TW_RTO_SEEN_NS);
    assert_claims_but(m, PAUSE, TCPWHY_LOSS_RECOVERY);
    pause_for(m, TW_RTO_SEEN_NS - 1);
    m->context.sends[TCPWHY_SERVER].queues_seen = true;
    assert_claims_but(m, PAUSE, TCPWHY_SEND_BUFFER_LIMITED);
}

/* Few messages of a known length end with a full segment; where only turns tell it may be the end.
 */
GAP_TEST(behind_a_full_segment_that_was_pushed_more_may_be_lost_if_the_message_goes_on,
         make_remote_pause(m))
{
    m->gap.since_ack_ns = TCPWHY_MS(50);
    pause_for(m, TW_RTO_SEEN_NS);
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    m->round[1].most_bytes = 13 * CLAIM_MSS;
    assert_claims_but(m, PAUSE, TCPWHY_LOSS_RECOVERY);
    m->gap.turn.guessed = true;
    assert_claims_surely(m, PAUSE);
    m->gap.turn.guessed = false;
    m->record[NOW].ip_id = (uint16_t)(m->record[BEFORE].ip_id + 1); /* nothing was sent between */
    assert_claims_surely(m, PAUSE);
}

GAP_TEST(a_retransmission_behind_a_pause_lacked_its_ack, make_remote_pause(m))
{
    m->send[1].is |= TW_SEND_SPURIOUS;
    assert_claims_but(m, PAUSE, TCPWHY_LOSS_RECOVERY);
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = 0;
    assert_claims_surely(m, PAUSE);
}

GAP_TEST(acks_may_be_under_way_for_less_than_a_second, make_remote_pause(m))
{
    leave_more(m);
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    /* Nothing was sent between. */
    m->record[BEFORE].ip_id = 7;
    m->record[NOW].ip_id = 8;
    m->gap.since_ack_ns = TCPWHY_MS(200);
    pause_for(m, TCPWHY_S(1) - 1);
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    pause_for(m, TCPWHY_S(1));
    assert_claims_surely(m, PAUSE);
}

static void make_blocked(struct made_gap *m)
{
    make_remote_pause(m);
    m->send[2].allowed_ns = m->send[1].sent_ns + 1;
}

GAP_TEST(the_window_may_have_had_no_room_until_an_ack_within_a_round_trip, make_blocked(m))
{
    assert_claims_but(m, PAUSE, TCPWHY_RECEIVE_WINDOW_LIMITED);
    m->send[2].allowed_ns--;
    assert_claims_surely(m, PAUSE);
    m->send[2].allowed_ns = TCPWHY_NS_UNKNOWN;
    assert_claims_surely(m, PAUSE);
    make_blocked(m);
    pause_for(m, TCPWHY_MS(100));
    m->send[2].allowed_ns = m->send[1].sent_ns + 1;
    m->gap.since_ack_ns = CLAIM_RTT;
    assert_claims_but(m, PAUSE, TCPWHY_RECEIVE_WINDOW_LIMITED);
    m->gap.since_ack_ns++;
    assert_claims_surely(m, PAUSE);
    make_blocked(m);
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = 0;
    assert_claims_surely(m, PAUSE);
    /* That ACK was there before. */
    make_blocked(m);
    pause_for(m, TCPWHY_MS(10));
    m->send[2].allowed_ns = m->send[1].sent_ns + 1;
    assert_claims_surely(m, PAUSE);
    m->gap.since_ack_ns--;
    assert_claims_but(m, PAUSE, TCPWHY_RECEIVE_WINDOW_LIMITED);
}

/* An ACK may have let it go that took longer to the sender than others. */
GAP_TEST(a_way_may_vary_by_a_round_trip, make_remote_pause(m))
{
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    m->round[1].most_bytes = 13 * CLAIM_MSS;
    assert_claims_surely(m, PAUSE);
    m->context.sends[TCPWHY_SERVER].queues_seen = false;
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->send[1].is |= TW_SEND_PARTIAL;
    assert_claims_surely(m, PAUSE);
}

/* ---- others ---------------------------------------------------------------------------------- */

GAP_TEST(even_arrivals_may_be_a_queue_of_less_than_a_second, make_pause(m))
{
    m->round[1].queue.spread = true;
    m->gap.since_ack_ns = TCPWHY_MS(500);
    pause_for(m, TCPWHY_S(1) - 1);
    assert_claims_but(m, PAUSE, TCPWHY_BANDWIDTH_LIMITED);
    pause_for(m, TCPWHY_S(1));
    assert_claims_surely(m, PAUSE);
}

GAP_TEST(behind_a_proxy_its_server_may_be_in_slow_start, make_pause(m))
{
    m->context.vantage.behind_proxy_ns[TCPWHY_SERVER] = TCPWHY_MS(15);
    assert_claims_but(m, PAUSE, TCPWHY_SLOW_START);
    pause_for(m, TCPWHY_MS(30) + 1);
    assert_claims_surely(m, PAUSE);
}

GAP_TEST(a_writer_may_be_woken_by_an_ack_soon_before, make_pause(m))
{
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    m->round[1].most_bytes = 13 * CLAIM_MSS; /* the congestion window had room */
    pause_for(m, TCPWHY_MS(24));
    m->gap.since_ack_ns = TCPWHY_MS(3);
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->gap.since_ack_ns++;
    assert_claims_surely(m, PAUSE);
    m->gap.since_ack_ns = TCPWHY_NS_UNKNOWN;
    assert_claims_surely(m, PAUSE);
}

/* Linux: sk_stream_is_writeable(). What was written before ended with less than a segment. */
GAP_TEST(a_writer_that_filled_its_buffer_may_be_woken_behind_a_partial_segment, make_pause(m))
{
    pause_for(m, TCPWHY_MS(24));
    m->gap.since_ack_ns = TCPWHY_MS(3);
    m->send[1].acked = m->send[1].end - 5 * CLAIM_MSS; /* half of what was in flight before */
    assert_claims_but(m, PAUSE, TCPWHY_SEND_BUFFER_LIMITED);
    m->gap.since_ack_ns++;
    assert_claims_surely(m, PAUSE);
    m->gap.since_ack_ns--;
    m->send[1].acked++;
    assert_claims_surely(m, PAUSE);
    m->round[1].most_bytes = 0;
    m->send[1].acked = m->send[1].end - 2 * CLAIM_MSS;
    assert_claims_but(m, PAUSE, TCPWHY_SEND_BUFFER_LIMITED);
    m->send[1].acked++; /* no buffer is so small */
    assert_claims_surely(m, PAUSE);
}

/* RFC 3168, 6.1.2: with a congestion window of one segment. */
/* Twelve segments: more than ever before, and the first ACK of them came 19.5 ms after the last. */
GAP_TEST(a_window_may_be_full_until_an_ack_comes_late_in_the_pause, make_pause(m))
{
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    pause_for(m, TCPWHY_MS(39));
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    pause_for(m, TCPWHY_MS(39) + 1);
    assert_claims_surely(m, PAUSE);
    pause_for(m, TCPWHY_MS(39));
    m->round[1].most_bytes = 12 * CLAIM_MSS;
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->round[1].most_bytes++;
    assert_claims_surely(m, PAUSE);
    lose_before(m); /* the window is smaller since */
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->round[1].loss_before = false;
    m->round[1].most_bytes = 0;
    m->send[1].acked = m->send[1].end - 2 * CLAIM_MSS;
    m->record[ACK].ack = m->send[1].end;
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->send[1].acked++; /* no window is less */
    assert_claims_surely(m, PAUSE);
    m->send[1].acked--;
    m->send[1].is |= TW_SEND_PARTIAL; /* nothing stood behind it */
    assert_claims_surely(m, PAUSE);
}

/* The sender's clock tells when the segment left, and no clock when the ACK came there. */
GAP_TEST(an_ack_may_have_been_delayed_on_the_path, make_remote_pause(m))
{
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    pause_for(m, TCPWHY_MS(39));
    m->gap.since_ack_ns = CLAIM_RTT;
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->gap.since_ack_ns++;
    assert_claims_surely(m, PAUSE);
}

/* Others' segments among them, so much came to the client as the link there carries. */
GAP_TEST(behind_a_full_segment_a_full_link_may_be_waited_for, make_pause(m))
{
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    m->round[1].most_bytes = 13 * CLAIM_MSS;
    m->log.inflow_rate[TCPWHY_CLIENT] = 1e6;
    m->record[BEFORE].to_client = UINT32_MAX;
    m->record[NOW].to_client = 18009 - 1; /* in 20.01 ms */
    assert_claims_but(m, PAUSE, TCPWHY_BANDWIDTH_LIMITED);
    m->record[NOW].to_client--;
    assert_claims_surely(m, PAUSE);
    m->record[NOW].to_client++;
    m->record[NOW].options = TW_OPT_TIMESTAMP; /* nobody counted */
    assert_claims_surely(m, PAUSE);
    m->record[NOW].options = 0;
    m->send[1].is |= TW_SEND_PARTIAL; /* nothing stood behind it */
    assert_claims_surely(m, PAUSE);
}

GAP_TEST(a_sender_with_ece_may_wait_for_its_timer, make_pause(m))
{
    pause_for(m, TCPWHY_MS(190));
    m->round[1].loss_before = true;
    m->send[1].acked = m->send[1].end - 2 * CLAIM_MSS;
    assert_claims_surely(m, PAUSE);
    m->record[ACK].flags |= TW_ECE;
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->send[1].acked--; /* a window of more than one segment */
    assert_claims_surely(m, PAUSE);
    m->send[1].acked++;
    pause_for(m, TCPWHY_MS(190) - 1);
    assert_claims_surely(m, PAUSE);
    pause_for(m, TCPWHY_MS(190));
    m->record[ACK].flags = TW_ACK;
    m->send[2].is |= TW_SEND_REDUCED;
    assert_claims_but(m, PAUSE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->round[1].loss_before = false;
    assert_claims_surely(m, PAUSE);
}
