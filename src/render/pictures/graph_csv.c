/* SPDX-License-Identifier: MIT */
/*
 * Every point of a series as comma-separated values (RFC 4180 but for line feeds alone): curve by
 * curve, each in the order of time. Only numbers and our own words are written.
 */
#include <inttypes.h>

#include "render/pictures/graph.h"
#include "render/view/graph_words.h"
#include "base/array.h"
#include "base/number.h"

static bool has_bars(const struct tw_series *s)
{
    return s->graph == TCPWHY_GRAPH_SEQUENCE;
}

static void row(const struct tw_series *s, const struct tw_curve *curve, const struct tw_point *p,
                struct tw_writer *out)
{
    tw_writer_printf(out, "%s,%s,", tw_role_name(curve->role),
                     tw_fixed(p->time_ns, 6, 6, false).text);
    if (has_bars(s))
        tw_writer_printf(out, "%" PRId64 ",%" PRId64, p->low, p->high);
    else if (tw_graph_unit(s->graph) == TW_UNIT_NS)
        tw_writer_text(out, tw_fixed(p->low, 3, 3, false).text);
    else
        tw_writer_printf(out, "%" PRId64, p->low);
    tw_writer_printf(out, ",%s\n", p->frame > 0 ? tw_plain(p->frame).text : "");
}

void tw_graph_csv(const struct tw_graph_job *job, struct tw_writer *out)
{
    const struct tw_series *s = job->series;

    tw_writer_text(out, "curve,time_ms,");
    tw_writer_text(out, has_bars(s) ? "seq_from,seq_to" : tw_graph_value_name(s->graph));
    tw_writer_text(out, ",frame\n");
    for (unsigned i = 0; i < s->n_curves; i++)
        for (guint k = 0; k < s->curve[i].points->len && !out->stopped; k++)
            row(s, &s->curve[i], &tw_array_index(s->curve[i].points, struct tw_point, k), out);
}
