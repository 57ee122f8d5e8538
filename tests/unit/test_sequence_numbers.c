/* SPDX-License-Identifier: MIT */
/* Numbers of 32 bits as offsets of 64: where they wrap, where they leap, and where they are forged.
 */
#include "tests/unit.h"

#include "tests/unit/talk.h"

static void offsets_go_on_where_sequence_numbers_wrap(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    t.isn[S] = t.next[S] = 0xffffff00;
    talk(&t, 0, C, 0, TW_SYN);
    talk(&t, 1000, S, 0, TW_SYN | TW_ACK);
    talk(&t, 1010, C, 0, TW_ACK);
    talk_data(&t, 2000, S, 1000);
    talk_data(&t, 2001, S, 1000);
    assert_int_equal(t.last.seq, 1001);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    talk_ack(&t, 2010, C);
    assert_int_equal(t.last.ack, 2001);
    talk_close(&t);
}

static void a_forged_jump_leaves_the_sequence_space_alone(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment s;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, C, 100);
    s = talk_segment(&t, C, t.next[C] + 0x60000000, 100, TW_ACK);
    talk_push(&t, 2100, &s);
    talk_data(&t, 2200, C, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.seq, 101);
    talk_close(&t);
}

/* More in flight than any window holds: the edge is nearer than the bytes asked for. */
static void an_ack_from_beyond_every_window_acknowledges_nothing(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 0x3fffffff);
    talk_data(&t, 2100, S, 0x3fffffff);
    talk_ack_to(&t, 3000, C, 10);
    assert_int_equal(t.last.ack, 1);
    assert_int_equal(t.last.connection->side[S].acked, 1);
    talk_close(&t);
}

static void where_both_sides_have_gone_the_capture_lacks_what_lies_between(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 100);
    talk_lost(&t, S, 0x70000000);
    talk_ack(&t, 1000000, C);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_ACK);
    talk_data(&t, 1000100, S, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.seq, 0x70000000LL + 101);
    assert_true(t.last.facts & TW_FACT_HOLE_BEFORE);
    talk_lost(&t, S, 0x90000000);
    talk_data(&t, 2000000, S, 100);
    assert_int_equal(t.last.seq, 0x70000000LL + 201);
    talk_ack(&t, 2000010, C);
    assert_int_equal(t.last.ack, 0x100000000LL + 301);
    assert_true(t.last.facts & TW_FACT_ACKS_UNSEEN);
    talk_close(&t);
}

static void what_only_the_acks_tell_of_is_forged(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 100);
    t.next[S] += 0x70000000;
    talk_ack(&t, 1000000, C);
    talk_ack(&t, 1000100, C);
    assert_int_equal(t.last.ack, 1);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_ACK);
    t.next[S] -= 0x70000000;
    talk_data(&t, 1000200, S, 100);
    assert_int_equal(t.last.seq, 101);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    talk_close(&t);
}

static void what_no_link_carries_in_the_time_is_anothers(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 100);
    talk_lost(&t, S, 0x70000000);
    talk_ack(&t, 52000, C);
    talk_data(&t, 52100, S, 100);
    assert_int_equal(t.last.seq, 101);
    assert_false(t.last.facts & TW_FACT_HOLE_BEFORE);
    talk_close(&t);
}

static void a_base_is_waited_for_until_a_length_is_known(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    for (int from = C; from <= S; from++) {
        struct tw_segment s = talk_segment(&t, from, t.next[from], 0, TW_ACK);

        s.facts = TW_SEG_NO_LENGTH;
        talk_push(&t, from, &s);
    }
    talk_data(&t, 10, C, 100);
    talk_data(&t, 20, S, 100);
    t.next[C] = 77777;
    talk(&t, 30, C, 0, TW_SYN);
    assert_int_equal(t.last.connection->first_frame, t.last.frame);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_go_on_where_sequence_numbers_wrap),
        cmocka_unit_test(a_forged_jump_leaves_the_sequence_space_alone),
        cmocka_unit_test(an_ack_from_beyond_every_window_acknowledges_nothing),
        cmocka_unit_test(where_both_sides_have_gone_the_capture_lacks_what_lies_between),
        cmocka_unit_test(what_only_the_acks_tell_of_is_forged),
        cmocka_unit_test(what_no_link_carries_in_the_time_is_anothers),
        cmocka_unit_test(a_base_is_waited_for_until_a_length_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
