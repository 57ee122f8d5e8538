/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/counts.h"
#include "tests/unit.h"

#include <string.h>

#include "report/series/series.h"

#define MAX_RECORDS 64

/* A stream with its log, made record by record: the server sends, the client acknowledges. */
struct made {
    struct tw_stream_row stream;
    struct tw_log log;
    struct tw_record records[MAX_RECORDS];
    struct tw_range sack[8];
    struct tcpwhy_span spans[8];
    struct tcpwhy_graph_options options;
    struct tw_series series;
};

static void begin(struct made *m)
{
    memset(m, 0, sizeof(*m));
    m->log.record = m->records;
    m->log.sack = m->sack;
    m->stream.spans = m->spans;
    m->options.from = TCPWHY_PARTY_SERVER;
}

static struct tw_record *add(struct made *m, enum tcpwhy_side from, tcpwhy_ns at_ns)
{
    struct tw_record *r = &m->records[m->log.n++];

    assert_true(m->log.n <= MAX_RECORDS);
    *r = (struct tw_record) { .time_ns = at_ns,
                              .frame = m->log.n,
                              .flags = TW_ACK,
                              .from = (uint8_t)from,
                              .window_bytes = (uint32_t)TW_WINDOW_UNKNOWN };
    m->stream.duration_ns = at_ns;
    return r;
}

static struct tw_record *data(struct made *m, tcpwhy_ns at_ns, int64_t seq, uint32_t len)
{
    struct tw_record *r = add(m, TCPWHY_SERVER, at_ns);

    r->seq = seq;
    r->len = len;
    r->frame_class = TCPWHY_CLASS_DATA;
    return r;
}

static struct tw_record *ack(struct made *m, tcpwhy_ns at_ns, int64_t offset, uint32_t window_bytes)
{
    struct tw_record *r = add(m, TCPWHY_CLIENT, at_ns);

    r->ack = offset;
    r->window_bytes = window_bytes;
    r->frame_class = TCPWHY_CLASS_ACK;
    return r;
}

static void build(struct made *m, enum tcpwhy_graph graph)
{
    tw_series_build(&m->stream, &m->log, graph, &m->options, &m->series);
}

static const tw_array *points(const struct made *m, enum tw_role role)
{
    for (unsigned i = 0; i < m->series.n_curves; i++)
        if (m->series.curve[i].role == role)
            return m->series.curve[i].points;
    fail_msg("there is no curve of role %d", (int)role);
    return NULL;
}

static const struct tw_point *point(const struct made *m, enum tw_role role, guint i)
{
    const tw_array *all = points(m, role);

    assert_true(i < all->len);
    return &tw_array_index(all, struct tw_point, i);
}

#define MADE_TEST(name) TEST_WITH(name, struct made, m, begin(m), tw_series_clear(&m->series))

MADE_TEST(segments_are_bars_and_repairs_are_apart)
{
    data(m, 0, 1, 1000);
    data(m, 10, 1001, 1000);
    data(m, 20, 1, 1000)->frame_class = TCPWHY_CLASS_RETRANSMISSION;
    build(m, TCPWHY_GRAPH_SEQUENCE);
    assert_int_equal(points(m, TW_ROLE_DATA)->len, 2);
    assert_int_equal(point(m, TW_ROLE_DATA, 1)->low, 1001);
    assert_int_equal(point(m, TW_ROLE_DATA, 1)->high, 2001);
    assert_int_equal(points(m, TW_ROLE_RETRANSMISSION)->len, 1);
    assert_int_equal(point(m, TW_ROLE_RETRANSMISSION, 0)->frame, 3);
}

MADE_TEST(syn_and_fin_take_a_bar_of_one_each)
{
    data(m, 0, 0, 0)->flags = TW_SYN | TW_ACK;
    data(m, 10, 1, 500)->flags = TW_FIN | TW_ACK;
    build(m, TCPWHY_GRAPH_SEQUENCE);
    assert_int_equal(points(m, TW_ROLE_DATA)->len, 3);
    assert_int_equal(point(m, TW_ROLE_DATA, 0)->high, 1);
    assert_int_equal(point(m, TW_ROLE_DATA, 1)->high, 501);
    assert_int_equal(point(m, TW_ROLE_DATA, 2)->low, 501);
    assert_int_equal(point(m, TW_ROLE_DATA, 2)->high, 502);
}

MADE_TEST(acks_the_windows_edge_and_sack_blocks_are_of_the_other_side)
{
    data(m, 0, 1, 1000);
    struct tw_record *r = ack(m, 10, 1, 5000);
    r->n_sack = 1;
    m->sack[0] = (struct tw_range) { 501, 1001 };
    m->log.n_sack = 1;
    ack(m, 20, 1001, (uint32_t)TW_WINDOW_UNKNOWN);
    build(m, TCPWHY_GRAPH_SEQUENCE);
    assert_int_equal(points(m, TW_ROLE_ACK)->len, 2);
    assert_int_equal(points(m, TW_ROLE_EDGE)->len, 1);
    assert_int_equal(point(m, TW_ROLE_EDGE, 0)->low, 5001);
    assert_int_equal(point(m, TW_ROLE_SACK, 0)->low, 501);
    assert_int_equal(point(m, TW_ROLE_SACK, 0)->high, 1001);
}

MADE_TEST(flight_grows_with_data_and_shrinks_with_acks)
{
    data(m, 0, 1, 1000);
    data(m, 10, 1001, 1000);
    ack(m, 20, 1001, 8000);
    build(m, TCPWHY_GRAPH_INFLIGHT);
    assert_int_equal(point(m, TW_ROLE_FLIGHT, 1)->high, 2000);
    assert_int_equal(point(m, TW_ROLE_FLIGHT, 2)->high, 1000);
    assert_int_equal(point(m, TW_ROLE_WINDOW, 0)->high, 8000);
}

MADE_TEST(flight_is_seen_as_the_sender_sees_it)
{
    /* At the receiver the ACK follows at once; at the sender, 5 ms away, 10 ms lie between. */
    m->stream.way_ns[TCPWHY_SERVER] = TCPWHY_MS(5);
    m->stream.start_ns = 0;
    data(m, TCPWHY_MS(20), 1, 1000);
    ack(m, TCPWHY_MS(20) + 1, 1001, 8000);
    data(m, TCPWHY_MS(22), 1001, 1000);
    add(m, TCPWHY_CLIENT, TCPWHY_MS(60));
    build(m, TCPWHY_GRAPH_INFLIGHT);
    assert_int_equal(point(m, TW_ROLE_FLIGHT, 0)->time_ns, TCPWHY_MS(15));
    assert_int_equal(point(m, TW_ROLE_FLIGHT, 1)->high, 2000);
    assert_int_equal(point(m, TW_ROLE_FLIGHT, 2)->time_ns, TCPWHY_MS(25) + 1);
}

MADE_TEST(an_ack_of_what_the_capture_lacks_leaves_no_negative_flight)
{
    data(m, 0, 1, 1000);
    ack(m, 10, 9001, 8000);
    build(m, TCPWHY_GRAPH_INFLIGHT);
    assert_int_equal(point(m, TW_ROLE_FLIGHT, 1)->high, 0);
}

MADE_TEST(the_ceiling_is_the_highest_flight_while_the_send_buffer_was_the_limit)
{
    for (int i = 0; i < 5; i++) {
        data(m, i * 100, 1 + i * 2000, 2000);
        ack(m, i * 100 + 50, 2001 + i * 2000, 60000);
    }
    build(m, TCPWHY_GRAPH_INFLIGHT);
    assert_int_equal(m->series.ceiling.value, 0);
    tw_series_clear(&m->series);
    m->stream.n_spans = 1;
    m->spans[0] = (struct tcpwhy_span) {
        .from_ns = 0, .to_ns = 450, .cause = TCPWHY_SEND_BUFFER_LIMITED, .from = TCPWHY_SERVER
    };
    build(m, TCPWHY_GRAPH_INFLIGHT);
    assert_int_equal(m->series.ceiling.value, 2000);
    assert_int_equal(m->series.ceiling.cause, TCPWHY_SEND_BUFFER_LIMITED);
}

MADE_TEST(a_closed_window_and_its_probes_are_marked)
{
    data(m, 0, 1, 1000);
    ack(m, 10, 1001, 0);
    data(m, 20, 1000, 0)->frame_class = TCPWHY_CLASS_WINDOW_PROBE;
    ack(m, 30, 1001, 4000);
    build(m, TCPWHY_GRAPH_WINDOW);
    assert_int_equal(points(m, TW_ROLE_ZERO_WINDOW)->len, 1);
    assert_int_equal(point(m, TW_ROLE_ZERO_WINDOW, 0)->frame, 2);
    assert_int_equal(point(m, TW_ROLE_PROBE, 0)->frame, 3);
    assert_int_equal(point(m, TW_ROLE_WINDOW, 1)->high, 4000);
    assert_int_equal(m->series.ceiling.value, 0);
}

MADE_TEST(without_window_scaling_64_kib_are_the_ceiling)
{
    add(m, TCPWHY_CLIENT, 0)->flags = TW_SYN;
    m->records[0].options = TW_OPT_WSCALE;
    data(m, 10, 0, 0)->flags = TW_SYN | TW_ACK;
    ack(m, 20, 1, 65535);
    build(m, TCPWHY_GRAPH_WINDOW);
    assert_int_equal(m->series.ceiling.value, 65535);
    tw_series_clear(&m->series);
    m->records[1].options = TW_OPT_WSCALE;
    build(m, TCPWHY_GRAPH_WINDOW);
    assert_int_equal(m->series.ceiling.value, 0);
}

MADE_TEST(throughput_counts_repairs_and_goodput_does_not)
{
    m->options.interval_ns = TCPWHY_S(1);
    data(m, 0, 1, 1000);
    ack(m, TCPWHY_MS(1), 1, 8000);
    data(m, TCPWHY_MS(500), 1, 1000)->frame_class = TCPWHY_CLASS_RETRANSMISSION;
    ack(m, TCPWHY_MS(600), 1001, 8000);
    data(m, TCPWHY_MS(1500), 1001, 500);
    ack(m, TCPWHY_S(2), 1501, 8000);
    build(m, TCPWHY_GRAPH_THROUGHPUT);
    assert_int_equal(m->series.interval_ns, TCPWHY_S(1));
    assert_int_equal(point(m, TW_ROLE_SENT, 0)->high, 16000);
    assert_int_equal(point(m, TW_ROLE_ACKED, 0)->high, 8000);
    assert_int_equal(point(m, TW_ROLE_SENT, 1)->high, 4000);
    assert_int_equal(point(m, TW_ROLE_ACKED, 1)->high, 4000);
    /* And one to hold the last rate to the end. */
    assert_int_equal(points(m, TW_ROLE_SENT)->len, 3);
}

MADE_TEST(a_short_interval_over_a_long_life_is_lengthened)
{
    m->options.interval_ns = 1;
    data(m, 0, 1, 1000);
    ack(m, TCPWHY_S(86400), 1001, 8000);
    build(m, TCPWHY_GRAPH_THROUGHPUT);
    assert_true(points(m, TW_ROLE_SENT)->len <= 100002);
}

MADE_TEST(a_round_trip_ends_at_the_first_ack_that_covers_the_segment)
{
    m->stream.way_ns[TCPWHY_SERVER] = TCPWHY_MS(1);
    data(m, 0, 1, 1000);
    data(m, TCPWHY_MS(2), 1001, 1000);
    ack(m, TCPWHY_MS(20), 2001, 8000);
    ack(m, TCPWHY_MS(30), 2001, 8000);
    add(m, TCPWHY_CLIENT, TCPWHY_MS(90));
    build(m, TCPWHY_GRAPH_RTT);
    assert_int_equal(points(m, TW_ROLE_RTT)->len, 1);
    assert_int_equal(point(m, TW_ROLE_RTT, 0)->high, TCPWHY_MS(18 + 2));
    assert_int_equal(point(m, TW_ROLE_RTT, 0)->time_ns, TCPWHY_MS(20 + 1));
}

MADE_TEST(a_retransmitted_segment_times_no_round_trip)
{
    data(m, 0, 1, 1000);
    data(m, TCPWHY_MS(1), 1001, 1000);
    data(m, TCPWHY_MS(50), 1, 1000)->frame_class = TCPWHY_CLASS_RETRANSMISSION;
    /* It covers the second segment too, which waited for the repair. */
    ack(m, TCPWHY_MS(70), 2001, 8000);
    data(m, TCPWHY_MS(71), 2001, 1000);
    ack(m, TCPWHY_MS(91), 3001, 8000);
    build(m, TCPWHY_GRAPH_RTT);
    assert_int_equal(points(m, TW_ROLE_RTT)->len, 1);
    assert_int_equal(point(m, TW_ROLE_RTT, 0)->high, TCPWHY_MS(20));
}

/* At the receiver, which did not see what was lost. */
MADE_TEST(data_behind_a_hole_times_no_round_trip)
{
    data(m, 0, 1, 1000);
    ack(m, TCPWHY_MS(1), 1001, 8000);
    data(m, TCPWHY_MS(2), 2001, 1000);
    ack(m, TCPWHY_MS(3), 1001, 8000);
    data(m, TCPWHY_MS(400), 1001, 1000)->frame_class = TCPWHY_CLASS_RETRANSMISSION;
    ack(m, TCPWHY_MS(401), 3001, 8000);
    data(m, TCPWHY_MS(402), 3001, 1000);
    data(m, TCPWHY_MS(403), 1001, 1000)->frame_class = TCPWHY_CLASS_RETRANSMISSION;
    ack(m, TCPWHY_MS(404), 4001, 8000); /* that one fills none */
    build(m, TCPWHY_GRAPH_RTT);
    assert_int_equal(points(m, TW_ROLE_RTT)->len, 2);
    assert_int_equal(point(m, TW_ROLE_RTT, 0)->high, TCPWHY_MS(1));
    assert_int_equal(point(m, TW_ROLE_RTT, 1)->high, TCPWHY_MS(2));
}

MADE_TEST(a_range_starts_with_the_value_valid_at_its_start)
{
    data(m, 0, 1, 1000);
    ack(m, TCPWHY_MS(10), 1, 5000);
    ack(m, TCPWHY_MS(30), 1001, 6000);
    ack(m, TCPWHY_MS(50), 1001, 7000);
    m->options.from_ns = TCPWHY_MS(20);
    m->options.to_ns = TCPWHY_MS(40);
    build(m, TCPWHY_GRAPH_WINDOW);
    assert_int_equal(points(m, TW_ROLE_WINDOW)->len, 2);
    assert_int_equal(point(m, TW_ROLE_WINDOW, 0)->time_ns, TCPWHY_MS(20));
    assert_int_equal(point(m, TW_ROLE_WINDOW, 0)->high, 5000);
    assert_int_equal(point(m, TW_ROLE_WINDOW, 1)->high, 6000);
}

MADE_TEST(by_default_the_side_that_sent_more_is_drawn)
{
    data(m, 0, 1, 10);
    m->options.from = TCPWHY_PARTY_NONE;
    m->stream.bytes_to_server = 11;
    m->stream.bytes_to_client = 10;
    build(m, TCPWHY_GRAPH_SEQUENCE);
    assert_int_equal(m->series.from, TCPWHY_CLIENT);
}

TEST(a_stream_of_one_frame_has_series_too)
{
    struct made m;

    begin(&m);
    add(&m, TCPWHY_CLIENT, 0)->flags = TW_SYN;
    for (int g = 0; g < TW_N_GRAPHS; g++) {
        build(&m, (enum tcpwhy_graph)g);
        tw_series_clear(&m.series);
    }
}
