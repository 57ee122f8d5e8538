/* SPDX-License-Identifier: MIT */
/* A five-tuple that is used anew, by a connection whose SYN the capture lacks. */
#include "tests/unit.h"

#include "tests/unit/talk.h"

#define BYTES 3000

/* A connection that both close. */
static void open_and_close(struct talk *t)
{
    talk_open(t, C, 1000);
    talk_data(t, 2000, C, 100);
    for (int i = 0; i < BYTES / 1000; i++)
        talk_data(t, 3000 + i, S, 1000);
    talk(t, 3100, C, 0, TW_ACK | TW_FIN);
    talk(t, 4100, S, 0, TW_ACK | TW_FIN);
    talk_ack(t, 4110, C);
}

/* The next one by the same ports, from its SYN/ACK on, whose numbers are so far from the last. */
static void talk_anew(struct talk *t, uint32_t away)
{
    t->next[C] += away;
    t->next[S] += away + 1000;
    talk(t, 9000000, S, 0, TW_SYN | TW_ACK);
}

static const uint32_t distances[] = { 100000, 0x30000000, 0x70000000, 0xa0000000, 0xfffe0000 };

static void what_follows_is_new(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        struct talk t;

        open_and_close(&t);
        talk_anew(&t, distances[i]);
        assert_int_equal(t.last.frame_class, TCPWHY_CLASS_SYN_ACK);
        talk_ack(&t, 9001000, C);
        assert_int_equal(t.last.frame_class, TCPWHY_CLASS_ACK);
        talk_data(&t, 9001010, C, 100);
        assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
        assert_false(t.last.facts & TW_FACT_HOLE_BEFORE);
        talk_data(&t, 9002000, S, 1000);
        assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
        assert_false(t.last.facts);
        assert_int_equal(t.last.connection->side[C].bytes, 200);
        assert_int_equal(t.last.connection->side[S].bytes, BYTES + 1000);
        assert_int_equal(t.last.connection->side[S].retransmissions, 0);
        talk_close(&t);
    }
}

static void it_acknowledges_a_syn_that_the_capture_lacks(void **state)
{
    (void)state;
    struct talk t;

    open_and_close(&t);
    talk_anew(&t, 0x70000000);
    assert_true(t.last.facts & TW_FACT_ACKS_UNSEEN);
    talk_ack(&t, 9001000, C);
    talk_data(&t, 9001010, C, 100);
    talk_data(&t, 9002000, S, 1000);
    talk_explain(&t);
    assert_true(talk_charged(&t, TCPWHY_CAPTURE_GAP) > 8900000);
    talk_close(&t);
}

static void when_the_old_one_was_taken_too(void **state)
{
    (void)state;
    struct talk t;
    struct tw_connection *c;

    open_and_close(&t);
    c = t.last.connection;
    c->past.row = 0;
    tw_tracker_take(t.tracker, c);
    tw_connection_free(c);
    talk_anew(&t, 0x70000000);
    talk_data(&t, 9001010, C, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_false(t.last.facts & TW_FACT_HOLE_BEFORE);
    talk_data(&t, 9002000, S, 1000);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.connection->stream, 0);
    talk_close(&t);
}

static void its_syn_ack_may_come_twice(void **state)
{
    (void)state;
    struct talk t;

    open_and_close(&t);
    talk_anew(&t, 0x30000000);
    t.next[S]--;
    talk(&t, 10000000, S, 0, TW_SYN | TW_ACK);
    assert_true(t.last.facts & TW_FACT_SEEN_BEFORE);
    assert_int_equal(t.last.connection->side[S].retransmissions, 1);
    talk_data(&t, 10002000, S, 1000);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.connection->side[S].bytes, BYTES + 1000);
    talk_close(&t);
}

static void a_syn_ack_behind_data_may_be_the_old_one(void **state)
{
    (void)state;
    struct talk t;
    struct tw_segment s;

    talk_open(&t, C, 1000);
    talk_data(&t, 2000, S, 1000);
    t.ip_id[S]++;
    s = talk_segment(&t, S, t.isn[S], 0, TW_SYN | TW_ACK);
    s.ack = t.isn[C] + 1;
    talk_push(&t, 1001000, &s);
    assert_true(t.last.facts & TW_FACT_SEEN_BEFORE);
    assert_int_equal(t.last.seq, 0);
    talk_data(&t, 1002000, S, 1000);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.connection->side[S].bytes, 2000);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_follows_is_new),
        cmocka_unit_test(it_acknowledges_a_syn_that_the_capture_lacks),
        cmocka_unit_test(when_the_old_one_was_taken_too),
        cmocka_unit_test(its_syn_ack_may_come_twice),
        cmocka_unit_test(a_syn_ack_behind_data_may_be_the_old_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
