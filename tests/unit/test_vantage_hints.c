/* SPDX-License-Identifier: MIT */
/* Where a capture was taken, where the ways to both sides do not tell: by checksums that are not
 * there yet, what routers took off, and frames that no wire carries. */
#include "tests/unit.h"

#include "tests/unit/talk.h"

#define NEVER (-1)

static void push(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint16_t flags, uint8_t ttl)
{
    struct tw_segment s = talk_segment(t, from, t->next[from], 0, flags);

    s.ttl = ttl;
    t->next[from] += !!(flags & TW_SYN);
    talk_push(t, at_us, &s);
}

/* A SYN, and after so long its answer, or none. */
static void assert_place(uint8_t client_ttl, int64_t answer_us, uint8_t server_ttl,
                         enum tcpwhy_vantage place, enum tcpwhy_confidence confidence)
{
    struct talk t;

    talk_init(&t);
    push(&t, 0, C, TW_SYN, client_ttl);
    if (answer_us != NEVER) {
        push(&t, answer_us, S, TW_SYN | TW_ACK, server_ttl);
        push(&t, answer_us + 10, C, TW_ACK, client_ttl);
    }
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.place, place);
    assert_int_equal(t.explanation.vantage.confidence, confidence);
    talk_close(&t);
}

static void the_side_from_which_no_router_was_passed_is_likely_here(void **state)
{
    (void)state;
    assert_place(64, 200, 57, TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY);
    assert_place(120, 200, 64, TCPWHY_VANTAGE_SERVER, TCPWHY_LIKELY);
    assert_place(120, 200, 255, TCPWHY_VANTAGE_SERVER, TCPWHY_LIKELY);
    assert_place(128, 200, 57, TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY);
}

static void behind_routers_from_both_it_is_the_middle(void **state)
{
    (void)state;
    assert_place(120, 200, 57, TCPWHY_VANTAGE_MIDDLE, TCPWHY_LIKELY);
}

static void on_one_network_either_may_be_here(void **state)
{
    (void)state;
    assert_place(64, 200, 128, TCPWHY_VANTAGE_CLIENT, TCPWHY_AMBIGUOUS);
}

static void without_an_answer_the_asker_may_be_here_and_else_nobody_knows(void **state)
{
    (void)state;
    assert_place(64, NEVER, 0, TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY);
    assert_place(57, NEVER, 0, TCPWHY_VANTAGE_UNKNOWN, TCPWHY_AMBIGUOUS);
}

static void ways_that_tell_need_no_routers(void **state)
{
    (void)state;
    assert_place(57, 20000, 64, TCPWHY_VANTAGE_CLIENT, TCPWHY_CERTAIN);
}

/* ---- checksums ------------------------------------------------------------------------------- */

#define HEADER  20
#define PAYLOAD 4

/* A frame that its sender's card has yet to sum up, or one of which the checksum is another. */
static void push_frame(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint16_t flags,
                       uint32_t len, bool begun)
{
    struct tw_segment s = talk_segment(t, from, t->next[from], len, flags);
    /* Protocol 6, and 10.0.0.0 and 20.0.0.0. */
    uint16_t sum = (uint16_t)(6 + HEADER + len + 0x0a00 + 0x1400 + !begun);
    uint8_t bytes[HEADER + PAYLOAD] = { [16] = (uint8_t)(sum >> 8), [17] = (uint8_t)sum };

    s.header_len = HEADER;
    s.payload = tw_bytes(bytes + HEADER, len);
    t->next[from] += !!(flags & TW_SYN) + len;
    talk_push(t, at_us, &s);
}

/* Whose checksums are begun, and how long each side takes in the handshake. */
struct opening {
    bool of_client, of_server;
    int64_t server_us, client_us;
};

static void begin_talk(struct talk *t, const struct opening *o)
{
    talk_init(t);
    push_frame(t, 0, C, TW_SYN, 0, o->of_client);
    push_frame(t, o->server_us, S, TW_SYN | TW_ACK, 0, o->of_server);
    push_frame(t, o->server_us + o->client_us, C, TW_ACK, 0, o->of_client);
}

static void assert_opening(struct opening o, enum tcpwhy_vantage place,
                           enum tcpwhy_confidence confidence)
{
    struct talk t;

    begin_talk(&t, &o);
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.place, place);
    assert_int_equal(t.explanation.vantage.confidence, confidence);
    talk_close(&t);
}

static void a_side_with_unfinished_checksums_is_the_vantage(void **state)
{
    (void)state;
    assert_opening((struct opening) { .of_client = true, .server_us = 90, .client_us = 600 },
                   TCPWHY_VANTAGE_CLIENT, TCPWHY_CERTAIN);
    assert_opening((struct opening) { .of_server = true, .server_us = 600, .client_us = 90 },
                   TCPWHY_VANTAGE_SERVER, TCPWHY_CERTAIN);
}

static void the_vantage_may_be_busy_and_the_other_side_quick(void **state)
{
    (void)state;
    assert_opening((struct opening) { .of_client = true, .server_us = 90, .client_us = 1900 },
                   TCPWHY_VANTAGE_CLIENT, TCPWHY_CERTAIN);
}

static void no_way_lies_between_it_and_the_capture(void **state)
{
    (void)state;
    const struct opening o = { .of_client = true, .server_us = 900, .client_us = 600 };
    struct talk t;

    begin_talk(&t, &o);
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.to_side_ns[C], 0);
    assert_int_equal(t.explanation.vantage.to_side_ns[S], TCPWHY_US(450));
    assert_int_equal(t.explanation.vantage.rtt_min_ns, TCPWHY_US(900));
    talk_close(&t);
}

static void of_two_hosts_on_a_switch_the_way_is_known_from_its_end(void **state)
{
    (void)state;
    struct talk t;

    talk_init(&t);
    push_frame(&t, 0, C, TW_SYN, 0, true);
    push_frame(&t, 90, S, TW_SYN | TW_ACK, 0, false);
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.rtt_min_ns, TCPWHY_US(90));
    talk_close(&t);
}

static void on_one_machine_nobody_fills_in_checksums(void **state)
{
    (void)state;
    assert_opening((struct opening) { true, true, 90, 600 }, TCPWHY_VANTAGE_SERVER, TCPWHY_LIKELY);
}

/* A capture that begins with a segment and its ACK. */
static void assert_data(bool data_begun, bool ack_begun, enum tcpwhy_vantage place,
                        enum tcpwhy_confidence confidence)
{
    struct talk t;

    talk_init(&t);
    push_frame(&t, 0, C, TW_ACK | TW_PSH, PAYLOAD, data_begun);
    push_frame(&t, 90, S, TW_ACK, 0, ack_begun);
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.place, place);
    assert_int_equal(t.explanation.vantage.confidence, confidence);
    talk_close(&t);
}

static void data_may_have_been_put_together_as_it_came(void **state)
{
    (void)state;
    assert_data(false, true, TCPWHY_VANTAGE_SERVER, TCPWHY_CERTAIN);
    assert_data(true, true, TCPWHY_VANTAGE_UNKNOWN, TCPWHY_AMBIGUOUS);
    assert_data(true, false, TCPWHY_VANTAGE_UNKNOWN, TCPWHY_AMBIGUOUS);
}

static void its_timers_and_its_program_are_no_way(void **state)
{
    struct talk t;

    (void)state;
    talk_init(&t);
    push_frame(&t, 0, S, TW_ACK | TW_PSH, PAYLOAD, false);
    push_frame(&t, 40000, C, TW_ACK, 0, true);
    push_frame(&t, 41000, C, TW_ACK | TW_PSH, PAYLOAD, false);
    push_frame(&t, 41100, S, TW_ACK, 0, false);
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.place, TCPWHY_VANTAGE_CLIENT);
    assert_int_equal(t.explanation.vantage.confidence, TCPWHY_CERTAIN);
    talk_close(&t);
}

static void a_way_made_on_its_machine_lies_between_host_and_capture(void **state)
{
    (void)state;
    assert_opening((struct opening) { .of_client = true, .server_us = 20000, .client_us = 3000 },
                   TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY);
    assert_opening((struct opening) { .of_client = true, .server_us = 200, .client_us = 50000 },
                   TCPWHY_VANTAGE_SERVER, TCPWHY_CERTAIN);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* On one network, each sends so much at once, and takes TALK_MSS. */
static void assert_sizes(uint32_t of_client, uint32_t of_server, enum tcpwhy_vantage place,
                         enum tcpwhy_confidence confidence)
{
    struct talk t;

    talk_init(&t);
    push(&t, 0, C, TW_SYN, 64);
    push(&t, 200, S, TW_SYN | TW_ACK, 64);
    push(&t, 210, C, TW_ACK, 64);
    talk_data(&t, 220, C, of_client);
    talk_data(&t, 420, S, of_server);
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.place, place);
    assert_int_equal(t.explanation.vantage.confidence, confidence);
    talk_close(&t);
}

static void a_segment_larger_than_the_mss_shows_the_receiver(void **state)
{
    (void)state;
    assert_sizes(TALK_MSS + 1, 100, TCPWHY_VANTAGE_SERVER, TCPWHY_LIKELY);
    assert_sizes(100, TALK_MSS + 1, TCPWHY_VANTAGE_CLIENT, TCPWHY_LIKELY);
}

static void a_box_between_them_may_put_together_what_both_send(void **state)
{
    (void)state;
    assert_sizes(TALK_MSS + 1, TALK_MSS + 1, TCPWHY_VANTAGE_CLIENT, TCPWHY_AMBIGUOUS);
}

static void a_full_segment_is_not_too_large(void **state)
{
    (void)state;
    assert_sizes(TALK_MSS, 100, TCPWHY_VANTAGE_CLIENT, TCPWHY_AMBIGUOUS);
}

static void on_one_machine_nobody_cuts(void **state)
{
    struct talk t;

    (void)state;
    begin_talk(&t, &(struct opening) { true, true, 200, 10 });
    talk_data(&t, 220, C, TALK_MSS + 1);
    talk_ack(&t, 420, S);
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.place, TCPWHY_VANTAGE_CLIENT);
    assert_int_equal(t.explanation.vantage.confidence, TCPWHY_AMBIGUOUS);
    talk_close(&t);
}

/* From the middle of a talk: the server answers at once, and the client acknowledges so late. */
static enum tcpwhy_confidence sure_behind_acks(int64_t ack_us, bool syn)
{
    enum tcpwhy_confidence confidence;
    struct talk t;

    talk_init(&t);
    if (syn)
        talk_shake_hands(&t, S, ack_us);
    for (int64_t at_us = 500000; at_us < 5000000; at_us += 1000000) {
        talk_data(&t, at_us, C, 100);
        talk_ack(&t, at_us + 20, S);
        talk_data(&t, at_us + 5000, S, 100);
        talk_ack(&t, at_us + 5000 + ack_us, C);
    }
    talk_explain(&t);
    assert_int_equal(t.explanation.vantage.place, TCPWHY_VANTAGE_SERVER);
    confidence = t.explanation.vantage.confidence;
    talk_close(&t);
    return confidence;
}

static void acks_that_a_timer_may_have_held_tell_no_way(void **state)
{
    (void)state;
    assert_int_equal(sure_behind_acks(29000, false), TCPWHY_CERTAIN);
    assert_int_equal(sure_behind_acks(30000, false), TCPWHY_LIKELY);
    assert_int_equal(sure_behind_acks(220000, false), TCPWHY_LIKELY);
    assert_int_equal(sure_behind_acks(221000, false), TCPWHY_CERTAIN);
    assert_int_equal(sure_behind_acks(100000, true), TCPWHY_CERTAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_side_from_which_no_router_was_passed_is_likely_here),
        cmocka_unit_test(behind_routers_from_both_it_is_the_middle),
        cmocka_unit_test(on_one_network_either_may_be_here),
        cmocka_unit_test(without_an_answer_the_asker_may_be_here_and_else_nobody_knows),
        cmocka_unit_test(ways_that_tell_need_no_routers),
        cmocka_unit_test(a_side_with_unfinished_checksums_is_the_vantage),
        cmocka_unit_test(the_vantage_may_be_busy_and_the_other_side_quick),
        cmocka_unit_test(no_way_lies_between_it_and_the_capture),
        cmocka_unit_test(of_two_hosts_on_a_switch_the_way_is_known_from_its_end),
        cmocka_unit_test(on_one_machine_nobody_fills_in_checksums),
        cmocka_unit_test(data_may_have_been_put_together_as_it_came),
        cmocka_unit_test(its_timers_and_its_program_are_no_way),
        cmocka_unit_test(a_way_made_on_its_machine_lies_between_host_and_capture),
        cmocka_unit_test(a_segment_larger_than_the_mss_shows_the_receiver),
        cmocka_unit_test(a_box_between_them_may_put_together_what_both_send),
        cmocka_unit_test(a_full_segment_is_not_too_large),
        cmocka_unit_test(on_one_machine_nobody_cuts),
        cmocka_unit_test(acks_that_a_timer_may_have_held_tell_no_way),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
