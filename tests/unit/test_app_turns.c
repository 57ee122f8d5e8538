/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "tests/unit/app_wire.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

static void assert_frames(const struct wire *w, const struct tw_exchange *e,
                          const uint32_t frame[4])
{
    assert_int_equal(wire_frame_of(w, e->request_first), frame[0]);
    assert_int_equal(wire_frame_of(w, e->request_last), frame[1]);
    assert_int_equal(wire_frame_of(w, e->response_first), frame[2]);
    assert_int_equal(wire_frame_of(w, e->response_last), frame[3]);
}

#define ASSERT_FRAMES(w, e, ...) assert_frames(w, e, (const uint32_t[4]) { __VA_ARGS__ })

WIRE_TEST(alternating_data_is_a_request_and_a_response, wire_open(w))
{
    for (int i = 0; i < 2; i++) {
        wire_text(w, C, "question");
        wire_text(w, S, "answer");
        wire_text(w, S, "in two parts");
        wire_ack(w, C);
    }
    const struct tw_exchange *e = wire_expect(w, 2);
    wire_asked(e, "turn", "");
    ASSERT_FRAMES(w, &e[0], 4, 4, 5, 6);
    ASSERT_FRAMES(w, &e[1], 8, 8, 9, 10);
    assert_true(e[0].complete);
    assert_true(e[1].complete);
}

WIRE_TEST(write_write_read_is_one_request, wire_open(w))
{
    wire_text(w, C, "head");
    wire_ack(w, S);
    wire_text(w, C, "body");
    wire_text(w, S, "ok");
    const struct tw_exchange *e = wire_expect(w, 1);
    ASSERT_FRAMES(w, e, 4, 6, 7, 7);
}

WIRE_TEST(a_server_that_speaks_first_answers_an_empty_request, wire_open(w))
{
    wire_text(w, S, "220 ready\r\n");
    wire_text(w, C, "HELO\r\n");
    wire_text(w, S, "250 hello\r\n");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_int_equal(e[0].request_from, e[0].request_to);
    ASSERT_FRAMES(w, &e[0], 0, 0, 4, 4);
    ASSERT_FRAMES(w, &e[1], 5, 5, 6, 6);
}

WIRE_TEST(a_transfer_one_way_has_an_empty_response, wire_open(w))
{
    for (int i = 0; i < 50; i++) {
        wire_text(w, C, "data");
        wire_ack(w, S);
    }
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_int_equal(e->response_from, e->response_to);
    assert_false(e->complete);
    assert_int_equal(e->request_to - e->request_from, 200);
}

WIRE_TEST(retransmissions_keep_alives_and_probes_are_no_requests, wire_open(w))
{
    struct wire_frame keep_alive = {
        .from = C,
        .flags = TW_ACK,
        .bytes = "",
        .len = 1,
        .captured = 1,
        .frame_class = TCPWHY_CLASS_KEEP_ALIVE,
    };
    struct wire_frame probe = keep_alive;

    wire_text(w, C, "ask");
    wire_text(w, S, "answer");
    wire_piece(w, C, 1, w->next[S], "ask", 3, 3);
    keep_alive.seq = w->next[C] - 1;
    keep_alive.ack = w->next[S];
    wire_push(w, &keep_alive);
    probe.seq = w->next[C];
    probe.ack = w->next[S];
    probe.frame_class = TCPWHY_CLASS_WINDOW_PROBE;
    wire_push(w, &probe);
    wire_expect(w, 1);
}

WIRE_TEST(the_record_that_first_showed_the_bytes_counts, wire_open(w))
{
    wire_text(w, C, "ask");
    wire_piece(w, C, 1, 1, "ask", 3, 3);
    wire_text(w, S, "first");
    wire_piece(w, S, 11, w->next[C], "third", 5, 5);
    wire_piece(w, S, 6, w->next[C], "secon", 5, 5);
    wire_piece(w, S, 11, w->next[C], "third", 5, 5);
    const struct tw_exchange *e = wire_expect(w, 1);
    ASSERT_FRAMES(w, e, 4, 4, 6, 8);
}

/* The second request leaves while the first answer is still on its way past the vantage. */
WIRE_TEST(bytes_that_cross_a_request_belong_to_the_previous_response, wire_open(w))
{
    wire_text(w, C, "one");
    wire_text(w, S, "ans");
    wire_text(w, C, "two");
    wire_piece(w, S, 4, 4, "wer", 3, 3);
    wire_text(w, S, "second");
    const struct tw_exchange *e = wire_expect(w, 2);
    ASSERT_FRAMES(w, &e[0], 4, 4, 5, 7);
    ASSERT_FRAMES(w, &e[1], 6, 6, 8, 8);
    assert_int_equal(e[1].response_from, 7);
}

WIRE_TEST(both_talking_at_once_is_one_exchange, wire_open(w))
{
    for (int i = 0; i < 1000; i++) {
        /* Each side is one message behind with what it has seen of the other. */
        wire_piece(w, C, w->next[C], i ? w->next[S] - 4 : 1, "data", 4, 4);
        wire_piece(w, S, w->next[S], w->next[C] - 4, "data", 4, 4);
    }
    wire_exchanges(w);
    assert_true(w->exchanges.n <= 2);
}

WIRE_TEST(full_duplex_may_show_late_in_a_response, wire_open(w))
{
    wire_text(w, C, "question");
    wire_text(w, S, "one");
    wire_piece(w, S, 4, 5, "two", 3, 3);
    wire_ack(w, S);
    wire_text(w, S, "three");
    wire_piece(w, C, 9, 4, "more", 4, 4);
    const struct tw_exchange *e = wire_expect(w, 1);
    ASSERT_FRAMES(w, e, 4, 9, 5, 8);
    assert_int_equal(e->response_to, 12);
}

WIRE_TEST(requests_are_in_order, wire_open(w))
{
    for (int i = 0; i < 20; i++) {
        wire_text(w, C, "q");
        wire_text(w, S, "a");
    }
    const struct tw_exchange *e = wire_expect(w, 20);
    for (int i = 1; i < 20; i++)
        assert_true(e[i - 1].request_from < e[i].request_from);
}

WIRE_TEST(a_log_without_bytes_has_no_exchange, wire_open(w))
{
    wire_flags(w, S, TW_RST);
    wire_expect(w, 0);
}

WIRE_TEST(without_the_bytes_the_log_is_enough, wire_open(w))
{
    struct tw_exchanges exchanges;

    wire_text(w, C, "GET / HTTP/1.1\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    tw_exchanges_build(w->log, NULL, &exchanges);
    assert_int_equal(exchanges.n, 1);
    assert_string_equal(exchanges.exchange->protocol, "turn");
    tw_exchanges_clear(&exchanges);
}
