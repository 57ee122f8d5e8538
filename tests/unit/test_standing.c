/* SPDX-License-Identifier: MIT */
/*
 * Requests to be told of what happens, among others that are answered: which turns are theirs.
 */
#include "tests/unit.h"

#include <glib.h>

#include "tests/unit/app_wire.h"
#include "tests/unit/verdict.h"

/* Behind the server's greeting, or none. */
static bool idles(const char *greeting, const char *said)
{
    struct wire w;
    bool at_will;

    wire_open(&w);
    wire_text(&w, S, greeting);
    wire_text(&w, C, "a1 LOGIN me secret\r\n");
    wire_text(&w, S, "a1 OK done\r\n");
    wire_text(&w, C, said);
    wire_text(&w, S, "+ idling\r\n");
    wire_text(&w, S, "* 5 EXISTS\r\n");
    at_will = wire_exchanges(&w)[w.exchanges.n - 1].at_will;
    wire_close(&w);
    return at_will;
}

TEST(an_imap_idle_is_a_standing_request)
{
    assert_true(idles("* OK ready\r\n", "a2 IDLE\r\n"));
    assert_true(idles("* PREAUTH ready\r\n", "a2 idle\r\n"));
    assert_false(idles("* OK ready\r\n", "a2 NOOP\r\n"));
    assert_false(idles("* OK ready\r\n", "a2 IDLE x\r\n"));
    assert_false(idles("* OK ready\r\n", "a2 SELECT IDLE\r\n"));
    assert_false(idles("220 ready\r\n", "a2 IDLE\r\n"));
}

/* Of a command behind a greeting, or in the middle: is its end at the data connection's will? */
static bool transfers(const char *greeting, const char *command, const char *reply)
{
    struct wire w;
    const struct tw_exchange *e;
    bool at_will;

    if (greeting)
        wire_open(&w);
    else
        wire_open_midstream(&w);
    if (greeting)
        wire_text(&w, S, greeting);
    wire_text(&w, C, "PASV\r\n");
    wire_text(&w, S, "227 Entering Passive Mode (10,9,0,2,200,13).\r\n");
    wire_text(&w, C, command);
    wire_text(&w, S, reply);
    wire_text(&w, S, "226 Transfer complete.\r\n");
    wire_text(&w, C, "NOOP\r\n");
    wire_text(&w, S, "200 Fine.\r\n");
    e = wire_exchanges(&w);
    at_will = e[w.exchanges.n - 2].at_will;
    assert_false(e[w.exchanges.n - 1].at_will);
    assert_false(e[w.exchanges.n - 3].at_will);
    wire_close(&w);
    return at_will;
}

TEST(a_control_connection_of_ftp_waits_for_its_data)
{
    assert_true(transfers("220 ready\r\n", "RETR a\r\n", "150 Opening.\r\n"));
    assert_true(transfers("220-hello\r\n220 ready\r\n", "list\r\n", "125 Already open.\r\n"));
    assert_true(transfers(NULL, "STOR a\r\n", "150 Opening.\r\n"));
    assert_false(transfers("220 ready\r\n", "RETR a\r\n", "550 No such file.\r\n"));
    assert_false(transfers("220 ready\r\n", "SIZE a\r\n", "150 a\r\n"));
}

/* A capture that begins in the middle is of that protocol when the client says so. */
WIRE_TEST(a_capture_may_begin_with_imap_idle, wire_open_midstream(w))
{
    wire_text(w, C, "16 NOOP\r\n");
    wire_text(w, S, "16 OK done\r\n");
    wire_text(w, C, "17 IDLE\r\n");
    wire_text(w, S, "+ idling\r\n");
    wire_text(w, C, "DONE\r\n");
    wire_text(w, S, "17 OK done\r\n");
    const struct tw_exchange *e = wire_expect(w, 3);
    assert_false(e[0].at_will);
    assert_true(e[1].at_will);
    assert_false(e[2].at_will);
}

/* All that is said: a job after a second and a half. */
TEST(a_capture_may_begin_within_a_standing_request)
{
    for (int stands = 0; stands < 2; stands++) {
        struct talk t;

        talk_open(&t, C, 2000);
        talk_data(&t, 2100, C, 40);
        talk_ack(&t, 4100, S);
        talk_data(&t, 1500000, S, 30);
        talk_data(&t, 1500100, C, 40);
        talk_explain_at_will(&t, stands == 1);
        if (stands == 1)
            assert_doubted(&t, TCPWHY_SERVER_THINK, TCPWHY_CLIENT_IDLE);
        else
            assert_sure(&t, TCPWHY_SERVER_THINK);
        talk_close(&t);
    }
}
