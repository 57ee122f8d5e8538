/* SPDX-License-Identifier: MIT */
/* HTTP/2: streams as exchanges, flow control, and captures that lack a part. */
#include "base/array.h"
#include "tests/unit.h"

#include <glib.h>

#include "tests/unit/app_wire.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

enum { DATA, HEADERS, RST_STREAM = 3, SETTINGS, GOAWAY = 7, WINDOW_UPDATE, CONTINUATION };
#define END_STREAM  1
#define END_HEADERS 4

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

static tw_byte_array *made;

static void frame(uint8_t type, uint8_t flags, uint32_t id, const void *payload, size_t len)
{
    uint8_t head[9] = {
        (uint8_t)(len >> 16), (uint8_t)(len >> 8), (uint8_t)len,       type,       flags,
        (uint8_t)(id >> 24),  (uint8_t)(id >> 16), (uint8_t)(id >> 8), (uint8_t)id
    };

    if (!made)
        made = tw_byte_array_new();
    tw_byte_array_append(made, head, sizeof head);
    if (len > 0)
        tw_byte_array_append(made, payload, (guint)len);
}

/* The bytes made, in one segment. */
static void send(struct wire *w, enum tcpwhy_side from)
{
    wire_bytes(w, from, made->data, made->len);
    tw_byte_array_set_size(made, 0);
}

static void say(struct wire *w, enum tcpwhy_side from, uint8_t type, uint8_t flags, uint32_t id,
                const void *payload, size_t len)
{
    frame(type, flags, id, payload, len);
    send(w, from);
}

static void open_http2(struct wire *w)
{
    wire_open(w);
    wire_text(w, C, preface);
    say(w, C, SETTINGS, 0, 0, "", 0);
    say(w, S, SETTINGS, 0, 0, "", 0);
}

/* GET with a path of one letter, which enters the table. */
static void ask(struct wire *w, uint32_t id, char path)
{
    const uint8_t block[] = { 0x82, 0x86, 0x44, 0x02, '/', (uint8_t)path };

    say(w, C, HEADERS, END_HEADERS | END_STREAM, id, block, sizeof block);
}

static void answer(struct wire *w, uint32_t id)
{
    say(w, S, HEADERS, END_HEADERS, id, "\x88", 1);
}

static void data(struct wire *w, enum tcpwhy_side from, uint32_t id, size_t len, uint8_t flags)
{
    uint8_t *bytes = tw_malloc0(len + 1);

    say(w, from, DATA, flags, id, bytes, len);
    tw_free(bytes);
}

static void finish(struct wire *w)
{
    wire_close(w);
    tw_byte_array_unref(made);
    made = NULL;
}

static const struct tw_exchange_more *more_of(const struct wire *w, uint32_t i)
{
    return &w->exchanges.more[w->exchanges.exchange[i].more - 1];
}

#define HTTP2_TEST(name, make) TEST_WITH(name, struct wire, w, make, finish(w))

HTTP2_TEST(streams_that_interleave_are_exchanges_of_their_own, open_http2(w))
{
    ask(w, 1, 'a'); /* frame 7 */
    ask(w, 3, 'b');
    answer(w, 3); /* frame 9 */
    data(w, S, 3, 10, 0);
    answer(w, 1); /* frame 11 */
    data(w, S, 3, 10, END_STREAM);
    data(w, S, 1, 30, END_STREAM); /* frame 13 */
    wire_ack(w, C);
    const struct tw_exchange *e = wire_expect(w, 2);
    wire_asked(&e[0], "http2", "GET /a");
    assert_int_equal(e[0].status, 200);
    assert_true(e[0].complete);
    assert_int_equal(wire_frame_of(w, e[0].request_first), 7);
    assert_int_equal(wire_frame_of(w, e[0].response_first), 11);
    assert_int_equal(wire_frame_of(w, e[0].response_last), 13);
    assert_int_equal(wire_frame_of(w, e[0].response_acked), 14);
    assert_string_equal(e[1].request, "GET /b");
    assert_int_equal(wire_frame_of(w, e[1].response_first), 9);
    assert_int_equal(wire_frame_of(w, e[1].response_last), 12);
    assert_int_equal(more_of(w, 0)->id, 1);
    assert_int_equal(more_of(w, 0)->bytes[1], 9 + 1 + 9 + 30);
    assert_int_equal(more_of(w, 1)->bytes[1], 9 + 1 + 9 + 10 + 9 + 10);
}

TEST(the_authority_names_the_server)
{
    /* :method GET, :authority, :path / */
    static const uint8_t block[] = { 0x82, 0x41, 9,   'a', '.', 't', 'e',
                                     's',  't',  ':', '8', '0', 0x84 };
    struct wire w;

    open_http2(&w);
    say(&w, C, HEADERS, END_HEADERS | END_STREAM, 1, block, sizeof block);
    answer(&w, 1);
    wire_exchanges(&w);
    assert_string_equal(w.exchanges.server_name, "a.test");
    finish(&w);
}

HTTP2_TEST(settings_and_window_updates_are_no_requests, open_http2(w))
{
    ask(w, 1, 'a');
    answer(w, 1);
    for (int i = 0; i < 5; i++) {
        data(w, S, 1, 100, 0);
        say(w, C, WINDOW_UPDATE, 0, 0, "\0\0\0\x64", 4);
        say(w, C, WINDOW_UPDATE, 0, 1, "\0\0\0\x64", 4);
    }
    data(w, S, 1, 0, END_STREAM);
    wire_expect(w, 1);
    assert_true(w->exchanges.exchange[0].complete);
}

/* Frames are 1 ms apart. */
HTTP2_TEST(a_response_that_waits_for_its_window_says_how_long, wire_open(w))
{
    wire_text(w, C, preface);
    say(w, C, SETTINGS, 0, 0, "\0\4\0\0\0\x64", 6); /* INITIAL_WINDOW_SIZE 100 */
    ask(w, 1, 'a');
    answer(w, 1);
    data(w, S, 1, 100, 0);
    wire_ack(w, C);
    wire_ack(w, C);
    say(w, C, WINDOW_UPDATE, 0, 1, "\0\0\0\x64", 4);
    data(w, S, 1, 50, END_STREAM);
    wire_exchanges(w);
    assert_int_equal(more_of(w, 0)->blocked_ns, TCPWHY_MS(3));
    assert_int_equal(w->exchanges.facts->stream_window[1].n, 1);
    assert_int_equal(w->exchanges.facts->stream_window[1].ns, TCPWHY_MS(3));
    assert_int_equal(w->exchanges.facts->connection_window[1].n, 0);
    assert_int_equal(w->exchanges.facts->initial_window[1], 100);
}

HTTP2_TEST(a_window_that_just_suffices_delays_nothing, wire_open(w))
{
    wire_text(w, C, preface);
    say(w, C, SETTINGS, 0, 0, "\0\4\0\0\0\x65", 6);
    ask(w, 1, 'a');
    answer(w, 1);
    data(w, S, 1, 100, 0);
    say(w, C, WINDOW_UPDATE, 0, 1, "\0\0\0\x64", 4);
    data(w, S, 1, 50, END_STREAM);
    wire_exchanges(w);
    assert_int_equal(more_of(w, 0)->blocked_ns, 0);
}

HTTP2_TEST(a_reset_stream_is_incomplete_and_says_why, open_http2(w))
{
    ask(w, 1, 'a');
    answer(w, 1);
    data(w, S, 1, 100, 0);
    say(w, S, RST_STREAM, 0, 1, "\0\0\0\x02", 4);
    wire_exchanges(w);
    assert_false(w->exchanges.exchange[0].complete);
    assert_string_equal(more_of(w, 0)->detail, "RST_STREAM INTERNAL_ERROR");
    assert_int_equal(w->exchanges.facts->resets.n, 1);
    assert_int_equal(w->exchanges.facts->resets.stream, 1);
    assert_string_equal(w->exchanges.facts->resets.error, "INTERNAL_ERROR");
    assert_false(w->exchanges.facts->resets.by_asker);
}

/* It no longer wants the answer; a server that cancels fails the request. */
HTTP2_TEST(a_client_that_cancels_is_no_error, open_http2(w))
{
    ask(w, 1, 'a');
    say(w, C, RST_STREAM, 0, 1, "\0\0\0\x08", 4);
    ask(w, 3, 'a');
    say(w, S, RST_STREAM, 0, 3, "\0\0\0\x08", 4);
    wire_exchanges(w);
    assert_string_equal(more_of(w, 0)->detail, "RST_STREAM CANCEL");
    assert_int_equal(w->exchanges.facts->resets.n, 1);
    assert_int_equal(w->exchanges.facts->resets.stream, 3);
}

/* What stream and answer end with has no more to say. */
HTTP2_TEST(a_reset_without_error_or_after_the_answer_is_none, open_http2(w))
{
    ask(w, 1, 'a');
    say(w, S, RST_STREAM, 0, 1, "\0\0\0\0", 4);
    wire_exchanges(w);
    assert_int_equal(w->exchanges.facts->resets.n, 0);
}

HTTP2_TEST(settings_are_those_that_each_side_announced, wire_open(w))
{
    wire_text(w, C, preface);
    say(w, C, SETTINGS, 0, 0, "\0\4\0\0\0\x65", 6);
    say(w, S, SETTINGS, 0, 0, "\0\3\0\0\0\x80\0\5\0\0\x80\0", 12);
    ask(w, 1, 'a');
    wire_exchanges(w);
    assert_int_equal(w->exchanges.facts->settings[0].window, 0x65);
    assert_int_equal(w->exchanges.facts->settings[0].streams, UINT32_MAX);
    assert_int_equal(w->exchanges.facts->settings[1].streams, 128);
    assert_int_equal(w->exchanges.facts->settings[1].frame_bytes, 32768);
    assert_int_equal(w->exchanges.facts->settings[1].window, 65535);
}

HTTP2_TEST(streams_beyond_goaway_were_not_served, open_http2(w))
{
    ask(w, 1, 'a');
    ask(w, 3, 'b');
    say(w, S, GOAWAY, 0, 0, "\0\0\0\x01\0\0\0\x0b", 8);
    answer(w, 1);
    wire_exchanges(w);
    assert_null(more_of(w, 0)->detail);
    assert_string_equal(more_of(w, 1)->detail, "GOAWAY");
    assert_true(w->exchanges.facts->goaway[1]);
    assert_int_equal(w->exchanges.facts->goaway_error[1], 11);
}

HTTP2_TEST(a_header_block_goes_on_in_another_frame, open_http2(w))
{
    frame(HEADERS, END_STREAM, 1, "\x82\x86", 2);
    frame(CONTINUATION, END_HEADERS, 1, "\x44\x02/c", 4);
    send(w, C);
    answer(w, 1);
    wire_exchanges(w);
    assert_string_equal(w->exchanges.exchange[0].request, "GET /c");
}

/* application/grpc, a message of 3 bytes in two frames, and grpc-status 5 in the trailers. */
HTTP2_TEST(grpc_is_told_with_messages_and_status, open_http2(w))
{
    static const char request[] = "\x83\x86\x44\x04/s/m\x5f\x10"
                                  "application/grpc";
    static const char trailers[] = "\x40\x0bgrpc-status\x01"
                                   "5";

    say(w, C, HEADERS, END_HEADERS, 1, request, sizeof request - 1);
    say(w, C, DATA, END_STREAM, 1, "\0\0\0\0\3abc", 8);
    answer(w, 1);
    say(w, S, DATA, 0, 1, "\0\0\0", 3);
    say(w, S, DATA, 0, 1, "\0\3abc\0\0\0\0\0", 10);
    say(w, S, HEADERS, END_HEADERS | END_STREAM, 1, trailers, sizeof trailers - 1);
    const struct tw_exchange *e = wire_exchanges(w);
    wire_asked(&e[0], "grpc", "/s/m");
    assert_int_equal(more_of(w, 0)->messages[0], 1);
    assert_int_equal(more_of(w, 0)->messages[1], 2);
    assert_string_equal(more_of(w, 0)->detail, "grpc-status 5");
    assert_true(e[0].complete);
}

HTTP2_TEST(a_capture_from_the_middle_names_what_it_can, wire_open_midstream(w))
{
    ask(w, 7, 'a');
    answer(w, 7);
    data(w, S, 7, 10, END_STREAM);
    /* an entry from before the capture, and the newest one */
    say(w, C, HEADERS, END_HEADERS | END_STREAM, 9, "\x82\x86\xbf", 3);
    say(w, C, HEADERS, END_HEADERS | END_STREAM, 11, "\x82\x86\xbe", 3);
    const struct tw_exchange *e = wire_expect(w, 3);
    assert_string_equal(e[0].request, "GET /a");
    assert_true(e[0].complete);
    assert_string_equal(e[1].request, "GET ?");
    assert_string_equal(e[2].request, "GET /a");
}

HTTP2_TEST(a_hole_in_data_is_no_harm, open_http2(w))
{
    uint8_t bytes[300] = { 0 };

    ask(w, 1, 'a');
    answer(w, 1);
    frame(DATA, END_STREAM, 1, bytes, 300);
    wire_bytes(w, S, made->data, 100);
    wire_piece(w, S, w->next[S] + 100, w->next[C], made->data + 200, 109, 109);
    tw_byte_array_set_size(made, 0);
    wire_flags(w, C, TW_ACK);
    ask(w, 3, 'b');
    answer(w, 3);
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_true(e[0].complete);
    assert_int_equal(e[1].status, 200);
}

HTTP2_TEST(after_lost_headers_the_next_segment_counts_again, open_http2(w))
{
    ask(w, 1, 'a');
    answer(w, 1);
    data(w, S, 1, 10, END_STREAM);
    w->next[C] += 40; /* a request that the capture lacks */
    ask(w, 5, 'c');
    answer(w, 5);
    data(w, S, 5, 10, END_STREAM);
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e[1].request, "GET /c");
    assert_true(e[1].complete);
}

HTTP2_TEST(a_response_whose_request_is_missing_is_told_by_its_stream, open_http2(w))
{
    ask(w, 1, 'a');
    answer(w, 1);
    data(w, S, 1, 10, END_STREAM);
    w->next[C] += 40; /* requests on streams 3 and 5 */
    ask(w, 7, 'd');
    answer(w, 5);
    data(w, S, 5, 10, END_STREAM);
    answer(w, 7);
    data(w, S, 7, 10, END_STREAM);
    answer(w, 3);
    data(w, S, 1, 10, 0); /* it is over */
    const struct tw_exchange *e = wire_expect(w, 4);
    for (uint32_t i = 1; i < 4; i++) {
        assert_int_equal(e[i].status, 200);
        assert_string_equal(e[i].request, more_of(w, i)->id == 7 ? "GET /d" : "");
        assert_int_equal(e[i].complete, more_of(w, i)->id != 3);
    }
    assert_int_equal(more_of(w, 1)->id + more_of(w, 2)->id + more_of(w, 3)->id, 15);
}

HTTP2_TEST(a_request_whose_headers_begin_with_a_literal_ends_a_hole, open_http2(w))
{
    static const uint8_t block[] = { 0x04, 2, '/', 'c', 0x82, 0x86 };

    ask(w, 1, 'a');
    answer(w, 1);
    data(w, S, 1, 10, END_STREAM);
    w->next[C] += 40;
    say(w, C, HEADERS, END_HEADERS | END_STREAM, 1, block, sizeof block); /* not its stream */
    say(w, C, HEADERS, END_HEADERS | END_STREAM, 5, block, sizeof block);
    answer(w, 5);
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e[1].request, "GET /c");
}

HTTP2_TEST(windows_are_not_known_after_a_hole, wire_open(w))
{
    wire_text(w, C, preface);
    say(w, C, SETTINGS, 0, 0, "\0\4\0\0\0\x64", 6); /* INITIAL_WINDOW_SIZE 100 */
    ask(w, 1, 'a');
    answer(w, 1);
    data(w, S, 1, 60, 0);
    w->next[C] += 13; /* WINDOW_UPDATE */
    say(w, C, SETTINGS, 0, 0, "", 0);
    data(w, S, 1, 60, 0);
    wire_ack(w, C);
    say(w, C, WINDOW_UPDATE, 0, 1, "\0\0\0\x64", 4);
    data(w, S, 1, 50, END_STREAM);
    wire_exchanges(w);
    assert_int_equal(more_of(w, 0)->blocked_ns, 0);
    assert_int_equal(w->exchanges.facts->stream_window[1].n, 0);
}

HTTP2_TEST(upgrade_answers_the_request_on_stream_1, wire_open(w))
{
    static const char switching[] = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                                    "Upgrade: h2c\r\n\r\n";

    wire_text(w, C,
              "GET /x HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\n"
              "Upgrade: h2c\r\nHTTP2-Settings: \r\n\r\n");
    made = tw_byte_array_new();
    tw_byte_array_append(made, (const uint8_t *)switching, sizeof switching - 1);
    frame(SETTINGS, 0, 0, "", 0);
    send(w, S);
    wire_text(w, C, preface);
    say(w, C, SETTINGS, 0, 0, "", 0);
    answer(w, 1);
    data(w, S, 1, 10, END_STREAM);
    ask(w, 3, 'y');
    answer(w, 3);
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e[0].request, "GET /x");
    assert_string_equal(e[0].protocol, "http2");
    assert_int_equal(e[0].status, 200);
    assert_true(e[0].complete);
    assert_int_equal(wire_frame_of(w, e[0].response_first), 8);
    assert_string_equal(e[1].request, "GET /y");
}

HTTP2_TEST(what_is_no_frame_ends_it_in_turns, open_http2(w))
{
    ask(w, 1, 'a');
    answer(w, 1);
    wire_text(w, S, "this is no frame at all, as its type shows");
    wire_text(w, C, "nor is this");
    wire_text(w, S, "but an answer");
    wire_expect(w, 3);
    assert_false(w->exchanges.exchange[2].framed);
}

WIRE_TEST(what_only_begins_like_a_frame_is_none, wire_open(w))
{
    wire_bytes(w, C, "\0\0\x05\x04\0\0\0\0\0hello", 14); /* SETTINGS of 5 bytes */
    wire_bytes(w, S, "\0\0\x05\x04\0\0\0\0\0hello", 14);
    wire_exchanges(w);
    assert_string_equal(w->exchanges.exchange[0].protocol, "turn");
}
