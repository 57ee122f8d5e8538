/* SPDX-License-Identifier: MIT */
/*
 * Is anything wrong, what did it cost, who can mend it.
 */
#include "render/verdict_words.h"

#include "base/ns.h"
#include "render/number.h"
#include "render/text_parts.h"

static void connections(GString *to, const tcpwhy_report *report, size_t n_streams)
{
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);

    tw_text_count(to, n_streams, "connection", "connections");
    if (latency->count > 0) {
        g_string_append(to, " with ");
        tw_text_count(to, latency->count, "request", "requests");
    }
}

/* Nothing was found, and for some time nothing could be. */
static void untold_time(GString *to, const tcpwhy_report *report, size_t n_streams)
{
    size_t n;
    const struct tcpwhy_ledger_entry *e = tw_report_ledger(report, &n);
    tcpwhy_ns untold_ns = 0, life_ns = 0;
    char number[TW_NUMBER_TEXT];

    for (size_t i = 0; i < n; i++) {
        life_ns = tw_ns_add(life_ns, e[i].ns);
        if (e[i].cause == TCPWHY_CAPTURE_GAP || e[i].cause == TCPWHY_UNKNOWN ||
            e[i].confidence == TCPWHY_AMBIGUOUS)
            untold_ns = tw_ns_add(untold_ns, e[i].ns);
    }
    if (life_ns == 0) {
        g_string_append(to,
                        "Too little to tell whether anything is wrong: no more than a moment of ");
        connections(to, report, n_streams);
        g_string_append(to, ".");
        return;
    }
    g_string_append(to, "Nothing wrong was found in ");
    connections(to, report, n_streams);
    g_string_append_printf(to, ", but for %s", tw_number_duration(untold_ns, number));
    g_string_append_printf(to, " of %s the packets do not tell what went on.",
                           tw_number_duration(life_ns, number));
}

/* The fact beside it says how many, and whose. */
static void unanswered(GString *to, const tcpwhy_report *report, size_t n_streams)
{
    g_string_append(to, "No lost time shows, but SYNs went unanswered: in ");
    connections(to, report, n_streams);
    g_string_append(to, " nobody else waited for anything that could be changed.");
}

static enum tw_tone untold(GString *to, const tcpwhy_report *report, size_t n_streams)
{
    if (tcpwhy_report_verdict(report)->rival == TCPWHY_CONNECT_RETRY)
        unanswered(to, report, n_streams);
    else
        untold_time(to, report, n_streams);
    return TW_TONE_WARN;
}

static enum tw_tone healthy(GString *to, const tcpwhy_report *report, size_t n_streams)
{
    size_t n_facts;

    tw_report_facts(report, &n_facts);
    g_string_append(to, n_facts ? "No time was lost: in " : "Nothing is wrong: in ");
    connections(to, report, n_streams);
    g_string_append(to, " nobody waited for anything that could be changed.");
    return TW_TONE_GOOD;
}

/* Where about every request waited once for the costliest finding, how much of it that was. */
static void of_each_request(GString *to, const tcpwhy_report *report)
{
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);
    char number[TW_NUMBER_TEXT];

    if (n == 0 || latency->count < 2 || f->count < latency->count / 2 ||
        f->count > latency->count || f->median_ns == TCPWHY_NS_UNKNOWN ||
        f->median_ns > latency->p50_ns)
        return;
    g_string_append_printf(to, " Requests were answered in %s at the median,",
                           tw_number_duration(latency->p50_ns, number));
    g_string_append_printf(to, " of which %s were lost to it.",
                           tw_number_duration(f->median_ns, number));
}

/* The client's own pause is told, but it is nobody's fault. */
static enum tw_tone idle(GString *to, const struct tcpwhy_verdict *v)
{
    char number[TW_NUMBER_TEXT];

    g_string_append(to, v->confidence == TCPWHY_CERTAIN
                            ? "Nothing is wrong: nobody waited. For "
                            : "Nothing wrong was found: likely nobody waited. For ");
    g_string_append_printf(to, "%s, ", tw_number_duration(v->cost_ns, number));
    g_string_append_printf(to, "%s of the life of its connections, %s",
                           tw_number_percent(v->share, number), tcpwhy_cause_info(v->cause)->title);
    if (v->endpoint.version)
        tw_text_place(to, v->cause, &v->endpoint, v->party);
    if (v->rival != TCPWHY_CAUSE_NONE)
        g_string_append_printf(to, " (%s looks the same from here)",
                               tcpwhy_cause_info(v->rival)->name);
    g_string_append(to, ".");
    return v->confidence == TCPWHY_CERTAIN ? TW_TONE_GOOD : TW_TONE_WARN;
}

static enum tw_tone sick(GString *to, const tcpwhy_report *report, size_t n_streams)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    char number[TW_NUMBER_TEXT];

    if (v->streams < n_streams)
        g_string_append_printf(to, "%s of ", tw_number_count(v->streams, number));
    tw_text_count(to, n_streams, "connection", "connections");
    g_string_append_printf(to, " lost %s", tw_number_duration(v->cost_ns, number));
    g_string_append_printf(to, ", %s of the time that somebody waited: %s",
                           tw_number_percent(v->share, number), tcpwhy_cause_info(v->cause)->title);
    tw_text_place(to, v->cause, &v->endpoint, v->party);
    g_string_append(to, ".");
    of_each_request(to, report);
    return TW_TONE_BAD;
}

enum tw_tone tw_verdict_sentence(GString *to, const tcpwhy_report *report)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    uint64_t n = tw_report_capture(report)->streams;

    if (n == 0) {
        g_string_append(to, tw_text_no_stream(report));
        return TW_TONE_WARN;
    }
    if (v->cause != TCPWHY_CAUSE_NONE && v->cause != TCPWHY_CLIENT_IDLE)
        return sick(to, report, n);
    if (v->confidence == TCPWHY_AMBIGUOUS)
        return untold(to, report, n);
    return v->cause == TCPWHY_CLIENT_IDLE ? idle(to, v) : healthy(to, report, n);
}
