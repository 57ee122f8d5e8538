/* SPDX-License-Identifier: MIT */
/*
 * Words that several documents use: counts, places, the head of a capture, response times.
 */
#include <string.h>

#include "render/view/view.h"
#include "render/writers/text.h"

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

void tw_text_count(tw_string *to, uint64_t n, const char *one, const char *many)
{
    tw_string_append_printf(to, "%s %s", tw_count(n).text, n == 1 ? one : many);
}

void tw_text_title(tw_string *to, enum tcpwhy_cause cause)
{
    const char *title = tcpwhy_cause_info(cause)->title;

    tw_string_append_printf(to, "%c%s", g_ascii_toupper(title[0]), title + 1);
}

void tw_text_request(tw_string *to, const struct tcpwhy_exchange *exchange)
{
    if (exchange->request[0])
        tw_string_append(to, exchange->request);
    else
        tw_string_append_printf(to, "(%s)", exchange->protocol);
}

void tw_text_holder(tw_string *to, const struct tcpwhy_endpoint *endpoint, const char *name,
                    enum tcpwhy_party party)
{
    if (endpoint->version == 0) {
        tw_string_append(to, tcpwhy_party_name(party));
        return;
    }
    tw_string_append(to, tw_endpoint(endpoint).text);
    if (name && party != TCPWHY_PARTY_NONE)
        tw_string_append_printf(to, " (%s, %s)", name, tcpwhy_party_name(party));
    else if (name || party != TCPWHY_PARTY_NONE)
        tw_string_append_printf(to, " (%s)", name ? name : tcpwhy_party_name(party));
}

void tw_text_ends(tw_string *to, const struct tw_stream_row *stream, enum tcpwhy_side from)
{
    if (from == TCPWHY_CLIENT)
        tw_string_append_printf(to, "%s \u2192 ", tw_endpoint(&stream->client).text);
    tw_text_holder(to, &stream->server, stream->server_name, TCPWHY_PARTY_NONE);
    if (from != TCPWHY_CLIENT)
        tw_string_append_printf(to, " \u2192 %s", tw_endpoint(&stream->client).text);
}

/* For a cause on the path the endpoint is that of the data or SYNs concerned; for SYNs it is always
 * the one that was asked. */
void tw_text_place(tw_string *to, enum tcpwhy_cause cause, const struct tcpwhy_endpoint *endpoint,
                   const char *name, enum tcpwhy_party party)
{
    bool asked = cause == TCPWHY_CONNECT_RETRY || cause == TCPWHY_CONNECT_REFUSED;
    const char *place = " at ";

    if (cause == TCPWHY_NAME_LOOKUP || cause == TCPWHY_NEXT_HOP)
        party = TCPWHY_PARTY_NONE;
    if (endpoint->version != 0 && party == TCPWHY_PARTY_PATH)
        place = asked ? " on the path to " : " on the path from ";
    else if (endpoint->version != 0 && party == TCPWHY_PARTY_CLIENT && asked)
        place = " of the client to ";
    tw_string_append(to, place);
    tw_text_holder(to, endpoint, name, strcmp(place, " at ") == 0 ? party : TCPWHY_PARTY_NONE);
}

static void quality(tw_string *to, const struct tcpwhy_quality *q)
{
    tw_string_append(to, q->text);
    if (q->n_frames == 0)
        return;
    if (g_str_has_suffix(to->str, "."))
        tw_string_truncate(to, to->len - 1);
    tw_string_append(to, q->n_frames == 1 ? " (frame" : " (frames");
    for (size_t i = 0; i < q->n_frames && i < MAX_FRAMES; i++)
        tw_string_append_printf(to, "%s %u", i > 0 ? "," : "", q->frames[i]);
    tw_string_append(to, q->count > q->n_frames ? " \u2026)" : ")");
}

/* A fact that changes no verdict is no warning. */
static enum tw_tone quality_tone(const struct tcpwhy_quality *q)
{
    static const char *const harmless[] = { "short_snaplen", "offload", "duplicated_frames" };

    for (size_t i = 0; i < G_N_ELEMENTS(harmless); i++)
        if (strcmp(q->fact, harmless[i]) == 0)
            return TW_TONE_QUIET;
    return TW_TONE_WARN;
}

void tw_quality(const struct tw_form *form, struct tw_layout *page, const tcpwhy_report *report)
{
    const struct tw_capture_row *c = tw_report_capture(report);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    for (size_t i = 0; i < c->n_quality; i++) {
        tw_string_truncate(text, 0);
        quality(text, &c->quality[i]);
        form->note(page, quality_tone(&c->quality[i]), text->str);
    }
}

static void capture_time(tw_string *to, const struct tw_capture_row *c)
{
    if (c->frames == 0 || c->first_ns == TCPWHY_NS_UNKNOWN || c->last_ns == TCPWHY_NS_UNKNOWN)
        return;
    if (c->last_ns != c->first_ns)
        tw_string_append_printf(to, " in %s", tw_duration(c->last_ns - c->first_ns).text);
    tw_string_append_printf(to, ", from %s", tw_date(c->first_ns).text);
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
        return "The filter matches no TCP connection.";
    if (tw_report_capture(report)->tcp_frames)
        return "No such stream in this capture.";
    return tcpwhy_report_verdict(report)->confidence == TCPWHY_CERTAIN
               ? "No TCP connection in this capture."
               : "No TCP connection could be read.";
}

void tw_text_say_no_stream(struct tw_layout *page, const tcpwhy_report *report)
{
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_WARN, tw_text_no_stream(report));
}

void tw_text_say_more(struct tw_layout *page, uint64_t n, const char *one, const char *many)
{
    g_autoptr(tw_string) text = tw_string_new("and ");

    if (n == 0)
        return;
    tw_string_append(text, tw_plural(n, one, many).text);
    tw_layout_end_line(page);
    tw_layout_paragraph(page, 0, TW_TONE_QUIET, text->str);
}

void tw_text_say_left_out(struct tw_layout *page, const tcpwhy_report *report)
{
    tw_text_say_more(page, tw_report_left_out(report), "more connection", "more connections");
}

void tw_text_scope(tw_string *to, const tcpwhy_report *report)
{
    const struct tw_capture_row *c = tw_report_capture(report);

    tw_string_append_printf(to, "%s, %s", tw_plural(c->streams, "connection", "connections").text,
                            tw_plural(c->frames, "frame", "frames").text);
    if (c->tcp_frames != c->frames)
        tw_string_append_printf(to, " (%s TCP)", tw_count(c->tcp_frames).text);
    capture_time(to, c);
}

void tw_text_comment(tw_string *to, const struct tw_capture_row *c, unsigned width, bool ascii)
{
    char **line = tw_strsplit(c->comment, "\r\n");
    g_autoptr(tw_string) comment = tw_string_new(NULL);

    for (size_t i = 0; line[i]; i++)
        if (g_strstrip(line[i])[0])
            tw_string_append_printf(comment, "%s%s", comment->len ? "; " : "", line[i]);
    tw_text_begin(to, comment->str, width, ascii);
    tw_strfreev(line);
}

void tw_text_capture(struct tw_layout *page, const tcpwhy_report *report)
{
    const struct tw_capture_row *c = tw_report_capture(report);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    if (c->file[0])
        tw_layout_paragraph(page, 0, TW_TONE_STRONG, c->file);
    if (c->comment[0]) {
        tw_text_comment(text, c, page->columns, page->ascii);
        tw_layout_line(page, TW_TONE_QUIET, text->str);
        tw_string_truncate(text, 0);
    }
    tw_text_scope(text, report);
    tw_layout_paragraph(page, 0, TW_TONE_PLAIN, text->str);
    tw_quality(&tw_form_text, page, report);
}

/* A response has its status when it begins and its response time when it ends: the difference is
 * the incomplete ones. */
static void status_classes(tw_string *to, const struct tcpwhy_status_classes *status,
                           uint64_t n_answered)
{
    static const char *const names[] = { "other", "1xx", "2xx", "3xx", "4xx", "5xx" };
    uint64_t sum = 0;
    bool first = true;

    for (size_t i = 1; i < G_N_ELEMENTS(names); i++) {
        if (status->n[i] == 0)
            continue;
        sum += status->n[i];
        tw_string_append_printf(to, "%s%s \u00D7 %s", first ? "; " : ", ",
                                tw_count(status->n[i]).text, names[i]);
        first = false;
    }
    if (sum > n_answered)
        tw_string_append_printf(to, " (%s incomplete)", tw_count(sum - n_answered).text);
}

/* Percentiles in one unit, so that they can be compared at a glance; as all durations of a screen
 * where a second is among them. Of few requests the higher ones are the longest, which comes last.
 */
static void percentiles(tw_string *to, const struct tcpwhy_percentiles *latency)
{
    const struct {
        const char *name;
        tcpwhy_ns ns;
    } parts[] = { { "median", latency->p50_ns },
                  { "p75", latency->p75_ns },
                  { "p90", latency->p90_ns },
                  { "p99", latency->p99_ns },
                  { "max", latency->max_ns } };
    const bool one_unit = latency->max_ns < TCPWHY_S(1);

    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (i > 0 && i + 1 < G_N_ELEMENTS(parts) && parts[i].ns == latency->max_ns)
            continue;
        tw_string_append_printf(to, "%s%s %s", i > 0 ? ", " : "", parts[i].name,
                                one_unit ? tw_comparable_ms(parts[i].ns).text
                                         : tw_duration(parts[i].ns).text);
    }
    if (one_unit)
        tw_string_append(to, " ms");
}

/* Of fewer requests even the 90th percentile is the longest: they have no rate, only a time between
 * the first and the last of them. */
#define MIN_FOR_RATE 10

/* ", 459/s": from the first request to the last response. Nothing below 1/s or for few requests. */
static void append_rate(tw_string *to, const struct tcpwhy_percentiles *latency)
{
    tcpwhy_ns span = latency->last_ns - latency->first_ns;
    double rate;

    if (latency->count < MIN_FOR_RATE || latency->first_ns == TCPWHY_NS_UNKNOWN || span <= 0)
        return;
    rate = (double)latency->count * 1e9 / (double)span;
    if (rate >= 1)
        tw_string_append_printf(to, ", %s/s", tw_count((uint64_t)(rate + 0.5)).text);
}

void tw_text_answered(tw_string *to, const struct tcpwhy_percentiles *latency,
                      const struct tcpwhy_status_classes *status)
{
    tw_string_append(to, tw_plural(latency->count, "request", "requests").text);
    if (latency->count == 1) {
        tw_string_append_printf(to, ", response time %s", tw_duration(latency->max_ns).text);
    } else {
        append_rate(to, latency);
        tw_string_append(to, "; response time ");
        percentiles(to, latency);
    }
    if (status)
        status_classes(to, status, latency->count);
}

void tw_facts(const struct tw_form *form, struct tw_layout *page, const tcpwhy_report *report,
              const struct tcpwhy_fact *told)
{
    size_t n;
    const struct tcpwhy_fact *f = tw_report_facts(report, &n);

    for (size_t i = 0; i < n && i < form->max_facts; i++)
        if (&f[i] != told)
            form->note(page, TW_TONE_WARN, f[i].text);
}
