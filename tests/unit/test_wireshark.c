/* SPDX-License-Identifier: MIT */
/*
 * Every expectation here was read off tshark 4.0.17; tests/oracle holds the whole against it.
 */
#include "tests/unit.h"

#include "track/wireshark.h"

#define CLIENT 0
#define SERVER 1

#define CLIENT_ISN 1000u
#define SERVER_ISN 5000u

struct talk {
    struct tw_ws *ws;
    tcpwhy_ns now_ns;
    uint32_t frame;
    bool reused;
    struct tcpwhy_wireshark got;
};

#define TALK_TEST(name)                                                                            \
    TEST_WITH(name, struct talk, t, *t = (struct talk) { .ws = tw_ws_new() }, tw_ws_free(t->ws))

/* A frame a millisecond after the last one; numbers are raw. */
static const struct tcpwhy_wireshark *push(struct talk *t, int from, struct tw_segment segment)
{
    t->now_ns += TCPWHY_MS(1);
    t->frame++;
    if (segment.window == 0)
        segment.window = 1000;
    if (segment.header_len == 0)
        segment.header_len = 20;
    tw_ws_push(t->ws, &segment, from, t->reused, t->now_ns, t->frame, &t->got);
    return &t->got;
}

static const struct tcpwhy_wireshark *send(struct talk *t, int from, uint16_t flags, uint32_t seq,
                                           uint32_t ack, uint32_t len)
{
    return push(t, from,
                (struct tw_segment) { .flags = flags, .seq = seq, .ack = ack, .len = len });
}

/* As send(), with a window of 0. */
static const struct tcpwhy_wireshark *send_closed(struct talk *t, int from, uint32_t seq,
                                                  uint32_t ack)
{
    struct tw_segment segment = { .flags = TW_ACK, .seq = seq, .ack = ack, .header_len = 20 };

    t->now_ns += TCPWHY_MS(1);
    t->frame++;
    tw_ws_push(t->ws, &segment, from, false, t->now_ns, t->frame, &t->got);
    return &t->got;
}

/* Frames 1 to 3. */
static void shake_hands(struct talk *t)
{
    send(t, CLIENT, TW_SYN, CLIENT_ISN, 0, 0);
    send(t, SERVER, TW_SYN | TW_ACK, SERVER_ISN, CLIENT_ISN + 1, 0);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 0);
}

TALK_TEST(the_handshake_gives_relative_numbers_and_the_initial_round_trip)
{
    shake_hands(t);
    assert_int_equal(t->got.seq, 1);
    assert_int_equal(t->got.ack, 1);
    assert_int_equal(t->got.acks_frame, 2);
    assert_int_equal(t->got.ack_rtt_ns, TCPWHY_MS(1));
    assert_int_equal(t->got.initial_rtt_ns, TCPWHY_MS(2));
    assert_int_equal(t->got.flags, 0);
}

TALK_TEST(a_stream_joined_in_the_middle_begins_at_one)
{
    send(t, CLIENT, TW_ACK, 777, 888, 10);
    assert_int_equal(t->got.seq, 1);
    assert_int_equal(t->got.ack, 1);
    assert_int_equal(t->got.completeness, 0);
    assert_int_equal(t->got.initial_rtt_ns, TCPWHY_NS_UNKNOWN);
}

TALK_TEST(the_initial_round_trip_is_told_only_where_the_frame_adds_something)
{
    shake_hands(t);
    send(t, CLIENT, TW_FIN | TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 0);
    assert_int_equal(t->got.flags, 0);
    assert_int_equal(t->got.initial_rtt_ns, TCPWHY_NS_UNKNOWN);
}

TALK_TEST(completeness_tells_what_the_frames_before_showed)
{
    shake_hands(t);
    assert_int_equal(t->got.completeness, 3);
    assert_int_equal(send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 5)->completeness, 7);
    assert_int_equal(
        send(t, SERVER, TW_FIN | TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 6, 0)->completeness, 15);
    assert_int_equal(send(t, CLIENT, TW_RST, CLIENT_ISN + 6, 0, 0)->completeness, 31);
    assert_int_equal(send(t, CLIENT, TW_RST, CLIENT_ISN + 6, 0, 0)->completeness, 63);
}

TALK_TEST(a_stream_on_used_ports_is_flagged_once_and_complete_by_a_syn_at_once)
{
    t->reused = true;
    send(t, CLIENT, TW_SYN, CLIENT_ISN, 0, 0);
    assert_int_equal(t->got.flags, TCPWHY_WS_REUSED_PORTS);
    assert_int_equal(t->got.completeness, 1);
    send(t, SERVER, TW_SYN | TW_ACK, SERVER_ISN, CLIENT_ISN + 1, 0);
    assert_int_equal(t->got.flags, 0);
}

TALK_TEST(a_syn_ack_that_begins_elsewhere_moves_the_base)
{
    shake_hands(t);
    send(t, SERVER, TW_SYN | TW_ACK, SERVER_ISN + 700, CLIENT_ISN + 1, 0);
    assert_int_equal(t->got.seq, 0);
    assert_true(t->got.flags & TCPWHY_WS_REUSED_PORTS);
}

TALK_TEST(flight_and_push_count_from_the_lowest_unacknowledged)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 100);
    assert_int_equal(t->got.bytes_in_flight, 100);
    send(t, CLIENT, TW_ACK | TW_PSH, CLIENT_ISN + 101, SERVER_ISN + 1, 50);
    assert_int_equal(t->got.bytes_in_flight, 150);
    assert_int_equal(t->got.push_bytes_sent, 150);
    send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 101, 0);
    assert_int_equal(t->got.bytes_in_flight, -1);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 151, SERVER_ISN + 1, 10);
    assert_int_equal(t->got.bytes_in_flight, 60);
    assert_int_equal(t->got.push_bytes_sent, 10);
}

TALK_TEST(a_partial_ack_trims_what_is_in_flight)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 100);
    send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 31, 0);
    assert_int_equal(t->got.acks_frame, 0);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 101, SERVER_ISN + 1, 1);
    assert_int_equal(t->got.bytes_in_flight, 71);
}

TALK_TEST(sacked_bytes_are_not_in_flight_and_a_fourth_block_is_not_seen)
{
    struct tw_segment sack = { .flags = TW_ACK, .seq = SERVER_ISN + 1, .ack = CLIENT_ISN + 1 };

    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 100);
    sack.options = TW_OPT_SACK;
    sack.n_sack = 4;
    for (uint32_t i = 0; i < 4; i++) {
        sack.sack[i][0] = CLIENT_ISN + 11 + 20 * i;
        sack.sack[i][1] = CLIENT_ISN + 16 + 20 * i;
    }
    push(t, SERVER, sack);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 101, SERVER_ISN + 1, 10);
    assert_int_equal(t->got.bytes_in_flight, 110 - 15);
}

TALK_TEST(after_a_hole_nothing_is_in_flight_until_an_ack)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 101, SERVER_ISN + 1, 100);
    assert_int_equal(t->got.flags, TCPWHY_WS_LOST_SEGMENT);
    assert_int_equal(t->got.bytes_in_flight, -1);
    send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 1, 0);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 201, SERVER_ISN + 1, 100);
    assert_int_equal(t->got.bytes_in_flight, 200);
}

TALK_TEST(a_reset_is_never_beyond_a_hole)
{
    shake_hands(t);
    assert_int_equal(send(t, CLIENT, TW_RST, CLIENT_ISN + 500, 0, 0)->flags, 0);
}

TALK_TEST(duplicate_acks_are_numbered_and_refer_to_the_first_of_their_kind)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 10);
    send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 11, 0);
    assert_int_equal(t->got.flags, 0);
    send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 11, 0);
    send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 11, 0);
    assert_int_equal(t->got.flags, TCPWHY_WS_DUPLICATE_ACK);
    assert_int_equal(t->got.duplicate_ack_num, 2);
    assert_int_equal(t->got.duplicate_ack_frame, 5);
}

TALK_TEST(the_second_duplicate_ack_makes_a_retransmission_fast)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 10);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 11, SERVER_ISN + 1, 10);
    for (int i = 0; i < 3; i++)
        send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 1, 0);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 10);
    assert_int_equal(t->got.flags, TCPWHY_WS_FAST_RETRANSMISSION | TCPWHY_WS_RETRANSMISSION);
    assert_int_equal(t->got.rto_frame, 0);
}

TALK_TEST(a_late_copy_is_a_retransmission_measured_from_the_oldest_unacknowledged)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 10);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 11, SERVER_ISN + 1, 10);
    t->now_ns += TCPWHY_MS(200);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 11, SERVER_ISN + 1, 10);
    assert_int_equal(t->got.flags, TCPWHY_WS_RETRANSMISSION);
    assert_int_equal(t->got.rto_frame, 4);
    assert_int_equal(t->got.rto_ns, TCPWHY_MS(202));
}

TALK_TEST(within_the_initial_round_trip_it_is_out_of_order)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 11, SERVER_ISN + 1, 10);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 10);
    assert_int_equal(t->got.flags, TCPWHY_WS_OUT_OF_ORDER);
}

TALK_TEST(a_clock_that_jumps_back_is_no_short_time)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 11, SERVER_ISN + 1, 10);
    t->now_ns -= TCPWHY_MS(2);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 10);
    assert_int_equal(t->got.flags, TCPWHY_WS_RETRANSMISSION);
}

TALK_TEST(retransmitting_acknowledged_data_is_spurious)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 10);
    send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 11, 0);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 10);
    assert_int_equal(t->got.flags, TCPWHY_WS_SPURIOUS_RETRANSMISSION | TCPWHY_WS_RETRANSMISSION);
}

TALK_TEST(the_oldest_copy_ends_the_round_trip)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 10);
    t->now_ns += TCPWHY_MS(200);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 10);
    send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 11, 0);
    assert_int_equal(t->got.acks_frame, 4);
    assert_int_equal(t->got.ack_rtt_ns, TCPWHY_MS(202));
}

TALK_TEST(an_ack_of_unseen_data_is_told_once)
{
    shake_hands(t);
    assert_int_equal(send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 101, 0)->flags,
                     TCPWHY_WS_ACK_LOST_SEGMENT);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 201, 0);
    assert_int_equal(t->got.flags, 0);
    assert_int_equal(t->got.initial_rtt_ns, TCPWHY_MS(2));
}

TALK_TEST(a_byte_before_the_next_is_a_keep_alive_and_its_answer_is_known)
{
    shake_hands(t);
    send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 1, 0);
    assert_int_equal(send(t, CLIENT, TW_ACK, CLIENT_ISN, SERVER_ISN + 1, 0)->flags,
                     TCPWHY_WS_KEEP_ALIVE);
    assert_int_equal(send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 1, 0)->flags,
                     TCPWHY_WS_KEEP_ALIVE_ACK);
}

TALK_TEST(a_byte_into_a_closed_window_is_a_probe_and_moves_nothing)
{
    shake_hands(t);
    assert_int_equal(send_closed(t, SERVER, SERVER_ISN + 1, CLIENT_ISN + 1)->flags,
                     TCPWHY_WS_ZERO_WINDOW);
    for (int i = 0; i < 2; i++)
        assert_int_equal(send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 1)->flags,
                         TCPWHY_WS_ZERO_WINDOW_PROBE);
    assert_int_equal(send_closed(t, SERVER, SERVER_ISN + 1, CLIENT_ISN + 1)->flags,
                     TCPWHY_WS_ZERO_WINDOW | TCPWHY_WS_ZERO_WINDOW_PROBE_ACK);
    assert_int_equal(send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 1, 0)->flags,
                     TCPWHY_WS_WINDOW_UPDATE);
}

TALK_TEST(a_window_that_was_never_seen_is_not_closed)
{
    send(t, CLIENT, TW_ACK, 10, 20, 1);
    assert_int_equal(send(t, CLIENT, TW_ACK, 11, 20, 1)->flags, 0);
}

TALK_TEST(data_to_the_edge_of_the_window_fills_it)
{
    shake_hands(t);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 999);
    assert_int_equal(t->got.flags, 0);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1000, SERVER_ISN + 1, 1);
    assert_int_equal(t->got.flags, TCPWHY_WS_WINDOW_FULL);
}

static void shake_hands_with_scale(struct talk *t, uint8_t client, uint8_t server)
{
    struct tw_segment syn = { .flags = TW_SYN, .seq = CLIENT_ISN, .options = TW_OPT_WSCALE };
    struct tw_segment syn_ack = { .flags = TW_SYN | TW_ACK, .seq = SERVER_ISN };

    syn.wscale = client;
    syn_ack.ack = CLIENT_ISN + 1;
    syn_ack.options = server ? TW_OPT_WSCALE : 0;
    syn_ack.wscale = server;
    push(t, CLIENT, syn);
    assert_int_equal(push(t, SERVER, syn_ack)->window_bytes, 1000);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 0);
}

TALK_TEST(windows_scale_when_both_offer_it)
{
    shake_hands_with_scale(t, 2, 7);
    assert_int_equal(t->got.window_bytes, 4000);
    send(t, SERVER, TW_ACK, SERVER_ISN + 1, CLIENT_ISN + 1, 0);
    assert_int_equal(t->got.window_bytes, 128000);
}

TALK_TEST(windows_do_not_scale_when_one_side_offers_nothing)
{
    shake_hands_with_scale(t, 2, 0);
    assert_int_equal(t->got.window_bytes, 1000);
}

TALK_TEST(a_shift_above_fourteen_counts_as_fourteen)
{
    shake_hands_with_scale(t, 15, 1);
    assert_int_equal(t->got.window_bytes, 1000 << 14);
}

TALK_TEST(sequence_numbers_wrap_without_a_trace)
{
    send(t, CLIENT, TW_ACK, UINT32_MAX - 9, 20, 10);
    assert_int_equal(send(t, CLIENT, TW_ACK, 0, 20, 10)->flags, 0);
    assert_int_equal(t->got.seq, 11);
    assert_int_equal(t->got.bytes_in_flight, 20);
    send(t, SERVER, TW_ACK, 20, 10, 0);
    assert_int_equal(t->got.acks_frame, 2);
}

TALK_TEST(a_repeated_syn_forgets_what_lay_beyond_a_hole)
{
    send(t, CLIENT, TW_SYN, CLIENT_ISN, 0, 0);
    send(t, CLIENT, TW_RST, CLIENT_ISN + 90000, 0, 0);
    assert_int_equal(send(t, CLIENT, TW_SYN, CLIENT_ISN, 0, 0)->flags, TCPWHY_WS_RETRANSMISSION);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, 1, 0);
    assert_int_equal(send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, 1, 0)->flags, TCPWHY_WS_DUPLICATE_ACK);
}

TALK_TEST(the_list_of_the_unacknowledged_is_bounded)
{
    shake_hands(t);
    for (uint32_t i = 0; i < 10010; i++)
        send(t, CLIENT, TW_ACK, CLIENT_ISN + 1 + 3 * i, SERVER_ISN + 1, 3);
    assert_int_equal(t->got.bytes_in_flight, 30000);
    send(t, CLIENT, TW_FIN | TW_ACK, CLIENT_ISN + 1 + 30030, SERVER_ISN + 1, 0);
    assert_int_equal(
        send(t, CLIENT, TW_FIN | TW_ACK, CLIENT_ISN + 1 + 30030, SERVER_ISN + 1, 0)->flags, 0);
}

/* Behind a hole comes a frame with such a header, of which nothing is told; but it counts. */
static void assert_untold(struct talk *t, uint8_t header_len, uint8_t facts,
                          enum tcpwhy_ws_header header)
{
    shake_hands(t);
    push(t, CLIENT,
         (struct tw_segment) { .flags = TW_ACK,
                               .seq = CLIENT_ISN + 101,
                               .ack = SERVER_ISN + 1,
                               .len = 10,
                               .header_len = header_len,
                               .facts = facts });
    assert_int_equal(t->got.header, header);
    assert_int_equal(t->got.flags, 0);
    assert_int_equal(t->got.bytes_in_flight, -1);
    assert_int_equal(t->got.seq, 101);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 111, SERVER_ISN + 1, 0);
    assert_int_equal(t->got.flags, TCPWHY_WS_DUPLICATE_ACK); /* so it moved what comes next */
}

TALK_TEST(a_header_under_20_bytes_is_counted_without_fields)
{
    assert_untold(t, 8, 0, TCPWHY_WS_HEADER_SHORT);
}

TALK_TEST(a_header_cut_by_the_snap_length_shows_its_fields_only)
{
    assert_untold(t, 32, TW_SEG_HEADER_CUT, TCPWHY_WS_HEADER_WHOLE);
}

TALK_TEST(a_header_longer_than_its_segment_leaves_no_trace_in_the_numbers)
{
    shake_hands(t);
    push(t, CLIENT,
         (struct tw_segment) { .flags = TW_ACK,
                               .seq = CLIENT_ISN + 101,
                               .ack = SERVER_ISN + 1,
                               .header_len = 60,
                               .facts = TW_SEG_NO_LENGTH });
    assert_int_equal(t->got.header, TCPWHY_WS_HEADER_LONG);
    assert_int_equal(t->got.seq, CLIENT_ISN + 101);
    assert_int_equal(t->got.ack, SERVER_ISN + 1);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 5);
    assert_int_equal(t->got.flags, 0);
    assert_int_equal(t->got.bytes_in_flight, 5);
}

TALK_TEST(a_cut_syn_does_not_turn_scaling_off)
{
    struct tw_segment syn = {
        .flags = TW_SYN, .seq = CLIENT_ISN, .options = TW_OPT_WSCALE, .wscale = 7
    };
    struct tw_segment cut = { .flags = TW_SYN | TW_ACK,
                              .seq = SERVER_ISN,
                              .ack = CLIENT_ISN + 1,
                              .header_len = 40,
                              .facts = TW_SEG_HEADER_CUT };

    push(t, CLIENT, syn);
    push(t, SERVER, cut);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 0);
    assert_int_equal(t->got.window_bytes, 128000);
}
