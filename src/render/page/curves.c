/* SPDX-License-Identifier: MIT */
/*
 * A curve is thinned until it fits, and its points are stored as differences, which are small and
 * similar and compress well: times and values separately, in units as coarse as the thinning. Times
 * count from the start of the stream.
 */
#include "base/array.h"
#include "base/counts.h"
#include "render/page/page.h"
#include "report/series/cause_columns.h"
#include "report/series/graph_words.h"
#include "report/series/series_thin.h"

/* Finest first; the first that fits is taken. */
static const uint32_t columns_tried[] = {
    2000, 1400, 1000, 700, 500, 350, 250, 180, 120, 80, 50, 30
};

/* The points that a line keeps in a column: fewer need no thinning. */
#define POINTS_A_COLUMN 4

/* Units of time in a column, grains of value in one; of what is not thinned, units in all of it. */
#define PARTS_OF_COLUMN 8
#define GRAINS_A_COLUMN 2
#define MAX_TIME_PARTS  10000000

/* Characters that a number takes, more or less. */
#define NUMBER_LENGTH 4

/* More bands than this cannot be distinguished. */
#define MAX_BANDS 1000

struct thin_curve {
    enum tw_role role;
    enum tw_mark mark;
    int64_t unit_ns, unit; /* of time and of value */
    tw_array *points;      /* struct tw_point */
};

struct tw_thin_graphs {
    struct tw_series series[TW_N_GRAPHS];
    struct thin_curve curve[TW_N_GRAPHS][TW_MAX_CURVES]; /* of each of its curves */
    uint32_t columns;
};

/* Repairs, probes, closed windows: few, and their frames are asked for. */
static bool has_frames(enum tw_role role)
{
    return role >= TW_ROLE_OUT_OF_ORDER;
}

static struct thin_curve thin_curve(const struct tw_series *s, const struct tw_curve *curve,
                                    const struct tw_thinning *thinning)
{
    tcpwhy_ns shown_ns = MAX(s->to_ns - s->from_ns, 1);
    struct thin_curve c = { .role = curve->role, .mark = curve->mark };

    if (curve->points->len > (guint64)thinning->columns * POINTS_A_COLUMN) {
        c.points = tw_curve_thin(s, curve, thinning);
        c.unit_ns = MAX(shown_ns / ((tcpwhy_ns)thinning->columns * PARTS_OF_COLUMN), 1);
        c.unit = MAX(thinning->grain, 1);
    } else {
        c.points = tw_array_ref(curve->points);
        c.unit_ns = MAX(shown_ns / MAX_TIME_PARTS, 1);
        c.unit = 1;
    }
    return c;
}

static size_t length_of(const struct thin_curve *c)
{
    return (size_t)c->points->len * NUMBER_LENGTH *
           (2 + (c->mark == TW_MARK_BAR) + has_frames(c->role));
}

static void clear(struct tw_thin_graphs *t)
{
    for (unsigned g = 0; g < TW_N_GRAPHS; g++) {
        for (unsigned i = 0; i < t->series[g].n_curves; i++) {
            if (t->curve[g][i].points)
                tw_array_unref(t->curve[g][i].points);
            t->curve[g][i].points = NULL;
        }
    }
}

static size_t thin(struct tw_thin_graphs *t, uint32_t columns)
{
    size_t length = 0;

    clear(t);
    t->columns = columns;
    for (unsigned g = 0; g < TW_N_GRAPHS; g++) {
        const struct tw_series *s = &t->series[g];
        struct tw_thinning thinning = { columns, 1 };
        int64_t low = 0, high = 0;

        if (tw_series_range(s, &low, &high))
            thinning.grain = (high - low) / ((int64_t)columns * GRAINS_A_COLUMN);
        for (unsigned i = 0; i < s->n_curves; i++) {
            t->curve[g][i] = thin_curve(s, &s->curve[i], &thinning);
            length += length_of(&t->curve[g][i]);
        }
    }
    return length;
}

struct tw_thin_graphs *tw_html_curves_thin(const struct tw_flow_source *source, size_t max_length)
{
    static const struct tcpwhy_graph_options options;
    struct tw_thin_graphs *t = tw_new0(struct tw_thin_graphs, 1);

    for (unsigned g = 0; g < TW_N_GRAPHS; g++)
        tw_series_build(source->stream, source->log, (enum tcpwhy_graph)g, &options, &t->series[g]);
    for (size_t i = 0; i < G_N_ELEMENTS(columns_tried); i++)
        if (thin(t, columns_tried[i]) <= max_length)
            break;
    return t;
}

void tw_html_curves_free(struct tw_thin_graphs *t)
{
    clear(t);
    for (unsigned g = 0; g < TW_N_GRAPHS; g++)
        tw_series_clear(&t->series[g]);
    tw_free(t);
}

enum field { FIELD_TIME, FIELD_LOW, FIELD_LENGTH, FIELD_FRAME };

static int64_t field_of(const struct thin_curve *c, const struct tw_point *p, tcpwhy_ns from_ns,
                        enum field field)
{
    switch (field) {
    case FIELD_TIME:
        return (p->time_ns - from_ns) / c->unit_ns;
    case FIELD_LOW:
        return p->low / c->unit;
    case FIELD_LENGTH:
        return (p->high - p->low) / c->unit;
    default:
        return p->frame;
    }
}

/* One number of every point, each as the difference to the one before. */
static void differences(struct tw_json *json, const char *key, const struct thin_curve *c,
                        tcpwhy_ns from_ns, enum field field)
{
    int64_t before = 0;

    tw_json_array(json, key);
    for (guint i = 0; i < c->points->len; i++) {
        int64_t value = field_of(c, &tw_array_index(c->points, struct tw_point, i), from_ns, field);

        tw_json_int(json, NULL, value - before);
        before = value;
    }
    tw_json_end(json);
}

static void curve(struct tw_json *json, const struct thin_curve *c, tcpwhy_ns from_ns)
{
    tw_json_object(json, NULL);
    tw_json_string(json, "role", tw_roles[c->role].name);
    tw_json_string(json, "mark", tw_mark_names[c->mark]);
    tw_json_int(json, "unit_ns", c->unit_ns);
    tw_json_int(json, "unit", c->unit);
    differences(json, "time", c, from_ns, FIELD_TIME);
    differences(json, "low", c, from_ns, FIELD_LOW);
    if (c->mark == TW_MARK_BAR)
        differences(json, "length", c, from_ns, FIELD_LENGTH);
    if (has_frames(c->role))
        differences(json, "frame", c, from_ns, FIELD_FRAME);
    tw_json_end(json);
}

static void graph(struct tw_json *json, const struct tw_series *s, const struct thin_curve *c)
{
    bool any = false;

    for (unsigned i = 0; i < s->n_curves; i++)
        any = any || c[i].points->len > 0;
    if (!any)
        return;
    tw_json_object(json, NULL);
    tw_json_string(json, "graph", tcpwhy_graph_name(s->graph));
    tw_json_string(json, "side", s->from == TCPWHY_CLIENT ? "client" : "server");
    if (s->ceiling.value > 0) {
        tw_json_int(json, "ceiling", s->ceiling.value);
        tw_json_string(json, "cause", tcpwhy_cause_info(s->ceiling.cause)->name);
    }
    tw_json_array(json, "curves");
    for (unsigned i = 0; i < s->n_curves; i++)
        if (c[i].points->len > 0)
            curve(json, &c[i], s->from_ns);
    tw_json_end(json);
    tw_json_end(json);
}

/* From the end of the one before, how long, which cause; in microseconds. */
static void bands(struct tw_json *json, const struct tw_stream_row *s, uint32_t columns)
{
    tcpwhy_ns to_ns = s->start_ns + s->duration_ns, at_ns = s->start_ns;
    tw_array *pieces = tw_cause_columns(s, s->start_ns, to_ns, MIN(columns * 2, MAX_BANDS));

    tw_json_array(json, "bands");
    for (guint i = 0; i < pieces->len; i++) {
        const struct tw_cause_piece *piece = &tw_array_index(pieces, struct tw_cause_piece, i);

        tw_json_int(json, NULL, (piece->from_ns - at_ns) / TCPWHY_US(1));
        tw_json_int(json, NULL, (piece->to_ns - piece->from_ns) / TCPWHY_US(1));
        tw_json_int(json, NULL, (int64_t)piece->cause);
        at_ns = piece->to_ns;
    }
    tw_json_end(json);
    tw_array_free(pieces, TRUE);
}

void tw_html_curves(struct tw_json *json, const struct tw_thin_graphs *t)
{
    tw_json_array(json, "graphs");
    for (unsigned g = 0; g < TW_N_GRAPHS; g++)
        graph(json, &t->series[g], t->curve[g]);
    tw_json_end(json);
    bands(json, t->series[0].stream, t->columns);
}

void tw_html_curve_words(struct tw_json *json)
{
    static const char *const units[] = {
        [TW_UNIT_BYTES] = "bytes", [TW_UNIT_BITS_PER_SECOND] = "bits", [TW_UNIT_NS] = "ns"
    };

    tw_json_object(json, "graphs");
    for (unsigned g = 0; g < TW_N_GRAPHS; g++) {
        tw_json_array(json, tcpwhy_graph_name((enum tcpwhy_graph)g));
        tw_json_string(json, NULL, tw_graphs[g].title);
        tw_json_string(json, NULL, units[tw_graphs[g].unit]);
        tw_json_end(json);
    }
    tw_json_end(json);
    tw_json_object(json, "roles");
    for (unsigned r = 0; r < TW_N_ROLES; r++)
        tw_json_string(json, tw_roles[r].name, tw_roles[r].title);
    tw_json_end(json);
}
