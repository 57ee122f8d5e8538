/* SPDX-License-Identifier: MIT */
/*
 * A queue at the bottleneck: alone in it, and with others.
 */
#include "tests/unit.h"

#include <glib.h>

#include "tests/unit/verdict.h"

#define ROUND_TRIP  20000
#define ALONE_US    600  /* that the bottleneck takes for a segment */
#define SHARED_US   1200 /* ... while another's comes after each */
#define FIRST       40u
#define SEGMENTS    3000u
#define GROWS_EVERY 40u /* ACKs that let go one segment more */

/* An answer that a bottleneck passes segment by segment, at the server: ever more of it in flight,
 * alone up to so many segments. In its middle the receiver joins the ACKs of some. */
static void answer_through_a_bottleneck(struct talk *t, unsigned alone, unsigned joined)
{
    int64_t acked_us[SEGMENTS], at_us = ROUND_TRIP + 100, free_us = 0;
    unsigned sent = 0;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    for (unsigned acked = 0; sent < SEGMENTS; acked++) {
        unsigned more = acked == 0 ? FIRST : acked % GROWS_EVERY == 0 ? 2 : 1;

        if (acked > SEGMENTS / 2 && acked < SEGMENTS / 2 + joined)
            continue;
        if (acked == SEGMENTS / 2 + joined)
            more = joined;
        if (acked > 0) {
            at_us = acked_us[acked - 1];
            talk_ack_to(t, at_us, C, acked * TALK_MSS);
        }
        for (; more > 0 && sent < SEGMENTS; more--, sent++) {
            talk_data(t, ++at_us, S, TALK_MSS);
            free_us = MAX(free_us, at_us + ROUND_TRIP / 2) + (sent < alone ? ALONE_US : SHARED_US);
            acked_us[sent] = free_us + ROUND_TRIP / 2;
        }
    }
    talk_explain(t);
}

static int64_t life_us(const struct talk *t)
{
    return t->log->record[t->log->n - 1].time_ns / 1000;
}

static void alone_in_the_queue_the_bandwidth_is_the_limit(void **state)
{
    (void)state;
    struct talk t;

    answer_through_a_bottleneck(&t, SEGMENTS, 1);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > life_us(&t) * 9 / 10);
    talk_close(&t);
}

static void a_share_of_it_is_the_limit_too(void **state)
{
    (void)state;
    struct talk t;

    answer_through_a_bottleneck(&t, SEGMENTS * 2 / 3, 1);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > life_us(&t) * 9 / 10);
    assert_int_equal(talk_charged(&t, TCPWHY_EARLY_SLOW_START_EXIT), 0);
    talk_close(&t);
}

static uint32_t doubts(const struct talk *t, enum tcpwhy_cause rival)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->explanation.n_spans; i++)
        n += t->explanation.span[i].cause == TCPWHY_BANDWIDTH_LIMITED &&
             t->explanation.span[i].confidence == TCPWHY_LIKELY &&
             t->explanation.span[i].rival == rival;
    return n;
}

static void a_silence_before_an_ack_of_many_may_be_the_receiver_s(void **state)
{
    (void)state;
    struct talk t;

    answer_through_a_bottleneck(&t, SEGMENTS, 8);
    assert_int_equal(doubts(&t, TCPWHY_DELAYED_ACK), 1);
    talk_close(&t);
}

static void what_a_kernel_joins_is_no_silence(void **state)
{
    (void)state;
    struct talk t;

    answer_through_a_bottleneck(&t, SEGMENTS, 3);
    assert_int_equal(doubts(&t, TCPWHY_DELAYED_ACK), 0);
    talk_close(&t);
}

/* An answer at the client, in flights that take a little longer than a round trip to come, and go
 * on without end: so much apart, and the fourth segment of each so much behind the third, when an
 * ACK has let it go. */
static void answer_seen_from_afar(struct talk *t, int64_t apart_us, int64_t gap_us)
{
    int64_t begin_us = 2 * ROUND_TRIP, at_us;

    talk_open_wide(t, C, ROUND_TRIP);
    talk_data(t, ROUND_TRIP, C, 100);
    for (unsigned flight = 0; flight < 8; flight++, begin_us += ROUND_TRIP * 5 / 4)
        for (unsigned i = 0; i < 9; i++) {
            at_us = begin_us + apart_us * i + (i < 3 ? 0 : gap_us - apart_us);
            talk(t, at_us, S, TALK_MSS, TW_ACK);
            if (i == 5)
                talk_ack(t, begin_us + apart_us * 2 + gap_us + ROUND_TRIP / 4 - 100, C);
        }
    talk_explain(t);
}

static void from_afar_only_what_comes_evenly_shows_a_queue(void **state)
{
    (void)state;
    struct talk t;

    answer_seen_from_afar(&t, 2777, 2777);
    assert_sure(&t, TCPWHY_BANDWIDTH_LIMITED);
    assert_int_equal(doubts(&t, TCPWHY_CONGESTION_WINDOW_LIMITED), 0);
    talk_close(&t);
    answer_seen_from_afar(&t, 2000, 8000);
    assert_true(doubts(&t, TCPWHY_CONGESTION_WINDOW_LIMITED) > 0);
    talk_close(&t);
}

/* Four segments whenever the bottleneck has passed four, by the sender's own clock; ever some more
 * than that wait there, so that it is never idle for all that the pauses are longer than the way.
 */
static void who_paces_himself_and_keeps_the_queue_is_limited_by_the_path(void **state)
{
    (void)state;
    enum { WAY = 1000, BURST = 4, BURSTS = 300, AHEAD = 3 };
    struct talk t;
    uint32_t acked = 0;

    talk_open_wide(&t, S, 2 * WAY);
    talk_data(&t, 3 * WAY, C, 100);
    for (uint32_t i = 0; i < BURSTS; i++) {
        int64_t at_us = 4 * WAY + (i < AHEAD ? i : (i - AHEAD) * BURST * ALONE_US + 700);

        for (; acked < i * BURST && 5 * WAY + (acked + 2) * ALONE_US + WAY < at_us; acked += 2)
            talk_ack_to(&t, 6 * WAY + (acked + 2) * ALONE_US, C, (acked + 2) * TALK_MSS);
        for (uint32_t k = 0; k < BURST; k++)
            talk_data(&t, at_us + k, S, TALK_MSS);
    }
    talk_explain(&t);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > life_us(&t) * 8 / 10);
    assert_true(talk_charged(&t, TCPWHY_APP_LIMITED) < life_us(&t) / 10);
    talk_close(&t);
}

/* An answer into a window of 60 segments, at the server: so many at first, and for each that is
 * acknowledged another, and one more until the window is full. The bottleneck takes so long for a
 * segment; the receiver acknowledges so many at a time, each of them that late. */
static void answer_into_a_window(struct talk *t, unsigned first, int64_t segment_us,
                                 unsigned at_a_time)
{
    int64_t arrived_us[SEGMENTS], at_us = ROUND_TRIP + 100, free_us = 0;
    unsigned sent = 0, flight = first;

    talk_open(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    for (unsigned acked = 0; sent < SEGMENTS; acked += at_a_time) {
        if (acked > 0) {
            at_us = MAX(at_us, arrived_us[acked - 1] + ROUND_TRIP / 2);
            talk_ack_to(t, at_us, C, acked * TALK_MSS);
            flight = MIN(flight + at_a_time, TALK_WINDOW / TALK_MSS);
        }
        for (; sent < acked + flight && sent < SEGMENTS; sent++) {
            talk_data(t, ++at_us, S, TALK_MSS);
            arrived_us[sent] = free_us = MAX(free_us, at_us + ROUND_TRIP / 2) + segment_us;
        }
    }
    talk_explain(t);
}

static void a_window_that_leaves_a_queue_is_not_the_limit(void **state)
{
    (void)state;
    struct talk t;

    answer_into_a_window(&t, 10, 2400, 2);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > life_us(&t) * 9 / 10);
    assert_true(talk_charged(&t, TCPWHY_RECEIVE_WINDOW_LIMITED) < life_us(&t) / 20);
    talk_close(&t);
}

static void nor_for_sure_where_the_flight_did_not_grow_with_the_queue(void **state)
{
    (void)state;
    struct talk t;
    const struct tw_span *limited;

    answer_into_a_window(&t, 60, 600, 2);
    limited = talk_longest_span(&t, TCPWHY_RECEIVE_WINDOW_LIMITED);
    assert_int_equal(limited->confidence, TCPWHY_LIKELY);
    assert_int_equal(limited->rival, TCPWHY_BANDWIDTH_LIMITED);
    talk_close(&t);
}

static void a_window_that_the_path_holds_is_the_limit(void **state)
{
    (void)state;
    struct talk t;

    answer_into_a_window(&t, 10, 200, 2);
    assert_sure(&t, TCPWHY_RECEIVE_WINDOW_LIMITED);
    assert_true(talk_charged(&t, TCPWHY_RECEIVE_WINDOW_LIMITED) > life_us(&t) * 8 / 10);
    talk_close(&t);
}

static void who_answers_many_at_once_is_no_bottleneck(void **state)
{
    (void)state;
    struct talk t;

    answer_into_a_window(&t, 60, 600, 20);
    assert_sure(&t, TCPWHY_RECEIVE_WINDOW_LIMITED);
    talk_close(&t);
}

/* From the middle of an answer that fills a path, at the server: as much was under way as three
 * round trips take, and it grows. An exchange behind it tells how short the way is. */
static void from_the_middle_of_a_full_path_the_first_round_trip_is_full_too(void **state)
{
    (void)state;
    const int under_way = 3 * ROUND_TRIP / ALONE_US;
    int64_t at_us = 0;
    int sent = 1, acked = -under_way;
    struct talk t;

    talk_init(&t);
    t.wscale = 8;
    t.next[C] = t.isn[C] + 1;
    t.next[S] = t.isn[S] + 1;
    talk_data(&t, at_us, S, TALK_MSS);
    while (acked < sent) {
        talk_ack_to(&t, at_us += ALONE_US, C, (uint32_t)(++acked * (int)TALK_MSS));
        for (int i = acked % 4 ? 1 : 2; i > 0 && sent < 4 * under_way; i--, sent++)
            talk_data(&t, at_us + 10, S, TALK_MSS);
    }
    talk_data(&t, at_us += 300000, C, 100);
    talk_data(&t, at_us + 10, S, 100);
    talk_ack(&t, at_us + ROUND_TRIP, C);
    talk_explain(&t);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > 3 * under_way * ALONE_US);
    assert_true(talk_charged(&t, TCPWHY_WIRE) < 2 * ROUND_TRIP);
    talk_close(&t);
}

#define BURST 6

/* At the server, over a path of 20 ms: six segments at once, and six more when all are
 * acknowledged, which takes so much for each and the way. */
static void waits_for_all(struct talk *t, int64_t each_us)
{
    int64_t at_us = 60000;
    uint32_t acked = 0;

    talk_open_wide(t, S, 20000);
    talk_data(t, 40000, C, 100);
    for (int burst = 0; burst < 12; burst++) {
        for (int i = 0; i < BURST; i++)
            talk(t, at_us + i, S, TALK_MSS, TW_ACK | (i + 1 < BURST ? 0 : TW_PSH));
        at_us += 20000;
        for (int i = 0; i < BURST; i++)
            talk_ack_to(t, at_us += each_us, C, acked += TALK_MSS);
        at_us += 20;
    }
    talk_explain(t);
}

static void who_has_the_path_work_off_what_he_wrote_is_limited_by_it(void **state)
{
    (void)state;
    struct talk t;

    waits_for_all(&t, 40000);
    /* but for the last burst, behind which nothing tells */
    assert_true(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED) < BURST);
    assert_doubted(&t, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_SEND_BUFFER_LIMITED);
    talk_close(&t);
}

static void not_while_most_of_it_is_the_way(void **state)
{
    (void)state;
    struct talk t;

    waits_for_all(&t, 4000);
    assert_null(talk_span(&t, TCPWHY_BANDWIDTH_LIMITED));
    assert_non_null(talk_span(&t, TCPWHY_SEND_BUFFER_LIMITED));
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_in_the_queue_the_bandwidth_is_the_limit),
        cmocka_unit_test(a_share_of_it_is_the_limit_too),
        cmocka_unit_test(a_silence_before_an_ack_of_many_may_be_the_receiver_s),
        cmocka_unit_test(what_a_kernel_joins_is_no_silence),
        cmocka_unit_test(from_the_middle_of_a_full_path_the_first_round_trip_is_full_too),
        cmocka_unit_test(from_afar_only_what_comes_evenly_shows_a_queue),
        cmocka_unit_test(a_window_that_leaves_a_queue_is_not_the_limit),
        cmocka_unit_test(nor_for_sure_where_the_flight_did_not_grow_with_the_queue),
        cmocka_unit_test(a_window_that_the_path_holds_is_the_limit),
        cmocka_unit_test(who_answers_many_at_once_is_no_bottleneck),
        cmocka_unit_test(who_paces_himself_and_keeps_the_queue_is_limited_by_the_path),
        cmocka_unit_test(who_has_the_path_work_off_what_he_wrote_is_limited_by_it),
        cmocka_unit_test(not_while_most_of_it_is_the_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
