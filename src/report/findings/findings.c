/* SPDX-License-Identifier: MIT */
#include "report/findings/findings.h"

#include "base/array.h"
#include "base/hash_table.h"
#include "base/ns.h"
#include "base/text.h"
#include "report/endpoints.h"
#include "report/findings/before_syn.h"
#include "report/findings/finding_accumulator.h"
#include "report/findings/materiality.h"
#include "report/findings/pairs.h"
#include "report/findings/sequences.h"
#include "report/findings/finding_merge.h"
#include "report/findings/upstream.h"

/* Pairs of endpoints for each group: most of them waited for nothing that matters. */
#define PAIRS_PER_GROUP 4

struct tw_gathering {
    tw_ptr_array *groups;
    tw_hash_table *by_key;
    struct tw_pairs *pairs;
    struct tw_sequences *sequences;
    uint32_t keep_waits;
    guint most;
    bool per_connection; /* of one stream at a time: it waited as long as its pair of endpoints */
    bool brief;          /* for its verdict only */
    tcpwhy_ns waited_ns; /* time in which somebody waited or could have, all streams */
    tcpwhy_ns life_ns;   /* of all streams, without missing frames */
    struct tw_idle idle;
    tcpwhy_ns gap_ns, unknown_ns; /* as in struct tw_weight */
    bool clock_set;               /* as in struct tw_log, of one of them */
    uint32_t streams, idle_streams;
    struct tcpwhy_endpoint idle_client;
    bool many_idle_clients;
    bool flooded; /* a finding was a SYN flood */
    uint64_t n_mixed;
};

struct tw_gathering *tw_gathering_new(uint32_t keep_waits, guint most)
{
    struct tw_gathering *g = tw_new0(struct tw_gathering, 1);

    g->keep_waits = keep_waits;
    g->most = most;
    g->groups = tw_ptr_array_new_with_free_func(tw_finding_accumulator_free);
    g->by_key = tw_hash_table_new(tw_finding_hash, tw_finding_same);
    g->pairs = tw_pairs_new();
    g->sequences = tw_sequences_new();
    return g;
}

struct tw_gathering *tw_gathering_new_alone(bool brief)
{
    struct tw_gathering *g = tw_gathering_new(0, G_MAXUINT);

    g->per_connection = true;
    g->brief = brief;
    return g;
}

struct tw_gathering *tw_gathering_copy(const struct tw_gathering *from)
{
    struct tw_gathering *g = tw_memdup2(from, sizeof *from);

    g->groups = tw_ptr_array_new_with_free_func(tw_finding_accumulator_free);
    g->by_key = tw_hash_table_new(tw_finding_hash, tw_finding_same);
    g->pairs = tw_pairs_copy(from->pairs);
    g->sequences = tw_sequences_copy(from->sequences);
    for (guint i = 0; i < from->groups->len; i++) {
        struct tw_finding_accumulator *accumulator =
            tw_finding_accumulator_copy(tw_ptr_array_index(from->groups, i));

        tw_ptr_array_add(g->groups, accumulator);
        tw_hash_table_insert(g->by_key, &accumulator->key, accumulator);
    }
    return g;
}

void tw_gathering_free(struct tw_gathering *g)
{
    tw_pairs_free(g->pairs);
    tw_sequences_free(g->sequences);
    tw_hash_table_destroy(g->by_key);
    tw_ptr_array_free(g->groups, TRUE);
    tw_free(g);
}

void tw_gathering_reset(struct tw_gathering *g)
{
    tw_ptr_array *groups = g->groups;
    tw_hash_table *by_key = g->by_key;
    struct tw_pairs *pairs = g->pairs;
    struct tw_sequences *sequences = g->sequences;

    if (groups->len > 0) {
        tw_hash_table_remove_all(by_key);
        tw_ptr_array_set_size(groups, 0);
    }
    *g = (struct tw_gathering) {
        .groups = groups,
        .by_key = by_key,
        .pairs = pairs,
        .sequences = sequences,
        .keep_waits = g->keep_waits,
        .most = g->most,
        .per_connection = g->per_connection,
        .brief = g->brief,
    };
}

static struct tw_finding_accumulator *group_of(struct tw_gathering *g,
                                               const struct tw_finding_row *key,
                                               const struct tw_finding_row *full)
{
    struct tw_finding_accumulator *accumulator = tw_hash_table_lookup(g->by_key, key);
    struct tw_finding_row anybody = { .cause = key->cause, .party = key->party };

    if (!accumulator && g->groups->len >= g->most) {
        key = full = &anybody;
        accumulator = tw_hash_table_lookup(g->by_key, key);
        g->n_mixed++;
    }
    if (!accumulator) {
        accumulator = tw_finding_accumulator_new(key, full, g->brief);
        tw_ptr_array_add(g->groups, accumulator);
        tw_hash_table_insert(g->by_key, &accumulator->key, accumulator);
    }
    return accumulator;
}

/* A span of the stream, and where its wait went. */
struct gone {
    const struct tw_span *span; /* NULL: none yet */
    struct tw_finding_accumulator *accumulator;
    struct tw_finding_row full;
};

/* The spans of one cause on one side of a stream are of one group, and often follow each other. */
static bool goes_there(const struct gone *last, const struct tw_span *span)
{
    return last->span && last->span->cause == span->cause && last->span->party == span->party &&
           last->span->from == span->from;
}

static void add_wait(struct tw_gathering *g, const struct tw_finding_accumulator_wait *w,
                     const struct tw_weight *weight, struct gone *last)
{
    struct tw_finding_row key;
    uint64_t n_mixed = g->n_mixed;

    if (!goes_there(last, w->span)) {
        tw_finding_accumulator_describe(w->stream, w->span, &key, &last->full);
        last->accumulator = group_of(g, &key, &last->full);
        last->span = g->n_mixed == n_mixed ? w->span : NULL; /* each that is mixed counts */
    }
    tw_finding_accumulator_add(last->accumulator, &last->full, w, g->keep_waits);
    tw_finding_accumulator_take_details(last->accumulator, w, weight);
}

static void note_idle(struct tw_gathering *g, const struct tw_stream_row *s,
                      const struct tw_idle *idle, bool told_before)
{
    if (idle->ns == 0)
        return;
    tw_idle_merge(&g->idle, idle);
    if (told_before)
        return;
    if (g->idle_streams++ == 0)
        g->idle_client = s->client;
    else if (!tw_endpoint_same_host(&g->idle_client, &s->client))
        g->many_idle_clients = true;
    else if (g->idle_client.port != s->client.port)
        g->idle_client.port = 0;
}

void tw_gathering_add(struct tw_gathering *g, const struct tw_stream_row *s,
                      const struct tw_log *log, const struct tw_weight *weight,
                      tw_causes told_before)
{
    struct gone last;

    last.span = NULL;
    for (uint32_t i = 0; i < weight->n_material; i++) {
        const struct tw_span *span = &weight->material[i].span;

        add_wait(g,
                 &(struct tw_finding_accumulator_wait) { s, log, span, weight->material[i].index,
                                                         span->to_ns - span->from_ns,
                                                         told_before >> span->cause & 1 },
                 weight, &last);
    }
    g->streams++;
    g->life_ns = tw_ns_add(g->life_ns, s->duration_ns - weight->gap_ns);
    g->gap_ns = tw_ns_add(g->gap_ns, weight->gap_ns);
    g->unknown_ns = tw_ns_add(g->unknown_ns, weight->unknown_ns);
    g->clock_set |= log->clock_set;
    g->waited_ns = tw_ns_add(g->waited_ns, weight->waited_ns);
    if (!g->per_connection) {
        tw_pairs_add(g->pairs, s, weight->waited_ns, (uint64_t)g->most * PAIRS_PER_GROUP);
        tw_sequences_add(g->sequences, s, log, &weight->short_way, g->keep_waits, g->most);
    }
    note_idle(g, s, &weight->idle,
              told_before & (TW_CAUSE(TCPWHY_CLIENT_IDLE) | TW_CAUSE(TCPWHY_KEEP_ALIVE)));
}

/* A finding caused by another one comes after all that are causes of their own. */
static int by_cost(const void *a, const void *b)
{
    const struct tw_finding_row *x = a, *y = b;

    if ((x->relayed > 0) != (y->relayed > 0))
        return x->relayed > 0 ? 1 : -1;
    if (x->cost_ns != y->cost_ns)
        return x->cost_ns < y->cost_ns ? 1 : -1;
    return x->cause != y->cause ? (int)x->cause - (int)y->cause
                                : (x->stream > y->stream) - (x->stream < y->stream);
}

/* "Nobody waited" is not certain if unexplained time would be enough for a finding, if a clock was
 * set by an unknown amount, or if no connection lasts longer than a moment. */
static void doubt(const struct tw_gathering *g, struct tcpwhy_verdict *v)
{
    bool brief = g->streams > 0 && g->life_ns == 0 && g->gap_ns == 0;

    if (!brief && !g->clock_set &&
        !tw_is_material(TCPWHY_UNKNOWN, tw_ns_add(g->gap_ns, g->unknown_ns),
                        tw_ns_add(g->gap_ns, g->waited_ns)))
        return;
    v->confidence = TCPWHY_AMBIGUOUS;
    v->rival = brief || g->gap_ns < g->unknown_ns ? TCPWHY_UNKNOWN : TCPWHY_CAPTURE_GAP;
}

/* If more time is missing from the capture than the worst cause took, it is not certain that it was
 * the worst. */
static void doubt_worst(const struct tw_gathering *g, struct tcpwhy_verdict *v)
{
    if (v->confidence != TCPWHY_CERTAIN || g->gap_ns <= v->cost_ns || tw_is_failure(v->cause))
        return;
    v->confidence = TCPWHY_LIKELY;
    v->rival = TCPWHY_CAPTURE_GAP;
}

static struct tcpwhy_verdict idle_verdict(const struct tw_gathering *g)
{
    struct tcpwhy_verdict v = { .cause = TCPWHY_CAUSE_NONE, .confidence = TCPWHY_CERTAIN };

    if (g->idle.ns * 2 <= g->life_ns || g->idle.ns < TCPWHY_S(1))
        return v;
    v.cause = TCPWHY_CLIENT_IDLE;
    v.party = TCPWHY_PARTY_CLIENT;
    v.cost_ns = g->idle.ns;
    v.share = (double)g->idle.ns / (double)g->life_ns;
    v.confidence = tw_idle_confidence(&g->idle);
    if (v.confidence != TCPWHY_CERTAIN)
        v.rival = g->idle.rival;
    v.streams = g->idle_streams;
    if (!g->many_idle_clients)
        v.endpoint = g->idle_client;
    return v;
}

/* A filter and a dead host do not care for ports: what they did to one host is one finding. */
static void merge_host_wide(struct tw_gathering *g, const struct tw_setups *setups)
{
    tw_hash_table *by_host = tw_hash_table_new(tw_finding_hash, tw_finding_same);

    for (guint i = 0; i < g->groups->len; i++) {
        struct tw_finding_accumulator *into, *accumulator = tw_ptr_array_index(g->groups, i);

        if (accumulator->key.cause != TCPWHY_CONNECT_RETRY ||
            !tw_setups_host_wide(setups, &accumulator->key.endpoint))
            continue;
        accumulator->voice = tw_finding_voice(&accumulator->key);
        into = tw_hash_table_lookup(by_host, &accumulator->voice);
        if (into)
            tw_finding_accumulator_merge(into, accumulator, g->keep_waits);
        else
            tw_hash_table_insert(by_host, &accumulator->voice, accumulator);
    }
    tw_hash_table_destroy(by_host);
}

static void tell_setups(struct tw_gathering *g, const struct tw_setups *setups)
{
    for (guint i = 0; i < g->groups->len; i++) {
        struct tw_finding_accumulator *accumulator = tw_ptr_array_index(g->groups, i);

        if (tw_finding_accumulator_is_setup(accumulator->key.cause) && !accumulator->merged)
            tw_setups_tell(setups, &accumulator->key, &accumulator->finding, accumulator->details);
    }
}

/* Nobody waits behind invented addresses. */
static void drop_floods(struct tw_gathering *g, const struct tw_setups *setups)
{
    for (guint i = 0; i < g->groups->len; i++) {
        struct tw_finding_accumulator *a = tw_ptr_array_index(g->groups, i);

        if (a->merged || a->key.cause != TCPWHY_CONNECT_RETRY ||
            a->key.party != TCPWHY_PARTY_PATH ||
            !tw_setups_flooded(setups, &a->key.endpoint, a->finding.streams))
            continue;
        a->merged = g->flooded = true;
        g->waited_ns -= a->finding.cost_ns;
    }
}

/* Connections that a server's own host opens: from its address, or from loopback on the same
 * machine. */
static bool opens(const struct tw_finding_accumulator *server,
                  const struct tw_finding_accumulator *retry)
{
    const struct tcpwhy_endpoint *opener = &retry->finding.peer;

    return tw_endpoint_same_host(opener, &server->key.endpoint) ||
           (tw_endpoint_is_loopback(opener) && !tw_endpoint_is_loopback(&server->key.endpoint));
}

/* A server that waits for a connection of its own: whose SYNs are not answered is named. */
static void tell_behind(struct tw_gathering *g)
{
    const struct tw_finding_accumulator *worst = NULL;

    for (guint i = 0; i < g->groups->len; i++) {
        const struct tw_finding_accumulator *a = tw_ptr_array_index(g->groups, i);

        if (a->key.cause == TCPWHY_CONNECT_RETRY && !a->merged &&
            (!worst || a->finding.cost_ns > worst->finding.cost_ns))
            worst = a;
    }
    for (guint i = 0; worst && i < g->groups->len; i++) {
        struct tw_finding_accumulator *a = tw_ptr_array_index(g->groups, i);

        if (a->key.cause != TCPWHY_SERVER_THINK || !opens(a, worst))
            continue;
        a->behind = worst->finding.endpoint;
        a->behind_ns = worst->finding.cost_ns;
    }
}

static int by_first(gconstpointer a, gconstpointer b)
{
    const struct tw_finding_accumulator *x = *(const struct tw_finding_accumulator *const *)a;
    const struct tw_finding_accumulator *y = *(const struct tw_finding_accumulator *const *)b;

    if (x->first_stream != y->first_stream)
        return x->first_stream < y->first_stream ? -1 : 1;
    return (x->first_span > y->first_span) - (x->first_span < y->first_span);
}

/* A finding is held against the waiting of its two hosts, or of all where it has no peer. */
static bool matters(const struct tw_gathering *g, const struct tw_finding_accumulator *a)
{
    return tw_is_material(a->finding.cause, a->finding.cost_ns,
                          tw_pairs_waited(g->pairs, &a->key, g->waited_ns));
}

/* Many listeners or pairs of hosts may each be too small to matter while their cause is not: one
 * finding stands for all of them. */
static void roll_up(struct tw_gathering *g)
{
    tw_hash_table *by_cause = tw_hash_table_new(tw_finding_hash, tw_finding_same);

    for (guint i = 0; i < g->groups->len; i++) {
        struct tw_finding_accumulator *into, *accumulator = tw_ptr_array_index(g->groups, i);

        if (accumulator->merged || matters(g, accumulator))
            continue;
        accumulator->voice = tw_finding_of_cause(&accumulator->key);
        into = tw_hash_table_lookup(by_cause, &accumulator->voice);
        if (!into) {
            tw_hash_table_insert(by_cause, &accumulator->voice, accumulator);
            continue;
        }
        tw_finding_accumulator_stand_for(into, accumulator, g->keep_waits);
        into->key = into->voice;
    }
    tw_hash_table_destroy(by_cause);
}

/* Does a finding concern connections of that host to that server? */
static bool is_between(const struct tw_finding_accumulator *a, const struct tcpwhy_endpoint *host,
                       const struct tcpwhy_endpoint *server)
{
    const struct tw_finding_row *f = &a->finding;

    if (tw_endpoint_equal(&f->endpoint, server))
        return tw_endpoint_same_host(&f->peer, host) ||
               tw_finding_accumulator_is_setup(a->key.cause);
    return tw_endpoint_equal(&f->peer, server) && tw_endpoint_same_host(&f->endpoint, host);
}

static bool is_found(const struct tw_gathering *g, const struct tw_finding_accumulator *front,
                     const struct tcpwhy_endpoint *behind)
{
    for (guint i = 0; i < g->groups->len; i++) {
        const struct tw_finding_accumulator *a = tw_ptr_array_index(g->groups, i);

        if (!a->merged && matters(g, a) && is_between(a, &front->key.endpoint, behind))
            return true;
    }
    return false;
}

/* Hosts that were waited for while they waited themselves: the cause is behind them. */
static void tell_relayed(struct tw_gathering *g, const struct tw_upstream *upstream,
                         tw_string_chunk *texts)
{
    for (guint i = 0; i < g->groups->len; i++) {
        struct tw_finding_accumulator *a = tw_ptr_array_index(g->groups, i);
        struct tw_relayed relayed;
        struct tw_queued queued;

        if (a->merged || a->key.cause != TCPWHY_SERVER_THINK)
            continue;
        if (!tw_upstream_of(upstream, &a->key, &relayed)) {
            if (tw_upstream_queued(upstream, &a->key.endpoint, &queued))
                tw_finding_accumulator_queue(a, &queued);
            continue;
        }
        tw_finding_accumulator_relay(a, &relayed, texts);
        if (is_found(g, a, &relayed.behind))
            a->finding.relayed = relayed.share;
    }
}

/* A wait that appears twice, as a cause and as what relays it, happened once. */
static tcpwhy_ns relayed_ns(const tw_array *findings, guint from)
{
    tcpwhy_ns ns = 0;

    for (guint i = from; i < findings->len; i++) {
        const struct tw_finding_row *f = &tw_array_index(findings, struct tw_finding_row, i);

        ns = tw_ns_add(ns, (tcpwhy_ns)((double)f->cost_ns * f->relayed));
    }
    return ns;
}

static void name_worst(const struct tw_gathering *g, struct tcpwhy_report *report)
{
    struct tcpwhy_verdict *v = &report->verdict;
    tw_array causes = *report->findings;
    double waited;

    while (causes.len > 0 &&
           tw_array_index(&causes, struct tw_finding_row, causes.len - 1).relayed > 0)
        causes.len--;
    waited = (double)(g->waited_ns - relayed_ns(report->findings, causes.len));
    if (causes.len == 0) { /* each waits for another */
        causes.len = report->findings->len;
        waited = (double)g->waited_ns;
    }
    *v = tw_worst_cause(&causes);
    v->share = MIN((double)v->cost_ns / MAX(waited, 1), 1);
    doubt_worst(g, v);
}

void tw_gathering_close(struct tw_gathering *g, const struct tw_setups *setups,
                        struct tcpwhy_report *report)
{

    tw_sequences_close(g->sequences, g->groups);
    if (g->groups->len > 1)
        tw_ptr_array_sort(g->groups, by_first);
    if (setups) {
        merge_host_wide(g, setups);
        tell_setups(g, setups);
        tell_behind(g);
        drop_floods(g, setups);
    }
    if (!g->per_connection)
        roll_up(g);
    if (setups && setups->upstream)
        tell_relayed(g, setups->upstream, report->texts);
    for (guint i = 0; i < g->groups->len; i++) {
        struct tw_finding_accumulator *accumulator = tw_ptr_array_index(g->groups, i);

        if (!accumulator->merged && matters(g, accumulator))
            tw_finding_accumulator_publish(accumulator, report);
    }
    if (setups && setups->names)
        g->waited_ns =
            tw_ns_add(g->waited_ns, tw_before_syn_find(setups->names, g->waited_ns, report));
    if (report->findings->len > 1)
        tw_array_sort(report->findings, by_cost);
    report->verdict = idle_verdict(g);
    doubt(g, &report->verdict);
    if (g->flooded && report->verdict.confidence == TCPWHY_CERTAIN) {
        report->verdict.confidence = TCPWHY_AMBIGUOUS;
        report->verdict.rival = TCPWHY_CONNECT_RETRY;
    }
    if (report->findings->len > 0)
        name_worst(g, report);
}

size_t tw_gathering_bytes(const struct tw_gathering *g)
{
    return g->groups->len * (sizeof(struct tw_finding_accumulator) + TW_ENTRY_BYTES) +
           tw_pairs_bytes(g->pairs) + tw_sequences_bytes(g->sequences);
}

uint64_t tw_gathering_n_mixed(const struct tw_gathering *g)
{
    return g->n_mixed;
}
