/* SPDX-License-Identifier: MIT */
/*
 * What looks like a cause and may be another: the verdict is no longer certain, and names the
 * rival.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

/* ---- whose turn was it? -------------------------------------------------------------------- */

/* Two pieces of the server so far apart, and the client goes on after the second. */
static void pieces_apart(struct talk *t, int64_t apart_us)
{
    talk_open(t, C, 2000);
    talk_data(t, 10000, C, 100);
    talk_data(t, 12000, S, 200);
    talk_ack(t, 12010, C);
    talk_data(t, 12000 + apart_us, S, 200);
    talk_ack(t, 12010 + apart_us, C);
    talk_data(t, 12020 + apart_us, C, 100);
    talk_data(t, 14020 + apart_us, S, 200);
    talk_explain(t);
}

static void a_long_pause_between_whole_writes_may_be_nobody_s(void **state)
{
    (void)state;
    struct talk t;

    pieces_apart(&t, 1000000);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void a_short_pause_is_within_a_message(void **state)
{
    (void)state;
    struct talk t;

    pieces_apart(&t, 199000);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* From the middle of a transfer no segment of which is acknowledged but earlier ones. */
static void without_a_round_trip_a_window_may_have_been_full(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk_ack(&t, 0, C);
    for (int i = 0; i < 3; i++)
        talk_data(&t, 100 + i, S, 1460);
    talk_ack_to(&t, 120000, C, 0);
    talk_data(&t, 120700, S, 1460);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CONGESTION_WINDOW_LIMITED);
    talk_close(&t);
}

static void a_client_that_says_more_may_have_had_nothing_to_ask(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 10000, C, 12);
    talk_ack(&t, 12000, S);
    talk_data(&t, 1010000, C, 12);
    talk_data(&t, 1012000, S, 100);
    talk_ack(&t, 1012010, C);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

/* The server speaks after this time, and the client says something after that one. */
static void late_answer(struct talk *t, int64_t answer_us, int64_t reaction_us)
{
    talk_open(t, C, 2000);
    talk_data(t, 10000, C, 100);
    talk_ack(t, 12000, S);
    talk_data(t, 12000 + answer_us, S, 100);
    talk_ack(t, 12010 + answer_us, C);
    talk_data(t, 12000 + answer_us + reaction_us, C, 100);
    talk_explain(t);
}

static void an_answer_that_nobody_reacts_to_may_be_a_push(void **state)
{
    (void)state;
    struct talk t;

    late_answer(&t, 60000000, 30000000);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void an_answer_that_is_reacted_to_was_awaited(void **state)
{
    (void)state;
    struct talk t;

    late_answer(&t, 60000000, 100);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

static void an_answer_that_comes_soon_is_one(void **state)
{
    (void)state;
    struct talk t;

    late_answer(&t, 199000, 30000000);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* A capture from the middle of a connection on which one side asks every six seconds. */
static void without_the_beginning_nobody_knows_who_asks(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    for (int64_t at = 0; at < 18000000; at += 6000000) {
        talk_data(&t, at, S, 37);
        talk_data(&t, at + 9000, C, 37);
        talk_ack(&t, at + 9010, S);
    }
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

/* From the second round on the server begins, and the client answers. */
static void after_a_side_spoke_twice_nobody_knows_who_asks(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 10000, C, 49);
    for (int64_t at = 12000; at < 120000000; at += 60000000) {
        talk_data(&t, at, S, 49);
        talk_data(&t, at + 100, C, 49);
        talk_data(&t, at + 2100, S, 49);
        talk_ack(&t, at + 2110, C);
    }
    talk_explain(&t);
    assert_null(talk_span(&t, TCPWHY_SERVER_THINK));
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

/* ---- whose delay was it? ------------------------------------------------------------------- */

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

/* A body of two full segments, the second late by 900 ms; so many packets of its sender did not
 * pass here meanwhile. */
static void late_second_half(struct talk *t, enum tcpwhy_side vantage, uint16_t unseen)
{
    int64_t back = vantage == C ? 20000 : 0;

    talk_open(t, vantage, 20000);
    talk_data(t, 1000000, C, 100);
    talk(t, 1000010 + back, S, TALK_MSS, TW_ACK);
    talk_ack(t, 1000020 + 20000, C);
    t->ip_id[S] = (uint16_t)(t->ip_id[S] + unseen);
    talk_data(t, 1900010 + back, S, TALK_MSS);
    talk_data(t, 1940000, C, 100);
    talk_explain(t);
}

static void behind_a_segment_without_push_a_repair_may_have_been_due(void **state)
{
    (void)state;
    struct talk t;

    late_second_half(&t, C, 1);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void what_its_counter_does_not_count_was_not_lost(void **state)
{
    (void)state;
    struct talk t;

    late_second_half(&t, C, 0);
    assert_sure(&t, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void at_the_sender_everything_passes(void **state)
{
    (void)state;
    struct talk t;

    late_second_half(&t, S, 1);
    assert_sure(&t, TCPWHY_APP_LIMITED);
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

static void at_the_receiver_no_way_lies_between(void **state)
{
    (void)state;
    struct talk t;

    held_body(&t, C, 100000, 40000);
    assert_sure(&t, TCPWHY_NAGLE_DELAYED_ACK);
    talk_close(&t);
}

/* A second partial segment right after an ACK, and the other side has spoken meanwhile. */
static void what_acknowledges_news_may_be_an_answer_to_them(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 20000);
    talk_data(&t, 100000, C, 100);
    talk_data(&t, 100100, S, 200);
    t.next[S] -= 200;
    talk_data(&t, 110000, C, 50); /* crosses the header on the way */
    t.next[S] += 200;
    talk_ack(&t, 120100, C);
    talk_data(&t, 120110, S, 600);
    talk_ack(&t, 140110, C);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_NAGLE_HOLD, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* ---- what the capture does not hold -------------------------------------------------------- */

/* One timeout; between loss and repair the client may acknowledge bytes that nobody saw. */
static void lose_a_segment(struct talk *t, uint32_t unseen)
{
    talk_open(t, S, 10000);
    talk_data(t, 20000, C, 100);
    talk_data(t, 20100, S, 1000);
    talk_data(t, 20101, S, 500);
    talk_lost(t, S, unseen);
    talk_ack_to(t, 30100, C, 1000);
    talk_again(t, 330100, S, 1000, 500);
    talk_ack(t, 340100, C);
    talk_data(t, 340200, S, 500);
    talk_ack(t, 350200, C);
    talk_explain(t);
}

static void a_repair_that_is_all_there_is_certain(void **state)
{
    (void)state;
    struct talk t;

    lose_a_segment(&t, 0);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void a_repair_among_missing_frames_may_be_the_capture_s(void **state)
{
    (void)state;
    struct talk t;

    lose_a_segment(&t, 700);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_CAPTURE_GAP);
    talk_close(&t);
}

/* ---- what else drops a full segment -------------------------------------------------------- */

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

/* ---- how it was opened --------------------------------------------------------------------- */

static void a_refusal_that_the_client_ignores_is_none(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk(&t, 200000, S, 0, TW_RST | TW_ACK);
    talk(&t, 1200000, S, 0, TW_SYN | TW_ACK);
    talk(&t, 1200010, C, 0, TW_ACK);
    talk_data(&t, 1200020, C, 100);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_REFUSED), 0);
    assert_int_equal(talk_charged(&t, TCPWHY_HANDSHAKE), 1200010);
    talk_close(&t);
}

static void a_late_answer_that_is_reset_leaves_the_refusal(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    talk(&t, 0, C, 0, TW_SYN);
    talk(&t, 200000, S, 0, TW_RST | TW_ACK);
    talk(&t, 1200000, S, 0, TW_SYN | TW_ACK);
    talk(&t, 1200010, C, 0, TW_RST);
    talk_explain(&t);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_REFUSED), 200000);
    talk_close(&t);
}

/* The SYN/ACK comes again so long after the client's ACK, behind which it sent so much. */
static void answered_again(struct talk *t, int64_t after_us, uint32_t sent)
{
    struct tw_segment s;

    talk_open(t, S, 2000);
    if (sent)
        talk_data(t, 2100, C, sent);
    s = talk_segment(t, S, t->isn[S], 0, TW_SYN | TW_ACK);
    s.ack = t->isn[C] + 1;
    talk_push(t, 2010 + after_us, &s);
    talk_ack(t, 4010 + after_us, C);
    talk_explain(t);
}

static void a_handshake_set_aside_with_its_request_was_not_accepted(void **state)
{
    (void)state;
    struct talk t;

    answered_again(&t, 1000000, 100);
    assert_sure(&t, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

static void one_without_a_request_may_wait_for_that(void **state)
{
    (void)state;
    struct talk t;

    answered_again(&t, 1000000, 0);
    assert_doubted(&t, TCPWHY_CONNECT_RETRY, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void later_than_a_first_timer_nobody_but_the_client_is_waited_for(void **state)
{
    (void)state;
    struct talk t;

    answered_again(&t, 31000000, 0);
    assert_int_equal(talk_charged(&t, TCPWHY_CONNECT_RETRY), 0);
    assert_doubted(&t, TCPWHY_CLIENT_IDLE, TCPWHY_CONNECT_RETRY);
    talk_close(&t);
}

/* ---- one side only ------------------------------------------------------------------------- */

/* A segment of a side of which nothing else is there, and what follows. */
static void alone(struct talk *t, bool again)
{
    talk_init(t);
    t->isn[C]--; /* its SYN was sent before */
    talk_data(t, 0, C, 100);
    for (int64_t at = 300000; at <= 4800000; at *= 2)
        if (again)
            talk_again(t, at, C, 0, 100);
        else
            talk_data(t, at, C, 100);
    talk_explain(t);
}

static void what_is_repeated_to_the_end_was_not_answered_elsewhere(void **state)
{
    (void)state;
    struct talk t;

    alone(&t, true);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_CAPTURE_GAP);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 4800000);
    talk_close(&t);
}

static void what_goes_on_alone_is_half_a_capture(void **state)
{
    (void)state;
    struct talk t;

    alone(&t, false);
    assert_int_equal(talk_charged(&t, TCPWHY_CAPTURE_GAP), 4800000);
    talk_close(&t);
}

/* ---- is the clock right? ------------------------------------------------------------------- */

/* The answer stands behind a frame that came so much later. */
static void answer_out_of_place(struct talk *t, int64_t by_us)
{
    talk_open(t, C, 2000);
    talk_data(t, 10000, C, 100);
    talk_ack(t, 12000, S);
    talk_ack(t, 310000 + by_us, C);
    talk_data(t, 310000, S, 100);
    talk_ack(t, 330000, C);
    talk_data(t, 330010, C, 100);
    talk_explain(t);
}

static void frames_of_several_queues_out_of_place_leave_no_gap(void **state)
{
    (void)state;
    struct talk t;

    answer_out_of_place(&t, 900);
    assert_int_equal(talk_charged(&t, TCPWHY_CAPTURE_GAP), 0);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

static void a_clock_that_was_set_leaves_one(void **state)
{
    (void)state;
    struct talk t;

    answer_out_of_place(&t, 5000);
    assert_in_range(talk_charged(&t, TCPWHY_CAPTURE_GAP), 290000, 310000);
    talk_close(&t);
}

/* Seen at the server over a path of 20 ms: after a loss each ACK lets a segment go. */
static void go_on_after_a_loss(struct talk *t, bool open)
{
    uint32_t len = open ? TALK_MSS : 1460;

    if (open)
        talk_open(t, S, 20000);
    else
        talk_init(t);
    talk_data(t, 100000, C, 100);
    talk_data(t, 100100, S, len);
    talk_data(t, 100110, S, len);
    talk_again(t, 350000, S, 0, len);
    for (int64_t at_us = 370000; at_us < 500000; at_us += 20000) {
        talk_ack(t, at_us, C);
        talk_data(t, at_us + 10, S, len);
    }
    talk_explain(t);
}

static void a_window_of_unknown_scale_may_be_the_smaller_one(void **state)
{
    (void)state;
    struct talk t;

    go_on_after_a_loss(&t, true);
    assert_sure(&t, TCPWHY_CONGESTION_WINDOW_LIMITED);
    talk_close(&t);
    go_on_after_a_loss(&t, false);
    assert_doubted(&t, TCPWHY_CONGESTION_WINDOW_LIMITED, TCPWHY_RECEIVE_WINDOW_LIMITED);
    talk_close(&t);
}

/* ---- where the capture ends ---------------------------------------------------------------- */

/* The last frame acknowledges a part of a message, or all of it, so much later. */
static void end_with_an_ack_after(struct talk *t, enum tcpwhy_side sender, int64_t us)
{
    talk_open(t, C, 2000);
    talk_data(t, 10000, C, 100);
    if (sender == S)
        talk_data(t, 12000, S, 100);
    talk_ack(t, (sender == S ? 12000 : 10000) + us, sender == C ? S : C);
    talk_explain(t);
}

static void whether_a_message_ended_where_the_capture_ends_is_not_known(void **state)
{
    (void)state;
    struct talk t;

    end_with_an_ack_after(&t, C, 45000);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_APP_LIMITED);
    talk_close(&t);
    end_with_an_ack_after(&t, S, 45000);
    assert_int_equal(t.explanation.span[t.explanation.n_spans - 1].cause, TCPWHY_CLIENT_IDLE);
    assert_int_equal(t.explanation.span[t.explanation.n_spans - 1].confidence, TCPWHY_LIKELY);
    talk_close(&t);
}

static void nobody_holds_the_rest_for_longer_than_an_ack_may_be_late(void **state)
{
    (void)state;
    struct talk t;

    end_with_an_ack_after(&t, S, 500000);
    assert_int_equal(t.explanation.span[t.explanation.n_spans - 1].cause, TCPWHY_CLIENT_IDLE);
    assert_int_equal(t.explanation.span[t.explanation.n_spans - 1].confidence, TCPWHY_CERTAIN);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_pause_between_whole_writes_may_be_nobody_s),
        cmocka_unit_test(a_short_pause_is_within_a_message),
        cmocka_unit_test(without_a_round_trip_a_window_may_have_been_full),
        cmocka_unit_test(a_client_that_says_more_may_have_had_nothing_to_ask),
        cmocka_unit_test(an_answer_that_nobody_reacts_to_may_be_a_push),
        cmocka_unit_test(an_answer_that_is_reacted_to_was_awaited),
        cmocka_unit_test(an_answer_that_comes_soon_is_one),
        cmocka_unit_test(without_the_beginning_nobody_knows_who_asks),
        cmocka_unit_test(after_a_side_spoke_twice_nobody_knows_who_asks),
        cmocka_unit_test(behind_a_segment_without_push_a_repair_may_have_been_due),
        cmocka_unit_test(what_its_counter_does_not_count_was_not_lost),
        cmocka_unit_test(at_the_sender_everything_passes),
        cmocka_unit_test(a_jittery_path_may_hide_a_held_segment),
        cmocka_unit_test(at_the_sender_no_path_lies_between),
        cmocka_unit_test(an_ack_that_a_timer_let_go_is_a_delayed_one),
        cmocka_unit_test(an_ack_later_than_any_timer_may_have_been_under_way),
        cmocka_unit_test(an_ack_less_than_a_round_trip_late_may_have_been_under_way),
        cmocka_unit_test(at_the_receiver_no_way_lies_between),
        cmocka_unit_test(what_acknowledges_news_may_be_an_answer_to_them),
        cmocka_unit_test(a_repair_that_is_all_there_is_certain),
        cmocka_unit_test(a_repair_among_missing_frames_may_be_the_capture_s),
        cmocka_unit_test(a_segment_that_passes_when_it_is_cut_smaller_was_too_large),
        cmocka_unit_test(a_sliver_of_a_window_is_filled_by_a_timer),
        cmocka_unit_test(what_had_come_may_have_been_acknowledged_late),
        cmocka_unit_test(no_ack_is_delayed_for_longer_than_half_a_second),
        cmocka_unit_test(at_the_sender_nobody_knows_what_had_come),
        cmocka_unit_test(a_refusal_that_the_client_ignores_is_none),
        cmocka_unit_test(a_late_answer_that_is_reset_leaves_the_refusal),
        cmocka_unit_test(a_handshake_set_aside_with_its_request_was_not_accepted),
        cmocka_unit_test(one_without_a_request_may_wait_for_that),
        cmocka_unit_test(later_than_a_first_timer_nobody_but_the_client_is_waited_for),
        cmocka_unit_test(what_is_repeated_to_the_end_was_not_answered_elsewhere),
        cmocka_unit_test(what_goes_on_alone_is_half_a_capture),
        cmocka_unit_test(frames_of_several_queues_out_of_place_leave_no_gap),
        cmocka_unit_test(a_clock_that_was_set_leaves_one),
        cmocka_unit_test(a_window_of_unknown_scale_may_be_the_smaller_one),
        cmocka_unit_test(whether_a_message_ended_where_the_capture_ends_is_not_known),
        cmocka_unit_test(nobody_holds_the_rest_for_longer_than_an_ack_may_be_late),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
