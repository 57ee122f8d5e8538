/* SPDX-License-Identifier: MIT */
/* Redis and memcached. */
#include "tests/unit.h"

#include "tests/unit/told.h"

#define GET  "*2\r\n$3\r\nGET\r\n$6\r\nsecret\r\n"
#define PING "*1\r\n$4\r\nPING\r\n"

WIRE_TEST(commands_of_redis_are_answered_in_order, wire_open(w))
{
    SAY(w, C, GET PING GET);
    SAY(w, S, "$3\r\na\nb\r\n+PO");
    SAY(w, S, "NG\r\n-WRONGTYPE of secret\r\n");
    assert_told(w, "redis", "GET 25 9\nPING 14 7\nGET 25 22 WRONGTYPE\n");
}

WIRE_TEST(values_of_redis_nest, wire_open(w))
{
    SAY(w, C, GET PING);
    SAY(w, S, "*3\r\n*2\r\n:1\r\n$-1\r\n%1\r\n+a\r\n#t\r\n*0\r\n");
    SAY(w, S, "_\r\n");
    assert_told(w, "redis", "GET 25 33\nPING 14 3\n");
}

WIRE_TEST(messages_of_redis_respond_to_nothing, wire_open(w))
{
    SAY(w, C, "*2\r\n$9\r\nSUBSCRIBE\r\n$1\r\na\r\n");
    SAY(w, S, "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n");
    SAY(w, S, "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nx\r\n");
    SAY(w, C, PING);
    SAY(w, S, ">2\r\n+invalidate\r\n*1\r\n+k\r\n");
    SAY(w, S, "+PONG\r\n");
    assert_told(w, "redis", "SUBSCRIBE 26 30\n- 0 31\nPING 14 7\n");
}

WIRE_TEST(values_of_redis_show_who_asked_in_line, wire_open(w))
{
    SAY(w, C, "PSUBSCRIBE a.*\r\n");
    SAY(w, S, "*3\r\n$10\r\npsubscribe\r\n$3\r\na.*\r\n:1\r\n");
    SAY(w, S, "*4\r\n$8\r\npmessage\r\n$3\r\na.*\r\n$3\r\na.b\r\n$1\r\nx\r\n");
    assert_told(w, "redis", "- 16 34\n- 0 43\n");
}

WIRE_TEST(messages_of_redis_come_from_who_answers, wire_open(w))
{
    SAY(w, S, "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nx\r\n");
    SAY(w, C, PING);
    SAY(w, S, "+PONG\r\n");
    assert_told(w, "redis", "- 0 31\nPING 14 7\n");
}

WIRE_TEST(a_command_of_redis_in_lower_case_is_one, wire_open(w))
{
    SAY(w, C, "*2\r\n$9\r\nsubscribe\r\n$1\r\na\r\n");
    SAY(w, S, "*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n");
    assert_told(w, "redis", "SUBSCRIBE 26 30\n");
}

WIRE_TEST(blocking_commands_of_redis_wait_at_will, wire_open(w))
{
    SAY(w, C, "*3\r\n$5\r\nBLPOP\r\n$1\r\na\r\n$1\r\n0\r\n");
    SAY(w, S, "*2\r\n$1\r\na\r\n$1\r\nb\r\n");
    SAY(w, C,
        "*6\r\n$5\r\nXREAD\r\n$5\r\nblock\r\n$1\r\n0\r\n$7\r\nSTREAMS\r\n$1\r\na\r\n$1\r\n$\r\n");
    SAY(w, S, "*-1\r\n");
    SAY(w, C, "*4\r\n$5\r\nXREAD\r\n$7\r\nSTREAMS\r\n$1\r\na\r\n$1\r\n$\r\n");
    SAY(w, S, "*-1\r\n");
    SAY(w, C, "*2\r\n$3\r\nGET\r\n$5\r\nBLPOP\r\n");
    SAY(w, S, "$-1\r\n");
    assert_told(w, "redis", "BLPOP 29 18~\nXREAD 60 5~\nXREAD 42 5\nGET 24 5\n");
}

/* A replica confirms what it gets, and asks for none of it. */
WIRE_TEST(a_replica_of_redis_asks_once, wire_open(w))
{
    SAY(w, C, PING);
    SAY(w, S, "+PONG\r\n");
    SAY(w, C, "*3\r\n$5\r\nPSYNC\r\n$1\r\n?\r\n$2\r\n-1\r\n");
    SAY(w, S, "\n");
    SAY(w, S, "+FULLRESYNC 0 0\r\n$EOF:0\r\n");
    SAY(w, C, "*3\r\n$8\r\nREPLCONF\r\n$3\r\nACK\r\n$1\r\n0\r\n");
    SAY(w, S, "*1\r\n$4\r\nPING\r\n");
    assert_told(w, "redis", "PING 14 7\nPSYNC 30 1!~\n- 0 26~>\n- 34 14!~>\n");
    assert_true(w->exchanges.exchange[3].stands);
}

WIRE_TEST(an_empty_line_is_no_value_of_redis, wire_open(w))
{
    SAY(w, C, PING);
    SAY(w, S, "\n");
    wire_exchanges(w);
    assert_false(w->exchanges.exchange[w->exchanges.n - 1].framed);
}

WIRE_TEST(replies_of_redis_may_be_off, wire_open(w))
{
    SAY(w, C, "*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$3\r\nOFF\r\n" PING);
    SAY(w, C, "*3\r\n$6\r\nCLIENT\r\n$5\r\nREPLY\r\n$2\r\nON\r\n" PING);
    SAY(w, S, "+OK\r\n+PONG\r\n");
    assert_told(w, "redis", "CLIENT REPLY 36 0!>\nPING 14 0!>\nCLIENT REPLY 35 5\nPING 14 7\n");
}

TEST(what_redis_does_not_say_is_left_alone)
{
    assert_foreign("redis", C, "*** hello ***\r\n", 15);
    assert_foreign("redis", C, "*2\r\nhello\r\n", 11);
    assert_foreign("redis", C, "*99999999999999999999\r\n$3", 25);
}

WIRE_TEST(a_value_without_end_of_redis_is_given_up, wire_open(w))
{
    SAY(w, C, PING);
    for (int i = 0; i < 3; i++)
        SAY(w, S, "*1000000000\r\n");
    SAY(w, C, PING);
    SAY(w, S, "+PONG\r\n");
    wire_exchanges(w);
    assert_false(w->exchanges.exchange[0].complete);
    assert_false(w->exchanges.exchange[w->exchanges.n - 1].framed);
}

WIRE_TEST(commands_of_memcached_are_answered_in_order, wire_open(w))
{
    SAY(w, C, "set secret 0 60 8\r\nab\r\ncdef\r\nget secret other\r\n");
    SAY(w, S, "STORED\r\nVALUE secret 0 8\r\nEND\r\ncde\r\n");
    SAY(w, S, "VALUE other 0 1\r\nx\r\nEND\r\n");
    SAY(w, C, "set secret 0 60 1 noreply\r\nx\r\nincr secret 1\r\n");
    SAY(w, S, "CLIENT_ERROR secret\r\n");
    assert_told(w, "memcached", "set 29 8\nget 18 53\nset 30 0!>\nincr 15 21 CLIENT_ERROR\n");
}

/* Each response would be of the request before it if quiet commands counted. */
WIRE_TEST(quiet_commands_of_memcached_say_nothing_where_all_is_well, wire_open(w))
{
    SAY(w, C, "mg a v q\r\nmg b v k q\r\nmn\r\n");
    SAY(w, S, "VA 1\r\nx\r\nMN\r\n");
    SAY(w, C, "ms a 1 T9 q\r\nx\r\nmd a q\r\nmd b\r\n");
    SAY(w, S, "NF\r\n");
    SAY(w, C, "mg a q\r\nmg b v\r\n");
    SAY(w, S, "EN\r\n");
    SAY(w, C, "ma a q\r\nget a\r\n");
    SAY(w, S, "END\r\n");
    SAY(w, C, "ms a 1 q\r\nx\r\nmn\r\n");
    SAY(w, S, "NS\r\nMN\r\n");
    assert_told(w, "memcached",
                "mg 10 9\nmg 12 0!>\nmn 4 4\nms 16 0!>\nmd 8 0!>\nmd 6 4\nmg 8 0!>\nmg 8 4\n"
                "ma 8 0!>\nget 7 5\nms 13 4\nmn 4 4\n");
}

/* A key q, and values that say q, are no flags. */
WIRE_TEST(commands_of_memcached_without_the_flag_q_are_answered, wire_open(w))
{
    SAY(w, C, "mg q v\r\nmg q Oq\r\nms q 3 T9\r\n q \r\nmn\r\n");
    SAY(w, S, "EN\r\nHD Oq\r\nHD\r\nMN\r\n");
    assert_told(w, "memcached", "mg 8 4\nmg 9 7\nms 16 4\nmn 4 4\n");
}

WIRE_TEST(what_memcached_reports_to_a_watcher_answers_nothing, wire_open(w))
{
    SAY(w, C, "get a\r\nlru_crawler metadump all\r\nwatch fetchers\r\n");
    SAY(w, S, "END\r\nkey=a exp=-1\r\nkey=b exp=-1\r\nEND\r\nOK\r\nts=1 gid=2 key=a\r\n");
    SAY(w, S, "ts=2 gid=3 key=a\r\n");
    assert_told(w, "memcached", "get 7 5\nlru_crawler 26 33\nwatch 16 4\n- 0 18\n- 0 18\n");
}

TEST(what_memcached_does_not_say_is_left_alone)
{
    assert_foreign("memcached", C, "get out\n", 8);
    assert_foreign("memcached", C, "set a b c d\r\n", 13);
    assert_foreign("memcached", C, "GET / HTTP/1.1\r\n\r\n", 18);
    assert_foreign("memcached", C, "stats\r\n", 7);
}

/* Packets of memcached's binary protocol: opcode, then lengths of key, extras and all, a status. */
#define BIN(magic, opcode, key, extras, status, body)                                              \
    magic opcode "\0" key extras "\0\0" status "\0\0\0" body "\0\0\0\7\0\0\0\0\0\0\0\0"
#define BIN_GET    BIN("\x80", "\0", "\6", "\0", "\0", "\6") "secret"
#define BIN_GETKQ  BIN("\x80", "\x0d", "\6", "\0", "\0", "\6") "secret"
#define BIN_NOOP   BIN("\x80", "\x0a", "\0", "\0", "\0", "\0")
#define BIN_NOOPED BIN("\x81", "\x0a", "\0", "\0", "\0", "\0")
#define BIN_STAT   BIN("\x80", "\x10", "\0", "\0", "\0", "\0")
#define BIN_SETQ   BIN("\x80", "\x11", "\6", "\x08", "\0", "\x0f") "\0\0\0\0\0\0\0\0secretx"

WIRE_TEST(packets_of_memcached_are_answered_in_order, wire_open(w))
{
    SAY(w, C, BIN_GET BIN_GET);
    SAY(w, S, BIN("\x81", "\0", "\0", "\4", "\0", "\5") "\0\0\0\0x");
    SAY(w, S, BIN("\x81", "\0", "\0", "\0", "\1", "\x09") "Not found");
    SAY(w, C, BIN_STAT);
    SAY(w, S, BIN("\x81", "\x10", "\3", "\0", "\0", "\4") "pid1");
    SAY(w, S, BIN("\x81", "\x10", "\0", "\0", "\0", "\0"));
    SAY(w, C, BIN_NOOP);
    SAY(w, S, BIN("\x81", "\x0a", "\0", "\0", "\x82", "\0"));
    assert_told(w, "memcached", "get 30 29\nget 30 33\nstats 24 52\nnoop 24 24 ENOMEM\n");
}

WIRE_TEST(quiet_reads_of_memcached_are_one_request_with_what_ends_them, wire_open(w))
{
    SAY(w, C, BIN_GETKQ);
    SAY(w, C, BIN_GETKQ);
    SAY(w, S, BIN("\x81", "\x0d", "\6", "\4", "\0", "\x0b") "\0\0\0\0secretx");
    SAY(w, C, BIN_NOOP BIN_SETQ BIN_NOOP);
    SAY(w, S, BIN_NOOPED);
    SAY(w, S, BIN("\x81", "\x11", "\0", "\0", "\3", "\0") BIN_NOOPED);
    assert_told(w, "memcached", "get 84 59\nset 39 0!>\nnoop 24 24\n");
}

TEST(what_memcached_does_not_say_in_binary_is_left_alone)
{
    assert_foreign("memcached", C, BIN("\x80", "\x1b", "\0", "\0", "\0", "\0"), 24);
    assert_foreign("memcached", C, BIN("\x80", "\0", "\0", "\0", "\0", "\0"), 24);
    assert_foreign("memcached", C, BIN("\x80", "\0", "\6", "\4", "\0", "\6"), 24);
    assert_foreign("memcached", C, BIN("\x80", "\0", "\6", "\0", "\0", "\5"), 24);
}
