/* SPDX-License-Identifier: MIT */
/* HTTP of which the capture lacks a part, and HTTP that is none, or has no end. */
#include "tests/unit.h"

#include "tests/unit/app_wire.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

TEST(a_cut_body_is_skipped_by_its_length)
{
    const char head[] = "HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n";
    struct wire w;
    char segment[1448] = { 0 };

    memcpy(segment, head, sizeof head - 1);
    wire_open(&w);
    for (int i = 0; i < 3; i++) {
        wire_text(&w, C, "GET / HTTP/1.1\r\n\r\n");
        wire_piece(&w, S, w.next[S], w.next[C], segment, sizeof segment, 84);
        wire_piece(&w, S, w.next[S], w.next[C], segment, sizeof segment, 0);
        wire_piece(&w, S, w.next[S], w.next[C], segment, 3000 + sizeof head - 1 - 2896, 84);
    }
    const struct tw_exchange *e = wire_expect(&w, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(e[i].status, 200);
        assert_true(e[i].complete);
        assert_int_equal(e[i].response_to - e[i].response_from, 3000 + sizeof head - 1);
    }
    wire_close(&w);
}

/* A snap length of 96 bytes leaves 30 of each payload. */
WIRE_TEST(truncated_heads_still_name_and_separate_messages, wire_open(w))
{
    const char ask[] = "GET /a/path/that/is/longer/than/that HTTP/1.1\r\nHost: x\r\n\r\n";
    const char head[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\n";
    char body[1000] = { 0 };

    for (int i = 0; i < 3; i++) {
        wire_piece(w, C, w->next[C], w->next[S], ask, sizeof ask - 1, 30);
        wire_piece(w, S, w->next[S], w->next[C], head, sizeof head - 1, 30);
        wire_piece(w, S, w->next[S], w->next[C], body, sizeof body, 30);
        wire_ack(w, C);
    }
    const struct tw_exchange *e = wire_expect(w, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(e[i].request, "GET /a/path/that/is/longer/tha");
        assert_int_equal(e[i].status, 404);
        assert_true(e[i].complete);
        assert_int_equal(e[i].request_to - e[i].request_from, sizeof ask - 1);
        assert_int_equal(e[i].response_to - e[i].response_from, sizeof head - 1 + sizeof body);
    }
}

/* Of what stands behind a cut head nothing is looked at but what begins like the next one. */
WIRE_TEST(after_a_truncated_head_parsing_resumes_at_the_next_head, wire_open(w))
{
    const char head[] = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n";
    const char *pieces[] = { "data", "Hello", "\0\0\0\0", "data", "HTTP/1.1 as a text" };

    wire_text(w, C, "GET /1 HTTP/1.1\r\n\r\n");
    wire_text(w, C, "GET /2 HTTP/1.1\r\n\r\n");
    for (int i = 0; i < 2; i++) {
        wire_piece(w, S, w->next[S], w->next[C], head, sizeof head - 1, 30);
        for (size_t k = 0; k < G_N_ELEMENTS(pieces); k++)
            wire_piece(w, S, w->next[S], w->next[C], pieces[k], 1000, 4);
        wire_ack(w, C);
    }
    const struct tw_exchange *e = wire_expect(w, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(e[i].status, 200);
        assert_int_equal(e[i].response_to - e[i].response_from, sizeof head - 1 + 5000);
    }
}

WIRE_TEST(a_hole_after_a_truncated_head_may_hold_the_next_head, wire_open(w))
{
    const char head[] = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n";

    for (int i = 0; i < 3; i++)
        wire_text(w, C, "GET / HTTP/1.1\r\n\r\n");
    wire_piece(w, S, w->next[S], w->next[C], head, sizeof head - 1, 30);
    for (int i = 0; i < 3; i++)
        wire_piece(w, S, w->next[S], w->next[C], "data", 1000, 4);
    w->next[S] += 4000;
    wire_piece(w, C, w->next[C], w->next[S], "GET / HTTP/1.1\r\n\r\n", 18, 18);
    wire_piece(w, S, w->next[S], w->next[C], head, sizeof head - 1, 30);
    const struct tw_exchange *e = wire_expect(w, 4);
    assert_int_equal(e[0].response_to - e[0].response_from, sizeof head - 1 + 3000);
    assert_int_equal(e[3].response_from, w->next[S] - (int64_t)(sizeof head - 1));
}

WIRE_TEST(a_lost_response_leaves_the_next_to_its_own_request, wire_open(w))
{
    wire_text(w, C, "GET /1 HTTP/1.1\r\n\r\n");
    w->next[S] += 38; /* a response that is not in the capture */
    wire_text(w, C, "GET /2 HTTP/1.1\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
    wire_ack(w, C);
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_int_equal(e[0].status, 0);
    assert_false(e[0].complete);
    assert_int_equal(e[1].status, 500);
    assert_true(e[1].complete);
}

WIRE_TEST(a_lost_request_leaves_its_response_alone, wire_open(w))
{
    wire_text(w, C, "GET /1 HTTP/1.1\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    w->next[C] += 19; /* not in the capture */
    wire_text(w, S, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
    wire_text(w, C, "GET /3 HTTP/1.1\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 3);
    assert_int_equal(e[1].status, 404);
    assert_string_equal(e[1].request, "");
    assert_int_equal(e[1].request_first, TW_NO_RECORD);
    assert_string_equal(e[2].request, "GET /3");
    assert_int_equal(e[2].status, 500);
}

WIRE_TEST(a_retransmission_that_overlaps_changes_nothing, wire_open(w))
{
    const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789";
    size_t len = sizeof answer - 1;

    wire_text(w, C, "GET / HTTP/1.1\r\n\r\n");
    wire_piece(w, S, 1, w->next[C], answer, 20, 20);
    wire_piece(w, S, 1, w->next[C], answer, 30, 30);
    wire_piece(w, S, 11, w->next[C], answer + 10, len - 10, len - 10);
    wire_piece(w, S, 1, w->next[C], answer, len, len);
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_true(e->complete);
    assert_int_equal(e->response_to, 1 + len);
    assert_int_equal(wire_frame_of(w, e->response_first), 5);
    assert_int_equal(wire_frame_of(w, e->response_last), 7);
}

WIRE_TEST(a_response_completes_when_its_hole_is_filled, wire_open(w))
{
    const char answer[] = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789";
    size_t len = sizeof answer - 1;

    wire_text(w, C, "GET / HTTP/1.1\r\n\r\n");
    wire_piece(w, S, 1, w->next[C], answer, 20, 20);
    wire_piece(w, S, 31, w->next[C], answer + 30, len - 30, len - 30);
    wire_piece(w, S, 21, w->next[C], answer + 20, 10, 10);
    const struct tw_exchange *e = wire_exchanges(w);
    assert_true(e->complete);
    assert_int_equal(wire_frame_of(w, e->response_first), 5);
    assert_int_equal(wire_frame_of(w, e->response_last), 7);
}

/* As a capture on two interfaces, or of fragments put together late, may have it. */
WIRE_TEST(a_head_captured_after_its_ack_is_read, wire_open(w))
{
    static const char head[] = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\n\r\n";
    const int64_t len = sizeof head - 1;

    wire_text(w, C, "GET / HTTP/1.1\r\n\r\n");
    wire_piece(w, S, 1 + len, w->next[C], "body", 4, 4);
    wire_ack(w, C);
    wire_piece(w, S, 1, w->next[C], head, (size_t)len, (size_t)len);
    wire_text(w, C, "GET /two HTTP/1.1\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 204 No Content\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_int_equal(e[0].status, 401);
    assert_int_equal(e[1].status, 204);
}

TEST(parsing_stops_at_an_endless_head)
{
    char block[4096];
    struct wire w;

    memset(block, 'a', sizeof block);
    wire_open(&w);
    wire_text(&w, C, "GET / HTTP/1.1\r\nX: ");
    for (int i = 0; i < 200; i++)
        wire_bytes(&w, C, block, sizeof block);
    wire_text(&w, C, "GET /2 HTTP/1.1\r\n\r\n");
    const struct tw_exchange *e = wire_expect(&w, 2);
    assert_string_equal(e[1].request, "GET /2");
    wire_close(&w);
}

WIRE_TEST(parsing_resynchronises_in_the_middle_of_a_connection, wire_open_midstream(w))
{
    wire_text(w, S, "the rest of some body");
    wire_text(w, C, "GET /next HTTP/1.1\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_string_equal(e->request, "GET /next");
    assert_int_equal(e->status, 200);
}

/* However long: no more of it is kept than of a connection that nobody understands. */
WIRE_TEST(the_rest_of_an_upload_from_before_the_capture_is_a_request, wire_open_midstream(w))
{
    for (int i = 0; i < 40; i++)
        wire_text(w, C, "some of a large body");
    wire_text(w, S, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
    wire_text(w, C, "GET /next HTTP/1.1\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_int_equal(e[0].status, 201);
    assert_int_equal(wire_frame_of(w, e[0].request_first), 1);
    assert_int_equal(wire_frame_of(w, e[0].request_last), 40);
    assert_int_equal(e[0].request_to - e[0].request_from, 40 * 20);
    assert_string_equal(e[1].request, "GET /next");
}

WIRE_TEST(an_unknown_request_may_be_http, wire_open(w))
{
    wire_text(w, C, "\x16\x03 or whatever");
    wire_flags(w, C, TW_ACK | TW_FIN);
    wire_text(w, S, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_int_equal(wire_frame_of(w, e->request_last), 4);
    assert_int_equal(e->request_to - e->request_from, 14);
}

/* The empty line behind a body is no question that a server's timeout would answer. */
WIRE_TEST(a_status_line_after_an_empty_line_is_no_response, wire_open(w))
{
    wire_text(w, C, "POST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\na\r\n");
    wire_text(w, S, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_int_equal(e[1].status, 408);
    assert_int_equal(e[1].request_first, TW_NO_RECORD);
}

WIRE_TEST(responses_alone_are_still_seen, wire_open_midstream(w))
{
    for (int i = 0; i < 3; i++)
        wire_text(w, S, "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno");
    const struct tw_exchange *e = wire_expect(w, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(e[i].status, 503);
        assert_int_equal(e[i].request_first, TW_NO_RECORD);
        assert_true(e[i].complete);
    }
}

TEST(endless_pipelining_is_bounded)
{
    static char block[65520];
    struct wire w;

    for (size_t i = 0; i + 16 <= sizeof block; i += 16)
        memcpy(block + i, "GET / HTTP/1.1\n\n", 16);
    wire_open(&w);
    for (int i = 0; i < 300; i++)
        wire_bytes(&w, C, block, sizeof block);
    wire_text(&w, S, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    wire_exchanges(&w);
    assert_int_equal(w.exchanges.n, (1 << 20) + 1);
    wire_close(&w);
}

TEST(endless_responses_are_bounded)
{
    static char block[65520];
    struct wire w;

    for (size_t i = 0; i + 16 <= sizeof block; i += 16)
        memcpy(block + i, "HTTP/1.1 204 \n\n\n", 16);
    wire_open(&w);
    for (int i = 0; i < 300; i++)
        wire_bytes(&w, S, block, sizeof block);
    wire_exchanges(&w);
    assert_true(w.exchanges.n <= (1 << 20) + 1);
    wire_close(&w);
}

/* Bytes without sense, cut, lost, repeated: nothing but the sanitizers looks at the outcome. */
TEST(random_bytes_do_not_crash_the_parser)
{
    static const char *const words[] = {
        "GET / HTTP/1.1\r\n",
        "HTTP/1.1 200 OK\r\n",
        "\r\n",
        "Content-Length: 7\r\n",
        "ffff\r\n",
        "Transfer-Encoding: chunked\r\n",
        "HTTP/1.1 101 x\r\n\r\n",
        "0\r\n\r\n",
        "body",
        "\xff\x00",
    };
    uint32_t random = 7;

    for (int round = 0; round < 2000; round++) {
        struct wire w;

        wire_open(&w);
        for (int i = 0; i < 40; i++) {
            const char *word = words[((random = random * 1664525 + 1013904223) >> 16) % 10];
            enum tcpwhy_side from = random >> 20 & 1 ? S : C;
            int64_t seq = w.next[from] + (int64_t)(random >> 22 & 15) - 5;
            size_t len = strlen(word), cut = random >> 26 & 7 ? len : len / 2;

            wire_piece(&w, from, seq < 1 ? 1 : seq, wire_other_next(&w, from), word, len, cut);
        }
        wire_exchanges(&w);
        for (uint32_t i = 1; i < w.exchanges.n; i++)
            assert_true(w.exchanges.exchange[i - 1].request_from <=
                        w.exchanges.exchange[i].request_from);
        wire_close(&w);
    }
}
