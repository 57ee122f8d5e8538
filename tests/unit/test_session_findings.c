/* SPDX-License-Identifier: MIT */
/* The report of a session, beside scripts/verdicts.script. */
#include "tests/unit/session_wire.h"

static double detail_of(const struct tw_finding_row *f, const char *name)
{
    for (size_t i = 0; i < f->n_details; i++)
        if (strcmp(f->details[i].name, name) == 0)
            return f->details[i].number;
    return -1;
}

TEST(an_answer_that_stands_before_its_request_took_no_known_time)
{
    struct tcpwhy_options options = { .struct_size = sizeof options, .keep_exchanges = true };
    tcpwhy_session *s = start(&options);
    g_autoptr(tcpwhy_report) report = NULL;
    const struct tcpwhy_exchange *e;
    size_t n;

    push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    push(s, 10, 40000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, 11, 40000, true, 1, 1, TW_ACK, 0);
    push(s, 90, 40000, false, 1, 101, TW_PSH | TW_ACK, 100);
    push(s, 99, 40000, true, 1, 1, TW_PSH | TW_ACK, 100);
    push(s, 100, 40000, true, 101, 101, TW_ACK, 0);
    report = finish(s);
    e = tw_report_streams(report, &n)->exchanges;
    assert_int_equal(e->request_frame, 5);
    assert_int_equal(e->response_frame, 4);
    assert_int_equal(e->first_byte_ns, TCPWHY_NS_UNKNOWN);
    assert_int_equal(e->total_ns, TCPWHY_NS_UNKNOWN);
    assert_int_equal(tcpwhy_report_latency(report)->count, 0);
}

/* A SYN to one of many servers. */
static void push_syn(tcpwhy_session *s, int64_t ms, uint8_t server)
{
    uint8_t bytes[HEADERS];
    struct tcpwhy_packet p = { .struct_size = sizeof p,
                               .link_type = RAW_IP,
                               .time_ns = TCPWHY_S(1000000) + TCPWHY_MS(ms),
                               .bytes = bytes };

    p.captured_len = p.original_len =
        (uint32_t)packet(bytes, 40000u + server, true, 0, 0, TW_SYN, 0);
    bytes[18] = server;
    assert_int_equal(tcpwhy_session_push(s, &p), 0);
}

/* 24 servers leave a SYN unanswered for three seconds each: none of them has a twentieth of all
 * waiting. */
TEST(many_small_findings_of_one_cause_are_one_large_one)
{
    enum { SERVERS = 24 };
    static const int64_t sent_ms[] = { 0, 1000, 3000 };
    tcpwhy_session *s = start(NULL);
    tcpwhy_report *report;
    const struct tw_finding_row *f;
    size_t n;

    for (size_t i = 0; i < sizeof sent_ms / sizeof *sent_ms; i++)
        for (int server = 0; server < SERVERS; server++)
            push_syn(s, sent_ms[i] + server, (uint8_t)server);
    report = finish(s);
    f = tw_report_findings(report, &n);
    assert_int_equal(n, 1);
    assert_int_equal(f[0].cause, TCPWHY_CONNECT_RETRY);
    assert_int_equal(f[0].streams, SERVERS);
    assert_int_equal(f[0].cost_ns, SERVERS * TCPWHY_S(3));
    assert_int_equal((int)detail_of(&f[0], "endpoints"), SERVERS);
    assert_int_equal(tcpwhy_report_verdict(report)->cause, TCPWHY_CONNECT_RETRY);
    assert_int_equal(tcpwhy_report_verdict(report)->streams, SERVERS);
    tcpwhy_report_free(report);
}
