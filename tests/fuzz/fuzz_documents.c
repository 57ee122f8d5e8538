/* SPDX-License-Identifier: MIT */
/*
 * The input is a capture: as a file, as two files of one that was rotated, and as one that is
 * followed while it grows; every document of its report in every form, and a comparison of two
 * reports.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tcpwhy/tcpwhy.h>
#include <tcpwhy/views.h>

#include "base/bytes.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/tables.h"

/* Small enough that what the memory bound evicts is met by captures of some kilobytes. */
#define LITTLE_MEMORY (256 << 10)

static bool count(void *user, const char *bytes, size_t len)
{
    uint64_t *sum = user;

    for (size_t i = 0; i < len; i++)
        *sum += (uint8_t)bytes[i];
    return true;
}

static bool count_incident(void *user, const struct tcpwhy_incident *incident)
{
    *(uint64_t *)user += incident->stream;
    return true;
}

static bool follow(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                   const uint8_t *bytes, size_t len)
{
    (void)stream;
    return tcpwhy_follow_bytes(user, from, frame, bytes, len) == 0;
}

/* Render a document; of graphs each kind, and of other tools' layouts each one, since they are
 * few. */
static void render(const tcpwhy_report *report, const struct tcpwhy_render_options *common,
                   enum tcpwhy_document document, enum tcpwhy_format format)
{
    const size_t n = document == TCPWHY_DOC_GRAPH ? tcpwhy_graph_count()
                     : document == TCPWHY_DOC_AS  ? tcpwhy_tool_count()
                                                  : 1;
    struct tcpwhy_render_options options = *common;
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        options.graph = (enum tcpwhy_graph)i;
        options.tool = (enum tcpwhy_tool)i;
        options.by_operation = format % 2;
        options.ascii = format % 2;
        tcpwhy_render(report, document, format, &options, count, &sum);
    }
}

static void render_all(const tcpwhy_report *report, const tcpwhy_comparison *comparison)
{
    struct tcpwhy_render_options options = TCPWHY_RENDER_INIT;
    const struct tcpwhy_flow_options flow = { .struct_size = sizeof(flow), .max_rows = 50 };

    options.flow_options = &flow;
    options.link_bits_per_s = 1e6;
    options.comparison = comparison;
    options.finding = tcpwhy_report_finding(report, 0);
    for (int d = TCPWHY_DOC_DIAGNOSIS; d <= TCPWHY_DOC_WATERFALL; d++)
        for (int f = TCPWHY_FORMAT_TEXT; f <= TCPWHY_FORMAT_HAR; f++)
            if (d != TCPWHY_DOC_SEGMENT)
                render(report, &options, (enum tcpwhy_document)d, (enum tcpwhy_format)f);
}

/* Each row is there up to the last, and none beyond it. */
#define VISIT(what)                                                                                \
    do {                                                                                           \
        const size_t n = tcpwhy_report_##what##_count(report);                                     \
                                                                                                   \
        for (size_t i = 0; i <= n; i++)                                                            \
            assert((tcpwhy_report_##what(report, i) != NULL) == (i < n));                          \
    } while (0)

static void view(tcpwhy_report *report)
{
    struct tcpwhy_flow *flow;

    VISIT(finding);
    VISIT(failure);
    VISIT(stream);
    VISIT(listener);
    VISIT(ledger_entry);
    VISIT(ports);
    VISIT(fact);
    VISIT(before_syn);
    for (size_t i = 0; i < tcpwhy_graph_count(); i++) {
        struct tcpwhy_series *series;

        if (tcpwhy_series_new(report, (enum tcpwhy_graph)i, NULL, &series) == 0)
            tcpwhy_series_free(series);
    }
    if (tcpwhy_flow_new(report, 0, NULL, &flow) == 0)
        tcpwhy_flow_free(flow);
    read_tables(report, 100);
}

/* As "live --follow" does, until there is no more. */
static tcpwhy_report *grown(const char *path)
{
    uint64_t sum = 0;
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    struct tcpwhy_packet packet = TCPWHY_PACKET_INIT;
    tcpwhy_report *snapshot = NULL, *report = NULL;
    tcpwhy_session *session;
    tcpwhy_live *live;

    if (tcpwhy_live_follow(path, NULL, &live, NULL, 0) < 0)
        return NULL;
    callbacks.on_incident = count_incident;
    callbacks.user = &sum;
    options.callbacks = &callbacks;
    assert(tcpwhy_session_new(&options, &session, NULL, 0) == 0);
    while (tcpwhy_live_next(live, 0, &packet, NULL, 0) > 0 &&
           tcpwhy_session_push(session, &packet) == 0)
        ;
    if (tcpwhy_session_snapshot(session, &snapshot) == 0)
        tcpwhy_report_free(snapshot);
    tcpwhy_session_finish(session, &report);
    tcpwhy_live_close(live);
    return report;
}

static tcpwhy_report *rotated(const char *path)
{
    const char *const paths[] = { path, path };
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    tcpwhy_report *report;

    options.memory_bytes = LITTLE_MEMORY;
    options.filter = "tcp[13] & 2 != 0 or dst port 80 or dst port 8080"; /* one direction */
    return tcpwhy_analyze_files(paths, 2, &options, &report, NULL, 0) == 0 ? report : NULL;
}

static tcpwhy_report *whole(const char *path, enum tcpwhy_follow_format format)
{
    uint64_t sum = 0;
    struct tcpwhy_follow_options how = TCPWHY_FOLLOW_INIT;
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    tcpwhy_report *report = NULL;
    tcpwhy_follow *shown;

    how.format = format;
    assert(tcpwhy_follow_new(&how, count, &sum, &shown) == 0);
    callbacks.on_follow = follow;
    callbacks.user = shown;
    options.callbacks = &callbacks;
    options.keep_exchanges = options.keep_spans = options.keep_weighings = true;
    options.keep_waits = 5;
    tcpwhy_analyze_file(path, &options, &report, NULL, 0);
    tcpwhy_follow_end(shown);
    tcpwhy_follow_free(shown);
    return report;
}

static void check(const char *path, enum tcpwhy_follow_format format)
{
    tcpwhy_report *before = whole(path, format);
    tcpwhy_report *after[] = { rotated(path), grown(path) };

    for (size_t i = 0; before && i < 2; i++) {
        tcpwhy_comparison *comparison;

        if (!after[i] || tcpwhy_compare(before, after[i], &comparison) < 0)
            continue;
        render_all(i == 0 ? before : after[i], comparison);
        view(i == 0 ? before : after[i]);
        tcpwhy_comparison_free(comparison);
    }
    tcpwhy_report_free(before);
    tcpwhy_report_free(after[0]);
    tcpwhy_report_free(after[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("capture", MFD_CLOEXEC);

    if (fd >= 0 && write(fd, data, size) == (ssize_t)size) {
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        check(path, (enum tcpwhy_follow_format)(size % (TCPWHY_FOLLOW_JSON + 1)));
    }
    if (fd >= 0)
        close(fd);
    return 0;
}

MUTATE_CAPTURE
