/* SPDX-License-Identifier: MIT */
/* Hand-made stories of many connections, and what the report makes of them together. */
#include "tests/unit.h"

#include <string.h>

#include "report/build.h"
#include "report/facts/facts.h"

#define CLIENT 1 /* last byte of 10.9.0.x */
#define SERVER 2

struct cast {
    struct tw_tracker *tracker;
    struct tw_traffic *traffic;
    struct tw_totals totals;
    tcpwhy_report *report;
};

static void cast_init(struct cast *c)
{
    *c = (struct cast) { .tracker = tw_tracker_new(false), .traffic = tw_traffic_new(0) };
}

/* A frame without payload between two of 10.9.0.x; numbers follow from the ports. */
static void frame(struct cast *c, int64_t ms, const uint8_t host[2], const uint16_t port[2],
                  uint16_t flags, uint32_t offset)
{
    bool answer = (flags & TW_ACK) && port[0] < port[1];
    struct tw_segment s = { .tuple = { .address = { { 10, 9, 0, host[0] }, { 10, 9, 0, host[1] } },
                                       .port = { port[0], port[1] },
                                       .version = 4 },
                            .seq = (answer ? 9000u : 5000u) + offset,
                            .ack = answer || !(flags & TW_ACK) ? 5001u : 9001u,
                            .flags = flags,
                            .window = 60000,
                            .ttl = 64 };
    struct tw_tracked tracked;

    tw_tracker_push(c->tracker, &s, TCPWHY_MS(ms), (uint32_t)++c->totals.frames, &tracked);
    if (!tracked.connection->log)
        tracked.connection->log = tw_log_new();
    tw_log_append(tracked.connection->log, &tracked);
    c->totals.tcp_frames++;
    c->totals.latest_ns = MAX(c->totals.latest_ns, TCPWHY_MS(ms));
}

static void to_server(struct cast *c, int64_t ms, uint8_t server, uint16_t from, uint16_t to,
                      uint16_t flags, uint32_t offset)
{
    frame(c, ms, (const uint8_t[2]) { CLIENT, server }, (const uint16_t[2]) { from, to }, flags,
          offset);
}

static void to_client(struct cast *c, int64_t ms, uint8_t server, uint16_t from, uint16_t to,
                      uint16_t flags)
{
    frame(c, ms, (const uint8_t[2]) { server, CLIENT }, (const uint16_t[2]) { to, from }, flags, 0);
}

/* A SYN that is answered at once, over a path of 20 ms. */
static void opened(struct cast *c, int64_t ms, uint8_t server, uint16_t from, uint16_t to)
{
    to_server(c, ms, server, from, to, TW_SYN, 0);
    to_client(c, ms + 20, server, from, to, TW_SYN | TW_ACK);
    to_server(c, ms + 20, server, from, to, TW_ACK, 1);
}

/* A SYN that is repeated after one, three, seven seconds, and never answered. */
static void silent(struct cast *c, int64_t ms, uint8_t server, uint16_t from, uint16_t to, int syns)
{
    for (int i = 0; i < syns; i++)
        to_server(c, ms + 1000 * ((1 << i) - 1), server, from, to, TW_SYN, 0);
}

/* As clients call the server: ports from 43000 on differently. */
static const char *name_by(uint16_t port)
{
    return port >= 43000 ? "b.test" : port >= 42000 ? "a.test" : NULL;
}

static void tell(struct tw_builder *builder, const struct tw_connection_result *story,
                 const struct tcpwhy_options *options, struct tw_connection_findings *alone)
{
    guint listener = tw_builder_listener(builder, story->connection);
    struct tw_connection_row told;

    tw_connection_row_make(&told, story, options, alone);
    assert_true(tw_builder_tell(builder, listener, &told));
    tw_connection_row_clear(&told);
}

static void tell_all(struct cast *c)
{
    static const struct tcpwhy_options options;
    struct tw_builder *builder = tw_builder_new(&options, c->traffic);
    struct tw_connection_findings *alone = tw_connection_findings_new(false);

    for (struct tw_connection *connection = tw_tracker_first(c->tracker); connection;
         connection = connection->next) {
        struct tw_exchanges exchanges = { 0 };
        struct tw_explanation explanation = { 0 };
        struct tw_connection_result story = { connection, connection->log, &exchanges,
                                              &explanation };

        tw_exchanges_build(story.log, NULL, &exchanges);
        exchanges.server_name = name_by(connection->tuple.port[TCPWHY_CLIENT]);
        tw_explain(connection, story.log, &exchanges, tw_connection_findings_explainer(alone),
                   &explanation);
        tell(builder, &story, &options, alone);
        tw_explanation_clear(&explanation);
        tw_exchanges_clear(&exchanges);
        tw_log_free(story.log);
    }
    tw_connection_findings_free(alone);
    c->report = tw_builder_finish(builder, "", &c->totals, NULL);
}

static void cast_clear(struct cast *c)
{
    tcpwhy_report_free(c->report);
    tw_traffic_free(c->traffic);
    tw_tracker_free(c->tracker);
}

static const struct tw_finding_row *finding(const struct cast *c, enum tcpwhy_cause cause)
{
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(c->report, &n);

    for (size_t i = 0; i < n; i++)
        if (f[i].cause == cause)
            return &f[i];
    fail_msg("no finding of %s", tcpwhy_cause_info(cause)->name);
    return NULL;
}

static const struct tcpwhy_detail *detail(const struct tw_finding_row *f, const char *name)
{
    for (size_t i = 0; i < f->n_details; i++)
        if (strcmp(f->details[i].name, name) == 0)
            return &f->details[i];
    fail_msg("no detail %s", name);
    return NULL;
}

static bool has_detail(const struct tw_finding_row *f, const char *name)
{
    for (size_t i = 0; i < f->n_details; i++)
        if (strcmp(f->details[i].name, name) == 0)
            return true;
    return false;
}

static void assert_kind(const struct cast *c, const char *kind, const char *confidence)
{
    const struct tw_finding_row *f = finding(c, TCPWHY_CONNECT_RETRY);

    assert_string_equal(detail(f, "kind")->text, kind);
    assert_string_equal(detail(f, "kind_confidence")->text, confidence);
}

static void assert_at(const struct tw_finding_row *f, const char *endpoint)
{
    char text[TCPWHY_ENDPOINT_TEXT];

    assert_string_equal(tcpwhy_endpoint_format(&f->endpoint, text), endpoint);
}

static const struct tw_listener_row *listener(const struct cast *c, uint16_t port)
{
    size_t n;
    const struct tw_listener_row *l = tw_report_listeners(c->report, &n);

    for (size_t i = 0; i < n; i++)
        if (l[i].endpoint.port == port)
            return &l[i];
    fail_msg("no listener on port %u", port);
    return NULL;
}

#define CAST_TEST(name) TEST_WITH(name, struct cast, c, cast_init(c), cast_clear(c))

CAST_TEST(a_listener_has_the_name_that_all_its_clients_use)
{
    opened(c, 0, SERVER, 41000, 80);
    opened(c, 100, SERVER, 42000, 80);
    opened(c, 200, SERVER, 42001, 80);
    opened(c, 300, SERVER, 42002, 443);
    opened(c, 400, SERVER, 43000, 443);
    opened(c, 500, SERVER, 41001, 22);
    tell_all(c);
    assert_string_equal(listener(c, 80)->server_name, "a.test");
    assert_null(listener(c, 443)->server_name);
    assert_null(listener(c, 22)->server_name);
    assert_string_equal(tcpwhy_report_name(c->report, &listener(c, 80)->endpoint), "a.test");
}

CAST_TEST(one_port_of_a_living_host_has_a_full_queue)
{
    for (uint16_t i = 0; i < 10; i++) {
        opened(c, 100 * i, SERVER, (uint16_t)(40000 + i), 80);
        silent(c, 100 * i + 50, SERVER, (uint16_t)(41000 + i), 80, 3);
    }
    opened(c, 500, SERVER, 42000, 22);
    tell_all(c);
    assert_kind(c, "listen backlog", "likely");
    assert_at(finding(c, TCPWHY_CONNECT_RETRY), "10.9.0.2:80");
    assert_int_equal(listener(c, 80)->openings.syns, 40);
    assert_int_equal(listener(c, 80)->openings.syn_repeats, 20);
    /* The last of each may still be answered. */
    assert_int_equal(listener(c, 80)->openings.unanswered_syns, 20);
    assert_int_equal(listener(c, 80)->openings.opened, 10);
    assert_int_equal(listener(c, 22)->openings.silence, TCPWHY_SILENCE_NONE);
    assert_true(listener(c, 80)->openings.peak_opened_per_s == 10);
}

CAST_TEST(two_ports_of_one_host_are_one_finding)
{
    for (uint16_t i = 0; i < 5; i++) {
        opened(c, 100 * i, SERVER, (uint16_t)(40000 + i), 22);
        silent(c, 100 * i, SERVER, (uint16_t)(41000 + i), 80, 3);
        silent(c, 100 * i, SERVER, (uint16_t)(42000 + i), 443, 3);
    }
    tell_all(c);
    assert_kind(c, "firewall or conntrack", "likely");
    assert_at(finding(c, TCPWHY_CONNECT_RETRY), "10.9.0.2");
    assert_int_equal(finding(c, TCPWHY_CONNECT_RETRY)->streams, 10);
    assert_true(detail(finding(c, TCPWHY_CONNECT_RETRY), "syns")->number == 30);
    assert_true(detail(finding(c, TCPWHY_CONNECT_RETRY), "ports_waiting")->number == 2);
    assert_int_equal(c->report->verdict.endpoint.port, 0);
}

/* While a port is silent, its host resets a connection that began before the capture: it is up, but
 * no connection of it goes on. */
CAST_TEST(a_reset_alone_is_no_established_connection)
{
    for (uint16_t i = 0; i < 5; i++) {
        silent(c, 100 * i, SERVER, (uint16_t)(41000 + i), 80, 3);
        to_client(c, 1000 + 100 * i, SERVER, (uint16_t)(40000 + i), 80, TW_RST);
    }
    tell_all(c);
    assert_kind(c, "firewall or conntrack", "likely");
    assert_true(detail(finding(c, TCPWHY_CONNECT_RETRY), "host_connections_meanwhile")->number ==
                0);
}

/* The queue of one was full in the morning, of the other at noon. */
CAST_TEST(two_ports_at_different_times_are_two_queues)
{
    for (uint16_t i = 0; i < 5; i++) {
        opened(c, 100 * i, SERVER, (uint16_t)(40000 + i), 80);
        silent(c, 100 * i, SERVER, (uint16_t)(41000 + i), 80, 3);
    }
    for (uint16_t i = 0; i < 5; i++) {
        opened(c, 60000 + 100 * i, SERVER, (uint16_t)(43000 + i), 443);
        silent(c, 60000 + 100 * i, SERVER, (uint16_t)(42000 + i), 443, 3);
    }
    tell_all(c);
    assert_int_equal(listener(c, 80)->openings.silence, TCPWHY_SILENCE_BACKLOG);
    assert_int_equal(listener(c, 443)->openings.silence, TCPWHY_SILENCE_BACKLOG);
}

CAST_TEST(a_host_that_sends_nothing_is_dead)
{
    opened(c, 0, 3, 40000, 80);
    silent(c, 100, SERVER, 41000, 80, 4);
    silent(c, 100, SERVER, 41001, 443, 4);
    tell_all(c);
    assert_kind(c, "dead host", "likely");
    assert_at(finding(c, TCPWHY_CONNECT_RETRY), "10.9.0.2");
}

/* Nothing is counted at hosts that were never heard, and no number stands for it. */
CAST_TEST(hosts_that_send_nothing_may_be_behind_a_filter)
{
    silent(c, 100, SERVER, 41000, 80, 4);
    silent(c, 100, 3, 41001, 80, 4);
    tell_all(c);
    assert_kind(c, "firewall or conntrack", "ambiguous");
    assert_false(has_detail(finding(c, TCPWHY_CONNECT_RETRY), "ports_waiting"));
    assert_false(has_detail(finding(c, TCPWHY_CONNECT_RETRY), "host_connections_meanwhile"));
    assert_non_null(strstr(finding(c, TCPWHY_CONNECT_RETRY)->summary, "No packet at all came"));
}

CAST_TEST(a_refused_port_is_closed)
{
    for (uint16_t i = 0; i < 3; i++) {
        to_server(c, 100 * i, SERVER, (uint16_t)(40000 + i), 81, TW_SYN, 0);
        to_client(c, 100 * i + 20, SERVER, (uint16_t)(40000 + i), 81, TW_RST | TW_ACK);
    }
    tell_all(c);
    assert_string_equal(detail(finding(c, TCPWHY_CONNECT_REFUSED), "kind")->text, "closed port");
    assert_int_equal(listener(c, 81)->refused, 3);
    assert_int_equal(listener(c, 81)->openings.resets_by_server, 0);
}

/* One SYN each and no repeat: no time is seen to pass, and still everything failed. */
CAST_TEST(a_scan_that_nobody_answers_is_a_fact)
{
    size_t n;

    opened(c, 0, SERVER, 40000, 22);
    for (uint16_t i = 0; i < 50; i++)
        silent(c, 10 * i, SERVER, 50000, (uint16_t)(100 + i), 1);
    opened(c, 5000, SERVER, 40001, 22);
    tell_all(c);
    const struct tcpwhy_fact *f = tw_report_facts(c->report, &n);
    assert_int_equal(n, 1);
    assert_string_equal(f[0].fact, "unanswered_syns");
    assert_int_equal(f[0].count, 50);
    assert_int_equal(f[0].of, 50);
}

CAST_TEST(handshakes_that_clients_leave_are_a_fact)
{
    size_t n;

    for (uint16_t i = 0; i < 20; i++) {
        to_server(c, 10 * i, SERVER, (uint16_t)(40000 + i), 80, TW_SYN, 0);
        to_client(c, 10 * i, SERVER, (uint16_t)(40000 + i), 80, TW_SYN | TW_ACK);
    }
    tell_all(c);
    const struct tcpwhy_fact *f = tw_report_facts(c->report, &n);
    assert_int_equal(n, 1);
    assert_string_equal(f[0].fact, "half_open");
    assert_int_equal(f[0].count, 20);
}

/* hping3: its kernel knows nothing of the SYNs that it sent. */
CAST_TEST(handshakes_that_clients_reset_are_probes)
{
    size_t n;

    for (uint16_t i = 0; i < 20; i++) {
        to_server(c, 10 * i, SERVER, (uint16_t)(40000 + i), 80, TW_SYN, 0);
        to_client(c, 10 * i, SERVER, (uint16_t)(40000 + i), 80, TW_SYN | TW_ACK);
        to_server(c, 10 * i, SERVER, (uint16_t)(40000 + i), 80, TW_RST, 1);
    }
    tell_all(c);
    const struct tcpwhy_fact *f = tw_report_facts(c->report, &n);
    assert_int_equal(n, 1);
    assert_string_equal(f[0].fact, "syn_probes");
    assert_int_equal(f[0].count, 20);
    assert_int_equal(f[0].of, 20);
}

CAST_TEST(many_clients_of_one_listener_are_one_finding)
{
    size_t n;

    for (uint8_t i = 10; i < 40; i++)
        for (int k = 0; k < 3; k++)
            frame(c, i * 10 + 1000 * k, (const uint8_t[2]) { i, SERVER },
                  (const uint16_t[2]) { 40000, 80 }, TW_SYN, 0);
    tell_all(c);
    tw_report_findings(c->report, &n);
    assert_int_equal(n, 1);
    assert_int_equal(finding(c, TCPWHY_CONNECT_RETRY)->streams, 30);
    assert_int_equal(finding(c, TCPWHY_CONNECT_RETRY)->peer.version, 0);
}

/* ---- answers --------------------------------------------------------------------------------- */

static void assert_errors(struct tcpwhy_status_classes status, uint16_t only, const char *text)
{
    struct cast c;
    size_t n;
    const struct tcpwhy_fact *f;

    cast_init(&c);
    tell_all(&c);
    c.report->status = status;
    c.report->only_status = only;
    tw_facts_find(c.report);
    f = tw_report_facts(c.report, &n);
    assert_int_equal(n, text ? 1 : 0);
    if (text)
        assert_string_equal(f[0].text, text);
    cast_clear(&c);
}

TEST(answers_that_are_all_errors_are_a_fact)
{
    assert_errors((struct tcpwhy_status_classes) { { [4] = 100 } }, 404,
                  "All 100 responses were 4xx (404).");
    assert_errors((struct tcpwhy_status_classes) { { [4] = 1794 } }, 404,
                  "All 1,794 responses were 4xx (404).");
    assert_errors((struct tcpwhy_status_classes) { { [5] = 7 } }, TW_STATUS_SEVERAL,
                  "All 7 responses were 5xx.");
    assert_errors((struct tcpwhy_status_classes) { { [4] = 1, [5] = 6 } }, TW_STATUS_SEVERAL,
                  "All 7 responses were errors (4xx 1, 5xx 6).");
    assert_errors((struct tcpwhy_status_classes) { { [5] = 1 } }, 502,
                  "The only response was 5xx (502).");
}

TEST(most_answers_are_told_some_are_not)
{
    assert_errors((struct tcpwhy_status_classes) { { [2] = 4, [5] = 16 } }, TW_STATUS_SEVERAL,
                  "16 of 20 responses were 5xx.");
    assert_errors((struct tcpwhy_status_classes) { { [2] = 1, [4] = 2 } }, TW_STATUS_SEVERAL, NULL);
    assert_errors((struct tcpwhy_status_classes) { { [2] = 5, [5] = 5 } }, TW_STATUS_SEVERAL, NULL);
    assert_errors((struct tcpwhy_status_classes) { { [2] = 100 } }, 200, NULL);
    assert_errors((struct tcpwhy_status_classes) { { 0 } }, TW_STATUS_NONE, NULL);
}
