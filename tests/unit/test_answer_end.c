/* SPDX-License-Identifier: MIT */
/* Where nothing marks the ends of messages, news are no part of the answer before them. */
#include "tests/unit/session_talk.h"

/* Three questions that are answered at once; the last answer goes on so much later. */
static tcpwhy_report *speak(int64_t later_ms)
{
    struct talk t = meet();

    for (int i = 0; i < 3; i++) {
        say(&t, 100 + 5000 * i, C, "\x01question");
        say(&t, 102 + 5000 * i, S, "\x02answer");
    }
    say(&t, 10110 + later_ms, S, "\x02news");
    return part(&t, 10120 + later_ms, C);
}

static tcpwhy_ns slowest(const tcpwhy_report *report)
{
    return tcpwhy_report_stream(report, 0)->latency->max_ns;
}

REPORT_TEST(what_comes_long_after_an_answer_is_no_part_of_it, speak(20000))
{
    assert_int_equal(tcpwhy_report_stream(report, 0)->latency->count, 3);
    assert_in_range(slowest(report), TCPWHY_MS(1), TCPWHY_MS(10));
}

REPORT_TEST(what_follows_soon_is_the_rest_of_the_answer, speak(20))
{
    assert_in_range(slowest(report), TCPWHY_MS(20), TCPWHY_MS(50));
}
