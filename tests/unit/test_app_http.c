/* SPDX-License-Identifier: MIT */
/* How HTTP is framed: where messages begin and end, and what they are called. */
#include "tests/unit.h"

#include "tests/unit/app_wire.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

WIRE_TEST(a_request_and_its_response_are_one_exchange, wire_open(w))
{
    wire_text(w, C, "GET /index.html HTTP/1.1\r\nHost: example.org\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
    wire_text(w, S, "hello");
    const struct tw_exchange *e = wire_expect(w, 1);
    wire_asked(e, "http", "GET /index.html");
    assert_int_equal(e->status, 200);
    assert_true(e->complete);
    assert_int_equal(e->asker, C);
    assert_int_equal(e->request_from, 1);
    assert_int_equal(e->request_to, w->next[C]);
    assert_int_equal(e->response_from, 1);
    assert_int_equal(e->response_to, w->next[S]);
    assert_int_equal(wire_frame_of(w, e->request_first), 4);
    assert_int_equal(wire_frame_of(w, e->response_first), 5);
    assert_int_equal(wire_frame_of(w, e->response_last), 6);
}

/* What the client of a request with that first line and Host calls its server; NULL: nothing. */
static void assert_called(const char *line, const char *host, const char *name)
{
    char *request = g_strdup_printf("%s HTTP/1.1\r\nAccept: */*\r\nHost: %s\r\n\r\n", line, host);
    struct wire w;

    wire_open(&w);
    wire_text(&w, C, request);
    wire_expect(&w, 1);
    if (name)
        assert_string_equal(w.exchanges.server_name, name);
    else
        assert_null(w.exchanges.server_name);
    wire_close(&w);
    g_free(request);
}

TEST(the_host_names_the_server)
{
    char longest[254 + 1];

    assert_called("GET /", "example.org", "example.org");
    assert_called("GET /", "Shop.Example.ORG:8080", "shop.example.org");
    memset(longest, 'a', sizeof longest);
    longest[253] = '\0';
    assert_called("GET /", longest, longest);
}

TEST(what_is_no_host_name_names_no_server)
{
    char too_long[254 + 1];

    assert_called("GET /", "10.9.0.2:8080", NULL);
    assert_called("GET /", "[2001:db8::1]:80", NULL);
    assert_called("GET /", "", NULL);
    assert_called("GET /", "a\033[31mb", NULL);
    assert_called("GET /", "caf\xc3\xa9.test", NULL);
    memset(too_long, 'a', sizeof too_long);
    too_long[254] = '\0';
    assert_called("GET /", too_long, NULL);
}

TEST(a_proxy_does_not_have_the_name_of_the_server_behind_it)
{
    assert_called("GET http://example.org/", "example.org", NULL);
    assert_called("CONNECT example.org:443", "example.org:443", NULL);
}

WIRE_TEST(the_first_host_of_a_connection_counts, wire_open(w))
{
    wire_text(w, C, "GET /1 HTTP/1.1\r\nHost: one.test\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 204 No Content\r\nHost: server.test\r\n\r\n");
    wire_text(w, C, "GET /2 HTTP/1.1\r\nHost: two.test\r\n\r\n");
    wire_exchanges(w);
    assert_string_equal(w->exchanges.server_name, "one.test");
}

WIRE_TEST(a_connect_without_a_host_is_not_http, wire_open(w))
{
    wire_text(w, C, "CONNECT {\"verbose\":false}\r\nPING\r\n");
    wire_text(w, S, "PONG\r\n");
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_string_equal(e->protocol, "turn");
    assert_false(e->framed);
}

/* RFC 9113, section 3.4; what follows are frames, in both directions at any time. */
WIRE_TEST(the_preface_of_http_2_is_no_request, wire_open(w))
{
    wire_text(w, C, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    wire_text(w, S, "no settings");
    wire_text(w, C, "no headers");
    wire_text(w, S, "no data");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e->request, "");
    assert_false(e->framed);
}

/* FTP (RFC 959), from the middle of a connection. */
static void assert_turns(const char *command)
{
    struct wire w;
    const struct tw_exchange *e;

    wire_open(&w);
    wire_text(&w, C, command);
    wire_text(&w, S, "250 OK\r\n");
    wire_text(&w, C, "PASV\r\n");
    wire_text(&w, S, "227 Entering Passive Mode\r\n");
    e = wire_expect(&w, 2);
    assert_string_equal(e->protocol, "turn");
    assert_false(e->framed);
    wire_close(&w);
}

TEST(a_line_without_a_version_is_not_http)
{
    assert_turns("CWD /testfiles\r\n");
    assert_turns("CWD /a\r\nPWD\r\n");
}

static bool is_in_pieces(const char *head)
{
    struct wire w;
    bool in_pieces;

    wire_open(&w);
    wire_text(&w, C, "GET / HTTP/1.1\r\n\r\n");
    wire_text(&w, S, head);
    wire_text(&w, S, "5\r\nhello\r\n");
    in_pieces = wire_exchanges(&w)->in_pieces;
    wire_close(&w);
    return in_pieces;
}

TEST(a_response_without_a_length_may_be_several_pushes)
{
    assert_true(is_in_pieces("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"));
    assert_true(is_in_pieces("HTTP/1.0 200 OK\r\n\r\n"));
    assert_false(is_in_pieces("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"));
    assert_false(is_in_pieces("HTTP/1.1 304 Not Modified\r\n\r\n"));
}

WIRE_TEST(an_options_request_may_have_an_asterisk_target, wire_open(w))
{
    wire_text(w, C, "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 204 No Content\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_string_equal(e->request, "OPTIONS *");
    assert_int_equal(e->status, 204);
}

WIRE_TEST(pipelined_requests_are_answered_in_order, wire_open(w))
{
    wire_text(w, C, "GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\nHEAD /c HTTP/1.1\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nxxHTTP/1.1 404 Not Found\r\nCont");
    wire_text(w, S, "ent-Length: 0\r\n\r\nHTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 3);
    assert_string_equal(e[0].request, "GET /a");
    assert_int_equal(e[0].status, 200);
    assert_string_equal(e[1].request, "GET /b");
    assert_int_equal(e[1].status, 404);
    assert_int_equal(wire_frame_of(w, e[1].response_first), 5);
    assert_int_equal(wire_frame_of(w, e[1].response_last), 6);
    assert_string_equal(e[2].request, "HEAD /c");
    assert_int_equal(e[2].status, 204);
    assert_true(e[2].complete);
    assert_int_equal(e[2].response_to, w->next[S]);
}

static const char chunked[] =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
    "5;name=value\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\nTrailer: x\r\n\r\n";

TEST(chunks_may_be_split_anywhere)
{
    size_t len = sizeof chunked - 1;

    for (size_t split = 1; split < len; split++) {
        struct wire w;
        const struct tw_exchange *e;

        wire_open(&w);
        wire_text(&w, C, "GET / HTTP/1.1\r\n\r\n");
        wire_bytes(&w, S, chunked, split);
        wire_bytes(&w, S, chunked + split, len - split);
        wire_text(&w, C, "GET /next HTTP/1.1\r\n\r\n");
        e = wire_expect(&w, 2);
        assert_true(e[0].complete);
        assert_int_equal(e[0].response_to, 1 + len);
        assert_int_equal(e[0].status, 200);
        wire_close(&w);
    }
}

WIRE_TEST(single_bytes_make_the_same_messages, wire_open(w))
{
    const char request[] = "POST /form HTTP/1.1\r\nHost: a\r\nContent-Length:  3 \r\n\r\nabc";

    for (size_t i = 0; i < sizeof request - 1; i++)
        wire_bytes(w, C, request + i, 1);
    for (size_t i = 0; i < sizeof chunked - 1; i++)
        wire_bytes(w, S, chunked + i, 1);
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_string_equal(e->request, "POST /form");
    assert_int_equal(e->request_to, w->next[C]);
    assert_true(e->complete);
}

/* Old clients end a body with an empty line that no length counts. */
WIRE_TEST(empty_lines_between_messages_belong_to_none, wire_open(w))
{
    wire_text(w, C, "POST /1 HTTP/1.1\r\nContent-Length: 1\r\n\r\na\r\n");
    wire_text(w, S, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    wire_text(w, C, "\r\nGET /2 HTTP/1.1\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e[1].request, "GET /2");
    assert_int_equal(e[1].request_from, w->next[C] - 19);
}

WIRE_TEST(an_interim_response_does_not_complete, wire_open(w))
{
    wire_text(w, C, "PUT /big HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 100 Continue\r\n\r\n");
    wire_text(w, C, "body");
    wire_text(w, S, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_int_equal(e->status, 201);
    assert_int_equal(wire_frame_of(w, e->request_last), 6);
    assert_int_equal(wire_frame_of(w, e->response_first), 7);
}

WIRE_TEST(without_a_length_the_connection_ends_the_body, wire_open(w))
{
    wire_text(w, C, "GET / HTTP/1.0\r\n\r\n");
    wire_text(w, S, "HTTP/1.0 200 OK\r\n\r\nsome");
    wire_text(w, S, "HTTP/1.1 500 is only text here");
    wire_flags(w, S, TW_FIN | TW_ACK);
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_int_equal(e->status, 200);
    assert_true(e->complete);
    assert_int_equal(e->response_to, w->next[S] - 1);
}

WIRE_TEST(a_body_that_the_capture_does_not_end_is_not_complete, wire_open(w))
{
    wire_text(w, C, "GET / HTTP/1.1\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome");
    wire_ack(w, C);
    assert_false(wire_exchanges(w)->complete);
}

WIRE_TEST(after_an_upgrade_bytes_are_turns, wire_open(w))
{
    wire_text(w, C, "GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 101 Switching Protocols\r\n\r\n");
    wire_text(w, C, "ping");
    wire_text(w, S, "pong");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_int_equal(e[0].status, 101);
    assert_string_equal(e[1].protocol, "turn");
    assert_int_equal(wire_frame_of(w, e[1].request_first), 6);
    assert_int_equal(wire_frame_of(w, e[1].response_last), 7);
}

WIRE_TEST(after_connect_bytes_are_turns, wire_open(w))
{
    wire_text(w, C, "CONNECT example.org:443 HTTP/1.1\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 200 Connection established\r\n\r\n");
    wire_text(w, C, "\x16\x03\x01");
    wire_text(w, S, "\x16\x03\x03");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e[0].request, "CONNECT example.org:443");
    assert_true(e[0].complete);
    assert_string_equal(e[1].protocol, "turn");
}

WIRE_TEST(a_target_may_hold_a_blank, wire_open(w))
{
    wire_text(w, C, "CONNECT example.org:25 / HTTP/1.0\r\n\r\n");
    wire_text(w, S, "HTTP/1.0 405 Not Allowed\r\nContent-Length: 0\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_string_equal(e->request, "CONNECT example.org:25 /");
    assert_true(e->framed && e->complete);
    assert_int_equal(e->status, 405);
}

WIRE_TEST(fields_count_however_they_are_spelt, wire_open(w))
{
    wire_text(w, C,
              "POST / HTTP/1.1\r\nCookie: c\r\nhost: a\r\ncontent-lengths: 9\r\ntE: x\r\n"
              "transfer-ENCODING: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 200 OK\r\ndate: d\r\ncontent-length: 2\r\n\r\nok");
    wire_text(w, C, "GET / HTTP/1.1\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_int_equal(e[1].request_from, e[0].request_to);
    assert_true(e->complete);
}

TEST(impossible_content_lengths_are_ignored)
{
    const char *const heads[] = {
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 999\r\n\r\n",
    };

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct wire w;
        const struct tw_exchange *e;

        wire_open(&w);
        wire_text(&w, C, "GET / HTTP/1.1\r\n\r\n");
        wire_text(&w, S, heads[i]);
        wire_text(&w, S, "body");
        e = wire_expect(&w, 1);
        assert_int_equal(e->response_to, w.next[S]);
        wire_close(&w);
    }
}

WIRE_TEST(hostile_names_become_plain_text, wire_open(w))
{
    wire_text(w, C, "GET /\x1b[31m\xff\xc3\xa4 HTTP/1.1\r\n\r\n");
    const struct tw_exchange *e = wire_exchanges(w);
    assert_string_equal(e->request, "GET / [31m?\xc3\xa4");
}

WIRE_TEST(the_byte_of_a_keep_alive_is_no_part_of_a_request, wire_open_midstream(w))
{
    const struct wire_frame keep_alive = {
        .from = TCPWHY_CLIENT,
        .flags = TW_ACK,
        .seq = 1,
        .ack = 1,
        .bytes = "",
        .len = 1,
        .captured = 1,
        .frame_class = TCPWHY_CLASS_KEEP_ALIVE,
    };

    wire_push(w, &keep_alive);
    wire_text(w, TCPWHY_CLIENT, "GET /a HTTP/1.1\r\n\r\n");
    wire_text(w, TCPWHY_SERVER, "HTTP/1.1 204 No Content\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_string_equal(e->request, "GET /a");
}

WIRE_TEST(the_tcp_server_may_send_the_requests, wire_open_midstream(w))
{
    wire_text(w, S, "GET / HTTP/1.1\r\n\r\n");
    wire_text(w, C, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_int_equal(e->asker, S);
    assert_int_equal(wire_frame_of(w, e->request_first), 1);
    assert_int_equal(wire_frame_of(w, e->response_last), 2);
}

/* However the bytes are cut into segments, the messages are the same. */
TEST(segmentation_changes_nothing)
{
    const char asks[] =
        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
        "POST /2 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        "HEAD /3 HTTP/1.1\r\n\r\n\r\nGET /4 HTTP/1.1\r\n\r\n";
    const char answers[] = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nHTTP/1.1 500"
                           "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n"
                           "Transfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n"
                           "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
                           "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno";
    const uint16_t status[] = { 200, 201, 200, 404 };
    uint32_t random = 1;

    for (int round = 0; round < 500; round++) {
        const char *const texts[] = { asks, answers };
        const size_t lens[] = { sizeof asks - 1, sizeof answers - 1 };
        struct wire w;

        wire_open(&w);
        for (int side = 0; side < 2; side++) {
            for (size_t at = 0, n; at < lens[side]; at += n) {
                random = random * 1664525 + 1013904223;
                n = 1 + (random >> 16) % 40;
                n = n < lens[side] - at ? n : lens[side] - at;
                wire_bytes(&w, (enum tcpwhy_side)side, texts[side] + at, n);
            }
        }
        wire_expect(&w, 4);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(w.exchanges.exchange[i].status, status[i]);
            assert_true(w.exchanges.exchange[i].complete);
        }
        assert_int_equal(w.exchanges.exchange[3].response_to, w.next[S]);
        wire_close(&w);
    }
}

/* Who counts it need not do so after each message. */
WIRE_TEST(a_change_of_memory_usage_is_reported, wire_open(w))
{
    int grew = 0;

    wire_text(w, C, "GET / HTTP/1.1\r\n\r\n");
    assert_true(w->grew);
    for (int i = 0; i < 100; i++) {
        size_t before = tw_app_bytes(&w->app);

        wire_text(w, S, "HTTP/1.1 204 No Content\r\n\r\n");
        wire_text(w, C, "GET / HTTP/1.1\r\n\r\n");
        assert_int_equal(w->grew, tw_app_bytes(&w->app) != before);
        grew += w->grew;
    }
    assert_in_range(grew, 1, 10);
}
