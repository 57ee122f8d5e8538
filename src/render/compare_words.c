/* SPDX-License-Identifier: MIT */
/*
 * A comparison in sentences: what people felt, what did it, and why not to trust it blindly.
 */
#include "render/compare_words.h"

#include <string.h>

#include "base/ns.h"
#include "render/graph_words.h"
#include "render/number.h"

const char *tw_compare_per(enum tcpwhy_per per)
{
    return per == TCPWHY_PER_EXCHANGE     ? "request"
           : per == TCPWHY_PER_CONNECTION ? "connection"
                                          : "megabyte";
}

void tw_compare_where(GString *to, const struct tw_listener_change *l)
{
    char before[TCPWHY_ENDPOINT_TEXT], after[TCPWHY_ENDPOINT_TEXT];

    tcpwhy_endpoint_format(&l->endpoint[0], before);
    tcpwhy_endpoint_format(&l->endpoint[1], after);
    g_string_append(to, before[0] ? before : after);
    if (before[0] && after[0] && strcmp(before, after) != 0)
        g_string_append_printf(to, " (now %s)", after);
}

/* ---- what people felt ------------------------------------------------------------------------ */

/* " to 10.9.0.2:8080" */
static void towards(GString *to, const struct tw_comparison_verdict *v, const char *word)
{
    if (!v->listener)
        return;
    g_string_append_printf(to, " %s ", word);
    tw_compare_where(to, v->listener);
}

/* " took 41.2 ms, now 0.9 ms" */
static void times(GString *to, const struct tw_comparison_verdict *v, const char *verb)
{
    char number[TW_NUMBER_TEXT];

    g_string_append_printf(to, " %s %s", verb, tw_number_duration(v->value[0], number));
    g_string_append_printf(to, ", now %s", tw_number_duration(v->value[1], number));
}

static void latency(GString *to, const struct tw_comparison_verdict *v)
{
    if (v->measure == TCPWHY_MEASURE_P50) {
        g_string_append(to, "A request");
        towards(to, v, "to");
        if (v->change == TCPWHY_CHANGE_NONE)
            g_string_append(to, " takes about as long as before: it");
        times(to, v, "took");
        g_string_append(to, " at the median");
        return;
    }
    g_string_append_printf(to, "The slowest %s of the requests",
                           v->measure == TCPWHY_MEASURE_P90 ? "tenth" : "hundredth");
    towards(to, v, "to");
    times(to, v, "took at least");
}

static void answers(GString *to, const struct tw_comparison_verdict *v)
{
    char number[TW_NUMBER_TEXT];
    int64_t some = MAX(v->value[0], v->value[1]);

    g_string_append_printf(to, "%s request%s", tw_number_count((uint64_t)some, number),
                           some == 1 ? "" : "s");
    towards(to, v, "to");
    g_string_append_printf(to,
                           some == 1 ? " was answered %s, none %s" : " were answered %s, none %s",
                           v->value[0] ? "before" : "now", v->value[0] ? "now" : "before");
}

static void rate(GString *to, const struct tw_comparison_verdict *v)
{
    char number[TW_NUMBER_TEXT];

    g_string_append(to, "Data");
    towards(to, v, "to and from");
    if (v->change == TCPWHY_CHANGE_NONE)
        g_string_append(to, " goes about as fast as before: it");
    g_string_append_printf(to, " went at %s",
                           tw_graph_value(TW_UNIT_BITS_PER_SECOND, v->value[0], number));
    g_string_append_printf(to, ", now at %s",
                           tw_graph_value(TW_UNIT_BITS_PER_SECOND, v->value[1], number));
}

static bool all_refused(const struct tw_listener_change *l)
{
    return l && l->refused[0] == l->connections[0] && l->refused[1] == l->connections[1];
}

static void loss(GString *to, const struct tw_comparison_verdict *v)
{
    if (all_refused(v->listener)) {
        g_string_append(to, "Connections");
        towards(to, v, "to");
        g_string_append(to, " are refused, before as now");
        return;
    }
    g_string_append(to, v->value[0] || v->value[1] ? "A connection" : "Connections");
    towards(to, v, "to");
    if (v->value[0] == 0 && v->value[1] == 0)
        g_string_append(to, " lost no time before, and lose none now");
    else if (v->change == TCPWHY_CHANGE_NONE)
        times(to, v, "loses about as much as before: it lost");
    else
        times(to, v, "lost");
}

static void nothing(GString *to, const tcpwhy_comparison *comparison)
{
    const struct tw_listener_change *whole = tw_comparison_whole(comparison);
    bool before = whole->connections[0] == 0, after = whole->connections[1] == 0;

    g_string_append_printf(to, "Nothing to compare: there is no TCP connection %s",
                           before && after ? "in either capture"
                           : before        ? "in the capture before"
                                           : "in the capture after");
}

static void felt(GString *to, const tcpwhy_comparison *comparison,
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
    case TCPWHY_MEASURE_OPENING:
        g_string_append(to, "Opening a connection");
        towards(to, v, "to");
        times(to, v, "took");
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

/* ---- what did it ----------------------------------------------------------------------------- */

static tcpwhy_ns each_ns(const struct tcpwhy_cause_change *c, enum tcpwhy_when when)
{
    return c->by == TCPWHY_PER_EXCHANGE     ? c->per_exchange_ns[when]
           : c->by == TCPWHY_PER_CONNECTION ? c->per_connection_ns[when]
                                            : c->per_megabyte_ns[when];
}

/* "nagle_delayed_ack is gone (41.9 ms a request)" */
static void cause(GString *to, const struct tcpwhy_cause_change *c)
{
    bool gone = c->change == TCPWHY_CHANGE_GONE, new = c->change == TCPWHY_CHANGE_NEW;
    bool fell = each_ns(c, TCPWHY_AFTER) < each_ns(c, TCPWHY_BEFORE);
    enum tcpwhy_when more = fell ? TCPWHY_BEFORE : TCPWHY_AFTER;
    char number[TW_NUMBER_TEXT];

    g_string_append_printf(to, "%s %s (", tcpwhy_cause_info(c->cause)->name,
                           gone   ? "is gone"
                           : new  ? "is new"
                           : fell ? "fell"
                                  : "grew");
    if (!gone && !new)
        g_string_append_printf(to, "from %s to ",
                               tw_number_duration(each_ns(c, TCPWHY_BEFORE), number));
    g_string_append_printf(
        to, "%s a %s", tw_number_duration(each_ns(c, gone ? TCPWHY_BEFORE : TCPWHY_AFTER), number),
        tw_compare_per(c->by));
    if (c->confidence[more] != TCPWHY_CERTAIN)
        g_string_append_printf(to, ", %s", tcpwhy_confidence_name(c->confidence[more]));
    g_string_append_c(to, ')');
}

static void did_it(GString *to, const struct tw_comparison_verdict *v)
{
    if (v->change != TCPWHY_CHANGE_BETTER && v->change != TCPWHY_CHANGE_WORSE)
        return;
    if (v->causes[0])
        cause(g_string_append(to, ": "), v->causes[0]);
    else
        g_string_append(to, ", and no cause stands out");
    if (v->causes[1])
        cause(g_string_append(to, ", and "), v->causes[1]);
    if (v->opening)
        cause(g_string_append(to, "; beside it "), v->opening);
    if (v->but)
        cause(g_string_append(to, "; but "), v->but);
}

void tw_compare_sentence(GString *to, const tcpwhy_comparison *comparison)
{
    const struct tw_comparison_verdict *v = tw_comparison_verdict(comparison);

    if (v->same_capture) {
        g_string_append(to, "The two are the same capture: nothing differs.");
        return;
    }
    felt(to, comparison, v);
    did_it(to, v);
    g_string_append_c(to, '.');
}

/* ---- doubts ---------------------------------------------------------------------------------- */

static char *count(double value, char *text)
{
    return tw_number_count((uint64_t)(value + 0.5), text);
}

static char *duration(double value, char *text)
{
    return tw_number_duration((tcpwhy_ns)value, text);
}

static char *bytes(double value, char *text)
{
    return tw_number_bytes((uint64_t)(value + 0.5), text);
}

static char *tenths(double value, char *text)
{
    return tw_number_fixed(tw_ns_from(value * 10 + 0.5), 1, 1, true, text);
}

static char *place(double value, char *text)
{
    static const char *const places[] = { "somewhere", "at the client", "in the middle",
                                          "at the server" };

    return strcpy(text, places[(unsigned)value % G_N_ELEMENTS(places)]);
}

/* The words around the two numbers, and how those are written. */
static const struct {
    const char *fact, *first, *then, *last;
    char *(*number)(double value, char *text);
} doubts[] = {
    { "path", "The path is another: its round trip was ", ", now ", ".", duration },
    { "vantage", "Captured ", " before, ", " after: waits are seen from other ends.", place },
    { "errors", "Of the answers ", " were errors (4xx, 5xx), now ", ".", tw_number_percent },
    { "sizes", "A request with its answer carried ", ", now ", ".", bytes },
    { "load", "On average ", " connections were open at once, now ", ".", tenths },
    { "few_exchanges", "Few requests, ", " before and ",
      " after: percentiles of so few say little.", count },
    { "lengths", "The captures are ", " and ", " long: totals differ by that alone.", duration },
    { "other_listeners", "Listeners in one capture only, and not compared: ", " before, ",
      " after.", count },
};

void tw_compare_doubt(GString *to, const tcpwhy_comparison *comparison,
                      const struct tcpwhy_unfair *u)
{
    char number[TW_NUMBER_TEXT];

    if (u->text[0]) {
        g_string_append_printf(to, "%s: %s",
                               u->value[0] > 0 && u->value[1] > 0 ? "Both captures"
                               : u->value[0] > 0                  ? "Before"
                                                                  : "After",
                               u->text);
        return;
    }
    if (strcmp(u->fact, "other_listeners") == 0 && !tw_comparison_verdict(comparison)->listener) {
        g_string_append(to, "No listener is in both captures: they are compared as wholes.");
        return;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(doubts); i++) {
        if (strcmp(u->fact, doubts[i].fact) != 0)
            continue;
        g_string_append(to, doubts[i].first);
        g_string_append(to, doubts[i].number(u->value[0], number));
        g_string_append(to, doubts[i].then);
        g_string_append(to, doubts[i].number(u->value[1], number));
        g_string_append(to, doubts[i].last);
    }
}
