/* SPDX-License-Identifier: MIT */
/*
 * Keep-alives with which a capture begins: they repeat a byte, or stand on one, that it does not
 * hold.
 */
#include "tests/unit.h"

#include "tests/unit/talk.h"

/* One byte, or none, below what the side sends next. */
static void ask_whether_somebody_is_there(struct talk *t, int64_t at_us, enum tcpwhy_side from,
                                          uint32_t len, uint16_t flags)
{
    struct tw_segment s = talk_segment(t, from, t->next[from] - 1, len, TW_ACK | flags);

    talk_push(t, at_us, &s);
}

static void a_byte_that_is_not_pushed_may_be_the_first_frame(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    ask_whether_somebody_is_there(&t, 0, C, 1, 0);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_KEEP_ALIVE);
    talk_ack(&t, 300, S);
    ask_whether_somebody_is_there(&t, 1000000, C, 1, 0);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_KEEP_ALIVE);
    talk_data(&t, 1200000, C, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.facts, 0);
    assert_int_equal(t.last.connection->side[C].bytes, 100);
    talk_close(&t);
}

static void a_byte_that_is_pushed_is_data(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    ask_whether_somebody_is_there(&t, 0, C, 1, TW_PSH);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    talk_close(&t);
}

static void a_byte_behind_what_was_acknowledged_is_data(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk_data(&t, 0, S, 100);
    t.next[C]++;
    ask_whether_somebody_is_there(&t, 300, C, 1, 0);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    talk_close(&t);
}

static void the_answer_to_one_without_a_byte_leaves_no_gap(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    ask_whether_somebody_is_there(&t, 0, C, 0, 0);
    talk_ack(&t, 300, S);
    assert_int_equal(t.last.facts, 0);
    ask_whether_somebody_is_there(&t, 1000000, C, 0, 0);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_KEEP_ALIVE);
    talk_ack(&t, 1000300, S);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_KEEP_ALIVE_ACK);
    talk_data(&t, 1200000, C, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.facts, 0);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CAPTURE_GAP), 0);
    talk_close(&t);
}

static void an_answer_to_more_than_a_byte_leaves_one(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk_ack(&t, 0, C);
    talk_lost(&t, C, 2);
    talk_ack(&t, 300, S);
    assert_true(t.last.facts & TW_FACT_ACKS_UNSEEN);
    talk_close(&t);
}

static void one_of_a_side_that_an_ack_told_of_is_known(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk_ack(&t, 0, C);
    ask_whether_somebody_is_there(&t, 60000, S, 0, 0);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_KEEP_ALIVE);
    ask_whether_somebody_is_there(&t, 30060000, S, 1, 0);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_KEEP_ALIVE);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_that_is_not_pushed_may_be_the_first_frame),
        cmocka_unit_test(a_byte_that_is_pushed_is_data),
        cmocka_unit_test(a_byte_behind_what_was_acknowledged_is_data),
        cmocka_unit_test(the_answer_to_one_without_a_byte_leaves_no_gap),
        cmocka_unit_test(an_answer_to_more_than_a_byte_leaves_one),
        cmocka_unit_test(one_of_a_side_that_an_ack_told_of_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
