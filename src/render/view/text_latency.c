/* SPDX-License-Identifier: MIT */
/*
 * Response times of a capture: each listener's own, since what a server asks of another is part of
 * what it is asked.
 */
#include "base/array.h"
#include "render/view/view.h"

/* More are in "tcpwhy latency". */
#define MAX_LISTENERS 3

/* The time of all requests together, about: a client that is in front waits for those behind. */
static double waited(const struct tw_listener_row *l)
{
    return (double)l->latency.count * (double)l->latency.p50_ns;
}

static gint front_first(gconstpointer a, gconstpointer b)
{
    const struct tw_listener_row *x = *(const struct tw_listener_row *const *)a;
    const struct tw_listener_row *y = *(const struct tw_listener_row *const *)b;

    return (waited(x) < waited(y)) - (waited(x) > waited(y));
}

static tw_ptr_array *answering(const tcpwhy_report *report)
{
    tw_ptr_array *found = tw_ptr_array_new();
    size_t n;
    const struct tw_listener_row *l = tw_report_listeners(report, &n);

    for (size_t i = 0; i < n; i++)
        if (l[i].latency.count > 0)
            tw_ptr_array_add(found, (gpointer)(uintptr_t)&l[i]);
    tw_ptr_array_sort(found, front_first);
    return found;
}

static void each(struct tw_layout *page, const tw_ptr_array *listeners)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    for (guint i = 0; i < listeners->len && i < MAX_LISTENERS; i++) {
        const struct tw_listener_row *l = tw_ptr_array_index(listeners, i);

        tw_string_truncate(text, 0);
        tw_text_holder(text, &l->endpoint, l->server_name, TCPWHY_PARTY_NONE);
        tw_string_append(text, ": ");
        tw_text_answered(text, &l->latency, NULL);
        tw_layout_paragraph(page, 2, TW_TONE_PLAIN, text->str);
    }
    if (listeners->len > MAX_LISTENERS) {
        tw_string_truncate(text, 0);
        tw_string_append_printf(
            text, "%s with requests: tcpwhy latency",
            tw_plural(listeners->len - MAX_LISTENERS, "more listener", "more listeners").text);
        tw_layout_paragraph(page, 2, TW_TONE_QUIET, text->str);
    }
}

void tw_text_latency(struct tw_layout *page, const tcpwhy_report *report)
{
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);
    tw_ptr_array *listeners = answering(report);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    if (listeners->len > 1) {
        each(page, listeners);
    } else if (latency->count > 0) {
        tw_text_answered(text, latency, NULL);
        tw_layout_paragraph(page, 0, TW_TONE_PLAIN, text->str);
    }
    tw_ptr_array_free(listeners, TRUE);
}
