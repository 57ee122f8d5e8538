/* SPDX-License-Identifier: MIT */
/* Long polls: requests that are pending until a timer answers them, and repeated at once. */
#include "tests/unit.h"

#include "app/polling.h"
#include "tests/unit/verdict.h"

#define POLLS 4

/* The client sends a request, is answered after waits_us, and sends the next one again_us later. */
struct polled {
    int64_t waits_us[POLLS], again_us;
    const char *request[POLLS];
    uint16_t status;
    bool framed;
    int grows; /* bytes by which each answer is longer than the one before */
};

static const struct polled usual = {
    .waits_us = { 25000000, 7000000, 25001000, 25002000 },
    .again_us = 10000,
    .request = { "GET /poll?t=1", "GET /poll?t=2", "GET /poll?t=2", "GET /poll?t=3" },
    .status = 204,
    .framed = true,
};

/* As a dissector of the protocol has it. */
static void name(struct talk *t, const struct polled *p)
{
    assert_int_equal(t->exchanges.n, POLLS);
    for (int i = 0; i < POLLS; i++) {
        struct tw_exchange *e = &t->exchanges.exchange[i];

        e->request = p->request[i];
        e->status = p->status;
        e->framed = p->framed;
    }
}

/* The number of long polls. */
static int standing(const struct polled *p, struct talk *t)
{
    int64_t at_us = 20000;
    int n = 0;

    talk_open(t, C, 1000);
    for (int i = 0; i < POLLS; i++) {
        talk_data(t, at_us, C, 100);
        at_us += 1000 + p->waits_us[i];
        talk_data(t, at_us, S, 100 + i * p->grows);
        at_us += p->again_us;
    }
    tw_exchanges_build(t->log, NULL, &t->exchanges);
    name(t, p);
    tw_polling_find(t->log, &t->exchanges);
    for (int i = 0; i < POLLS; i++)
        n += t->exchanges.exchange[i].stands && t->exchanges.exchange[i].at_will;
    return n;
}

static void assert_standing(const struct polled *p, int n)
{
    struct talk t;

    assert_int_equal(standing(p, &t), n);
    talk_close(&t);
}

TEST(a_request_answered_by_a_timer_and_repeated_is_a_long_poll)
{
    assert_standing(&usual, POLLS);
}

TEST(a_long_poll_is_likely_idle_time)
{
    struct talk t;

    assert_int_equal(standing(&usual, &t), POLLS);
    tw_explain(t.last.connection, t.log, &t.exchanges, &t.explainer, &t.explanation);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_SERVER_THINK), 0);
    assert_int_equal(talk_longest_span(&t, TCPWHY_CLIENT_IDLE)->confidence, TCPWHY_LIKELY);
    assert_int_equal(talk_longest_span(&t, TCPWHY_CLIENT_IDLE)->rival, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

#define POLLED_TEST(name) TEST_WITH(name, struct polled, p, *p = usual, (void)p)

POLLED_TEST(answers_after_different_times_are_think_time)
{
    p->waits_us[3] = 24000000; /* two alike are chance */
    assert_standing(p, 0);
    *p = usual;
    for (int i = 0; i < POLLS; i++)
        p->waits_us[i] = 23000000 + i * 50000; /* no timer's */
    assert_standing(p, 0);
    for (int i = 0; i < POLLS; i++)
        p->waits_us[i] = 4998000;
    assert_standing(p, 0);
}

POLLED_TEST(answers_that_take_the_same_time_to_the_millisecond_are_a_timers)
{
    p->status = 200;
    for (int i = 0; i < POLLS; i++)
        p->waits_us[i] = 23000000 + i * 1000;
    assert_standing(p, POLLS);
    p->waits_us[2] += 50000; /* work */
    assert_standing(p, 0);
}

POLLED_TEST(a_large_answer_is_no_empty_poll)
{
    p->status = 304;
    assert_standing(p, POLLS);
    p->status = 200;
    assert_standing(p, POLLS);
    p->grows = 100;
    assert_standing(p, 0);
    p->grows = 0;
    p->status = 504; /* a proxy's timer */
    assert_standing(p, 0);
}

POLLED_TEST(a_request_repeated_later_is_no_poll)
{
    p->again_us = 1000001;
    assert_standing(p, 0);
    *p = usual;
    p->request[1] = "GET /pol";
    assert_standing(p, 0);
    p->request[1] = "GET /polls";
    assert_standing(p, 0);
    for (int i = 0; i < POLLS; i++)
        p->request[i] = ""; /* not known */
    assert_standing(p, 0);
    *p = usual;
    p->framed = false;
    assert_standing(p, 0);
}

/* A single long answer, to a request whose query names that many milliseconds or seconds. */
static bool stands_alone(const char *request, int64_t wait_us)
{
    struct talk t;
    bool stands;

    talk_open(&t, C, 1000);
    talk_data(&t, 20000, C, 100);
    talk_data(&t, 21000 + wait_us, S, 100);
    talk_data(&t, 30000 + wait_us, C, 100);
    tw_exchanges_build(t.log, NULL, &t.exchanges);
    t.exchanges.exchange[0].request = request;
    t.exchanges.exchange[0].protocol = "http";
    t.exchanges.exchange[0].framed = true;
    tw_polling_find(t.log, &t.exchanges);
    stands = t.exchanges.exchange[0].stands && t.exchanges.exchange[0].at_will;
    talk_close(&t);
    return stands;
}

TEST(a_request_that_names_the_time_of_its_answer_asked_the_server_to_wait)
{
    assert_true(stands_alone("GET /updates?offset=17&timeout=30", 30004000));
    assert_true(stands_alone("GET /pools?etag=9&waitChange=10000", 9906000));
}

TEST(a_slow_answer_to_a_query_with_other_numbers_is_think_time)
{
    assert_false(stands_alone("GET /report?year=2024&page=3", 10000000));
    assert_false(stands_alone("GET /updates?timeout=30", 29500000)); /* news came before */
    assert_false(stands_alone("GET /updates?timeout=30s", 30000000));
    assert_false(stands_alone("GET /timeout=30", 30000000));
    assert_false(stands_alone("GET /slow?sleep=30&wait=1", 30000000));
    assert_false(stands_alone("GET /items?limit=4", 4000000)); /* shorter than a poll */
}
