/* SPDX-License-Identifier: MIT */
/*
 * A comparison in sentences: the measure that changed, the causes, and limits of the comparison.
 */
#include <string.h>

#include "base/ns.h"
#include "render/view/compare.h"
#include "render/view/view.h"

const char *tw_compare_per(enum tcpwhy_per per)
{
    return per == TCPWHY_PER_EXCHANGE     ? "request"
           : per == TCPWHY_PER_CONNECTION ? "connection"
                                          : "megabyte";
}

void tw_compare_where(tw_string *to, const struct tw_listener_change *l)
{
    const struct tw_short_text before = tw_endpoint(&l->endpoint[0]);
    const struct tw_short_text after = tw_endpoint(&l->endpoint[1]);

    tw_string_append(to, before.text[0] ? before.text : after.text);
    if (before.text[0] && after.text[0] && strcmp(before.text, after.text) != 0)
        tw_string_append_printf(to, " (now %s)", after.text);
}

/* ---- the measure ----------------------------------------------------------------------------- */

/* " of 10.9.0.2:8080" */
static void listener(tw_string *to, const struct tw_comparison_verdict *v, const char *word)
{
    if (!v->listener)
        return;
    tw_string_append_printf(to, " %s ", word);
    tw_compare_where(to, v->listener);
}

/* "unchanged: 41.2 ms before, 0.9 ms now" */
static void values(tw_string *to, const struct tw_comparison_verdict *v, const char *before,
                   const char *now)
{
    tw_string_append_printf(to, "%s: %s before, %s now",
                            v->change == TCPWHY_CHANGE_NONE ? " about the same" : "", before, now);
}

static void times(tw_string *to, const struct tw_comparison_verdict *v)
{
    values(to, v, tw_duration(v->value[0]).text, tw_duration(v->value[1]).text);
}

static void latency(tw_string *to, const struct tw_comparison_verdict *v)
{
    tw_string_append(to, v->measure == TCPWHY_MEASURE_P50 ? "Median response time"
                         : v->measure == TCPWHY_MEASURE_P90
                             ? "90th percentile of the response time"
                             : "99th percentile of the response time");
    listener(to, v, "of");
    times(to, v);
}

static void answers(tw_string *to, const struct tw_comparison_verdict *v)
{
    tw_string_append(
        to, tw_plural((uint64_t)MAX(v->value[0], v->value[1]), "request", "requests").text);
    listener(to, v, "to");
    tw_string_append(to, v->value[0] ? " answered before, none now" : " answered now, none before");
}

static void rate(tw_string *to, const struct tw_comparison_verdict *v)
{
    tw_string_append(to, "Throughput");
    listener(to, v, "of");
    values(to, v, tw_bit_rate(v->value[0]).text, tw_bit_rate(v->value[1]).text);
}

/* "; good answers: 5,524 before, 73,980 now, median 26.5 ms before, 5.42 ms now" */
static void good(tw_string *to, const struct tcpwhy_percentiles p[2])
{
    tw_string_append_printf(to, "; good answers: %s before, %s now", tw_count(p[0].count).text,
                            tw_count(p[1].count).text);
    if (p[0].count > 0 && p[1].count > 0)
        tw_string_append_printf(to, ", median %s before, %s now", tw_duration(p[0].p50_ns).text,
                                tw_duration(p[1].p50_ns).text);
}

static void failures(tw_string *to, const tcpwhy_comparison *comparison,
                     const struct tw_comparison_verdict *v)
{
    const struct tw_listener_change *l =
        v->listener ? v->listener : tw_comparison_whole(comparison);

    tw_string_append(to, "Failed requests (5xx, or no answer)");
    listener(to, v, "of");
    values(to, v, tw_percent((double)v->value[0] / 1e6).text,
           tw_percent((double)v->value[1] / 1e6).text);
    good(to, l->good);
}

static bool all_refused(const struct tw_listener_change *l)
{
    return l && l->refused[0] == l->connections[0] && l->refused[1] == l->connections[1];
}

static void loss(tw_string *to, const struct tw_comparison_verdict *v)
{
    bool refused = all_refused(v->listener);

    if (refused || (v->value[0] == 0 && v->value[1] == 0)) {
        tw_string_append(to, "Connections");
        listener(to, v, "to");
        tw_string_append(to, refused ? " were refused before and are refused now"
                                     : " lost no time before and lose none now");
        return;
    }
    tw_string_append(to, "Lost time per connection");
    listener(to, v, "to");
    times(to, v);
}

static void nothing(tw_string *to, const tcpwhy_comparison *comparison)
{
    const struct tw_listener_change *whole = tw_comparison_whole(comparison);
    bool before = whole->connections[0] == 0, after = whole->connections[1] == 0;

    tw_string_append_printf(to, "Nothing to compare: no TCP connection %s",
                            before && after ? "in either capture"
                            : before        ? "in the first capture"
                                            : "in the second capture");
}

static void measure(tw_string *to, const tcpwhy_comparison *comparison,
                    const struct tw_comparison_verdict *v)
{
    switch (v->measure) {
    case TCPWHY_MEASURE_P50:
    case TCPWHY_MEASURE_P90:
    case TCPWHY_MEASURE_P99:
        latency(to, v);
        break;
    case TCPWHY_MEASURE_ANSWERED:
        answers(to, v);
        break;
    case TCPWHY_MEASURE_FAILED:
        failures(to, comparison, v);
        break;
    case TCPWHY_MEASURE_OPENING:
        tw_string_append(to, "Connection setup");
        listener(to, v, "to");
        times(to, v);
        break;
    case TCPWHY_MEASURE_RATE:
        rate(to, v);
        break;
    case TCPWHY_MEASURE_LOST:
        loss(to, v);
        break;
    default:
        nothing(to, comparison);
        break;
    }
}

/* ---- the causes ------------------------------------------------------------------------------ */

static tcpwhy_ns each_ns(const struct tcpwhy_cause_change *c, enum tcpwhy_when when)
{
    return c->by == TCPWHY_PER_EXCHANGE     ? c->per_exchange_ns[when]
           : c->by == TCPWHY_PER_CONNECTION ? c->per_connection_ns[when]
                                            : c->per_megabyte_ns[when];
}

/* "nagle_delayed_ack gone (41.9 ms per request)" */
static void cause(tw_string *to, const struct tcpwhy_cause_change *c)
{
    bool gone = c->change == TCPWHY_CHANGE_GONE, new = c->change == TCPWHY_CHANGE_NEW;
    bool fell = each_ns(c, TCPWHY_AFTER) < each_ns(c, TCPWHY_BEFORE);
    enum tcpwhy_when more = fell ? TCPWHY_BEFORE : TCPWHY_AFTER;

    tw_string_append_printf(to, "%s %s (", tcpwhy_cause_info(c->cause)->name,
                            gone   ? "gone"
                            : new  ? "new"
                            : fell ? "fell"
                                   : "grew");
    if (!gone && !new)
        tw_string_append_printf(to, "from %s to ", tw_duration(each_ns(c, TCPWHY_BEFORE)).text);
    tw_string_append_printf(to, "%s per %s",
                            tw_duration(each_ns(c, gone ? TCPWHY_BEFORE : TCPWHY_AFTER)).text,
                            tw_compare_per(c->by));
    if (c->confidence[more] != TCPWHY_CERTAIN)
        tw_string_append_printf(to, ", %s", tcpwhy_confidence_name(c->confidence[more]));
    tw_string_append_c(to, ')');
}

static void causes(tw_string *to, const struct tw_comparison_verdict *v)
{
    if (v->measure == TCPWHY_MEASURE_FAILED ||
        (v->change != TCPWHY_CHANGE_BETTER && v->change != TCPWHY_CHANGE_WORSE))
        return;
    if (v->causes[0])
        cause(tw_string_append(to, "; cause: "), v->causes[0]);
    else
        tw_string_append(to, "; no single cause");
    if (v->causes[1])
        cause(tw_string_append(to, ", "), v->causes[1]);
    if (v->opening)
        cause(tw_string_append(to, "; connection setup: "), v->opening);
    if (v->but)
        cause(tw_string_append(to, "; opposite change: "), v->but);
}

void tw_compare_sentence(tw_string *to, const tcpwhy_comparison *comparison)
{
    const struct tw_comparison_verdict *v = tw_comparison_verdict(comparison);

    if (v->same_capture) {
        tw_string_append(to, "Both captures are the same.");
        return;
    }
    measure(to, comparison, v);
    causes(to, v);
    tw_string_append_c(to, '.');
}

/* ---- doubts ---------------------------------------------------------------------------------- */

static struct tw_short_text count(double value)
{
    return tw_count((uint64_t)(value + 0.5));
}

static struct tw_short_text duration(double value)
{
    return tw_duration((tcpwhy_ns)value);
}

static struct tw_short_text bytes(double value)
{
    return tw_byte_size((uint64_t)(value + 0.5));
}

static struct tw_short_text tenths(double value)
{
    return tw_fixed(tw_ns_from(value * 10 + 0.5), 1, 1, true);
}

static struct tw_short_text place(double value)
{
    static const struct tw_short_text places[] = {
        { "at an unknown point" }, { "at the client" }, { "in the middle" }, { "at the server" }
    };

    return places[(unsigned)value % G_N_ELEMENTS(places)];
}

/* The words around the two numbers, and their format. */
static const struct {
    const char *fact, *first, *then, *last;
    struct tw_short_text (*number)(double value);
} doubts[] = {
    { "path", "Different path: RTT ", " before, ", " now.", duration },
    { "vantage", "Different capture points: ", " before, ", " now.", place },
    { "errors", "Error responses (4xx, 5xx): ", " before, ", " now.", tw_percent },
    { "sizes", "Bytes per request and response: ", " before, ", " now.", bytes },
    { "load", "Concurrent connections, average: ", " before, ", " now.", tenths },
    { "few_exchanges", "Few requests (", " before, ", " now): percentiles are unreliable.", count },
    { "lengths", "Capture durations differ (", " before, ", " now): totals are not comparable.",
      duration },
    { "other_listeners", "Listeners in one capture only, not compared: ", " before, ", " now.",
      count },
};

void tw_compare_doubt(tw_string *to, const tcpwhy_comparison *comparison,
                      const struct tcpwhy_unfair *u)
{
    if (u->text[0]) {
        tw_string_append_printf(to, "%s: %s",
                                u->value[0] > 0 && u->value[1] > 0 ? "Both captures"
                                : u->value[0] > 0                  ? "Before"
                                                                   : "After",
                                u->text);
        return;
    }
    if (strcmp(u->fact, "other_listeners") == 0 && !tw_comparison_verdict(comparison)->listener) {
        tw_string_append(to, "No listener is in both captures: compared as whole captures.");
        return;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(doubts); i++) {
        if (strcmp(u->fact, doubts[i].fact) != 0)
            continue;
        tw_string_append_printf(to, "%s%s%s%s%s", doubts[i].first,
                                doubts[i].number(u->value[0]).text, doubts[i].then,
                                doubts[i].number(u->value[1]).text, doubts[i].last);
    }
}
