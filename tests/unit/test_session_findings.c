/* SPDX-License-Identifier: MIT */
/* What the report of a session says of a single connection. */
#include "tests/unit/session_wire.h"

/* A frame of it, as push() takes them. */
struct piece {
    int64_t ms;
    bool up;
    uint32_t seq, ack;
    uint8_t flags;
    unsigned len;
};

#define REPORT_OF(piece, options) report_of(piece, sizeof(piece) / sizeof *(piece), options)

static tcpwhy_report *report_of(const struct piece *piece, size_t n,
                                const struct tcpwhy_options *options)
{
    tcpwhy_session *s = start(options);

    for (const struct piece *p = piece; p < piece + n; p++)
        push(s, p->ms, 40000, p->up, p->seq, p->ack, p->flags, p->len);
    return finish(s);
}

static double detail_of(const struct tw_finding_row *f, const char *name)
{
    for (size_t i = 0; i < f->n_details; i++)
        if (strcmp(f->details[i].name, name) == 0)
            return f->details[i].number;
    return -1;
}

TEST(an_answer_that_stands_before_its_request_took_no_known_time)
{
    static const struct piece talk[] = {
        { 0, true, 0, 0, TW_SYN, 0 },
        { 10, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 11, true, 1, 1, TW_ACK, 0 },
        { 90, false, 1, 101, TW_PSH | TW_ACK, 100 },
        { 99, true, 1, 1, TW_PSH | TW_ACK, 100 },
        { 100, true, 101, 101, TW_ACK, 0 },
    };
    struct tcpwhy_options options = { .struct_size = sizeof options, .keep_exchanges = true };
    g_autoptr(tcpwhy_report) report = REPORT_OF(talk, &options);
    size_t n;
    const struct tcpwhy_exchange *e = tw_report_streams(report, &n)->exchanges;

    assert_int_equal(e->request_frame, 5);
    assert_int_equal(e->response_frame, 4);
    assert_int_equal(e->first_byte_ns, TCPWHY_NS_UNKNOWN);
    assert_int_equal(e->total_ns, TCPWHY_NS_UNKNOWN);
    assert_int_equal(tcpwhy_report_latency(report)->count, 0);
}

/* Both sides wait for delayed ACKs: the server's come 60 ms late, the client's 150 ms. */
TEST(a_finding_tells_the_numbers_of_its_own_direction)
{
    static const struct piece talk[] = {
        { 0, true, 0, 0, TW_SYN, 0 },
        { 10, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 10, true, 1, 1, TW_ACK, 0 },
        { 100, true, 1, 1, TW_PSH | TW_ACK, 100 },
        { 170, false, 1, 101, TW_ACK, 0 },
        { 170, true, 101, 1, TW_PSH | TW_ACK, 150 },
        { 180, false, 1, 251, TW_PSH | TW_ACK, 100 },
        { 330, true, 251, 101, TW_ACK, 0 },
        { 340, false, 101, 251, TW_PSH | TW_ACK, 150 },
        { 340, true, 251, 251, TW_ACK, 0 },
    };
    g_autoptr(tcpwhy_report) report = REPORT_OF(talk, NULL);
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    assert_int_equal(n, 2);
    assert_int_equal(f[0].cause, TCPWHY_NAGLE_DELAYED_ACK);
    assert_int_equal(f[0].party, TCPWHY_PARTY_SERVER);
    assert_int_equal((int)detail_of(&f[0], "ack_delay_ms"), 150);
    assert_int_equal(f[1].cause, TCPWHY_NAGLE_DELAYED_ACK);
    assert_int_equal(f[1].party, TCPWHY_PARTY_CLIENT);
    assert_int_equal((int)detail_of(&f[1], "ack_delay_ms"), 60);
}

TEST(a_sentence_rounds_as_the_sum_beside_it)
{
    static const struct piece talk[] = {
        { 0, true, 0, 0, TW_SYN, 0 },         { 10, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 10, true, 1, 1, TW_ACK, 0 },        { 100, true, 1, 1, TW_PSH | TW_ACK, 100 },
        { 110, false, 1, 101, TW_ACK, 0 },    { 14790, false, 1, 101, TW_PSH | TW_ACK, 100 },
        { 14790, true, 101, 101, TW_ACK, 0 },
    };
    g_autoptr(tcpwhy_report) report = REPORT_OF(talk, NULL);
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    assert_int_equal(n, 1);
    assert_true(f->cost_ns > TCPWHY_MS(14660) && f->cost_ns < TCPWHY_MS(14700));
    assert_non_null(strstr(f->summary, "14.7 s"));
    assert_null(strstr(f->summary, "14.6 s"));
}

/* The answer is lost until its third repeat: seen at the server. */
TEST(waits_for_repairs_are_not_counted_as_retransmissions)
{
    static const struct piece talk[] = {
        { 0, true, 0, 0, TW_SYN, 0 },
        { 0, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 10, true, 1, 1, TW_ACK, 0 },
        { 100, true, 1, 1, TW_PSH | TW_ACK, 100 },
        { 101, false, 1, 101, TW_PSH | TW_ACK, 100 },
        { 401, false, 1, 101, TW_PSH | TW_ACK, 100 },
        { 1001, false, 1, 101, TW_PSH | TW_ACK, 100 },
        { 2201, false, 1, 101, TW_PSH | TW_ACK, 100 },
        { 2211, true, 101, 101, TW_ACK, 0 },
    };
    g_autoptr(tcpwhy_report) report = REPORT_OF(talk, NULL);
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    assert_int_equal(n, 1);
    assert_int_equal(f->cause, TCPWHY_LOSS_RECOVERY);
    assert_int_equal((int)detail_of(f, "timeouts"), 3);
    assert_non_null(strstr(f->summary, "recovery took 2.10 s, once."));
}

/* The other side may be gone: what it never answers need not be lost on the way. */
TEST(data_that_nobody_answers_any_more_is_told_apart)
{
    static const struct piece talk[] = {
        { 0, true, 0, 0, TW_SYN, 0 },
        { 0, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 10, true, 1, 1, TW_ACK, 0 },
        { 100, true, 1, 1, TW_PSH | TW_ACK, 100 },
        { 101, false, 1, 101, TW_PSH | TW_ACK, 100 },
        { 401, false, 1, 101, TW_PSH | TW_ACK, 100 },
        { 1001, false, 1, 101, TW_PSH | TW_ACK, 100 },
    };
    g_autoptr(tcpwhy_report) report = REPORT_OF(talk, NULL);
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    assert_int_equal(n, 1);
    assert_int_equal(f->cause, TCPWHY_LOSS_RECOVERY);
    assert_non_null(strstr(f->summary, "10.0.0.1:40000 no longer answered: 890 ms."));
    assert_non_null(strstr(f->remedy, "Check that 10.0.0.1:40000 is up"));
}

/* A server that took 600 ms; the client goes on at once, or never. */
static void assert_remedy_of_answer(bool goes_on, const char *words)
{
    static const struct piece talk[] = {
        { 0, true, 0, 0, TW_SYN, 0 },
        { 0, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 10, true, 1, 1, TW_ACK, 0 },
        { 100, true, 1, 1, TW_PSH | TW_ACK, 100 },
        { 101, false, 1, 101, TW_ACK, 0 },
        { 700, false, 1, 101, TW_PSH | TW_ACK, 100 },
        { 710, true, 101, 101, TW_ACK, 0 },
        { 711, true, 101, 101, TW_PSH | TW_ACK, 100 },
        { 712, false, 101, 201, TW_PSH | TW_ACK, 100 },
        { 722, true, 201, 201, TW_ACK, 0 },
    };
    g_autoptr(tcpwhy_report) report = report_of(talk, goes_on ? 10 : 7, NULL);
    const struct tw_finding_row *f;
    size_t n;

    f = tw_report_findings(report, &n);
    assert_int_equal(n, 1);
    assert_int_equal(f->cause, TCPWHY_SERVER_THINK);
    assert_int_equal(f->confidence, goes_on ? TCPWHY_CERTAIN : TCPWHY_LIKELY);
    assert_memory_equal(f->remedy, words, strlen(words));
}

TEST(only_who_is_certain_says_that_it_is_not_the_network)
{
    assert_remedy_of_answer(true, "Not the network: profile the application");
    assert_remedy_of_answer(false, "Start with the application at 10.0.0.2:80 (its request");
}

static void assert_untold(const struct piece *talk, size_t n)
{
    g_autoptr(tcpwhy_report) report = report_of(talk, n, NULL);
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);

    assert_int_equal(v->cause, TCPWHY_CAUSE_NONE);
    assert_int_equal(v->confidence, TCPWHY_AMBIGUOUS);
    assert_int_equal(v->rival, TCPWHY_CAPTURE_GAP);
}

TEST(healthy_is_not_certain_across_a_capture_gap)
{
    static const struct piece talk[] = {
        { 0, true, 0, 0, TW_SYN, 0 },       { 10, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 10, true, 1, 1, TW_ACK, 0 },      { 20, true, 1, 1, TW_PSH | TW_ACK, 100 },
        { 500, true, 101, 501, TW_ACK, 0 },
    };

    assert_untold(talk, sizeof talk / sizeof *talk);
}

/* The answer came in no time. */
TEST(healthy_is_not_certain_across_a_clock_step)
{
    static const struct piece talk[] = {
        { 2000, true, 0, 0, TW_SYN, 0 },
        { 2010, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 2010, true, 1, 1, TW_ACK, 0 },
        { 2020, true, 1, 1, TW_PSH | TW_ACK, 100 },
        { 500, false, 1, 101, TW_PSH | TW_ACK, 100 },
    };

    assert_untold(talk, sizeof talk / sizeof *talk);
}

/* Of a capture at the server, the last frame of which is the client's FIN. */
static void assert_idle(const struct piece *talk, size_t n, enum tcpwhy_confidence confidence,
                        enum tcpwhy_cause rival)
{
    g_autoptr(tcpwhy_report) report = report_of(talk, n, NULL);
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);

    assert_int_equal(v->cause, TCPWHY_CLIENT_IDLE);
    assert_int_equal(v->confidence, confidence);
    assert_int_equal(v->rival, rival);
}

TEST(healthy_is_as_certain_as_most_of_the_time)
{
    static const struct piece talk[] = {
        { 0, true, 0, 0, TW_SYN, 0 },
        { 0, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 20, true, 1, 1, TW_ACK, 0 },
        { 5000, true, 1, 1, TW_FIN | TW_ACK, 0 },
    };

    /* The ACK of the handshake did not come: perhaps that was waited for. */
    const struct piece lacking[] = { talk[0], talk[1], talk[3] };

    assert_idle(talk, 4, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE);
    assert_idle(lacking, 3, TCPWHY_LIKELY, TCPWHY_HANDSHAKE);
}

/* The server thinks for 100 ms of the time that somebody waited; the capture then lacks so much. */
static void assert_slow_server(int64_t gap_ms, enum tcpwhy_confidence confidence,
                               enum tcpwhy_cause rival)
{
    const struct piece talk[] = {
        { 0, true, 0, 0, TW_SYN, 0 },
        { 10, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 10, true, 1, 1, TW_ACK, 0 },
        { 20, true, 1, 1, TW_PSH | TW_ACK, 100 },
        { 130, false, 1, 101, TW_PSH | TW_ACK, 200 },
        { 130, true, 101, 201, TW_ACK, 0 },
        { 130 + gap_ms, true, 101, 5201, TW_ACK, 0 },
    };
    g_autoptr(tcpwhy_report) report = REPORT_OF(talk, NULL);
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    const struct tw_finding_row *f;
    size_t n;

    f = tw_report_findings(report, &n);
    assert_int_equal(n, 1);
    assert_int_equal(f->confidence, TCPWHY_CERTAIN);
    assert_int_equal(v->cause, TCPWHY_SERVER_THINK);
    assert_int_equal(v->confidence, confidence);
    assert_int_equal(v->rival, rival);
    assert_true(v->share > 0.5 && v->share < 1);
}

/* But what was worst may be in it. */
TEST(a_gap_is_no_part_of_what_findings_are_held_against)
{
    assert_slow_server(100, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE);
    assert_slow_server(101, TCPWHY_LIKELY, TCPWHY_CAPTURE_GAP);
    assert_slow_server(9000, TCPWHY_LIKELY, TCPWHY_CAPTURE_GAP);
}

TEST(a_refused_connection_is_certain_despite_a_capture_gap)
{
    tcpwhy_session *s = start(NULL);

    push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    push(s, 10, 40000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, 10, 40000, true, 1, 1, TW_ACK, 0);
    push(s, 9000, 40000, true, 1, 5001, TW_ACK, 0);
    push(s, 9000, 40001, true, 0, 0, TW_SYN, 0);
    push(s, 9001, 40001, false, 0, 1, TW_RST | TW_ACK, 0);
    g_autoptr(tcpwhy_report) report = finish(s);
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    assert_int_equal(v->cause, TCPWHY_CONNECT_REFUSED);
    assert_int_equal(v->confidence, TCPWHY_CERTAIN);
}

TEST(a_gap_is_no_part_of_a_life_that_was_idle)
{
    static const struct piece talk[] = {
        { 0, true, 0, 0, TW_SYN, 0 },
        { 0, false, 0, 1, TW_SYN | TW_ACK, 0 },
        { 20, true, 1, 1, TW_ACK, 0 },
        { 5000, true, 1, 1, TW_PSH | TW_ACK, 100 },
        { 5000, false, 1, 101, TW_PSH | TW_ACK, 100 },
        { 14000, true, 101, 5201, TW_ACK, 0 },
    };
    g_autoptr(tcpwhy_report) report = REPORT_OF(talk, NULL);
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);

    assert_int_equal(v->cause, TCPWHY_CLIENT_IDLE);
    assert_true(v->share > 0.9 && v->share <= 1);
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
