/* SPDX-License-Identifier: MIT */
/*
 * Every point of a series as comma-separated values (RFC 4180 but for line feeds alone): curve by
 * curve, each in the order of time. Only numbers and our own words are written.
 */
#include <inttypes.h>
#include <stdio.h>

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
    char line[4 * TW_NUMBER_TEXT], ms[TW_NUMBER_TEXT], us[TW_NUMBER_TEXT], frame[16] = "";

    tw_number_fixed(p->time_ns, 6, 6, false, ms);
    if (p->frame > 0)
        snprintf(frame, sizeof(frame), "%" PRIu32, p->frame);
    if (has_bars(s))
        snprintf(line, sizeof(line), "%s,%s,%" PRId64 ",%" PRId64 ",%s\n",
                 tw_role_name(curve->role), ms, p->low, p->high, frame);
    else if (tw_graph_unit(s->graph) == TW_UNIT_NS)
        snprintf(line, sizeof(line), "%s,%s,%s,%s\n", tw_role_name(curve->role), ms,
                 tw_number_fixed(p->low, 3, 3, false, us), frame);
    else
        snprintf(line, sizeof(line), "%s,%s,%" PRId64 ",%s\n", tw_role_name(curve->role), ms,
                 p->low, frame);
    tw_writer_text(out, line);
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
