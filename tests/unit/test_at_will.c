/* SPDX-License-Identifier: MIT */
/*
 * Conversations in which either side speaks when it has something to say: how they are known, and
 * that nobody waited for what comes late in them.
 */
#include <stdio.h>

#include "tests/unit.h"

#include "tests/unit/app_wire.h"
#include "tests/unit/verdict.h"

#define HEARTBEAT_US 60000000

#define MARKER "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"

/* Whether the exchange that follows the first words is one of sides that speak at will. */
static bool is_at_will(enum tcpwhy_side first, const char *words, size_t len)
{
    struct wire w;
    bool at_will;

    wire_open(&w);
    wire_bytes(&w, first, words, len);
    wire_text(&w, first == C ? S : C, "something");
    wire_text(&w, C, "more");
    at_will = wire_exchanges(&w)[w.exchanges.n - 1].at_will;
    wire_close(&w);
    return at_will;
}

#define FROM_CLIENT(words) is_at_will(C, words, sizeof(words) - 1)
#define FROM_SERVER(words) is_at_will(S, words, sizeof(words) - 1)

TEST(protocols_of_peers_are_known_by_their_first_bytes)
{
    assert_true(FROM_CLIENT(MARKER "\0\x1d\1\4"));
    assert_true(FROM_SERVER(MARKER "\0\x1d\1\4"));
    assert_true(FROM_CLIENT("\x68\4\7\0\0\0"));
    assert_true(FROM_CLIENT("<?xml version='1.0'?><stream:stream to='a'>"));
    assert_true(FROM_CLIENT("<34>1 2020-01-01T00:00:00Z host"));
    assert_true(FROM_SERVER("RFB 003.008\n"));
    assert_true(FROM_SERVER("\5\x64\x0a\x44\3\0"));
    assert_true(FROM_CLIENT("\4\0\0\10\0\0\0\1"));
    assert_true(FROM_CLIENT("\3\0\0\x24\x1f\xe0\0\0\0\0\0Cookie: mstshash=a\r\n"));
    assert_true(FROM_CLIENT("\3\0\0\x13\xe\xe0\0\0\0\0\0\1\0\10\0\3\0\0\0"));
    assert_true(FROM_CLIENT("INVITE sip:a@b SIP/2.0\r\n"));
    assert_true(FROM_CLIENT("\x88\x0c\0\x2c"));
    assert_true(FROM_CLIENT("\0\xa8\5\10"));
    assert_true(FROM_CLIENT("<?xml version=\"1.0\" ?><stream:stream to='a'>"));
    assert_true(FROM_CLIENT("STOMP\r\naccept-version:1.2\r\n"));
    assert_true(FROM_CLIENT("OPTIONS sip:a@b SIP/2.0\r\n"));
    assert_true(FROM_CLIENT("MSRP a786hjs2 SEND\r\n"));
    assert_true(FROM_CLIENT("\3\0\1\4\x08\2\0\1\5"));
    assert_true(FROM_CLIENT("8=FIX.4.4\0019=65\1"));
    assert_true(FROM_CLIENT("8=FIXT.1.1\0019=65\1"));
    assert_true(FROM_CLIENT("\1\0\0\xc8\x80\0\1\1\0\0\0\0\x34"));
    assert_true(FROM_CLIENT("\0\0\0\x2f\0\0\0\x09\0\0\0\0\0\0\0\1id"));
    assert_true(FROM_CLIENT("\0\1\0\x1c\x0a\0\0\1\0\0\2\0\0\x12"));
    assert_true(FROM_CLIENT("\x20\1\0\x0c\1\x10\0\x08"));
    assert_true(FROM_CLIENT("\3\0\0\0\x20\4\0\1"));
    assert_true(FROM_CLIENT("\1\2\0\0\0\0\0\x08"));
    assert_true(FROM_CLIENT("HELF\x38\0\0\0\0\0\0\0\0\0\1\0"));
    assert_true(FROM_CLIENT("\3\0\0\x24\x1f\xe0\0\0\0\x0a\0\xc1\2\6\0\xc2\x10SIMATIC-ROOT-HMI"));
    assert_true(FROM_CLIENT("\0\x0e\x38\1\2\3\4\5\6\7\x08\0\0\0\0\0"));
    assert_true(FROM_SERVER("*KISMET: 0.0.0 1108 "));
    assert_true(FROM_CLIENT("l\0\x0b\0\0\0\0\0\0\0\0\0"));
    assert_true(FROM_CLIENT("B\2\0\x0b\0\0\0\0\0\0\0\xa4"));
    assert_true(FROM_CLIENT("!0 ENABLE PACKET type,subtype\n"));
    assert_true(FROM_SERVER("$Lock EXTENDED"));
    assert_true(FROM_CLIENT("GNUTELLA CONNECT/0.6\r\n"));
    assert_true(FROM_CLIENT("REDQ\2\0\0\0"));
    assert_true(FROM_SERVER(":irc.example.org NOTICE * :***"));
}

TEST(a_partial_signature_is_no_protocol_at_will)
{
    assert_false(FROM_CLIENT("something"));
    assert_false(FROM_CLIENT("\xff\xff\xff\xff"));
    assert_false(FROM_CLIENT("<a>"));
    assert_false(FROM_CLIENT("<?xml version='1.0'?><methodCall>"));
    assert_false(FROM_CLIENT("\x10\x1f\0\4HTTP\5"));
    assert_false(FROM_CLIENT("\3\0\0\x16\x11\xe0\0\0\0\1\0\xc1\2\1\0"));
    assert_false(FROM_CLIENT("\3\0\0\x16\x11\xe0\0\0\0\1\0\xc1\2\1\0\xc2\2\1\1\xc0\1\x0a"));
    assert_false(FROM_CLIENT("CONNECT a.example:443 HTTP/1.1\r\n"));
    assert_false(FROM_CLIENT("OPTIONS / HTTP/1.1\r\n"));
    assert_false(FROM_CLIENT("OPTIONS rtsp://a/b RTSP/1.0\r\n"));
    assert_false(FROM_CLIENT("\0\2\0\0\0\6\1\3\0\0\0\1"));        /* Modbus */
    assert_false(FROM_CLIENT("\0\0\0\x1f\0\3\0\0user\0"));        /* PostgreSQL */
    assert_false(FROM_CLIENT("\0\0\0\x1f\0\3\0\1\0\0\0\0\0\1a")); /* Kafka */
    assert_false(FROM_SERVER(":localhost NOTICE * :***"));
    assert_false(FROM_SERVER(":irc.example.org 001 a :Welcome"));
}

TEST(sides_of_a_web_socket_speak_at_will)
{
    static const char *const asked[] = { "websocket", "h2c" };

    for (int i = 0; i < 2; i++) {
        struct wire w;
        char head[100];

        snprintf(head, sizeof head, "HTTP/1.1 101 Switching\r\nUpgrade: %s\r\n\r\n", asked[i]);
        wire_open(&w);
        wire_text(&w, C, "GET /chat HTTP/1.1\r\n\r\n");
        wire_text(&w, S, head);
        wire_text(&w, C, "ping");
        wire_text(&w, S, "pong");
        assert_false(wire_exchanges(&w)[0].at_will);
        assert_int_equal(w.exchanges.exchange[1].at_will, i == 0);
        wire_close(&w);
    }
}

TEST(server_sent_events_come_at_will)
{
    static const struct {
        const char *head;
        bool at_will;
    } heads[] = {
        { "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n", true },
        { "HTTP/1.1 200 OK\r\ncontent-type: Text/Event-Stream\r\n", true },
        { "HTTP/1.1 200 OK\r\nContent-Type: text/event-streams\r\n", false },
        { "HTTP/1.1 404 Not Found\r\nContent-Type: text/event-stream\r\n", false },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(heads); i++) {
        struct wire w;
        char *head = g_strconcat(heads[i].head, "Transfer-Encoding: chunked\r\n\r\n", NULL);
        const struct tw_exchange *e;

        wire_open(&w);
        wire_text(&w, C, "GET /events HTTP/1.1\r\n\r\n");
        wire_text(&w, S, head);
        wire_text(&w, S, "5\r\ndata\n\r\n");
        e = wire_exchanges(&w);
        assert_string_equal(e[0].request, "GET /events");
        assert_false(e[0].at_will);
        assert_int_equal(w.exchanges.n, heads[i].at_will ? 2 : 1);
        assert_int_equal(e[w.exchanges.n - 1].at_will, heads[i].at_will);
        wire_close(&w);
        g_free(head);
    }
}

/* They greet each other; then the server's heartbeats are answered by the client's. */
static void talk_of_peers(struct talk *t, int64_t every_us, bool at_will)
{
    int64_t at_us = 10000;

    talk_open(t, C, 2000);
    talk_data(t, at_us, C, 45);
    talk_data(t, at_us + 3000, S, 45);
    talk_data(t, at_us + 3100, C, 19);
    for (int i = 0; i < 3; i++) {
        at_us += every_us;
        talk_data(t, at_us, S, 19);
        talk_data(t, at_us + 300, C, 19);
    }
    talk_ack(t, at_us + 2300, S);
    tw_exchanges_build(t->log, NULL, &t->exchanges);
    for (uint32_t i = 0; i < t->exchanges.n; i++)
        t->exchanges.exchange[i].at_will = at_will;
    tw_explain(t->last.connection, t->log, &t->exchanges, &t->explainer, &t->explanation);
}

static void assert_longest(const struct talk *t, enum tcpwhy_cause cause, enum tcpwhy_cause rival)
{
    const struct tw_span *span = talk_longest_span(t, cause);

    assert_non_null(span);
    assert_int_equal(span->confidence, TCPWHY_LIKELY);
    assert_int_equal(span->rival, rival);
}

#define TALK_TEST(name, make) TEST_WITH(name, struct talk, t, make, talk_close(t))

TALK_TEST(a_heartbeat_is_not_awaited, talk_of_peers(t, HEARTBEAT_US, true))
{
    assert_longest(t, TCPWHY_CLIENT_IDLE, TCPWHY_SERVER_THINK);
    assert_true(talk_charged(t, TCPWHY_CLIENT_IDLE) > 2 * HEARTBEAT_US);
    assert_true(talk_charged(t, TCPWHY_SERVER_THINK) < 10000);
}

TALK_TEST(late_data_in_other_protocols_may_be_a_response, talk_of_peers(t, HEARTBEAT_US, false))
{
    assert_longest(t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
}

TALK_TEST(data_within_seconds_may_be_the_answer_of_a_peer, talk_of_peers(t, 2900000, true))
{
    assert_longest(t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
}

TALK_TEST(the_first_answer_of_a_peer_is_awaited, talk_open(t, C, 2000))
{
    talk_data(t, 10000, C, 45);
    talk_ack(t, 12000, S);
    talk_data(t, 2010000, S, 45);
    talk_data(t, 2010100, C, 19);
    talk_explain_at_will(t, false);
    assert_sure(t, TCPWHY_SERVER_THINK);
}

TALK_TEST(the_first_data_of_a_late_capture_is_no_greeting, talk_init(t))
{
    talk_data(t, 0, C, 45);
    talk_ack(t, 2000, S);
    talk_data(t, 5000000, S, 45);
    talk_data(t, 5000100, C, 19);
    talk_explain_at_will(t, false);
    assert_longest(t, TCPWHY_CLIENT_IDLE, TCPWHY_SERVER_THINK);
}
