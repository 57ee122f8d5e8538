/* SPDX-License-Identifier: MIT */
/*
 * Whose delay it was: the application's, Nagle's algorithm's, an ACK's, or the path's.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

/* The server writes header and body apart; the ACK of the header leaves the client so late. */
static void held_body(struct talk *t, enum tcpwhy_side vantage, int64_t rtt_us, int64_t late_us)
{
    int64_t way = vantage == S ? rtt_us : 0, back = vantage == C ? rtt_us : 0;

    talk_open(t, vantage, rtt_us);
    talk_data(t, 1000000, C, 100);
    talk_data(t, 1000010 + back, S, 200);
    talk_ack(t, 1000010 + rtt_us + late_us, C);
    talk_data(t, 1000020 + rtt_us + late_us + back, S, 600);
    talk_data(t, 1000030 + 2 * rtt_us + late_us + way, C, 100);
    talk_explain(t);
}

/* A body of two full segments, the second so late; so many packets of its sender did not pass here
 * meanwhile. */
static void late_second_half(struct talk *t, enum tcpwhy_side vantage, int64_t late_us,
                             uint16_t unseen)
{
    int64_t back = vantage == C ? 20000 : 0;

    talk_open(t, vantage, 20000);
    talk_data(t, 1000000, C, 100);
    talk(t, 1000010 + back, S, TALK_MSS, TW_ACK);
    talk_ack(t, 1000020 + 20000, C);
    t->ip_id[S] = (uint16_t)(t->ip_id[S] + unseen);
    talk_data(t, 1000010 + late_us + back, S, TALK_MSS);
    talk_data(t, 1040000 + late_us, C, 100);
    talk_explain(t);
}

static void behind_a_segment_without_push_a_repair_may_have_been_due(void **state)
{
    (void)state;
    struct talk t;

    late_second_half(&t, C, 1900000, 1);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void what_its_counter_does_not_count_was_not_lost(void **state)
{
    (void)state;
    struct talk t;

    late_second_half(&t, C, 1900000, 0);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void before_its_timer_a_sender_may_await_an_ack_that_passed_here(void **state)
{
    (void)state;
    struct talk t;

    late_second_half(&t, C, 900000, 0);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
    talk_close(&t);
    late_second_half(&t, S, 900000, 0);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void soon_after_an_ack_a_writer_may_have_been_woken_by_it(void **state)
{
    (void)state;
    struct talk t;

    late_second_half(&t, S, 22500, 0);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
    talk_close(&t);
    late_second_half(&t, S, 23500, 0);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* At the client. A SYN that takes 80 ms and, after that, an ACK so soon; an answer whose begin, and
 * whose second part, take so long. */
static void answer_in_parts(struct talk *t, int64_t ack_us, int64_t late_us)
{
    talk_open(t, C, 80000);
    talk_data(t, 100000, C, 100);
    talk_ack(t, 100000 + ack_us, S);
    talk_data(t, 100000 + late_us, S, 600);
    talk_ack(t, 100010 + late_us, C);
    talk_data(t, 100000 + 2 * late_us, S, 600);
    talk_data(t, 100010 + 2 * late_us, C, 100);
    talk_data(t, 200010 + 2 * late_us, S, 100);
    talk_explain(t);
}

static void behind_a_proxy_the_way_goes_on(void **state)
{
    (void)state;
    struct talk t;

    answer_in_parts(&t, 200, 120000);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_WIRE);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_SLOW_START);
    talk_close(&t);
    answer_in_parts(&t, 200, 190000);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* At the server, whose body stops behind so many full segments until long after they should have
 * been acknowledged. */
static void stop_in_flight(struct talk *t, int segments)
{
    talk_open(t, S, 20000);
    talk_data(t, 1000000, C, 100);
    for (int i = 0; i < segments; i++)
        talk_data(t, 1000010 + i, S, TALK_MSS);
    talk_data(t, 1100000, S, TALK_MSS);
    talk_ack(t, 1150000, C);
    talk_data(t, 1150010, C, 100);
    talk_explain(t);
}

static void two_segments_in_flight_may_fill_the_window(void **state)
{
    (void)state;
    struct talk t;

    stop_in_flight(&t, 2);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
    talk_close(&t);
    stop_in_flight(&t, 1);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void at_the_sender_everything_passes(void **state)
{
    (void)state;
    struct talk t;

    late_second_half(&t, S, 1900000, 1);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* A body of three segments over 20 ms, the ACK of the first of which leaves the client so late; the
 * next comes so long behind that. */
static void halves_behind_an_ack(struct talk *t, int64_t ack_us, int64_t behind_us)
{
    talk_open(t, C, 20000);
    talk_data(t, 1000000, C, 100);
    talk(t, 1020010, S, TALK_MSS, TW_ACK | TW_PSH);
    talk_ack(t, 1020020 + ack_us, C);
    talk(t, 1020020 + ack_us + behind_us, S, TALK_MSS, TW_ACK);
    talk_data(t, 1020030 + ack_us + behind_us, S, 500);
    talk_data(t, 1040000 + ack_us + behind_us, C, 100);
    talk_explain(t);
}

static void an_ack_may_have_let_go_what_comes_soon_behind_its_round_trip(void **state)
{
    (void)state;
    struct talk t;

    halves_behind_an_ack(&t, 0, 30000);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
    talk_close(&t);
    halves_behind_an_ack(&t, 100000, 30000);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_DELAYED_ACK);
    talk_close(&t);
}

static void no_way_varies_by_more_than_itself(void **state)
{
    (void)state;
    struct talk t;

    halves_behind_an_ack(&t, 0, 45000);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void behind_an_empty_queue_stood_nothing_to_let_go(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 20000);
    talk_data(&t, 1000000, C, 100);
    talk_data(&t, 1020010, S, 500);
    talk_ack(&t, 1020020, C);
    talk(&t, 1050020, S, TALK_MSS, TW_ACK);
    talk_data(&t, 1050030, S, 500);
    talk_data(&t, 1060000, C, 100);
    talk_explain(&t);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* At the client: its ACK was lost behind it, and the server's timer fires. */
static void who_repeats_what_was_acknowledged_had_not_heard_that(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 20000);
    talk_data(&t, 1000000, C, 100);
    talk(&t, 1020010, S, TALK_MSS, TW_ACK);
    talk_ack(&t, 1020020, C);
    talk_again(&t, 1244000, S, 0, TALK_MSS);
    talk_ack(&t, 1244010, C);
    talk(&t, 1274010, S, TALK_MSS, TW_ACK | TW_PSH);
    talk_data(&t, 1290000, C, 100);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* Half a body, 12 ms after the ACK of the other half, which took 130. */
static void body_behind_ack(struct talk *t, enum tcpwhy_side vantage)
{
    int64_t back = vantage == C ? 20000 : 0;

    talk_open(t, vantage, 20000);
    talk_data(t, 1000000, C, 100);
    talk_data(t, 1000010 + back, S, 200);
    talk_ack(t, 1150000, C);
    talk_data(t, 1162000 + back, S, 600);
    talk_data(t, 1200000, C, 100);
    talk_explain(t);
}

static void a_jittery_path_may_hide_a_held_segment(void **state)
{
    (void)state;
    struct talk t;

    body_behind_ack(&t, C);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
}

static void at_the_sender_no_path_lies_between(void **state)
{
    (void)state;
    struct talk t;

    body_behind_ack(&t, S);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void an_ack_that_a_timer_let_go_is_a_delayed_one(void **state)
{
    (void)state;
    struct talk t;

    held_body(&t, S, 2000, 40000);
    assert_sure(&t, TCPWHY_NAGLE_DELAYED_ACK);
    talk_close(&t);
}

static void an_ack_later_than_any_timer_may_have_been_under_way(void **state)
{
    (void)state;
    struct talk t;

    held_body(&t, S, 2000, 300000);
    assert_doubted(&t, TCPWHY_NAGLE_DELAYED_ACK, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
}

static void an_ack_less_than_a_round_trip_late_may_have_been_under_way(void **state)
{
    (void)state;
    struct talk t;

    held_body(&t, S, 100000, 40000);
    assert_doubted(&t, TCPWHY_NAGLE_DELAYED_ACK, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
}

/* At the client: the server's kernel acknowledges a question so late, and its program answers 10 ms
 * behind that. */
static void answer_behind_late_ack(struct talk *t, int64_t late_us)
{
    talk_open(t, C, 20000);
    talk_data(t, 1000000, C, 100);
    talk_ack(t, 1020000 + late_us, S);
    talk_data(t, 1030000 + late_us, S, 500);
    talk_data(t, 1031000 + late_us, C, 100);
    talk_explain(t);
}

static void a_question_acknowledged_later_than_by_any_timer_may_have_been_under_way(void **state)
{
    (void)state;
    struct talk t;

    answer_behind_late_ack(&t, 220000);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
    answer_behind_late_ack(&t, 221000);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_WIRE);
    talk_close(&t);
    answer_behind_late_ack(&t, 1000000);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_WIRE);
    talk_close(&t);
    /* It would have been sent again. */
    answer_behind_late_ack(&t, 1001000);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* At the client: so late comes the answer, the first word to its question. Did that go again, in
 * vain, as the server says afterwards? */
static void answer_without_ack(struct talk *t, int64_t late_us, bool again)
{
    struct tw_segment s;

    talk_open(t, C, 20000);
    talk_data(t, 1000000, C, 100);
    if (again)
        talk_again(t, 990000 + late_us, C, 0, 100);
    talk_data(t, 1020000 + late_us, S, 500);
    if (again) {
        s = talk_segment(t, S, t->next[S], 0, TW_ACK);
        s.n_sack = 1;
        s.sack[0][0] = t->isn[C] + 1;
        s.sack[0][1] = t->isn[C] + 101;
        talk_push(t, 1020100 + late_us, &s);
    }
    talk_data(t, 1021000 + late_us, C, 100);
    talk_explain(t);
}

static void behind_a_needless_repeat_the_first_ack_may_have_been_under_way(void **state)
{
    (void)state;
    struct talk t;

    answer_without_ack(&t, 300000, false);
    assert_int_equal(talk_longest_span(&t, TCPWHY_SERVER_THINK)->rival, TCPWHY_CAUSE_NONE);
    talk_close(&t);
    answer_without_ack(&t, 300000, true);
    assert_int_equal(talk_longest_span(&t, TCPWHY_SERVER_THINK)->rival, TCPWHY_WIRE);
    talk_close(&t);
}

static void at_the_receiver_no_way_lies_between(void **state)
{
    (void)state;
    struct talk t;

    held_body(&t, C, 100000, 40000);
    assert_sure(&t, TCPWHY_NAGLE_DELAYED_ACK);
    talk_close(&t);
}

/* A second partial segment so soon after an ACK, and the other side has spoken meanwhile. */
static void speaks_meanwhile(struct talk *t, int64_t lag_us)
{
    talk_open(t, S, 20000);
    talk_data(t, 100000, C, 100);
    talk_data(t, 100100, S, 200);
    t->next[S] -= 200;
    talk_data(t, 110000, C, 50); /* crosses the header on the way */
    t->next[S] += 200;
    talk_ack(t, 120100, C);
    talk_data(t, 120100 + lag_us, S, 600);
    talk_ack(t, 140110, C);
    talk_explain(t);
}

static void what_acknowledges_news_may_be_an_answer_to_them(void **state)
{
    (void)state;
    struct talk t;

    speaks_meanwhile(&t, 300);
    assert_doubted(&t, TCPWHY_NAGLE_HOLD, TCPWHY_APP_LIMITED);
    talk_close(&t);
    speaks_meanwhile(&t, 10);
    assert_sure(&t, TCPWHY_NAGLE_HOLD);
    talk_close(&t);
}

static void a_segment_that_passes_when_it_is_cut_smaller_was_too_large(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 20000);
    talk_data(&t, 30000, C, 100);
    talk_data(&t, 30100, S, 1000);
    talk_data(&t, 30101, S, 500);
    talk_ack_to(&t, 50101, C, 0);
    talk_again(&t, 3030100, S, 0, 1000);
    talk_again(&t, 9030100, S, 0, 1000);
    talk_again(&t, 21030100, S, 0, 536);
    talk_ack_to(&t, 21050100, C, 536);
    talk_again(&t, 21050110, S, 536, 464);
    talk_ack(&t, 21070110, C);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_MTU_BLACK_HOLE, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* Seen at the receiver, whose window has room for 400 bytes; five seconds later those come. The
 * sender's packet counter shows that it has sent to others meanwhile. */
static void a_sliver_of_a_window_is_filled_by_a_timer(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 10000, C, 100);
    t.window[C] = 1400;
    talk_ack(&t, 11000, C);
    for (int i = 0; i < 8; i++) {
        talk_data(&t, 20000 + 10000 * i, S, 1000);
        talk_ack(&t, 20010 + 10000 * i, C);
    }
    t.window[C] = 400;
    talk_data(&t, 110000, S, 1000);
    talk_ack(&t, 110010, C);
    t.ip_id[S] += 3;
    talk_data(&t, 5110000, S, 400);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    assert_true(talk_charged(&t, TCPWHY_RECEIVE_WINDOW_LIMITED) >= 5000000);
    talk_close(&t);
}

/* Seen at one end: the answer goes again, and what comes at once then is its ACK. */
static void answer_twice(struct talk *t, enum tcpwhy_side vantage, int64_t after_us)
{
    int64_t way = vantage == S ? 10000 : 0;

    talk_open(t, vantage, 10000);
    talk_data(t, 20000, C, 96);
    talk_data(t, 32000, S, 320);
    talk_again(t, 32000 + after_us, S, 0, 320);
    talk_ack(t, 32100 + after_us + way, C);
    talk_data(t, 32200 + after_us + way, C, 96);
    talk_explain(t);
}

static void what_had_come_may_have_been_acknowledged_late(void **state)
{
    (void)state;
    struct talk t;

    answer_twice(&t, C, 224000);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    talk_close(&t);
}

static void no_ack_is_delayed_for_longer_than_half_a_second(void **state)
{
    (void)state;
    struct talk t;

    answer_twice(&t, C, 501000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void at_the_sender_nobody_knows_what_had_come(void **state)
{
    (void)state;
    struct talk t;

    answer_twice(&t, S, 224000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* At the server: the client says so late that it still lacks the last of three segments. */
static void lack_the_end(struct talk *t, int64_t late_us)
{
    int64_t at_us = 31000;

    talk_open(t, S, 20000);
    talk_data(t, 30000, C, 100);
    for (int i = 0; i < 3; i++)
        talk(t, at_us + i, S, TALK_MSS, TW_ACK);
    talk_ack_to(t, at_us + 20000, C, TALK_MSS);
    talk_ack_to(t, at_us + late_us, C, 2 * TALK_MSS);
    talk_data(t, at_us + 100000, C, 100);
    talk_explain(t);
}

static const struct tw_span *longest_wire(const struct talk *t)
{
    const struct tw_span *longest = talk_span(t, TCPWHY_WIRE), *span = t->explanation.span;

    for (uint32_t i = 0; i < t->explanation.n_spans; i++)
        if (span[i].cause == TCPWHY_WIRE &&
            span[i].to_ns - span[i].from_ns > longest->to_ns - longest->from_ns)
            longest = &span[i];
    return longest;
}

static void a_way_of_twice_the_longest_round_trip_may_have_been_a_queue(void **state)
{
    (void)state;
    struct talk t;

    lack_the_end(&t, 30000); /* and as long for the rest */
    assert_int_equal(longest_wire(&t)->confidence, TCPWHY_CERTAIN);
    talk_close(&t);
    lack_the_end(&t, 31000);
    assert_int_equal(longest_wire(&t)->confidence, TCPWHY_LIKELY);
    assert_int_equal(longest_wire(&t)->rival, TCPWHY_BANDWIDTH_LIMITED);
    talk_close(&t);
}

/* Bursts of five full segments and a partial one over a link that takes 45 ms for each, its round
 * trip 20 ms; each waits for the last ACK, which comes so late behind the one before. */
static void bursts_over_slow_link(struct talk *t, int64_t last_us)
{
    int64_t at_us = 100000;

    talk_open(t, C, 20000);
    for (uint32_t burst = 0; burst < 6; burst++) {
        for (int i = 0; i < 6; i++)
            talk(t, at_us + i * 20, C, i < 5 ? TALK_MSS : 600, i < 5 ? TW_ACK : TW_ACK | TW_PSH);
        for (uint32_t i = 1; i <= 5; i++)
            talk_ack_to(t, at_us + 20000 + i * 45000, S, burst * 5600 + i * TALK_MSS);
        at_us += 20000 + 5 * 45000 + last_us;
        talk_ack(t, at_us, S);
        at_us += 50;
    }
    talk_explain(t);
}

static void an_ack_that_comes_in_its_turn_is_not_delayed(void **state)
{
    (void)state;
    struct talk t;

    bursts_over_slow_link(&t, 2 * 45000 * 600 / TALK_MSS);
    assert_null(talk_span(&t, TCPWHY_DELAYED_ACK));
    talk_close(&t);
    bursts_over_slow_link(&t, 2 * 45000 * 600 / TALK_MSS + 100);
    assert_non_null(talk_span(&t, TCPWHY_DELAYED_ACK));
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_way_of_twice_the_longest_round_trip_may_have_been_a_queue),
        cmocka_unit_test(behind_a_segment_without_push_a_repair_may_have_been_due),
        cmocka_unit_test(what_its_counter_does_not_count_was_not_lost),
        cmocka_unit_test(soon_after_an_ack_a_writer_may_have_been_woken_by_it),
        cmocka_unit_test(behind_a_proxy_the_way_goes_on),
        cmocka_unit_test(before_its_timer_a_sender_may_await_an_ack_that_passed_here),
        cmocka_unit_test(two_segments_in_flight_may_fill_the_window),
        cmocka_unit_test(at_the_sender_everything_passes),
        cmocka_unit_test(an_ack_may_have_let_go_what_comes_soon_behind_its_round_trip),
        cmocka_unit_test(no_way_varies_by_more_than_itself),
        cmocka_unit_test(behind_an_empty_queue_stood_nothing_to_let_go),
        cmocka_unit_test(who_repeats_what_was_acknowledged_had_not_heard_that),
        cmocka_unit_test(a_jittery_path_may_hide_a_held_segment),
        cmocka_unit_test(at_the_sender_no_path_lies_between),
        cmocka_unit_test(an_ack_that_a_timer_let_go_is_a_delayed_one),
        cmocka_unit_test(an_ack_later_than_any_timer_may_have_been_under_way),
        cmocka_unit_test(an_ack_less_than_a_round_trip_late_may_have_been_under_way),
        cmocka_unit_test(a_question_acknowledged_later_than_by_any_timer_may_have_been_under_way),
        cmocka_unit_test(behind_a_needless_repeat_the_first_ack_may_have_been_under_way),
        cmocka_unit_test(at_the_receiver_no_way_lies_between),
        cmocka_unit_test(what_acknowledges_news_may_be_an_answer_to_them),
        cmocka_unit_test(a_segment_that_passes_when_it_is_cut_smaller_was_too_large),
        cmocka_unit_test(a_sliver_of_a_window_is_filled_by_a_timer),
        cmocka_unit_test(what_had_come_may_have_been_acknowledged_late),
        cmocka_unit_test(no_ack_is_delayed_for_longer_than_half_a_second),
        cmocka_unit_test(at_the_sender_nobody_knows_what_had_come),
        cmocka_unit_test(an_ack_that_comes_in_its_turn_is_not_delayed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
