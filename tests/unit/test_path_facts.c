/* SPDX-License-Identifier: MIT */
/* Frames tell of the path: ICMP errors, boxes that end connections, checksums. See also
 * scripts/http_ends.script. */
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

#define PAGE "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"

/* The server's address and TTL; the delays of its SYN/ACK and of its ACK of data; its answer takes
 * 300 ms. */
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
