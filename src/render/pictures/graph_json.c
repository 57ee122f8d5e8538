/* SPDX-License-Identifier: MIT */
/*
 * A series as JSON: each curve's points as short arrays whose members "columns" names, and beside
 * them the intervals of the ledger, so that a page can draw both.
 */
#include "base/array.h"
#include "render/pictures/graph.h"
#include "render/view/graph_words.h"
#include "render/view/names.h"
#include "render/view/records.h"
#include "report/flow/flow_part.h"
#include "report/series/series_thin.h"

/* Of a line a column keeps up to four points. */
#define POINTS_A_COLUMN 4
/* Distinguishable steps from bottom to top. */
#define GRAINS 400

/* The points of a curve are on one line. */
#define BREAK_DEPTH 3

static void value(struct tw_json *json, const struct tw_series *s, int64_t n)
{
    if (tw_graph_unit(s->graph) == TW_UNIT_NS)
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
        tw_json_string(json, NULL, tw_graph_value_name(s->graph));
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
    tw_json_string(json, "curve", tw_role_name(c->role));
    tw_json_string(json, "mark", tw_mark_name(c->mark));
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

void tw_graph_json(const struct tw_graph_job *job, struct tw_writer *out)
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
