/* SPDX-License-Identifier: MIT */
/*
 * Several handles in several threads: each analysis says what it says alone, by file, by memory and
 * packet by packet; and one report is read by all of them.
 */
#include "base/text.h"
#include "report/report_rows.h"
#include "tests/unit.h"
#include "tests/unit/owned.h"

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

#include "source/source.h"

#define N_THREADS 8
#define ROUNDS    3

static const char *const captures[] = {
    TESTS_FOLDER "/../../pcaps/nginx_nagle_delack/client.pcap",
    TESTS_FOLDER "/../../pcaps/sndbuf_16k_20ms/client.pcap",
    TESTS_FOLDER "/../../pcaps/zero_window_slow_reader/client.pcap",
    TESTS_FOLDER "/../../pcaps/refused_port/client.pcap",
};

static bool collect(void *text, const char *bytes, size_t len)
{
    tw_string_append_len(text, bytes, (gssize)len);
    return true;
}

/* Everything that a report says, but for the file's name. */
static char *told(const tcpwhy_report *report)
{
    tw_string *text = tw_string_new(NULL);

    tcpwhy_render(report, TCPWHY_DOC_EXPLAIN, TCPWHY_FORMAT_JSON, NULL, collect, text);

    char *streams = tw_strdup(strstr(text->str, "\"streams\""));

    tw_string_free(text, TRUE);
    return streams;
}

static tcpwhy_report *by_file(const char *path)
{
    tcpwhy_report *report = NULL;

    tcpwhy_analyze_file(path, NULL, &report, NULL, 0);
    return report;
}

static tcpwhy_report *by_memory(const char *path)
{
    tcpwhy_report *report = NULL;
    gchar *bytes;
    gsize len;

    if (!g_file_get_contents(path, &bytes, &len, NULL))
        return NULL;
    tcpwhy_analyze_memory((const uint8_t *)bytes, len, NULL, &report, NULL, 0);
    g_free(bytes);
    return report;
}

static tcpwhy_report *by_packet(const char *path)
{
    struct tw_source_options options = { 0 };
    struct tw_source_error error;
    struct tw_source *source = tw_source_open(path, &options, &error);
    struct tw_frame frame;
    tcpwhy_session *session;
    tcpwhy_report *report = NULL;

    if (!source || tcpwhy_session_new(NULL, &session, NULL, 0) < 0)
        return NULL;
    while (tw_source_next(source, &frame) > 0) {
        const struct tcpwhy_packet packet = {
            .struct_size = sizeof packet,
            .link_type = frame.link_type,
            .time_ns = frame.time_ns,
            .captured_len = (uint32_t)frame.bytes.len,
            .original_len = frame.original_len,
            .bytes = frame.bytes.data,
        };

        tcpwhy_session_push(session, &packet);
    }
    tcpwhy_session_finish(session, &report);
    tw_source_close(source);
    return report;
}

static tcpwhy_report *(*const ways[])(const char *) = { by_file, by_memory, by_packet };

/* One thread's work. */
struct work {
    unsigned number;
    char *const *expected;       /* what each capture's report says */
    const tcpwhy_report *shared; /* of the first */
    unsigned wrong;
};

static void compare(struct work *work, const tcpwhy_report *report, const char *expected)
{
    char *text = told(report);

    work->wrong += g_strcmp0(text, expected) != 0;
    tw_free(text);
}

static bool count_stream(void *n, const struct tw_stream_row *stream)
{
    (void)stream;
    (*(size_t *)n)++;
    return true;
}

/* Whoever asks for all rows first unpacks them, while others visit them one by one. */
static void ask_for_all(struct work *work)
{
    size_t visited = 0, n;

    tw_report_visit_streams(work->shared, count_stream, &visited);
    tw_report_streams(work->shared, &n);
    work->wrong += visited != n || n == 0;
}

static gpointer run(gpointer data)
{
    struct work *work = data;

    for (unsigned i = 0; i < ROUNDS * G_N_ELEMENTS(captures); i++) {
        unsigned k = (i + work->number) % G_N_ELEMENTS(captures);
        tcpwhy_report *report = ways[(i + work->number) % G_N_ELEMENTS(ways)](captures[k]);

        if (report)
            compare(work, report, work->expected[k]);
        else
            work->wrong++;
        tcpwhy_report_free(report);
        compare(work, work->shared, work->expected[0]);
        if (i == work->number / 2)
            ask_for_all(work);
    }
    return NULL;
}

TEST(several_handles_in_several_threads_say_what_each_says_alone)
{
    char *expected[G_N_ELEMENTS(captures)];
    struct work work[N_THREADS];

    GThread *thread[N_THREADS];
    g_autoptr(tcpwhy_report) shared = by_file(captures[0]);

    for (unsigned i = 0; i < G_N_ELEMENTS(captures); i++) {
        tcpwhy_report *report = by_file(captures[i]);

        expected[i] = told(report);
        assert_non_null(expected[i]);
        tcpwhy_report_free(report);
    }
    for (unsigned i = 0; i < N_THREADS; i++) {
        work[i] = (struct work) { i, expected, shared, 0 };
        thread[i] = g_thread_new("analysis", run, &work[i]);
    }
    for (unsigned i = 0; i < N_THREADS; i++) {
        g_thread_join(thread[i]);
        assert_int_equal(work[i].wrong, 0);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(captures); i++)
        tw_free(expected[i]);
}
