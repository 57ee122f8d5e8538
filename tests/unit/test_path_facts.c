/* SPDX-License-Identifier: MIT */
/* Frames tell of the path: ICMP errors, TTLs, checksums; and HTTP messages whose end is late.
 */
#include <stdio.h>

#include "tests/unit/session_wire.h"

#define PORT 40000

static uint16_t folded(uint64_t sum)
{
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

/* The TCP checksum of a packet as packet() makes it. */
static void sum_up(uint8_t *p, size_t len)
{
    uint64_t sum = 6 + len - 20;

    put16(p + 36, 0);
    for (size_t i = 12; i < len; i += 2)
        sum += (unsigned)p[i] << 8 | (i + 1 < len ? p[i + 1] : 0);
    put16(p + 36, folded(sum));
}

struct sent {
    bool up;
    uint32_t seq, ack;
    uint8_t flags;
    const char *text; /* payload, or NULL */
    uint8_t ttl;      /* 0: 64 */
    bool wrong;       /* its checksum */
    uint32_t server;  /* address; 0: 10.0.0.2 */
};

static void give(tcpwhy_session *s, int64_t ms, const uint8_t *bytes, size_t len)
{
    struct tcpwhy_packet p = { .struct_size = sizeof p,
                               .link_type = RAW_IP,
                               .time_ns = TCPWHY_S(1000000) + TCPWHY_MS(ms),
                               .bytes = bytes,
                               .captured_len = (uint32_t)len,
                               .original_len = (uint32_t)len };

    assert_int_equal(tcpwhy_session_push(s, &p), 0);
}

static void send_one(tcpwhy_session *s, int64_t ms, const struct sent *x)
{
    size_t len = x->text ? strlen(x->text) : 0, whole;
    uint8_t bytes[HEADERS + 200];

    whole = packet(bytes, PORT, x->up, x->seq, x->ack, x->flags, (unsigned)len);
    if (len)
        memcpy(bytes + HEADERS, x->text, len);
    bytes[8] = x->ttl ? x->ttl : 64;
    if (x->server)
        put32(bytes + (x->up ? 16 : 12), x->server);
    sum_up(bytes, whole);
    if (x->wrong)
        bytes[36] ^= 0x5a;
    give(s, ms, bytes, whole);
}

#define SEND(s, ms, ...) send_one(s, ms, &(const struct sent) { __VA_ARGS__ })

static void shake_hands(tcpwhy_session *s)
{
    SEND(s, 0, .up = true, .flags = TW_SYN);
    SEND(s, 10, .ack = 1, .flags = TW_SYN | TW_ACK, .ttl = 60);
    SEND(s, 11, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK);
}

static const struct tcpwhy_fact *fact_of(const tcpwhy_report *report, const char *word)
{
    const struct tcpwhy_stream *stream = tcpwhy_report_stream(report, 0);

    for (size_t i = 0; i < stream->n_facts; i++)
        if (strcmp(stream->facts[i]->fact, word) == 0)
            return stream->facts[i];
    return NULL;
}

static enum tcpwhy_failure_kind failure_of(const tcpwhy_report *report)
{
    return tcpwhy_report_verdict(report)->failure;
}

/* An ICMP error from 10.0.0.99 that quotes the first bytes of a packet of the client. */
static void send_icmp(tcpwhy_session *s, int64_t ms, uint8_t type, uint8_t code, unsigned mtu)
{
    uint8_t bytes[28 + 28];

    memset(bytes, 0, sizeof bytes);
    bytes[0] = 0x45;
    put16(bytes + 2, sizeof bytes);
    bytes[8] = 64;
    bytes[9] = 1;
    put32(bytes + 12, 0x0a000063);
    put32(bytes + 16, 0x0a000001);
    bytes[20] = type;
    bytes[21] = code;
    put16(bytes + 26, mtu);
    {
        uint8_t quoted[HEADERS];

        packet(quoted, PORT, true, 1, 1, TW_ACK, 0);
        memcpy(bytes + 28, quoted, 28);
    }
    give(s, ms, bytes, sizeof bytes);
}

TEST(an_icmp_error_is_a_fact_of_the_stream_that_it_quotes)
{
    tcpwhy_session *s = start(NULL);

    shake_hands(s);
    send_icmp(s, 20, 3, 4, 1400);
    send_icmp(s, 30, 3, 4, 1400);
    send_icmp(s, 40, 5, 1, 0);
    SEND(s, 50, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = "x");
    g_autoptr(tcpwhy_report) report = finish(s);
    const struct tcpwhy_fact *fact = fact_of(report, "icmp_too_big");
    assert_non_null(fact);
    assert_int_equal(fact->count, 2);
    assert_int_equal(fact->frame, 4);
    assert_string_equal(fact->text, "ICMP from 10.0.0.99 to the client: fragmentation needed, MTU "
                                    "1400 (2 in all, first in frame 4).");
    assert_non_null(fact_of(report, "icmp_redirect"));
    assert_null(fact_of(report, "icmp_unreachable"));
}

static tcpwhy_report *talk_with_ttl(uint8_t ttl)
{
    tcpwhy_session *s = start(NULL);

    shake_hands(s);
    SEND(s, 20, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = "question");
    SEND(s, 30, .seq = 1, .ack = 9, .flags = TW_ACK | TW_PSH, .text = "answer", .ttl = ttl);
    SEND(s, 31, .up = true, .seq = 9, .ack = 7, .flags = TW_ACK);
    return finish(s);
}

TEST(a_ttl_that_changes_is_told)
{
    tcpwhy_report *report = talk_with_ttl(57);
    const struct tcpwhy_fact *fact = fact_of(report, "ttl_changes");

    assert_non_null(fact);
    assert_int_equal(fact->endpoint.port, 80);
    assert_int_equal(fact->frame, 5);
    tcpwhy_report_free(report);
    report = talk_with_ttl(60);
    assert_null(fact_of(report, "ttl_changes"));
    assert_int_equal(tcpwhy_report_stream(report, 0)->n_facts, 0);
    tcpwhy_report_free(report);
}

#define PAGE "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

/* The server's address and TTL; it takes so long to answer a SYN, and to acknowledge data; its
 * answer takes 300 ms. */
static tcpwhy_report *ask_beyond(uint32_t address, uint8_t ttl, int64_t syn_ms, int64_t ack_ms)
{
    const char *question = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    uint32_t up = 1 + (uint32_t)strlen(question), down = 1 + (uint32_t)strlen(PAGE);
    tcpwhy_session *s = start(NULL);

    SEND(s, 0, .up = true, .flags = TW_SYN, .server = address);
    SEND(s, syn_ms, .ack = 1, .flags = TW_SYN | TW_ACK, .ttl = ttl, .server = address);
    SEND(s, syn_ms, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK, .server = address);
    SEND(s, 200, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = question,
         .server = address);
    SEND(s, 200 + ack_ms, .seq = 1, .ack = up, .flags = TW_ACK, .ttl = ttl, .server = address);
    SEND(s, 500, .seq = 1, .ack = up, .flags = TW_ACK | TW_PSH, .text = PAGE, .ttl = ttl,
         .server = address);
    SEND(s, 500, .up = true, .seq = up, .ack = down, .flags = TW_ACK, .server = address);
    return finish(s);
}

static void assert_beyond(uint32_t address, uint8_t ttl, int64_t ack_ms, bool ended)
{
    g_autoptr(tcpwhy_report) report = ask_beyond(address, ttl, ack_ms, ack_ms);
    const struct tcpwhy_verdict *verdict = tcpwhy_report_verdict(report);

    assert_int_equal(fact_of(report, "ended_nearby") != NULL, ended);
    assert_int_equal(verdict->cause, TCPWHY_SERVER_THINK);
    assert_int_equal(verdict->confidence, ended ? TCPWHY_LIKELY : TCPWHY_CERTAIN);
}

TEST(a_public_address_beside_the_client_is_a_box_that_ends_the_connection)
{
    assert_beyond(0xc6336407, 64, 1, true);
    assert_beyond(0xc6336407, 128, 1, true);
    assert_beyond(0xc6336407, 57, 1, false);  /* routers between */
    assert_beyond(0xc6336407, 64, 30, false); /* a path between */
    assert_beyond(0xc0a80107, 64, 1, false);  /* of a site, as the client's */
}

#define REPORT_TEST(name, make)                                                                    \
    TEST_FROM(name, tcpwhy_report *, report, make, tcpwhy_report_free(report))

/* The box answers a SYN when the host behind it has. */
REPORT_TEST(the_path_behind_such_a_box_is_as_long_as_its_handshake,
            ask_beyond(0xc6336407, 64, 120, 1))
{
    assert_int_equal(tcpwhy_report_verdict(report)->cause, TCPWHY_SERVER_THINK);
    assert_in_range(tcpwhy_report_verdict(report)->cost_ns, TCPWHY_MS(178), TCPWHY_MS(182));
}

/* An answer of which the capture lacks the rest; its last ACK comes so much later, and the client's
 * RST 30 s behind that. */
TEST(the_wait_for_the_rest_begins_at_the_last_of_it)
{
    const char *question = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const char *begun = "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\nhello";
    uint32_t up = 1 + (uint32_t)strlen(question), down = 1 + (uint32_t)strlen(begun);

    for (int64_t late_ms = 0; late_ms <= 13000; late_ms += 13000) {
        tcpwhy_session *s = start(NULL);
        tcpwhy_report *report;

        shake_hands(s);
        SEND(s, 20, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = question);
        SEND(s, 40, .seq = 1, .ack = up, .flags = TW_ACK, .text = begun, .ttl = 60);
        SEND(s, 41, .up = true, .seq = up, .ack = down, .flags = TW_ACK);
        SEND(s, 42 + late_ms, .up = true, .seq = up, .ack = down + 2000, .flags = TW_ACK);
        SEND(s, 30042 + late_ms, .up = true, .seq = up, .ack = down + 2000,
             .flags = TW_ACK | TW_RST);
        report = finish(s);
        assert_int_equal(failure_of(report), TCPWHY_FAILURE_CLIENT_GAVE_UP);
        assert_in_range(tcpwhy_report_failure(report, 0)->after_ns, TCPWHY_S(30), TCPWHY_MS(30002));
        tcpwhy_report_free(report);
    }
}

/* The last piece of an answer comes, and its beginning so late, or never; the client closes. */
static tcpwhy_report *answer_in_part(bool whole)
{
    const char *question = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    const char *begun = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello";
    uint32_t up = 1 + (uint32_t)strlen(question), down = 1 + (uint32_t)strlen(begun);
    tcpwhy_session *s = start(NULL);

    shake_hands(s);
    SEND(s, 20, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = question);
    SEND(s, 40, .seq = down, .ack = up, .flags = TW_ACK | TW_PSH, .text = "world");
    SEND(s, 41, .up = true, .seq = up, .ack = 1, .flags = TW_ACK);
    if (whole)
        SEND(s, 240, .seq = 1, .ack = up, .flags = TW_ACK, .text = begun);
    SEND(s, 9000, .up = true, .seq = up, .ack = whole ? down + 5 : 1, .flags = TW_ACK | TW_FIN);
    return finish(s);
}

REPORT_TEST(an_answer_that_is_lost_in_part_was_given, answer_in_part(false))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_CLIENT_GAVE_UP);
    assert_non_null(strstr(tcpwhy_report_failure(report, 0)->summary, "had answered"));
    assert_non_null(strstr(tcpwhy_report_failure(report, 0)->remedy, "Not the server"));
}

REPORT_TEST(a_client_that_has_the_whole_answer_did_not_give_up, answer_in_part(true))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

TEST(answers_to_nobody_here_are_backscatter)
{
    tcpwhy_session *s = start(NULL);

    SEND(s, 0, .seq = 500, .ack = 9001, .flags = TW_SYN | TW_ACK);
    SEND(s, 1, .up = true, .seq = 9001, .flags = TW_RST);
    SEND(s, 1000, .seq = 500, .ack = 9001, .flags = TW_SYN | TW_ACK);
    tcpwhy_report *report = finish(s);
    assert_non_null(fact_of(report, "backscatter"));
    assert_int_equal(fact_of(report, "backscatter")->count, 2);
    tcpwhy_report_free(report);
    report = talk_with_ttl(60);
    assert_null(fact_of(report, "backscatter"));
    tcpwhy_report_free(report);
}

/* The client's first request is sent three times; where wrong, the first two do not count. */
static tcpwhy_report *repeat(bool wrong, bool accepted)
{
    tcpwhy_session *s = start(NULL);

    SEND(s, 0, .up = true, .flags = TW_SYN, .wrong = wrong);
    SEND(s, 1000, .up = true, .flags = TW_SYN, .wrong = wrong);
    SEND(s, 3000, .up = true, .flags = TW_SYN, .wrong = wrong && accepted);
    SEND(s, 3010, .ack = 1, .flags = TW_SYN | TW_ACK, .ttl = 60);
    SEND(s, 3011, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK);
    SEND(s, 3012, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = "question");
    SEND(s, 3022, .seq = 1, .ack = 9, .flags = TW_ACK | TW_PSH, .text = "answer", .ttl = 60);
    return finish(s);
}

REPORT_TEST(wrong_checksums_explain_what_was_sent_in_vain, repeat(true, false))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_CHECKSUM_WRONG);
    const struct tcpwhy_failure *failure = tcpwhy_report_failure(report, 0);
    assert_int_equal(failure->seen_as, TCPWHY_SEEN_DELAY);
    assert_int_equal(failure->who, TCPWHY_BY_CLIENT);
    assert_int_equal(failure->after_ns, TCPWHY_MS(3010));
    assert_int_equal(fact_of(report, "checksums_wrong")->count, 2);
}

REPORT_TEST(checksums_that_are_right_explain_nothing, repeat(false, false))
{
    assert_int_not_equal(failure_of(report), TCPWHY_FAILURE_CHECKSUM_WRONG);
    assert_null(fact_of(report, "checksums_wrong"));
}

REPORT_TEST(a_wrong_checksum_that_was_accepted_is_the_cards_to_mend, repeat(true, true))
{
    assert_int_not_equal(failure_of(report), TCPWHY_FAILURE_CHECKSUM_WRONG);
}

static const char head[] = "POST / HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n";

/* The body comes so long after the head, or behind the answer to it. */
static tcpwhy_report *post(int64_t held_ms, bool asked_for)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    static const char ok[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    uint32_t up = 1 + sizeof head - 1, down = 1;
    tcpwhy_session *s = start(NULL);

    shake_hands(s);
    SEND(s, 20, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = head);
    SEND(s, 30, .seq = 1, .ack = up, .flags = TW_ACK, .ttl = 60);
    if (asked_for) {
        SEND(s, 20 + held_ms - 1, .seq = 1, .ack = up, .flags = TW_ACK | TW_PSH, .text = go_on,
             .ttl = 60);
        down += sizeof go_on - 1;
    }
    SEND(s, 20 + held_ms, .up = true, .seq = up, .ack = down, .flags = TW_ACK | TW_PSH,
         .text = "body");
    SEND(s, 40 + held_ms, .seq = down, .ack = up + 4, .flags = TW_ACK | TW_PSH, .text = ok,
         .ttl = 60);
    SEND(s, 41 + held_ms, .up = true, .seq = up + 4, .ack = down + sizeof ok - 1, .flags = TW_ACK);
    return finish(s);
}

REPORT_TEST(a_body_that_waits_for_100_continue_in_vain_is_told, post(1000, false))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_CONTINUE_AWAITED);
    assert_int_equal(tcpwhy_report_failure(report, 0)->after_ns, TCPWHY_S(1));
}

REPORT_TEST(a_body_that_was_asked_for_late_waited_for_the_server, post(1000, true))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

REPORT_TEST(a_body_that_comes_at_once_waited_for_nothing, post(20, false))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

/* The server closes so long after its answer. */
static tcpwhy_report *get(const char *answer, int64_t late_ms)
{
    static const char question[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    uint32_t up = 1 + sizeof question - 1, down = 1 + (uint32_t)strlen(answer);
    tcpwhy_session *s = start(NULL);

    shake_hands(s);
    SEND(s, 20, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = question);
    SEND(s, 40, .seq = 1, .ack = up, .flags = TW_ACK | TW_PSH, .text = answer, .ttl = 60);
    SEND(s, 41, .up = true, .seq = up, .ack = down, .flags = TW_ACK);
    SEND(s, 41 + late_ms, .seq = down, .ack = up, .flags = TW_ACK | TW_FIN, .ttl = 60);
    SEND(s, 42 + late_ms, .up = true, .seq = up, .ack = down + 1, .flags = TW_ACK | TW_FIN);
    SEND(s, 52 + late_ms, .seq = down + 1, .ack = up + 1, .flags = TW_ACK, .ttl = 60);
    return finish(s);
}

REPORT_TEST(an_answer_without_length_ends_where_the_server_closes,
            get("HTTP/1.1 200 OK\r\n\r\nhello", 5000))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_ANSWER_WITHOUT_LENGTH);
    assert_int_equal(tcpwhy_report_failure(report, 0)->after_ns, TCPWHY_MS(5001));
}

REPORT_TEST(nobody_waits_for_the_close_behind_an_answer_with_a_length,
            get("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 5000))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

REPORT_TEST(a_close_right_behind_the_answer_is_its_end, get("HTTP/1.1 200 OK\r\n\r\nhello", 1))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

/* ---- the client's own time --------------------------------------------------------------------
 */

/* A client asks so long after it has connected; the server may greet it first. Its answer takes
 * 120 ms. */
static tcpwhy_report *asks_after(int64_t idle_ms, bool greeted)
{
    tcpwhy_session *s = start(NULL);
    uint32_t greeting = greeted ? 20 : 0;

    push(s, 0, 1000, true, 0, 0, TW_SYN, 0);
    push(s, 10, 1000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, 10, 1000, true, 1, 1, TW_ACK, 0);
    if (greeted)
        push(s, 12, 1000, false, 1, 1, TW_PSH | TW_ACK, greeting);
    push(s, idle_ms + 10, 1000, true, 1, 1 + greeting, TW_PSH | TW_ACK, 100);
    push(s, idle_ms + 140, 1000, false, 1 + greeting, 101, TW_PSH | TW_ACK, 200);
    return finish(s);
}

static const struct tcpwhy_fact *before_asking(const tcpwhy_report *report)
{
    const struct tcpwhy_fact *fact;

    for (size_t i = 0; (fact = tcpwhy_report_fact(report, i)); i++)
        if (!strcmp(fact->fact, "client_before_asking"))
            return fact;
    return NULL;
}

TEST(most_of_the_time_before_the_first_request_is_a_fact)
{
    g_autoptr(tcpwhy_report) report = asks_after(1330, false);
    const struct tcpwhy_fact *fact = before_asking(report);

    assert_non_null(fact);
    assert_string_equal(fact->text, "1.33 s of 1.47 s passed at the client between connecting and "
                                    "asking (1 connection to 10.0.0.2:80).");
    assert_int_equal(fact->count, 1);
}

TEST(less_than_half_of_it_is_none)
{
    g_autoptr(tcpwhy_report) report = asks_after(120, false);

    assert_null(before_asking(report));
}

TEST(a_client_that_is_greeted_first_may_read)
{
    g_autoptr(tcpwhy_report) report = asks_after(1330, true);

    assert_null(before_asking(report));
}

/* A body of four bytes, behind a head that announces so many; after 5 s the server closes, with or
 * without an answer. The client's last segment begins so far beyond what came. */
static tcpwhy_report *stall(const char *length, const char *answer, uint32_t beyond)
{
    char text[100];
    uint32_t up, down = 1;
    tcpwhy_session *s = start(NULL);

    up = 1 + (uint32_t)snprintf(text, sizeof text,
                                "POST / HTTP/1.1\r\nContent-Length: %s\r\n\r\nbody", length);
    shake_hands(s);
    SEND(s, 20, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = text);
    SEND(s, 30, .seq = 1, .ack = up, .flags = TW_ACK, .ttl = 60);
    if (answer) {
        SEND(s, 5020, .seq = 1, .ack = up, .flags = TW_ACK | TW_PSH, .text = answer, .ttl = 60);
        down += (uint32_t)strlen(answer);
    }
    SEND(s, 5020, .seq = down, .ack = up, .flags = TW_ACK | TW_FIN, .ttl = 60);
    SEND(s, 5021, .up = true, .seq = up + beyond, .ack = down + 1, .flags = TW_ACK | TW_FIN);
    SEND(s, 5031, .seq = down + 1, .ack = up + !beyond, .flags = TW_ACK, .ttl = 60);
    return finish(s);
}

static void is_incomplete(const tcpwhy_report *report, enum tcpwhy_culprit who)
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_REQUEST_INCOMPLETE);
    assert_int_equal(tcpwhy_report_failure(report, 0)->who, who);
    assert_int_equal(tcpwhy_report_failure(report, 0)->seen_as, TCPWHY_SEEN_TIMEOUT);
    assert_int_equal(tcpwhy_report_failure(report, 0)->after_ns, TCPWHY_S(5));
}

REPORT_TEST(a_body_that_stalls_is_the_clients, stall("9", NULL, 0))
{
    is_incomplete(report, TCPWHY_BY_CLIENT);
    assert_int_equal(tcpwhy_report_failure(report, 0)->confidence, TCPWHY_CERTAIN);
    assert_int_equal(tcpwhy_report_finding(report, 0)->cause, TCPWHY_CLIENT_THINK);
}

/* Likewise, but it is the client that closes, at once. */
static tcpwhy_report *leave(void)
{
    static const char text[] = "PUT / HTTP/1.1\r\nContent-Length: 9\r\n\r\nbody";
    const uint32_t up = sizeof text;
    tcpwhy_session *s = start(NULL);

    shake_hands(s);
    SEND(s, 20, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = text);
    SEND(s, 21, .up = true, .seq = up, .ack = 1, .flags = TW_ACK | TW_FIN);
    SEND(s, 31, .seq = 1, .ack = up + 1, .flags = TW_ACK | TW_FIN, .ttl = 60);
    SEND(s, 32, .up = true, .seq = up + 1, .ack = 2, .flags = TW_ACK);
    return finish(s);
}

REPORT_TEST(a_client_that_closes_within_its_request_lets_nobody_wait, leave())
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_REQUEST_INCOMPLETE);
    assert_int_equal(tcpwhy_report_failure(report, 0)->seen_as, TCPWHY_SEEN_END_OF_FILE);
}

REPORT_TEST(a_request_timeout_answers_a_body_that_stalls,
            stall("9", "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n", 0))
{
    is_incomplete(report, TCPWHY_BY_CLIENT);
}

REPORT_TEST(a_body_whose_end_was_sent_was_lost_on_the_way, stall("9", NULL, 5))
{
    is_incomplete(report, TCPWHY_BY_UNKNOWN);
}

REPORT_TEST(a_body_that_came_whole_waits_for_the_server, stall("4", NULL, 0))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_EMPTY_REPLY);
    assert_int_equal(tcpwhy_report_finding(report, 0)->cause, TCPWHY_SERVER_THINK);
}

REPORT_TEST(a_refusal_before_the_end_of_a_body_is_an_answer,
            stall("9", "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", 0))
{
    assert_int_not_equal(failure_of(report), TCPWHY_FAILURE_REQUEST_INCOMPLETE);
}

/* The server resets an upload that goes on. */
static tcpwhy_report *cut_upload(void)
{
    static const char text[] = "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nbody";
    uint32_t up = 1 + sizeof text - 1;
    tcpwhy_session *s = start(NULL);

    shake_hands(s);
    SEND(s, 20, .up = true, .seq = 1, .ack = 1, .flags = TW_ACK | TW_PSH, .text = text);
    SEND(s, 30, .seq = 1, .ack = up, .flags = TW_ACK, .ttl = 60);
    SEND(s, 40, .seq = 1, .ack = up, .flags = TW_ACK | TW_RST, .ttl = 60);
    return finish(s);
}

REPORT_TEST(an_upload_that_is_reset_while_it_goes_on_is_not_the_clients, cut_upload())
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_REQUEST_RESET);
}
