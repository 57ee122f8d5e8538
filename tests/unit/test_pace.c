/* SPDX-License-Identifier: MIT */
/*
 * Senders that go by a clock of their own: writers, and a TCP that paces its flights.
 */
#include "tests/unit.h"

#include "explain/attribute/details.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define WRITES     40u

/* At the server: it writes 300 bytes whenever so much time is over, over a path of 20 ms. */
static void answer_on_a_clock(struct talk *t, int64_t period_us)
{
    uint32_t acked = 0;

    talk_open(t, S, ROUND_TRIP);
    talk_data(t, 2 * ROUND_TRIP, C, 100);
    for (uint32_t i = 0; i < WRITES; i++) {
        int64_t at_us = 3 * ROUND_TRIP + i * period_us;

        for (; acked < i && 3 * ROUND_TRIP + acked * period_us + ROUND_TRIP <= at_us; acked++)
            talk_ack_to(t, 3 * ROUND_TRIP + acked * period_us + ROUND_TRIP, C, (acked + 1) * 300);
        talk_data(t, at_us, S, 300);
    }
    talk_explain(t);
}

static void who_writes_on_a_clock_into_an_empty_buffer_had_room(void **state)
{
    (void)state;
    struct talk t;

    answer_on_a_clock(&t, 60000);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void who_writes_on_a_clock_with_data_in_flight_may_have_had_none(void **state)
{
    (void)state;
    struct talk t;

    answer_on_a_clock(&t, 13000);
    talk_explain_framed(&t, false);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_SEND_BUFFER_LIMITED);
    talk_close(&t);
}

/* After some small messages, as TLS has them, flights of full segments, two at a time, evenly over
 * the round trip; each flight is twice the one before. */
static void answer_paced(struct talk *t, unsigned flights)
{
    int64_t at_us = 3 * ROUND_TRIP;
    uint32_t sent = 0, segments = 12;

    talk_open_wide(t, S, ROUND_TRIP);
    for (int i = 0; i < 3; i++, at_us += 2 * ROUND_TRIP, sent += 200) {
        talk_data(t, at_us, C, 100);
        talk_data(t, at_us + 100, S, 200);
        talk_ack(t, at_us + ROUND_TRIP, C);
    }
    talk_data(t, at_us, C, 100);
    for (unsigned flight = 0; flight < flights; flight++, segments *= 2) {
        for (uint32_t i = 0; i < segments; i++) {
            int64_t sent_us = at_us + (i / 2) * ROUND_TRIP / (segments / 2);

            if (flight > 0 && i % 4 == 0)
                talk_ack_to(t, sent_us + 1, C, sent + (i / 4 + 1) * 2 * TALK_MSS);
            talk_data(t, sent_us + 2, S, TALK_MSS);
        }
        if (flight > 0)
            sent += segments / 2 * TALK_MSS;
        at_us += ROUND_TRIP;
    }
    talk_explain(t);
}

static void a_paced_flight_that_doubles_is_slow_start(void **state)
{
    (void)state;
    struct talk t;

    answer_paced(&t, 6);
    assert_true(talk_charged(&t, TCPWHY_SLOW_START) > 4 * ROUND_TRIP);
    assert_true(talk_charged(&t, TCPWHY_APP_LIMITED) < ROUND_TRIP);
    talk_close(&t);
}

/* So many segments each 750 us a segment, 21 ms of ACKs in flight, as many acknowledged a moment
 * before each burst: the clock wobbles by so much, the ACKs by 60 us. */
static void answer_at_a_rate(struct talk *t, unsigned segments, int64_t clock_wobbles_us)
{
    const unsigned bursts = 800 / segments, flight = 28 / segments;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, 3 * ROUND_TRIP, C, 100);
    for (unsigned i = 0; i < bursts; i++) {
        int64_t at_us = 4 * ROUND_TRIP + i * segments * 750;

        if (i >= flight)
            talk_ack_to(t, at_us - 80 + (i % 2 ? 60 : 0), C,
                        (i - flight + 1) * segments * TALK_MSS);
        for (unsigned k = 0; k < segments; k++)
            talk_data(t, at_us + (i % 2 ? clock_wobbles_us : 0) + k * 5, S, TALK_MSS);
    }
    talk_explain(t);
}

static bool is_called_paced(const struct talk *t)
{
    for (uint32_t i = 0; i < t->explanation.n_details; i++)
        if (t->explanation.detail[i].text == tw_kind_paced)
            return true;
    return false;
}

static void two_segments_at_a_time_evenly_are_a_kernel_s_pace(void **state)
{
    (void)state;
    struct talk t;

    answer_at_a_rate(&t, 2, 10);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
    assert_true(is_called_paced(&t));
    talk_close(&t);
    answer_at_a_rate(&t, 2, 400);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_SEND_BUFFER_LIMITED);
    assert_false(is_called_paced(&t));
    talk_close(&t);
}

/* Two segments at a time over a path of 20 ms that carries as many each 1.5 ms: flights that leave
 * a queue there, then, when it has gone, so much at a steady pace. */
static void fill_then_pace(struct talk *t, int64_t period_us)
{
    enum { FLIGHT = 28, FILLING = 10 * FLIGHT, ALL = FILLING + 400 };
    const int64_t start_us = 4 * ROUND_TRIP;
    int64_t sent_us, acked_us[ALL], paced_us = 0, free_us = 0;
    uint32_t acks = 0;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, 3 * ROUND_TRIP, C, 100);
    for (uint32_t i = 0; i < ALL; i++) {
        if (i == FILLING)
            paced_us = acked_us[i - 1] - ROUND_TRIP + period_us;
        if (i >= FILLING)
            sent_us = paced_us + (i - FILLING) * period_us;
        else
            sent_us = i < FLIGHT ? start_us + i * 10 : acked_us[i - FLIGHT] + 20;
        free_us = MAX(free_us, sent_us) + 1500;
        acked_us[i] = free_us - 1500 + ROUND_TRIP;
        for (; acks < i && acked_us[acks] <= sent_us; acks++)
            talk_ack_to(t, acked_us[acks], C, (acks + 1) * 2 * TALK_MSS);
        talk_data(t, sent_us, S, TALK_MSS);
        talk_data(t, sent_us + 2, S, TALK_MSS);
    }
    talk_explain(t);
}

static void a_pace_at_the_rate_of_the_full_path_is_the_path_s(void **state)
{
    (void)state;
    const int64_t paced_us = 390 * 1500;
    struct talk t;

    fill_then_pace(&t, 1500);
    assert_true(talk_charged(&t, TCPWHY_APP_LIMITED) < 2 * ROUND_TRIP);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > paced_us);
    talk_close(&t);
    fill_then_pace(&t, 2100);
    assert_true(talk_charged(&t, TCPWHY_APP_LIMITED) > paced_us);
    talk_close(&t);
}

/* Three segments each 0.8 ms over a path of 110 ms, which is far longer: 0.3 ms behind an ACK, or
 * with it. */
static void answer_far_away(struct talk *t, int64_t lag_us)
{
    enum { WAY = 110000, PERIOD = 800, BURSTS = 2000, FLIGHT = WAY / PERIOD };

    talk_open_wide(t, S, WAY);
    talk_data(t, 3 * WAY, C, 100);
    for (unsigned i = 0; i < BURSTS; i++) {
        int64_t at_us = 4 * WAY + i * PERIOD + i % 3 * 5;

        if (i > FLIGHT)
            talk_ack_to(t, at_us - lag_us, C, (i - FLIGHT) * 3 * TALK_MSS);
        for (unsigned k = 0; k < 3; k++)
            talk_data(t, at_us + k, S, TALK_MSS);
    }
    talk_explain(t);
}

static void at_its_sender_a_pace_shows_on_a_long_way_too(void **state)
{
    (void)state;
    struct talk t;

    answer_far_away(&t, 300);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    talk_close(&t);
    answer_far_away(&t, 30);
    assert_sure(&t, TCPWHY_SEND_BUFFER_LIMITED);
    talk_close(&t);
}

static void who_is_steadier_than_his_acks_goes_by_a_clock_of_his_own(void **state)
{
    (void)state;
    struct talk t;

    answer_at_a_rate(&t, 4, 10);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_SEND_BUFFER_LIMITED);
    assert_false(is_called_paced(&t));
    talk_close(&t);
}

static void who_wobbles_as_they_do_goes_by_them(void **state)
{
    (void)state;
    struct talk t;

    answer_at_a_rate(&t, 2, 60);
    assert_sure(&t, TCPWHY_SEND_BUFFER_LIMITED);
    talk_close(&t);
}

/* Flights of as much behind each ACK, by a host that takes so long for it at most, seldom as long
 * as before. */
static void answer_on_a_busy_host(struct talk *t, int64_t longest_us)
{
    enum { FLIGHTS = 20, SEGMENTS = 24 };

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, 3 * ROUND_TRIP, C, 100);
    for (unsigned flight = 0; flight < FLIGHTS; flight++) {
        int64_t at_us = 4 * ROUND_TRIP + flight * (ROUND_TRIP + 500);

        if (flight > 0)
            talk_ack(t, at_us, C);
        for (unsigned i = 0; i < SEGMENTS; i++)
            talk_data(t, at_us + longest_us / 10 * (flight % 4 * 3 + 1) + i, S, TALK_MSS);
    }
    talk_explain(t);
}

static void who_is_soon_behind_his_acks_goes_by_them_on_a_busy_host(void **state)
{
    (void)state;
    struct talk t;

    answer_on_a_busy_host(&t, 500);
    assert_sure(&t, TCPWHY_SEND_BUFFER_LIMITED);
    assert_true(talk_charged(&t, TCPWHY_APP_LIMITED) < ROUND_TRIP);
    talk_close(&t);
    answer_on_a_busy_host(&t, 1500);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    assert_true(talk_charged(&t, TCPWHY_APP_LIMITED) > 10 * ROUND_TRIP);
    talk_close(&t);
}

/* Flights over a path of 3 ms, so long behind the ACKs of the ones before: less than half a
 * millisecond, and more than an eighth of the silence. */
static void answer_behind_acks(struct talk *t, const int64_t lag_us[4])
{
    enum { FLIGHTS = 40, SEGMENTS = 12, TRIP = 3000 };
    int64_t at_us = 4 * TRIP;

    talk_open_wide(t, S, TRIP);
    talk_data(t, 3 * TRIP, C, 100);
    for (unsigned flight = 0; flight < FLIGHTS; flight++, at_us += TRIP) {
        if (flight > 0)
            talk_ack(t, at_us, C);
        at_us += lag_us[flight % 4];
        for (unsigned i = 0; i < SEGMENTS; i++)
            talk_data(t, at_us + i, S, TALK_MSS);
    }
    talk_explain(t);
}

static void who_is_late_by_ever_other_times_goes_by_a_clock_of_his_own(void **state)
{
    (void)state;
    struct talk t;

    answer_behind_acks(&t, (int64_t[]) { 400, 440, 480, 440 });
    assert_int_equal(talk_charged(&t, TCPWHY_APP_LIMITED), 0);
    talk_close(&t);
    answer_behind_acks(&t, (int64_t[]) { 150, 440, 480, 440 });
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    talk_close(&t);
}

/* Two segments each quarter of a round trip, with an ACK of as many; those of the last quarter of
 * some round trips come when there is none. */
static void answer_without_acks(struct talk *t, unsigned seldom)
{
    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, 3 * ROUND_TRIP, C, 100);
    for (unsigned i = 0; i < WRITES * 4; i++) {
        int64_t at_us = 4 * ROUND_TRIP + i * ROUND_TRIP / 4;
        bool alone = i % 4 == 3 && i / 4 % seldom == 0;

        if (i >= 4 && !alone)
            talk_ack_to(t, at_us, C, (i - 3) * 2 * TALK_MSS);
        talk_data(t, at_us + (alone ? 1000 : 20), S, TALK_MSS);
        talk_data(t, at_us + (alone ? 1001 : 21), S, TALK_MSS);
    }
    talk_explain(t);
}

static void a_ceiling_is_sure_where_acks_let_go_what_stays_below_it(void **state)
{
    (void)state;
    struct talk t;

    answer_without_acks(&t, 10); /* one of 40 bursts leaves without */
    assert_sure(&t, TCPWHY_SEND_BUFFER_LIMITED);
    talk_close(&t);
    answer_without_acks(&t, 1);
    assert_doubted(&t, TCPWHY_SEND_BUFFER_LIMITED, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* A write each round trip and a bit, of five segments and a half, two of which TCP lets go each
 * millisecond; at the client, whose ACKs say nothing of when they left. */
static void writes_that_are_paced_end_in_less_than_a_segment(void **state)
{
    (void)state;
    struct talk t;
    uint32_t sent = 0;

    talk_open_wide(&t, C, ROUND_TRIP);
    talk_data(&t, 3 * ROUND_TRIP, C, 100);
    for (unsigned i = 0; i < WRITES; i++) {
        int64_t at_us = 4 * ROUND_TRIP + i * (ROUND_TRIP + 1000);

        for (unsigned k = 0; k < 6; k++) {
            uint32_t len = k == 5 ? TALK_MSS / 2 : TALK_MSS;

            talk_data(&t, at_us + k / 2 * 1000 + k % 2 * 10, S, len);
            sent += len;
            if (k % 2)
                talk_ack_to(&t, at_us + k / 2 * 1000 + 20, C, sent);
        }
    }
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    assert_true(talk_charged(&t, TCPWHY_APP_LIMITED) > (WRITES - 5) * ROUND_TRIP);
    talk_close(&t);
}

/* A flight each round trip and a bit, of which TCP lets two segments go each millisecond. An ACK of
 * all before, or the last of a row that has one each 200 us, comes so long before it. */
static void answer_paced_behind(struct talk *t, bool in_row, const int64_t lag_us[4])
{
    enum { SEGMENTS = 12 };

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, 3 * ROUND_TRIP, C, 100);
    for (unsigned i = 0; i < WRITES; i++) {
        int64_t at_us = 4 * ROUND_TRIP + i * (ROUND_TRIP + 1000);
        uint32_t before = i * SEGMENTS * TALK_MSS;

        for (unsigned k = in_row ? 0 : SEGMENTS - 1; i > 0 && k < SEGMENTS; k++)
            talk_ack_to(t, at_us - lag_us[i % 4] - (SEGMENTS - 1 - k) * 200, C,
                        before - (SEGMENTS - 1 - k) * TALK_MSS);
        for (unsigned k = 0; k < SEGMENTS; k++)
            talk_data(t, at_us + k / 2 * 1000 + k % 2, S, TALK_MSS);
    }
    talk_explain(t);
}

static void who_goes_on_with_an_ack_after_each_silence_goes_by_them_however_paced(void **state)
{
    (void)state;
    struct talk t;

    answer_paced_behind(&t, false, (int64_t[]) { 40, 60, 50, 70 });
    assert_int_equal(talk_charged(&t, TCPWHY_APP_LIMITED), 0);
    assert_true(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED) > (WRITES - 5) * ROUND_TRIP);
    talk_close(&t);
}

static void some_ack_of_a_row_is_just_before_whatever_is_written(void **state)
{
    (void)state;
    struct talk t;

    answer_paced_behind(&t, true, (int64_t[]) { 40, 180, 110, 70 });
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    assert_true(talk_charged(&t, TCPWHY_APP_LIMITED) > (WRITES - 5) * ROUND_TRIP);
    talk_close(&t);
}

/* At the client: what the server writes ends in less than a segment, is acknowledged at once, and
 * goes on so long after it has heard of that. */
static void answer_behind_last_acks(struct talk *t, int64_t lag_us)
{
    enum { SEGMENTS = 10 };
    int64_t at_us = 3 * ROUND_TRIP;

    talk_open_wide(t, C, ROUND_TRIP);
    talk_data(t, 2 * ROUND_TRIP, C, 100);
    for (unsigned i = 0; i < WRITES; i++) {
        for (unsigned k = 0; k < SEGMENTS; k++)
            talk_data(t, at_us + k * 20, S, TALK_MSS);
        talk_data(t, at_us + SEGMENTS * 20, S, 300);
        at_us += SEGMENTS * 20 + 10;
        talk_ack(t, at_us, C);
        at_us += ROUND_TRIP + lag_us + i % 2 * 20;
    }
    talk_explain(t);
}

static void who_goes_on_with_the_ack_of_all_filled_his_buffer(void **state)
{
    (void)state;
    struct talk t;

    answer_behind_last_acks(&t, 30);
    assert_int_equal(talk_charged(&t, TCPWHY_APP_LIMITED), 0);
    assert_true(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED) > (WRITES - 5) * ROUND_TRIP);
    talk_close(&t);
    answer_behind_last_acks(&t, 300);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    assert_true(talk_charged(&t, TCPWHY_APP_LIMITED) > (WRITES - 5) * ROUND_TRIP);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_writes_on_a_clock_into_an_empty_buffer_had_room),
        cmocka_unit_test(who_writes_on_a_clock_with_data_in_flight_may_have_had_none),
        cmocka_unit_test(a_pace_at_the_rate_of_the_full_path_is_the_path_s),
        cmocka_unit_test(at_its_sender_a_pace_shows_on_a_long_way_too),
        cmocka_unit_test(who_is_steadier_than_his_acks_goes_by_a_clock_of_his_own),
        cmocka_unit_test(two_segments_at_a_time_evenly_are_a_kernel_s_pace),
        cmocka_unit_test(who_wobbles_as_they_do_goes_by_them),
        cmocka_unit_test(who_is_soon_behind_his_acks_goes_by_them_on_a_busy_host),
        cmocka_unit_test(who_is_late_by_ever_other_times_goes_by_a_clock_of_his_own),
        cmocka_unit_test(a_ceiling_is_sure_where_acks_let_go_what_stays_below_it),
        cmocka_unit_test(writes_that_are_paced_end_in_less_than_a_segment),
        cmocka_unit_test(a_paced_flight_that_doubles_is_slow_start),
        cmocka_unit_test(who_goes_on_with_an_ack_after_each_silence_goes_by_them_however_paced),
        cmocka_unit_test(some_ack_of_a_row_is_just_before_whatever_is_written),
        cmocka_unit_test(who_goes_on_with_the_ack_of_all_filled_his_buffer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
