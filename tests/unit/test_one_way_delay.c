/* SPDX-License-Identifier: MIT */
/*
 * Answers that stood in a queue, of others, on their way: the clock of who sent them tells when
 * they left.
 */
#include "tests/unit.h"

#include <glib.h>

#include "tests/unit/verdict.h"

#define WAY       10000 /* one way */
#define THINK     1000
#define EXCHANGES 31
#define PERIOD    200000

/* The clocks of the two hosts, in milliseconds: the server's goes on by so many at a time, and
 * loses so many microseconds from one exchange to the next. The capture is made so far from the
 * client. */
struct clocks {
    uint32_t step, loses_us;
    int64_t off_us;
    bool seldom; /* one answer of five stands in a queue, and not two of three */
};

static uint32_t client_clock(int64_t at_us)
{
    return (uint32_t)(at_us / 1000) + 500;
}

static uint32_t server_clock(const struct clocks *clocks, int64_t left_us)
{
    int64_t lost_us = left_us / PERIOD * clocks->loses_us;

    return ((uint32_t)((left_us - lost_us) / 1000) / clocks->step + 300) * clocks->step;
}

static void shake_hands(struct talk *t, const struct clocks *clocks)
{
    const int64_t off_us = clocks->off_us;
    int64_t at_us = 2 * WAY, left_us = 3 * WAY;

    talk_init(t);
    talk_stamped(t, off_us, C, 0, TW_SYN, client_clock(0), 0);
    talk_stamped(t, at_us - off_us, S, 0, TW_SYN | TW_ACK, server_clock(clocks, WAY),
                 client_clock(0));
    talk_stamped(t, at_us + off_us, C, 0, TW_ACK, client_clock(at_us), server_clock(clocks, WAY));
    /* Two that are near each other, by which the clock's steps are known. */
    for (int i = 0; i < 2; i++, left_us += 1000) {
        t->window[S] += 1000;
        talk_stamped(t, left_us + WAY - off_us, S, 0, TW_ACK, server_clock(clocks, left_us),
                     client_clock(at_us));
    }
}

/* Small requests, each answered after the server's time and what the queue takes that moment; who
 * is asked may acknowledge first, at once. */
static void ask(struct talk *t, const struct clocks *clocks, int64_t think_us, int64_t queue_us,
                bool acks)
{
    const int64_t off_us = clocks->off_us;
    int64_t at_us;

    shake_hands(t, clocks);
    for (int i = 1; i <= EXCHANGES; i++) {
        int64_t asked_us = i * PERIOD, came_us = asked_us + WAY, left_us = came_us + think_us;
        bool late = clocks->seldom ? i % 5 == 0 : i % 3 != 0;
        int64_t late_us = late ? queue_us : 0;

        talk_stamped(t, asked_us + off_us, C, 100, TW_ACK | TW_PSH, client_clock(asked_us), 0);
        if (acks)
            talk_stamped(t, came_us + WAY + late_us - off_us, S, 0, TW_ACK,
                         server_clock(clocks, came_us), client_clock(asked_us));
        at_us = left_us + WAY + late_us;
        talk_stamped(t, at_us - off_us, S, 100, TW_ACK | TW_PSH, server_clock(clocks, left_us),
                     client_clock(asked_us));
        talk_stamped(t, at_us + 10 + off_us, C, 0, TW_ACK, client_clock(at_us),
                     server_clock(clocks, left_us));
    }
    talk_explain(t);
    assert_complete(t);
}

static const struct clocks good = { .step = 1 };

static void an_answer_that_stood_in_a_queue_took_the_server_no_time(void **state)
{
    (void)state;
    struct talk t;

    ask(&t, &good, THINK, 30000, true);
    /* A drift of 500 ppm may be in it: 3 ms in the last of six seconds. */
    assert_true(talk_charged(&t, TCPWHY_SERVER_THINK) < EXCHANGES * (THINK + 5000));
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > EXCHANGES * 2 / 3 * (30000 - 5000));
    assert_true(talk_charged(&t, TCPWHY_WIRE) < EXCHANGES * (2 * WAY + 5000));
    assert_doubted(&t, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_WIRE);
    talk_close(&t);
}

/* A way that varies by less than a round trip. */
static void no_queue_is_seen_that_is_shorter_than_a_round_trip(void **state)
{
    (void)state;
    struct talk t;

    ask(&t, &good, THINK, 2 * WAY, true);
    assert_int_equal(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED), 0);
    assert_true(talk_charged(&t, TCPWHY_WIRE) > EXCHANGES * 2 / 3 * (4 * WAY - 5000));
    talk_close(&t);
}

/* Its host was busy for a moment, or the way was. */
static void few_late_answers_show_no_queue(void **state)
{
    (void)state;
    struct talk t;

    ask(&t, &(struct clocks) { .step = 1, .seldom = true }, THINK, 30000, true);
    assert_int_equal(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED), 0);
    assert_true(talk_charged(&t, TCPWHY_WIRE) > EXCHANGES / 5 * (2 * WAY + 30000 - 5000));
    talk_close(&t);
}

/* Near the server what it answers has just left, and still was under way for long. */
static void a_queue_shows_where_it_stands_between_the_server_and_here(void **state)
{
    (void)state;
    struct talk t;

    ask(&t, &(struct clocks) { .step = 1, .off_us = WAY * 4 / 5 }, THINK, 30000, true);
    assert_true(talk_charged(&t, TCPWHY_SERVER_THINK) < EXCHANGES * (THINK + 5000));
    talk_close(&t);
}

static void what_the_server_takes_stays_its_own(void **state)
{
    (void)state;
    struct talk t;

    ask(&t, &good, 30000, 0, true);
    assert_true(talk_charged(&t, TCPWHY_SERVER_THINK) >= EXCHANGES * 30000 - 10);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* Each answer goes on after so long, and that part stands in a queue for so much longer. */
static void answer_in_two(struct talk *t, int64_t pause_us, int64_t queue_us)
{
    shake_hands(t, &good);
    for (int i = 1; i <= EXCHANGES; i++) {
        int64_t asked_us = i * PERIOD, left_us = asked_us + WAY + THINK;

        talk_stamped(t, asked_us, C, 100, TW_ACK | TW_PSH, client_clock(asked_us), 0);
        for (int part = 0; part < 2; part++) {
            int64_t at_us = left_us + WAY + (i % 3 == 1 ? 0 : part * queue_us);

            talk_stamped(t, at_us, S, 100, TW_ACK | TW_PSH, server_clock(&good, left_us),
                         client_clock(asked_us));
            talk_stamped(t, at_us + 10, C, 0, TW_ACK, client_clock(at_us),
                         server_clock(&good, left_us));
            left_us += pause_us;
        }
    }
    talk_explain(t);
    assert_complete(t);
}

static void what_goes_on_late_and_stands_in_a_queue_was_not_written_so_late(void **state)
{
    (void)state;
    struct talk t;

    answer_in_two(&t, 60000, 0);
    assert_in_range(talk_charged(&t, TCPWHY_APP_LIMITED), EXCHANGES * 59900, EXCHANGES * 60000);
    talk_close(&t);
    answer_in_two(&t, 60000, 30000);
    assert_in_range(talk_charged(&t, TCPWHY_APP_LIMITED), EXCHANGES * 59900, EXCHANGES * 65000);
    assert_true(talk_charged(&t, TCPWHY_WIRE) > EXCHANGES * (2 * WAY + 15000));
    talk_close(&t);
}

/* Each request is on its way for so much longer, and each answer, too: nothing, a half, all of it.
 */
static void ask_over_wifi(struct talk *t, int64_t there_us, int64_t back_us)
{
    shake_hands(t, &good);
    for (int i = 1; i <= EXCHANGES; i++) {
        int64_t asked_us = i * PERIOD, left_us = asked_us + WAY + there_us * (i % 3) / 2 + THINK;
        int64_t at_us = left_us + WAY + back_us * (i % 2);

        talk_stamped(t, asked_us, C, 100, TW_ACK | TW_PSH, client_clock(asked_us), 0);
        talk_stamped(t, at_us, S, 100, TW_ACK | TW_PSH, server_clock(&good, left_us),
                     client_clock(asked_us));
        talk_stamped(t, at_us + 10, C, 0, TW_ACK, client_clock(at_us),
                     server_clock(&good, left_us));
    }
    talk_explain(t);
}

static void where_the_way_back_varies_the_way_there_may_as_well(void **state)
{
    (void)state;
    struct talk t;

    ask_over_wifi(&t, 16000, 16000);
    assert_int_equal(talk_longest_span(&t, TCPWHY_SERVER_THINK)->confidence, TCPWHY_LIKELY);
    assert_int_equal(talk_longest_span(&t, TCPWHY_SERVER_THINK)->rival, TCPWHY_WIRE);
    talk_close(&t);
    ask_over_wifi(&t, 16000, 0);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
    ask_over_wifi(&t, 80000, 16000);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

static void a_clock_that_goes_in_steps_tells_of_no_queue_as_short_as_them(void **state)
{
    (void)state;
    const struct clocks steps = { .step = 16 };
    struct talk t;

    ask(&t, &steps, 12000, 0, true);
    assert_true(talk_charged(&t, TCPWHY_SERVER_THINK) >= EXCHANGES * 12000 - 10);
    talk_close(&t);
}

static void a_clock_that_loses_time_is_found_out_by_what_it_echoes(void **state)
{
    (void)state;
    const struct clocks slow = { .step = 1, .loses_us = 1500 };
    struct talk t;

    ask(&t, &slow, 45000, 30000, true);
    assert_true(talk_charged(&t, TCPWHY_SERVER_THINK) >= EXCHANGES * 45000 - 10);
    talk_close(&t);
}

static void a_clock_of_another_tick_tells_nothing(void **state)
{
    (void)state;
    const struct clocks fast_ticks = { .step = 1, .loses_us = PERIOD / 4 };
    struct talk t;

    ask(&t, &fast_ticks, 45000, 0, false);
    assert_true(talk_charged(&t, TCPWHY_SERVER_THINK) >= EXCHANGES * 45000 - 10);
    talk_close(&t);
}

/* Requests in two small pieces, the second of which waits for the ACK of the first: the server
 * holds that back for so long, and then it stands in the queue. */
static void ask_in_two(struct talk *t, int64_t held_us, int64_t queue_us)
{
    uint32_t heard = server_clock(&good, WAY);
    int64_t at_us;

    shake_hands(t, &good);
    for (int i = 1; i <= EXCHANGES; i++) {
        int64_t asked_us = i * PERIOD, left_us = asked_us + WAY + held_us;

        talk_stamped(t, asked_us, C, 100, TW_ACK | TW_PSH, client_clock(asked_us), heard);
        at_us = left_us + WAY + (i % 3 ? queue_us : 0);
        heard = server_clock(&good, left_us);
        talk_stamped(t, at_us, S, 0, TW_ACK, heard, client_clock(asked_us));
        talk_stamped(t, at_us + 20, C, 50, TW_ACK | TW_PSH, client_clock(at_us), heard);
        left_us = at_us + 20 + WAY + THINK;
        heard = server_clock(&good, left_us);
        talk_stamped(t, left_us + WAY, S, 100, TW_ACK | TW_PSH, heard, client_clock(at_us));
    }
    talk_explain(t);
}

static void an_ack_that_stood_in_a_queue_was_not_delayed(void **state)
{
    (void)state;
    struct talk t;

    ask_in_two(&t, 0, 50000);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_DELAYED_ACK), 0);
    assert_sure(&t, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
    ask_in_two(&t, 40000, 0);
    assert_int_equal(talk_charged(&t, TCPWHY_NAGLE_HOLD), 0);
    assert_sure(&t, TCPWHY_NAGLE_DELAYED_ACK);
    talk_close(&t);
}

static void beside_a_queue_on_the_way_back_one_may_stand_on_the_way_there(void **state)
{
    (void)state;
    struct talk t;

    ask_in_two(&t, 40000, 30000);
    assert_int_equal(talk_longest_span(&t, TCPWHY_NAGLE_DELAYED_ACK)->rival, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
}

#define SEGMENTS 250u

/* The client's next request, and its answer so much later than over the shortest way. */
static void ask_next(struct talk *t, int64_t at_us, int64_t later_us)
{
    int64_t left_us = at_us + WAY + later_us;

    talk_stamped(t, at_us, C, 100, TW_ACK | TW_PSH, client_clock(at_us), 0);
    talk_stamped(t, left_us + WAY, S, 100, TW_ACK | TW_PSH, server_clock(&good, left_us),
                 client_clock(at_us));
}

/* An answer to a client whose way there passes an ACK of two segments every 5 ms: each lets two go,
 * every fourth one more. Then the client rests, and asks again. */
static void answer_behind_slow_acks(struct talk *t, int64_t rests_us)
{
    int64_t acked_us[SEGMENTS], at_us = PERIOD + WAY + THINK, came_us = at_us + WAY;
    unsigned sent = 0, acks = 0;

    shake_hands(t, &good);
    talk_stamped(t, PERIOD, C, 100, TW_ACK | TW_PSH, client_clock(PERIOD), 0);
    for (unsigned k = 0; sent < SEGMENTS; k++) {
        uint32_t heard = client_clock(k ? acked_us[k - 1] : PERIOD);

        if (k > 0)
            at_us = MAX(at_us + 5000, acked_us[k - 1] + WAY);
        for (unsigned n = k == 0 ? 10 : 2 + (k % 4 == 0); n > 0 && sent < SEGMENTS; n--) {
            came_us = MAX(came_us + 10, at_us + WAY);
            talk_stamped(t, came_us, S, TALK_MSS, TW_ACK, server_clock(&good, at_us), heard);
            if (++sent % 2)
                continue;
            acked_us[acks++] = came_us + 5;
            talk_stamped(t, came_us + 5, C, 0, TW_ACK, client_clock(came_us + 5),
                         server_clock(&good, at_us));
        }
    }
    ask_next(t, came_us + rests_us, 60000);
    talk_explain(t);
}

static void acks_that_are_not_echoed_in_time_stood_in_a_queue(void **state)
{
    (void)state;
    struct talk t;

    answer_behind_slow_acks(&t, PERIOD);
    assert_complete(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_APP_LIMITED), 0);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > 300000);
    talk_close(&t);
}

static void a_request_behind_acks_that_were_late_may_be_late_too(void **state)
{
    (void)state;
    struct talk t;

    answer_behind_slow_acks(&t, 1000);
    assert_int_equal(talk_longest_span(&t, TCPWHY_SERVER_THINK)->confidence, TCPWHY_LIKELY);
    talk_close(&t);
    answer_behind_slow_acks(&t, 1000000);
    assert_int_equal(talk_longest_span(&t, TCPWHY_SERVER_THINK)->confidence, TCPWHY_CERTAIN);
    talk_close(&t);
}

/* At the server: an answer of three segments, which a slow link passes every 12 ms, and what the
 * client asks as soon as it has them. */
static void who_lacks_the_end_of_an_answer_is_not_waited_for(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 2000);
    talk_data(&t, 2100, C, 100);
    for (unsigned i = 0; i < 3; i++)
        talk_data(&t, 2110 + i, S, TALK_MSS);
    talk_ack_to(&t, 14000, C, TALK_MSS);
    talk_ack_to(&t, 26000, C, 2 * TALK_MSS);
    talk_data(&t, 40000, C, 100);
    talk_explain(&t);
    assert_true(talk_longest_span(&t, TCPWHY_CLIENT_IDLE)->to_ns == TCPWHY_US(40000));
    assert_int_equal(talk_longest_span(&t, TCPWHY_CLIENT_IDLE)->from_ns, TCPWHY_US(38000));
    talk_close(&t);
}

/* At the client: nothing passes for 300 ms; then what the server sent again for want of the
 * client's answer, and its own answer. */
static void who_repeats_what_the_question_acknowledges_had_not_got_it(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 20000);
    talk_data(&t, 100000, C, 100);
    talk_data(&t, 121000, S, 100);
    talk_data(&t, 122000, C, 100);
    t.next[C] -= 100;
    talk_again(&t, 422000, S, 0, 100);
    t.next[C] += 100;
    talk_data(&t, 423000, S, 100);
    talk_ack(&t, 423100, C);
    talk_explain(&t);
    assert_complete(&t);
    assert_true(talk_charged(&t, TCPWHY_SERVER_THINK) <= 3000);
    assert_true(talk_charged(&t, TCPWHY_WIRE) >= 300000);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_that_stood_in_a_queue_took_the_server_no_time),
        cmocka_unit_test(no_queue_is_seen_that_is_shorter_than_a_round_trip),
        cmocka_unit_test(few_late_answers_show_no_queue),
        cmocka_unit_test(a_queue_shows_where_it_stands_between_the_server_and_here),
        cmocka_unit_test(what_the_server_takes_stays_its_own),
        cmocka_unit_test(what_goes_on_late_and_stands_in_a_queue_was_not_written_so_late),
        cmocka_unit_test(where_the_way_back_varies_the_way_there_may_as_well),
        cmocka_unit_test(a_clock_that_goes_in_steps_tells_of_no_queue_as_short_as_them),
        cmocka_unit_test(a_clock_that_loses_time_is_found_out_by_what_it_echoes),
        cmocka_unit_test(a_clock_of_another_tick_tells_nothing),
        cmocka_unit_test(an_ack_that_stood_in_a_queue_was_not_delayed),
        cmocka_unit_test(beside_a_queue_on_the_way_back_one_may_stand_on_the_way_there),
        cmocka_unit_test(acks_that_are_not_echoed_in_time_stood_in_a_queue),
        cmocka_unit_test(a_request_behind_acks_that_were_late_may_be_late_too),
        cmocka_unit_test(who_lacks_the_end_of_an_answer_is_not_waited_for),
        cmocka_unit_test(who_repeats_what_the_question_acknowledges_had_not_got_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
