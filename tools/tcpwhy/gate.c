/* SPDX-License-Identifier: MIT */
#include "gate.h"

#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "complain.h"
#include "values.h"

/* A report's sum of what a gate names. */
struct amount {
    tcpwhy_ns ns;
    double share;
    uint64_t count;
};

static bool read_percentile(const char *name, struct gate *out)
{
    static const struct {
        const char *name;
        unsigned percentile;
    } known[] = { { "p50", 50 }, { "p75", 75 }, { "p90", 90 }, { "p99", 99 }, { "max", 100 } };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i].name, name) == 0) {
            out->kind = GATE_LATENCY;
            out->percentile = known[i].percentile;
            return true;
        }
    }
    return false;
}

static bool read_name(const char *name, struct gate *out)
{
    bool failure;

    if (strcmp(name, "any") == 0) {
        out->cause = TCPWHY_CAUSE_ANY;
        return true;
    }
    out->kind = GATE_FAILURE;
    if (strcmp(name, "failure") == 0)
        return true;
    failure = tcpwhy_failure_by_name(name, &out->failure);
    if (tcpwhy_cause_by_name(name, &out->cause) && tcpwhy_cause_makes_findings(out->cause))
        out->kind = GATE_CAUSE; /* connect_refused is both */
    return failure || out->kind == GATE_CAUSE || read_percentile(name, out);
}

/* "500" and "500ms" are a time, "10%" a share, "3x" a count. */
static bool read_limit(char *limit, struct gate *out)
{
    size_t len = strlen(limit);
    char unit = len > 0 ? limit[len - 1] : '\0';
    uint32_t count;
    double number;

    if (unit == 'x' || unit == '%')
        limit[len - 1] = '\0';
    if (unit == 'x') {
        out->least_count = value_count(limit, 1, UINT32_MAX, &count) ? count : 0;
        return out->least_count > 0 && out->kind != GATE_LATENCY;
    }
    if (out->kind == GATE_FAILURE)
        return false;
    if (unit == '%') {
        out->least_share = value_number(limit, &number) ? number / 100 : -1;
        return out->least_share >= 0 && out->least_share <= 1 && out->kind == GATE_CAUSE;
    }
    if (value_number(limit, &number)) {
        out->least_ns = (tcpwhy_ns)(number * 1e6 + 0.5);
        return true;
    }
    return value_time(limit, &out->least_ns);
}

/* "10.9.0.2:80", "[2001:db8::1]:80": no request reads like that. */
static bool is_listener(const char *place)
{
    return strspn(place, "0123456789abcdefABCDEF.:[]") == strlen(place) && strchr(place, ':');
}

bool gate_read(const char *text, struct gate *out)
{
    char copy[128], *limit, *at;

    *out = (struct gate) { .cause = TCPWHY_CAUSE_NONE, .failure = TCPWHY_FAILURE_NONE };
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    if ((at = strchr(copy, '@'))) {
        *at = '\0';
        at++;
        *(is_listener(at) ? &out->listener : &out->operation) = strchr(text, '@') + 1;
        if (!*at)
            return false;
    }
    if ((limit = strchr(copy, ':')))
        *limit++ = '\0';
    if (!read_name(copy, out) || (limit && !read_limit(limit, out)))
        return false;
    /* Each listener has latencies. */
    return out->kind == GATE_LATENCY ? limit != NULL : !out->listener && !out->operation;
}

bool gate_asks_operations(const struct gate *gate, int n)
{
    for (int i = 0; i < n; i++)
        if (gate[i].operation)
            return true;
    return false;
}

static tcpwhy_ns percentile_of(const struct tcpwhy_percentiles *p, unsigned percentile)
{
    switch (percentile) {
    case 50:
        return p->p50_ns;
    case 75:
        return p->p75_ns;
    case 90:
        return p->p90_ns;
    case 99:
        return p->p99_ns;
    default:
        return p->max_ns;
    }
}

static bool is_at(const struct tcpwhy_listener *l, const char *listener)
{
    char text[TCPWHY_ENDPOINT_TEXT];

    return !listener || strcmp(tcpwhy_endpoint_format(&l->endpoint, text), listener) == 0;
}

/* The worst listener's. */
static struct amount latency(const struct gate *g, const tcpwhy_report *report)
{
    const struct tcpwhy_listener *l;
    struct amount a = { 0 };

    for (size_t i = 0; i < tcpwhy_report_listener_count(report); i++) {
        tcpwhy_ns ns;

        l = check_row(tcpwhy_report_listener(report, i));
        ns = percentile_of(l->latency, g->percentile);
        if (l->latency->count == 0 || !is_at(l, g->listener))
            continue;
        a.count += l->latency->count;
        if (ns != TCPWHY_NS_UNKNOWN && ns > a.ns)
            a.ns = ns;
    }
    return a;
}

/* The times of requests with some text. */
struct operation {
    const char *text;
    GArray *took; /* tcpwhy_ns */
};

static bool take_exchanges(void *user, const struct tcpwhy_stream *s)
{
    struct operation *o = user;

    for (size_t i = 0; i < s->n_exchanges; i++) {
        const struct tcpwhy_exchange *e = s->exchanges[i];

        if (e->complete && !e->of_session && e->total_ns != TCPWHY_NS_UNKNOWN &&
            strstr(e->request, o->text))
            g_array_append_val(o->took, e->total_ns);
    }
    return true;
}

static gint by_time(gconstpointer a, gconstpointer b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

/* Nearest rank, as the library's percentiles. */
static struct amount operation(const struct gate *g, const tcpwhy_report *report)
{
    struct operation o = { g->operation, g_array_new(FALSE, FALSE, sizeof(tcpwhy_ns)) };
    struct amount a = { 0 };

    check_memory(tcpwhy_report_visit_streams(report, take_exchanges, &o));
    g_array_sort(o.took, by_time);
    a.count = o.took->len;
    if (a.count > 0)
        a.ns = g_array_index(o.took, tcpwhy_ns, (a.count * g->percentile + 99) / 100 - 1);
    g_array_free(o.took, TRUE);
    return a;
}

static struct amount failures(const struct gate *g, const tcpwhy_report *report)
{
    const struct tcpwhy_failure *f;
    struct amount a = { 0 };

    for (size_t i = 0; i < tcpwhy_report_failure_count(report); i++) {
        f = check_row(tcpwhy_report_failure(report, i));
        a.count += g->failure == TCPWHY_FAILURE_NONE || g->failure == f->kind;
    }
    return a;
}

/* Shares are known for the verdict alone; both are of the same waiting. */
static struct amount causes(const struct gate *g, const tcpwhy_report *report)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    const struct tcpwhy_finding *f;
    struct amount a = { 0 };

    for (size_t i = 0; i < tcpwhy_report_finding_count(report); i++) {
        f = check_row(tcpwhy_report_finding(report, i));
        if ((g->cause != TCPWHY_CAUSE_ANY && g->cause != f->cause) || f->cost_ns <= 0)
            continue;
        a.ns += f->cost_ns;
        a.count += f->count;
    }
    if (v->cost_ns > 0)
        a.share = v->share * (double)a.ns / (double)v->cost_ns;
    return a;
}

static struct amount amount_of(const struct gate *g, const tcpwhy_report *report)
{
    switch (g->kind) {
    case GATE_LATENCY:
        return g->operation ? operation(g, report) : latency(g, report);
    case GATE_FAILURE:
        return failures(g, report);
    default:
        return causes(g, report);
    }
}

static bool reaches(const struct gate *g, struct amount a)
{
    return a.count > 0 && a.count >= g->least_count && a.ns >= g->least_ns &&
           a.share >= g->least_share;
}

/* connect_refused is a cause and a failure: where no limit is named, either counts. */
static bool also_fails(const struct gate *g, const tcpwhy_report *report)
{
    return g->kind == GATE_CAUSE && g->failure != TCPWHY_FAILURE_NONE && g->least_ns == 0 &&
           g->least_share <= 0 && reaches(g, failures(g, report));
}

bool gate_fails(const struct gate *gate, int n, const tcpwhy_report *report)
{
    for (int i = 0; i < n; i++)
        if (reaches(&gate[i], amount_of(&gate[i], report)) || also_fails(&gate[i], report))
            return true;
    return false;
}

static struct amount growth(struct amount before, struct amount after)
{
    return (struct amount) {
        .ns = after.ns - before.ns,
        .share = after.share - before.share,
        .count = after.count > before.count ? after.count - before.count : 0,
    };
}

bool gate_worsens(const struct gate *gate, int n, const tcpwhy_report *before,
                  const tcpwhy_report *after)
{
    for (int i = 0; i < n; i++) {
        struct amount a = growth(amount_of(&gate[i], before), amount_of(&gate[i], after));

        /* Latency may grow with fewer requests, and so may time and share. */
        if (gate[i].least_count == 0)
            a.count = a.ns > 0 || a.count > 0;
        if (reaches(&gate[i], a) && (gate[i].kind == GATE_FAILURE || a.ns > 0))
            return true;
    }
    return false;
}
