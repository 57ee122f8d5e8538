/* SPDX-License-Identifier: MIT */
/*
 * The verdict of a capture in a sentence: the cause, where, and what it cost.
 */
#include "render/view/verdict_words.h"

#include "base/ns.h"
#include "base/number.h"
#include "base/text.h"
#include "render/view/text_parts.h"
#include "report/endpoints.h"
#include "report/findings/materiality.h"

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

/* No finding, but part of the time has no certain cause. */
static void unexplained(tw_string *to, const tcpwhy_report *report, size_t n_streams)
{
    size_t n;
    const struct tcpwhy_ledger_entry *e = tw_report_ledger(report, &n);
    tcpwhy_ns unexplained_ns = 0, life_ns = 0;
    char number[TW_NUMBER_TEXT];

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
    tw_string_append_printf(to, "No problem found, but %s",
                            tw_number_duration(unexplained_ns, number));
    tw_string_append_printf(
        to, " of %s cannot be explained from the packets: ", tw_number_duration(life_ns, number));
    scope(to, report, n_streams);
}

static enum tw_tone undecided(tw_string *to, const tcpwhy_report *report, size_t n_streams)
{
    if (tcpwhy_report_verdict(report)->rival == TCPWHY_CONNECT_RETRY) {
        tw_string_append(to, "No lost time found, but SYNs were not answered: ");
        scope(to, report, n_streams);
    } else {
        unexplained(to, report, n_streams);
    }
    return TW_TONE_WARN;
}

static enum tw_tone healthy(tw_string *to, const tcpwhy_report *report, size_t n_streams)
{
    size_t n_facts;

    tw_report_facts(report, &n_facts);
    tw_string_append(to, n_facts ? "No time was lost: " : "No problem found: ");
    scope(to, report, n_streams);
    return TW_TONE_GOOD;
}

/* If about every request waited once for the costliest finding: its part of the response time. */
static void of_each_request(tw_string *to, const tcpwhy_report *report)
{
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);
    char number[TW_NUMBER_TEXT];

    if (n == 0 || latency->count < 2 || f->count < latency->count / 2 ||
        f->count > latency->count || f->median_ns == TCPWHY_NS_UNKNOWN ||
        f->median_ns > latency->p50_ns)
        return;
    tw_string_append_printf(to, " Median response time %s,",
                            tw_number_duration(latency->p50_ns, number));
    tw_string_append_printf(to, " %s of it this.", tw_number_duration(f->median_ns, number));
}

/* An idle client is reported, but is no problem. */
static enum tw_tone idle(tw_string *to, const struct tcpwhy_verdict *v)
{
    char text[TCPWHY_ENDPOINT_TEXT + TW_NUMBER_TEXT];

    tw_string_append(to, v->confidence == TCPWHY_CERTAIN ? "No problem found: the client "
                                                         : "Probably no problem: the client ");
    if (v->endpoint.version)
        tw_string_append_printf(to, "%s ", tcpwhy_endpoint_format(&v->endpoint, text));
    tw_string_append_printf(to, "was idle for %s, ", tw_number_duration(v->cost_ns, text));
    tw_string_append_printf(to, "%s of the connection time", tw_number_percent(v->share, text));
    if (v->rival != TCPWHY_CAUSE_NONE)
        tw_string_append_printf(to, " (could also be: %s)", tcpwhy_cause_info(v->rival)->name);
    tw_string_append(to, ".");
    return v->confidence == TCPWHY_CERTAIN ? TW_TONE_GOOD : TW_TONE_WARN;
}

static enum tw_tone problem(tw_string *to, const tcpwhy_report *report, size_t n_streams)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    char number[TW_NUMBER_TEXT];

    tw_text_title(to, v->cause);
    tw_text_place(to, v->cause, &v->endpoint, tcpwhy_report_name(report, &v->endpoint), v->party);
    tw_string_append_printf(to, " cost %s: ", tw_number_duration(v->cost_ns, number));
    tw_string_append_printf(to, "%s of all waiting", tw_number_percent(v->share, number));
    if (n_streams > 1 && v->streams < n_streams)
        tw_string_append_printf(to, ", on %s of", tw_number_count(v->streams, number));
    else if (n_streams > 1)
        tw_string_append(to, ", on all");
    if (n_streams > 1)
        tw_string_append_printf(to, " %s connections", tw_number_count(n_streams, number));
    tw_string_append(to, ".");
    of_each_request(to, report);
    return TW_TONE_BAD;
}

/* Is the costliest finding the delay that the failure tells of? */
static bool is_same(const tcpwhy_report *report)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    size_t n;
    const struct tw_failure_row *f = tw_report_failures(report, &n);

    return f->in_all_ns > 0 && tw_failure_explains(f->kind, v->cause) &&
           (tw_endpoint_same_host(&f->server, &v->endpoint) ||
            tw_endpoint_same_host(&f->client, &v->endpoint));
}

enum tw_tone tw_verdict_sentence(tw_string *to, const tcpwhy_report *report)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    uint64_t n = tw_report_capture(report)->streams;

    if (n == 0) {
        bool failed = tw_failure_sentence(to, report);

        if (!failed)
            tw_string_append(to, tw_text_no_stream(report));
        return failed ? TW_TONE_BAD : TW_TONE_WARN;
    }
    if (tw_failure_sentence(to, report)) {
        if (v->cause == TCPWHY_CAUSE_NONE || v->cause == TCPWHY_CLIENT_IDLE || is_same(report))
            return TW_TONE_BAD;
        tw_string_append_c(to, ' ');
    }
    if (v->cause != TCPWHY_CAUSE_NONE && v->cause != TCPWHY_CLIENT_IDLE)
        return problem(to, report, n);
    if (v->confidence == TCPWHY_AMBIGUOUS)
        return undecided(to, report, n);
    return v->cause == TCPWHY_CLIENT_IDLE ? idle(to, v) : healthy(to, report, n);
}
