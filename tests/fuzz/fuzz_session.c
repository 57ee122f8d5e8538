/* SPDX-License-Identifier: MIT */
/*
 * The public interface from end to end: options, packets, a document. The first bytes choose
 * the options and the document; then come packets: link type, time, lengths, bytes.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "report/report_rows.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

/* Output of the callbacks and renderers. */
struct sink {
    uint64_t bytes, calls;
    uint64_t stop_after;
    bool rendered;
};

static bool on_write(void *user, const char *bytes, size_t len)
{
    struct sink *sink = user;

    for (size_t i = 0; i < len; i++)
        sink->bytes += (uint8_t)bytes[i];
    return true;
}

static bool on_segment(void *user, const struct tcpwhy_segment *segment)
{
    struct sink *sink = user;
    const struct tcpwhy_render_options options = { .struct_size = sizeof(options),
                                                   .columns = 100,
                                                   .segment = segment };

    if (sink->rendered)
        tcpwhy_render(NULL, TCPWHY_DOC_SEGMENT, sink->calls % (TCPWHY_FORMAT_SCRIPT + 1), &options,
                      on_write, user);
    return ++sink->calls != sink->stop_after;
}

static bool on_follow(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                      const uint8_t *bytes, size_t len)
{
    struct sink *sink = user;

    for (size_t i = 0; i < len; i++)
        sink->bytes += bytes[i];
    sink->bytes += stream + from + frame;
    return ++sink->calls != sink->stop_after;
}

/*
 * One document in one form: to render them all takes six times what the analysis takes, and
 * fuzz_documents.c does it. Each choice meets each pair by some style.
 */
static void render(const tcpwhy_report *report, struct sink *sink, uint8_t choice, uint8_t style)
{
    const struct tcpwhy_flow_options flow = { .struct_size = sizeof(flow),
                                              .whole = style & 4,
                                              .unfold = style & 8,
                                              .together = style & 16,
                                              .max_rows = style & 4 ? 0 : 50 };
    const struct tcpwhy_render_options options = { .struct_size = sizeof(options),
                                                   .columns = style,
                                                   .color = style & 1,
                                                   .ascii = style & 2,
                                                   .graph = style % tcpwhy_graph_count(),
                                                   .tool = style % tcpwhy_tool_count(),
                                                   .finding = tcpwhy_report_finding(report, 0),
                                                   .flow_options = &flow };
    const unsigned n_documents = TCPWHY_DOC_WATERFALL + 1, n_formats = TCPWHY_FORMAT_HAR + 1;
    const unsigned pair = ((unsigned)choice << 8 | style) % (n_documents * n_formats);

    tcpwhy_render(report, pair % n_documents, pair / n_documents, &options, on_write, sink);
}

/* A stream's ledger adds up to its life. */
static void check(const tcpwhy_report *report)
{
    size_t n;
    const struct tw_stream_row *stream = tw_report_streams(report, &n);

    for (size_t i = 0; i < n; i++) {
        tcpwhy_ns sum = 0;

        for (size_t k = 0; k < stream[i].n_ledger; k++)
            sum += stream[i].ledger[k].ns;
        assert(sum == stream[i].duration_ns);
    }
}

/* A packet of the input, at its own time or some time after the last. */
static struct tcpwhy_packet take(struct input *in, int64_t last_ns)
{
    uint8_t code = input_u8(in);
    struct tcpwhy_packet p = { .struct_size = sizeof p,
                               .link_type = code & 1 ? 101 : input_u16(in) };
    struct tw_bytes bytes;

    p.time_ns =
        (int64_t)(code & 2 ? input_u64(in) : (uint64_t)last_ns + (uint64_t)input_u16(in) * 1000);
    bytes = input_bytes(in, code & 4 ? input_u16(in) : input_u8(in));
    p.bytes = bytes.data;
    p.captured_len = (uint32_t)bytes.len;
    p.original_len = code & 8 ? input_u32(in) : (uint32_t)bytes.len;
    return p;
}

/* Forged times fill documents with intervals, which takes long: any_time lets them through. */
static bool feed(tcpwhy_session *session, struct input *in, bool any_time)
{
    int64_t now = 0;

    while (in->rest.len > 0) {
        struct tcpwhy_packet p = take(in, now);
        uint8_t *copy = malloc(p.captured_len + (p.captured_len == 0));
        int status;

        if (!any_time)
            p.time_ns &= (INT64_C(1) << 50) - 1; /* 13 days */
        now = p.time_ns;
        if (p.captured_len > 0)
            memcpy(copy, p.bytes, p.captured_len);
        p.bytes = copy;
        status = tcpwhy_session_push(session, &p);
        free(copy);
        if (status < 0)
            return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) };
    uint8_t choice = input_u8(&in), style = input_u8(&in);
    struct sink sink = { .rendered = choice & 1, .stop_after = choice & 2 ? style : 0 };
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    tcpwhy_session *session;
    tcpwhy_report *report;
    char error[TCPWHY_ERROR_TEXT];

    options.keep_exchanges = choice & 4;
    options.keep_spans = choice & 8;
    options.wireshark = choice & 16;
    callbacks.on_segment = choice & 32 ? on_segment : NULL;
    callbacks.on_follow = choice & 64 ? on_follow : NULL;
    options.streams = choice & 128 ? "0,2-3" : NULL;
    callbacks.user = &sink;
    options.callbacks = &callbacks;
    options.interval_ns = TCPWHY_S(86400);
    options.threads = 1 + style % 2; /* by default their number is read from a file each time */
    if (tcpwhy_session_new(&options, &session, error, sizeof error) < 0)
        abort();
    if (!feed(session, &in, style >= 0xfc)) {
        tcpwhy_session_free(session);
        return 0;
    }
    tcpwhy_session_finish(session, &report);
    check(report);
    render(report, &sink, choice, style);
    tcpwhy_report_free(report);
    return 0;
}

static size_t piece(struct tw_bytes rest)
{
    struct input in = { rest };

    take(&in, 0);
    return rest.len - in.rest.len;
}

MUTATE_PIECES(2, piece)
