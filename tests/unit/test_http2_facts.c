/* SPDX-License-Identifier: MIT */
/* What HTTP/2 tells of a connection itself, as facts of its stream. */
#include "base/array.h"
#include "base/text.h"
#include "tests/unit.h"

#include <glib.h>

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
    m->app.resets = 2;
    m->app.resets_frame = 18;
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
