/* SPDX-License-Identifier: MIT */
/* Connections of a session while they are open: incidents, their state now, segments that the
 * program has parsed, and callbacks with several threads. */
#include "tests/unit/session_wire.h"

#define CONNECTIONS 200

struct incidents {
    unsigned n, stop_after;
    struct tcpwhy_incident last;
};

static bool on_incident(void *user, const struct tcpwhy_incident *incident)
{
    struct incidents *told = user;

    told->last = *incident;
    return ++told->n != told->stop_after;
}

static tcpwhy_session *start_with(struct incidents *told, tcpwhy_ns incident_ns)
{
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_incident = on_incident,
                                                .user = told };
    const struct tcpwhy_options options = { .struct_size = sizeof options,
                                            .incident_ns = incident_ns,
                                            .callbacks = &callbacks };

    return start(&options);
}

TEST(an_incident_is_told_once_with_the_frame_that_ended_it)
{
    struct incidents told = { 0 };
    tcpwhy_session *s = start_with(&told, 0);

    push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    push(s, 10, 40000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, 11, 40000, true, 1, 1, TW_ACK, 0);
    push(s, 12, 40000, true, 1, 1, TW_PSH | TW_ACK, 100);
    push(s, 22, 40000, false, 1, 101, TW_ACK, 0);
    assert_int_equal(told.n, 0);
    push(s, 722, 40000, false, 1, 101, TW_PSH | TW_ACK, 100);
    assert_int_equal(told.n, 1);
    assert_int_equal(told.last.cause, TCPWHY_SERVER_THINK);
    assert_int_equal(told.last.party, TCPWHY_PARTY_SERVER);
    assert_in_range(told.last.cost_ns, TCPWHY_MS(680), TCPWHY_MS(710));
    assert_int_equal(told.last.time_ns, TCPWHY_S(1000000) + told.last.start_ns);
    assert_int_equal(told.last.last_frame, 6);
    assert_int_equal(told.last.client.port, 40000);
    push(s, 723, 40000, true, 101, 101, TW_ACK, 0);
    tcpwhy_report_free(finish(s));
    assert_int_equal(told.n, 1);
}

TEST(a_wait_below_the_bound_is_no_incident)
{
    struct incidents told = { 0 };
    tcpwhy_session *s = start_with(&told, TCPWHY_MS(750));

    ask(s, 0, 40000);
    tcpwhy_report_free(finish(s));
    assert_int_equal(told.n, 0);
}

TEST(a_client_that_has_nothing_to_ask_is_no_incident)
{
    struct incidents told = { 0 };
    tcpwhy_session *s = start_with(&told, 0);

    ask(s, 0, 40000);
    push(s, 5000, 40000, true, 101, 101, TW_PSH | TW_ACK, 100);
    tcpwhy_report_free(finish(s));
    assert_int_equal(told.n, 1);
}

TEST(an_incident_stops_the_analysis)
{
    struct incidents told = { .stop_after = 1 };
    tcpwhy_session *s = start_with(&told, 0);

    assert_int_equal(ask(s, 0, 40000), TCPWHY_ERR_STOPPED);
    tcpwhy_session_free(s);
}

/* @return when it is answered. */
static int64_t ask_again(tcpwhy_session *s, int64_t ms, uint32_t number, int64_t wait_ms)
{
    const uint32_t sent = 1 + 100 * number;

    push(s, ms, 40000, true, sent, sent, TW_PSH | TW_ACK, 100);
    push(s, ms + wait_ms, 40000, false, sent, sent + 100, TW_PSH | TW_ACK, 100);
    return ms + wait_ms;
}

/* The connection's log has hardly grown since the first wait, and grows no more. */
TEST(an_incident_of_a_connection_that_goes_quiet_is_told)
{
    struct incidents told = { 0 };
    tcpwhy_session *s = start_with(&told, 0);
    int64_t ms = 12;
    uint32_t n = 0;

    push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    push(s, 10, 40000, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, 11, 40000, true, 1, 1, TW_ACK, 0);
    while (n < 100)
        ms = ask_again(s, ms + 1, n++, 1);
    assert_int_equal(told.n, 0);
    ms = ask_again(s, ms + 1, n++, 300);
    assert_int_equal(told.n, 1);
    ms = ask_again(s, ms + 1, n++, 400);
    assert_int_equal(told.n, 1);
    push(s, ms + 39, 40001, true, 0, 0, TW_SYN, 0);
    assert_int_equal(told.n, 1);
    push(s, ms + 40, 40001, false, 0, 1, TW_SYN | TW_ACK, 0);
    assert_int_equal(told.n, 2);
    assert_in_range(told.last.cost_ns, TCPWHY_MS(390), TCPWHY_MS(400));
    tcpwhy_report_free(finish(s));
    assert_int_equal(told.n, 2);
}

static struct tcpwhy_endpoint end_of(bool client, uint16_t port)
{
    return (struct tcpwhy_endpoint) { .address = { 10, 0, 0, client ? 1 : 2 },
                                      .port = client ? port : 80,
                                      .version = 4 };
}

static struct tcpwhy_parsed parsed(int64_t ms, bool up, uint32_t seq, uint32_t ack, uint16_t flags,
                                   uint32_t len)
{
    return (struct tcpwhy_parsed) { .struct_size = sizeof(struct tcpwhy_parsed),
                                    .time_ns = TCPWHY_S(1000000) + TCPWHY_MS(ms),
                                    .source = end_of(up, 40000),
                                    .destination = end_of(!up, 40000),
                                    .seq = seq,
                                    .ack = ack,
                                    .flags = flags,
                                    .window = 60000,
                                    .ttl = 64,
                                    .len = len };
}

static void tell_parsed(tcpwhy_session *s, int64_t ms, bool up, uint32_t seq, uint32_t ack,
                        uint16_t flags, uint32_t len)
{
    const struct tcpwhy_parsed p = parsed(ms, up, seq, ack, flags, len);

    assert_int_equal(tcpwhy_session_push_parsed(s, &p), 0);
}

TEST(parsed_segments_are_explained_as_frames_are)
{
    tcpwhy_session *frames = start(NULL), *fields = start(NULL);
    tcpwhy_report *of_frames, *of_fields;

    ask(frames, 0, 40000);
    tell_parsed(fields, 0, true, 0, 0, TW_SYN, 0);
    tell_parsed(fields, 10, false, 0, 1, TW_SYN | TW_ACK, 0);
    tell_parsed(fields, 11, true, 1, 1, TW_ACK, 0);
    tell_parsed(fields, 12, true, 1, 1, TW_PSH | TW_ACK, 100);
    tell_parsed(fields, 22, false, 1, 101, TW_ACK, 0);
    tell_parsed(fields, 722, false, 1, 101, TW_PSH | TW_ACK, 100);
    tell_parsed(fields, 723, true, 101, 101, TW_ACK, 0);
    of_frames = finish(frames);
    of_fields = finish(fields);
    assert_int_equal(tcpwhy_report_verdict(of_fields)->cause, TCPWHY_SERVER_THINK);
    assert_int_equal(tcpwhy_report_verdict(of_fields)->cost_ns,
                     tcpwhy_report_verdict(of_frames)->cost_ns);
    assert_int_equal(tcpwhy_report_verdict(of_fields)->confidence,
                     tcpwhy_report_verdict(of_frames)->confidence);
    assert_int_equal(tcpwhy_report_stream(of_fields, 0)->bytes_to_client, 100);
    assert_int_equal(tcpwhy_report_latency(of_fields)->count, 1);
    /* Ethernet, IPv4, TCP: 54 bytes before the payload. */
    assert_int_equal(tcpwhy_report_capture(of_fields)->bytes, 7 * 54 + 200);
    tcpwhy_report_free(of_frames);
    tcpwhy_report_free(of_fields);
}

TEST(parsed_options_count)
{
    const char request[] = "GET /x HTTP/1.1\r\n\r\n";
    const struct tcpwhy_options options = { .struct_size = sizeof options, .keep_exchanges = true };
    tcpwhy_session *s = start(&options);
    struct tcpwhy_parsed p = parsed(0, true, 0, 0, TW_SYN, 0);

    p.has_wscale = true;
    p.wscale = 7;
    assert_int_equal(tcpwhy_session_push_parsed(s, &p), 0);
    p = parsed(10, false, 0, 1, TW_SYN | TW_ACK, 0);
    p.has_wscale = true;
    p.wscale = 2;
    assert_int_equal(tcpwhy_session_push_parsed(s, &p), 0);
    p = parsed(12, true, 1, 1, TW_PSH | TW_ACK, sizeof request - 1);
    p.payload = (const uint8_t *)request;
    p.payload_len = sizeof request - 1;
    assert_int_equal(tcpwhy_session_push_parsed(s, &p), 0);
    g_autoptr(tcpwhy_report) report = finish(s);
    assert_string_equal(tcpwhy_report_stream(report, 0)->exchanges[0]->request, "GET /x");
}

TEST(parsed_segments_that_cannot_be_are_refused)
{
    tcpwhy_session *s = start(NULL);
    struct tcpwhy_parsed p = parsed(0, true, 0, 0, TW_SYN, 0);

    p.destination.version = 6;
    assert_int_equal(tcpwhy_session_push_parsed(s, &p), TCPWHY_ERR_ARGUMENT);
    p = parsed(0, true, 0, 0, TW_SYN, 0);
    p.source.version = p.destination.version = 0;
    assert_int_equal(tcpwhy_session_push_parsed(s, &p), TCPWHY_ERR_ARGUMENT);
    p = parsed(0, true, 0, 0, TW_SYN, 0);
    p.n_sack = 5;
    assert_int_equal(tcpwhy_session_push_parsed(s, &p), TCPWHY_ERR_ARGUMENT);
    p.n_sack = 0;
    p.payload_len = 1;
    assert_int_equal(tcpwhy_session_push_parsed(s, &p), TCPWHY_ERR_USAGE);
    assert_int_equal(tcpwhy_session_push_parsed(s, NULL), TCPWHY_ERR_USAGE);
    tcpwhy_session_free(s);
}

TEST(a_connection_tells_its_state_while_it_is_open)
{
    const struct tcpwhy_endpoint client = end_of(true, 40001), server = end_of(false, 0),
                                 nobody = end_of(true, 40002);
    tcpwhy_session *s = start(NULL);
    tcpwhy_report *report = NULL;

    push(s, 0, 40000, true, 0, 0, TW_SYN, 0);
    ask(s, 100, 40001);
    /* The ends in any order. */
    assert_int_equal(tcpwhy_session_connection(s, &server, &client, &report), 0);
    assert_int_equal(tcpwhy_report_stream_count(report), 1);
    assert_int_equal(tcpwhy_report_stream(report, 0)->client.port, 40001);
    assert_int_equal(tcpwhy_report_stream(report, 0)->duration_ns, TCPWHY_MS(723));
    assert_int_equal(tcpwhy_report_verdict(report)->cause, TCPWHY_SERVER_THINK);
    tcpwhy_report_free(report);
    report = NULL;
    assert_int_equal(tcpwhy_session_connection(s, &nobody, &server, &report), TCPWHY_ERR_ARGUMENT);
    assert_null(report);
    assert_int_equal(tcpwhy_session_connection(s, NULL, &server, &report), TCPWHY_ERR_USAGE);
    push(s, 1000, 40001, true, 101, 101, TW_PSH | TW_ACK, 100);
    report = finish(s);
    assert_int_equal(tcpwhy_report_stream_count(report), 2);
    assert_int_equal(tcpwhy_report_stream(report, 1)->frames, 8);
    tcpwhy_report_free(report);
}

static bool in_order(void *user, const struct tcpwhy_stream *stream)
{
    uint32_t *next = user;

    assert_int_equal(stream->stream, *next);
    assert_int_equal(stream->verdict->cause, TCPWHY_SERVER_THINK);
    return ++*next > 0;
}

TEST(streams_come_in_their_order_from_several_threads)
{
    uint32_t next = 0;
    const struct tcpwhy_callbacks callbacks = {
        .struct_size = sizeof callbacks, .on_stream = in_order, .in_batches = true, .user = &next
    };
    const struct tcpwhy_options options = { .struct_size = sizeof options,
                                            .threads = 3,
                                            .callbacks = &callbacks };
    tcpwhy_session *s = start(&options);

    for (unsigned i = 0; i < CONNECTIONS; i++)
        ask(s, i * 1000, 40000 + i);
    tcpwhy_report_free(finish(s));
    assert_int_equal(next, CONNECTIONS);
}
