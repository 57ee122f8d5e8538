/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "tests/unit/talk.h"

static void data_that_continues_is_new(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, C, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.seq, 1);
    talk_data(&t, 2100, C, 100);
    assert_int_equal(t.last.seq, 101);
    assert_int_equal(t.last.connection->side[C].bytes, 200);
    talk_close(&t);
}

static void bytes_seen_before_are_a_retransmission(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, C, 100);
    talk_again(&t, 300000, C, 0, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_RETRANSMISSION);
    assert_true(t.last.facts & TW_FACT_SEEN_BEFORE);
    assert_int_equal(t.last.connection->side[C].bytes, 100);
    talk_close(&t);
}

static void a_retransmission_may_carry_new_bytes(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, C, 100);
    t.next[C] += 50;
    talk_again(&t, 300000, C, 0, 150);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_RETRANSMISSION);
    assert_true(t.last.facts & TW_FACT_NEW_TAIL);
    assert_false(t.last.facts & TW_FACT_SEEN_BEFORE);
    assert_int_equal(t.last.connection->side[C].bytes, 150);
    talk_close(&t);
}

/* What is sent again may end the stream, too, where the FIN came to stand behind it meanwhile. */
static void a_fin_behind_a_retransmission_is_no_byte(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment again;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, C, 100);
    t.ip_id[C]++;
    again = talk_segment(&t, C, t.isn[C] + 1, 100, TW_ACK | TW_FIN);
    talk_push(&t, 300000, &again);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_RETRANSMISSION);
    assert_true(t.last.facts & TW_FACT_NEW_TAIL);
    assert_int_equal(t.last.fresh, 0);
    assert_int_equal(t.last.connection->side[C].bytes, 100);
    talk_close(&t);
}

static void a_fin_that_fills_a_hole_is_no_byte(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment fin;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, C, 100);
    talk_lost(&t, C, 1);
    talk_ack(&t, 3000, S);
    t.ip_id[C]++;
    fin = talk_segment(&t, C, t.next[C] - 1, 0, TW_ACK | TW_FIN);
    talk_push(&t, 300000, &fin);
    assert_true(t.last.facts & TW_FACT_FILLS_HOLE);
    assert_int_equal(t.last.connection->side[C].bytes, 100);
    talk_close(&t);
}

/* Behind a router: less time to live, and the largest segment clamped. */
static void a_syn_at_two_interfaces_is_one(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment syn;

    talk_init(&t);
    syn = talk_segment(&t, C, t.isn[C], 0, TW_SYN);
    talk_push(&t, 0, &syn);
    syn.ttl--;
    syn.mss -= 40;
    talk_push(&t, 250000, &syn);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DUPLICATE_FRAME);
    assert_int_equal(t.last.connection->side[C].retransmissions, 0);
    assert_int_equal(t.last.connection->side[C].mss, TALK_MSS);
    assert_int_equal(t.last.connection->syn_ns, 0);
    talk_close(&t);
}

static void a_syn_after_a_timer_is_sent_again(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment syn;

    talk_init(&t);
    syn = talk_segment(&t, C, t.isn[C], 0, TW_SYN);
    talk_push(&t, 0, &syn);
    talk_push(&t, 310000, &syn);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_SYN);
    assert_int_equal(t.last.connection->side[C].retransmissions, 1);
    talk_close(&t);
}

static void a_syn_with_another_identification_is_sent_again(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment syn;

    talk_init(&t);
    syn = talk_segment(&t, C, t.isn[C], 0, TW_SYN);
    talk_push(&t, 0, &syn);
    syn.ip_id++;
    talk_push(&t, 50000, &syn);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_SYN);
    talk_close(&t);
}

/* The packet counter tells a segment that was overtaken from one that was sent again. */
static void what_was_sent_earlier_and_comes_later_is_out_of_order(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment late;

    talk_open(&t, C, 20000);
    for (int i = 0; i < 4; i++)
        talk_data(&t, 30000 + i, S, 100);
    t.ip_id[S]++;
    late = talk_segment(&t, S, t.next[S], 100, TW_ACK);
    t.next[S] += 100;
    talk_data(&t, 30010, S, 100);
    assert_true(t.last.facts & TW_FACT_HOLE_BEFORE);
    talk_push(&t, 30020, &late);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_OUT_OF_ORDER);
    assert_true(t.last.facts & TW_FACT_FILLS_HOLE);
    talk_close(&t);
}

static void what_fills_a_hole_and_was_sent_later_is_a_retransmission(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 20000);
    for (int i = 0; i < 4; i++)
        talk_data(&t, 30000 + i, S, 100);
    talk_lost(&t, S, 100);
    talk_data(&t, 30010, S, 100);
    talk_again(&t, 30020, S, 400, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_RETRANSMISSION);
    assert_true(t.last.facts & TW_FACT_FILLS_HOLE);
    talk_close(&t);
}

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

static void what_stands_behind_its_ack_is_out_of_order(void **state)
{
    (void)state;
    assert_int_equal(repeats_of_what_stands_behind_its_ack(0), 0);
    assert_int_equal(repeats_of_what_stands_behind_its_ack(1), 2);
}

static void the_same_packet_captured_twice_is_a_copy(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment s;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, C, 100);
    s = talk_segment(&t, C, t.next[C] - 100, 100, TW_ACK | TW_PSH);
    talk_push(&t, 2050, &s);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DUPLICATE_FRAME);
    assert_int_equal(t.last.connection->side[C].retransmissions, 0);
    talk_close(&t);
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

static void what_is_sent_again_takes_a_round_trip_and_a_copy_half_of_it(void **state)
{
    (void)state;
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

static void a_copy_behind_a_burst_has_an_earlier_identification(void **state)
{
    (void)state;
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

static void a_scale_that_the_snap_length_cut_off_is_not_known(void **state)
{
    (void)state;
    assert_int_equal(window_after_syns(false, false), 4 * TALK_WINDOW);
    assert_int_equal(window_after_syns(true, true), ~(int64_t)TALK_WINDOW);
    assert_int_equal(window_after_syns(true, false), ~(int64_t)TALK_WINDOW);
    assert_int_equal(window_after_syns(false, true), ~(int64_t)TALK_WINDOW);
}

static void an_ack_that_repeats_while_data_is_out_is_a_duplicate(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 1000);
    talk_ack(&t, 2010, C);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_ACK);
    talk_data(&t, 2020, S, 1000);
    talk_ack_to(&t, 2030, C, 1000);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DUPLICATE_ACK);
    talk_close(&t);
}

static void an_ack_that_only_opens_the_window_is_an_update(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 1000);
    t.window[C] = 0;
    talk_ack(&t, 2010, C);
    t.window[C] = 5000;
    talk_ack(&t, 3000, C);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_WINDOW_UPDATE);
    talk_close(&t);
}

/* Linux probes with no byte, one before the oldest; tshark calls that a keep-alive. */
static void a_probe_into_a_closed_window_is_no_keep_alive(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 1000);
    t.window[C] = 0;
    talk_ack(&t, 2010, C);
    talk_again(&t, 202000, S, 999, 0);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_WINDOW_PROBE);
    talk_ack(&t, 202010, C);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_WINDOW_PROBE_ACK);
    talk_close(&t);
}

/* Others probe with the next byte (RFC 9293, 3.8.6.1), which a receiver without room leaves. */
static void the_byte_of_a_probe_is_sent_for_the_first_time_when_there_is_room(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 1000);
    t.window[C] = 0;
    talk_ack(&t, 2010, C);
    talk_again(&t, 202000, S, 1000, 1);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_WINDOW_PROBE);
    talk_ack(&t, 202010, C);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_WINDOW_PROBE_ACK);
    t.window[C] = TALK_WINDOW;
    talk_ack(&t, 302000, C);
    talk_data(&t, 302100, S, 500);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.connection->side[S].retransmissions, 0);
    assert_int_equal(t.last.connection->side[S].bytes, 1500);
    talk_again(&t, 702000, S, 1000, 500);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_RETRANSMISSION);
    talk_close(&t);
}

static void the_byte_of_a_probe_that_was_taken_is_not_sent_again(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 1000);
    t.window[C] = 0;
    talk_ack(&t, 2010, C);
    talk_data(&t, 202000, S, 1);
    t.window[C] = TALK_WINDOW;
    talk_ack(&t, 202010, C);
    assert_false(t.last.facts & TW_FACT_ACKS_UNSEEN);
    talk_again(&t, 203000, S, 1000, 1);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_KEEP_ALIVE);
    talk_data(&t, 204000, S, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    talk_again(&t, 504000, S, 1100, 1);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_RETRANSMISSION);
    talk_close(&t);
}

static void a_keep_alive_lies_one_byte_back_with_all_acknowledged(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 1000);
    talk_ack(&t, 2010, C);
    talk_again(&t, 5002000, S, 999, 1);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_KEEP_ALIVE);
    talk_ack(&t, 5002010, C);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_KEEP_ALIVE_ACK);
    talk_close(&t);
}

static void acknowledging_what_was_never_seen_is_a_fact(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_lost(&t, S, 1000);
    talk_ack(&t, 2010, C);
    assert_true(t.last.facts & TW_FACT_ACKS_UNSEEN);
    assert_int_equal(t.last.ack, 1001);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_that_continues_is_new),
        cmocka_unit_test(bytes_seen_before_are_a_retransmission),
        cmocka_unit_test(a_retransmission_may_carry_new_bytes),
        cmocka_unit_test(a_fin_behind_a_retransmission_is_no_byte),
        cmocka_unit_test(a_fin_that_fills_a_hole_is_no_byte),
        cmocka_unit_test(a_syn_at_two_interfaces_is_one),
        cmocka_unit_test(a_syn_after_a_timer_is_sent_again),
        cmocka_unit_test(a_syn_with_another_identification_is_sent_again),
        cmocka_unit_test(what_was_sent_earlier_and_comes_later_is_out_of_order),
        cmocka_unit_test(what_fills_a_hole_and_was_sent_later_is_a_retransmission),
        cmocka_unit_test(what_stands_behind_its_ack_is_out_of_order),
        cmocka_unit_test(the_same_packet_captured_twice_is_a_copy),
        cmocka_unit_test(what_is_sent_again_takes_a_round_trip_and_a_copy_half_of_it),
        cmocka_unit_test(a_copy_behind_a_burst_has_an_earlier_identification),
        cmocka_unit_test(a_scale_that_the_snap_length_cut_off_is_not_known),
        cmocka_unit_test(an_ack_that_repeats_while_data_is_out_is_a_duplicate),
        cmocka_unit_test(an_ack_that_only_opens_the_window_is_an_update),
        cmocka_unit_test(a_probe_into_a_closed_window_is_no_keep_alive),
        cmocka_unit_test(the_byte_of_a_probe_is_sent_for_the_first_time_when_there_is_room),
        cmocka_unit_test(the_byte_of_a_probe_that_was_taken_is_not_sent_again),
        cmocka_unit_test(a_keep_alive_lies_one_byte_back_with_all_acknowledged),
        cmocka_unit_test(acknowledging_what_was_never_seen_is_a_fact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
