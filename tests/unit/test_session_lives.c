/* SPDX-License-Identifier: MIT */
/* When streams are told: when they are over, in parts within the bound, again with late frames. */
#include "tests/unit/session_wire.h"

/* FINs of both sides, acknowledged: 3 frames. */
static int close_it(tcpwhy_session *s, int64_t ms, unsigned port)
{
    push(s, ms, port, true, 101, 101, TW_FIN | TW_ACK, 0);
    push(s, ms + 10, port, false, 101, 102, TW_FIN | TW_ACK, 0);
    return push(s, ms + 11, port, true, 102, 102, TW_ACK, 0);
}

static tcpwhy_ns ledger_sum(const struct tw_stream_row *stream)
{
    tcpwhy_ns sum = 0;

    for (size_t i = 0; i < stream->n_ledger; i++)
        sum += stream->ledger[i].ns;
    return sum;
}

TEST(a_stream_is_told_when_it_is_over)
{
    struct told told = { 0 };
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_stream = on_stream,
                                                .user = &told };
    struct tcpwhy_options options = { .struct_size = sizeof options, .callbacks = &callbacks };
    tcpwhy_session *s = start(&options);

    ask(s, 0, 40000);
    close_it(s, 1000, 40000);
    ask(s, 60000, 40001);
    assert_int_equal(told.streams, 0);
    push(s, 61012, 40001, true, 101, 101, TW_ACK, 0);
    assert_int_equal(told.streams, 1);
    assert_int_equal(told.last_frames, 10);
    tcpwhy_session_free(s);
}

static bool take_first(void *user, const struct tw_stream_row *stream)
{
    *(struct tw_stream_row *)user = *stream;
    return false;
}

/* Copy the first row; its ledger is not valid afterwards. */
static void visit_first(const tcpwhy_report *report, struct tw_stream_row *out)
{
    *out = (struct tw_stream_row) { .stream = UINT32_MAX };
    tw_report_visit_streams(report, take_first, out);
    assert_int_equal(out->stream, 0);
}

TEST(late_frames_join_what_was_told)
{
    struct tw_stream_row seen;
    struct told told = { 0 };
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_stream = on_stream,
                                                .user = &told };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .keep_exchanges = true,
                                      .keep_spans = true,
                                      .callbacks = &callbacks };
    tcpwhy_session *s = start(&options);
    tcpwhy_report *report;
    size_t n;

    ask(s, 0, 40000);
    close_it(s, 1000, 40000);
    ask(s, 70000, 40001);
    assert_int_equal(told.streams, 1);
    push(s, 90000, 40000, false, 101, 102, TW_FIN | TW_ACK, 0);
    push(s, 90001, 40000, true, 102, 102, TW_ACK, 0);
    assert_int_equal(tcpwhy_session_snapshot(s, &report), 0);
    visit_first(report, &seen);
    assert_int_equal(seen.frames, 12);
    assert_int_equal(seen.n_exchanges, 1);
    const struct tw_stream_row *stream = tw_report_streams(report, &n);
    assert_int_equal(stream->frames, 12);
    visit_first(report, &seen);
    assert_int_equal(seen.frames, 12);
    assert_ptr_equal(seen.exchanges, stream->exchanges);
    tcpwhy_report_free(report);
    report = finish(s);
    stream = tw_report_streams(report, &n);
    assert_int_equal(n, 2);
    assert_int_equal(stream->stream, 0);
    assert_int_equal(stream->frames, 12);
    assert_int_equal(stream->last_frame, 19);
    assert_int_equal(stream->retransmissions, 1);
    assert_int_equal(stream->duration_ns, TCPWHY_MS(90001));
    assert_int_equal(ledger_sum(stream), stream->duration_ns);
    assert_int_equal(stream->bytes_to_server, 100);
    assert_int_equal(stream->n_exchanges, 1);
    assert_int_equal(stream->spans[stream->n_spans - 1].cause, TCPWHY_CLOSE);
    assert_int_equal(stream->spans[stream->n_spans - 1].from_ns, TCPWHY_MS(1000));
    assert_int_equal(stream->spans[stream->n_spans - 1].to_ns, TCPWHY_MS(90001));
    assert_int_equal(stream->spans[stream->n_spans - 1].last_frame, 19);
    assert_int_equal(tw_report_listeners(report, &n)->connections, 2);
    assert_int_equal(tw_report_capture(report)->streams, 2);
    tcpwhy_report_free(report);
}

TEST(data_after_the_end_is_explained_too)
{
    tcpwhy_session *s = start(NULL);
    size_t n;

    ask(s, 0, 40000);
    push(s, 1000, 40000, false, 101, 101, TW_RST, 0); /* forged: it goes on */
    ask(s, 70000, 40001);
    push(s, 80000, 40000, true, 101, 101, TW_PSH | TW_ACK, 100);
    push(s, 80700, 40000, false, 101, 201, TW_PSH | TW_ACK, 100);
    push(s, 80701, 40000, true, 201, 201, TW_ACK, 0);
    g_autoptr(tcpwhy_report) report = finish(s);
    const struct tw_stream_row *stream = tw_report_streams(report, &n);
    assert_int_equal(n, 2);
    assert_int_equal(stream->latency.count, 2);
    assert_int_equal(stream->bytes_to_client, 200);
    assert_int_equal(stream->duration_ns, TCPWHY_MS(80701));
    assert_int_equal(ledger_sum(stream), stream->duration_ns);
}

TEST(a_port_used_anew_ends_what_was_there)
{
    struct told told = { 0 };
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_stream = on_stream,
                                                .user = &told };
    struct tcpwhy_options options = { .struct_size = sizeof options, .callbacks = &callbacks };
    tcpwhy_session *s = start(&options);

    ask(s, 0, 40000);
    push(s, 2000, 40000, true, 5000, 0, TW_SYN, 0);
    assert_int_equal(told.streams, 1);
    assert_int_equal(told.last_stream, 0);
    tcpwhy_session_free(s);
}

static const struct tcpwhy_quality *quality(const tcpwhy_report *report, const char *fact)
{
    const struct tw_capture_row *c = tw_report_capture(report);

    for (size_t i = 0; i < c->n_quality; i++)
        if (strcmp(c->quality[i].fact, fact) == 0)
            return &c->quality[i];
    return NULL;
}

/* 16 MiB, the least, hold about 44,000 records with what explaining them takes. */
TEST(a_long_connection_is_told_in_parts_within_the_bound)
{
    struct tcpwhy_options options = { .struct_size = sizeof options, .memory_bytes = 1 };
    tcpwhy_session *s = start(&options);
    uint32_t n_pieces = 60000;
    size_t n;

    ask(s, 0, 40000);
    for (uint32_t i = 0; i < n_pieces; i++)
        push(s, 1000 + i, 40000, true, 101 + 10 * i, 101, TW_ACK, 10);
    g_autoptr(tcpwhy_report) report = finish(s);
    const struct tw_stream_row *stream = tw_report_streams(report, &n);
    assert_int_equal(n, 1);
    assert_int_equal(stream->frames, 7 + n_pieces);
    assert_int_equal(stream->bytes_to_server, 100 + 10 * n_pieces);
    assert_int_equal(ledger_sum(stream), stream->duration_ns);
    assert_non_null(quality(report, "memory_split"));
    assert_true(quality(report, "memory_split")->count > 1);
}

TEST(the_rows_that_lost_most_are_kept)
{
    struct tcpwhy_options options = { .struct_size = sizeof options, .keep_streams = 2 };
    tcpwhy_session *s = start(&options);
    size_t n;

    for (unsigned i = 0; i < 3000; i++) {
        if (i == 100 || i == 2900)
            ask(s, 10 * i, 20000 + i);
        else
            push(s, 10 * i, 20000 + i, true, 0, 0, TW_SYN, 0);
    }
    g_autoptr(tcpwhy_report) report = finish(s);
    const struct tw_stream_row *stream = tw_report_streams(report, &n);
    assert_int_equal(n, 2);
    assert_int_equal(stream[0].stream, 100);
    assert_int_equal(stream[1].stream, 2900);
    assert_int_equal(tw_report_capture(report)->streams, 3000);
}
