/* SPDX-License-Identifier: MIT */
/* Within a TLS handshake the client must go on: its pause there is its own, and after it nobody
 * waits. */
#include "tests/unit/session_talk.h"

/* Records of a handshake with one message each, change_cipher_spec and Finished, and data. */
#define HELLO(type) "\x16\x03\x03\0\x2a" type "\0\0\x26\x03\x03" SALT SALT SALT SALT
#define SALT        "saltSALT\x01"
#define FINISHED                                                                                   \
    "\x14\x03\x03\0\1\1\x16\x03\x03\0\x08"                                                         \
    "finished"
#define DATA                                                                                       \
    "\x17\x03\x03\0\x08"                                                                           \
    "question"

static void say_record(struct talk *t, int64_t ms, bool up, const char *text, size_t len)
{
    say_bytes(t, ms, up, TW_PSH, text, len);
}

#define SAY(t, ms, up, text) say_record(t, ms, up, text, sizeof text - 1)

/* The client pauses before its second flight, and before its request. */
static tcpwhy_report *greet(int64_t flight_ms, int64_t request_ms)
{
    struct talk t = meet();
    int64_t at = 40 + flight_ms, ask = at + 30 + request_ms;

    SAY(&t, 20, C, HELLO("\x01"));
    SAY(&t, 30, S, HELLO("\x02") "\x16\x03\x03\0\x04\x0e\0\0\0");
    say_bytes(&t, 31, C, 0, NULL, 0);
    SAY(&t, at, C,
        "\x16\x03\x03\0\x08\x10\0\0\x04"
        "keys" FINISHED);
    SAY(&t, at + 10, S, FINISHED);
    say_bytes(&t, at + 11, C, 0, NULL, 0);
    SAY(&t, ask, C, DATA);
    SAY(&t, ask + 10, S, DATA);
    say_bytes(&t, ask + 11, C, 0, NULL, 0);
    SAY(&t, ask + 20, C, DATA);
    SAY(&t, ask + 30, S, DATA);
    return part(&t, ask + 40, C);
}

REPORT_TEST(a_client_that_pauses_in_the_handshake_is_waited_for, greet(4000, 10))
{
    assert_int_equal(tcpwhy_report_verdict(report)->cause, TCPWHY_CLIENT_THINK);
    assert_in_range(tcpwhy_report_verdict(report)->cost_ns, TCPWHY_MS(3990), TCPWHY_MS(4020));
    assert_non_null(strstr(tcpwhy_report_finding(report, 0)->summary, "TLS handshake"));
}

REPORT_TEST(nobody_waits_for_what_a_client_asks_after_the_handshake, greet(10, 4000))
{
    assert_int_not_equal(tcpwhy_report_verdict(report)->cause, TCPWHY_CLIENT_THINK);
    assert_in_range(tcpwhy_report_verdict(report)->cost_ns, 0, TCPWHY_MS(100));
}
