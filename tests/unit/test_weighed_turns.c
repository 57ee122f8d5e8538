/* SPDX-License-Identifier: MIT */
/*
 * What is said of waits in which nobody sends: nobody asks, somebody thinks, something was lost or
 * too big. A gap that each of them surely explains, changed in one thing.
 */
#include "tests/unit.h"

#include "tests/unit/made_gap.h"

#define IDLE TCPWHY_CLIENT_IDLE
#define HOLE TCPWHY_MTU_BLACK_HOLE

/* Behind a whole answer the client asks again, five seconds later. */
static void make_idle(struct made_gap *m)
{
    make_gap(m);
    m->context.sends[TCPWHY_CLIENT] = m->context.sends[TCPWHY_SERVER];
    m->gap.phase = TW_PHASE_IDLE;
    m->gap.sender = TCPWHY_CLIENT;
    m->gap.from_ns = m->gap.to_ns - TCPWHY_S(5);
    m->gap.propagation_ns = 0;
    m->record[BEFORE].flags |= TW_PSH;
    m->record[NOW].from = TCPWHY_CLIENT;
}

GAP_TEST(a_client_without_a_request_is_idle, make_idle(m))
{
    m->gap.propagation_ns = CLAIM_RTT;
    assert_claims_surely(m, IDLE);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_CLIENT);
    assert_int_equal(m->claim.from_ns, m->gap.from_ns + CLAIM_RTT);
}

/* The client goes on with what it had begun; its window's scale is not known. */
static void make_roomless(struct made_gap *m)
{
    make_idle(m);
    m->record[BEFORE].from = TCPWHY_CLIENT;
    m->connection.side[TCPWHY_SERVER].wscale = TW_WSCALE_UNKNOWN;
}

GAP_TEST(a_sender_with_more_data_may_be_send_buffer_limited, make_roomless(m))
{
    assert_claims_but(m, IDLE, TCPWHY_RECEIVE_WINDOW_LIMITED);
    m->gap.before = NULL;
    assert_claims_surely(m, IDLE);
    make_roomless(m);
    m->send[1].is |= TW_SEND_PARTIAL; /* and it was pushed: all of it */
    assert_claims_surely(m, IDLE);
    make_roomless(m);
    m->record[BEFORE].from = TCPWHY_SERVER;
    assert_claims_surely(m, IDLE);
    make_roomless(m);
    m->connection.side[TCPWHY_SERVER].wscale = 0;
    assert_claims_surely(m, IDLE);
    make_roomless(m);
    m->context.sends[TCPWHY_CLIENT].wscale_inferred = TW_INFERRED_LIKELY;
    assert_claims_surely(m, IDLE);
}

/* The client goes on with the ACK of three full segments. */
static void make_windowful(struct made_gap *m)
{
    make_idle(m);
    m->record[BEFORE].from = TCPWHY_CLIENT;
    m->send[1].acked = m->send[1].end - 3 * CLAIM_MSS;
    m->gap.flight_empty = m->gap.ack_clocked = true;
    m->gap.since_ack_ns = TCPWHY_US(50);
}

GAP_TEST(a_sender_that_resumes_with_the_last_ack_may_be_cwnd_limited, make_windowful(m))
{
    assert_claims_but(m, IDLE, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->gap.ack_clocked = false;
    assert_claims_surely(m, IDLE);
    make_windowful(m);
    m->gap.since_ack_ns = (m->gap.to_ns - m->gap.from_ns) / 7;
    assert_claims_surely(m, IDLE);
    make_windowful(m);
    m->send[1].acked += 2 * CLAIM_MSS; /* no congestion window is so small */
    assert_claims_surely(m, IDLE);
    make_windowful(m);
    m->send[1].is |= TW_SEND_PARTIAL;
    assert_claims_surely(m, IDLE);
    make_windowful(m);
    m->record[BEFORE].from = TCPWHY_SERVER;
    assert_claims_surely(m, IDLE);
}

/* At the client: the server's last segment was full and not pushed, and the client ends it all. */
static void make_restless(struct made_gap *m)
{
    make_idle(m);
    m->context.vantage.to_side_ns[TCPWHY_CLIENT] = 0;
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = CLAIM_RTT / 2;
    m->record[BEFORE].flags = TW_ACK;
    m->gap.send = m->gap.before = NULL;
}

GAP_TEST(behind_a_full_segment_more_may_have_been_lost, make_restless(m))
{
    assert_claims_but(m, IDLE, TCPWHY_LOSS_RECOVERY);
    m->record[BEFORE].flags |= TW_PSH;
    assert_claims_surely(m, IDLE);
    m->gap.turn.guessed = true; /* pushed within a long message */
    assert_claims_but(m, IDLE, TCPWHY_LOSS_RECOVERY);
    m->record[BEFORE].len = CLAIM_MSS - 1;
    assert_claims_surely(m, IDLE);
    make_restless(m);
    m->record[BEFORE].flags |= TW_FIN;
    assert_claims_surely(m, IDLE);
    make_restless(m);
    m->record[BEFORE].len = CLAIM_MSS - 1;
    assert_claims_surely(m, IDLE);
    m->record[BEFORE].len = 0;
    assert_claims_surely(m, IDLE);
    make_restless(m);
    m->record[BEFORE].from = TCPWHY_CLIENT;
    assert_claims_surely(m, IDLE);
}

GAP_TEST(a_client_that_asks_again_lacked_no_data, make_restless(m))
{
    m->gap.send = &m->send[2];
    assert_claims_surely(m, IDLE);
    m->send[2].len = 0; /* a FIN asks nothing */
    assert_claims_but(m, IDLE, TCPWHY_LOSS_RECOVERY);
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = 0;
    assert_claims_surely(m, IDLE);
}

GAP_TEST(data_behind_a_hole_shows_a_loss, make_restless(m))
{
    m->record[BEFORE].flags |= TW_PSH;
    m->context.prescan.last_beyond[TCPWHY_SERVER] = &m->record[BEFORE];
    assert_claims_surely(m, IDLE);
    m->context.prescan.last_beyond[TCPWHY_SERVER] = &m->record[LATER];
    assert_claims_but(m, IDLE, TCPWHY_LOSS_RECOVERY);
}

GAP_TEST(without_a_protocol_the_server_may_have_paused, make_idle(m))
{
    m->gap.sender = TCPWHY_SERVER;
    m->gap.turn.guessed = true;
    assert_claims_but(m, IDLE, TCPWHY_APP_LIMITED);
    m->gap.turn.guessed = false;
    assert_claims_surely(m, IDLE);
    m->gap.turn.guessed = true;
    m->record[BEFORE].from = TCPWHY_CLIENT;
    assert_claims_surely(m, IDLE);
    m->record[BEFORE].from = TCPWHY_SERVER;
    m->gap.from_ns = m->gap.to_ns - TCPWHY_MS(200);
    assert_claims_but(m, IDLE, TCPWHY_APP_LIMITED);
    m->gap.from_ns++;
    assert_claims_surely(m, IDLE);
    make_idle(m);
    m->gap.sender = TCPWHY_SERVER;
    m->gap.turn.guessed = true;
    m->gap.send = m->gap.before = NULL; /* it says nothing more */
    assert_claims_surely(m, IDLE);
}

TEST(half_of_what_the_way_leaves_may_be_the_way_s_too)
{
    const enum tcpwhy_cause causes[] = { IDLE, TCPWHY_CLIENT_THINK, TCPWHY_SERVER_THINK };
    struct made_gap m;

    for (unsigned i = 0; i < 3; i++) {
        make_idle(&m);
        m.gap.sender = causes[i] == TCPWHY_SERVER_THINK ? TCPWHY_SERVER : TCPWHY_CLIENT;
        m.gap.phase = causes[i] == IDLE ? TW_PHASE_IDLE : TW_PHASE_TURN;
        m.gap.from_ns = m.gap.to_ns - TCPWHY_MS(30);
        m.gap.propagation_ns = TCPWHY_MS(10);
        m.gap.way.maybe_late_ns = TCPWHY_MS(10) - 1;
        assert_claims_surely(&m, causes[i]);
        m.gap.way.maybe_late_ns++;
        assert_claims_but(&m, causes[i], TCPWHY_WIRE);
        m.gap.way.queued = true;
        assert_claims_but(&m, causes[i], TCPWHY_BANDWIDTH_LIMITED);
        m.gap.propagation_ns = TCPWHY_MS(30);
        m.gap.way.maybe_late_ns = 0;
        assert_claims_surely(&m, causes[i]);
    }
}

GAP_TEST(an_answer_that_nobody_surely_awaits_may_be_unasked, make_idle(m))
{
    m->gap.phase = TW_PHASE_TURN;
    m->gap.sender = TCPWHY_SERVER;
    m->gap.from_ns = m->gap.to_ns - TCPWHY_MS(220);
    m->gap.propagation_ns = CLAIM_RTT;
    assert_claims_surely(m, TCPWHY_SERVER_THINK);
    m->gap.turn.guessed = true;
    assert_claims_but(m, TCPWHY_SERVER_THINK, IDLE);
    m->gap.propagation_ns++;
    assert_claims_surely(m, TCPWHY_SERVER_THINK);
}

GAP_TEST(with_guessed_roles_either_side_may_be_awaited, make_idle(m))
{
    m->gap.from_ns = m->gap.to_ns - TCPWHY_MS(30);
    m->gap.turn.unasked = true;
    assert_claims_but(m, IDLE, TCPWHY_SERVER_THINK);
    m->gap.phase = TW_PHASE_TURN;
    m->gap.sender = TCPWHY_SERVER;
    assert_claims_but(m, TCPWHY_SERVER_THINK, IDLE);
}

/* ---- segments that are too big --------------------------------------------------------------- */

/* At the server: it says something small behind a hole of two segments of the client's, who is
 * awaited and sends nothing any more. */
static void make_hole(struct made_gap *m)
{
    make_idle(m);
    m->gap.phase = TW_PHASE_TURN;
    m->gap.send = m->gap.before = NULL;
    m->connection.side[TCPWHY_CLIENT].next = 4 * CLAIM_MSS;
    m->connection.side[TCPWHY_CLIENT].largest = CLAIM_MSS - 1;
    m->context.prescan.last_beyond[TCPWHY_CLIENT] = &m->record[BEFORE];
    m->context.hole_bytes[TCPWHY_CLIENT] = 2 * CLAIM_MSS;
}

GAP_TEST(small_segments_alone_may_show_an_mtu_black_hole, make_hole(m))
{
    assert_claims_but(m, HOLE, TCPWHY_LOSS_RECOVERY);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_PATH);
    assert_int_equal(m->claim.from, TCPWHY_CLIENT);
    m->connection.side[TCPWHY_CLIENT].largest++;
    assert_leaves(m, HOLE);
    make_hole(m);
    m->context.hole_bytes[TCPWHY_CLIENT]--;
    assert_leaves(m, HOLE);
    make_hole(m);
    m->context.vantage.to_side_ns[TCPWHY_CLIENT] = 0;
    assert_leaves(m, HOLE);
}

GAP_TEST(only_what_is_awaited_for_good_is_in_the_hole, make_hole(m))
{
    m->gap.phase = TW_PHASE_MESSAGE;
    assert_leaves(m, HOLE);
    make_hole(m);
    m->gap.send = &m->send[2];
    assert_leaves(m, HOLE);
    make_hole(m);
    m->context.prescan.last_beyond[TCPWHY_CLIENT] = &m->record[OLD_DATA];
    assert_leaves(m, HOLE);
    m->context.prescan.last_beyond[TCPWHY_CLIENT] = NULL;
    assert_leaves(m, HOLE);
}

GAP_TEST(a_router_that_says_so_makes_it_certain, make_hole(m))
{
    m->context.too_big[TCPWHY_SERVER] = true;
    assert_claims_but(m, HOLE, TCPWHY_LOSS_RECOVERY);
    m->context.too_big[TCPWHY_CLIENT] = true;
    assert_claims_surely(m, HOLE);
}

/* The hole was filled at last. */
static void make_filled(struct made_gap *m)
{
    make_hole(m);
    m->context.prescan.last_beyond[TCPWHY_CLIENT] = NULL;
    m->gap.sender = TCPWHY_SERVER;
    m->episode = (struct tw_recovery_episode) {
        .sender = TCPWHY_CLIENT, .unseen = true, .hole_bytes = 2 * CLAIM_MSS, .repair_record = NOW
    };
    m->gap.episode = &m->episode;
}

GAP_TEST(a_hole_that_smaller_segments_fill_was_one_of_larger_ones, make_filled(m))
{
    assert_claims_but(m, HOLE, TCPWHY_LOSS_RECOVERY);
    assert_int_equal(m->claim.from, TCPWHY_CLIENT);
    assert_int_equal(m->claim.key_record, NOW);
    m->connection.side[TCPWHY_CLIENT].largest++;
    assert_leaves(m, HOLE);
    m->episode.black_hole = true;
    assert_claims_but(m, HOLE, TCPWHY_LOSS_RECOVERY);
    make_filled(m);
    m->episode.hole_bytes--; /* a few smaller ones, perhaps */
    assert_leaves(m, HOLE);
    m->episode.hole_bytes = CLAIM_MSS;
    assert_claims_but(m, HOLE, TCPWHY_LOSS_RECOVERY);
    m->episode.hole_bytes--;
    assert_leaves(m, HOLE);
    make_filled(m);
    m->episode.unseen = false;
    assert_leaves(m, HOLE);
}

GAP_TEST(a_sender_s_own_size_behind_the_hole_as_before_it_is_no_cut, make_filled(m))
{
    m->episode.first_record = ACK_BEFORE;
    m->record[ACK_BEFORE].len = CLAIM_MSS - 2;
    assert_claims_but(m, HOLE, TCPWHY_LOSS_RECOVERY);
    m->record[ACK_BEFORE].len++;
    assert_leaves(m, HOLE);
    m->record[ACK_BEFORE].from = TCPWHY_SERVER;
    assert_claims_but(m, HOLE, TCPWHY_LOSS_RECOVERY);
}

/* ---- losses ---------------------------------------------------------------------------------- */

GAP_TEST(a_repair_is_the_path_s_unless_it_carried_all_that_it_can, make_gap(m))
{
    m->gap.episode = &m->episode;
    m->episode.sender = TCPWHY_SERVER;
    assert_claims_surely(m, TCPWHY_LOSS_RECOVERY);
    m->gap.busy = true;
    assert_leaves(m, TCPWHY_LOSS_RECOVERY);
    m->gap.phase = TW_PHASE_TURN;
    assert_claims_surely(m, TCPWHY_LOSS_RECOVERY);
    m->episode.arrived = true;
    assert_claims_but(m, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    m->episode.first = true;
    assert_claims_but(m, TCPWHY_LOSS_RECOVERY, TCPWHY_CONNECT_RETRY);
    m->episode.unseen = true;
    assert_claims_but(m, TCPWHY_LOSS_RECOVERY, TCPWHY_SERVER_THINK);
}

/* The timer fired, and the next ACK tells that nothing was lost. */
static void make_misled(struct made_gap *m)
{
    make_gap(m);
    m->send[1].is = TW_SEND_REPEAT | TW_SEND_SPURIOUS | TW_SEND_REDUCED;
    m->round[1].misled_before = true;
    m->gap.from_ns = m->send[1].sent_ns - TCPWHY_MS(190);
}

GAP_TEST(a_timer_that_fires_before_a_late_ack_costs_what_a_loss_does, make_misled(m))
{
    assert_claims_but(m, TCPWHY_LOSS_RECOVERY, TCPWHY_CONGESTION_WINDOW_LIMITED);
    m->gap.from_ns++;
    assert_leaves(m, TCPWHY_LOSS_RECOVERY);
    make_misled(m);
    m->send[1].is &= (uint8_t)~TW_SEND_REDUCED;
    assert_leaves(m, TCPWHY_LOSS_RECOVERY);
    make_misled(m);
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = 1;
    assert_leaves(m, TCPWHY_LOSS_RECOVERY);
}

GAP_TEST(an_ack_may_be_late, make_gap(m))
{
    m->gap.flight_empty = true;
    m->record[BEFORE].seq = m->record[ACK].ack - CLAIM_MSS;
    m->record[BEFORE].time_ns = m->record[ACK].time_ns - TCPWHY_MS(30) - CLAIM_RTT;
    assert_claims_but(m, TCPWHY_DELAYED_ACK, TCPWHY_APP_LIMITED);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_CLIENT);
    m->record[BEFORE].time_ns++;
    assert_leaves(m, TCPWHY_DELAYED_ACK);
}

GAP_TEST(no_more_than_a_segment_takes_is_surely_the_way_s, make_gap(m))
{
    m->gap.from_ns = m->gap.to_ns - CLAIM_RTT / 8;
    assert_claims_surely(m, TCPWHY_WIRE);
    m->gap.from_ns--;
    assert_leaves(m, TCPWHY_WIRE);
    m->context.vantage.rtt_min_ns = TCPWHY_US(100);
    m->gap.from_ns = m->gap.to_ns - TCPWHY_MS(1);
    assert_claims_surely(m, TCPWHY_WIRE);
    m->gap.from_ns--;
    assert_leaves(m, TCPWHY_WIRE);
    m->context.vantage.rtt_min_ns = TCPWHY_NS_UNKNOWN;
    m->gap.from_ns = m->gap.to_ns;
    assert_leaves(m, TCPWHY_WIRE);
}

GAP_TEST(after_an_idle_time_a_start_is_slow_unless_a_queue_stands, make_gap(m))
{
    m->round[1].restarted = true;
    m->round[1].idle_bytes = m->round[1].flight_bytes + 1;
    assert_claims_but(m, TCPWHY_SLOW_START_AFTER_IDLE, TCPWHY_APP_LIMITED);
    m->round[1].queue.standing = true;
    assert_leaves(m, TCPWHY_SLOW_START_AFTER_IDLE);
    m->round[1].queue.standing = false;
    send_little(m, 400, 601);
    assert_claims_but(m, TCPWHY_SLOW_START_AFTER_IDLE, TCPWHY_APP_LIMITED);
    send_little(m, 400, 600);
    assert_leaves(m, TCPWHY_SLOW_START_AFTER_IDLE);
}

GAP_TEST(a_window_that_never_was_larger_is_not_restarted, make_gap(m))
{
    m->round[1].restarted = true;
    m->round[1].idle_bytes = m->round[1].flight_bytes;
    assert_leaves(m, TCPWHY_SLOW_START_AFTER_IDLE);
    m->connection.side[TCPWHY_SERVER].syn = false;
    assert_claims_but(m, TCPWHY_SLOW_START_AFTER_IDLE, TCPWHY_APP_LIMITED);
}
