/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "tests/unit/told.h"

#define STARTUP "\0\0\0\x11\0\3\0\0user\0me\0\0"
#define AUTH    "R\0\0\0\x08\0\0\0\0"
#define READY   "Z\0\0\0\5I"
#define PARSE   "P\0\0\0\x13\0select 1+$1\0\0\0"
#define BIND    "B\0\0\0\x0c\0\0\0\0\0\0\0\0"
#define EXECUTE "E\0\0\0\x09\0\0\0\0\0"
#define SYNC    "S\0\0\0\4"
#define PARSED  "1\0\0\0\4"
#define BOUND   "2\0\0\0\4"
#define ROW                                                                                        \
    "D\0\0\0\x0b\0\1\0\0\0\1"                                                                      \
    "1"
#define DONE   "C\0\0\0\x0dSELECT 1\0"
#define FAILED "E\0\0\0\x1eSERROR\0VERROR\0C42P01\0Mno\0\0"

static void log_in(struct wire *w)
{
    wire_open(w);
    SAY(w, C, STARTUP);
    SAY(w, S, AUTH READY);
}

WIRE_TEST(a_simple_query_is_an_exchange, log_in(w))
{
    SAY(w, C, "Q\0\0\0\x21select * from t where a='it'\0");
    SAY(w, S, ROW ROW);
    SAY(w, S, DONE READY);
    assert_int_equal(wire_exchanges(w)[1].complete, true);
    assert_int_equal(w->exchanges.more[0].messages[1], 2);
    tw_exchanges_clear(&w->exchanges);
    assert_told(w, "pgsql", "login 17 15\nquery select * from t where a=? 34 44\n");
}

/* The rows are cut within a message; whole messages show the way back. */
WIRE_TEST(an_answer_that_the_snap_length_cuts_ends_with_the_next_query, log_in(w))
{
    static const char rows[] = ROW ROW DONE READY;

    SAY(w, C, "Q\0\0\0\x0dselect a\0");
    wire_piece(w, S, w->next[S], w->next[C], rows, sizeof rows - 1, 15);
    SAY(w, C, "Q\0\0\0\x0dselect b\0");
    SAY(w, S, DONE READY);
    assert_true(wire_exchanges(w)[1].complete && w->exchanges.exchange[2].complete);
    tw_exchanges_clear(&w->exchanges);
    assert_told(w, "pgsql", "login 17 15\nquery select a 14 44\nquery select b 14 20\n");
}

WIRE_TEST(a_failure_has_its_sqlstate, log_in(w))
{
    SAY(w, C, "Q\0\0\0\x0dselect a\0");
    SAY(w, S, FAILED READY);
    SAY(w, C, "Q\0\0\0\x0dselect b\0");
    SAY(w, S, DONE READY);
    assert_told(w, "pgsql",
                "login 17 15\nquery select a 14 37 SQLSTATE 42P01\nquery select b 14 20\n");
}

WIRE_TEST(each_execute_is_an_exchange, log_in(w))
{
    SAY(w, C, PARSE BIND EXECUTE BIND EXECUTE SYNC);
    SAY(w, S, PARSED BOUND ROW DONE);
    SAY(w, S, BOUND ROW DONE READY);
    assert_told(w, "pgsql", "login 17 15\nexecute select ?+$1 43 36\nexecute select ?+$1 28 37\n");
}

WIRE_TEST(nothing_between_a_failure_and_sync_is_executed, log_in(w))
{
    SAY(w, C, PARSE BIND EXECUTE BIND EXECUTE BIND EXECUTE SYNC);
    SAY(w, S, PARSED FAILED);
    SAY(w, S, READY);
    SAY(w, C, "Q\0\0\0\x0dselect b\0");
    SAY(w, S, DONE READY);
    assert_told(w, "pgsql",
                "login 17 15\nexecute select ?+$1 43 36 SQLSTATE 42P01\nexecute select ?+$1 23 0!\n"
                "execute select ?+$1 28 6\nquery select b 14 20\n");
}

WIRE_TEST(a_sync_that_comes_later_is_an_exchange, log_in(w))
{
    SAY(w, C, PARSE BIND EXECUTE "H\0\0\0\4");
    SAY(w, S, PARSED BOUND DONE);
    SAY(w, C, SYNC);
    SAY(w, S, READY);
    assert_told(w, "pgsql", "login 17 15\nexecute select ?+$1 43 24\nsync 5 6\n");
}

WIRE_TEST(a_copy_is_one_exchange, log_in(w))
{
    SAY(w, C,
        "Q\0\0\0\x16"
        "copy t from stdin\0");
    SAY(w, S, "G\0\0\0\7\0\0\0");
    SAY(w, C,
        "d\0\0\0\x08"
        "1\t2\n");
    SAY(w, C,
        "d\0\0\0\x08"
        "3\t4\n"
        "c\0\0\0\4");
    SAY(w, S, DONE READY);
    assert_told(w, "pgsql", "login 17 15\nquery copy t from stdin 46 20\n");
}

WIRE_TEST(a_notification_responds_to_nothing, log_in(w))
{
    SAY(w, S, "A\0\0\0\x0c\0\0\0\1ch\0\0");
    SAY(w, C, "X\0\0\0\4");
    assert_told(w, "pgsql", "login 17 15\n- 0 13\nterminate 5 0!>\n");
}

WIRE_TEST(after_the_servers_consent_it_is_tls, wire_open(w))
{
    SAY(w, C, "\0\0\0\x08\x04\xd2\x16\x2f");
    SAY(w, S, "N");
    SAY(w, C, STARTUP);
    SAY(w, S, AUTH READY);
    assert_told(w, "pgsql", "encryption 8 1\nlogin 17 15\n");
    wire_close(w);
    wire_open(w);
    SAY(w, C, "\0\0\0\x08\x04\xd2\x16\x2f");
    SAY(w, S, "S");
    SAY(w, C, "\x16\3\1\0\x31\1\0\0\x2d\3\3 random bytes, and lists without a meaning.");
    SAY(w, S, "\x16\3\3\0\4\2\0\0\0");
    assert_string_equal(wire_exchanges(w)[0].protocol, "pgsql");
    assert_true(w->exchanges.n > 1);
    assert_string_equal(w->exchanges.exchange[w->exchanges.n - 1].protocol, "tls");
}

TEST(messages_may_be_split_anywhere)
{
    static const char asked[] = PARSE BIND EXECUTE SYNC, answered[] = PARSED BOUND ROW DONE READY;

    for (size_t split = 1; split < sizeof answered - 1; split++) {
        struct wire w;

        log_in(&w);
        wire_bytes(&w, C, asked, MIN(split, sizeof asked - 1));
        if (split < sizeof asked - 1)
            wire_bytes(&w, C, asked + split, sizeof asked - 1 - split);
        wire_bytes(&w, S, answered, split);
        wire_bytes(&w, S, answered + split, sizeof answered - 1 - split);
        assert_told(&w, "pgsql", "login 17 15\nexecute select ?+$1 48 42\n");
        wire_close(&w);
    }
}

WIRE_TEST(a_capture_may_begin_in_the_middle, wire_open_midstream(w))
{
    SAY(w, S, "rest of a row");
    SAY(w, C, "Q\0\0\0\x0dselect a\0");
    SAY(w, S, DONE READY);
    assert_string_equal(wire_exchanges(w)[w->exchanges.n - 1].request, "query select a");
    assert_true(w->exchanges.exchange[w->exchanges.n - 1].complete);
}

TEST(what_is_not_its_own_is_left_alone)
{
    assert_foreign("pgsql", C, "Query me\r\n", 10);
    assert_foreign("pgsql", C, "Q\0\0\0\x0d\1\2\3\4", 9);
    assert_foreign("pgsql", C, "\0\0\0\x11\0\4\0\0user\0me\0\0", 17);
    assert_foreign("pgsql", S, "Z\0\0\0\5X", 6);
}

WIRE_TEST(a_length_of_two_billion_ends_it, log_in(w))
{
    SAY(w, C, "Q\x7f\xff\xff\xffselect a\0");
    SAY(w, S, "no");
    assert_int_equal(wire_exchanges(w)[0].complete, true);
    assert_string_equal(w->exchanges.exchange[1].request, "");
    assert_false(w->exchanges.exchange[1].framed);
}
