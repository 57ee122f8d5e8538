/* SPDX-License-Identifier: MIT */
/*
 * Words that several documents use: counts, holders of a knob, the capture's head, latencies.
 */
#include "render/text_parts.h"

#include <string.h>

#include "render/number.h"
#include "render/text.h"

/* Frames named for a fact about the capture. */
#define MAX_FRAMES 5

enum tw_tone tw_text_cause_tone(enum tcpwhy_cause cause)
{
    switch (cause) {
    case TCPWHY_CAUSE_NONE:
        return TW_TONE_GOOD;
    case TCPWHY_HANDSHAKE:
    case TCPWHY_CLIENT_IDLE:
    case TCPWHY_WIRE:
    case TCPWHY_CLOSE:
    case TCPWHY_KEEP_ALIVE:
        return TW_TONE_QUIET;
    case TCPWHY_CAPTURE_GAP:
    case TCPWHY_UNKNOWN:
        return TW_TONE_WARN;
    default:
        return TW_TONE_BAD;
    }
}

void tw_text_count(GString *to, uint64_t n, const char *one, const char *many)
{
    char number[TW_NUMBER_TEXT];

    g_string_append_printf(to, "%s %s", tw_number_count(n, number), n == 1 ? one : many);
}

void tw_text_title(GString *to, enum tcpwhy_cause cause)
{
    const char *title = tcpwhy_cause_info(cause)->title;

    g_string_append_c(to, g_ascii_toupper(title[0]));
    g_string_append(to, title + 1);
}

void tw_text_holder(GString *to, const struct tcpwhy_endpoint *endpoint, enum tcpwhy_party party)
{
    char text[TCPWHY_ENDPOINT_TEXT];

    if (endpoint->version == 0) {
        g_string_append(to, tcpwhy_party_name(party));
        return;
    }
    g_string_append(to, tcpwhy_endpoint_format(endpoint, text));
    if (party != TCPWHY_PARTY_NONE)
        g_string_append_printf(to, " (%s)", tcpwhy_party_name(party));
}

/* What befell on a path is not at the endpoint named for it, whose data or SYNs went there. */
void tw_text_place(GString *to, enum tcpwhy_cause cause, const struct tcpwhy_endpoint *endpoint,
                   enum tcpwhy_party party)
{
    if (party != TCPWHY_PARTY_PATH || endpoint->version == 0)
        g_string_append(to, ", at ");
    else if (cause == TCPWHY_CONNECT_RETRY || cause == TCPWHY_CONNECT_REFUSED)
        g_string_append(to, ", on the way to ");
    else
        g_string_append(to, ", on the way from ");
    tw_text_holder(to, endpoint, party);
}

void tw_text_worst_of(GString *to, const struct tw_finding_row *f)
{
    char text[TCPWHY_ENDPOINT_TEXT];

    if (f->streams <= 1)
        return;
    g_string_append_printf(to, ", the worst of %s", tw_number_count(f->streams, text));
    if (f->peer.version != 0)
        g_string_append_printf(to, " with %s", tcpwhy_endpoint_format(&f->peer, text));
}

void tw_text_quality(GString *to, const struct tcpwhy_quality *q)
{
    g_string_append(to, q->text);
    if (q->n_frames == 0)
        return;
    if (g_str_has_suffix(to->str, "."))
        g_string_truncate(to, to->len - 1);
    g_string_append(to, q->n_frames == 1 ? " (frame" : " (frames");
    for (size_t i = 0; i < q->n_frames && i < MAX_FRAMES; i++)
        g_string_append_printf(to, "%s %u", i > 0 ? "," : "", q->frames[i]);
    g_string_append(to, q->count > q->n_frames ? " \u2026)" : ")");
}

static void quality(struct tw_layout *page, const struct tcpwhy_quality *q)
{
    GString *text = g_string_new(NULL);

    tw_text_quality(text, q);
    tw_layout_entry(page, 2, "!", TW_TONE_WARN, text->str);
    g_string_free(text, TRUE);
}

static void capture_time(GString *to, const struct tw_capture_row *c)
{
    char text[TW_NUMBER_TEXT];

    if (c->frames == 0 || c->first_ns == TCPWHY_NS_UNKNOWN || c->last_ns == TCPWHY_NS_UNKNOWN)
        return;
    if (c->last_ns != c->first_ns)
        g_string_append_printf(to, " in %s", tw_number_duration(c->last_ns - c->first_ns, text));
    g_string_append_printf(to, ", from %s", tw_number_date(c->first_ns, text));
}

static bool is_filtered_out(const struct tw_capture_row *c)
{
    for (size_t i = 0; i < c->n_quality; i++)
        if (strcmp(c->quality[i].fact, "filtered_out") == 0)
            return true;
    return false;
}

const char *tw_text_no_stream(const tcpwhy_report *report)
{
    if (is_filtered_out(tw_report_capture(report)))
        return "What the filter leaves of it holds no TCP connection.";
    if (tw_report_capture(report)->tcp_frames)
        return "None of the streams asked for is in it.";
    return tcpwhy_report_verdict(report)->confidence == TCPWHY_CERTAIN
               ? "There is no TCP connection in it."
               : "No TCP connection in it could be read.";
}

void tw_text_say_no_stream(struct tw_layout *page, const tcpwhy_report *report)
{
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_WARN, tw_text_no_stream(report));
}

void tw_text_scope(GString *to, const tcpwhy_report *report)
{
    const struct tw_capture_row *c = tw_report_capture(report);
    char number[TW_NUMBER_TEXT];

    tw_text_count(to, c->streams, "connection", "connections");
    g_string_append(to, ", ");
    tw_text_count(to, c->frames, "frame", "frames");
    if (c->tcp_frames != c->frames)
        g_string_append_printf(to, " (%s TCP)", tw_number_count(c->tcp_frames, number));
    capture_time(to, c);
}

void tw_text_comment(GString *to, const struct tw_capture_row *c, unsigned width, bool ascii)
{
    char **line = g_strsplit_set(c->comment, "\r\n", -1);
    GString *comment = g_string_new(NULL);

    for (size_t i = 0; line[i]; i++)
        if (g_strstrip(line[i])[0])
            g_string_append_printf(comment, "%s%s", comment->len ? "; " : "", line[i]);
    tw_text_begin(to, comment->str, width, ascii);
    g_string_free(comment, TRUE);
    g_strfreev(line);
}

void tw_text_capture(struct tw_layout *page, const tcpwhy_report *report)
{
    const struct tw_capture_row *c = tw_report_capture(report);
    GString *text = g_string_new(NULL);

    if (c->file[0])
        tw_layout_paragraph(page, 0, TW_TONE_STRONG, c->file);
    if (c->comment[0]) {
        tw_text_comment(text, c, page->columns, page->ascii);
        tw_layout_line(page, TW_TONE_QUIET, text->str);
        g_string_truncate(text, 0);
    }
    tw_text_scope(text, report);
    tw_layout_paragraph(page, 0, TW_TONE_PLAIN, text->str);
    for (size_t i = 0; i < c->n_quality; i++)
        quality(page, &c->quality[i]);
    g_string_free(text, TRUE);
}

/* An answer has a status when it begins, and a time when it ends. */
static void status_classes(GString *to, const struct tcpwhy_status_classes *status,
                           uint64_t n_answered)
{
    static const char *const names[] = { "other", "1xx", "2xx", "3xx", "4xx", "5xx" };
    char number[TW_NUMBER_TEXT];
    uint64_t sum = 0;
    bool first = true;

    for (size_t i = 1; i < G_N_ELEMENTS(names); i++) {
        if (status->n[i] == 0)
            continue;
        sum += status->n[i];
        g_string_append_printf(to, "%s%s %s", first ? "; status " : ", ", names[i],
                               tw_number_count(status->n[i], number));
        first = false;
    }
    if (sum > n_answered)
        g_string_append(to, " (not all to their end)");
}

/* Percentiles in one unit, so that they can be compared at a glance. Of few requests the higher
 * ones are the longest, which comes last. */
static void percentiles(GString *to, const struct tcpwhy_percentiles *latency)
{
    const struct {
        const char *name;
        tcpwhy_ns ns;
    } parts[] = { { "median", latency->p50_ns },
                  { "p75", latency->p75_ns },
                  { "p90", latency->p90_ns },
                  { "p99", latency->p99_ns },
                  { "max", latency->max_ns } };
    char number[TW_NUMBER_TEXT];

    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        tcpwhy_ns ns = parts[i].ns;
        unsigned decimals = ns < TCPWHY_US(100)  ? 3
                            : ns < TCPWHY_MS(10) ? 2
                            : ns < TCPWHY_S(1)   ? 1
                                                 : 0;

        if (i > 0 && i + 1 < G_N_ELEMENTS(parts) && ns == latency->max_ns)
            continue;
        g_string_append_printf(to, "%s%s %s", i > 0 ? ", " : "", parts[i].name,
                               tw_number_ms(ns, decimals, number));
    }
    g_string_append(to, " ms");
}

/* Of fewer requests even the 90th percentile is the longest: they have no rate, only a time between
 * the first and the last of them. */
#define MIN_FOR_RATE 10

/* ", 459 a second": from the first request that was asked to the last that was answered. Nothing
 * when it is less than one, or they are few. */
static void append_rate(GString *to, const struct tcpwhy_percentiles *latency)
{
    char number[TW_NUMBER_TEXT];
    tcpwhy_ns span = latency->last_ns - latency->first_ns;
    double rate;

    if (latency->count < MIN_FOR_RATE || latency->first_ns == TCPWHY_NS_UNKNOWN || span <= 0)
        return;
    rate = (double)latency->count * 1e9 / (double)span;
    if (rate >= 1)
        g_string_append_printf(to, ", %s a second",
                               tw_number_count((uint64_t)(rate + 0.5), number));
}

void tw_text_answered(GString *to, const struct tcpwhy_percentiles *latency,
                      const struct tcpwhy_status_classes *status)
{
    char number[TW_NUMBER_TEXT];

    tw_text_count(to, latency->count, "request", "requests");
    if (latency->count == 1) {
        g_string_append(to, " answered in ");
        g_string_append(to, tw_number_duration(latency->max_ns, number));
    } else {
        g_string_append(to, " answered");
        append_rate(to, latency);
        g_string_append(to, ": ");
        percentiles(to, latency);
    }
    if (status)
        status_classes(to, status, latency->count);
}

void tw_text_latency(struct tw_layout *page, unsigned indent, const char *label,
                     const struct tcpwhy_percentiles *latency,
                     const struct tcpwhy_status_classes *status)
{
    GString *text;

    if (latency->count == 0)
        return;
    text = g_string_new(NULL);
    tw_text_answered(text, latency, status);
    tw_layout_entry(page, indent, label, TW_TONE_PLAIN, text->str);
    g_string_free(text, TRUE);
}
