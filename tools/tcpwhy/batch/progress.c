/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../complain.h"

#define BAR_EVERY_US  200000
#define LINE_EVERY_US 10000000
#define BAR_CELLS     20
#define LEAST_CELLS   5

/* A capture costs at least as much as this many bytes. */
#define CAPTURE_BYTES 262144.0

char *progress_bytes(double bytes, char *text)
{
    static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
    size_t unit = 0;

    for (; bytes >= 1000 && unit + 1 < G_N_ELEMENTS(units); unit++)
        bytes /= 1000;
    g_snprintf(text, 32, bytes < 10 && unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

char *progress_time(double seconds, char *text)
{
    guint64 s = (guint64)(seconds + 0.5);

    if (seconds < 9.95)
        g_snprintf(text, 32, "%.1f s", seconds);
    else if (s >= 3600)
        g_snprintf(text, 32, "%" G_GUINT64_FORMAT " h %02u min", s / 3600, (guint)(s / 60 % 60));
    else if (s >= 60)
        g_snprintf(text, 32, "%u min %02u s", (guint)(s / 60), (guint)(s % 60));
    else
        g_snprintf(text, 32, "%u s", (guint)s);
    return text;
}

static char *bar(const struct progress *p, double share, int cells)
{
    int full = (int)(share * cells);
    GString *text = g_string_new("[");

    for (int i = 0; i < cells; i++)
        g_string_append(text, i < full ? (p->ascii ? "#" : "█") : (p->ascii ? "." : "·"));
    g_string_append(text, "] ");
    return g_string_free(text, FALSE);
}

static double cost(guint64 bytes, guint captures)
{
    return (double)bytes + CAPTURE_BYTES * captures;
}

static double share_done(const struct progress *p)
{
    double all = cost(p->total_bytes, p->total);

    return all > 0 ? MIN(cost(p->done_bytes, p->done) / all, 1) : 0;
}

static GString *describe(const struct progress *p, gint64 now_us)
{
    double seconds = (double)(now_us - p->begun_us) / 1e6, share = share_done(p);
    GString *line = g_string_new(NULL);
    char bytes[32], all[32], speed[32], left[32];

    /* Not 100 % before everything is. */
    g_string_append_printf(line, "%u%%", (guint)(share * 100));
    if (share > 0 && share < 1)
        g_string_append_printf(line, ", %s left", progress_time(seconds / share - seconds, left));
    g_string_append_printf(line, ", %u of %u captures", p->done, p->total);
    if (p->failed)
        g_string_append_printf(line, ", %u failed", p->failed);
    g_string_append_printf(line, ", %s of %s", progress_bytes((double)p->done_bytes, bytes),
                           progress_bytes((double)p->total_bytes, all));
    if (seconds > 0)
        g_string_append_printf(line, ", %s/s",
                               progress_bytes((double)p->done_bytes / seconds, speed));
    return line;
}

/* Fit the line to the terminal's width; the bar is shortened first. */
static void fit(struct progress *p, GString *line)
{
    glong room = (glong)p->columns - 1 - g_utf8_strlen(line->str, -1);

    /* Not wider again: it would jump. */
    p->cells = (int)MIN(room - 3, p->cells);
    if (p->cells >= LEAST_CELLS) {
        g_autofree char *before = bar(p, share_done(p), p->cells);

        g_string_prepend(line, before);
    } else if (room < 0) {
        const char *end = g_utf8_offset_to_pointer(line->str, MAX((glong)p->columns - 1, 0));

        g_string_truncate(line, (gsize)(end - line->str));
    }
}

static void show(struct progress *p, gint64 now_us)
{
    GString *line = describe(p, now_us);

    if (p->terminal) {
        fit(p, line);
        fprintf(stderr, "\r%s\033[K", line->str);
    } else {
        complain("%s", line->str);
    }
    fflush(stderr);
    p->shown = true;
    p->shown_us = now_us;
    g_string_free(line, TRUE);
}

void progress_begin(struct progress *p, guint captures, guint64 bytes, unsigned columns, bool ascii)
{
    memset(p, 0, sizeof(*p));
    pthread_mutex_init(&p->lock, NULL);
    p->begun_us = p->shown_us = g_get_monotonic_time();
    p->total = captures;
    p->total_bytes = bytes;
    p->terminal = isatty(STDERR_FILENO);
    p->columns = columns;
    p->ascii = ascii;
    p->cells = BAR_CELLS;
}

void progress_add(struct progress *p, gint64 bytes, guint done, guint failed)
{
    gint64 now_us = g_get_monotonic_time();

    pthread_mutex_lock(&p->lock);
    p->done_bytes = (guint64)((gint64)p->done_bytes + bytes);
    p->done += done;
    p->failed += failed;
    if (now_us - p->shown_us >= (p->terminal ? BAR_EVERY_US : LINE_EVERY_US))
        show(p, now_us);
    pthread_mutex_unlock(&p->lock);
}

void progress_end(struct progress *p)
{
    if (p->terminal && p->shown)
        fprintf(stderr, "\r\033[K");
    pthread_mutex_destroy(&p->lock);
}
