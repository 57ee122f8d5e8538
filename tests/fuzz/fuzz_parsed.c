/* SPDX-License-Identifier: MIT */
/*
 * Segments that a program has parsed, of many connections: three bytes choose the options, then
 * come eighteen a segment. All of it may come again from other ports, until the memory bound evicts
 * connections; some are asked for while they are open.
 */
#include <assert.h>
#include <stdlib.h>

#include <tcpwhy/tcpwhy.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

#define CHOICE  3
#define SEGMENT 18

/* Their records exceed the least bound of memory, which is 16 MiB. */
#define SEGMENTS_MAX 60000

/* The ports of a round are so far from those of the last. */
#define PORTS_APART 997

static const uint8_t text[] = "GET /a HTTP/1.1\r\nHost: h\r\n\r\nHTTP/1.1 200 OK\r\n"
                              "Content-Length: 5\r\n\r\nhelloHTTP/1.1 404 No\r\n\r\nPOST / ";

static struct tcpwhy_endpoint endpoint_of(uint8_t version, uint8_t host, uint16_t port)
{
    struct tcpwhy_endpoint e = { .port = port, .version = version };

    e.address[0] = 10;
    e.address[version == 6 ? 15 : 3] = host;
    return e;
}

/* Bytes: version and side, hosts, client's port (2), flags (2), gap (2), sequence (3), ACK (3),
 * window, length (2), options, what else. */
static struct tcpwhy_parsed take(struct input *in, unsigned round, int64_t *now_ns)
{
    struct tcpwhy_parsed p;
    uint8_t kind = input_u8(in), hosts = input_u8(in), options, at;
    uint8_t version = kind & 2 ? 6 : kind & 4 ? (uint8_t)(hosts & 15) : 4;

    if (tcpwhy_parsed_init(&p, sizeof p) < 0)
        abort();
    p.source = endpoint_of(version, hosts & 15, (uint16_t)(input_u16(in) + round * PORTS_APART));
    p.destination = endpoint_of(kind & 8 ? 4 : version, hosts >> 4, 80);
    if (kind & 1) {
        struct tcpwhy_endpoint kept = p.source;

        p.source = p.destination;
        p.destination = kept;
    }
    p.flags = input_u16(in);
    *now_ns += (int64_t)input_u16(in) << (kind >> 4) << 10;
    p.time_ns = *now_ns;
    p.seq = (uint32_t)input_u8(in) << 16 | input_u16(in);
    p.ack = (uint32_t)input_u8(in) << 16 | input_u16(in);
    p.window = (uint16_t)(input_u8(in) << 8);
    p.len = input_u16(in) & 0x3fff;
    options = input_u8(in);
    at = input_u8(in);
    p.options_unknown = options & 1;
    p.mss = options & 2 ? 1460 : 0;
    p.has_wscale = options & 4;
    p.wscale = at;
    p.sack_permitted = options & 8;
    p.timestamps = options & 16;
    p.tsval = (uint32_t)(*now_ns / 1000000);
    p.tsecr = p.tsval - at;
    p.n_sack = options >> 5;
    for (uint32_t i = 0; i < p.n_sack && i < 4; i++) {
        p.sack[i][0] = p.ack + (2 * i + 1) * at;
        p.sack[i][1] = p.ack + (2 * i + 2) * at;
    }
    p.payload = at & 1 ? text + at % 64 : NULL;
    p.payload_len = p.payload ? (uint32_t)sizeof text - at % 64 : 0;
    p.ttl = (uint8_t)(64 - (at & 7));
    return p;
}

static bool count(void *user, const struct tcpwhy_stream *stream)
{
    *(uint64_t *)user += stream->stream;
    return true;
}

static void ask(tcpwhy_session *session, const struct tcpwhy_parsed *p)
{
    tcpwhy_report *report = NULL;

    if (tcpwhy_session_connection(session, &p->destination, &p->source, &report) == 0)
        assert(tcpwhy_report_stream_count(report) <= 1);
    tcpwhy_report_free(report);
}

static void read_report(const tcpwhy_report *report)
{
    char name[TCPWHY_ENDPOINT_TEXT];
    uint64_t sum = 0;

    assert(tcpwhy_report_visit_streams(report, count, &sum) == 0);
    for (size_t i = 0; i < tcpwhy_report_listener_count(report); i++)
        tcpwhy_endpoint_format(&tcpwhy_report_listener(report, i)->endpoint, name);
    assert(tcpwhy_report_latency(report) && tcpwhy_report_status(report));
    assert(tcpwhy_report_traffic(report) && tcpwhy_report_capture(report));
    for (size_t i = 0; i < tcpwhy_report_stream_count(report); i++)
        assert(tcpwhy_report_stream(report, i));
}

/* @return number of segments pushed so far. */
static unsigned push_all(tcpwhy_session *session, struct input in, unsigned round, unsigned n,
                         uint8_t every, int64_t *now_ns)
{
    for (; in.rest.len >= SEGMENT && n < SEGMENTS_MAX; n++) {
        struct tcpwhy_parsed p = take(&in, round, now_ns);

        tcpwhy_session_push_parsed(session, &p);
        if (every && n % every == 0)
            ask(session, &p);
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) };
    uint8_t choice = input_u8(&in), every = input_u8(&in), rounds = input_u8(&in);
    struct tcpwhy_options options;
    int64_t now_ns = 1000000;
    tcpwhy_session *session;
    tcpwhy_report *report = NULL;

    if (tcpwhy_options_init(&options, sizeof options) < 0)
        abort();
    options.threads = 1 + (choice & 1);
    options.keep_exchanges = choice & 2;
    options.keep_spans = choice & 4;
    options.keep_waits = choice & 8 ? 3 : 0;
    options.memory_bytes = choice & 16 ? 1 : 0; /* the least that there may be */
    if (tcpwhy_session_new(&options, &session, NULL, 0) < 0)
        abort();
    for (unsigned round = 0, n = 1; round <= rounds; round++)
        n = push_all(session, in, round, n, every, &now_ns);
    tcpwhy_session_dropped(session, every);
    if (tcpwhy_session_snapshot(session, &report) == 0)
        read_report(report);
    tcpwhy_report_free(report);
    if (tcpwhy_session_finish(session, &report) < 0)
        abort();
    read_report(report);
    tcpwhy_report_free(report);
    return 0;
}

static size_t piece(struct tw_bytes rest)
{
    return rest.len < SEGMENT ? rest.len : SEGMENT;
}

MUTATE_PIECES(CHOICE, piece)
