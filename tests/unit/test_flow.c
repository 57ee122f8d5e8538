/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "tests/unit.h"

#include "report/flow/flow.h"

/* A stream with its log, made record by record. */
struct made {
    struct tw_stream_row stream;
    struct tw_log log;
    struct tcpwhy_flow_options options;
    struct tw_record records[256];
    struct tcpwhy_span spans[256];
    struct tcpwhy_exchange exchanges[8];
    struct tw_flow flow;
};

static void begin(struct made *m)
{
    *m = (struct made) { .stream = { .stream = 3 } };
    m->log.record = m->records;
    m->stream.spans = m->spans;
    m->stream.exchanges = m->exchanges;
}

/* A frame, that long after the one before it; the time between charged to a cause. */
static void add(struct made *m, enum tcpwhy_side from, enum tcpwhy_class frame_class, uint32_t len,
                tcpwhy_ns after_ns, enum tcpwhy_cause cause)
{
    tcpwhy_ns before_ns = m->log.n ? m->records[m->log.n - 1].time_ns : 0;

    if (m->log.n > 0)
        m->spans[m->stream.n_spans++] = (struct tcpwhy_span) { .from_ns = before_ns,
                                                               .to_ns = before_ns + after_ns,
                                                               .cause = cause,
                                                               .first_frame = m->log.n,
                                                               .last_frame = m->log.n + 1 };
    m->records[m->log.n] =
        (struct tw_record) { .time_ns = before_ns + after_ns,
                             .frame = m->log.n + 1,
                             .len = len,
                             .flags = frame_class == TCPWHY_CLASS_SYN ? TW_SYN : TW_ACK,
                             .window_bytes = 65536,
                             .from = (uint8_t)from,
                             .frame_class = (uint8_t)frame_class };
    m->log.n++;
}

static const struct tw_flow_row *row(const struct tw_flow *flow, guint i)
{
    assert_true(i < flow->rows->len);
    return &tw_array_index(flow->rows, struct tw_flow_row, i);
}

static void data(struct made *m, uint32_t len, tcpwhy_ns after_ns)
{
    add(m, TCPWHY_SERVER, TCPWHY_CLASS_DATA, len, after_ns, TCPWHY_WIRE);
}

static void ack(struct made *m)
{
    add(m, TCPWHY_CLIENT, TCPWHY_CLASS_ACK, 0, 1000, TCPWHY_WIRE);
}

static void build(struct made *m)
{
    tw_flow_build(&m->stream, &m->log, &m->options, &m->flow);
}

#define MADE_TEST(name, make) TEST_WITH(name, struct made, m, make, tw_flow_clear(&m->flow))

MADE_TEST(alike_segments_fold_with_the_acks_between_them, begin(m))
{
    data(m, 1448, 0);
    data(m, 1448, 1000);
    ack(m);
    data(m, 1000, 1000);
    ack(m);
    build(m);
    assert_int_equal(m->flow.rows->len, 1);
    assert_int_equal(row(&m->flow, 0)->kind, TW_FLOW_RUN);
    assert_int_equal(row(&m->flow, 0)->n, 3);
    assert_int_equal(row(&m->flow, 0)->bytes, 3896);
    assert_int_equal(row(&m->flow, 0)->n_acks, 2);
    assert_ptr_equal(row(&m->flow, 0)->last, &m->records[4]);
}

MADE_TEST(two_segments_do_not_fold, begin(m))
{
    data(m, 1448, 0);
    data(m, 1448, 1000);
    ack(m);
    build(m);
    assert_int_equal(m->flow.rows->len, 3);
}

MADE_TEST(unfolded_every_frame_has_its_row, begin(m))
{
    for (int i = 0; i < 10; i++)
        data(m, 1448, 1000);
    m->options.unfold = true;
    build(m);
    assert_int_equal(m->flow.rows->len, 10);
}

/* SYNs from the first, duplicate ACKs from the ACK before them. */
TEST(repeats_are_numbered)
{
    static const struct {
        enum tcpwhy_class frame_class;
        uint32_t nth;
    } frames[] = { { TCPWHY_CLASS_SYN, 0 },           { TCPWHY_CLASS_SYN, 2 },
                   { TCPWHY_CLASS_DUPLICATE_ACK, 1 }, { TCPWHY_CLASS_DUPLICATE_ACK, 2 },
                   { TCPWHY_CLASS_SYN, 3 },           { TCPWHY_CLASS_DUPLICATE_ACK, 1 },
                   { TCPWHY_CLASS_ACK, 0 },           { TCPWHY_CLASS_DUPLICATE_ACK, 1 },
                   { TCPWHY_CLASS_DUPLICATE_ACK, 2 }, { TCPWHY_CLASS_DUPLICATE_ACK, 3 } };
    struct tw_flow flow;
    struct made m;

    begin(&m);
    for (size_t i = 0; i < G_N_ELEMENTS(frames); i++)
        add(&m, TCPWHY_CLIENT, frames[i].frame_class, 0, 1000, TCPWHY_WIRE);
    m.options.unfold = true;
    tw_flow_build(&m.stream, &m.log, &m.options, &flow);
    assert_int_equal(flow.rows->len, G_N_ELEMENTS(frames));
    for (guint i = 0; i < flow.rows->len; i++)
        assert_int_equal(row(&flow, i)->nth, frames[i].nth);
    tw_flow_clear(&flow);
}

MADE_TEST(a_long_silence_is_a_gap_with_its_cause, begin(m))
{
    data(m, 100, 0);
    add(m, TCPWHY_SERVER, TCPWHY_CLASS_DATA, 100, TCPWHY_MS(40), TCPWHY_NAGLE_DELAYED_ACK);
    build(m);
    assert_int_equal(m->flow.rows->len, 3);
    assert_int_equal(row(&m->flow, 1)->kind, TW_FLOW_GAP);
    assert_int_equal(row(&m->flow, 1)->span->cause, TCPWHY_NAGLE_DELAYED_ACK);
}

MADE_TEST(a_silence_of_less_than_a_millisecond_is_none, begin(m))
{
    data(m, 100, 0);
    data(m, 100, TCPWHY_MS(1) - 1);
    build(m);
    assert_int_equal(m->flow.rows->len, 2);
}

MADE_TEST(retransmissions_fold_with_the_duplicate_acks_between_them, begin(m))
{
    for (int i = 0; i < 6; i++) {
        add(m, TCPWHY_SERVER, TCPWHY_CLASS_RETRANSMISSION, 1448, 1000, TCPWHY_LOSS_RECOVERY);
        add(m, TCPWHY_CLIENT, TCPWHY_CLASS_DUPLICATE_ACK, 0, 1000, TCPWHY_LOSS_RECOVERY);
    }
    build(m);
    assert_int_equal(m->flow.rows->len, 1);
    assert_int_equal(row(&m->flow, 0)->n, 6);
    assert_int_equal(row(&m->flow, 0)->n_acks, 6);
}

static void dup_ack(struct made *m)
{
    add(m, TCPWHY_CLIENT, TCPWHY_CLASS_DUPLICATE_ACK, 0, 1000, TCPWHY_WIRE);
}

/* The graph shows the detection of the loss, and the ACK of the retransmission. */
MADE_TEST(data_folds_with_the_duplicate_acks_behind_the_first, begin(m))
{
    for (int i = 0; i < 10; i++) {
        data(m, 1448, 1000);
        ack(m);
    }
    for (int i = 0; i < 40; i++) {
        dup_ack(m);
        data(m, 1448, 1000);
    }
    for (int i = 0; i < 3; i++) {
        ack(m);
        data(m, 1448, 1000);
    }
    build(m);
    assert_int_equal(m->flow.rows->len, 5);
    assert_int_equal(row(&m->flow, 0)->n_acks, 10);
    assert_int_equal(row(&m->flow, 0)->n_duplicates, 0);
    assert_int_equal(row(&m->flow, 1)->nth, 1);
    assert_int_equal(row(&m->flow, 2)->kind, TW_FLOW_RUN);
    assert_int_equal(row(&m->flow, 2)->n, 40);
    assert_int_equal(row(&m->flow, 2)->n_duplicates, 39);
    assert_int_equal(row(&m->flow, 2)->nth_duplicate, 2);
    assert_int_equal(row(&m->flow, 3)->first->frame_class, TCPWHY_CLASS_ACK);
    assert_int_equal(row(&m->flow, 4)->n, 3);
}

MADE_TEST(folded_duplicate_acks_keep_their_numbers, begin(m))
{
    ack(m);
    for (int i = 0; i < 7; i++)
        dup_ack(m);
    add(m, TCPWHY_SERVER, TCPWHY_CLASS_RETRANSMISSION, 1448, 1000, TCPWHY_LOSS_RECOVERY);
    dup_ack(m);
    build(m);
    assert_int_equal(m->flow.rows->len, 4);
    assert_int_equal(row(&m->flow, 1)->n, 7);
    assert_int_equal(row(&m->flow, 1)->nth, 1);
    assert_int_equal(row(&m->flow, 3)->nth, 8);
}

/* A window of 0 is what the reader looks for. */
MADE_TEST(an_ack_that_closes_the_window_does_not_fold, begin(m))
{
    for (int i = 0; i < 6; i++) {
        data(m, 1448, 1000);
        ack(m);
        if (i == 3)
            m->records[m->log.n - 1].window_bytes = 0;
    }
    build(m);
    assert_int_equal(row(&m->flow, 0)->n, 4);
    assert_ptr_equal(row(&m->flow, 1)->first, &m->records[7]);
}

MADE_TEST(a_long_transfer_that_folds_to_nothing_is_shown_around_its_longest_wait, begin(m))
{
    add(m, TCPWHY_CLIENT, TCPWHY_CLASS_DATA, 10, 0, TCPWHY_WIRE);
    for (int i = 0; i < 250; i++)
        add(m, TCPWHY_SERVER, TCPWHY_CLASS_DATA, 1448, i % 2 ? 1000 : TCPWHY_MS(20) + i,
            i % 2 ? TCPWHY_WIRE : TCPWHY_SEND_BUFFER_LIMITED);
    m->stream.verdict.cause = TCPWHY_SEND_BUFFER_LIMITED;
    m->stream.n_exchanges = 1;
    m->exchanges[0] = (struct tcpwhy_exchange) {
        .request_frame = 1, .request_last_frame = 1, .response_frame = 2, .response_last_frame = 201
    };
    build(m);
    assert_int_equal(m->flow.part, TW_FLOW_SPAN);
    assert_null(m->flow.exchange);
    assert_true(m->flow.rows->len >= 5);
}

/* One span of the verdict: 95 times two segments and a silence, one of which is longest. */
MADE_TEST(a_long_wait_shows_its_most_important_rows, begin(m))
{
    guint longest = 0;

    for (int i = 0; i < 190; i++)
        data(m, 1448, i % 2 ? 1000 : TCPWHY_MS(i == 150 ? 72 : 70));
    m->stream.n_spans = 1;
    m->spans[0] = (struct tcpwhy_span) { .to_ns = m->records[189].time_ns,
                                         .cause = TCPWHY_RECEIVE_WINDOW_LIMITED,
                                         .first_frame = 1,
                                         .last_frame = 190 };
    m->stream.verdict.cause = TCPWHY_RECEIVE_WINDOW_LIMITED;
    build(m);
    assert_int_equal(m->flow.part, TW_FLOW_SPAN);
    assert_in_range(m->flow.rows->len, 50, 90);
    assert_ptr_equal(row(&m->flow, m->flow.rows->len - 1)->last, &m->records[189]);
    while (row(&m->flow, longest)->last != &m->records[150])
        longest++;
    assert_int_equal(row(&m->flow, longest)->kind, TW_FLOW_GAP);
    tw_flow_clear(&m->flow);
    m->options.max_rows = 100;
    build(m);
    assert_in_range(m->flow.rows->len, 101, 102);
}

MADE_TEST(a_gap_parts_a_run, begin(m))
{
    for (int i = 0; i < 6; i++)
        data(m, 1448, i == 3 ? TCPWHY_MS(30) : 1000);
    build(m);
    assert_int_equal(m->flow.rows->len, 3);
    assert_int_equal(row(&m->flow, 0)->kind, TW_FLOW_RUN);
    assert_int_equal(row(&m->flow, 1)->kind, TW_FLOW_GAP);
    assert_int_equal(row(&m->flow, 2)->n, 3);
}

/* Twenty exchanges of four frames; the eighth loses 40 ms. */
static void make_exchanges(struct made *m)
{
    begin(m);
    for (int i = 0; i < 20; i++) {
        add(m, TCPWHY_CLIENT, TCPWHY_CLASS_DATA, 40, TCPWHY_MS(2), TCPWHY_CLIENT_IDLE);
        add(m, TCPWHY_SERVER, TCPWHY_CLASS_DATA, 200, 1000, TCPWHY_WIRE);
        add(m, TCPWHY_SERVER, TCPWHY_CLASS_DATA, 600, i == 7 ? TCPWHY_MS(40) : 1000,
            i == 7 ? TCPWHY_NAGLE_DELAYED_ACK : TCPWHY_WIRE);
        ack(m);
    }
    for (uint32_t i = 0; i < 8; i++)
        m->exchanges[i] = (struct tcpwhy_exchange) { .request_frame = 4 * i + 1,
                                                     .request_last_frame = 4 * i + 1,
                                                     .response_frame = 4 * i + 2,
                                                     .response_last_frame = 4 * i + 3 };
    m->stream.n_exchanges = 8;
}

MADE_TEST(a_long_stream_shows_the_exchange_that_lost_most, make_exchanges(m))
{
    build(m);
    assert_int_equal(m->flow.part, TW_FLOW_EXCHANGE);
    assert_int_equal(m->flow.exchange_index, 7);
    assert_int_equal(m->records[m->flow.first].frame, 29);
    assert_int_equal(m->flow.end - m->flow.first, 4);
}

MADE_TEST(without_exchanges_the_longest_wait_is_shown, make_exchanges(m))
{
    m->stream.n_exchanges = 0;
    m->stream.verdict.cause = TCPWHY_NAGLE_DELAYED_ACK;
    build(m);
    assert_int_equal(m->flow.part, TW_FLOW_SPAN);
    assert_true(m->records[m->flow.first].frame < 30);
    assert_true(m->records[m->flow.end - 1].frame > 31);
    assert_true(m->flow.end - m->flow.first < 50);
}

MADE_TEST(exchanges_that_name_no_frames_are_not_shown, make_exchanges(m))
{
    for (int i = 0; i < 8; i++)
        m->exchanges[i] = (struct tcpwhy_exchange) { .request_frame = 4000000000u };
    build(m);
    assert_int_equal(m->flow.part, TW_FLOW_WHOLE);
}

MADE_TEST(frames_and_times_asked_for_are_shown, make_exchanges(m))
{
    m->options.first_frame = 10;
    m->options.last_frame = 12;
    build(m);
    assert_int_equal(m->flow.part, TW_FLOW_ASKED);
    assert_int_equal(m->flow.first, 9);
    assert_int_equal(m->flow.end, 12);
    tw_flow_clear(&m->flow);
    m->options = (struct tcpwhy_flow_options) { .from_ns = TCPWHY_S(100) };
    build(m);
    assert_int_equal(m->flow.rows->len, 0);
    assert_true(m->flow.first == m->flow.end);
}

MADE_TEST(rows_are_bounded_and_what_is_left_out_is_told, make_exchanges(m))
{
    m->options.whole = true;
    m->options.max_rows = 10;
    build(m);
    assert_in_range(m->flow.rows->len, 11, 12);
    assert_int_equal(row(&m->flow, m->flow.rows->len - 1)->kind, TW_FLOW_CUT);
    assert_ptr_equal(row(&m->flow, m->flow.rows->len - 1)->last, &m->records[79]);
}

MADE_TEST(a_log_without_records_has_no_rows, begin(m))
{
    build(m);
    assert_int_equal(m->flow.rows->len, 0);
}
