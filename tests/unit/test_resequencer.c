/* SPDX-License-Identifier: MIT */
/* Frames that stand in another order than they passed: which of them are put back, and when not. */
#include "tests/unit/session_wire.h"

#include <glib.h>

#define N_FRAMES 40

/* A capture as it is written: times in microseconds. */
struct capture {
    struct tcpwhy_packet packet[N_FRAMES];
    uint8_t bytes[N_FRAMES][HEADERS + 200];
    unsigned n;
};

static void add(struct capture *c, int64_t us, bool up, uint32_t seq, uint32_t ack, uint8_t flags,
                unsigned len)
{
    uint8_t *bytes = c->bytes[c->n];
    uint32_t length = (uint32_t)packet(bytes, 40000, up, seq, ack, flags, len);

    c->packet[c->n++] = (struct tcpwhy_packet) { .struct_size = sizeof(struct tcpwhy_packet),
                                                 .link_type = RAW_IP,
                                                 .time_ns = TCPWHY_S(1000000) + TCPWHY_US(us),
                                                 .captured_len = length,
                                                 .original_len = length,
                                                 .bytes = bytes };
}

static tcpwhy_report *read_with(const struct capture *c, struct tcpwhy_options *options)
{
    tcpwhy_session *s;

    options->struct_size = sizeof *options;
    options->keep_spans = options->keep_exchanges = true;
    s = start(options);
    for (unsigned i = 0; i < c->n; i++)
        assert_int_equal(tcpwhy_session_push(s, &c->packet[i]), 0);
    return finish(s);
}

static tcpwhy_report *read_all(const struct capture *c)
{
    struct tcpwhy_options options = { 0 };

    return read_with(c, &options);
}

static uint64_t quality(const tcpwhy_report *report, const char *fact)
{
    const struct tw_capture_row *capture = tw_report_capture(report);

    for (size_t i = 0; i < capture->n_quality; i++)
        if (strcmp(capture->quality[i].fact, fact) == 0)
            return capture->quality[i].count;
    return 0;
}

static const struct tw_stream_row *only_stream(const tcpwhy_report *report)
{
    size_t n;
    const struct tw_stream_row *streams = tw_report_streams(report, &n);

    assert_int_equal(n, 1);
    return streams;
}

static tcpwhy_ns charged(const tcpwhy_report *report, enum tcpwhy_cause cause)
{
    const struct tw_stream_row *stream = only_stream(report);
    tcpwhy_ns sum = 0;

    for (size_t i = 0; i < stream->n_ledger; i++)
        sum += stream->ledger[i].cause == cause ? stream->ledger[i].ns : 0;
    return sum;
}

/* The server takes 50 ms to answer; what the server sends is written late. */
static void add_question(struct capture *c, int64_t us, uint32_t asked, uint32_t answered)
{
    add(c, us, true, asked, answered, TW_PSH | TW_ACK, 100);
    add(c, us + 52000, true, asked + 100, answered + 100, TW_ACK, 0);
    add(c, us + 51950, false, answered, asked + 100, TW_PSH | TW_ACK, 100);
}

static void add_handshake(struct capture *c)
{
    add(c, 0, true, 0, 0, TW_SYN, 0);
    add(c, 2000, true, 1, 1, TW_ACK, 0);
    add(c, 1980, false, 0, 1, TW_SYN | TW_ACK, 0);
}

#define CAPTURE_TEST(name) TEST_WITH(name, struct capture, c, c->n = 0, (void)c)

CAPTURE_TEST(data_is_taken_before_its_ack)
{
    add_handshake(c);
    for (uint32_t i = 0; i < 4; i++)
        add_question(c, 10000 + 100000 * i, 1 + 100 * i, 1 + 100 * i);
    g_autoptr(tcpwhy_report) report = read_all(c);
    assert_int_equal(quality(report, "frames_missing"), 0);
    assert_int_equal(quality(report, "clock_steps_back"), 0);
    assert_int_equal(quality(report, "misplaced_frames"), 5);
    assert_int_equal(quality(report, "late_stamps"), 0);
    assert_in_range(charged(report, TCPWHY_SERVER_THINK), TCPWHY_MS(195), TCPWHY_MS(208));
    assert_int_equal(charged(report, TCPWHY_CAPTURE_GAP), 0);
    assert_int_equal(charged(report, TCPWHY_LOSS_RECOVERY), 0);
}

/* At the server, what the client sends is written late: the SYN, the question. */
CAPTURE_TEST(an_answer_is_taken_behind_its_question)
{
    add(c, 100, false, 0, 1, TW_SYN | TW_ACK, 0);
    add(c, 0, true, 0, 0, TW_SYN, 0);
    add(c, 20000, true, 1, 1, TW_ACK, 0);
    add(c, 30120, false, 1, 101, TW_ACK, 0);
    add(c, 30200, false, 1, 101, TW_PSH | TW_ACK, 100);
    add(c, 30100, true, 1, 1, TW_PSH | TW_ACK, 100);
    add(c, 50000, true, 101, 101, TW_ACK, 0);
    g_autoptr(tcpwhy_report) report = read_all(c);
    const struct tw_stream_row *stream = only_stream(report);
    assert_int_equal(stream->client.port, 40000);
    assert_int_equal(stream->n_exchanges, 1);
    assert_int_equal(stream->exchanges[0].request_frame, 6);
    assert_int_equal(stream->exchanges[0].response_frame, 5);
    assert_in_range(charged(report, TCPWHY_HANDSHAKE), TCPWHY_MS(19), TCPWHY_MS(21));
    assert_int_equal(quality(report, "misplaced_frames"), 2);
}

CAPTURE_TEST(a_refusal_is_taken_behind_its_syn)
{
    add(c, 30, false, 0, 1, TW_RST | TW_ACK, 0);
    add(c, 0, true, 0, 0, TW_SYN, 0);
    g_autoptr(tcpwhy_report) report = read_all(c);
    const struct tw_stream_row *stream = only_stream(report);
    assert_int_equal(stream->client.port, 40000);
    assert_int_equal(tcpwhy_report_verdict(report)->cause, TCPWHY_CONNECT_REFUSED);
}

/* Three segments came, of which the capture lacks the second. */
CAPTURE_TEST(frames_that_are_not_captured_stay_missing)
{
    add_handshake(c);
    add(c, 10000, false, 1, 1, TW_ACK, 100);
    add(c, 10100, true, 1, 201, TW_ACK, 0);
    add(c, 10150, false, 201, 1, TW_ACK, 100);
    add(c, 10200, true, 1, 301, TW_ACK, 0);
    g_autoptr(tcpwhy_report) report = read_all(c);
    assert_int_equal(quality(report, "frames_missing"), 1);
    assert_int_equal(quality(report, "misplaced_frames"), 1);
}

CAPTURE_TEST(frames_much_later_are_not_waited_for)
{
    add_handshake(c);
    add(c, 10000, true, 1, 101, TW_ACK, 0);
    add(c, 15000, false, 1, 1, TW_ACK, 100);
    g_autoptr(tcpwhy_report) report = read_all(c);
    assert_int_equal(quality(report, "frames_missing"), 1);
}

/* The times are in the file's order: what the server sends was stamped late, too. */
CAPTURE_TEST(a_stamp_after_the_answers_is_late)
{
    add(c, 0, true, 0, 0, TW_SYN, 0);
    add(c, 2000, true, 1, 1, TW_ACK, 0);
    add(c, 2400, false, 0, 1, TW_SYN | TW_ACK, 0);
    add(c, 10000, true, 1, 1, TW_PSH | TW_ACK, 100);
    add(c, 60000, true, 101, 101, TW_ACK, 0);
    add(c, 60400, false, 1, 101, TW_PSH | TW_ACK, 100);
    g_autoptr(tcpwhy_report) report = read_all(c);
    assert_int_equal(quality(report, "late_stamps"), 1);
    assert_int_equal(quality(report, "misplaced_frames"), 2);
    assert_int_equal(charged(report, TCPWHY_HANDSHAKE), TCPWHY_MS(2));
    assert_int_equal(charged(report, TCPWHY_CAPTURE_GAP), 0);
    assert_in_range(charged(report, TCPWHY_SERVER_THINK), TCPWHY_MS(47), TCPWHY_MS(51));
}

static void set_window(struct capture *c, unsigned window)
{
    put16(c->bytes[c->n - 1] + 34, window);
}

/* The server's segments are stamped 500 us late, of which the handshake shows 400: it takes 1 ms to
 * close its window of two segments and 50 ms to open it. */
static void add_windows(struct capture *c)
{
    add(c, 0, true, 0, 0, TW_SYN, 0);
    add(c, 2000, true, 1, 1, TW_ACK, 0);
    add(c, 2400, false, 0, 1, TW_SYN | TW_ACK, 0);
    set_window(c, 200);
    for (uint32_t i = 0; i < 8; i++) {
        int64_t us = 10000 + 50000 * i;

        add(c, us, true, 1 + 200 * i, 1, TW_ACK, 100);
        add(c, us + 1, true, 101 + 200 * i, 1, TW_ACK, 100);
        if (i > 0) {
            add(c, us + 450, false, 1, 1 + 200 * i, TW_ACK, 0);
            set_window(c, 200);
        }
        add(c, us + 3500, false, 1, 201 + 200 * i, TW_ACK, 0);
        set_window(c, 0);
    }
}

CAPTURE_TEST(a_window_update_is_taken_before_the_data_sent_into_it)
{
    add_windows(c);
    g_autoptr(tcpwhy_report) report = read_all(c);
    assert_int_equal(charged(report, TCPWHY_APP_LIMITED), 0);
    assert_in_range(charged(report, TCPWHY_ZERO_WINDOW), TCPWHY_MS(7 * 46), TCPWHY_MS(7 * 50));
}

static bool collect_frame(void *user, const struct tcpwhy_segment *segment)
{
    GString *frames = user;

    g_string_append_printf(frames, "%u ", segment->frame);
    return true;
}

/* The server's ACKs, written late, are valid behind the client's data, too, which acknowledges
 * nothing: after the handshake the timestamps decide. */
TEST(once_the_file_was_wrong_the_times_tell)
{
    GString *frames = g_string_new(NULL);
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_segment = collect_frame,
                                                .user = frames };
    struct tcpwhy_options options = { .struct_size = sizeof options, .callbacks = &callbacks };
    struct capture c = { .n = 0 };

    add_handshake(&c);
    add(&c, 10000, true, 1, 1, TW_ACK, 100);
    add(&c, 20050, true, 101, 1, TW_ACK, 100);
    add(&c, 20000, false, 1, 101, TW_ACK, 0);
    add(&c, 30000, true, 201, 1, TW_ACK, 100);
    tcpwhy_report_free(read_with(&c, &options));
    assert_string_equal(frames->str, "1 3 2 4 6 5 7 ");
    g_string_free(frames, TRUE);
}

TEST(labels_are_those_of_the_file_s_order)
{
    GString *frames = g_string_new(NULL);
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_segment = collect_frame,
                                                .user = frames };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .wireshark = true,
                                      .callbacks = &callbacks };
    struct capture c = { .n = 0 };

    add_handshake(&c);
    tcpwhy_report_free(read_with(&c, &options));
    assert_string_equal(frames->str, "1 2 3 ");
    g_string_free(frames, TRUE);
}

static bool stop_at_third(void *user, const struct tcpwhy_segment *segment)
{
    (void)segment;
    return ++*(unsigned *)user < 3;
}

TEST(a_callback_stops_while_frames_wait)
{
    unsigned told = 0;
    const struct tcpwhy_callbacks callbacks = { .struct_size = sizeof callbacks,
                                                .on_segment = stop_at_third,
                                                .user = &told };
    struct tcpwhy_options options = { .struct_size = sizeof options, .callbacks = &callbacks };
    struct capture c = { .n = 0 };
    tcpwhy_session *s = start(&options);
    tcpwhy_report *report = NULL;

    add_handshake(&c);
    add_question(&c, 10000, 1, 1);
    for (unsigned i = 0; i < c.n; i++)
        tcpwhy_session_push(s, &c.packet[i]);
    assert_int_equal(tcpwhy_session_finish(s, &report), TCPWHY_ERR_STOPPED);
    assert_int_equal(told, 3);
}

/* The SYN/ACK of one stream comes first, then the SYN of another, then its own SYN. */
CAPTURE_TEST(a_stream_has_the_number_of_its_first_frame_in_the_file)
{
    size_t n;

    add(c, 100, false, 0, 1, TW_SYN | TW_ACK, 0);
    add(c, 50, true, 0, 0, TW_SYN, 0);
    put16(c->bytes[1] + 20, 40001);
    add(c, 0, true, 0, 0, TW_SYN, 0);
    g_autoptr(tcpwhy_report) report = read_all(c);
    const struct tw_stream_row *stream = tw_report_streams(report, &n);
    assert_int_equal(n, 2);
    assert_int_equal(stream[0].client.port, 40000);
    assert_int_equal(stream[1].client.port, 40001);
}

static bool collect(void *text, const char *bytes, size_t len)
{
    g_string_append_len(text, bytes, (gssize)len);
    return true;
}

static GString *streams_of(tcpwhy_report *report)
{
    GString *text = g_string_new(NULL);

    tcpwhy_render(report, TCPWHY_DOC_EXPLAIN, TCPWHY_FORMAT_JSON, NULL, collect, text);
    g_string_erase(text, 0, strstr(text->str, "\"streams\"") - text->str);
    tcpwhy_report_free(report);
    return text;
}

/* The same as a file, of which many frames are read at once. */
static tcpwhy_report *read_file(const struct capture *c)
{
    static const uint8_t head[24] = { 0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4, [18] = 4, [23] = RAW_IP };
    struct tcpwhy_options options = { .struct_size = sizeof options,
                                      .keep_spans = true,
                                      .keep_exchanges = true };
    GByteArray *file = g_byte_array_new();
    tcpwhy_report *report = NULL;
    char error[TCPWHY_ERROR_TEXT];

    g_byte_array_append(file, head, sizeof head);
    for (unsigned i = 0; i < c->n; i++) {
        const struct tcpwhy_packet *p = &c->packet[i];
        uint8_t record[16];

        put32(record, (uint32_t)(p->time_ns / TCPWHY_S(1)));
        put32(record + 4, (uint32_t)(p->time_ns % TCPWHY_S(1) / TCPWHY_US(1)));
        put32(record + 8, p->captured_len);
        put32(record + 12, p->original_len);
        g_byte_array_append(file, record, sizeof record);
        g_byte_array_append(file, p->bytes, p->captured_len);
    }
    assert_int_equal(
        tcpwhy_analyze_memory(file->data, file->len, &options, &report, error, sizeof error), 0);
    g_byte_array_free(file, TRUE);
    return report;
}

CAPTURE_TEST(the_number_of_frames_at_once_does_not_matter)
{
    GString *one_by_one, *together;

    add_handshake(c);
    for (uint32_t i = 0; c->n + 3 <= N_FRAMES; i++)
        add_question(c, 10000 + 60000 * i, 1 + 100 * i, 1 + 100 * i);
    one_by_one = streams_of(read_all(c));
    together = streams_of(read_file(c));
    assert_string_equal(one_by_one->str, together->str);
    g_string_free(one_by_one, TRUE);
    g_string_free(together, TRUE);
}

/* The header of a frame that waited is checked, too: the server's checksums are unfinished
 * (offload). */
CAPTURE_TEST(header_facts_survive_the_wait)
{
    add(c, 90, false, 0, 1, TW_SYN | TW_ACK, 0);
    put16(c->bytes[0] + 20 + 16, 6 + 20 + 0x0a00 + 1 + 0x0a00 + 2);
    add(c, 0, true, 0, 0, TW_SYN, 0);
    add(c, 400, true, 1, 1, TW_ACK, 0);
    g_autoptr(tcpwhy_report) report = read_all(c);
    const struct tw_stream_row *stream = only_stream(report);
    assert_int_equal(quality(report, "misplaced_frames"), 1);
    assert_int_equal(stream->vantage, TCPWHY_VANTAGE_SERVER);
    assert_int_equal(stream->vantage_confidence, TCPWHY_CERTAIN);
}
