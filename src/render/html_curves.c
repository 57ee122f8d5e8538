/* SPDX-License-Identifier: MIT */
/*
 * A curve is its points' differences, in units as coarse as the thinning was. Times count from the
 * beginning of the stream:
 *
 *     time, low [, high - low of a bar] [, frame of what is noticed]
 */
#include "render/html_curves.h"

#include "render/cause_columns.h"
#include "render/graph_words.h"
#include "render/pack.h"
#include "report/series_thin.h"

/* Finest first; the first that fits is taken. */
static const uint32_t columns_tried[] = { 2000, 1200, 800, 500, 300, 200, 120, 80, 50, 30, 20 };

/* So many points a column a line keeps: fewer points need no thinning. */
#define POINTS_A_COLUMN 4

/* Units of time in a column, grains of value in one; of what is not thinned, units in all of it. */
#define PARTS_OF_COLUMN 8
#define GRAINS_A_COLUMN 2
#define MAX_TIME_PARTS  10000000

/* More bands than that cannot be told apart. */
#define MAX_BANDS 1000

struct packed_curve {
    enum tw_role role;
    enum tw_mark mark;
    guint n;
    int64_t unit_ns, unit; /* of time and of value */
    GByteArray *bytes;
};

struct packed_graph {
    struct packed_curve curve[TW_MAX_CURVES];
    unsigned n_curves;
};

struct tw_packed_graphs {
    struct tw_series series[TCPWHY_N_GRAPHS]; /* without their points once packed */
    struct packed_graph graph[TCPWHY_N_GRAPHS];
    GByteArray *bands;
    guint n_bands;
};

/* Repairs, probes, closed windows: few, and their frames are asked for. */
static bool has_frames(enum tw_role role)
{
    return role >= TW_ROLE_OUT_OF_ORDER;
}

static void pack_points(struct packed_curve *c, const GArray *points, tcpwhy_ns from_ns)
{
    int64_t time = 0, low = 0, frame = 0;

    for (guint i = 0; i < points->len; i++) {
        const struct tw_point *p = &g_array_index(points, struct tw_point, i);
        int64_t at = (p->time_ns - from_ns) / c->unit_ns, value = p->low / c->unit;

        tw_pack_int(c->bytes, at - time);
        tw_pack_int(c->bytes, value - low);
        if (c->mark == TW_MARK_BAR)
            tw_pack_uint(c->bytes, (uint64_t)(p->high - p->low) / (uint64_t)c->unit);
        if (has_frames(c->role))
            tw_pack_int(c->bytes, (int64_t)p->frame - frame);
        time = at;
        low = value;
        frame = p->frame;
    }
}

static struct packed_curve pack_curve(const struct tw_series *s, const struct tw_curve *curve,
                                      const struct tw_thinning *thinning)
{
    tcpwhy_ns shown_ns = MAX(s->to_ns - s->from_ns, 1);
    bool thin = curve->points->len > (guint64)thinning->columns * POINTS_A_COLUMN;
    GArray *points = thin ? tw_curve_thin(s, curve, thinning) : g_array_ref(curve->points);
    struct packed_curve c = { .role = curve->role,
                              .mark = curve->mark,
                              .n = points->len,
                              .unit_ns = MAX(shown_ns / MAX_TIME_PARTS, 1),
                              .unit = thin ? MAX(thinning->grain, 1) : 1,
                              .bytes = g_byte_array_new() };

    if (thin)
        c.unit_ns = MAX(shown_ns / ((tcpwhy_ns)thinning->columns * PARTS_OF_COLUMN), 1);
    pack_points(&c, points, s->from_ns);
    g_array_unref(points);
    return c;
}

static void clear_graph(struct packed_graph *g)
{
    for (unsigned i = 0; i < g->n_curves; i++)
        g_byte_array_unref(g->curve[i].bytes);
    g->n_curves = 0;
}

static size_t pack_graph(const struct tw_series *s, uint32_t columns, struct packed_graph *g)
{
    struct tw_thinning thinning = { columns, 1 };
    int64_t low = 0, high = 0;
    size_t size = 0;

    clear_graph(g);
    if (tw_series_range(s, &low, &high))
        thinning.grain = (high - low) / ((int64_t)columns * GRAINS_A_COLUMN);
    for (unsigned i = 0; i < s->n_curves; i++) {
        if (s->curve[i].points->len == 0)
            continue;
        g->curve[g->n_curves] = pack_curve(s, &s->curve[i], &thinning);
        size += g->curve[g->n_curves++].bytes->len;
    }
    return size;
}

/* Where each band begins and whose it is; the last one's end follows. */
static void pack_bands(struct tw_packed_graphs *p, const struct tcpwhy_stream *s, uint32_t columns)
{
    tcpwhy_ns to_ns = s->start_ns + s->duration_ns;
    GArray *pieces = tw_cause_columns(s, s->start_ns, to_ns, MIN(columns * 2, MAX_BANDS));
    tcpwhy_ns at_ns = s->start_ns;

    p->bands = g_byte_array_new();
    p->n_bands = pieces->len;
    for (guint i = 0; i < pieces->len; i++) {
        const struct tw_cause_piece *piece = &g_array_index(pieces, struct tw_cause_piece, i);

        tw_pack_uint(p->bands, (uint64_t)((piece->from_ns - at_ns) / TCPWHY_US(1)));
        tw_pack_uint(p->bands, (uint64_t)((piece->to_ns - piece->from_ns) / TCPWHY_US(1)));
        tw_pack_uint(p->bands, (uint64_t)piece->cause);
        at_ns = piece->to_ns;
    }
    g_array_free(pieces, TRUE);
}

struct tw_packed_graphs *tw_html_curves_pack(const struct tw_flow_source *source, size_t max_bytes)
{
    static const struct tcpwhy_graph_options options;
    struct tw_packed_graphs *p = g_new0(struct tw_packed_graphs, 1);
    size_t size = SIZE_MAX, tried = 0;

    for (unsigned g = 0; g < TCPWHY_N_GRAPHS; g++)
        tw_series_build(source->stream, source->log, (enum tcpwhy_graph)g, &options, &p->series[g]);
    for (; size > max_bytes && tried < G_N_ELEMENTS(columns_tried); tried++) {
        size = 0;
        for (unsigned g = 0; g < TCPWHY_N_GRAPHS; g++)
            size += pack_graph(&p->series[g], columns_tried[tried], &p->graph[g]);
    }
    pack_bands(p, source->stream, columns_tried[tried - 1]);
    for (unsigned g = 0; g < TCPWHY_N_GRAPHS; g++)
        tw_series_clear(&p->series[g]);
    return p;
}

size_t tw_html_curves_size(const struct tw_packed_graphs *p)
{
    size_t size = p->bands->len;

    for (unsigned g = 0; g < TCPWHY_N_GRAPHS; g++)
        for (unsigned i = 0; i < p->graph[g].n_curves; i++)
            size += p->graph[g].curve[i].bytes->len;
    return size;
}

void tw_html_curves_free(struct tw_packed_graphs *p)
{
    for (unsigned g = 0; g < TCPWHY_N_GRAPHS; g++)
        clear_graph(&p->graph[g]);
    g_byte_array_unref(p->bands);
    g_free(p);
}

/* ["data", "bar", with frames, points, nanoseconds a unit of time, unit of value, "packed"] */
static void curve(struct tw_json *json, const struct packed_curve *c)
{
    tw_json_array(json, NULL);
    tw_json_string(json, NULL, tw_role_name(c->role));
    tw_json_string(json, NULL, tw_mark_name(c->mark));
    tw_json_bool(json, NULL, has_frames(c->role));
    tw_json_uint(json, NULL, c->n);
    tw_json_int(json, NULL, c->unit_ns);
    tw_json_int(json, NULL, c->unit);
    tw_pack_json(json, NULL, c->bytes);
    tw_json_end(json);
}

void tw_html_curves(struct tw_json *json, const struct tw_packed_graphs *p)
{
    tw_json_array(json, "graphs");
    for (unsigned g = 0; g < TCPWHY_N_GRAPHS; g++) {
        const struct tw_series *s = &p->series[g];

        if (p->graph[g].n_curves == 0)
            continue;
        tw_json_object(json, NULL);
        tw_json_string(json, "graph", tcpwhy_graph_name(s->graph));
        tw_json_string(json, "side", s->from == TCPWHY_CLIENT ? "client" : "server");
        if (s->ceiling.value > 0) {
            tw_json_int(json, "ceiling", s->ceiling.value);
            tw_json_string(json, "cause", tcpwhy_cause_info(s->ceiling.cause)->name);
        }
        tw_json_array(json, "curves");
        for (unsigned i = 0; i < p->graph[g].n_curves; i++)
            curve(json, &p->graph[g].curve[i]);
        tw_json_end(json);
        tw_json_end(json);
    }
    tw_json_end(json);
    tw_json_uint(json, "n_bands", p->n_bands);
    tw_pack_json(json, "bands", p->bands);
}

void tw_html_curve_words(struct tw_json *json)
{
    static const char *const units[] = {
        [TW_UNIT_BYTES] = "bytes", [TW_UNIT_BITS_PER_SECOND] = "bits", [TW_UNIT_NS] = "ns"
    };

    tw_json_object(json, "graphs");
    for (unsigned g = 0; g < TCPWHY_N_GRAPHS; g++) {
        tw_json_array(json, tcpwhy_graph_name((enum tcpwhy_graph)g));
        tw_json_string(json, NULL, tw_graph_title((enum tcpwhy_graph)g));
        tw_json_string(json, NULL, units[tw_graph_unit((enum tcpwhy_graph)g)]);
        tw_json_end(json);
    }
    tw_json_end(json);
    tw_json_object(json, "roles");
    for (unsigned r = 0; r < TW_N_ROLES; r++)
        tw_json_string(json, tw_role_name((enum tw_role)r), tw_role_title((enum tw_role)r));
    tw_json_end(json);
}
