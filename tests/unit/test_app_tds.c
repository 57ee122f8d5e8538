/* SPDX-License-Identifier: MIT */
/* TDS and TNS. */
#include "tests/unit.h"

#include "tests/unit/told.h"

#define PRELOGIN "\x12\1\0\x14\0\0\1\0\0\0\6\0\6\xff\x0f\0\0\0\0\0"
#define GREETED  "\4\1\0\x10\0\0\1\0\0\0\0\0\0\0\0\0"
#define HEADERS  "\x16\0\0\0\x12\0\0\0\2\0\0\0\0\0\0\0\0\0\1\0\0\0"
#define SQL      "s\0e\0l\0e\0c\0t\0 \0'\0a\0'\0"
#define BATCH    "\1\1\0\x32\0\0\1\0" HEADERS SQL
#define EXECUTE                                                                                    \
    "\3\1\0\x44\0\0\1\0" HEADERS "\xff\xff\x0a\0\0\0\0\0\xe7\x40\x1f\x09\4\xd0\0\x34\x14\0" SQL
#define CALL   "\3\1\0\x2a\0\0\1\0" HEADERS "\4\0s\0p\0_\0a\0\0\0"
#define FAILED "\4\1\0\x14\0\0\1\0\xaa\x20\0\xd0\0\0\0\1\x10\0\0\0"

WIRE_TEST(requests_of_tds_are_named, wire_open(w))
{
    SAY(w, C, PRELOGIN);
    SAY(w, S, GREETED);
    SAY(w, C, BATCH);
    SAY(w, S, "\4\0\0\x10\0\0\1\0\0\0\0\0\0\0\0\0");
    SAY(w, S, GREETED);
    SAY(w, C, CALL);
    SAY(w, S, FAILED);
    SAY(w, C, EXECUTE);
    SAY(w, S, GREETED);
    assert_told(w, "tds",
                "prelogin 20 16\nbatch select ? 50 32\nrpc sp_a 42 20 error 208\n"
                "execute select ? 68 16\n");
}

WIRE_TEST(an_attention_of_tds_is_answered_within, wire_open(w))
{
    SAY(w, C, BATCH);
    SAY(w, C, "\6\1\0\x08\0\0\1\0");
    SAY(w, S, GREETED);
    assert_told(w, "tds", "batch select ? 50 16\nattention 8 0!>\n");
}

TEST(what_tds_does_not_say_is_left_alone)
{
    assert_foreign("tds", C, "\x12\1\xff\xff\0\0\1\0\0\0\6\0\6\xff\x0f\0\0\0\0\0", 20);
    assert_foreign("tds", C, "\1\1\0\x32\0\0\1\0\x17\0\0\0\x12\0\0\0\2\0", 18);
}

#define TNS_CONNECT                                                                                \
    "\0\x3a\0\0\1\0\0\0\1\x3e\1\x2c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" \
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define TNS_ACCEPT "\0\x0c\0\0\2\0\0\0\1\x3e\0\0"
#define TNS_COMMIT "\0\x0e\0\0\6\0\0\0\0\0\3\x0e\1\2"
#define TNS_DATA   "\0\x0c\0\0\6\0\0\0\0\0\4\1"

WIRE_TEST(a_response_of_tns_ends_when_the_client_sends, wire_open(w))
{
    SAY(w, C, TNS_CONNECT);
    SAY(w, S, TNS_ACCEPT);
    SAY(w, C, TNS_COMMIT);
    SAY(w, S, TNS_DATA);
    SAY(w, S, TNS_DATA);
    SAY(w, C, "\0\0\0\x0e\6\0\0\0\0\0\3\x93\1\2");
    SAY(w, S, TNS_DATA);
    wire_ack(w, C);
    assert_told(w, "tns", "connect 58 12\ncommit 14 24\nping 14 12\n");
}

#define TNS_MARKER "\0\x0b\0\0\x0c\0\0\0\1\0\2"

WIRE_TEST(a_call_of_tns_that_breaks_is_one_request, wire_open(w))
{
    SAY(w, C, TNS_CONNECT);
    SAY(w, S, TNS_ACCEPT);
    SAY(w, C, TNS_COMMIT);
    SAY(w, S, TNS_MARKER);
    SAY(w, S, TNS_MARKER);
    SAY(w, C, TNS_MARKER);
    SAY(w, S, TNS_DATA);
    SAY(w, C, TNS_COMMIT);
    SAY(w, S, TNS_DATA);
    SAY(w, C, TNS_MARKER);
    SAY(w, S, TNS_DATA);
    wire_ack(w, C);
    assert_told(w, "tns", "connect 58 12\ncommit 14 34 break\ncommit 14 12\nbreak 11 12~\n");
}

WIRE_TEST(a_call_of_tns_that_the_client_breaks_is_one_request, wire_open(w))
{
    SAY(w, C, TNS_CONNECT);
    SAY(w, S, TNS_ACCEPT);
    SAY(w, C, TNS_COMMIT);
    SAY(w, C, TNS_MARKER);
    SAY(w, S, TNS_MARKER);
    SAY(w, C, TNS_MARKER);
    SAY(w, S, TNS_DATA);
    SAY(w, C, TNS_COMMIT);
    SAY(w, S, TNS_DATA);
    wire_ack(w, C);
    assert_told(w, "tns", "connect 58 12\ncommit 25 23 break\ncommit 14 12\n");
}

WIRE_TEST(tns_tells_that_it_refuses, wire_open(w))
{
    SAY(w, C, TNS_CONNECT);
    SAY(w, S, "\0\x0c\0\0\4\0\0\0\1\x3e\0\0");
    wire_ack(w, C);
    assert_told(w, "tns", "connect 58 12 refused\n");
}

TEST(what_tns_does_not_say_is_left_alone)
{
    assert_foreign("tns", C, "\0\x3a\0\0\1\0\0\0\0\3\1\x2c", 12);
    assert_foreign("tns", C, "\0\0\xff\xff\1\0\0\0\1\x3e\1\x2c", 12);
}
