/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "tests/unit.h"

#include "report/flow/flow.h"
#include "report/flow/flow_columns.h"

/* NOLINTBEGIN(clang-analyzer-core.NullDereference): cmocka's assertions do not return. */
#define MAX_STREAMS 8
#define MAX_RECORDS 16

/* Streams of a few frames each. */
struct made {
    struct tw_stream_row stream[MAX_STREAMS];
    struct tw_log log[MAX_STREAMS];
    struct tw_record records[MAX_STREAMS][MAX_RECORDS];
    struct tcpwhy_span span[MAX_STREAMS];
    struct tw_flow_source source[MAX_STREAMS];
    uint32_t n;
    struct tcpwhy_flow_options options;
    struct tw_flow flow;
    struct tw_flow_columns columns;
};

static struct tcpwhy_endpoint host(uint8_t last, uint16_t port)
{
    return (struct tcpwhy_endpoint) { .address = { 10, 0, 0, last }, .port = port, .version = 4 };
}

static uint32_t add_stream(struct made *m, struct tcpwhy_endpoint client,
                           struct tcpwhy_endpoint server)
{
    uint32_t i = m->n++;

    m->stream[i] = (struct tw_stream_row) { .stream = i, .client = client, .server = server };
    m->log[i].record = m->records[i];
    m->source[i] = (struct tw_flow_source) { &m->stream[i], &m->log[i] };
    return i;
}

static void add(struct made *m, uint32_t stream, uint32_t frame, enum tcpwhy_side from,
                enum tcpwhy_class frame_class)
{
    m->records[stream][m->log[stream].n++] =
        (struct tw_record) { .time_ns = TCPWHY_US(frame),
                             .frame = frame,
                             .len = frame_class == TCPWHY_CLASS_DATA ? 10 : 0,
                             .window_bytes = 1000,
                             .flags = frame_class == TCPWHY_CLASS_SYN ? TW_SYN : TW_ACK,
                             .from = (uint8_t)from,
                             .frame_class = (uint8_t)frame_class };
}

static void build(struct made *m, uint32_t max_columns)
{
    tw_flow_build_together(m->source, m->n, &m->options, &m->flow);
    tw_flow_columns_build(m->source, m->n, &m->flow, max_columns, &m->columns);
}

static void clear(struct made *m)
{
    tw_flow_columns_clear(&m->columns);
    tw_flow_clear(&m->flow);
}

static const struct tw_flow_row *row(const struct made *m, guint i)
{
    assert_true(i < m->flow.rows->len);
    return &tw_array_index(m->flow.rows, struct tw_flow_row, i);
}

TEST(frames_of_all_streams_stand_in_the_order_of_the_capture)
{
    struct made m = { 0 };
    uint32_t a = add_stream(&m, host(1, 5000), host(9, 80));
    uint32_t b = add_stream(&m, host(2, 5000), host(9, 80));

    add(&m, a, 1, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    add(&m, b, 2, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    add(&m, a, 3, TCPWHY_SERVER, TCPWHY_CLASS_SYN_ACK);
    add(&m, b, 4, TCPWHY_SERVER, TCPWHY_CLASS_SYN_ACK);
    build(&m, 10);
    assert_int_equal(m.flow.n_frames, 4);
    for (guint i = 0; i < 4; i++)
        assert_int_equal(row(&m, i)->first->frame, i + 1);
    assert_int_equal(row(&m, 1)->source, b);
    clear(&m);
}

TEST(hosts_are_columns_in_the_order_in_which_they_show)
{
    struct made m = { 0 };
    uint32_t a = add_stream(&m, host(1, 5000), host(9, 80));
    uint32_t b = add_stream(&m, host(2, 5000), host(9, 443));
    char name[TCPWHY_ENDPOINT_TEXT];

    add(&m, a, 1, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    add(&m, b, 2, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    build(&m, 10);
    assert_int_equal(m.columns.host->len, 3);
    assert_true(m.columns.together);
    assert_string_equal(tw_flow_column_name(&m.columns, 0, name), "10.0.0.1");
    assert_string_equal(tw_flow_column_name(&m.columns, 1, name), "10.0.0.9");
    assert_string_equal(tw_flow_column_name(&m.columns, 2, name), "10.0.0.2");
    assert_int_equal(m.columns.of[b][TCPWHY_SERVER], 1);
    clear(&m);
}

TEST(one_stream_has_its_ends_with_their_ports_client_left)
{
    struct made m = { 0 };
    uint32_t a = add_stream(&m, host(1, 5000), host(9, 80));
    char name[TCPWHY_ENDPOINT_TEXT];

    add(&m, a, 1, TCPWHY_SERVER, TCPWHY_CLASS_DATA);
    build(&m, 10);
    assert_false(m.columns.together);
    assert_string_equal(tw_flow_column_name(&m.columns, 0, name), "10.0.0.1:5000");
    assert_string_equal(tw_flow_column_name(&m.columns, 1, name), "10.0.0.9:80");
    clear(&m);
}

TEST(hosts_without_room_share_the_last_column)
{
    struct made m = { 0 };
    char name[TCPWHY_ENDPOINT_TEXT];

    for (uint8_t i = 1; i <= 5; i++)
        add(&m, add_stream(&m, host(i, 5000), host(9, 80)), i, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    build(&m, 3);
    assert_int_equal(m.columns.host->len, 3);
    assert_int_equal(m.columns.others, 4);
    assert_int_equal(tw_flow_columns_hosts(&m.columns), 6);
    assert_string_equal(tw_flow_column_name(&m.columns, 2, name), "4 more hosts");
    assert_int_equal(m.columns.of[4][TCPWHY_CLIENT], 2);
    clear(&m);
}

TEST(a_host_that_talks_to_itself_has_two_columns)
{
    struct made m = { 0 };
    uint32_t a = add_stream(&m, host(1, 5000), host(1, 80));
    uint32_t b = add_stream(&m, host(1, 5001), host(1, 80));

    add(&m, a, 1, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    add(&m, b, 2, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    build(&m, 10);
    assert_int_equal(m.columns.host->len, 2);
    assert_int_equal(m.columns.of[b][TCPWHY_SERVER], 1);
    clear(&m);
}

TEST(runs_do_not_reach_over_streams)
{
    struct made m = { 0 };
    uint32_t a = add_stream(&m, host(1, 5000), host(9, 80));
    uint32_t b = add_stream(&m, host(1, 5001), host(9, 80));

    for (uint32_t i = 0; i < 8; i++)
        add(&m, i < 4 ? a : b, i + 1, TCPWHY_SERVER, TCPWHY_CLASS_DATA);
    build(&m, 10);
    assert_int_equal(m.flow.rows->len, 2);
    assert_int_equal(row(&m, 0)->n, 4);
    clear(&m);
}

TEST(a_silence_in_which_one_stream_lost_time_is_its)
{
    struct made m = { 0 };
    uint32_t a = add_stream(&m, host(1, 5000), host(9, 80));
    uint32_t b = add_stream(&m, host(1, 5001), host(9, 80));

    add(&m, a, 1, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    add(&m, b, 2, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    add(&m, a, 80000, TCPWHY_CLIENT, TCPWHY_CLASS_DATA);
    add(&m, b, 80001, TCPWHY_CLIENT, TCPWHY_CLASS_DATA);
    m.span[a] = (struct tcpwhy_span) { .from_ns = TCPWHY_US(1),
                                       .to_ns = TCPWHY_US(80000),
                                       .cause = TCPWHY_CLIENT_IDLE };
    m.span[b] = (struct tcpwhy_span) { .from_ns = TCPWHY_US(2),
                                       .to_ns = TCPWHY_US(80001),
                                       .cause = TCPWHY_NAGLE_DELAYED_ACK };
    for (uint32_t i = 0; i < 2; i++) {
        m.stream[i].spans = &m.span[i];
        m.stream[i].n_spans = 1;
    }
    build(&m, 10);
    assert_int_equal(row(&m, 2)->kind, TW_FLOW_GAP);
    assert_int_equal(row(&m, 2)->source, b);
    assert_int_equal(row(&m, 2)->span->cause, TCPWHY_NAGLE_DELAYED_ACK);
    clear(&m);
}

TEST(duplicate_acks_and_repeated_syns_are_counted)
{
    struct made m = { 0 };
    uint32_t a = add_stream(&m, host(1, 5000), host(9, 80));

    add(&m, a, 1, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    add(&m, a, 2, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    add(&m, a, 3, TCPWHY_SERVER, TCPWHY_CLASS_SYN_ACK);
    add(&m, a, 4, TCPWHY_CLIENT, TCPWHY_CLASS_ACK);
    add(&m, a, 5, TCPWHY_CLIENT, TCPWHY_CLASS_DUPLICATE_ACK);
    add(&m, a, 6, TCPWHY_SERVER, TCPWHY_CLASS_DATA);
    add(&m, a, 7, TCPWHY_CLIENT, TCPWHY_CLASS_DUPLICATE_ACK);
    build(&m, 10);
    assert_int_equal(row(&m, 0)->nth, 0);
    assert_int_equal(row(&m, 1)->nth, 2);
    assert_int_equal(row(&m, 2)->nth, 0);
    assert_int_equal(row(&m, 4)->nth, 1);
    assert_int_equal(row(&m, 6)->nth, 2);
    clear(&m);
}

TEST(an_empty_selection_shows_nothing)
{
    struct made m = { .options = { .first_frame = 100 } };

    add(&m, add_stream(&m, host(1, 5000), host(9, 80)), 1, TCPWHY_CLIENT, TCPWHY_CLASS_SYN);
    build(&m, 10);
    assert_int_equal(m.flow.n_frames, 0);
    assert_int_equal(m.flow.rows->len, 0);
    clear(&m);
}

/* NOLINTEND(clang-analyzer-core.NullDereference) */
