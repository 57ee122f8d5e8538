/* SPDX-License-Identifier: MIT */
/*
 * A script's session: its segments as frames, without TCP options, of a public session, and what
 * is expected of its report.
 */
#include <stdio.h>
#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "base/memory.h"
#include "tests/unit/script.h"

#define RAW_IP   101
#define IP       20
#define HEADERS  (IP + TW_TCP_HEADER)
#define PERCENT  100
#define TCP      6
#define START_NS TCPWHY_S(1000000)

/* Fields that a verdict, a finding and a failure have in common, and those of one of them alone. */
struct row {
    const char *name, *summary, *remedy, *who, *seen; /* or NULL */
    const struct tcpwhy_finding *finding;             /* likewise */
    const struct tcpwhy_fact *fact;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    enum tcpwhy_party party;
    tcpwhy_ns ns;
};

static void put(uint8_t *at, uint32_t value, unsigned bytes)
{
    while (bytes-- > 0) {
        at[bytes] = (uint8_t)value;
        value >>= 8;
    }
}

void script_session_end(struct script *s)
{
    tcpwhy_session_free(s->session);
    tcpwhy_report_free(s->report);
    s->session = NULL;
    s->report = NULL;
}

void script_session_begin(struct script *s)
{
    script_begin(s);
    if (tcpwhy_session_new(NULL, &s->session, NULL, 0) != 0)
        script_wrong(s, "there is no session");
}

/* bytes: its payload; NULL: zeros. */
void script_session_push(struct script *s, const struct tw_segment *segment, const void *bytes)
{
    struct tcpwhy_packet p = TCPWHY_PACKET_INIT;
    uint8_t *frame = tw_malloc0(HEADERS + segment->len), *tcp = frame + IP;

    frame[0] = 4 << 4 | IP / 4;
    put(frame + 2, HEADERS + segment->len, 2);
    frame[8] = segment->ttl;
    frame[9] = TCP;
    memcpy(frame + 12, segment->tuple.address[0], 4);
    memcpy(frame + 16, segment->tuple.address[1], 4);
    put(tcp, segment->tuple.port[0], 2);
    put(tcp + 2, segment->tuple.port[1], 2);
    put(tcp + 4, segment->seq, 4);
    put(tcp + 8, segment->ack, 4);
    put(tcp + 12, (TW_TCP_HEADER / 4) << 12 | segment->flags, 2);
    put(tcp + 14, segment->window, 2);
    if (bytes && segment->len > 0)
        memcpy(frame + HEADERS, bytes, segment->len);
    p.captured_len = p.original_len = HEADERS + segment->len;
    p.link_type = RAW_IP;
    p.time_ns = START_NS + s->now_ns;
    p.bytes = frame;
    if (!s->session || tcpwhy_session_push(s->session, &p) != 0)
        script_wrong(s, "the session takes no frame, or is over");
    tw_free(frame);
}

static const tcpwhy_report *report_of(struct script *s)
{
    if (!s->report && tcpwhy_session_finish(s->session, &s->report) != 0)
        script_wrong(s, "there is no report");
    s->session = NULL;
    return s->report;
}

/* ---- what is read and expected of the report ------------------------------------------------- */

static bool is_of_report(const char *name)
{
    return g_str_has_prefix(name, "verdict.") || g_str_has_prefix(name, "finding") ||
           g_str_has_prefix(name, "latency.") || strcmp(name, "failure.after") == 0 ||
           strcmp(name, "facts") == 0;
}

bool script_read_session(struct script *s, const char *name, struct script_value *value)
{
    const tcpwhy_report *r;
    const struct tcpwhy_verdict *v;

    if ((!s->session && !s->report) || !is_of_report(name))
        return false;
    r = report_of(s);
    v = tcpwhy_report_verdict(r);
    if (strcmp(name, "verdict.cost") == 0)
        *value = script_time(v->cost_ns);
    else if (strcmp(name, "verdict.percent") == 0)
        *value = script_count((int64_t)(v->share * PERCENT + 0.5));
    else if (strcmp(name, "failure.after") == 0 && tcpwhy_report_failure(r, 0))
        *value = script_time(tcpwhy_report_failure(r, 0)->after_ns);
    else if (strcmp(name, "finding.cost") == 0 && tcpwhy_report_finding(r, 0))
        *value = script_time(tcpwhy_report_finding(r, 0)->cost_ns);
    else if (strcmp(name, "facts") == 0 && tcpwhy_report_stream(r, 0))
        *value = script_count((int64_t)tcpwhy_report_stream(r, 0)->n_facts);
    else if (strcmp(name, "latency.count") == 0)
        *value = script_count((int64_t)tcpwhy_report_latency(r)->count);
    else if (strcmp(name, "latency.max") == 0)
        *value = script_time(tcpwhy_report_latency(r)->max_ns);
    else
        *value = script_count((int64_t)tcpwhy_report_finding_count(r)); /* findings */
    return true;
}

static struct row row_of_failure(const tcpwhy_report *r)
{
    const struct tcpwhy_failure *f = tcpwhy_report_failure(r, 0);
    struct row row = {
        .name = tcpwhy_failure_info(tcpwhy_report_verdict(r)->failure)->name,
        .summary = f ? f->summary : "",
        .remedy = f ? f->remedy : "",
    };

    if (f) {
        row.who = tcpwhy_culprit_name(f->who);
        row.seen = tcpwhy_seen_as_name(f->seen_as);
        row.confidence = f->confidence;
        row.ns = f->after_ns;
    }
    return row;
}

static struct row row_of_verdict(const tcpwhy_report *r)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(r);

    return (struct row) { .name = tcpwhy_cause_info(v->cause)->name,
                          .confidence = v->confidence,
                          .rival = v->rival,
                          .party = v->party,
                          .ns = v->cost_ns };
}

static struct row row_of_finding(const tcpwhy_report *r, size_t number)
{
    const struct tcpwhy_finding *f = tcpwhy_report_finding(r, number);

    if (!f)
        return (struct row) { .name = "no finding" };
    return (struct row) { .name = tcpwhy_cause_info(f->cause)->name,
                          .summary = f->summary,
                          .remedy = f->remedy,
                          .finding = f,
                          .confidence = f->confidence,
                          .rival = f->rival,
                          .party = f->party,
                          .ns = f->cost_ns };
}

/* The fact of that name: of the first stream, or of the capture. */
static struct row row_of_fact(const tcpwhy_report *r, const struct script_at *a)
{
    struct script_at ahead = *a;
    const char *name = script_word(&ahead);
    const struct tcpwhy_stream *stream = tcpwhy_report_stream(r, 0);
    const struct tcpwhy_fact *fact = NULL, *other;

    for (size_t i = 0; stream && i < stream->n_facts; i++)
        if (name && strcmp(stream->facts[i]->fact, name) == 0)
            fact = stream->facts[i];
    for (size_t i = 0; !fact && (other = tcpwhy_report_fact(r, i)); i++)
        if (name && strcmp(other->fact, name) == 0)
            fact = other;
    if (!fact)
        return (struct row) { .name = "no such fact" };
    return (struct row) { .name = fact->fact, .summary = fact->text, .fact = fact };
}

static bool says(struct script_at *a, const char *text)
{
    const tw_array *bytes = script_bytes(a->script, script_sum(a));
    char *words = tw_strndup(bytes->data, bytes->len);
    bool is = text && strstr(text, words);

    tw_free(words);
    return is;
}

/* detail NAME VALUE */
static bool has_detail(struct script_at *a, const struct tcpwhy_finding *f)
{
    const char *name = script_word(a);
    int64_t value = script_number(a->script, script_sum(a));

    for (size_t i = 0; f && name && i < f->n_details; i++)
        if (strcmp(f->details[i]->name, name) == 0)
            return (int64_t)f->details[i]->number == value;
    return false;
}

static bool has_part(struct script_at *a, const struct row *row)
{
    const char *word;

    if (script_takes(a, "says"))
        return says(a, row->summary);
    if (script_takes(a, "unsaid"))
        return !says(a, row->summary);
    if (script_takes(a, "remedy"))
        return says(a, row->remedy);
    if (script_takes(a, "rival"))
        return row->rival == script_cause_of(a);
    if (script_takes(a, "by"))
        return (int)row->party == script_party_of(a);
    if (script_takes(a, "after"))
        return row->ns == script_ns(a->script, script_sum(a));
    if (script_takes(a, "seen"))
        return row->seen && script_takes(a, row->seen);
    if (script_takes(a, "count"))
        return row->fact && (int64_t)row->fact->count == script_number(a->script, script_sum(a));
    if (script_takes(a, "port"))
        return row->fact && row->fact->endpoint.port == script_number(a->script, script_sum(a));
    if (script_takes(a, "frame"))
        return row->fact && row->fact->frame == script_number(a->script, script_sum(a));
    if (script_takes(a, "detail"))
        return has_detail(a, row->finding);
    word = script_word(a);
    if (script_confidence_of(word) != SCRIPT_ANY)
        return (int)row->confidence == script_confidence_of(word) &&
               (row->confidence != TCPWHY_CERTAIN || row->rival == TCPWHY_CAUSE_NONE);
    if (!word || !row->who)
        script_wrong(a->script, "\"%s\" is no part of that", a->p);
    return strcmp(word, row->who) == 0;
}

/* [no] KIND PARTS: its name, and each of the rest. */
static void expect_row(struct script_at *a, struct row row, bool no, const char *line)
{
    const char *name = script_word(a);
    bool is = (name && strcmp(name, row.name) == 0) != no;

    for (script_blank(a); *a->p; script_blank(a))
        is = has_part(a, &row) && is;
    if (is)
        return;
    script_begin_failure(a->script, line);
    printf("  + %s %s rival %s by %s, %s, ", row.name, tcpwhy_confidence_name(row.confidence),
           tcpwhy_cause_info(row.rival)->name, tcpwhy_party_name(row.party),
           row.who ? row.who : "nobody");
    printf("%.10gms: %s %s\n", (double)row.ns / TCPWHY_MS(1), row.summary ? row.summary : "",
           row.remedy ? row.remedy : "");
}

bool script_expect_session(struct script_at *a, const char *line)
{
    struct script *s = a->script;
    struct script_at ahead = *a;
    bool no = script_takes(&ahead, "no");
    struct row row;

    if (!s->session && !s->report)
        return false;
    if (script_takes(&ahead, "failure"))
        row = row_of_failure(report_of(s));
    else if (script_takes(&ahead, "verdict"))
        row = row_of_verdict(report_of(s));
    else if (script_takes(&ahead, "finding"))
        row = row_of_finding(report_of(s), 0);
    else if (script_takes(&ahead, "second"))
        row = row_of_finding(report_of(s), 1);
    else if (script_takes(&ahead, "fact"))
        row = row_of_fact(report_of(s), &ahead);
    else
        return false;
    expect_row(&ahead, row, no, line);
    *a = ahead;
    return true;
}
