/* SPDX-License-Identifier: MIT */
/*
 * Retransmissions of what had arrived: told by the receiver's word of duplicates, however late it
 * comes, by the timestamp that it echoes, and where it has no words by an ACK that tells nothing
 * new.
 */
#include "tests/unit.h"

#include "explain/attribute/details.h"

#include "tests/unit/verdict.h"

/* A pure ACK of so many bytes that says to have got these before. */
static void duplicate(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint32_t bytes,
                      uint32_t offset, uint32_t len)
{
    uint32_t first = t->isn[!from] + 1;
    struct tw_segment s = talk_segment(t, from, t->next[from], 0, TW_ACK);

    s.ack = first + bytes;
    s.n_sack = 1;
    s.sack[0][0] = first + offset;
    s.sack[0][1] = first + offset + len;
    talk_push(t, at_us, &s);
}

/* An answer of the server over 20 ms, repeated at these times before its ACK, where the handshake
 * was. */
static void answer_slowly(struct talk *t, const int64_t *again_us, int n, int64_t ack_us)
{
    talk_data(t, 30000, C, 100);
    talk_data(t, 31000, S, 500);
    for (int i = 0; i < n; i++)
        talk_again(t, again_us[i], S, 0, 500);
    talk_ack(t, ack_us, C);
}

static void answered_slowly(struct talk *t, const int64_t *again_us, int n, int64_t ack_us)
{
    talk_open(t, S, 20000);
    answer_slowly(t, again_us, n, ack_us);
}

/* By a client that has no word for what comes twice, as it has no SACK or for itself, and says so
 * many times more what it said. */
static void answered_without_words(struct talk *t, bool sack, const int64_t *again_us, int n,
                                   int64_t ack_us, int more)
{
    talk_init(t);
    t->no_sack = !sack;
    talk_shake_hands(t, S, 20000);
    answer_slowly(t, again_us, n, ack_us);
    for (int i = 0; i < more; i++)
        talk_ack(t, ack_us + 100 + i, C);
}

/* The client asks once more, and is answered at once. */
static void go_on(struct talk *t, int64_t at_us)
{
    talk_data(t, at_us, C, 100);
    talk_data(t, at_us + 1000, S, 300);
    talk_ack(t, at_us + 21000, C);
    talk_explain(t);
}

static void a_duplicate_may_be_told_long_after_its_ack(void **state)
{
    (void)state;
    struct talk t;

    answered_slowly(&t, (int64_t[]) { 260000 }, 1, 285000);
    for (int i = 0; i < 8; i++) {
        talk_data(&t, 290000 + i * 22000, C, 50);
        talk_data(&t, 291000 + i * 22000, S, 100);
    }
    duplicate(&t, 470000, C, 1300, 0, 500);
    go_on(&t, 500000);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    talk_close(&t);
}

static void of_several_copies_that_all_came_none_was_lost(void **state)
{
    (void)state;
    struct talk t;

    answered_slowly(&t, (int64_t[]) { 260000, 700000, 1600000 }, 3, 1900000);
    for (int i = 0; i < 3; i++)
        duplicate(&t, 1900100 + i, C, 500, 0, 500);
    go_on(&t, 1950000);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    assert_int_equal(t.explanation.repairs.spurious, 3);
    talk_close(&t);
}

static void of_several_copies_one_of_which_is_missing_one_was_lost(void **state)
{
    (void)state;
    struct talk t;

    answered_slowly(&t, (int64_t[]) { 260000, 700000, 1600000 }, 3, 1900000);
    for (int i = 0; i < 2; i++)
        duplicate(&t, 1900100 + i, C, 500, 0, 500);
    go_on(&t, 1950000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* The repair was needed; a copy of it that came after its ACK was not. */
static void the_word_of_a_later_copy_does_not_excuse_the_repair(void **state)
{
    (void)state;
    struct talk t;

    answered_slowly(&t, (int64_t[]) { 260000 }, 1, 280000);
    talk_again(&t, 285000, S, 0, 500);
    duplicate(&t, 305000, C, 500, 0, 500);
    go_on(&t, 400000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    talk_close(&t);
}

/* No timer is that short, and no answer: a copy that the capture does not mark, or the host found a
 * smaller MTU. */
static void what_goes_again_within_a_round_trip_tells_of_no_loss(void **state)
{
    (void)state;
    struct talk t;

    answered_slowly(&t, (int64_t[]) { 31300, 51009 }, 2, 52000);
    go_on(&t, 400000);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
    answered_slowly(&t, (int64_t[]) { 51010 }, 1, 72000);
    go_on(&t, 400000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void unless_it_answers_the_receiver(void **state)
{
    (void)state;
    struct talk t;

    talk_open(&t, S, 20000);
    talk_data(&t, 30000, C, 100);
    talk_data(&t, 31000, S, 500);
    talk_data(&t, 32000, S, 500);
    talk_ack_to(&t, 40000, C, 0);
    talk_again(&t, 40010, S, 0, 500);
    talk_ack(&t, 61000, C);
    go_on(&t, 400000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* The client closes its side behind its request, and closes it again so long after that, as it
 * hears of the request. */
static void close_again(struct talk *t, int64_t again_us)
{
    int64_t fin_us = 50000;
    struct tw_segment fin;

    talk_open(t, C, 20000);
    talk_data(t, fin_us + again_us - 20000, C, 100);
    talk(t, fin_us, C, 0, TW_ACK | TW_FIN);
    talk_ack_to(t, fin_us + again_us, S, 100);
    fin = talk_segment(t, C, t->next[C] - 1, 0, TW_ACK | TW_FIN);
    fin.ip_id = ++t->ip_id[C];
    talk_push(t, fin_us + again_us + 10, &fin);
    talk_data(t, 100000, S, 100);
    talk_explain(t);
}

static void a_fin_that_an_ack_lets_go_again_tells_of_no_loss(void **state)
{
    (void)state;
    struct talk t;

    close_again(&t, 15000);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    talk_close(&t);
}

/* The same with timestamps of a millisecond; the last ACK echoes this one. */
static void echoed(struct talk *t, uint32_t tsecr)
{
    const int64_t at_us[] = { 31000, 260000, 700000 };
    struct tw_segment s;

    talk_open(t, S, 20000);
    talk_data(t, 30000, C, 100);
    for (int i = 0; i < 3; i++) {
        s = talk_segment(t, S, t->isn[S] + 1, 500, TW_ACK | TW_PSH);
        s.options |= TW_OPT_TIMESTAMP;
        s.tsval = (uint32_t)(at_us[i] / 1000);
        talk_push(t, at_us[i], &s);
    }
    t->next[S] += 500;
    s = talk_segment(t, C, t->next[C], 0, TW_ACK);
    s.options |= TW_OPT_TIMESTAMP;
    s.tsval = 90000;
    s.tsecr = tsecr;
    talk_push(t, 1100000, &s);
    go_on(t, 1150000);
}

static void the_echo_of_the_first_copy_says_that_it_came(void **state)
{
    (void)state;
    struct talk t;

    echoed(&t, 31);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    assert_int_equal(t.explanation.repairs.spurious, 2);
    talk_close(&t);
}

static void the_echo_of_a_repeat_leaves_the_loss(void **state)
{
    (void)state;
    struct talk t;

    echoed(&t, 260);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    talk_close(&t);
}

static void losses_that_were_none_are_of_a_kind_of_their_own(void **state)
{
    (void)state;
    struct talk t;

    echoed(&t, 31);
    assert_string_equal(kind_of(&t, TCPWHY_LOSS_RECOVERY), tw_kind_arrived);
    talk_close(&t);
    echoed(&t, 260);
    assert_null(kind_of(&t, TCPWHY_LOSS_RECOVERY));
    talk_close(&t);
}

static void an_ack_that_tells_nothing_new_answers_a_copy(void **state)
{
    (void)state;
    struct talk t;

    answered_without_words(&t, false, (int64_t[]) { 260000 }, 1, 285000, 1);
    go_on(&t, 400000);
    assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    talk_close(&t);
}

static void without_one_the_copy_was_the_first_to_arrive(void **state)
{
    (void)state;
    struct talk t;

    answered_without_words(&t, false, (int64_t[]) { 560000 }, 1, 585000, 0);
    go_on(&t, 700000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* Timers of delayed ACKs of up to half a second are allowed, and that of lwIP has 250 ms: longer
 * than Linux's shortest for a retransmission. */
static void unless_its_ack_may_have_been_held_until_the_copy_came(void **state)
{
    (void)state;
    struct talk t;

    answered_without_words(&t, false, (int64_t[]) { 260000 }, 1, 285000, 0);
    go_on(&t, 400000);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    talk_close(&t);
}

static void of_two_full_segments_no_ack_is_held(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    t.no_sack = true;
    talk_shake_hands(&t, S, 20000);
    talk_data(&t, 30000, C, 100);
    talk_data(&t, 31000, S, TALK_MSS);
    talk_data(&t, 31010, S, TALK_MSS);
    talk_again(&t, 260000, S, 0, TALK_MSS);
    talk_ack(&t, 281000, C);
    go_on(&t, 400000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* The program that answers would have done so before. */
static void nor_is_one_that_comes_with_an_answer(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    t.no_sack = true;
    talk_shake_hands(&t, C, 20000);
    talk_data(&t, 30000, C, 100);
    talk_data(&t, 51000, S, 500);
    talk_data(&t, 52000, C, 100);
    talk_again(&t, 272000, C, 100, 100);
    talk_data(&t, 293000, S, 500);
    talk_ack(&t, 293010, C);
    go_on(&t, 400000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void what_goes_again_twice_was_lost_at_least_once(void **state)
{
    (void)state;
    struct talk t;

    answered_without_words(&t, false, (int64_t[]) { 250000, 680000 }, 2, 701000, 0);
    go_on(&t, 800000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* What was sent beyond it may have come out of order. */
static void behind_new_data_such_an_ack_answers_anything(void **state)
{
    (void)state;
    struct talk t;

    answered_without_words(&t, false, (int64_t[]) { 560000 }, 1, 585000, 0);
    talk_data(&t, 590000, S, 500);
    talk_ack_to(&t, 605000, C, 500);
    talk_ack(&t, 611000, C);
    go_on(&t, 700000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void of_several_copies_an_ack_held_back_may_take_one_along(void **state)
{
    (void)state;
    struct talk t;

    answered_without_words(&t, true, (int64_t[]) { 260000, 700000 }, 2, 725000, 2);
    go_on(&t, 800000);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    assert_int_equal(t.explanation.repairs.spurious, 2);
    talk_close(&t);
    answered_without_words(&t, true, (int64_t[]) { 260000, 700000 }, 2, 725000, 1);
    go_on(&t, 800000);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    talk_close(&t);
    answered_without_words(&t, true, (int64_t[]) { 260000, 700000 }, 2, 725000, 0);
    go_on(&t, 800000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void a_late_answer_without_words_may_be_to_both(void **state)
{
    (void)state;
    struct talk t;

    answered_without_words(&t, false, (int64_t[]) { 260000 }, 1, 600000, 0);
    go_on(&t, 700000);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    talk_close(&t);
    answered_slowly(&t, (int64_t[]) { 260000 }, 1, 600000);
    go_on(&t, 700000);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

/* The end of the handshake is the first that the capture holds. */
static void without_the_handshake_who_uses_sack_has_words(void **state)
{
    (void)state;
    struct talk t;

    for (int sack = 0; sack < 2; sack++) {
        talk_init(&t);
        t.next[C]++;
        t.next[S]++;
        talk_ack(&t, 0, C);
        answer_slowly(&t, (int64_t[]) { 260000 }, 1, 600000);
        go_on(&t, 700000);
        if (sack) {
            duplicate(&t, 800000, C, 800, 500, 300);
            tw_explanation_clear(&t.explanation);
            talk_explain(&t);
            assert_sure(&t, TCPWHY_LOSS_RECOVERY);
        } else {
            assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
        }
        talk_close(&t);
    }
}

/* A tail of so many segments, of which the first goes again; the snap length cuts what its ACK says
 * beside that. */
static void repeat_and_cut_the_ack(struct talk *t, int segments)
{
    struct tw_segment s;

    talk_open(t, S, 20000);
    talk_data(t, 30000, C, 100);
    for (int i = 0; i < segments; i++)
        talk_data(t, 31000 + i, S, 500);
    talk_again(t, 260000, S, 0, 500);
    s = talk_segment(t, C, t->next[C], 0, TW_ACK);
    s.options = TW_OPT_CUT;
    talk_push(t, 280000, &s);
    go_on(t, 400000);
}

static void a_word_that_the_snap_length_cut_may_have_been_of_a_copy(void **state)
{
    (void)state;
    struct talk t;

    repeat_and_cut_the_ack(&t, 1);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    talk_close(&t);
    repeat_and_cut_the_ack(&t, 2);
    assert_sure(&t, TCPWHY_LOSS_RECOVERY);
    talk_close(&t);
}

static void what_comes_twice_is_answered_at_once_or_the_path_stood_still(void **state)
{
    (void)state;
    struct talk t;

    answered_slowly(&t, (int64_t[]) { 260000 }, 1, 600000);
    duplicate(&t, 600100, C, 500, 0, 500);
    go_on(&t, 700000);
    assert_doubted(&t, TCPWHY_LOSS_RECOVERY, TCPWHY_DELAYED_ACK);
    assert_int_equal(t.explanation.repairs.spurious, 1);
    talk_close(&t);
}

/* Four segments, the first of which a timer repeats; the first ACK after it is of so many. The
 * capture is made at the server, or so far from it. */
static void repeat_first_of_four(struct talk *t, int64_t off_us, uint32_t acked)
{
    const int64_t ack_us = 320010 - 2 * off_us;

    talk_init(t);
    talk(t, 0, C, 0, TW_SYN);
    talk(t, 10 + 2 * off_us, S, 0, TW_SYN | TW_ACK);
    talk(t, 20010, C, 0, TW_ACK);
    talk_data(t, 21000, C, 100);
    for (int i = 0; i < 4; i++)
        talk_data(t, 42000 + i, S, TALK_MSS);
    talk_again(t, 300000, S, 0, TALK_MSS);
    talk_ack_to(t, ack_us, C, acked * TALK_MSS);
    if (acked < 4)
        talk_ack(t, ack_us + 100, C);
    go_on(t, 400000);
}

static void acks_that_go_on_in_steps_answer_what_was_sent_before(void **state)
{
    (void)state;
    struct talk t;

    for (int64_t off_us = 0; off_us <= 5000; off_us += 5000) {
        repeat_first_of_four(&t, off_us, 2);
        assert_int_equal(t.explanation.repairs.spurious, 1);
        assert_int_equal(talk_charged(&t, TCPWHY_LOSS_RECOVERY), 0);
        talk_close(&t);
        repeat_first_of_four(&t, off_us, 4);
        assert_sure(&t, TCPWHY_LOSS_RECOVERY);
        talk_close(&t);
    }
}

/* It takes up what arrives after it only, where its buffer has no room for what arrived before. */
static void but_not_at_the_receiver(void **state)
{
    (void)state;
    struct talk t;

    repeat_first_of_four(&t, 10000, 2);
    assert_int_equal(t.explanation.repairs.spurious, 0);
    talk_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_duplicate_may_be_told_long_after_its_ack),
        cmocka_unit_test(of_several_copies_that_all_came_none_was_lost),
        cmocka_unit_test(of_several_copies_one_of_which_is_missing_one_was_lost),
        cmocka_unit_test(the_word_of_a_later_copy_does_not_excuse_the_repair),
        cmocka_unit_test(what_goes_again_within_a_round_trip_tells_of_no_loss),
        cmocka_unit_test(unless_it_answers_the_receiver),
        cmocka_unit_test(a_fin_that_an_ack_lets_go_again_tells_of_no_loss),
        cmocka_unit_test(the_echo_of_the_first_copy_says_that_it_came),
        cmocka_unit_test(the_echo_of_a_repeat_leaves_the_loss),
        cmocka_unit_test(losses_that_were_none_are_of_a_kind_of_their_own),
        cmocka_unit_test(an_ack_that_tells_nothing_new_answers_a_copy),
        cmocka_unit_test(without_one_the_copy_was_the_first_to_arrive),
        cmocka_unit_test(unless_its_ack_may_have_been_held_until_the_copy_came),
        cmocka_unit_test(of_two_full_segments_no_ack_is_held),
        cmocka_unit_test(nor_is_one_that_comes_with_an_answer),
        cmocka_unit_test(what_goes_again_twice_was_lost_at_least_once),
        cmocka_unit_test(behind_new_data_such_an_ack_answers_anything),
        cmocka_unit_test(of_several_copies_an_ack_held_back_may_take_one_along),
        cmocka_unit_test(a_late_answer_without_words_may_be_to_both),
        cmocka_unit_test(without_the_handshake_who_uses_sack_has_words),
        cmocka_unit_test(a_word_that_the_snap_length_cut_may_have_been_of_a_copy),
        cmocka_unit_test(what_comes_twice_is_answered_at_once_or_the_path_stood_still),
        cmocka_unit_test(acks_that_go_on_in_steps_answer_what_was_sent_before),
        cmocka_unit_test(but_not_at_the_receiver),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
