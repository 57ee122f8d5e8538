/* SPDX-License-Identifier: MIT */
/*
 * Whose turn it was, and whether anybody waited: where only turns tell, and where the capture ends.
 */
#include "tests/unit.h"

#include "tests/unit/verdict.h"

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
    assert_null(talk_span(&t, TCPWHY_APP_LIMITED));
    assert_int_equal(talk_charged(&t, TCPWHY_UNKNOWN), 120700);
    talk_close(&t);
}

/* The client says so much, and more after a pause; then it is answered. */
static void asked_in_two(struct talk *t, uint32_t bytes, int64_t pause_us, bool acknowledged_late)
{
    talk_open(t, C, 2000);
    for (uint32_t said = 0; said + TALK_MSS <= bytes; said += TALK_MSS)
        talk_data(t, 10000, C, TALK_MSS);
    talk_data(t, 10000, C, bytes % TALK_MSS);
    talk_ack(t, acknowledged_late ? 10000 + pause_us * 15 / 16 : 12000, S);
    talk_data(t, 10000 + pause_us, C, 12);
    talk_data(t, 12000 + pause_us, S, 100);
    talk_ack(t, 12010 + pause_us, C);
    talk_explain(t);
}

static void a_client_that_says_more_later_may_have_had_nothing_to_ask(void **state)
{
    (void)state;
    struct talk t;

    asked_in_two(&t, 12, 200000, false);
    assert_null(talk_span(&t, TCPWHY_APP_LIMITED));
    assert_int_equal(talk_longest_span(&t, TCPWHY_CLIENT_IDLE)->rival, TCPWHY_APP_LIMITED);
    talk_close(&t);
    asked_in_two(&t, 12, 199000, false);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* It pauses behind so much, says more, and closes; the other side's end is all that comes back. */
static void closes_unanswered(struct talk *t, uint32_t bytes, uint16_t flags)
{
    talk_open(t, C, 2000);
    talk(t, 10000, C, bytes, flags);
    talk_ack(t, 12000, S);
    talk_data(t, 5010000, C, 31);
    talk(t, 5010010, C, 0, TW_FIN | TW_ACK);
    talk(t, 5012010, S, 0, TW_FIN | TW_ACK);
    talk_ack(t, 5012020, C);
    talk_explain(t);
}

static void an_end_that_answers_to_one_is_no_answer_to_what_was_said(void **state)
{
    (void)state;
    struct talk t;

    closes_unanswered(&t, 51, TW_ACK | TW_PSH);
    assert_null(talk_span(&t, TCPWHY_APP_LIMITED));
    assert_int_equal(talk_longest_span(&t, TCPWHY_CLIENT_IDLE)->confidence, TCPWHY_LIKELY);
    assert_int_equal(talk_longest_span(&t, TCPWHY_CLIENT_IDLE)->rival, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

static void more_stood_behind_a_full_segment_that_was_not_pushed(void **state)
{
    (void)state;
    struct talk t;

    closes_unanswered(&t, TALK_MSS, TW_ACK);
    assert_non_null(talk_span(&t, TCPWHY_APP_LIMITED));
    talk_close(&t);
}

static void who_says_more_than_a_window_may_write_late(void **state)
{
    (void)state;
    struct talk t;

    asked_in_two(&t, 9999, 300000, false);
    assert_null(talk_span(&t, TCPWHY_APP_LIMITED));
    talk_close(&t);
    asked_in_two(&t, 10001, 300000, false);
    assert_non_null(talk_span(&t, TCPWHY_APP_LIMITED));
    talk_close(&t);
}

static void what_leaves_soon_behind_a_late_ack_was_held(void **state)
{
    (void)state;
    struct talk t;

    asked_in_two(&t, 12, 300000, true);
    assert_true(talk_charged(&t, TCPWHY_CLIENT_IDLE) < 20000);
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

    late_answer(&t, 2990000, 100);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

static void a_push_is_reacted_to_as_well(void **state)
{
    (void)state;
    struct talk t;

    late_answer(&t, 3000000, 100);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

static void who_speaks_first_is_awaited_for_long(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 20000000, S, 100);
    talk_data(&t, 20000100, C, 100);
    talk_explain(&t);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* A second later the server goes on, and the client says something after that time. */
static void go_on(struct talk *t, int64_t reaction_us)
{
    talk_open(t, C, 2000);
    talk_data(t, 10000, C, 100);
    talk_data(t, 512000, S, 200);
    talk_ack(t, 512010, C);
    talk_data(t, 1512000, S, 200);
    talk_ack(t, 1512010, C);
    talk_data(t, 1512020 + reaction_us, C, 100);
    talk_data(t, 1514020 + reaction_us, S, 200);
    talk_explain(t);
}

static void what_nobody_reacts_to_may_still_be_the_rest_of_an_answer(void **state)
{
    (void)state;
    struct talk t;

    const struct tw_span *span;

    go_on(&t, 5000000);
    assert_int_equal(talk_charged(&t, TCPWHY_APP_LIMITED), 0);
    span = t.explanation.span;
    while (span->cause != TCPWHY_CLIENT_IDLE || span->from != S)
        span++;
    assert_int_equal(span->confidence, TCPWHY_LIKELY);
    assert_int_equal(span->rival, TCPWHY_APP_LIMITED);
    talk_close(&t);
}

/* A second after the first piece of an answer so many full segments come, an equal time apart; the
 * client has nothing to say to that. */
static void goes_on_with(struct talk *t, int segments, int64_t apart_us)
{
    int64_t at_us = 1012000;

    talk_open(t, C, 2000);
    talk_data(t, 10000, C, 100);
    talk_data(t, 12000, S, 200);
    talk_ack(t, 12010, C);
    for (int i = 0; i < segments; i++, at_us += apart_us) {
        talk_data(t, at_us, S, TALK_MSS);
        talk_ack(t, at_us + 10, C);
    }
    talk_data(t, at_us + 5000000, C, 100);
    talk_explain(t);
}

static void what_goes_on_at_length_is_the_rest_of_an_answer(void **state)
{
    (void)state;
    struct talk t;

    goes_on_with(&t, 10, 20);
    assert_doubted(&t, TCPWHY_APP_LIMITED, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
    goes_on_with(&t, 9, 20);
    assert_int_equal(talk_charged(&t, TCPWHY_APP_LIMITED), 0);
    talk_close(&t);
    goes_on_with(&t, 10, 200000);
    assert_int_equal(talk_charged(&t, TCPWHY_APP_LIMITED), 0);
    talk_close(&t);
}

static void of_an_answer_with_a_pause_the_begin_may_be_unasked(void **state)
{
    (void)state;
    struct talk t;

    go_on(&t, 10);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
    talk_close(&t);
}

/* The second half of an answer comes half a second late, and is lost behind us the first time. */
static void who_had_to_be_told_twice_reacts_to_the_repair(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 20000);
    talk_data(&t, 100000, C, 100);
    talk_data(&t, 100100, S, 200);
    talk_ack(&t, 120100, C);
    talk_data(&t, 600000, S, 200);
    talk_again(&t, 860000, S, 200, 200);
    talk_data(&t, 880100, C, 100);
    talk_data(&t, 880200, S, 200);
    talk_ack(&t, 900200, C);
    talk_explain(&t);
    assert_in_range(talk_charged(&t, TCPWHY_APP_LIMITED), 479000, 500000);
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

static void who_ends_a_connection_had_no_more_to_say(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, C, 2000);
    talk_data(&t, 10000, C, 100);
    talk(&t, 55000, S, 0, TW_FIN | TW_ACK);
    talk_explain(&t);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* At the server: the client closes its side soon after its last word. */
static void give_up(struct talk *t)
{
    talk_open(t, S, 2000);
    talk_data(t, 10000, C, 100);
    talk_ack(t, 10010, S);
    talk(t, 40000, C, 0, TW_FIN | TW_ACK);
    talk_explain(t);
}

static void who_gives_up_need_not_have_asked(void **state)
{
    (void)state;
    struct talk t;

    give_up(&t);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
    talk_explain_framed(&t, false);
    assert_sure(&t, TCPWHY_SERVER_THINK);
    talk_close(&t);
}

/* A capture from the middle in which the server speaks first, after a tenth of a second. */
static void the_first_word_of_half_a_talk_may_be_unasked(void **state)
{
    (void)state;
    const struct tw_span *span;
    struct talk t;

    talk_init(&t);
    talk_ack(&t, 0, C);
    talk_data(&t, 100000, S, 100);
    talk_data(&t, 100010, C, 100);
    talk_data(&t, 102010, S, 100);
    talk_ack(&t, 102020, C);
    talk_data(&t, 150010, C, 100);
    talk_data(&t, 202010, S, 100);
    talk_ack(&t, 202020, C);
    talk_ack(&t, 3000000, C);
    talk_explain(&t);
    assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
    span = talk_longest_span(&t, TCPWHY_CLIENT_IDLE);
    assert_int_equal(span->confidence, TCPWHY_CERTAIN);
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

/* Seen at the client: an answer of two full segments and a last one, and five seconds later the
 * client ends it. */
static void end_behind_an_answer(struct talk *t, uint32_t last, uint16_t flags, bool more)
{
    talk_open(t, C, 20000);
    talk_data(t, 20100, C, 100);
    for (unsigned i = 0; i < 3; i++)
        talk(t, 40200 + i, S, i == 2 ? last : TALK_MSS, TW_ACK | (i == 2 ? flags : 0));
    talk_ack(t, 40300, C);
    talk(t, 5000000, C, 0, TW_ACK | TW_FIN);
    if (more)
        talk_lost(t, S, 4000);
    talk(t, 5020000, S, 0, TW_ACK);
    talk_explain(t);
}

static void assert_idle(uint32_t last, uint16_t flags, bool more, enum tcpwhy_cause rival)
{
    const struct tw_span *span;
    struct talk t;

    end_behind_an_answer(&t, last, flags, more);
    span = talk_longest_span(&t, TCPWHY_CLIENT_IDLE);
    assert_non_null(span);
    assert_int_equal(span->rival, rival);
    assert_int_equal(span->confidence, rival ? TCPWHY_LIKELY : TCPWHY_CERTAIN);
    talk_close(&t);
}

static void behind_a_full_segment_the_rest_may_be_lost(void **state)
{
    (void)state;
    assert_idle(TALK_MSS - 1, TW_PSH, false, TCPWHY_CAUSE_NONE);
    assert_idle(TALK_MSS, TW_PSH, false, TCPWHY_LOSS_RECOVERY);
    assert_idle(TALK_MSS, 0, false, TCPWHY_LOSS_RECOVERY);
}

static void what_a_server_says_later_shows_that_it_had_said_more(void **state)
{
    (void)state;
    assert_idle(TALK_MSS - 1, TW_PSH, true, TCPWHY_LOSS_RECOVERY);
}

/* Seen at the client: behind an answer its server speaks so often again, a second apart, and the
 * client asks once more. */
static enum tcpwhy_cause rival_behind(int words)
{
    const struct tw_span *span;
    struct talk t;
    enum tcpwhy_cause rival;

    talk_open(&t, C, 2000);
    talk_data(&t, 10000, C, 100);
    talk_data(&t, 32000, S, 100);
    for (int i = 1; i <= words; i++) {
        talk_data(&t, i * 1000000, S, 100);
        talk_ack(&t, i * 1000000 + 40000, C);
    }
    talk_data(&t, 9000000, C, 100);
    talk_data(&t, 9082000, S, 100);
    talk_data(&t, 9082010, C, 100);
    talk_data(&t, 9084010, S, 100);
    talk_explain(&t);
    span = talk_longest_span(&t, TCPWHY_SERVER_THINK);
    assert_int_equal(span->to_ns - span->from_ns, TCPWHY_MS(80));
    rival = span->rival;
    talk_close(&t);
    return rival;
}

static void a_server_that_tells_what_happens_may_do_so_behind_a_question(void **state)
{
    (void)state;
    assert_int_equal(rival_behind(1), TCPWHY_CAUSE_NONE);
    assert_int_equal(rival_behind(2), TCPWHY_CLIENT_IDLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_round_trip_a_window_may_have_been_full),
        cmocka_unit_test(a_client_that_says_more_later_may_have_had_nothing_to_ask),
        cmocka_unit_test(an_end_that_answers_to_one_is_no_answer_to_what_was_said),
        cmocka_unit_test(more_stood_behind_a_full_segment_that_was_not_pushed),
        cmocka_unit_test(who_says_more_than_a_window_may_write_late),
        cmocka_unit_test(what_leaves_soon_behind_a_late_ack_was_held),
        cmocka_unit_test(an_answer_that_nobody_reacts_to_may_be_a_push),
        cmocka_unit_test(an_answer_that_is_reacted_to_was_awaited),
        cmocka_unit_test(a_push_is_reacted_to_as_well),
        cmocka_unit_test(who_speaks_first_is_awaited_for_long),
        cmocka_unit_test(what_nobody_reacts_to_may_still_be_the_rest_of_an_answer),
        cmocka_unit_test(what_goes_on_at_length_is_the_rest_of_an_answer),
        cmocka_unit_test(of_an_answer_with_a_pause_the_begin_may_be_unasked),
        cmocka_unit_test(who_had_to_be_told_twice_reacts_to_the_repair),
        cmocka_unit_test(an_answer_that_comes_soon_is_one),
        cmocka_unit_test(without_the_beginning_nobody_knows_who_asks),
        cmocka_unit_test(after_a_side_spoke_twice_nobody_knows_who_asks),
        cmocka_unit_test(whether_a_message_ended_where_the_capture_ends_is_not_known),
        cmocka_unit_test(who_ends_a_connection_had_no_more_to_say),
        cmocka_unit_test(who_gives_up_need_not_have_asked),
        cmocka_unit_test(the_first_word_of_half_a_talk_may_be_unasked),
        cmocka_unit_test(nobody_holds_the_rest_for_longer_than_an_ack_may_be_late),
        cmocka_unit_test(behind_a_full_segment_the_rest_may_be_lost),
        cmocka_unit_test(what_a_server_says_later_shows_that_it_had_said_more),
        cmocka_unit_test(a_server_that_tells_what_happens_may_do_so_behind_a_question),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
