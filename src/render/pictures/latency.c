/* SPDX-License-Identifier: MIT */
/*
 * How long answers took, server by server: what load generators print, by status and by operation,
 * and over time.
 */
#include "base/array.h"
#include "render/pictures/heat_map.h"
#include "render/view/latency_words.h"
#include "render/view/view.h"

/* The servers that a screen shows, and the statuses and operations of each. */
#define TEXT_SERVICES 8
#define TEXT_KINDS    10

#define HEAT_ROWS 12
/* Columns beside the map: its labels. */
#define HEAT_LEFT 13

/* ---- the table ------------------------------------------------------------------------------- */

struct row {
    const char *of;
    struct tw_distribution d;
    tcpwhy_ns mean_ns, deviation_ns;
};

static void within_words(tw_string *text, const void *row)
{
    const struct row *r = row;

    tw_string_append(text, r->d.n ? tw_percent(r->d.within).text : "-");
}

#define OF(member) TW_AT(struct row, member)
#define TIME(key_, member, title_, leaves_)                                                        \
    {                                                                                              \
        .key = key_, .kind = TW_MS, OF(member), .title = title_, .format = TW_FORMAT_MS,           \
        .leaves = leaves_                                                                          \
    }

static const struct tw_field fields[] = {
    { "of", TW_TEXT, OF(of), .title = "ms", .min = 12 },
    { "count", TW_UINT, OF(d.n), .title = "count" },
    TIME("min_ms", d.min_ns, "min", 5),
    TIME("mean_ms", mean_ns, "mean", 0),
    TIME("deviation_ms", deviation_ns, "sd", 0),
    { "within", TW_REAL, OF(d.within), .title = "+/-sd", .words = within_words, .leaves = 7 },
    TIME("p50_ms", d.p50_ns, "p50", 0),
    TIME("p66_ms", d.p66_ns, NULL, 0),
    TIME("p75_ms", d.p75_ns, "p75", 6),
    TIME("p80_ms", d.p80_ns, NULL, 0),
    TIME("p90_ms", d.p90_ns, "p90", 4),
    TIME("p95_ms", d.p95_ns, NULL, 0),
    TIME("p98_ms", d.p98_ns, NULL, 0),
    TIME("p99_ms", d.p99_ns, "p99", 0),
    TIME("p99_9_ms", d.p999_ns, "p99.9", 3),
    TIME("max_ms", d.max_ns, "max", 0),
    TW_FIELDS_END,
};

static void add_row(tw_array *rows, const char *of, tw_array *times)
{
    struct row r = { .of = of, .d = tw_distribution_of(times) };

    r.mean_ns = r.d.n ? (tcpwhy_ns)(r.d.mean_ns + 0.5) : TCPWHY_NS_UNKNOWN;
    r.deviation_ns = r.d.n ? (tcpwhy_ns)(r.d.deviation_ns + 0.5) : TCPWHY_NS_UNKNOWN;
    if (r.d.n > 0)
        tw_array_append_val(rows, r);
    tw_array_free(times, TRUE);
}

/* Those that open a connection each have parts of their own. */
static tw_array *part_rows(const struct tw_service *s)
{
    tw_array *rows = tw_array_new(FALSE, FALSE, sizeof(struct row));

    for (unsigned part = 0; part < TW_SERVICE_PARTS; part++)
        if (part < TW_SERVICE_CONNECT || s->opens)
            add_row(rows, tw_latency_part_title(part),
                    tw_service_times(s, (enum tw_service_part)part, 0, NULL));
    return rows;
}

static tw_array *status_rows(const struct tw_service *s, const struct tw_service_kinds *kinds,
                             tw_string_chunk *texts)
{
    tw_array *rows = tw_array_new(FALSE, FALSE, sizeof(struct row));

    for (guint i = 0; i < kinds->statuses->len; i++) {
        guint16 status = tw_array_index(kinds->statuses, guint16, i);
        tw_autofree char *text = tw_strdup_printf("status %u", status);

        add_row(rows, tw_string_chunk_insert(texts, text),
                tw_service_times(s, TW_SERVICE_LATENCY, status, NULL));
    }
    return rows;
}

static tw_array *operation_rows(const struct tw_service *s, const struct tw_service_kinds *kinds)
{
    tw_array *rows = tw_array_new(FALSE, FALSE, sizeof(struct row));

    for (guint i = 0; i < kinds->operations->len && i < TEXT_KINDS; i++) {
        const char *operation = tw_ptr_array_index(kinds->operations, i);

        add_row(rows, operation, tw_service_times(s, TW_SERVICE_LATENCY, 0, operation));
    }
    return rows;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void draw_rows(struct tw_layout *page, const char *title, tw_array *rows, guint least)
{
    if (rows->len >= least) {
        tw_layout_end_line(page);
        tw_layout_line(page, TW_TONE_QUIET, title);
        tw_fields_table(page, fields, rows->data, MIN(rows->len, TEXT_KINDS), sizeof(struct row),
                        2);
    }
    tw_array_free(rows, TRUE);
}

static void heat(struct tw_layout *page, const struct tw_service *s)
{
    struct tw_heat map;

    if (!tw_heat_make(s, page->columns - HEAT_LEFT, HEAT_ROWS, &map))
        return;
    tw_layout_end_line(page);
    tw_heat_map_text(page, &map);
    tw_heat_clear(&map);
}

static void service_text(struct tw_layout *page, const struct tw_service *s, tcpwhy_ns slower_ns)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);
    tw_string_chunk *texts = tw_string_chunk_new(256);
    struct tw_service_kinds kinds;

    tw_layout_end_line(page);
    tw_text_holder(text, &s->endpoint, s->server_name, TCPWHY_PARTY_NONE);
    tw_layout_line(page, TW_TONE_STRONG, text->str);
    tw_string_truncate(text, 0);
    tw_latency_summary(text, s);
    tw_layout_paragraph(page, 0, TW_TONE_PLAIN, text->str);
    tw_string_truncate(text, 0);
    tw_latency_troubles(text, s, slower_ns);
    if (text->len)
        tw_layout_paragraph(page, 0, TW_TONE_BAD, text->str);
    if (s->answered > 0) {
        tw_service_kinds(s, &kinds);
        draw_rows(page, "Times of requests", part_rows(s), 1);
        draw_rows(page, "Latency by status", status_rows(s, &kinds, texts), 2);
        draw_rows(page, "Latency by operation", operation_rows(s, &kinds), 2);
        heat(page, s);
        tw_service_kinds_clear(&kinds);
    }
    tw_string_chunk_free(texts);
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    tcpwhy_ns slower_ns = tw_latency_slower(&request->options);
    tw_array *services = tw_services(request->report, slower_ns);
    guint shown = 0;

    tw_text_capture(page, request->report);
    for (guint i = 0; i < services->len && shown < TEXT_SERVICES; i++) {
        const struct tw_service *s = &tw_array_index(services, struct tw_service, i);

        if (s->requests->len == 0)
            continue;
        service_text(page, s, slower_ns);
        shown++;
    }
    if (tw_report_capture(request->report)->streams == 0) {
        tw_text_say_no_stream(page, request->report);
    } else if (shown == 0) {
        tw_layout_end_line(page);
        tw_layout_line(page, TW_TONE_WARN, "No request/response pair was found.");
    }
    tw_services_free(services);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_rows(struct tw_json *to, const char *key, tw_array *rows)
{
    tw_json_records(to, key, fields, rows->data, rows->len, sizeof(struct row));
    tw_array_free(rows, TRUE);
}

static void json_service(struct tw_json *to, const struct tw_service *s)
{
    tw_string_chunk *texts = tw_string_chunk_new(256);
    struct tw_service_kinds kinds;
    struct tw_heat map;

    tw_service_kinds(s, &kinds);
    tw_json_object(to, NULL);
    tw_latency_json(to, s);
    json_rows(to, "times", part_rows(s));
    json_rows(to, "by_status", status_rows(s, &kinds, texts));
    json_rows(to, "by_operation", operation_rows(s, &kinds));
    if (tw_heat_make(s, TW_HEAT_MAP_COLUMNS, TW_HEAT_MAP_ROWS, &map)) {
        tw_heat_map_json(to, "over_time", &map);
        tw_heat_clear(&map);
    } else {
        tw_json_null(to, "over_time");
    }
    tw_json_end(to);
    tw_service_kinds_clear(&kinds);
    tw_string_chunk_free(texts);
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    tw_array *services = tw_services(request->report, tw_latency_slower(&request->options));

    for (guint i = 0; i < services->len && !to->out->stopped; i++)
        json_service(to, &tw_array_index(services, struct tw_service, i));
    tw_services_free(services);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    tw_json_ms(to, "slower_ms", tw_latency_slower(&request->options));
    tw_json_array(to, "services");
    lines(request, to);
    tw_json_end(to);
}

/* ---- CSV and SVG ----------------------------------------------------------------------------- */

static void csv(const struct tw_request *request, struct tw_writer *out)
{
    tw_array *services = tw_services(request->report, tw_latency_slower(&request->options));

    tw_heat_map_csv_head(out);
    for (guint i = 0; i < services->len && !out->stopped; i++) {
        const struct tw_service *s = &tw_array_index(services, struct tw_service, i);
        struct tw_heat map;

        if (!tw_heat_make(s, TW_HEAT_MAP_COLUMNS, TW_HEAT_MAP_ROWS, &map))
            continue;
        tw_heat_map_csv(out, &s->endpoint, &map);
        tw_heat_clear(&map);
    }
    tw_services_free(services);
}

static void svg(const struct tw_request *request, struct tw_writer *out)
{
    tw_array *services = tw_services(request->report, tw_latency_slower(&request->options));

    tw_heat_map_svg(out, (const struct tw_service *)(const void *)services->data, services->len,
                    false);
    tw_services_free(services);
}

const struct tw_renderer tw_renderer_latency = {
    .document = TCPWHY_DOC_LATENCY,
    .command = "latency",
    .text = text,
    .json = json,
    .lines = lines,
    .write = { [TCPWHY_FORMAT_CSV] = csv, [TCPWHY_FORMAT_SVG] = svg },
};
