/* SPDX-License-Identifier: MIT */
/* Facts and failures of a stream from HTTP/2 and TLS themselves. */
#include "base/array.h"
#include "base/text.h"
#include "tests/unit.h"

#include <glib.h>

#include "failures/failures.h"
#include "report/rows/stream_facts.h"

struct made {
    struct tw_connection connection;
    struct tw_record record[8];
    struct tw_log log;
    struct tw_exchange exchange[3];
    struct tw_app_facts app;
    struct tw_exchanges exchanges;
    struct tw_span span;
    struct tw_explanation explanation;
    struct tw_connection_result result;
    struct tw_fact_list list;
};

/* Three requests whose responses are under way during a repair of 40 ms. */
static struct made *make(uint32_t waiting)
{
    struct made *m = tw_new0(struct made, 1);

    m->connection.tuple.version = 4;
    for (uint32_t i = 0; i < G_N_ELEMENTS(m->record); i++)
        m->record[i].frame = 10 + i;
    m->log.record = m->record;
    m->log.n = G_N_ELEMENTS(m->record);
    for (uint32_t i = 0; i < G_N_ELEMENTS(m->exchange); i++)
        m->exchange[i] = (struct tw_exchange) { .request_last = 1,
                                                .response_first = 2,
                                                .response_last = i < waiting ? 6 : 3 };
    m->app.http2 = true;
    m->exchanges = (struct tw_exchanges) { .exchange = m->exchange,
                                           .n = G_N_ELEMENTS(m->exchange),
                                           .facts = &m->app };
    m->span = (struct tw_span) { .from_ns = TCPWHY_MS(10),
                                 .to_ns = TCPWHY_MS(50),
                                 .cause = TCPWHY_LOSS_RECOVERY,
                                 .from = TCPWHY_SERVER,
                                 .first_record = 2,
                                 .last_record = 5 };
    m->explanation.span = &m->span;
    m->explanation.n_spans = 1;
    m->result =
        (struct tw_connection_result) { &m->connection, &m->log, &m->exchanges, &m->explanation };
    return m;
}

static guint find(struct made *m)
{
    tw_stream_http2_find(&m->result, &m->list);
    return m->list.facts ? m->list.facts->len : 0;
}

static void expect(const struct made *m, guint i, const char *word, uint64_t count, uint32_t frame)
{
    const struct tcpwhy_fact *fact = &tw_array_index(m->list.facts, struct tcpwhy_fact, i);

    assert_string_equal(fact->fact, word);
    assert_int_equal(fact->count, count);
    assert_int_equal(fact->frame, frame);
}

static void clear(struct made *m)
{
    if (m->list.facts)
        tw_array_free(m->list.facts, TRUE);
    if (m->list.texts)
        tw_string_free(m->list.texts, TRUE);
    tw_free(m);
}

#define MADE_TEST(name, make) TEST_FROM(name, struct made *, m, make, clear(m))

MADE_TEST(windows_ends_and_pings_are_told, make(1))
{
    m->app.stream_window[1] = (struct tw_window_waits) { 3, 17, TCPWHY_MS(250) };
    m->app.goaway[1] = true;
    m->app.goaway_error[1] = 11;
    m->app.goaway_name[1] = "ENHANCE_YOUR_CALM";
    m->app.goaway_frame[1] = 19;
    m->app.resets = (struct tw_stream_resets) { .n = 2, .frame = 18 };
    m->app.pings = 4;
    m->app.pings_frame = 12;
    assert_int_equal(find(m), 4);
    expect(m, 0, "http2_stream_window_waits", 3, 17);
    assert_non_null(strstr(m->list.texts->str, "3 times, and waited 250.0 ms"));
    expect(m, 1, "http2_goaway", 1, 19);
    expect(m, 2, "http2_streams_reset", 2, 18);
    expect(m, 3, "http2_pings", 4, 12);
}

/* A server that shuts down says so without an error. */
MADE_TEST(an_orderly_end_is_no_fact, make(1))
{
    m->app.goaway[1] = true;
    assert_int_equal(find(m), 0);
}

MADE_TEST(lost_segments_hold_up_all_streams, make(3))
{
    assert_int_equal(find(m), 1);
    expect(m, 0, "http2_head_of_line", 3, 15);
    assert_non_null(strstr(m->list.texts->str, "For 40.0 ms"));
    assert_non_null(strstr(m->list.texts->str, "80.0 ms in all"));
}

MADE_TEST(one_stream_alone_blocks_no_other, make(1))
{
    assert_int_equal(find(m), 0);
}

/* Requests that are lost hold up no response that is under way. */
MADE_TEST(repairs_of_the_other_side_do_not_count, make(3))
{
    m->span.from = TCPWHY_CLIENT;
    assert_int_equal(find(m), 0);
}

/* ---- TLS ------------------------------------------------------------------------------------- */

static guint find_tls(struct made *m)
{
    m->exchange[0] = (struct tw_exchange) { .request = "ClientHello example.com",
                                            .of_session = true,
                                            .response_first = 1,
                                            .response_to = 17000,
                                            .response_last = 6 };
    tw_stream_tls_find(&m->result, &m->list);
    return m->list.facts ? m->list.facts->len : 0;
}

MADE_TEST(certificates_beyond_the_initial_window_cost_a_round_trip, make(1))
{
    m->span.cause = TCPWHY_SLOW_START;
    assert_int_equal(find_tls(m), 1);
    expect(m, 0, "tls_flight_beyond_window", 1, 15);
    assert_non_null(strstr(m->list.texts->str, "17000 bytes"));
    assert_non_null(strstr(m->list.texts->str, "1 more round trip, 40.0 ms"));
}

/* Slow start of a later answer, and of what the client sends. */
MADE_TEST(other_slow_starts_are_not_the_handshakes, make(1))
{
    m->span.cause = TCPWHY_SLOW_START;
    m->span.last_record = 7;
    assert_int_equal(find_tls(m), 0);
    m->span.last_record = 5;
    m->span.from = TCPWHY_CLIENT;
    assert_int_equal(find_tls(m), 0);
}

MADE_TEST(a_client_that_pauses_over_certificates_is_told, make(1))
{
    m->span.cause = TCPWHY_CLIENT_IDLE;
    m->span.from = TCPWHY_CLIENT;
    m->span.to_ns = m->span.from_ns + TCPWHY_MS(200) - 1;
    assert_int_equal(find_tls(m), 0);
    m->span.to_ns++;
    assert_int_equal(find_tls(m), 1);
    expect(m, 0, "tls_client_pause", 1, 15);
}

/* ---- failures -------------------------------------------------------------------------------- */

static struct tw_failure failure_of(struct made *m)
{
    struct tw_failure failure;

    m->connection.past.row = TW_NO_ROW;
    for (int i = 0; i < 2; i++)
        m->connection.side[i].syn = true;
    tw_failures_find(&m->connection, &m->log, &m->exchanges, &m->explanation.vantage, &failure);
    return failure;
}

MADE_TEST(goaway_with_an_error_is_a_failure_of_its_sender, make(1))
{
    m->app.goaway[1] = true;
    assert_int_equal(failure_of(m).kind, TCPWHY_FAILURE_NONE);
    m->app.goaway_error[1] = 11;
    m->app.goaway_name[1] = "ENHANCE_YOUR_CALM";
    m->app.goaway_frame[1] = 19;
    m->app.goaway_ns[1] = TCPWHY_MS(70);
    m->app.unserved = 3;
    struct tw_failure failure = failure_of(m);
    assert_int_equal(failure.kind, TCPWHY_FAILURE_HTTP2_GOAWAY);
    assert_int_equal(failure.who, TCPWHY_BY_SERVER);
    assert_string_equal(failure.name, "ENHANCE_YOUR_CALM");
    assert_int_equal(failure.frames[0], 19);
    assert_int_equal(failure.after_ns, TCPWHY_MS(70));
    assert_int_equal(failure.clue[0].kind, TW_CLUE_UNSERVED);
}

MADE_TEST(a_stream_that_is_reset_is_a_failed_request, make(1))
{
    const struct tw_exchange_more more = { .id = 3 };

    m->exchanges.more = &more;
    m->exchange[1].more = 1;
    m->app.resets = (struct tw_stream_resets) {
        .n = 2, .frame = 17, .stream = 3, .at_ns = TCPWHY_MS(9), .error = "REFUSED_STREAM"
    };
    struct tw_failure failure = failure_of(m);
    assert_int_equal(failure.kind, TCPWHY_FAILURE_HTTP2_STREAM_RESET);
    assert_int_equal(failure.failed, TCPWHY_FAILED_REQUEST);
    assert_int_equal(failure.who, TCPWHY_BY_SERVER);
    assert_int_equal(failure.frames[1], 17);
    assert_int_equal(failure.clue[1].kind, TW_CLUE_REPEATABLE);
    m->exchange[1].response_to = 100;
    m->app.resets.by_asker = true;
    failure = failure_of(m);
    assert_int_equal(failure.failed, TCPWHY_FAILED_TRANSFER);
    assert_int_equal(failure.who, TCPWHY_BY_CLIENT);
}

/* The client closes 30 s behind the first part of an answer. */
MADE_TEST(who_cancelled_a_stream_does_not_wait_for_its_rest, make(1))
{
    struct tw_exchange_more more = { .id = 3, .detail = "RST_STREAM INTERNAL_ERROR" };
    struct tw_record *r = m->record;

    m->log.n = 5;
    r[2] = (struct tw_record) { .frame = 12, .from = TCPWHY_SERVER, .seq = 1, .len = 100 };
    r[3] = (struct tw_record) { .frame = 13, .flags = TW_ACK, .ack = 101 };
    r[4] = r[3];
    r[4].time_ns = TCPWHY_S(30);
    r[4].flags |= TW_FIN;
    m->exchanges.n = 1;
    m->exchanges.more = &more;
    m->exchange[0].framed = true;
    m->exchange[0].more = 1;
    m->exchange[0].response_to = 100;
    assert_int_equal(failure_of(m).kind, TCPWHY_FAILURE_CLIENT_GAVE_UP);
    more.detail = "RST_STREAM CANCEL";
    assert_int_equal(failure_of(m).kind, TCPWHY_FAILURE_NONE);
}

MADE_TEST(a_side_that_speaks_no_tls_is_a_failure_of_that_side, make(1))
{
    m->app.plain_frame = 17;
    assert_int_equal(failure_of(m).kind, TCPWHY_FAILURE_NOT_TLS);
    assert_int_equal(failure_of(m).who, TCPWHY_BY_SERVER);
    m->app.plain_by_asker = true;
    m->app.alert_frame = 17;
    assert_int_equal(failure_of(m).kind, TCPWHY_FAILURE_NOT_TLS);
    assert_int_equal(failure_of(m).who, TCPWHY_BY_CLIENT);
}
