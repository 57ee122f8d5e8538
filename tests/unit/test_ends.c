/* SPDX-License-Identifier: MIT */
/*
 * Where messages end, and connections: what still waits then, and what does not any more.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

#define ROUND_TRIP   20000
#define SEGMENTS     40u
#define QUESTIONS    6
#define SEGMENT_US   6000 /* 1,000 bytes over some 1.3 Mbit/s */
#define SHORT_ANSWER 100u

/* A question of many segments that leave in one burst, and a link whose queue spreads them: seen at
 * the client, an ACK comes for each two, the server answers a millisecond after the last of them
 * arrived. @return when that is. */
static int64_t ask_through_a_queue(struct talk *t, int64_t at_us, int64_t segment_us)
{
    uint32_t before = t->next[C] - t->isn[C] - 1;

    for (unsigned i = 0; i < SEGMENTS; i++)
        talk_data(t, at_us + i, C, TALK_MSS);
    for (unsigned i = 2; i < SEGMENTS; i += 2)
        talk_ack_to(t, at_us + ROUND_TRIP + i * segment_us, S, before + i * TALK_MSS);
    at_us += ROUND_TRIP + SEGMENTS * segment_us + 1000;
    talk_data(t, at_us, S, SHORT_ANSWER);
    return at_us;
}

static void ask_often(struct talk *t, int64_t segment_us)
{
    int64_t at_us = 30000;

    talk_open(t, C, ROUND_TRIP);
    for (int i = 0; i < QUESTIONS; i++)
        at_us = ask_through_a_queue(t, at_us + 100, segment_us);
    talk_explain(t);
}

static void who_lacks_the_end_of_a_question_does_not_think(void **state)
{
    (void)state;
    struct talk t;

    ask_often(&t, SEGMENT_US);
    assert_in_range(talk_charged(&t, TCPWHY_SERVER_THINK) / QUESTIONS, 0, 2000);
    assert_true(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED) > 5 * SEGMENTS * SEGMENT_US);
    assert_int_equal(talk_span(&t, TCPWHY_BANDWIDTH_LIMITED)->confidence, TCPWHY_CERTAIN);
    assert_int_equal(talk_span(&t, TCPWHY_BANDWIDTH_LIMITED)->from, C);
    talk_close(&t);
}

/* The last segment of the last question is acknowledged alone, and so late; 10 ms behind that the
 * answer comes. */
static void acknowledge_end(struct talk *t, int64_t late_us)
{
    int64_t at_us = 30000;

    talk_open(t, C, ROUND_TRIP);
    for (int i = 0; i < QUESTIONS; i++)
        at_us = ask_through_a_queue(t, at_us + 100, SEGMENT_US);
    for (unsigned i = 0; i < SEGMENTS; i++)
        talk_data(t, at_us + 100 + i, C, TALK_MSS);
    for (unsigned i = 2; i < SEGMENTS; i += 2)
        talk_ack_to(t, at_us + 100 + ROUND_TRIP + i * SEGMENT_US, S,
                    t->next[C] - t->isn[C] - 1 - (SEGMENTS - i) * TALK_MSS);
    at_us += 100 + ROUND_TRIP + SEGMENTS * SEGMENT_US + late_us;
    talk_ack(t, at_us, S);
    talk_data(t, at_us + 10000, S, SHORT_ANSWER);
    talk_data(t, at_us + 10100, C, 100);
    talk_explain(t);
}

static void what_is_acknowledged_late_behind_a_queue_may_have_stood_in_it(void **state)
{
    (void)state;
    struct talk t;

    acknowledge_end(&t, 1000);
    assert_int_equal(talk_longest_span(&t, TCPWHY_SERVER_THINK)->confidence, TCPWHY_CERTAIN);
    talk_close(&t);
    acknowledge_end(&t, 50000);
    assert_in_range(talk_charged(&t, TCPWHY_SERVER_THINK), 50000, 90000);
    assert_int_equal(talk_longest_span(&t, TCPWHY_SERVER_THINK)->confidence, TCPWHY_LIKELY);
    talk_close(&t);
}

/* Less than half a round trip in the queue, at the median: it may be the way's own unrest. */
static void a_little_longer_on_the_way_is_no_queue(void **state)
{
    (void)state;
    struct talk t;

    ask_often(&t, 9 * ROUND_TRIP / SEGMENTS / 10);
    assert_int_equal(talk_charged(&t, TCPWHY_BANDWIDTH_LIMITED), 0);
    talk_close(&t);
}

/* Each question has as many bytes in flight as it has: no buffer is full. */
static void questions_of_one_size_are_no_ceiling(void **state)
{
    (void)state;
    struct talk t;

    ask_often(&t, 100);
    assert_int_equal(talk_charged(&t, TCPWHY_SEND_BUFFER_LIMITED), 0);
    talk_close(&t);
}

/* An answer over a path of so long a round trip that each flight comes after a silence. */
static void what_an_ack_lets_go_was_not_pushed_unasked(void **state)
{
    (void)state;
    const int64_t rtt_us = 300000;
    struct talk t;
    int64_t at_us = rtt_us + 100;

    talk_open(&t, S, rtt_us);
    talk_data(&t, at_us, C, 100);
    for (unsigned round = 0; round < 4; round++, at_us += rtt_us) {
        for (unsigned i = 0; i < 2u << round; i++)
            talk_data(&t, at_us + 20 + i, S, TALK_MSS);
        talk_ack(&t, at_us + rtt_us, C);
    }
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CLIENT_IDLE), 0);
    assert_true(talk_charged(&t, TCPWHY_SLOW_START) >= 3 * rtt_us - 100);
    talk_close(&t);
}

/* The client does not read; the server asks for room at these times after its window closed. */
static void close_window_for_good(struct talk *t, const int64_t *ask_us, int n)
{
    talk_open(t, S, 2000);
    talk_data(t, 10000, C, 100);
    talk_data(t, 10100, S, TALK_MSS);
    t->window[C] = 0;
    talk_ack(t, 12100, C);
    for (int i = 0; i < n; i++) {
        talk_again(t, 12100 + ask_us[i], S, TALK_MSS - 1, 0);
        talk_ack(t, 14100 + ask_us[i], C);
    }
}

static void a_window_that_stays_closed_is_charged_to_the_end(void **state)
{
    (void)state;
    const int64_t ask_us[] = { 220000, 660000, 1540000 };
    struct talk t;

    close_window_for_good(&t, ask_us, 3);
    talk(&t, 2512100, C, 0, TW_RST | TW_ACK);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_ZERO_WINDOW), 2500000);
    assert_int_equal(talk_span(&t, TCPWHY_ZERO_WINDOW)->confidence, TCPWHY_CERTAIN);
    assert_int_equal(talk_span(&t, TCPWHY_ZERO_WINDOW)->party, TCPWHY_PARTY_CLIENT);
    talk_close(&t);
}

/* At the client, from the middle: its window has been closed, and opens after a second. The server
 * asks so often before, and goes on so much later than the 20 ms that the way takes there and back.
 */
static void open_window(struct talk *t, int questions, int64_t late_us)
{
    struct tw_segment s;

    talk_init(t);
    t->next[C] = t->isn[C] + 1;
    t->next[S] = t->isn[S] + 1001;
    t->window[C] = 0;
    talk_ack(t, 0, C);
    for (int i = 0; i < questions; i++) {
        s = talk_segment(t, S, t->next[S] - 1, 0, TW_ACK);
        talk_push(t, 220000 << i, &s);
        talk_ack(t, (220000 << i) + 10, C);
    }
    t->window[C] = TALK_WINDOW;
    talk_ack(t, 1000000, C);
    for (int i = 0; i < 8; i++) {
        talk_data(t, 1020000 + late_us + i * 100, S, TALK_MSS);
        talk_ack(t, 1020010 + late_us + i * 100, C);
    }
    talk_data(t, 3000000, C, 100);
    talk_ack(t, 3020000, S);
    talk_explain(t);
}

static void a_window_may_have_closed_before_the_capture_began(void **state)
{
    (void)state;
    struct talk t;

    open_window(&t, 2, 0);
    assert_in_range(talk_charged(&t, TCPWHY_ZERO_WINDOW), 1000000, 1020000);
    assert_sure(&t, TCPWHY_ZERO_WINDOW);
    talk_close(&t);
    open_window(&t, 0, 0);
    assert_doubted(&t, TCPWHY_ZERO_WINDOW, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void what_came_long_after_the_opening_was_not_held_by_the_window(void **state)
{
    (void)state;
    struct talk t;

    open_window(&t, 2, 1000000);
    assert_int_equal(talk_charged(&t, TCPWHY_ZERO_WINDOW), 0);
    talk_close(&t);
}

static void questions_at_equal_times_may_be_keep_alives(void **state)
{
    (void)state;
    const int64_t ask_us[] = { 1000000, 2000000, 3000000 };
    struct talk t;

    close_window_for_good(&t, ask_us, 3);
    talk_explain(&t);
    assert_int_equal(talk_span(&t, TCPWHY_ZERO_WINDOW)->confidence, TCPWHY_LIKELY);
    assert_int_equal(talk_span(&t, TCPWHY_ZERO_WINDOW)->rival, TCPWHY_KEEP_ALIVE);
    talk_close(&t);
}

static void probes_that_back_off_are_no_keep_alives(void **state)
{
    (void)state;
    const int64_t ask_us[] = { 1000000, 3000000, 7000000 };
    struct talk t;

    close_window_for_good(&t, ask_us, 3);
    talk_explain(&t);
    assert_int_equal(talk_span(&t, TCPWHY_ZERO_WINDOW)->confidence, TCPWHY_CERTAIN);
    talk_close(&t);
}

/* An upload to a server that does not read. */
static void the_window_of_either_side_may_stay_closed(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 10000, C, TALK_MSS);
    t.window[S] = 0;
    talk_ack(&t, 12000, S);
    for (int i = 0; i < 3; i++) {
        talk_again(&t, 12000 + (220000 << i), C, TALK_MSS - 1, 0);
        talk_ack(&t, 14000 + (220000 << i), S);
    }
    talk(&t, 2512000, S, 0, TW_RST | TW_ACK);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_ZERO_WINDOW), 2500000);
    assert_int_equal(talk_span(&t, TCPWHY_ZERO_WINDOW)->party, TCPWHY_PARTY_SERVER);
    talk_close(&t);
}

static void a_window_that_opens_again_held_nothing_at_the_end(void **state)
{
    (void)state;
    const int64_t ask_us[] = { 220000 };
    struct talk t;

    close_window_for_good(&t, ask_us, 1);
    t.window[C] = TALK_WINDOW;
    talk_ack(&t, 300000, C);
    talk(&t, 2000000, C, 0, TW_FIN | TW_ACK);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_ZERO_WINDOW), 0);
    talk_close(&t);
}

/* The answer's last segment has the FIN, as after HTTP's "Connection: close", and is lost. */
static void a_lost_end_is_awaited_behind_its_fin(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 2000);
    talk_data(&t, 10000, C, 100);
    talk_data(&t, 10100, S, TALK_MSS);
    talk(&t, 10110, S, 500, TW_FIN | TW_ACK);
    talk_ack_to(&t, 12100, C, TALK_MSS);
    talk_again(&t, 230000, S, TALK_MSS, 500);
    talk_ack(&t, 232000, C);
    talk(&t, 232010, C, 0, TW_FIN | TW_ACK);
    talk_explain(&t);
    assert_in_range(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 210000, 222000);
    assert_int_equal(talk_charged(&t, TCPWHY_CLOSE), 2010);
    talk_close(&t);
}

/* An answer that is acknowledged. */
static void answer(struct talk *t)
{
    talk_open(t, S, 2000);
    talk_data(t, 10000, C, 100);
    talk_data(t, 10100, S, 500);
    talk_ack(t, 12100, C);
}

/* At one end: a question of 100 bytes and an answer of as many segments and 50 bytes more; so many
 * bytes before those 50 never come. Five seconds later the client leaves. */
static void lose_for_good(struct talk *t, enum tcpwhy_side vantage, unsigned passed, uint32_t lost)
{
    uint32_t had = passed * TALK_MSS;

    talk_open(t, vantage, 20000);
    talk_data(t, 50000, C, 100);
    for (unsigned i = 0; i < passed; i++)
        talk(t, 70000 + i, S, TALK_MSS, TW_ACK);
    talk_lost(t, S, lost);
    talk_data(t, 70100, S, 50);
    talk_ack_to(t, 70110, C, had);
    t->next[S] -= lost + 50;
    talk(t, 5070110, C, 0, TW_ACK | TW_FIN);
    talk_explain(t);
}

static void who_lacks_some_of_an_answer_for_good_has_not_nothing_to_ask(void **state)
{
    (void)state;
    struct talk t;

    lose_for_good(&t, C, 2, 300);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    assert_true(talk_charged(&t, TCPWHY_LOSS_RECOVERY) > 4900000);
    assert_complete(&t);
    talk_close(&t);
    lose_for_good(&t, C, 2, TALK_MSS);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_MTU_BLACK_HOLE);
    talk_close(&t);
    lose_for_good(&t, C, 0, 2 * TALK_MSS);
    assert_doubted(&t, TCPWHY_MTU_BLACK_HOLE, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* At one end: of the answer nothing comes; when the client has left, the server's ACK of that
 * stands behind it. */
static void lose_all(struct talk *t, enum tcpwhy_side vantage)
{
    talk_open(t, vantage, 20000);
    talk_data(t, 50000, C, 100);
    talk_ack(t, 70000, S);
    talk(t, 5070000, C, 0, TW_ACK | TW_FIN);
    talk_lost(t, S, 1000);
    talk_ack(t, 5090000, S);
    talk_explain(t);
}

static void an_answer_that_is_lost_for_good_was_perhaps_thought_about(void **state)
{
    (void)state;
    struct talk t;

    lose_all(&t, C);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_SERVER_THINK);
    assert_true(talk_charged(&t, TCPWHY_LOSS_RECOVERY) > 4900000);
    assert_complete(&t);
    talk_close(&t);
    lose_all(&t, S);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

/* There a frame is missing from the capture. */
static void at_the_sender_nothing_was_lost_before(void **state)
{
    (void)state;
    struct talk t;

    lose_for_good(&t, S, 2, 300);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

static void a_fin_that_is_repeated_keeps_nobody_waiting(void **state)
{
    (void)state;
    struct talk t;

    answer(&t);
    talk(&t, 20000, S, 0, TW_FIN | TW_ACK);
    t.next[S]--;
    talk(&t, 230000, S, 0, TW_FIN | TW_ACK);
    talk(&t, 232000, C, 0, TW_FIN | TW_ACK);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CLOSE), 212000);
    assert_int_equal(talk_span(&t, TCPWHY_CLOSE)->party, TCPWHY_PARTY_SERVER);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

/* The client has closed its half; the server's ACK of that was lost. */
/* The server has said all and closed its side; the client goes on for a while. */
static void who_has_closed_its_side_is_not_asked_any_more(void **state)
{
    (void)state;
    struct talk t;

    answer(&t);
    talk(&t, 20000, S, 0, TW_FIN | TW_ACK);
    talk_ack(&t, 22000, C);
    talk_data(&t, 300000, C, 100);
    talk_ack(&t, 300010, S);
    talk(&t, 900000, C, 0, TW_FIN | TW_ACK);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_SERVER_THINK), 100);
    assert_in_range(talk_charged(&t, TCPWHY_CLIENT_IDLE), 598000, 900000);
    talk_close(&t);
}

static void what_the_other_side_repeats_behind_a_fin_is_the_close(void **state)
{
    (void)state;
    struct talk t;

    answer(&t);
    talk(&t, 20000, C, 0, TW_FIN | TW_ACK);
    talk_again(&t, 230000, S, 0, 500);
    talk_ack(&t, 232000, C);
    talk(&t, 240000, S, 0, TW_FIN | TW_ACK);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CLOSE), 220000);
    talk_close(&t);
}

/* A question, the client's FIN 30 ms later, and the answer, half a second after that; the client
 * resets it, or acknowledges it. */
static void answer_behind_fin(struct talk *t, bool resets)
{
    talk_open(t, C, 10000);
    talk_data(t, 20000, C, 100);
    talk(t, 50000, C, 0, TW_FIN | TW_ACK);
    talk_ack(t, 60000, S);
    talk_data(t, 550000, S, 200);
    talk(t, 550010, C, 0, resets ? TW_RST : TW_ACK);
    talk_explain(t);
}

static void nobody_waits_for_an_answer_at_a_socket_that_is_closed(void **state)
{
    (void)state;
    struct talk t;

    answer_behind_fin(&t, true);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
    assert_in_range(talk_charged(&t, TCPWHY_SERVER_THINK), 1, 30000);
    assert_int_equal(talk_charged(&t, TCPWHY_CLOSE), 500010);
    assert_complete(&t);
    talk_close(&t);
}

static void who_only_says_no_more_may_wait_for_its_answer(void **state)
{
    (void)state;
    struct talk t;

    answer_behind_fin(&t, false);
    assert_in_range(talk_charged(&t, TCPWHY_SERVER_THINK), 500000, 530000);
    talk_close(&t);
}

static void a_reset_ends_a_connection_that_nobody_closed(void **state)
{
    (void)state;
    struct talk t;

    answer(&t);
    talk(&t, 1000000, C, 0, TW_RST | TW_ACK);
    talk(&t, 1500000, S, 0, TW_RST);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_RESET), 500000);
    assert_int_equal(talk_span(&t, TCPWHY_RESET)->party, TCPWHY_PARTY_CLIENT);
    assert_int_equal(talk_charged(&t, TCPWHY_UNKNOWN), 0);
    talk_close(&t);
}

/* The server asks every ten seconds whether the client is still there, and gives up. */
static void keep_alives_that_nobody_answers_are_the_end(void **state)
{
    (void)state;
    struct talk t;

    answer(&t);
    for (int i = 1; i <= 3; i++)
        talk_again(&t, i * 10000000, S, 499, 0);
    talk(&t, 40000000, S, 0, TW_RST | TW_ACK);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_KEEP_ALIVE), 30000000);
    assert_int_equal(talk_span(&t, TCPWHY_KEEP_ALIVE)->confidence, TCPWHY_CERTAIN);
    talk_close(&t);
}

static void one_keep_alive_is_not_the_end(void **state)
{
    (void)state;
    struct talk t;

    answer(&t);
    talk_again(&t, 10000000, S, 499, 0);
    talk(&t, 20000000, S, 0, TW_RST | TW_ACK);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_KEEP_ALIVE), 0);
    assert_in_range(talk_charged(&t, TCPWHY_CLIENT_IDLE), 19980000, 20000000);
    talk_close(&t);
}

static void a_closed_window_that_nobody_asks_to_open_held_nothing(void **state)
{
    (void)state;
    struct talk t;

    close_window_for_good(&t, NULL, 0);
    talk(&t, 2512100, C, 0, TW_RST | TW_ACK);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_ZERO_WINDOW), 0);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_lacks_the_end_of_a_question_does_not_think),
        cmocka_unit_test(what_is_acknowledged_late_behind_a_queue_may_have_stood_in_it),
        cmocka_unit_test(a_little_longer_on_the_way_is_no_queue),
        cmocka_unit_test(questions_of_one_size_are_no_ceiling),
        cmocka_unit_test(what_an_ack_lets_go_was_not_pushed_unasked),
        cmocka_unit_test(a_window_that_stays_closed_is_charged_to_the_end),
        cmocka_unit_test(a_window_may_have_closed_before_the_capture_began),
        cmocka_unit_test(what_came_long_after_the_opening_was_not_held_by_the_window),
        cmocka_unit_test(questions_at_equal_times_may_be_keep_alives),
        cmocka_unit_test(probes_that_back_off_are_no_keep_alives),
        cmocka_unit_test(the_window_of_either_side_may_stay_closed),
        cmocka_unit_test(a_window_that_opens_again_held_nothing_at_the_end),
        cmocka_unit_test(a_lost_end_is_awaited_behind_its_fin),
        cmocka_unit_test(who_lacks_some_of_an_answer_for_good_has_not_nothing_to_ask),
        cmocka_unit_test(an_answer_that_is_lost_for_good_was_perhaps_thought_about),
        cmocka_unit_test(at_the_sender_nothing_was_lost_before),
        cmocka_unit_test(a_fin_that_is_repeated_keeps_nobody_waiting),
        cmocka_unit_test(who_has_closed_its_side_is_not_asked_any_more),
        cmocka_unit_test(what_the_other_side_repeats_behind_a_fin_is_the_close),
        cmocka_unit_test(nobody_waits_for_an_answer_at_a_socket_that_is_closed),
        cmocka_unit_test(who_only_says_no_more_may_wait_for_its_answer),
        cmocka_unit_test(a_reset_ends_a_connection_that_nobody_closed),
        cmocka_unit_test(keep_alives_that_nobody_answers_are_the_end),
        cmocka_unit_test(one_keep_alive_is_not_the_end),
        cmocka_unit_test(a_closed_window_that_nobody_asks_to_open_held_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
