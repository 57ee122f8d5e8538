/* SPDX-License-Identifier: MIT */
/*
 * A series as xplot's commands. The sequence graph is written as tcptrace -S writes it: segments
 * white between arrows, repairs red, ACKs green, the window's edge yellow, SACK blocks purple.
 * Sequence numbers count from the SYN, times from the epoch where the capture knows it.
 */
#include <inttypes.h>
#include <stdio.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "base/text.h"
#include "render/pictures/graph.h"
#include "report/series/graph_words.h"

struct plot {
    struct tw_writer *out;
    int64_t zero_ns; /* of the capture, since the epoch */
    int64_t unit;    /* values are divided by it */
};

/* xplot reads times into doubles: more decimals of seconds since the epoch than six are lost. */
static char *time_text(const struct plot *p, tcpwhy_ns ns, char *text)
{
    int64_t us = (p->zero_ns + ns) / 1000;

    snprintf(text, 32, "%" PRId64 ".%06" PRId64, us / 1000000, us % 1000000);
    return text;
}

static void put(const struct plot *p, const char *command, tcpwhy_ns ns, int64_t y,
                const char *rest)
{
    char line[128], at[32];

    snprintf(line, sizeof(line), "%s %s %" PRId64 "%s\n", command, time_text(p, ns, at),
             y / p->unit, rest);
    tw_writer_text(p->out, line);
}

static void line(const struct plot *p, tcpwhy_ns from_ns, int64_t from, tcpwhy_ns to_ns, int64_t to)
{
    char rest[64], at[32];

    snprintf(rest, sizeof(rest), " %s %" PRId64, time_text(p, to_ns, at), to / p->unit);
    put(p, "line", from_ns, from, rest);
}

static const char *color_of(enum tw_role role)
{
    switch (role) {
    case TW_ROLE_ACK:
    case TW_ROLE_ACKED:
        return "green";
    case TW_ROLE_EDGE:
    case TW_ROLE_WINDOW:
        return "yellow";
    case TW_ROLE_SACK:
        return "purple";
    case TW_ROLE_RETRANSMISSION:
    case TW_ROLE_ZERO_WINDOW:
        return "red";
    case TW_ROLE_OUT_OF_ORDER:
        return "pink";
    case TW_ROLE_PROBE:
        return "orange";
    case TW_ROLE_USABLE:
        return "blue";
    default:
        return "white";
    }
}

static void bar(const struct plot *p, const struct tw_curve *curve, const struct tw_point *at)
{
    if (curve->role == TW_ROLE_SACK) {
        line(p, at->time_ns, at->low, at->time_ns, at->high);
        put(p, "htick", at->time_ns, at->low, "");
        put(p, "htick", at->time_ns, at->high, "");
        return;
    }
    put(p, "darrow", at->time_ns, at->low, "");
    put(p, "uarrow", at->time_ns, at->high, "");
    line(p, at->time_ns, at->low, at->time_ns, at->high);
    if (curve->role == TW_ROLE_RETRANSMISSION)
        put(p, "atext", at->time_ns, at->high, "\nR");
}

/* Steps as two lines; a value that comes again as a tick. */
static void step(const struct plot *p, const struct tw_curve *curve, const struct tw_point *before,
                 const struct tw_point *at)
{
    line(p, before->time_ns, before->low, at->time_ns, before->low);
    if (at->low != before->low)
        line(p, at->time_ns, before->low, at->time_ns, at->low);
    else
        put(p, curve->role == TW_ROLE_ACK ? "dtick" : "utick", at->time_ns, at->low, "");
}

static void draw(const struct plot *p, const struct tw_curve *curve)
{
    const struct tw_point *before = NULL;

    tw_writer_text(p->out, color_of(curve->role));
    tw_writer_text(p->out, "\n");
    for (guint i = 0; i < curve->points->len && !p->out->stopped; i++) {
        const struct tw_point *at = &tw_array_index(curve->points, struct tw_point, i);

        if (curve->mark == TW_MARK_BAR)
            bar(p, curve, at);
        else if (curve->mark == TW_MARK_DOT)
            put(p, "dot", at->time_ns, at->low, "");
        else if (before)
            step(p, curve, before, at);
        before = at;
    }
}

static void title(const struct tw_graph_job *job, struct tw_writer *out)
{
    const struct tw_series *s = job->series;
    bool by_client = s->from == TCPWHY_CLIENT;
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_string_append_printf(text, "title\n%s_==>_%s (%s)\nxlabel\ntime\nylabel\n%s\n",
                            tw_endpoint(by_client ? &s->stream->client : &s->stream->server).text,
                            tw_endpoint(by_client ? &s->stream->server : &s->stream->client).text,
                            tw_graphs[s->graph].title, tw_graphs[s->graph].value);
    tw_writer_text(out, text->str);
}

void tw_graph_xplot(const struct tw_graph_job *job, struct tw_writer *out)
{
    int64_t first_ns = tw_report_capture(job->report)->first_ns;
    const struct plot p = {
        .out = out,
        .zero_ns = first_ns != TCPWHY_NS_UNKNOWN && first_ns >= 0 ? first_ns : 0,
        .unit = tw_graphs[job->series->graph].unit == TW_UNIT_NS ? 1000 : 1,
    };

    tw_writer_text(out, "timeval double\n");
    title(job, out);
    for (unsigned i = 0; i < job->series->n_curves; i++)
        if (job->series->curve[i].points->len > 0)
            draw(&p, &job->series->curve[i]);
    tw_writer_text(out, "go\n");
}
