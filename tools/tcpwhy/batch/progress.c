/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../complain.h"

#define BAR_EVERY_US  200000
#define LINE_EVERY_US 10000000
#define BAR_CELLS     20

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

    if (s >= 3600)
        g_snprintf(text, 32, "%" G_GUINT64_FORMAT " h %02u min", s / 3600, (guint)(s / 60 % 60));
    else if (s >= 60)
        g_snprintf(text, 32, "%u min %02u s", (guint)(s / 60), (guint)(s % 60));
    else
        g_snprintf(text, 32, "%u s", (guint)s);
    return text;
}

static void append_bar(const struct progress *p, double share, GString *line)
{
    int full = (int)(share * BAR_CELLS);

    g_string_append_c(line, '[');
    for (int i = 0; i < BAR_CELLS; i++)
        g_string_append(line, i < full ? (p->ascii ? "#" : "█") : (p->ascii ? "." : "·"));
    g_string_append(line, "] ");
}

static GString *describe(const struct progress *p, gint64 now_us)
{
    double seconds = (double)(now_us - p->begun_us) / 1e6;
    double share = p->total_bytes ? (double)p->done_bytes / (double)p->total_bytes : 0;
    double rate = seconds > 0 ? (double)p->done_bytes / seconds : 0;
    GString *line = g_string_new(NULL);
    char bytes[32], all[32], speed[32], left[32];

    share = MIN(share, 1);
    if (p->terminal)
        append_bar(p, share, line);
    g_string_append_printf(line, "%.0f %%, %u of %u captures, %s of %s, %s/s", share * 100, p->done,
                           p->total, progress_bytes((double)p->done_bytes, bytes),
                           progress_bytes((double)p->total_bytes, all),
                           progress_bytes(rate, speed));
    if (rate > 0 && share < 1)
        g_string_append_printf(
            line, ", %s left",
            progress_time((double)(p->total_bytes - p->done_bytes) / rate, left));
    if (p->failed)
        g_string_append_printf(line, ", %u failed", p->failed);
    return line;
}

/* A bar must not be wider than the terminal, or it leaves lines behind. */
static void fit(const struct progress *p, GString *line)
{
    glong over = g_utf8_strlen(line->str, -1) - (glong)p->columns + 1;
    const char *end;

    if (over <= 0)
        return;
    end = g_utf8_offset_to_pointer(line->str, g_utf8_strlen(line->str, -1) - over);
    g_string_truncate(line, (gsize)(end - line->str));
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
    g_mutex_init(&p->lock);
    p->begun_us = p->shown_us = g_get_monotonic_time();
    p->total = captures;
    p->total_bytes = bytes;
    p->terminal = isatty(STDERR_FILENO);
    p->columns = columns;
    p->ascii = ascii;
}

void progress_add(struct progress *p, gint64 bytes, guint done, guint failed)
{
    gint64 now_us = g_get_monotonic_time();

    g_mutex_lock(&p->lock);
    p->done_bytes = (guint64)((gint64)p->done_bytes + bytes);
    p->done += done;
    p->failed += failed;
    if (now_us - p->shown_us >= (p->terminal ? BAR_EVERY_US : LINE_EVERY_US))
        show(p, now_us);
    g_mutex_unlock(&p->lock);
}

void progress_end(struct progress *p)
{
    if (p->terminal && p->shown)
        fprintf(stderr, "\r\033[K");
    g_mutex_clear(&p->lock);
}
