/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <glib.h>

#include "tests/unit/app_wire.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

static uint8_t packet_bytes[70000];

/* A packet: header, then the text, zeros up to len. */
static size_t packet(uint8_t sequence, const char *text, size_t text_len, size_t len)
{
    memset(packet_bytes, 0, len + 4);
    packet_bytes[0] = (uint8_t)len;
    packet_bytes[1] = (uint8_t)(len >> 8);
    packet_bytes[2] = (uint8_t)(len >> 16);
    packet_bytes[3] = sequence;
    memcpy(packet_bytes + 4, text, text_len);
    return len + 4;
}

static void say(struct wire *w, enum tcpwhy_side from, uint8_t sequence, const char *text,
                size_t len)
{
    wire_bytes(w, from, packet_bytes, packet(sequence, text, MIN(strlen(text), len), len));
}

static void greet(struct wire *w, const char *login, size_t login_len)
{
    wire_open(w);
    say(w, S, 0,
        "\x0a"
        "8.0.36",
        74);
    wire_bytes(w, C, packet_bytes, packet(1, login, MIN(login_len, 4), login_len));
}

static void log_in(struct wire *w)
{
    greet(w, "\x05\xa2\x00\x00", 60);
    say(w, S, 2, "", 7);
}

WIRE_TEST(commands_are_named, log_in(w))
{
    say(w, C, 0, "\x03select 1", 9);
    say(w, S, 1, "", 30);
    say(w, S, 2, "", 30);
    say(w, C, 0, "\x0e", 1);
    say(w, S, 1, "", 7);
    wire_ack(w, C);
    const struct tw_exchange *e = wire_expect(w, 4);
    assert_string_equal(e[0].protocol, "mysql");
    assert_int_equal(e[0].request_first, TW_NO_RECORD);
    assert_int_equal(wire_frame_of(w, e[0].response_first), 4);
    assert_string_equal(e[1].request, "login");
    assert_string_equal(e[2].request, "query select ?");
    assert_int_equal(wire_frame_of(w, e[2].request_first), 7);
    assert_int_equal(wire_frame_of(w, e[2].response_first), 8);
    assert_int_equal(wire_frame_of(w, e[2].response_last), 9);
    assert_string_equal(e[3].request, "ping");
    assert_true(e[3].complete);
}

WIRE_TEST(a_long_query_is_named_by_its_start, log_in(w))
{
    size_t len = packet(0, "\x03insert into t values ", 22, 60000);
    for (size_t at = 0; at < len; at += 1000)
        wire_bytes(w, C, packet_bytes + at, MIN(len - at, 1000));
    say(w, S, 1, "", 7);
    const struct tw_exchange *e = wire_expect(w, 3);
    assert_memory_equal(e[2].request, "query insert into t values...", 29);
    assert_true(strlen(e[2].request) < 256);
    assert_int_equal(e[2].request_to - e[2].request_from, 60004);
}

/* What a statement is called if its first string may end with a backslash. */
#define HIDDEN "\x03select 'it\\', 'secret'"

WIRE_TEST(a_backslash_is_a_character_once_the_server_says_so, log_in(w))
{
    say(w, C, 0, HIDDEN, strlen(HIDDEN));
    say(w, S, 1, "", 30);
    say(w, C, 0, "\x03set sql_mode", 13);
    wire_bytes(w, S, "\x07\0\0\1\0\0\0\2\2\0\0", 11);
    say(w, C, 0, HIDDEN, strlen(HIDDEN));
    say(w, S, 1, "\1", 30);
    say(w, C, 0, "\x03set sql_mode", 13);
    wire_bytes(w, S, "\x0b\0\0\1\0\xfc\1\1\xfc\0\0\2\0\0\0", 15);
    say(w, C, 0, HIDDEN, strlen(HIDDEN));
    say(w, S, 1, "\1", 30);
    wire_exchanges(w);
    assert_string_equal(w->exchanges.exchange[2].request, "query select ?secret?");
    assert_string_equal(w->exchanges.exchange[4].request, "query select ?");
    assert_string_equal(w->exchanges.exchange[6].request, "query select ?secret?");
}

WIRE_TEST(the_greeting_says_what_a_backslash_is, wire_open(w))
{
    size_t len = packet(0,
                        "\x0a"
                        "8.0.36",
                        7, 74);

    packet_bytes[4 + 8 + 16 + 1] = 2;
    wire_bytes(w, S, packet_bytes, len);
    say(w, C, 1, "\x05\xa2", 60);
    wire_bytes(w, S, "\2\0\0\2\1\3", 6);
    say(w, C, 0, HIDDEN, strlen(HIDDEN));
    say(w, S, 1, "\1", 30);
    wire_exchanges(w);
    assert_string_equal(w->exchanges.exchange[2].request, "query select ?");
}

WIRE_TEST(a_status_behind_a_known_password_counts, greet(w, "\x05\xa2\x00\x00", 60))
{
    wire_bytes(w, S, "\2\0\0\2\1\3\x07\0\0\3\0\0\0\2\2\0\0", 17);
    say(w, C, 0, HIDDEN, strlen(HIDDEN));
    say(w, S, 1, "\1", 30);
    wire_exchanges(w);
    assert_string_equal(w->exchanges.exchange[2].request, "query select ?");
}

TEST(commands_may_be_split_anywhere)
{
    size_t len = packet(0, "\x03select 1", 9, 9);

    for (size_t split = 1; split < len; split++) {
        struct wire w;

        log_in(&w);
        packet(0, "\x03select 1", 9, 9);
        wire_bytes(&w, C, packet_bytes, split);
        wire_bytes(&w, C, packet_bytes + split, len - split);
        say(&w, S, 1, "", 7);
        wire_expect(&w, 3);
        assert_string_equal(w.exchanges.exchange[2].request, "query select ?");
        wire_close(&w);
    }
}

WIRE_TEST(a_command_without_response_joins_the_next, log_in(w))
{
    say(w, C, 0, "\x19\x01", 5);
    say(w, C, 0, "\x03select 2", 9);
    say(w, S, 1, "", 30);
    wire_expect(w, 3);
    assert_string_equal(w->exchanges.exchange[2].request, "query select ?");
    assert_int_equal(wire_frame_of(w, w->exchanges.exchange[2].request_first), 7);
    assert_int_equal(wire_frame_of(w, w->exchanges.exchange[2].response_first), 9);
}

WIRE_TEST(after_a_switch_to_tls_bytes_are_turns, greet(w, "\x05\xaa\x00\x00", 32))
{
    wire_text(w, C, "\x16\x03\x01");
    wire_text(w, S, "\x16\x03\x03");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e[0].protocol, "mysql");
    assert_true(e[0].complete);
    assert_string_equal(e[1].protocol, "tls");
    assert_int_equal(wire_frame_of(w, e[1].request_first), 5);
    assert_int_equal(wire_frame_of(w, e[1].request_last), 6);
}

WIRE_TEST(compressed_commands_are_turns, greet(w, "\x25\xa2\x00\x00", 60))
{
    say(w, S, 2, "", 7);
    say(w, C, 0, "zzzzzz", 9);
    say(w, S, 0, "zzzzzz", 30);
    wire_expect(w, 3);
    assert_string_equal(w->exchanges.exchange[2].protocol, "mysql");
    assert_string_equal(w->exchanges.exchange[2].request, "");
}

TEST(a_replica_receives_unsolicited_events)
{
    static const char *const asked[] = { "\x12", "\x1e" };

    for (int i = 0; i < 2; i++) {
        struct wire w;
        const struct tw_exchange *e;

        log_in(&w);
        say(&w, C, 0, asked[i], 30);
        say(&w, S, 1, "", 40);
        say(&w, S, 2, "", 40);
        e = wire_expect(&w, 3);
        assert_string_equal(e[2].protocol, "mysql");
        assert_string_equal(e[2].request, i == 0 ? "binlog_dump" : "binlog_gtid");
        assert_true(e[2].at_will && e[2].one_way);
        assert_false(e[1].at_will || e[1].one_way);
        wire_close(&w);
    }
}

WIRE_TEST(parsing_resumes_at_the_next_command_after_a_hole, log_in(w))
{
    say(w, C, 0, "\x03select 1", 9);
    say(w, S, 1, "", 30);
    w->next[C] += 13; /* not in the capture */
    say(w, S, 1, "", 30);
    say(w, C, 0, "\x03select 3", 9);
    say(w, S, 1, "", 30);
    wire_expect(w, 4);
    assert_string_equal(w->exchanges.exchange[3].request, "query select ?");
    assert_int_equal(wire_frame_of(w, w->exchanges.exchange[3].response_last), 11);
}

/* A file's packets are numbered on, through zero, up to an empty one. */
WIRE_TEST(a_file_that_the_server_asks_for_is_the_rest_of_its_query, log_in(w))
{
    say(w, C, 0, "\x03load data local infile 'a'", 27);
    say(w, S, 1, "\xfb/tmp/a", 7);
    say(w, C, 2, "1\t2\n", 4000);
    say(w, C, 0, "\x03select 1", 9);
    say(w, C, 1, "", 0);
    say(w, S, 2, "", 30);
    say(w, C, 0, "\x03select 2", 9);
    say(w, S, 1, "\1", 30);
    const struct tw_exchange *e = wire_expect(w, 4);
    assert_string_equal(e[2].request, "query load data local infile ?");
    assert_int_equal(e[2].request_to - e[2].request_from, 31 + 4004 + 13 + 4);
    assert_int_equal(wire_frame_of(w, e[2].response_first), 12);
    assert_int_equal(e[2].response_to - e[2].response_from, 34);
    assert_string_equal(e[3].request, "query select ?");
    assert_int_equal(wire_frame_of(w, e[3].response_first), 14);
}

/* A statement's result of so many columns, or a ping that such a byte answers, asks for no file. */
WIRE_TEST(only_a_query_is_asked_for_a_file, log_in(w))
{
    say(w, C, 0, "\x0e", 1);
    say(w, S, 1, "\xfb", 7);
    say(w, C, 0, "\x03select 1", 9);
    say(w, S, 1, "", 30);
    const struct tw_exchange *e = wire_expect(w, 4);
    assert_string_equal(e[2].request, "ping");
    assert_string_equal(e[3].request, "query select ?");
    assert_int_equal(e[2].response_to - e[2].response_from, 11);
}

WIRE_TEST(after_lost_packets_of_a_file_a_command_is_one, log_in(w))
{
    say(w, C, 0, "\x03load data local infile 'a'", 27);
    say(w, S, 1, "\xfb/tmp/a", 7);
    w->next[C] += 5000; /* not in the capture */
    say(w, S, 2, "", 30);
    say(w, C, 0, "\x03select 3", 9);
    say(w, S, 1, "", 30);
    wire_exchanges(w);
    assert_string_equal(w->exchanges.exchange[w->exchanges.n - 1].request, "query select ?");
}

WIRE_TEST(a_packet_behind_a_full_one_continues_it, log_in(w))
{
    const int64_t full = 0xffffff;

    memset(packet_bytes, 'x', sizeof packet_bytes);
    wire_bytes(w, C, "\xff\xff\xff\0\x03insert ", 12);
    for (int64_t left = full - 8; left > 0; left -= 60000)
        wire_bytes(w, C, packet_bytes, (size_t)MIN(left, 60000));
    say(w, C, 1, "\x03select 1", 9);
    say(w, S, 2, "", 30);
    say(w, C, 0, "\x0e", 1);
    say(w, S, 1, "", 30);
    const struct tw_exchange *e = wire_expect(w, 4);
    assert_int_equal(e[2].request_to - e[2].request_from, 4 + full + 13);
    assert_int_equal(e[2].response_to - e[2].response_from, 34);
    assert_string_equal(e[3].request, "ping");
}
