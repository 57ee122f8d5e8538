/* SPDX-License-Identifier: MIT */
/*
 * Graphs over time: JSON and CSV of a series, and which format is written where. In JSON the points
 * of a curve are short arrays whose members "columns" names, beside the intervals of the ledger, so
 * that a page can draw both; CSV (RFC 4180 but for line feeds alone) has them curve by curve, each
 * in the order of time.
 */
#include "render/pictures/graph.h"

#include <inttypes.h>

#include "base/array.h"
#include "base/counts.h"
#include "report/series/graph_words.h"
#include "render/view/view.h"
#include "report/flow/flow.h"
#include "report/flow/flow_part.h"
#include "report/series/series_thin.h"

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Of a line a column keeps up to four points. */
#define POINTS_A_COLUMN 4
/* Distinguishable steps from bottom to top. */
#define GRAINS 400

/* The points of a curve are on one line. */
#define BREAK_DEPTH 3

static void value(struct tw_json *json, const struct tw_series *s, int64_t n)
{
    if (tw_graphs[s->graph].unit == TW_UNIT_NS)
        tw_json_us(json, NULL, n);
    else
        tw_json_int(json, NULL, n);
}

static void point(struct tw_json *json, const struct tw_series *s, const struct tw_curve *curve,
                  const struct tw_point *p)
{
    tw_json_array(json, NULL);
    tw_json_ms(json, NULL, p->time_ns);
    value(json, s, p->low);
    if (curve->mark == TW_MARK_BAR)
        value(json, s, p->high);
    tw_json_frame(json, NULL, p->frame);
    tw_json_end(json);
}

static void columns(struct tw_json *json, const struct tw_series *s, const struct tw_curve *curve)
{
    tw_json_array(json, "columns");
    tw_json_string(json, NULL, "time_ms");
    if (curve->mark == TW_MARK_BAR) {
        tw_json_string(json, NULL, "seq_from");
        tw_json_string(json, NULL, "seq_to");
    } else {
        tw_json_string(json, NULL, tw_graphs[s->graph].value);
    }
    tw_json_string(json, NULL, "frame");
    tw_json_end(json);
}

static void curve(struct tw_json *json, const struct tw_graph_job *job, const struct tw_curve *c,
                  const struct tw_thinning *thinning)
{
    bool thin = job->options->max_points > 0 && c->points->len > job->options->max_points;
    tw_array *points = thin ? tw_curve_thin(job->series, c, thinning) : tw_array_ref(c->points);

    tw_json_object(json, NULL);
    tw_json_string(json, "curve", tw_roles[c->role].name);
    tw_json_string(json, "mark", tw_mark_names[c->mark]);
    tw_json_uint(json, "count", c->points->len);
    columns(json, job->series, c);
    tw_json_array(json, "points");
    for (guint i = 0; i < points->len && !json->out->stopped; i++)
        point(json, job->series, c, &tw_array_index(points, struct tw_point, i));
    tw_json_end(json);
    tw_json_end(json);
    tw_array_unref(points);
}

static void ceiling(struct tw_json *json, const struct tw_series *s)
{
    if (s->ceiling.value == 0) {
        tw_json_null(json, "ceiling");
        return;
    }
    tw_json_object(json, "ceiling");
    tw_json_int(json, "bytes", s->ceiling.value);
    tw_json_string(json, "cause", tcpwhy_cause_info(s->ceiling.cause)->name);
    tw_json_end(json);
}

static void bands(struct tw_json *json, const struct tw_series *s)
{
    tw_json_array(json, "bands");
    for (size_t i = tw_flow_first_span(s->stream, s->from_ns); i < s->stream->n_spans; i++) {
        const struct tcpwhy_span *b = &s->stream->spans[i];

        if (b->from_ns >= s->to_ns)
            break;
        tw_json_object(json, NULL);
        tw_json_ms(json, "from_ms", b->from_ns);
        tw_json_ms(json, "to_ms", b->to_ns);
        tw_json_charge(json, b);
        tw_json_end(json);
    }
    tw_json_end(json);
}

static void graph(struct tw_json *json, const struct tw_graph_job *job)
{
    const struct tw_series *s = job->series;
    int64_t low = 0, high = 0;
    struct tw_thinning thinning = { MAX(job->options->max_points / POINTS_A_COLUMN, 1), 1 };

    if (tw_series_range(s, &low, &high))
        thinning.grain = (high - low) / GRAINS;
    tw_json_string(json, "graph", tcpwhy_graph_name(s->graph));
    tw_json_stream_ends(json, s->stream);
    tw_json_string(json, "direction", tw_name_side(s->from));
    tw_json_ms(json, "from_ms", s->from_ns);
    tw_json_ms(json, "to_ms", s->to_ns);
    if (s->interval_ns > 0)
        tw_json_ms(json, "interval_ms", s->interval_ns);
    ceiling(json, s);
    bands(json, s);
    tw_json_array(json, "curves");
    for (unsigned i = 0; i < s->n_curves; i++)
        if (s->curve[i].points->len > 0)
            curve(json, job, &s->curve[i], &thinning);
    tw_json_end(json);
}

static void write_json(const struct tw_graph_job *job, struct tw_writer *out)
{
    struct tw_json json;

    tw_json_init(&json, out, BREAK_DEPTH);
    tw_json_object(&json, NULL);
    tw_json_string(&json, "schema", "tcpwhy/1");
    tw_json_string(&json, "command", "graph");
    tw_json_capture(&json, "capture", tw_report_capture(job->report));
    graph(&json, job);
    tw_json_end(&json);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static bool has_bars(const struct tw_series *s)
{
    return s->graph == TCPWHY_GRAPH_SEQUENCE;
}

static void row(const struct tw_series *s, const struct tw_curve *curve, const struct tw_point *p,
                struct tw_writer *out)
{
    tw_writer_printf(out, "%s,%s,", tw_roles[curve->role].name,
                     tw_fixed(p->time_ns, 6, 6, false).text);
    if (has_bars(s))
        tw_writer_printf(out, "%" PRId64 ",%" PRId64, p->low, p->high);
    else if (tw_graphs[s->graph].unit == TW_UNIT_NS)
        tw_writer_text(out, tw_fixed(p->low, 3, 3, false).text);
    else
        tw_writer_printf(out, "%" PRId64, p->low);
    tw_writer_printf(out, ",%s\n", p->frame > 0 ? tw_plain(p->frame).text : "");
}

static void write_csv(const struct tw_graph_job *job, struct tw_writer *out)
{
    const struct tw_series *s = job->series;

    tw_writer_text(out, "curve,time_ms,");
    tw_writer_text(out, has_bars(s) ? "seq_from,seq_to" : tw_graphs[s->graph].value);
    tw_writer_text(out, ",frame\n");
    for (unsigned i = 0; i < s->n_curves; i++)
        for (guint k = 0; k < s->curve[i].points->len && !out->stopped; k++)
            row(s, &s->curve[i], &tw_array_index(s->curve[i].points, struct tw_point, k), out);
}

/* ---- the document ---------------------------------------------------------------------------- */

static bool ready(const struct tw_request *request)
{
    struct tw_flow_source source;

    return (unsigned)request->options.graph < TW_N_GRAPHS &&
           tw_flow_find(request->report, request->graph.stream, &source);
}

static void draw(const struct tw_request *request, struct tw_writer *out)
{
    static void (*const formats[])(const struct tw_graph_job *, struct tw_writer *) = {
        [TCPWHY_FORMAT_SVG] = tw_graph_svg,
        [TCPWHY_FORMAT_CSV] = write_csv,
        [TCPWHY_FORMAT_JSON] = write_json,
        [TCPWHY_FORMAT_XPLOT] = tw_graph_xplot,
    };
    struct tw_flow_source source;
    struct tw_series series;

    tw_flow_find(request->report, request->graph.stream, &source);
    tw_series_build(source.stream, source.log, request->options.graph, &request->graph, &series);
    formats[request->format](&(struct tw_graph_job) { request->report, &series, &request->graph },
                             out);
    tw_series_clear(&series);
}

const struct tw_renderer tw_renderer_graph = {
    .document = TCPWHY_DOC_GRAPH,
    .ready = ready,
    .write = { [TCPWHY_FORMAT_SVG] = draw,
               [TCPWHY_FORMAT_CSV] = draw,
               [TCPWHY_FORMAT_JSON] = draw,
               [TCPWHY_FORMAT_XPLOT] = draw },
};
