/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "tests/unit/talk.h"

/* Two segments of the client that the capture holds behind their ACK; so many packets that it does
 * not hold were sent before them. */
static uint64_t repeats_of_what_stands_behind_its_ack(int between)
{
    struct talk t;
    struct tw_segment late[2];
    uint64_t repeats;

    talk_open(&t, S, 20000);
    for (int i = 0; i < 4; i++)
        talk_data(&t, 30000 + i, C, 100);
    t.ip_id[C] = (uint16_t)(t.ip_id[C] + between);
    for (int i = 0; i < 2; i++, t.next[C] += 100) {
        t.ip_id[C]++;
        late[i] = talk_segment(&t, C, t.next[C], 100, TW_ACK);
    }
    talk_ack(&t, 30100, S);
    assert_true(t.last.facts & TW_FACT_ACKS_UNSEEN);
    for (int i = 0; i < 2; i++) {
        talk_push(&t, 30120 + i, &late[i]);
        assert_true(t.last.facts & TW_FACT_FILLS_HOLE);
    }
    repeats = t.last.connection->side[C].retransmissions;
    talk_close(&t);
    return repeats;
}

TEST(data_captured_behind_its_ack_is_out_of_order)
{
    assert_int_equal(repeats_of_what_stands_behind_its_ack(0), 0);
    assert_int_equal(repeats_of_what_stands_behind_its_ack(1), 2);
}

/* Data without identification over such a path, and the same so much later; or that is sent again
 * in time, and what is asked for is so much behind that. */
static uint8_t class_without_id(int64_t rtt_us, int64_t later_us, bool again)
{
    struct talk t;
    struct tw_segment s;
    uint8_t class;

    talk_open(&t, C, rtt_us - 10); /* for the last ACK of the handshake */
    s = talk_segment(&t, C, t.next[C], 100, TW_ACK | TW_PSH);
    s.ip_id = 0;
    talk_push(&t, 200000, &s);
    if (again)
        talk_push(&t, 500000, &s);
    talk_push(&t, (again ? 500000 : 200000) + later_us, &s);
    class = t.last.frame_class;
    talk_close(&t);
    return class;
}

TEST(a_copy_within_half_a_round_trip_is_no_retransmission)
{
    assert_int_equal(class_without_id(2000, 990, false), TCPWHY_CLASS_DUPLICATE_FRAME);
    assert_int_equal(class_without_id(2000, 1010, false), TCPWHY_CLASS_RETRANSMISSION);
    assert_int_equal(class_without_id(100, 190, false), TCPWHY_CLASS_DUPLICATE_FRAME);
    assert_int_equal(class_without_id(100, 210, false), TCPWHY_CLASS_RETRANSMISSION);
    assert_int_equal(class_without_id(100000, 4990, false), TCPWHY_CLASS_DUPLICATE_FRAME);
    assert_int_equal(class_without_id(100000, 5010, false), TCPWHY_CLASS_RETRANSMISSION);
    assert_int_equal(class_without_id(100000, 190, true), TCPWHY_CLASS_DUPLICATE_FRAME);
    assert_int_equal(class_without_id(100000, 210, true), TCPWHY_CLASS_RETRANSMISSION);
}

/* A burst of more than is remembered, and the first of it once more so much later, as
 * the packet with this identification; with a timestamp of so many ticks later, or none. */
static uint8_t class_behind_a_burst(int64_t later_us, int id_step, int timer_ticks)
{
    struct talk t;
    struct tw_segment s;
    uint8_t class;

    talk_open(&t, C, 20000);
    for (int i = 0; i < 2 * (int)TW_RECENT_FRAMES; i++)
        talk_stamped(&t, 30000 + i, S, 100, TW_ACK, 7, 3);
    s = talk_segment(&t, S, t.isn[S] + 1, 100, TW_ACK);
    s.ip_id = (uint16_t)(t.ip_id[S] + id_step);
    if (timer_ticks >= 0) {
        s.options |= TW_OPT_TIMESTAMP;
        s.tsval = 7 + (uint32_t)timer_ticks;
        s.tsecr = 3;
    }
    talk_push(&t, 30300 + later_us, &s);
    class = t.last.frame_class;
    talk_close(&t);
    return class;
}

TEST(a_copy_behind_a_burst_has_an_earlier_identification)
{
    const int first = 1 - 2 * (int)TW_RECENT_FRAMES;

    assert_int_equal(class_behind_a_burst(0, first, 0), TCPWHY_CLASS_DUPLICATE_FRAME);
    assert_int_equal(class_behind_a_burst(0, first, -1), TCPWHY_CLASS_DUPLICATE_FRAME);
    assert_int_equal(class_behind_a_burst(0, 1, 0), TCPWHY_CLASS_RETRANSMISSION);
    assert_int_equal(class_behind_a_burst(0, first, 1), TCPWHY_CLASS_RETRANSMISSION);
    assert_int_equal(class_behind_a_burst(600000, first, 0), TCPWHY_CLASS_RETRANSMISSION);
}

/* Both SYNs offer a scale of 2; of those that are cut, the snap length took the option away. */
static int64_t window_after_syns(bool client_cut, bool server_cut)
{
    struct talk t;
    int64_t window_bytes;

    talk_init(&t);
    for (int side = C; side <= S; side++) {
        struct tw_segment syn = talk_segment(&t, (enum tcpwhy_side)side, t.next[side], 0,
                                             (uint16_t)(side == C ? TW_SYN : TW_SYN | TW_ACK));

        syn.options |= (side == C ? client_cut : server_cut) ? TW_OPT_CUT : TW_OPT_WSCALE;
        syn.wscale = 2;
        t.next[side]++;
        talk_push(&t, 1000 * side, &syn);
    }
    talk_ack(&t, 2000, C);
    window_bytes = t.last.window_bytes;
    talk_close(&t);
    return window_bytes;
}

TEST(a_scale_that_the_snap_length_cut_off_is_not_known)
{
    assert_int_equal(window_after_syns(false, false), 4 * TALK_WINDOW);
    assert_int_equal(window_after_syns(true, true), ~(int64_t)TALK_WINDOW);
    assert_int_equal(window_after_syns(true, false), ~(int64_t)TALK_WINDOW);
    assert_int_equal(window_after_syns(false, true), ~(int64_t)TALK_WINDOW);
}
