/* SPDX-License-Identifier: MIT */
/* How connections are opened, frame by frame; and what is counted of them. */
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

static void ask(struct talk *t, int64_t at_us)
{
    struct tw_segment s = talk_segment(t, C, t->isn[C], 0, TW_SYN);

    t->next[C] = t->isn[C] + 1;
    talk_push(t, at_us, &s);
}

static void answer(struct talk *t, int64_t at_us)
{
    struct tw_segment s = talk_segment(t, S, t->isn[S], 0, TW_SYN | TW_ACK);

    t->next[S] = t->isn[S] + 1;
    talk_push(t, at_us, &s);
}

static void read_setup(struct talk *t, struct tw_setup *setup, struct told *told)
{
    *told = (struct told) { 0 };
    tw_setup_read(t->log, 4, setup, count, told);
}

#define TALK_TEST(name, make) TEST_WITH(name, struct talk, t, make, talk_close(t))

TALK_TEST(a_handshake_opens_a_connection, talk_open(t, C, 2000))
{
    struct tw_setup s;
    struct told told;

    read_setup(t, &s, &told);
    assert_int_equal(s.outcome, TW_SETUP_OPEN);
    assert_int_equal(s.syns, 1);
    assert_int_equal(s.unanswered, 0);
    assert_int_equal(s.answer_ns, TCPWHY_US(2000));
    assert_int_equal(told.n[TW_EVENT_SYN], 1);
    assert_int_equal(told.n[TW_EVENT_OPENED], 1);
}

TALK_TEST(syns_before_the_answer_are_unanswered, talk_init(t))
{
    struct tw_setup s;
    struct told told;

    ask(t, 0);
    ask(t, 1000000);
    ask(t, 3000000);
    answer(t, 3002000);
    talk_ack(t, 3002010, C);
    read_setup(t, &s, &told);
    assert_int_equal(s.outcome, TW_SETUP_OPEN);
    assert_int_equal(s.syns, 3);
    assert_int_equal(s.unanswered, 2);
    assert_false(s.last_open);
    assert_int_equal(told.n[TW_EVENT_SYN_AGAIN], 2);
    assert_int_equal(told.n[TW_EVENT_UNANSWERED], 2);
}

TALK_TEST(the_last_syn_may_still_be_answered, talk_init(t))
{
    struct tw_setup s;
    struct told told;

    ask(t, 0);
    ask(t, 1000000);
    read_setup(t, &s, &told);
    assert_int_equal(s.outcome, TW_SETUP_SILENT);
    assert_int_equal(s.unanswered, 1);
    assert_true(s.last_open);
    assert_int_equal(s.last_syn_ns, TCPWHY_S(1));
}

TALK_TEST(a_syn_captured_twice_is_one, talk_init(t))
{
    struct tw_setup s;
    struct told told;

    ask(t, 0);
    ask(t, 20);
    answer(t, 2000);
    answer(t, 2020);
    talk_ack(t, 2030, C);
    read_setup(t, &s, &told);
    assert_int_equal(s.syns, 1);
    assert_int_equal(s.unanswered, 0);
    assert_false(s.overflow);
}

TALK_TEST(an_answer_that_comes_again_after_its_ack_is_an_overflow, talk_open(t, S, 2000))
{
    struct tw_setup s;
    struct told told;

    answer(t, 1000000);
    read_setup(t, &s, &told);
    assert_true(s.overflow);
    assert_true(s.overflow_idle);
    assert_int_equal(s.outcome, TW_SETUP_OPEN);
}

TALK_TEST(a_request_behind_the_ack_is_no_idle_overflow, talk_open(t, S, 2000))
{
    struct tw_setup s;
    struct told told;

    talk_data(t, 2100, C, 100);
    answer(t, 1000000);
    read_setup(t, &s, &told);
    assert_true(s.overflow);
    assert_false(s.overflow_idle);
}

/* The SYN came again before its answer arrived, and is answered as well. */
TALK_TEST(the_answer_to_a_syn_that_crossed_another_is_none, talk_init(t))
{
    struct tw_setup s;
    struct told told;

    ask(t, 0);
    ask(t, 1000000);
    answer(t, 1200000);
    ask(t, 3000000);
    talk_ack(t, 3000010, C);
    answer(t, 3200000);
    read_setup(t, &s, &told);
    assert_false(s.overflow);
    assert_int_equal(s.outcome, TW_SETUP_OPEN);
}

TALK_TEST(an_answer_that_comes_again_before_its_ack_is_none, talk_init(t))
{
    struct tw_setup s;
    struct told told;

    ask(t, 0);
    answer(t, 10);
    answer(t, 1000000);
    read_setup(t, &s, &told);
    assert_false(s.overflow);
    assert_int_equal(s.outcome, TW_SETUP_HALF_OPEN);
}

TALK_TEST(a_syn_after_its_answer_tells_of_a_lost_answer, talk_init(t))
{
    struct tw_setup s;
    struct told told;

    ask(t, 0);
    answer(t, 10);
    ask(t, 1000000);
    answer(t, 1000010);
    talk_ack(t, 1002000, C);
    read_setup(t, &s, &told);
    assert_true(s.answer_lost);
    assert_int_equal(s.unanswered, 0);
    assert_int_equal(s.outcome, TW_SETUP_OPEN);
}

TALK_TEST(a_reset_refuses, talk_init(t))
{
    struct tw_setup s;
    struct told told;

    ask(t, 0);
    talk(t, 2000, S, 0, TW_RST | TW_ACK);
    read_setup(t, &s, &told);
    assert_int_equal(s.outcome, TW_SETUP_REFUSED);
    assert_int_equal(s.refusal, TW_REFUSED_RESET);
    assert_int_equal(told.n[TW_EVENT_REFUSED], 1);
    assert_int_equal(tw_setup_reset_by(t->last.connection, t->log, &s), -1);
}

TALK_TEST(a_reset_that_the_client_ignores_refuses_nothing, talk_init(t))
{
    struct tw_setup s;
    struct told told;

    ask(t, 0);
    talk(t, 2000, S, 0, TW_RST | TW_ACK);
    talk(t, 3000, S, 0, TW_RST | TW_ACK);
    answer(t, 200000);
    talk_ack(t, 200010, C);
    talk_data(t, 200020, C, 100);
    read_setup(t, &s, &told);
    assert_int_equal(s.outcome, TW_SETUP_OPEN);
    assert_int_equal(told.n[TW_EVENT_REFUSED], 0);
    assert_int_equal(told.n[TW_EVENT_OPENED], 1);
}

static enum tw_refusal refused_by(uint8_t version, uint16_t code)
{
    struct talk t;
    struct tw_setup s;
    struct told told;
    struct tw_log_icmp icmp = { .kind = TW_ICMP_UNREACHABLE, .code = code, .to = C };

    talk_init(&t);
    ask(&t, 0);
    tw_log_append_icmp(t.log, &icmp);
    tw_setup_read(t.log, version, &s, count, &told);
    assert_int_equal(s.outcome, TW_SETUP_REFUSED);
    talk_close(&t);
    return s.refusal;
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

TALK_TEST(half_a_capture_is_no_silence, talk_init(t))
{
    struct tw_setup s;
    struct told told;

    ask(t, 0);
    talk_data(t, 4000, C, 100);
    read_setup(t, &s, &told);
    assert_int_equal(s.outcome, TW_SETUP_UNSEEN);
    assert_int_equal(s.unanswered, 0);
    assert_false(s.last_open);
}

TALK_TEST(the_first_reset_counts, talk_open(t, C, 2000))
{
    struct tw_setup s;
    struct told told;

    talk_data(t, 10000, C, 100);
    talk(t, 12000, S, 0, TW_RST);
    talk(t, 12010, C, 0, TW_RST);
    read_setup(t, &s, &told);
    assert_int_equal(tw_setup_reset_by(t->last.connection, t->log, &s), TCPWHY_SERVER);
}

/* What every record brought anew adds up to what the tracker counted. */
TALK_TEST(fresh_bytes_add_up, talk_open(t, S, 2000))
{
    uint64_t fresh = 0;

    talk_data(t, 10000, S, 1000);
    talk_data(t, 10010, S, 1000);
    talk_lost(t, S, 1000);
    talk_data(t, 10020, S, 1000);
    talk_again(t, 50000, S, 2000, 1000);
    talk_again(t, 60000, S, 1000, 1000);
    for (uint32_t i = 0; i < t->log->n; i++)
        fresh += t->log->record[i].fresh;
    assert_int_equal(fresh, 4000);
    assert_int_equal(fresh, t->last.connection->side[S].bytes);
    assert_int_equal(t->log->record[t->log->n - 1].fresh, 0);
}
