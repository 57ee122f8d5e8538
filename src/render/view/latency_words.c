/* SPDX-License-Identifier: MIT */
/*
 * The figures of a server in words and as JSON; the response times of a capture, each listener's
 * own, since what a server asks of another is part of what it is asked.
 */
#include "render/view/latency_words.h"

#include "base/array.h"
#include "render/view/view.h"

/* As long as wrk waits before it counts a timeout. */
#define SLOWER_NS TCPWHY_S(2)

tcpwhy_ns tw_latency_slower(const struct tcpwhy_render_options *options)
{
    return options->slower_ns > 0 ? options->slower_ns : SLOWER_NS;
}

const char *const tw_latency_parts[TW_SERVICE_PARTS] = {
    [TW_SERVICE_LATENCY] = "latency",       [TW_SERVICE_FIRST_BYTE] = "first byte",
    [TW_SERVICE_TRANSFER] = "transfer",     [TW_SERVICE_CONNECT] = "connect",
    [TW_SERVICE_PROCESSING] = "processing", [TW_SERVICE_WAITING] = "waiting",
    [TW_SERVICE_WHOLE] = "total",
};

static double seconds(const struct tw_service *s)
{
    return s->answered && s->last_ns > s->first_ns ? (double)(s->last_ns - s->first_ns) / 1e9 : 0;
}

static double a_second(const struct tw_service *s, uint64_t n)
{
    return seconds(s) > 0 ? (double)n / seconds(s) : 0;
}

void tw_latency_summary(tw_string *to, const struct tw_service *s)
{
    tw_string_append(to, tw_plural(s->answered, "request answered", "requests answered").text);
    if (seconds(s) > 0) {
        tw_string_append_printf(
            to, " in %s, %s/s, %s/s received", tw_duration(s->last_ns - s->first_ns).text,
            tw_fixed((int64_t)(a_second(s, s->answered) * 10 + 0.5), 1, 1, true).text,
            tw_byte_size((uint64_t)(a_second(s, s->response_bytes) + 0.5)).text);
    }
    tw_string_append_printf(to, "; %s, %s in use at once",
                            tw_plural(s->connections, "connection", "connections").text,
                            tw_count(s->at_once).text);
    if (s->busy > 0) {
        tw_string_append_printf(to, "; %s under way on average, %s at most",
                                tw_fixed((int64_t)(s->busy * 100 + 0.5), 2, 2, true).text,
                                tw_count(s->busy_at_once).text);
    }
}

void tw_latency_troubles(tw_string *to, const struct tw_service *s, tcpwhy_ns slower_ns)
{
    if (s->unanswered > 0)
        tw_string_append(
            to, tw_plural(s->unanswered, "request never answered", "requests never answered").text);
    if (s->slower == 0)
        return;
    tw_string_append_printf(to, "%s%s slower than %s", s->unanswered ? "; " : "",
                            tw_plural(s->slower, "request", "requests").text,
                            tw_duration(slower_ns).text);
}

void tw_latency_json(struct tw_json *to, const struct tw_service *s)
{
    tw_json_endpoint(to, "endpoint", &s->endpoint);
    tw_json_uint(to, "connections", s->connections);
    tw_json_uint(to, "connections_at_once", s->at_once);
    tw_json_uint(to, "requests", s->requests->len);
    tw_json_uint(to, "answered", s->answered);
    tw_json_uint(to, "unanswered", s->unanswered);
    tw_json_uint(to, "slower", s->slower);
    tw_json_uint(to, "request_bytes", s->request_bytes);
    tw_json_uint(to, "response_bytes", s->response_bytes);
    tw_json_real(to, "duration_ms", seconds(s) * 1e3);
    tw_json_real(to, "requests_per_s", a_second(s, s->answered));
    tw_json_real(to, "response_bytes_per_s", a_second(s, s->response_bytes));
    tw_json_real(to, "concurrency", s->busy);
    tw_json_uint(to, "requests_at_once", s->busy_at_once);
    tw_json_bool(to, "each_opens", s->opens);
}

/* ---- response times of a capture ------------------------------------------------------------- */

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
