/* SPDX-License-Identifier: MIT */
/*
 * The verdict of a capture in a sentence: the cause, where, and what it cost.
 */
#include "render/view/verdict_words.h"

#include <string.h>

#include "base/ns.h"
#include "base/number.h"
#include "base/text.h"
#include "explain/thresholds.h"
#include "render/view/view.h"
#include "report/endpoints.h"
#include "report/findings/materiality.h"
#include "report/findings/story.h"

/* "1 connection, 100 requests" */
static void scope(tw_string *to, const tcpwhy_report *report, size_t n_streams)
{
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);

    tw_text_count(to, n_streams, "connection", "connections");
    if (latency->count > 0) {
        tw_string_append(to, ", ");
        tw_text_count(to, latency->count, "request", "requests");
    }
    tw_string_append(to, ".");
}

static bool has_fact(const struct tw_stream_row *s, const char *name)
{
    for (size_t i = 0; i < s->n_facts; i++)
        if (strcmp(s->facts[i].fact, name) == 0)
            return true;
    return false;
}

/* SYN/ACKs for somebody who sent SYNs from the addresses here: nobody waited for them. */
static tcpwhy_ns backscatter_ns(const tcpwhy_report *report, size_t *n_backscatter)
{
    size_t n;
    const struct tw_stream_row *s = tw_report_streams(report, &n);
    tcpwhy_ns ns = 0;

    *n_backscatter = 0;
    for (const struct tw_stream_row *end = s + n; s < end; s++) {
        if (!has_fact(s, "backscatter"))
            continue;
        ns = tw_ns_add(ns, s->duration_ns);
        ++*n_backscatter;
    }
    return ns;
}

/* @return whether nothing else is unexplained. */
static bool tell_backscatter(tw_string *to, const tcpwhy_report *report, tcpwhy_ns unexplained_ns,
                             tcpwhy_ns life_ns)
{
    size_t n;
    const tcpwhy_ns ns = backscatter_ns(report, &n);

    if (n == 0 ||
        (unexplained_ns > ns && tw_is_material(TCPWHY_UNKNOWN, unexplained_ns - ns, life_ns - ns)))
        return false;
    tw_string_append(to, "No problem found: SYN/ACKs without a SYN (");
    tw_text_count(to, n, "connection", "connections");
    tw_string_append(to, ") answer SYNs that others sent from this address (backscatter), or the "
                         "capture lacks one direction.");
    return true;
}

/* No finding, but part of the time has no certain cause. */
static void unexplained(tw_string *to, const tcpwhy_report *report, size_t n_streams)
{
    size_t n;
    const struct tcpwhy_ledger_entry *e = tw_report_ledger(report, &n);
    tcpwhy_ns unexplained_ns = 0, life_ns = 0;

    for (size_t i = 0; i < n; i++) {
        life_ns = tw_ns_add(life_ns, e[i].ns);
        if (e[i].cause == TCPWHY_CAPTURE_GAP || e[i].cause == TCPWHY_UNKNOWN ||
            e[i].confidence == TCPWHY_AMBIGUOUS)
            unexplained_ns = tw_ns_add(unexplained_ns, e[i].ns);
    }
    if (life_ns == 0) {
        tw_string_append(to, "Too little data for a verdict: ");
        scope(to, report, n_streams);
        return;
    }
    if (tell_backscatter(to, report, unexplained_ns, life_ns))
        return;
    tw_string_append_printf(to, "No problem found, but %s",
                            tw_column(unexplained_ns, life_ns).text);
    tw_string_append_printf(
        to, " of %s cannot be explained from the packets: ", tw_part(life_ns, life_ns).text);
    scope(to, report, n_streams);
}

static bool is_flooded(const tcpwhy_report *report)
{
    size_t n;
    const struct tw_listener_row *l = tw_report_listeners(report, &n);

    for (const struct tw_listener_row *end = l + n; l < end; l++)
        if (l->forlorn > 0)
            return true;
    return false;
}

static enum tw_tone undecided(tw_string *to, const tcpwhy_report *report, size_t n_streams)
{
    if (tcpwhy_report_verdict(report)->rival == TCPWHY_CONNECT_RETRY) {
        tw_string_append(to, is_flooded(report)
                                 ? "No lost time found, but handshakes were left unfinished: "
                                 : "No lost time found, but SYNs were not answered: ");
        scope(to, report, n_streams);
    } else {
        unexplained(to, report, n_streams);
    }
    return TW_TONE_WARN;
}

/* If about every request waited once for the costliest finding: its part of the response time. */
static void of_each_request(tw_string *to, const tcpwhy_report *report)
{
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    if (n == 0 || latency->count < 2 || f->count < latency->count / 2 ||
        f->count > latency->count || f->median_ns == TCPWHY_NS_UNKNOWN ||
        f->median_ns > latency->p50_ns)
        return;
    tw_string_append_printf(to, " Median response time %s, %s of it this.",
                            tw_duration(latency->p50_ns).text, tw_duration(f->median_ns).text);
}

/* An idle client is reported, but is no problem. */
static enum tw_tone idle(tw_string *to, const tcpwhy_report *report)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);

    tw_string_append(to, v->confidence == TCPWHY_CERTAIN ? "No problem found: the client "
                                                         : "Probably no problem: the client ");
    if (v->endpoint.version)
        tw_string_append_printf(to, "%s ", tw_endpoint(&v->endpoint).text);
    tw_string_append_printf(to, "was idle for %s, %s of the connection time",
                            tw_part(v->cost_ns, tw_report_whole(report)).text,
                            tw_percent(v->share).text);
    if (v->rival != TCPWHY_CAUSE_NONE)
        tw_string_append_printf(to, " (could also be: %s)", tcpwhy_cause_info(v->rival)->name);
    tw_string_append(to, ".");
    return v->confidence == TCPWHY_CERTAIN ? TW_TONE_GOOD : TW_TONE_WARN;
}

/* "31.3 of 39.4 s of waiting (79%)" */
static void of_waiting(tw_string *to, const tcpwhy_report *report, tcpwhy_ns cost_ns,
                       tcpwhy_ns waited_ns)
{
    const tcpwhy_ns whole_ns = tw_report_whole(report);
    double share = waited_ns > 0 ? (double)cost_ns / (double)waited_ns : 0;

    tw_string_append_printf(to, "%s of %s of waiting (%s)", tw_column(cost_ns, whole_ns).text,
                            tw_part(waited_ns, whole_ns).text, tw_percent(share).text);
}

/* Of the connection whose path took longest: the path's time, and all of it. */
static tcpwhy_ns longest_way(const tcpwhy_report *report, tcpwhy_ns *all_ns)
{
    size_t n;
    const struct tw_stream_row *s = tw_report_streams(report, &n);
    tcpwhy_ns longest_ns = 0;

    for (const struct tw_stream_row *end = s + n; s < end; s++) {
        tcpwhy_ns way_ns = 0, sum_ns = 0;

        for (size_t i = 0; i < s->n_ledger; i++) {
            const struct tcpwhy_ledger_entry *e = &s->ledger[i];

            sum_ns = tw_ns_add(sum_ns, e->ns);
            if (e->cause == TCPWHY_WIRE || e->cause == TCPWHY_HANDSHAKE)
                way_ns = tw_ns_add(way_ns, e->ns);
        }
        if (way_ns <= longest_ns)
            continue;
        longest_ns = way_ns;
        *all_ns = sum_ns;
    }
    return longest_ns;
}

/* A path that took most of a time that a user feels is no problem, and no small matter. */
static enum tw_tone healthy(tw_string *to, const tcpwhy_report *report, size_t n_streams)
{
    size_t n_facts;
    tcpwhy_ns all_ns = 0, way_ns = longest_way(report, &all_ns);

    tw_report_facts(report, &n_facts);
    tw_string_append(to, n_facts ? "No time was lost: " : "No problem found: ");
    scope(to, report, n_streams);
    if (way_ns < TW_FLOW_OF_THOUGHT_NS || 2 * way_ns < all_ns)
        return TW_TONE_GOOD;
    tw_string_append(to, " But the path took ");
    of_waiting(to, report, way_ns, all_ns);
    tw_string_append(to, n_streams > 1 ? " in one of them" : "");
    tw_string_append(to, ": fewer round trips, or a nearer server, would save it.");
    return TW_TONE_WARN;
}

static void parts(tw_string *to, const struct tw_story *story, tcpwhy_ns whole_ns)
{

    for (size_t i = 0; i < TW_STORY_PARTS; i++)
        tw_string_append_printf(to, "%s %s %s", i == 0 ? ":" : ",",
                                tw_part(story->part[i].ns, whole_ns).text, story->part[i].words);
}

static void reach(tw_string *to, uint32_t streams, uint64_t n_streams)
{
    if (n_streams < 2)
        return;
    tw_string_append(to, ", on ");
    if (streams < n_streams)
        tw_string_append_printf(to, "%s of ", tw_count(streams).text);
    else
        tw_string_append(to, "all ");
    tw_string_append_printf(to, "%s connections", tw_count(n_streams).text);
}

static const char *remedy_of(const tcpwhy_report *report, enum tcpwhy_cause cause)
{
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    for (size_t i = 0; i < n; i++)
        if (f[i].cause == cause)
            return f[i].remedy;
    return NULL;
}

/* The remedy's first sentence, of the place that lost most: of the root, or if that is too little
 * for a finding, of what followed from it. */
static void remedy(tw_string *to, const tcpwhy_report *report, enum tcpwhy_cause root)
{
    const char *words = remedy_of(report, root), *end;

    if (!words)
        words = remedy_of(report, tcpwhy_report_verdict(report)->cause);
    if (!words)
        return;
    for (end = words; *end; end++)
        if (end[0] == '.' && (end[1] == '\0' || (end[1] == ' ' && g_ascii_isupper(end[2]))))
            break;
    tw_string_append(to, " What to do: ");
    tw_string_append_len(to, words, end - words);
    tw_string_append_c(to, '.');
}

/* broken: something failed too, and what to do about that comes first. */
static enum tw_tone problem(tw_string *to, const tcpwhy_report *report, size_t n_streams,
                            bool broken)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    struct tw_story story = { .cost_ns = v->cost_ns, .root = v->cause };
    bool told = tw_story_find(report, &story);
    tcpwhy_ns waited_ns;

    waited_ns = v->share > 0 ? (tcpwhy_ns)((double)v->cost_ns / v->share + 0.5) : 0;
    waited_ns = MAX(waited_ns, story.cost_ns);
    if (told)
        tw_string_append_printf(to, "%c%s", g_ascii_toupper(story.title[0]), story.title + 1);
    else
        tw_text_title(to, v->cause);
    tw_text_place(to, v->cause, &v->endpoint, tcpwhy_report_name(report, &v->endpoint), v->party);
    tw_string_append(to, " cost ");
    of_waiting(to, report, story.cost_ns, waited_ns);
    reach(to, v->streams, n_streams);
    if (told)
        parts(to, &story, tw_report_whole(report));
    tw_string_append_c(to, '.');
    of_each_request(to, report);
    if (!broken)
        remedy(to, report, story.root);
    return TW_TONE_BAD;
}

/* Is the costliest finding the delay of the failure? */
static bool is_same(const tcpwhy_report *report)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    size_t n;
    const struct tw_failure_row *f = tw_report_failures(report, &n);

    return f->in_all_ns > 0 && tw_failure_explains(f->kind, v->cause) &&
           (tw_endpoint_same_host(&f->server, &v->endpoint) ||
            tw_endpoint_same_host(&f->client, &v->endpoint));
}

const struct tcpwhy_fact *tw_verdict_errors(const tcpwhy_report *report)
{
    size_t n, n_failures;
    const struct tcpwhy_fact *f = tw_report_facts(report, &n);

    tw_report_failures(report, &n_failures);
    for (size_t i = 0; i < n && n_failures == 0; i++)
        if (strcmp(f[i].fact, "error_answers") == 0 && f[i].endpoint.version == 0 &&
            2 * tcpwhy_report_status(report)->n[5] > f[i].of)
            return &f[i];
    return NULL;
}

enum tw_tone tw_verdict_sentence(tw_string *to, const tcpwhy_report *report)
{
    const struct tcpwhy_fact *errors = tw_verdict_errors(report);
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    uint64_t n = tw_report_capture(report)->streams;
    const bool broken = tw_failure_sentence(to, report);

    if (n == 0) {
        if (!broken)
            tw_string_append(to, tw_text_no_stream(report));
        return broken ? TW_TONE_BAD : TW_TONE_WARN;
    }
    if (broken) {
        if (v->cause == TCPWHY_CAUSE_NONE || v->cause == TCPWHY_CLIENT_IDLE || is_same(report))
            return TW_TONE_BAD;
        tw_string_append_c(to, ' ');
    }
    if (errors) {
        tw_string_append_len(to, errors->text, strlen(errors->text) - 1);
        tw_string_append(to,
                         ": the server failed, or what stands behind it; its error log says why.");
        if (v->cause == TCPWHY_CAUSE_NONE || v->cause == TCPWHY_CLIENT_IDLE)
            return TW_TONE_BAD;
        tw_string_append_c(to, ' ');
    }
    if (v->cause != TCPWHY_CAUSE_NONE && v->cause != TCPWHY_CLIENT_IDLE)
        return problem(to, report, n, broken || errors);
    if (v->confidence == TCPWHY_AMBIGUOUS)
        return undecided(to, report, n);
    return v->cause == TCPWHY_CLIENT_IDLE ? idle(to, report) : healthy(to, report, n);
}
