/* SPDX-License-Identifier: MIT */
/*
 * Traffic over time, of the capture and of each listener.
 */
#include <math.h>

#include "base/array.h"
#include "render/view/operations.h"
#include "render/view/view.h"
#include "report/figures/open_connections.h"

/* ---- intervals ------------------------------------------------------------------------------- */

struct interval_row {
    tcpwhy_ns from_ns, interval_ns;
    double frames_per_s, bits_per_s;
    bool whole;   /* of the capture, which knows the bytes on the wire */
    bool counted; /* so are the connections that are open at its end: */
    uint64_t open;
    struct tcpwhy_interval i;
};

static struct interval_row interval_row(const struct tw_interval_series *t, size_t i, bool whole,
                                        const uint64_t *open)
{
    const struct tcpwhy_interval *at = &t->interval[i];
    double per_s = 1e9 / (double)t->interval_ns;

    return (struct interval_row) { .from_ns = t->first_ns + (tcpwhy_ns)i * t->interval_ns,
                                   .interval_ns = t->interval_ns,
                                   .frames_per_s = (double)at->frames * per_s,
                                   .bits_per_s = (double)at->bytes * 8 * per_s,
                                   .whole = whole,
                                   .counted = open != NULL,
                                   .open = open ? open[i] : 0,
                                   .i = *at };
}

static bool is_whole(const void *row)
{
    return ((const struct interval_row *)row)->whole;
}

static bool is_counted(const void *row)
{
    return ((const struct interval_row *)row)->counted;
}

static void from_words(tw_string *text, const void *row)
{
    const struct interval_row *r = row;

    tw_string_append(text, tw_seconds(r->from_ns, r->interval_ns % TCPWHY_S(1) ? 3 : 0).text);
}

/* n per interval as a rate per second, with three decimals or none; a small rate is not shown as
 * zero. */
static void rate(tw_string *text, const struct interval_row *r, uint64_t n, double per,
                 bool decimals)
{
    double a_second = (double)n / per * 1e9 / (double)r->interval_ns;
    int64_t shown = (int64_t)(a_second * (decimals ? 1e3 : 1) + 0.5);

    if (r->i.frames == 0)
        tw_string_append_c(text, '-');
    else if (n > 0 && shown == 0)
        tw_string_append(text, decimals ? "<0.001" : "<1");
    else
        tw_string_append(text, tw_fixed(shown, decimals ? 3 : 0, decimals ? 3 : 0, true).text);
}

static void frames_words(tw_string *text, const void *row)
{
    rate(text, row, ((const struct interval_row *)row)->i.frames, 1, false);
}

static void bits_words(tw_string *text, const void *row)
{
    rate(text, row, ((const struct interval_row *)row)->i.bytes * 8, 1e6, true);
}

static void to_server_words(tw_string *text, const void *row)
{
    rate(text, row, ((const struct interval_row *)row)->i.payload_bytes[TCPWHY_CLIENT] * 8, 1e6,
         true);
}

static void to_client_words(tw_string *text, const void *row)
{
    rate(text, row, ((const struct interval_row *)row)->i.payload_bytes[TCPWHY_SERVER] * 8, 1e6,
         true);
}

#define OF(member) TW_AT(struct interval_row, member)
static const struct tw_field interval_fields[] = {
    { "from_ms", TW_MS, OF(from_ns), .title = "from s", .words = from_words },
    { "frames", TW_UINT, OF(i.frames) },
    { "frames_per_s", TW_REAL, OF(frames_per_s), .title = "frames/s", .words = frames_words },
    { "bytes", TW_UINT, OF(i.bytes), .shown = is_whole },
    { "bits_per_s", TW_REAL, OF(bits_per_s), .shown = is_whole, .title = "Mbit/s",
      .words = bits_words },
    { "payload_bytes_to_server", TW_UINT, OF(i.payload_bytes[TCPWHY_CLIENT]), .title = "to server",
      .leaves = 3, .words = to_server_words },
    { "payload_bytes_to_client", TW_UINT, OF(i.payload_bytes[TCPWHY_SERVER]), .title = "to client",
      .leaves = 2, .words = to_client_words },
    { "retransmissions", TW_UINT, OF(i.retransmissions), .title = "retrans", .zero_is_dash = true,
      .tone = TW_TONE_BAD },
    { "syns", TW_UINT, OF(i.syns), .title = "SYNs", .zero_is_dash = true },
    { "syn_repeats", TW_UINT, OF(i.syn_repeats) },
    { "unanswered", TW_UINT, OF(i.unanswered), .title = "unanswered", .zero_is_dash = true,
      .leaves = 1, .tone = TW_TONE_BAD },
    { "refused", TW_UINT, OF(i.refused) },
    { "opened", TW_UINT, OF(i.opened), .title = "opened", .zero_is_dash = true, .leaves = 4 },
    { "open", TW_UINT, OF(open), .title = "open", .shown = is_counted },
    TW_FIELDS_END,
};
#undef OF

/* Those with frames, and of each run without frames the first. */
static void intervals(struct tw_layout *page, const struct tw_interval_series *t,
                      const uint64_t *open)
{
    tw_array *rows = tw_array_new(FALSE, FALSE, sizeof(struct interval_row));

    for (size_t i = 0; i < t->n; i++) {
        struct interval_row row = interval_row(t, i, true, open);

        if (i == 0 || row.i.frames > 0 || t->interval[i - 1].frames > 0)
            tw_array_append_val(rows, row);
    }
    tw_layout_end_line(page);
    tw_layout_putf(page, TW_TONE_STRONG, "Traffic, intervals of %s",
                   tw_duration(t->interval_ns).text);
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_QUIET,
                   "to server, to client: payload in Mbit/s, without retransmissions");
    if (open)
        tw_layout_line(page, TW_TONE_QUIET, "open: connections at the end of the interval");
    if (rows->len < t->n)
        tw_layout_line(page, TW_TONE_QUIET, "row of dashes: no frames until the next row");
    tw_fields_table(page, interval_fields, rows->data, rows->len, sizeof(struct interval_row), 0);
    tw_array_free(rows, TRUE);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* What the intervals add up to. */
struct carried {
    uint64_t frames, bytes, payload_bytes[2];
    uint64_t most_bytes[2]; /* of payload in one interval */
};

static struct carried carried_by(const struct tw_interval_series *t)
{
    struct carried c = { 0 };

    for (size_t i = 0; i < t->n; i++) {
        c.frames += t->interval[i].frames;
        c.bytes += t->interval[i].bytes;
        for (int side = 0; side < 2; side++) {
            uint64_t bytes = t->interval[i].payload_bytes[side];

            c.payload_bytes[side] += bytes;
            c.most_bytes[side] = MAX(c.most_bytes[side], bytes);
        }
    }
    return c;
}

/* NAN where there are no frames. */
static double payload_share(const struct carried *c)
{
    return c->bytes ? (double)(c->payload_bytes[0] + c->payload_bytes[1]) / (double)c->bytes
                    : (double)NAN;
}

/* Of a link of that rate, by so many bytes in so long. */
static double use_of(double link_bits_per_s, uint64_t bytes, tcpwhy_ns ns)
{
    return ns > 0 ? (double)bytes * 8 * 1e9 / (double)ns / link_bits_per_s : (double)NAN;
}

/* How long the capture is; what is shorter than an interval fills none. */
static tcpwhy_ns length_of(const tcpwhy_report *report)
{
    const struct tw_capture_row *capture = tw_report_capture(report);

    return capture->first_ns == TCPWHY_NS_UNKNOWN ? 0 : capture->last_ns - capture->first_ns;
}

static void link_words(tw_string *to, const struct tw_request *request, const struct carried *c,
                       const struct tw_interval_series *t)
{
    const int side = c->payload_bytes[TCPWHY_CLIENT] > c->payload_bytes[TCPWHY_SERVER]
                         ? TCPWHY_CLIENT
                         : TCPWHY_SERVER;
    const double link = request->options.link_bits_per_s;
    const tcpwhy_ns all_ns = length_of(request->report);

    if (!(link > 0) || all_ns <= 0)
        return;
    tw_string_append_printf(
        to, " Of a link of %s, payload to the %s takes %s, and %s in its busiest interval.",
        tw_bit_rate((int64_t)link).text, side == TCPWHY_CLIENT ? "server" : "client",
        tw_percent(use_of(link, c->payload_bytes[side], all_ns)).text,
        tw_percent(use_of(link, c->most_bytes[side], MIN(t->interval_ns, all_ns))).text);
}

static void in_all(struct tw_layout *page, const struct tw_request *request,
                   const struct tw_interval_series *t)
{
    const struct carried c = carried_by(t);
    g_autoptr(tw_string) words = tw_string_new(NULL);

    if (c.frames == 0)
        return;
    tw_string_append_printf(
        words, "A frame has %s on average; %s of all bytes are payload, without retransmissions.",
        tw_byte_size(c.bytes / c.frames).text, tw_percent(payload_share(&c)).text);
    link_words(words, request, &c, t);
    tw_layout_paragraph(page, 0, TW_TONE_PLAIN, words->str);
}

static void interval_lines(struct tw_json *json, const struct tw_interval_series *t, bool whole,
                           const uint64_t *open)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct interval_row row = interval_row(t, i, whole, open);

        tw_json_record(json, NULL, interval_fields, &row);
    }
}

void tw_json_traffic(struct tw_json *json, const struct tw_interval_series *t, bool whole,
                     const uint64_t *open)
{
    tw_json_object(json, "traffic");
    tw_json_ms(json, "interval_ms", t->interval_ns);
    tw_json_array(json, "intervals");
    interval_lines(json, t, whole, open);
    tw_json_end(json);
    tw_json_end(json);
}

/* ---- intervals as CSV ------------------------------------------------------------------------ */

/* The counts of an interval; one that is not known stays empty. */
static void csv_counts(tw_string *line, const struct interval_row *row)
{
    for (const struct tw_field *f = interval_fields; f->key; f++) {
        if (f->kind != TW_UINT)
            continue;
        if (!row)
            tw_string_append_printf(line, ",%s", f->key);
        else if (f->shown && !f->shown(row))
            tw_string_append_c(line, ',');
        else
            tw_string_append_printf(line, ",%" G_GUINT64_FORMAT,
                                    (guint64)tw_field_unsigned(f, row));
    }
    tw_string_append_c(line, '\n');
}

static void csv_series(struct tw_writer *out, tw_string *line, const char *listener,
                       const struct tw_interval_series *t, const uint64_t *open)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct interval_row row = interval_row(t, i, listener[0] == '\0', open);

        tw_string_printf(line, "%s,%s,%s", listener, tw_fixed(row.from_ns, 6, 3, false).text,
                         tw_fixed(row.interval_ns, 6, 3, false).text);
        csv_counts(line, &row);
        tw_writer_bytes(out, line->str, line->len);
    }
}

/* Intervals of the capture (empty listener), then those of each listener (empty bytes). */
static void csv(const struct tw_request *request, struct tw_writer *out)
{
    size_t n;
    const struct tw_listener_row *l = tw_report_listeners(request->report, &n);
    g_autoptr(tw_string) line = tw_string_new("listener,from_ms,interval_ms");
    uint64_t *open = tw_open_connections(request->report);

    csv_counts(line, NULL);
    tw_writer_text(out, line->str);
    csv_series(out, line, "", tw_report_traffic(request->report), open);
    tw_free(open);
    for (size_t i = 0; i < n; i++)
        csv_series(out, line, tw_endpoint(&l[i].endpoint).text, &l[i].traffic, NULL);
}

/* ---- operations ------------------------------------------------------------------------------ */

#define OF(member) TW_AT(struct tw_operation, member)
static const struct tw_field operation_fields[] = {
    { "protocol", TW_TEXT, OF(protocol), .title = "protocol" },
    { "operation", TW_TEXT, OF(request), .zero_is_none = true, .title = "operation", .min = 20 },
    { "count", TW_UINT, OF(count), .title = "count" },
    { "request_bytes", TW_UINT, OF(request_bytes), .title = "request bytes" },
    { "response_bytes", TW_UINT, OF(response_bytes), .title = "response bytes" },
    TW_FIELDS_END,
};

static gint most_bytes_first(gconstpointer a, gconstpointer b)
{
    const struct tw_operation *x = a, *y = b;
    uint64_t of_x = x->request_bytes + x->response_bytes;
    uint64_t of_y = y->request_bytes + y->response_bytes;

    if (of_x != of_y)
        return of_x < of_y ? 1 : -1;
    return (x->from > y->from) - (x->from < y->from);
}

static tw_array *operations_of(const struct tw_request *request)
{
    g_autoptr(tw_array) requests = tw_operations_requests(request->report, &request->options);
    tw_array *operations = tw_operations_of(requests);

    tw_array_sort(operations, most_bytes_first);
    return operations;
}

static void operations(struct tw_layout *page, const struct tw_request *request)
{
    g_autoptr(tw_array) found = operations_of(request);

    tw_operations_section(page, "Operations, most bytes first", operation_fields, found);
}

static void operations_json(struct tw_json *to, const struct tw_request *request)
{
    g_autoptr(tw_array) found = operations_of(request);

    tw_json_records(to, "operations", tw_operation_fields, found->data, found->len,
                    sizeof(struct tw_operation));
}

/* ---- the document ---------------------------------------------------------------------------- */

static void text(const struct tw_request *request, struct tw_layout *page)
{
    const struct tw_interval_series *t = tw_report_traffic(request->report);
    uint64_t *open = tw_open_connections(request->report);

    tw_text_capture(page, request->report);
    tw_facts(&tw_form_text, page, request->report, NULL);
    if (tw_report_capture(request->report)->streams == 0)
        tw_text_say_no_stream(page, request->report);
    if (t->n > 0)
        intervals(page, t, open);
    tw_free(open);
    in_all(page, request, t);
    if (tw_operations_wanted(&request->options))
        operations(page, request);
    tw_text_listeners(page, request->report);
    tw_text_ports(page, request->report);
}

/* Beside the intervals; of a link only when its rate was given. */
static void put_carried(struct tw_json *to, const struct tw_request *request)
{
    const struct tw_interval_series *t = tw_report_traffic(request->report);
    const struct carried c = carried_by(t);
    const double link = request->options.link_bits_per_s;
    const tcpwhy_ns all_ns = length_of(request->report);

    tw_json_object(to, "carried");
    tw_json_real(to, "mean_frame_bytes",
                 c.frames ? (double)c.bytes / (double)c.frames : (double)NAN);
    tw_json_real(to, "payload_share", payload_share(&c));
    if (link > 0) {
        tw_json_real(to, "link_bits_per_s", link);
        tw_json_real(to, "link_use_to_server",
                     use_of(link, c.payload_bytes[TCPWHY_CLIENT], all_ns));
        tw_json_real(to, "link_use_to_client",
                     use_of(link, c.payload_bytes[TCPWHY_SERVER], all_ns));
    }
    tw_json_end(to);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    uint64_t *open = tw_open_connections(request->report);

    put_carried(to, request);
    tw_json_traffic(to, tw_report_traffic(request->report), true, open);
    tw_free(open);
    tw_json_facts(to, request->report);
    tw_json_listeners(to, request->report, true);
    tw_json_ports(to, request->report);
    if (tw_operations_wanted(&request->options))
        operations_json(to, request);
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    uint64_t *open = tw_open_connections(request->report);

    interval_lines(to, tw_report_traffic(request->report), true, open);
    tw_free(open);
}

const struct tw_renderer tw_renderer_traffic = {
    .document = TCPWHY_DOC_TRAFFIC,
    .command = "traffic",
    .text = text,
    .json = json,
    .lines = lines,
    .write = { [TCPWHY_FORMAT_CSV] = csv },
};
