/* SPDX-License-Identifier: MIT */
/* Servers that name an address at which nothing answers, or answer from another one than was asked.
 */
#include "tests/unit/session_wire.h"

#define PORT 40000
#define C    true
#define S    false

#define REPORT_TEST(name, make)                                                                    \
    TEST_FROM(name, tcpwhy_report *, report, make, tcpwhy_report_free(report))

struct talk {
    tcpwhy_session *session;
    uint32_t next[2]; /* sequence number of the server, of the client */
};

/* A segment with that text, the NULs of which count where its length is given. */
static void say_bytes(struct talk *t, int64_t ms, bool up, uint8_t flags, const void *text,
                      size_t len)
{
    uint8_t bytes[HEADERS + 200];
    struct tcpwhy_packet p = TCPWHY_PACKET_INIT;

    assert_in_range(len, 0, 200);
    p.captured_len = p.original_len =
        (uint32_t)packet(bytes, PORT, up, t->next[up], t->next[!up], flags | TW_ACK, (unsigned)len);
    if (len > 0)
        memcpy(bytes + HEADERS, text, len);
    p.link_type = RAW_IP;
    p.time_ns = TCPWHY_S(1000000) + TCPWHY_MS(ms);
    p.bytes = bytes;
    assert_int_equal(tcpwhy_session_push(t->session, &p), 0);
    t->next[up] += (uint32_t)len + !!(flags & (TW_SYN | TW_FIN));
}

static void say(struct talk *t, int64_t ms, bool up, const char *text)
{
    say_bytes(t, ms, up, TW_PSH, text, strlen(text));
    say_bytes(t, ms + 1, !up, 0, NULL, 0);
}

static struct talk meet(void)
{
    struct talk t = { .session = start(NULL) };

    push(t.session, 0, PORT, C, 0, 0, TW_SYN, 0);
    t.next[C] = 1;
    say_bytes(&t, 10, S, TW_SYN, NULL, 0);
    say_bytes(&t, 11, C, 0, NULL, 0);
    return t;
}

static tcpwhy_report *part(struct talk *t, int64_t ms, bool up)
{
    say_bytes(t, ms, up, TW_FIN, NULL, 0);
    say_bytes(t, ms + 1, !up, TW_FIN, NULL, 0);
    say_bytes(t, ms + 2, up, 0, NULL, 0);
    return finish(t->session);
}

static enum tcpwhy_failure_kind failure_of(const tcpwhy_report *report)
{
    return tcpwhy_report_verdict(report)->failure;
}

#define CLIENT 0x0a000001
#define SERVER 0x0a000002
#define INNER  0xac120004 /* 172.18.0.4 */

/* A segment without payload between the client's port and port 6379 of a host. */
static void push_at(tcpwhy_session *s, int64_t ms, unsigned port, uint32_t host, bool up,
                    uint32_t seq, uint32_t ack, uint8_t flags)
{
    uint8_t bytes[HEADERS];
    struct tcpwhy_packet p = TCPWHY_PACKET_INIT;

    p.captured_len = p.original_len = (uint32_t)packet(bytes, port, up, seq, ack, flags, 0);
    put32(bytes + 12, up ? CLIENT : host);
    put32(bytes + 16, up ? host : CLIENT);
    put16(bytes + (up ? 22 : 20), 6379);
    p.link_type = RAW_IP;
    p.time_ns = TCPWHY_S(1000000) + TCPWHY_MS(ms);
    p.bytes = bytes;
    assert_int_equal(tcpwhy_session_push(s, &p), 0);
}

static const struct tcpwhy_fact *fact_of(const tcpwhy_report *report, const char *word)
{
    for (size_t i = 0; i < tcpwhy_report_fact_count(report); i++)
        if (strcmp(tcpwhy_report_fact(report, i)->fact, word) == 0)
            return tcpwhy_report_fact(report, i);
    return NULL;
}

/* A question that is answered so, and three SYNs to the inner address, of which the last is
 * answered or not. */
static tcpwhy_report *name_it(const char *question, const char *answer, bool lives)
{
    struct talk t = meet();

    say(&t, 20, C, question);
    say(&t, 31, S, answer);
    push_at(t.session, 40, 41000, INNER, true, 7, 0, TW_SYN);
    push_at(t.session, 1040, 41000, INNER, true, 7, 0, TW_SYN);
    push_at(t.session, 3040, 41000, INNER, true, 7, 0, TW_SYN);
    if (lives) {
        push_at(t.session, 3050, 41000, INNER, false, 90, 8, TW_SYN | TW_ACK);
        push_at(t.session, 3051, 41000, INNER, true, 8, 91, TW_ACK);
    }
    return part(&t, 4000, C);
}

static const char get[] = "*2\r\n$3\r\nGET\r\n$3\r\nfoo\r\n";

static void is_told(const tcpwhy_report *report, const char *setting)
{
    const struct tcpwhy_fact *fact = fact_of(report, "address_named");

    assert_non_null(fact);
    assert_non_null(strstr(fact->text, "172.18.0.4"));
    assert_non_null(strstr(fact->text, setting));
    assert_int_equal(fact->frame, 6);
}

REPORT_TEST(a_cluster_that_names_an_unreachable_node_is_told,
            name_it(get, "-MOVED 12182 172.18.0.4:6379\r\n", false))
{
    is_told(report, "cluster-announce-ip");
    assert_int_equal(fact_of(report, "address_named")->endpoint.port, 6379);
}

REPORT_TEST(a_node_that_answers_is_no_matter,
            name_it(get, "-MOVED 12182 172.18.0.4:6379\r\n", true))
{
    assert_null(fact_of(report, "address_named"));
}

REPORT_TEST(another_error_names_no_node, name_it(get, "-ERR 12182 172.18.0.4:6379\r\n", false))
{
    assert_null(fact_of(report, "address_named"));
}

REPORT_TEST(what_has_numbers_above_255_is_no_address,
            name_it(get, "-MOVED 12182 172.18.0.256:6379\r\n", false))
{
    assert_null(fact_of(report, "address_named"));
}

REPORT_TEST(an_inner_address_of_passive_ftp_is_told,
            name_it("PASV\r\n", "227 Entering Passive Mode (172,18,0,4,34,101)\r\n", false))
{
    is_told(report, "pasv_address");
}

/* SYNs to the server, each answered from the inner address, or not, and reset. */
static tcpwhy_report *answer_elsewhere(uint32_t resets, unsigned port)
{
    static const int64_t at_ms[] = { 0, 1000, 3000, 7000 };
    tcpwhy_session *s = start(NULL);

    for (uint32_t i = 0; i < 4; i++) {
        push_at(s, at_ms[i], 41000, SERVER, true, 7, 0, TW_SYN);
        if (i >= resets)
            continue;
        push_at(s, at_ms[i] + 1, port, INNER, false, 90, 8, TW_SYN | TW_ACK);
        push_at(s, at_ms[i] + 2, port, INNER, true, 8, 0, TW_RST);
    }
    return finish(s);
}

REPORT_TEST(a_syn_ack_from_another_address_is_why_nobody_answers, answer_elsewhere(4, 41000))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_UNTRANSLATED_SEGMENT);
    assert_non_null(strstr(tcpwhy_report_failure(report, 0)->summary, "came from another address"));
}

REPORT_TEST(a_syn_ack_to_another_port_says_nothing_of_it, answer_elsewhere(4, 41001))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_CONNECT_TIMEOUT);
}

REPORT_TEST(without_one_nobody_answers, answer_elsewhere(0, 41000))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_CONNECT_TIMEOUT);
}
