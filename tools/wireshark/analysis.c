/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis.h"

#include <sys/stat.h>

#include "opened.h"

/* A capture that grows is analysed anew at most once a second, and a tenth of the time. */
#define REST_US       (1000 * 1000)
#define REST_FOR_WORK 10

static bool stop_at_once(void *user, const struct tcpwhy_segment *segment)
{
    (void)user;
    (void)segment;
    return false;
}

/* Is this a file that libtcpwhy reads? */
static bool is_readable(const char *path)
{
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    tcpwhy_report *report = NULL;
    int status;

    callbacks.on_segment = stop_at_once;
    options.callbacks = &callbacks;
    status = tcpwhy_analyze_file(path, &options, &report, NULL, 0);
    tcpwhy_report_free(report);
    return status == 0 || status == TCPWHY_ERR_STOPPED;
}

/* Options of both ways of analysis. */
static struct tcpwhy_options options_for(const struct tcpwhy_callbacks *callbacks)
{
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;

    options.keep_spans = true;
    options.keep_exchanges = true;
    options.callbacks = callbacks;
    return options;
}

static struct tcpwhy_callbacks callbacks_for(struct frame_times *times)
{
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;

    callbacks.on_segment = notes_see_segment;
    callbacks.user = times;
    return callbacks;
}

static struct frame_times times_new(void)
{
    return (struct frame_times) { g_array_new(FALSE, TRUE, sizeof(int64_t)) };
}

static void begin_session(struct analysis *analysis)
{
    analysis->times = times_new();

    const struct tcpwhy_callbacks callbacks = callbacks_for(&analysis->times);
    struct tcpwhy_options options = options_for(&callbacks);

    if (tcpwhy_session_new(&options, &analysis->session, NULL, 0) < 0)
        analysis->session = NULL;
}

/* Wireshark closes its files when it likes: what is read again later is held open here. */
static bool hold_opened(struct analysis *analysis)
{
    struct opened_file opened;

    if (!opened_last(&opened))
        return false;
    analysis->held = fopen(opened.path, "rbe");
    if (!analysis->held)
        return false;
    analysis->path = g_strdup_printf(OPENED_FILES "/%d", fileno(analysis->held));
    return true;
}

void analysis_begin(struct analysis *analysis, const char *path)
{
    analysis->begun = true;
    if (path)
        analysis->path = g_strdup(path);
    if ((path || hold_opened(analysis)) && is_readable(analysis->path))
        return;
    g_clear_pointer(&analysis->path, g_free);
    begin_session(analysis);
}

void analysis_push(struct analysis *analysis, const struct tcpwhy_packet *packet)
{
    if (!analysis->session)
        return;
    analysis->n_pushed++;
    tcpwhy_session_push(analysis->session, packet);
}

static int64_t size_of(const char *path)
{
    struct stat file;

    return stat(path, &file) == 0 ? file.st_size : 0;
}

static bool has_grown(const struct analysis *analysis)
{
    return analysis->path ? size_of(analysis->path) != analysis->size_bytes
                          : analysis->n_pushed != notes_n_frames(analysis->notes);
}

static struct notes *analyze_file(struct analysis *analysis)
{
    struct frame_times times = times_new();
    const struct tcpwhy_callbacks callbacks = callbacks_for(&times);
    struct tcpwhy_options options = options_for(&callbacks);
    struct notes *notes = NULL;
    tcpwhy_report *report;

    analysis->size_bytes = size_of(analysis->path);
    if (tcpwhy_analyze_file(analysis->path, &options, &report, NULL, 0) == 0)
        notes = notes_new(report, &times);
    g_array_unref(times.of);
    return notes;
}

static struct notes *analyze_session(const struct analysis *analysis)
{
    tcpwhy_report *report;

    if (!analysis->session || tcpwhy_session_snapshot(analysis->session, &report) < 0)
        return NULL;
    return notes_new(report, &analysis->times);
}

const struct notes *analysis_notes(struct analysis *analysis, bool again)
{
    int64_t now_us = g_get_monotonic_time();

    if (!analysis->path && !again)
        return analysis->notes;
    if (now_us < analysis->next_us || (analysis->notes && !has_grown(analysis)))
        return analysis->notes;

    struct notes *notes = analysis->path ? analyze_file(analysis) : analyze_session(analysis);

    if (notes) {
        notes_free(analysis->notes);
        analysis->notes = notes;
    }

    int64_t worked_us = g_get_monotonic_time() - now_us;

    analysis->next_us = now_us + MAX(REST_US, REST_FOR_WORK * worked_us);
    return analysis->notes;
}

void analysis_clear(struct analysis *analysis)
{
    notes_free(analysis->notes);
    tcpwhy_session_free(analysis->session);
    if (analysis->times.of)
        g_array_unref(analysis->times.of);
    if (analysis->held)
        fclose(analysis->held);
    g_free(analysis->path);
    *analysis = (struct analysis) { 0 };
}
