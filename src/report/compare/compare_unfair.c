/* SPDX-License-Identifier: MIT */
/*
 * Why two captures may not be comparable: what differs between them that no change of a setting
 * makes.
 */
#include <string.h>

#include "base/array.h"
#include "report/compare/compare.h"
#include "report/rows/percentiles.h"

/* Twice as much, or half of it, is another situation. */
#define OTHER_FACTOR 2.0

/* Lengths matter only for totals, which are shown beside the comparison. */
#define OTHER_LENGTH 4.0

/* Round trips and sizes below these vary by such factors on their own. */
#define SHORT_TRIP TCPWHY_MS(1)
#define SMALL_SIZE 1000.0

/* Percentiles of fewer requests are anecdotes. */
#define FEW_EXCHANGES 30

/* Answers that are errors: 1 in 20 more or less. */
#define ERROR_POINTS 0.05

/* Facts of a capture that touch what is charged to causes. */
static const char *const grave[] = { "cut_short",          "bad_record",       "damaged_archive",
                                     "headers_cut",        "frames_missing",   "one_direction",
                                     "data_only",          "clock_steps_back", "clock_leaps",
                                     "clock_coarse",       "midstream",        "malformed",
                                     "dropped_by_capture", "late_stamps",      "filtered_frames" };

static void add(struct tcpwhy_comparison *c, const char *fact, double before, double after)
{
    const struct tcpwhy_unfair u = {
        .fact = fact, .detail = "", .text = "", .value = { before, after }
    };

    tw_array_append_val(c->unfair, u);
}

static bool differs(double before, double after, double factor)
{
    return MAX(before, after) >= factor * MIN(before, after);
}

static void other_listeners(struct tcpwhy_comparison *c)
{
    size_t per_connection[2] = { 0, 0 };

    for (guint i = (guint)c->n_matched; i < c->listeners->len; i++)
        per_connection
            [tw_array_index(c->listeners, struct tw_listener_change, i).endpoint[0].version
                 ? TCPWHY_BEFORE
                 : TCPWHY_AFTER]++;
    if (per_connection[0] + per_connection[1] > 0)
        add(c, "other_listeners", (double)per_connection[0], (double)per_connection[1]);
}

static void lengths(struct tcpwhy_comparison *c)
{
    double ns[2] = { 0, 0 };

    for (int when = 0; when < 2; when++) {
        const struct tw_capture_row *capture = tw_report_capture(c->report[when]);

        if (capture->first_ns != TCPWHY_NS_UNKNOWN && capture->last_ns != TCPWHY_NS_UNKNOWN)
            ns[when] = (double)capture->last_ns - (double)capture->first_ns;
    }
    if (MIN(ns[0], ns[1]) > 0 && differs(ns[0], ns[1], OTHER_LENGTH))
        add(c, "lengths", ns[0], ns[1]);
}

static void few_exchanges(struct tcpwhy_comparison *c)
{
    const struct tcpwhy_percentiles *p = c->whole.latency;

    if (MIN(p[0].count, p[1].count) > 0 && MIN(p[0].count, p[1].count) < FEW_EXCHANGES)
        add(c, "few_exchanges", (double)p[0].count, (double)p[1].count);
}

/* The vantage of most connections. */
static enum tcpwhy_vantage vantage(const tcpwhy_report *report)
{
    size_t n, of[4] = { 0 };
    const struct tw_stream_row *s = tw_report_streams(report, &n);
    enum tcpwhy_vantage most = TCPWHY_VANTAGE_UNKNOWN;

    for (size_t i = 0; i < n; i++)
        of[s[i].vantage]++;
    for (int v = TCPWHY_VANTAGE_CLIENT; v <= TCPWHY_VANTAGE_SERVER; v++)
        if (of[v] > of[most])
            most = (enum tcpwhy_vantage)v;
    return most;
}

static void vantages(struct tcpwhy_comparison *c)
{
    enum tcpwhy_vantage before = vantage(c->report[0]), after = vantage(c->report[1]);

    if (before != after && before != TCPWHY_VANTAGE_UNKNOWN && after != TCPWHY_VANTAGE_UNKNOWN)
        add(c, "vantage", (double)before, (double)after);
}

/* The median over connections of their minimum RTT, which has no queue in it. */
static tcpwhy_ns round_trip(const tcpwhy_report *report)
{
    tw_array *trips = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    size_t n;
    const struct tw_stream_row *s = tw_report_streams(report, &n);
    tcpwhy_ns median;

    for (size_t i = 0; i < n; i++)
        if (s[i].rtt_min_ns != TCPWHY_NS_UNKNOWN)
            tw_array_append_val(trips, s[i].rtt_min_ns);
    median = tw_percentiles((tcpwhy_ns *)(void *)trips->data, trips->len).p50_ns;
    tw_array_free(trips, TRUE);
    return median;
}

static void paths(struct tcpwhy_comparison *c)
{
    tcpwhy_ns before = round_trip(c->report[0]), after = round_trip(c->report[1]);

    if (before != TCPWHY_NS_UNKNOWN && after != TCPWHY_NS_UNKNOWN &&
        MAX(before, after) >= SHORT_TRIP && differs((double)before, (double)after, OTHER_FACTOR))
        add(c, "path", (double)before, (double)after);
}

static void sizes(struct tcpwhy_comparison *c)
{
    double each[2];

    if (c->whole.per != TCPWHY_PER_EXCHANGE)
        return;
    for (int when = 0; when < 2; when++)
        each[when] = (double)c->whole.payload_bytes[when] / (double)c->whole.latency[when].count;
    if (MAX(each[0], each[1]) >= SMALL_SIZE && differs(each[0], each[1], OTHER_FACTOR))
        add(c, "sizes", each[0], each[1]);
}

static double error_share(const struct tcpwhy_status_classes *s)
{
    uint64_t all = s->n[0] + s->n[1] + s->n[2] + s->n[3] + s->n[4] + s->n[5];

    return all ? (double)(s->n[4] + s->n[5]) / (double)all : 0;
}

static void errors(struct tcpwhy_comparison *c)
{
    double before = error_share(&c->whole.status[0]), after = error_share(&c->whole.status[1]);

    if (MAX(before, after) - MIN(before, after) >= ERROR_POINTS)
        add(c, "errors", before, after);
}

/* Connections that were open at once, on average. */
static double load_of(const struct tcpwhy_comparison *c, enum tcpwhy_when when)
{
    const struct tw_capture_row *capture = tw_report_capture(c->report[when]);
    double ns = capture->first_ns == TCPWHY_NS_UNKNOWN || capture->last_ns == TCPWHY_NS_UNKNOWN
                    ? 0
                    : (double)capture->last_ns - (double)capture->first_ns;

    return ns > 0 ? (double)c->whole.life_ns[when] / ns : 0;
}

static void loads(struct tcpwhy_comparison *c)
{
    double before = load_of(c, TCPWHY_BEFORE), after = load_of(c, TCPWHY_AFTER);

    if (MIN(before, after) > 0 && MAX(before, after) >= 1 && differs(before, after, OTHER_FACTOR))
        add(c, "load", before, after);
}

static const struct tcpwhy_quality *quality_of(const tcpwhy_report *report, const char *fact)
{
    const struct tw_capture_row *c = tw_report_capture(report);

    for (size_t i = 0; i < c->n_quality; i++)
        if (strcmp(c->quality[i].fact, fact) == 0)
            return &c->quality[i];
    return NULL;
}

static void qualities(struct tcpwhy_comparison *c)
{
    for (size_t i = 0; i < G_N_ELEMENTS(grave); i++) {
        const struct tcpwhy_quality *before = quality_of(c->report[0], grave[i]);
        const struct tcpwhy_quality *after = quality_of(c->report[1], grave[i]);
        struct tcpwhy_unfair u = { .fact = "quality", .detail = grave[i] };

        if (!before && !after)
            continue;
        u.text = (before ? before : after)->text;
        u.value[0] = before ? (double)before->count : 0;
        u.value[1] = after ? (double)after->count : 0;
        tw_array_append_val(c->unfair, u);
    }
}

void tw_compare_unfair(struct tcpwhy_comparison *c)
{
    if (c->verdict.same_capture || c->verdict.measure == TCPWHY_MEASURE_NONE)
        return;
    other_listeners(c);
    paths(c);
    vantages(c);
    errors(c);
    sizes(c);
    loads(c);
    few_exchanges(c);
    lengths(c);
    qualities(c);
}
