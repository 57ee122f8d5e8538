/* SPDX-License-Identifier: MIT */
/* Connection setup, frame by frame, and its counters. */
#include "tests/unit.h"

#include "report/facts/setup.h"
#include "tests/unit/talk.h"

struct told {
    unsigned n[TW_EVENT_OPENED + 1];
};

static void count(void *user, enum tw_setup_event event, tcpwhy_ns at_ns)
{
    struct told *told = user;

    (void)at_ns;
    told->n[event]++;
}

/* A connection, and how it was opened. */
struct opening {
    struct talk talk;
    struct tw_setup setup;
    struct told told;
};

static void ask(struct opening *o, int64_t at_us)
{
    struct talk *t = &o->talk;
    struct tw_segment s = talk_segment(t, C, t->isn[C], 0, TW_SYN);

    t->next[C] = t->isn[C] + 1;
    talk_push(t, at_us, &s);
}

static void answer(struct opening *o, int64_t at_us)
{
    struct talk *t = &o->talk;
    struct tw_segment s = talk_segment(t, S, t->isn[S], 0, TW_SYN | TW_ACK);

    t->next[S] = t->isn[S] + 1;
    talk_push(t, at_us, &s);
}

static void read_setup(struct opening *o)
{
    o->told = (struct told) { 0 };
    tw_setup_read(o->talk.log, 4, &o->setup, count, &o->told);
}

#define SETUP_TEST(name, make) TEST_WITH(name, struct opening, o, make, talk_close(&o->talk))

SETUP_TEST(a_handshake_opens_a_connection, talk_open(&o->talk, C, 2000))
{
    read_setup(o);
    assert_int_equal(o->setup.outcome, TW_SETUP_OPEN);
    assert_int_equal(o->setup.syns, 1);
    assert_int_equal(o->setup.unanswered, 0);
    assert_int_equal(o->setup.answer_ns, TCPWHY_US(2000));
    assert_int_equal(o->told.n[TW_EVENT_SYN], 1);
    assert_int_equal(o->told.n[TW_EVENT_OPENED], 1);
}

SETUP_TEST(syns_before_the_answer_are_unanswered, talk_init(&o->talk))
{
    ask(o, 0);
    ask(o, 1000000);
    ask(o, 3000000);
    answer(o, 3002000);
    talk_ack(&o->talk, 3002010, C);
    read_setup(o);
    assert_int_equal(o->setup.outcome, TW_SETUP_OPEN);
    assert_int_equal(o->setup.syns, 3);
    assert_int_equal(o->setup.unanswered, 2);
    assert_false(o->setup.last_open);
    assert_int_equal(o->told.n[TW_EVENT_SYN_AGAIN], 2);
    assert_int_equal(o->told.n[TW_EVENT_UNANSWERED], 2);
}

SETUP_TEST(the_last_syn_may_still_be_answered, talk_init(&o->talk))
{
    ask(o, 0);
    ask(o, 1000000);
    read_setup(o);
    assert_int_equal(o->setup.outcome, TW_SETUP_SILENT);
    assert_int_equal(o->setup.unanswered, 1);
    assert_true(o->setup.last_open);
    assert_int_equal(o->setup.last_syn_ns, TCPWHY_S(1));
}

SETUP_TEST(a_syn_captured_twice_is_one, talk_init(&o->talk))
{
    ask(o, 0);
    ask(o, 20);
    answer(o, 2000);
    answer(o, 2020);
    talk_ack(&o->talk, 2030, C);
    read_setup(o);
    assert_int_equal(o->setup.syns, 1);
    assert_int_equal(o->setup.unanswered, 0);
    assert_false(o->setup.overflow);
}

SETUP_TEST(an_answer_that_comes_again_after_its_ack_is_an_overflow, talk_open(&o->talk, S, 2000))
{
    answer(o, 1000000);
    read_setup(o);
    assert_true(o->setup.overflow);
    assert_true(o->setup.overflow_idle);
    assert_int_equal(o->setup.outcome, TW_SETUP_OPEN);
}

SETUP_TEST(a_request_behind_the_ack_is_no_idle_overflow, talk_open(&o->talk, S, 2000))
{
    talk_data(&o->talk, 2100, C, 100);
    answer(o, 1000000);
    read_setup(o);
    assert_true(o->setup.overflow);
    assert_false(o->setup.overflow_idle);
}

/* The SYN came again before its answer arrived, and is answered as well. */
SETUP_TEST(the_answer_to_a_syn_that_crossed_another_is_none, talk_init(&o->talk))
{
    ask(o, 0);
    ask(o, 1000000);
    answer(o, 1200000);
    ask(o, 3000000);
    talk_ack(&o->talk, 3000010, C);
    answer(o, 3200000);
    read_setup(o);
    assert_false(o->setup.overflow);
    assert_int_equal(o->setup.outcome, TW_SETUP_OPEN);
}

SETUP_TEST(an_answer_that_comes_again_before_its_ack_is_none, talk_init(&o->talk))
{
    ask(o, 0);
    answer(o, 10);
    answer(o, 1000000);
    read_setup(o);
    assert_false(o->setup.overflow);
    assert_int_equal(o->setup.outcome, TW_SETUP_HALF_OPEN);
}

SETUP_TEST(a_syn_after_its_answer_tells_of_a_lost_answer, talk_init(&o->talk))
{
    ask(o, 0);
    answer(o, 10);
    ask(o, 1000000);
    answer(o, 1000010);
    talk_ack(&o->talk, 1002000, C);
    read_setup(o);
    assert_true(o->setup.answer_lost);
    assert_int_equal(o->setup.unanswered, 0);
    assert_int_equal(o->setup.outcome, TW_SETUP_OPEN);
}

SETUP_TEST(a_reset_refuses, talk_init(&o->talk))
{
    ask(o, 0);
    talk(&o->talk, 2000, S, 0, TW_RST | TW_ACK);
    read_setup(o);
    assert_int_equal(o->setup.outcome, TW_SETUP_REFUSED);
    assert_int_equal(o->setup.refusal, TW_REFUSED_RESET);
    assert_int_equal(o->told.n[TW_EVENT_REFUSED], 1);
    assert_int_equal(tw_setup_reset_by(o->talk.last.connection, o->talk.log, &o->setup), -1);
}

SETUP_TEST(a_reset_that_the_client_ignores_refuses_nothing, talk_init(&o->talk))
{
    ask(o, 0);
    talk(&o->talk, 2000, S, 0, TW_RST | TW_ACK);
    talk(&o->talk, 3000, S, 0, TW_RST | TW_ACK);
    answer(o, 200000);
    talk_ack(&o->talk, 200010, C);
    talk_data(&o->talk, 200020, C, 100);
    read_setup(o);
    assert_int_equal(o->setup.outcome, TW_SETUP_OPEN);
    assert_int_equal(o->told.n[TW_EVENT_REFUSED], 0);
    assert_int_equal(o->told.n[TW_EVENT_OPENED], 1);
}

static enum tw_refusal refused_by(uint8_t version, uint16_t code)
{
    struct opening o;
    struct tw_log_icmp icmp = { .kind = TW_ICMP_UNREACHABLE, .code = code, .to = C };

    talk_init(&o.talk);
    ask(&o, 0);
    tw_log_append_icmp(o.talk.log, &icmp);
    tw_setup_read(o.talk.log, version, &o.setup, count, &o.told);
    assert_int_equal(o.setup.outcome, TW_SETUP_REFUSED);
    talk_close(&o.talk);
    return o.setup.refusal;
}

TEST(an_icmp_code_tells_a_filter_from_a_router)
{
    assert_int_equal(refused_by(4, 1), TW_REFUSED_UNREACHABLE);
    assert_int_equal(refused_by(4, 3), TW_REFUSED_FILTER);
    assert_int_equal(refused_by(4, 13), TW_REFUSED_FILTER);
    assert_int_equal(refused_by(4, 4000), TW_REFUSED_UNREACHABLE);
    assert_int_equal(refused_by(6, 1), TW_REFUSED_FILTER);
    assert_int_equal(refused_by(6, 3), TW_REFUSED_UNREACHABLE);
}

SETUP_TEST(half_a_capture_is_no_silence, talk_init(&o->talk))
{
    ask(o, 0);
    talk_data(&o->talk, 4000, C, 100);
    read_setup(o);
    assert_int_equal(o->setup.outcome, TW_SETUP_UNSEEN);
    assert_int_equal(o->setup.unanswered, 0);
    assert_false(o->setup.last_open);
}

SETUP_TEST(the_first_reset_counts, talk_open(&o->talk, C, 2000))
{
    talk_data(&o->talk, 10000, C, 100);
    talk(&o->talk, 12000, S, 0, TW_RST);
    talk(&o->talk, 12010, C, 0, TW_RST);
    read_setup(o);
    assert_int_equal(tw_setup_reset_by(o->talk.last.connection, o->talk.log, &o->setup),
                     TCPWHY_SERVER);
}

/* The fresh bytes of all records add up to the tracker's count. */
SETUP_TEST(fresh_bytes_add_up, talk_open(&o->talk, S, 2000))
{
    uint64_t fresh = 0;

    talk_data(&o->talk, 10000, S, 1000);
    talk_data(&o->talk, 10010, S, 1000);
    talk_lost(&o->talk, S, 1000);
    talk_data(&o->talk, 10020, S, 1000);
    talk_again(&o->talk, 50000, S, 2000, 1000);
    talk_again(&o->talk, 60000, S, 1000, 1000);
    for (uint32_t i = 0; i < o->talk.log->n; i++)
        fresh += o->talk.log->record[i].fresh;
    assert_int_equal(fresh, 4000);
    assert_int_equal(fresh, o->talk.last.connection->side[S].bytes);
    assert_int_equal(o->talk.log->record[o->talk.log->n - 1].fresh, 0);
}
