/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "tests/unit/app_wire.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

/* A ClientHello with one cipher suite and a server_name extension behind an unknown one. */
struct hello {
    uint8_t bytes[512];
    size_t len;
};

static void put(struct hello *h, const void *bytes, size_t len)
{
    memcpy(h->bytes + h->len, bytes, len);
    h->len += len;
}

static void put16(struct hello *h, size_t n)
{
    const uint8_t b[2] = { (uint8_t)(n >> 8), (uint8_t)n };

    put(h, b, 2);
}

static struct hello client_hello(const char *name)
{
    static const uint8_t zero[64] = { 0 };
    struct hello h = { .len = 0 };
    size_t n = strlen(name), extensions = 4 + 3 + 4 + 5 + n;
    size_t body = 2 + 32 + 1 + 2 + 2 + 2 + 2 + extensions;

    put(&h, "\x16\x03\x01", 3);
    put16(&h, body + 4);
    put(&h, "\x01\x00", 2);
    put16(&h, body);
    put(&h, "\x03\x03", 2);
    put(&h, zero, 32 + 1);
    put16(&h, 2);
    put16(&h, 0x1301);
    put(&h, "\x01\x00", 2);
    put16(&h, extensions);
    put(&h, "\x00\x2b\x00\x03\x02\x03\x04", 7);
    put16(&h, 0);
    put16(&h, 5 + n);
    put16(&h, 3 + n);
    put(&h, zero, 1);
    put16(&h, n);
    put(&h, name, n);
    return h;
}

static const uint8_t server_hello[] = { 0x16, 3, 3, 0, 4, 2, 0, 0, 0 };
static const uint8_t data[] = { 0x17, 3, 3, 0, 3, 'x', 'y', 'z' };

WIRE_TEST(the_hello_names_the_first_exchange, wire_open(w))
{
    struct hello h = client_hello("example.org");

    wire_bytes(w, C, h.bytes, h.len);
    wire_bytes(w, S, server_hello, sizeof server_hello);
    wire_bytes(w, C, data, sizeof data);
    wire_bytes(w, S, data, sizeof data);
    const struct tw_exchange *e = wire_expect(w, 2);
    wire_asked(&e[0], "tls", "ClientHello example.org");
    assert_string_equal(w->exchanges.server_name, "example.org");
    assert_int_equal(wire_frame_of(w, e[0].request_first), 4);
    assert_int_equal(wire_frame_of(w, e[0].response_last), 5);
    wire_asked(&e[1], "tls", "");
}

WIRE_TEST(flights_of_the_handshake_and_the_farewell_are_no_requests, wire_open(w))
{
    static const uint8_t finished[] = { 20, 3, 3, 0, 1, 1, 22, 3, 3, 0, 4, 'f', 'i', 'n', '!' };
    static const uint8_t farewell[] = { 21, 3, 3, 0, 4, 'b', 'y', 'e', '!' };
    static const bool of_session[] = { true, true, false, true };
    uint8_t hello_back[5 + 4 + 38] = { 22, 3, 3, 0, 42, 2, 0, 0, 38, 3, 3 };
    struct hello h = client_hello("example.org");
    const struct tw_exchange *e;

    wire_bytes(w, C, h.bytes, h.len);
    wire_bytes(w, S, hello_back, sizeof hello_back);
    wire_bytes(w, C, finished, sizeof finished);
    wire_bytes(w, S, finished, sizeof finished);
    wire_bytes(w, C, data, sizeof data);
    wire_bytes(w, S, data, sizeof data);
    wire_bytes(w, C, farewell, sizeof farewell);
    wire_flags(w, C, TW_FIN | TW_ACK);
    e = wire_expect(w, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(e[i].of_session, of_session[i]);
}

/* Of TLS 1.3, as its supported_versions says. */
static void greet_by_tls13(struct wire *w)
{
    uint8_t hello_back[5 + 4 + 46] = { 22, 3, 3, 0, 50, 2, 0, 0, 46, 3, 3 };
    static const uint8_t rest[] = { 0x13, 1, 0, 0, 6, 0, 0x2b, 0, 2, 3, 4 };
    struct hello h = client_hello("example.org");

    memcpy(hello_back + sizeof hello_back - sizeof rest, rest, sizeof rest);
    wire_bytes(w, C, h.bytes, h.len);
    wire_bytes(w, S, hello_back, sizeof hello_back);
}

/* The Finished of the client has the length of its request. */
static const uint8_t answer[] = { 0x17, 3, 3, 0, 4, 'd', 'o', 'n', 'e' };

WIRE_TEST(tickets_do_not_begin_the_answer_to_a_request, wire_open(w))
{
    const struct tw_exchange *e;

    greet_by_tls13(w);
    wire_bytes(w, C, data, sizeof data); /* frame 6 */
    wire_bytes(w, C, data, sizeof data);
    wire_bytes(w, S, data, sizeof data);
    wire_bytes(w, S, data, sizeof data);
    wire_bytes(w, S, answer, sizeof answer); /* frame 10 */
    e = wire_expect(w, 2);
    assert_int_equal(wire_frame_of(w, e[1].response_first), 10);
    assert_false(e[1].of_session);
}

WIRE_TEST(a_ticket_that_crosses_a_request_does_not_answer_it, wire_open(w))
{
    const struct tw_exchange *e;

    greet_by_tls13(w);
    wire_bytes(w, C, data, sizeof data); /* frame 6 */
    wire_bytes(w, S, data, sizeof data);
    wire_bytes(w, C, data, sizeof data);
    wire_bytes(w, S, data, sizeof data);
    wire_bytes(w, S, answer, sizeof answer); /* frame 10 */
    e = wire_expect(w, 3);
    assert_true(e[1].of_session);
    assert_int_equal(wire_frame_of(w, e[2].response_first), 10);
}

WIRE_TEST(an_answer_in_records_of_one_length_has_no_tickets, wire_open(w))
{
    const struct tw_exchange *e;

    greet_by_tls13(w);
    wire_bytes(w, C, data, sizeof data); /* frame 6 */
    wire_bytes(w, C, data, sizeof data);
    for (int i = 0; i < 3; i++)
        wire_bytes(w, S, data, sizeof data); /* from frame 8 on */
    e = wire_expect(w, 2);
    assert_int_equal(wire_frame_of(w, e[1].response_first), 8);
}

WIRE_TEST(answers_of_one_length_are_no_tickets, wire_open(w))
{
    const struct tw_exchange *e;

    greet_by_tls13(w);
    wire_bytes(w, C, data, sizeof data); /* frame 6 */
    for (int i = 0; i < 2; i++) {
        wire_bytes(w, C, data, sizeof data);
        wire_bytes(w, S, data, sizeof data);
    }
    e = wire_expect(w, 3);
    assert_int_equal(wire_frame_of(w, e[1].response_first), 8);
    assert_int_equal(wire_frame_of(w, e[2].response_first), 10);
}

TEST(the_hello_may_be_split_anywhere)
{
    struct hello h = client_hello("example.org");

    for (size_t split = 1; split < h.len; split++) {
        struct wire w;

        wire_open(&w);
        wire_bytes(&w, C, h.bytes, split);
        wire_bytes(&w, C, h.bytes + split, h.len - split);
        wire_bytes(&w, S, server_hello, sizeof server_hello);
        assert_string_equal(wire_exchanges(&w)->request, "ClientHello example.org");
        assert_int_equal(w.exchanges.n, 1);
        wire_close(&w);
    }
}

TEST(a_cut_hello_is_still_tls)
{
    struct hello h = client_hello("example.org");

    for (size_t kept = 6; kept < h.len; kept++) {
        struct wire w;
        const struct tw_exchange *e;

        wire_open(&w);
        wire_piece(&w, C, 1, 1, h.bytes, h.len, kept);
        wire_bytes(&w, S, server_hello, sizeof server_hello);
        e = wire_expect(&w, 1);
        assert_string_equal(e->protocol, "tls");
        assert_memory_equal(e->request, "ClientHello", 11);
        assert_int_equal(e->request_to, 1 + h.len);
        wire_close(&w);
    }
}

/* Each length in the hello in turn says more than there is. */
TEST(wrong_lengths_are_not_read_past_the_buffer)
{
    for (size_t at = 3; at < client_hello("example.org").len; at++) {
        struct hello h = client_hello("example.org");
        struct wire w;

        h.bytes[at] = 0xff;
        wire_open(&w);
        wire_bytes(&w, C, h.bytes, h.len);
        wire_bytes(&w, S, server_hello, sizeof server_hello);
        wire_expect(&w, 1);
        wire_close(&w);
    }
}

WIRE_TEST(parsing_stops_at_an_endless_hello, wire_open(w))
{
    static const uint8_t begin[] = { 0x16, 3, 1, 0x40, 0, 1, 0xff, 0xff, 0xff };
    static uint8_t block[16384];

    wire_bytes(w, C, begin, sizeof begin);
    for (int i = 0; i < 8; i++)
        wire_bytes(w, C, block, sizeof block);
    wire_bytes(w, S, server_hello, sizeof server_hello);
    wire_expect(w, 1);
}

WIRE_TEST(tls_is_recognised_by_its_records_in_the_middle, wire_open_midstream(w))
{
    wire_bytes(w, C, data, sizeof data);
    wire_bytes(w, S, data, sizeof data);
    const struct tw_exchange *e = wire_expect(w, 1);
    wire_asked(e, "tls", "");
}
