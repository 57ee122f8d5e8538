/* SPDX-License-Identifier: MIT */
/*
 * How surely the path or the congestion window held a segment: a gap that each of them explains,
 * changed in one thing.
 */
#include "tests/unit.h"

#include "tests/unit/made_gap.h"

#define LINK   TCPWHY_BANDWIDTH_LIMITED
#define WINDOW TCPWHY_CONGESTION_WINDOW_LIMITED

/* Every window has room for a segment, and for two packets. */
GAP_TEST(a_flight_below_any_window_was_not_cwnd_limited, make_gap(m))
{
    lose_before(m);
    send_little(m, 400, 601);
    assert_claims_surely(m, WINDOW);
    send_little(m, 400, 600);
    assert_leaves(m, WINDOW);
    m->send[1].acked--;
    assert_claims_surely(m, WINDOW);
    /* Who wrote it wrote late. */
    m->gap.ack_clocked = false;
    assert_leaves(m, TCPWHY_APP_LIMITED);
    send_little(m, 400, 600);
    assert_true(claims(m, TCPWHY_APP_LIMITED));
}

GAP_TEST(after_a_loss_an_idle_time_may_be_why_a_window_is_small, make_gap(m))
{
    lose_before(m);
    assert_claims_surely(m, WINDOW);
    m->round[1].restarted = true;
    assert_claims_but(m, WINDOW, TCPWHY_APP_LIMITED);
}

/* ---- a full path --------------------------------------------------------------------------- */

static void make_queue(struct made_gap *m)
{
    make_gap(m);
    m->round[1].queue.standing = true;
    m->round[1].queue_ns = TCPWHY_MS(10);
    m->round[1].rate = 2 * CLAIM_MSS / 20e-3;
}

/* A wait of so long. */
static void shorten(struct made_gap *m, tcpwhy_ns wait_ns)
{
    m->gap.from_ns = m->gap.to_ns - wait_ns;
}

GAP_TEST(a_full_path_delivers_all_the_time, make_queue(m))
{
    assert_claims_surely(m, LINK);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_PATH);
    shorten(m, TCPWHY_MS(30));
    m->gap.ack_clocked = false;
    assert_claims_surely(m, LINK);
    shorten(m, TCPWHY_MS(30) + 1);
    assert_leaves(m, LINK);
    m->gap.phase = TW_PHASE_ARRIVAL;
    assert_claims_surely(m, LINK);
}

GAP_TEST(a_gap_above_the_longest_of_a_spread_flight_is_not_spread, make_queue(m))
{
    m->round[1].queue.spread = true;
    m->context.rounds[TCPWHY_SERVER].spread_by_path = true;
    m->round[1].max_gap_ns = TCPWHY_MS(15);
    shorten(m, TCPWHY_MS(15));
    assert_claims_surely(m, LINK);
    shorten(m, TCPWHY_MS(15) + 1);
    assert_leaves(m, LINK);
}

GAP_TEST(the_end_of_a_message_queues_for_longer_than_the_way_or_may_be_the_way_s, make_queue(m))
{
    m->round[1].ends_message = true;
    m->round[1].queue_ns = 2 * CLAIM_RTT;
    assert_leaves(m, LINK);
    shorten(m, CLAIM_RTT);
    assert_claims_surely(m, LINK);
    m->round[1].queue_ns = CLAIM_RTT;
    shorten(m, CLAIM_RTT / 2);
    assert_claims_but(m, LINK, TCPWHY_WIRE);
}

GAP_TEST(an_arrival_by_leaps_may_be_the_way_s_unless_more_brings_a_queue, make_queue(m))
{
    m->gap.phase = TW_PHASE_ARRIVAL;
    m->gap.uneven = true;
    assert_claims_but(m, LINK, TCPWHY_WIRE);
    m->context.rounds[TCPWHY_SERVER].growth = TW_GROWTH_QUEUES;
    assert_claims_surely(m, LINK);
}

/* An ACK of five segments that came so long behind the one before. */
static void join_acks(struct made_gap *m, tcpwhy_ns silence_ns)
{
    make_queue(m);
    m->record[ACK].ack = m->record[ACK_BEFORE].ack + 5 * CLAIM_MSS;
    m->record[ACK_BEFORE].time_ns = m->record[ACK].time_ns - silence_ns;
    m->send[2].acked = m->record[ACK].ack;
    m->round[1].rate = 1e9;
}

TEST(an_ack_of_many_segments_behind_a_silence_may_have_been_held_back)
{
    struct made_gap m;

    join_acks(&m, TCPWHY_MS(2));
    m.context.rounds[TCPWHY_SERVER].growth = TW_GROWTH_QUEUES;
    assert_claims_surely(&m, LINK);
    m.record[ACK_BEFORE].time_ns--;
    assert_claims_but(&m, LINK, TCPWHY_DELAYED_ACK);
    /* The wait itself is as short as what a card joins. */
    shorten(&m, TCPWHY_MS(2));
    assert_claims_surely(&m, LINK);
    shorten(&m, TCPWHY_MS(2) + 1);
    assert_claims_but(&m, LINK, TCPWHY_DELAYED_ACK);
    /* Two segments: no more than an ACK may be of. */
    m.record[ACK_BEFORE].ack = m.record[ACK].ack - 2 * CLAIM_MSS;
    assert_claims_surely(&m, LINK);
    m.record[ACK_BEFORE].ack--;
    assert_claims_but(&m, LINK, TCPWHY_DELAYED_ACK);
    m.send[1].acked = m.send[2].acked - 2 * CLAIM_MSS;
    assert_claims_surely(&m, LINK);
}

/* What the receiver says in between is no silence; what the sender does is. */
TEST(only_the_receiver_s_frames_end_its_silence)
{
    struct made_gap m;

    join_acks(&m, TCPWHY_MS(2) + 1);
    m.context.rounds[TCPWHY_SERVER].growth = TW_GROWTH_QUEUES;
    m.record[BEFORE] = m.record[ACK_BEFORE];
    m.record[ACK_BEFORE].from = TCPWHY_SERVER;
    m.record[ACK_BEFORE].time_ns = m.record[ACK].time_ns - 1;
    assert_claims_but(&m, LINK, TCPWHY_DELAYED_ACK);
}

/* 2 segments in 20 ms, of a path that passes 10 in that time. */
GAP_TEST(a_silence_of_five_times_what_the_path_takes_is_not_its_own, make_queue(m))
{
    m->round[1].rate *= 5;
    assert_claims_but(m, LINK, TCPWHY_APP_LIMITED);
    m->context.rounds[TCPWHY_SERVER].growth = TW_GROWTH_QUEUES;
    assert_claims_surely(m, LINK);
    m->context.rounds[TCPWHY_SERVER].growth = TW_GROWTH_UNKNOWN;
    m->gap.ack_clocked = false;
    assert_claims_surely(m, LINK);
    m->gap.ack_clocked = true;
    m->round[1].rate = 4.0 * 2 * CLAIM_MSS / 20.01e-3;
    assert_claims_surely(m, LINK);
    m->round[1].rate += 1;
    assert_claims_but(m, LINK, TCPWHY_APP_LIMITED);
    shorten(m, TCPWHY_MS(2)); /* as a card joins ACKs */
    m->round[1].rate *= 1000;
    assert_claims_surely(m, LINK);
    shorten(m, TCPWHY_MS(2) + 1);
    assert_claims_but(m, LINK, TCPWHY_WIRE);
    m->send[1].acked = m->send[2].acked; /* it acknowledged nothing more */
    assert_claims_surely(m, LINK);
}

static void make_even(struct made_gap *m)
{
    make_wait_remote(m);
    m->round[1].queue.standing = true;
    m->round[1].queue_ns = TCPWHY_MS(10);
    m->gap.ack_clocked = false;
    m->context.sends[TCPWHY_SERVER].queues_seen = false;
}

GAP_TEST(away_from_the_sender_only_even_arrivals_show_a_queue, make_even(m))
{
    assert_claims_surely(m, LINK);
    m->round[1].max_gap_ns = CLAIM_RTT / 4;
    assert_claims_but(m, LINK, TCPWHY_APP_LIMITED);
    m->context.sends[TCPWHY_SERVER].queues_seen = true;
    assert_claims_surely(m, LINK);
    m->round[1].queue.doubtful = true;
    assert_claims_but(m, LINK, TCPWHY_APP_LIMITED);
    m->gap.phase = TW_PHASE_ARRIVAL;
    assert_claims_surely(m, LINK);
}

/* Each ends a write, and no ACK let it go. */
GAP_TEST(a_sender_may_set_the_rate_of_what_it_pushes, make_even(m))
{
    m->context.sends[TCPWHY_SERVER].queues_seen = true;
    m->context.rounds[TCPWHY_SERVER].growth = TW_GROWTH_QUEUES;
    assert_claims_surely(m, LINK);
    m->round[1].queue.pushed = true;
    assert_claims_but(m, LINK, TCPWHY_APP_LIMITED);
    m->gap.ack_clocked = true;
    assert_claims_surely(m, LINK);
}

GAP_TEST(a_sender_that_paces_itself_arrives_as_evenly, make_even(m))
{
    m->round[1].queue.spread = true;
    m->round[1].max_gap_ns = CLAIM_RTT;
    shorten(m, CLAIM_RTT);
    assert_claims_but(m, LINK, TCPWHY_APP_LIMITED);
    m->context.rounds[TCPWHY_SERVER].spread_by_path = true;
    m->round[1].max_gap_ns = 0;
    shorten(m, 0);
    assert_claims_surely(m, LINK);
}

GAP_TEST(a_partial_segment_may_be_application_limited, make_queue(m))
{
    m->context.sends[TCPWHY_SERVER].queues_seen = false;
    m->send[2].is |= TW_SEND_PARTIAL;
    assert_claims_surely(m, LINK);
    m->send[1].is |= TW_SEND_PARTIAL;
    assert_claims_but(m, LINK, TCPWHY_APP_LIMITED);
    m->gap.phase = TW_PHASE_ARRIVAL;
    assert_claims_surely(m, LINK);
    m->gap.phase = TW_PHASE_MESSAGE;
    m->context.sends[TCPWHY_SERVER].queues_seen = true;
    assert_claims_surely(m, LINK);
}

/* Four times what a segment takes at ten each 20 ms. */
GAP_TEST(data_after_a_silence_may_be_a_new_write, make_queue(m))
{
    m->context.sends[TCPWHY_SERVER].queues_seen = false;
    m->send[1].is |= TW_SEND_PARTIAL;
    m->record[BEFORE].flags |= TW_PSH;
    m->round[1].rate = 10 * CLAIM_MSS / 20e-3;
    m->gap.ack_clocked = false;
    shorten(m, TCPWHY_MS(8));
    assert_claims_surely(m, LINK);
    shorten(m, TCPWHY_MS(8) + 2);
    assert_claims_but(m, LINK, TCPWHY_APP_LIMITED);
    m->record[BEFORE].flags &= (uint16_t)~TW_PSH;
    assert_claims_surely(m, LINK);
}

/* ---- after a loss -------------------------------------------------------------------------- */

static void make_lossy(struct made_gap *m)
{
    make_gap(m);
    lose_before(m);
}

GAP_TEST(after_a_loss_the_congestion_window_waits_for_acks, make_lossy(m))
{
    assert_claims_surely(m, WINDOW);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_PATH);
    m->round[1].loss_before = false;
    assert_claim(m, TCPWHY_UNKNOWN, TCPWHY_AMBIGUOUS, TCPWHY_CAUSE_NONE);
}

/* The last ACK moved nothing, but told of a segment that left the network. */
static void hear_in_vain(struct made_gap *m)
{
    make_lossy(m);
    m->gap.ack_clocked = false;
    m->send[2].moved_record = FIRST_ACK;
}

GAP_TEST(any_segment_of_the_receiver_may_release_data, hear_in_vain(m))
{
    assert_claims_surely(m, WINDOW);
    m->send[1].sent_ns = m->record[ACK].time_ns;
    assert_claim(m, WINDOW, TCPWHY_AMBIGUOUS, TCPWHY_APP_LIMITED);
    m->send[1].sent_ns--;
    assert_claims_surely(m, WINDOW);
    m->send[2].ack_record = TW_NO_RECORD;
    assert_claim(m, WINDOW, TCPWHY_AMBIGUOUS, TCPWHY_APP_LIMITED);
}

GAP_TEST(data_long_after_an_ack_was_not_released_by_it, hear_in_vain(m))
{
    m->send[2].sent_ns += TCPWHY_MS(5);
    assert_claim(m, WINDOW, TCPWHY_AMBIGUOUS, TCPWHY_APP_LIMITED);
    shorten(m, CLAIM_RTT);
    assert_claims_but(m, WINDOW, TCPWHY_APP_LIMITED);
    shorten(m, CLAIM_RTT + 1);
    assert_claim(m, WINDOW, TCPWHY_AMBIGUOUS, TCPWHY_APP_LIMITED);
    shorten(m, tw_burst_ns(&m->context.vantage));
    assert_claims_surely(m, WINDOW);
}

GAP_TEST(the_receiver_s_window_may_have_been_as_full, make_lossy(m))
{
    m->round[1].window_bytes = INT64_MAX;
    assert_claims_but(m, WINDOW, TCPWHY_RECEIVE_WINDOW_LIMITED);
    make_lossy(m);
    m->context.sends[TCPWHY_SERVER].wscale_inferred = TW_INFERRED_LIKELY;
    assert_claims_but(m, WINDOW, TCPWHY_RECEIVE_WINDOW_LIMITED);
    make_lossy(m);
    m->round[1].window_full = true;
    assert_claims_surely(m, WINDOW);
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = CLAIM_RTT / 2;
    m->send[1].edge = m->send[1].end + 2 * CLAIM_MSS; /* which Linux may leave unused */
    assert_claim(m, WINDOW, TCPWHY_AMBIGUOUS, TCPWHY_RECEIVE_WINDOW_LIMITED);
    m->round[1].window_full = false;
    assert_claims_surely(m, WINDOW);
}

GAP_TEST(all_may_have_been_written, make_lossy(m))
{
    m->send[1].is |= TW_SEND_PARTIAL;
    assert_claims_surely(m, WINDOW);
    m->record[BEFORE].flags |= TW_PSH;
    assert_claims_but(m, WINDOW, TCPWHY_APP_LIMITED);
}

GAP_TEST(a_queue_leaves_the_congestion_window_in_doubt, make_lossy(m))
{
    m->round[1].queue_ns = CLAIM_RTT / 8;
    assert_claims_surely(m, WINDOW);
    m->round[1].queue_ns++;
    assert_claims_but(m, WINDOW, LINK);
    m->context.rounds[TCPWHY_SERVER].growth = TW_GROWTH_PASSES;
    assert_claims_surely(m, WINDOW);
}

/* Without the sender's clock no round trip tells of a queue. */
GAP_TEST(away_from_the_sender_what_comes_without_a_silence_may_be_all_that_passes, make_lossy(m))
{
    m->context.vantage.to_side_ns[TCPWHY_CLIENT] = 0;
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = CLAIM_RTT / 2;
    m->context.sends[TCPWHY_SERVER].queues_seen = false;
    m->round[1].max_gap_ns = CLAIM_RTT / 2;
    assert_claims_surely(m, WINDOW);
    m->round[1].max_gap_ns--;
    assert_claims_but(m, WINDOW, LINK);
    m->context.sends[TCPWHY_SERVER].queues_seen = true;
    assert_claims_surely(m, WINDOW);
}

/* The receiver is here, and acknowledges the segment before, which the ACK before did not. */
GAP_TEST(behind_a_late_ack_the_window_was_not_all, make_lossy(m))
{
    m->record[ACK].ack = m->record[BEFORE].seq + CLAIM_MSS;
    m->record[ACK_BEFORE].ack = m->record[BEFORE].seq;
    assert_claims_surely(m, WINDOW);
    m->context.vantage.to_side_ns[TCPWHY_CLIENT] = 0;
    assert_claims_but(m, WINDOW, TCPWHY_DELAYED_ACK);
    m->round[1].repeats = 1;
    assert_claims_surely(m, WINDOW);
}

/* Its round trips hold the time that was waited for what was lost. */
GAP_TEST(over_a_repair_round_trips_tell_of_no_queue, make_lossy(m))
{
    m->round[1].queue_ns = CLAIM_RTT;
    m->round[1].repeats = 1;
    assert_claims_surely(m, WINDOW);
    m->round[1].queue.near_capacity = true;
    assert_claims_but(m, WINDOW, LINK);
    m->round[1].queue.near_capacity = false;
    m->context.rounds[TCPWHY_SERVER].growth = TW_GROWTH_QUEUES;
    assert_claims_but(m, WINDOW, LINK);
}

/* What was lost, beyond what the path carries, goes again at its rate. */
GAP_TEST(a_repair_that_fills_the_path_is_no_small_window, make_lossy(m))
{
    m->gap.busy = true;
    assert_claims_surely(m, WINDOW);
    m->gap.episode = &m->episode;
    assert_claims_but(m, WINDOW, LINK);
    m->gap.busy = false;
    assert_claims_surely(m, TCPWHY_LOSS_RECOVERY);
}
