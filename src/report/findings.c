/* SPDX-License-Identifier: MIT */
#include "report/findings.h"

#include <string.h>

#include "base/hash.h"
#include "report/advice.h"
#include "report/ledger.h"
#include "report/materiality.h"
#include "report/percentiles.h"

/* Frames kept as evidence of one finding: the ends of a wait and what ended it. */
#define MAX_FRAMES 3

/* What findings are told apart by; the client's port is 0. */
struct key {
    uint64_t hash;
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    struct tcpwhy_endpoint endpoint, peer;
};

/* A finding in the making. */
struct group {
    struct key key;
    struct tcpwhy_finding finding;
    GArray *waits; /* tcpwhy_ns of each instance */
    tcpwhy_ns worst_stream_ns, this_stream_ns;
    tcpwhy_ns clearest_ns; /* of the instance whose frames are kept */
    uint32_t frames[MAX_FRAMES];
    size_t n_frames;
    struct tcpwhy_detail *details;
    uint32_t this_stream;
    tcpwhy_ns by_confidence[3];
    tcpwhy_ns by_rival[TCPWHY_N_CAUSES];
};

struct tw_gathering {
    GPtrArray *groups;
    GHashTable *by_key;
    uint64_t seed;
    tcpwhy_ns waited_ns; /* time in which somebody waited or could have, all streams */
    tcpwhy_ns idle_ns, life_ns;
    uint32_t idle_streams;
    struct tcpwhy_endpoint idle_client;
    bool many_idle_clients;
};

static void free_group(gpointer data)
{
    struct group *g = data;

    g_array_free(g->waits, TRUE);
    g_free(g->details);
    g_free(g);
}

static guint hash_key(gconstpointer key)
{
    return (guint)((const struct key *)key)->hash;
}

static bool same_address(const struct tcpwhy_endpoint *a, const struct tcpwhy_endpoint *b)
{
    return a->version == b->version && memcmp(a->address, b->address, sizeof a->address) == 0;
}

static gboolean same_key(gconstpointer a, gconstpointer b)
{
    const struct key *x = a, *y = b;

    return x->hash == y->hash && x->cause == y->cause && x->party == y->party &&
           x->endpoint.port == y->endpoint.port && x->peer.port == y->peer.port &&
           same_address(&x->endpoint, &y->endpoint) && same_address(&x->peer, &y->peer);
}

struct tw_gathering *tw_gathering_new(uint64_t seed)
{
    struct tw_gathering *g = g_new0(struct tw_gathering, 1);

    g->seed = seed;
    g->groups = g_ptr_array_new_with_free_func(free_group);
    g->by_key = g_hash_table_new(hash_key, same_key);
    return g;
}

void tw_gathering_free(struct tw_gathering *g)
{
    g_hash_table_destroy(g->by_key);
    g_ptr_array_free(g->groups, TRUE);
    g_free(g);
}

static const struct tcpwhy_endpoint *end_of(const struct tcpwhy_stream *s, enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? &s->client : &s->server;
}

static struct group *group_of(struct tw_gathering *g, const struct tcpwhy_stream *s,
                              const struct tw_span *span)
{
    enum tcpwhy_side knob = tw_cause_endpoint(span->cause, span->from);
    enum tcpwhy_side other = knob == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;
    struct tcpwhy_finding full = {
        .cause = span->cause,
        .party = span->party,
        .endpoint = *end_of(s, knob),
        .peer = *end_of(s, other),
    };
    struct key key = { 0, full.cause, full.party, full.endpoint, full.peer };
    struct tcpwhy_endpoint *client = knob == TCPWHY_CLIENT ? &key.endpoint : &key.peer;

    client->port = 0;
    key.hash = tw_hash_endpoint(&key.endpoint, g->seed + key.cause) ^
               tw_hash_endpoint(&key.peer, ~g->seed);

    struct group *group = g_hash_table_lookup(g->by_key, &key);

    if (!group) {
        group = g_new0(struct group, 1);
        group->key = key;
        group->finding = full;
        group->waits = g_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
        group->this_stream = UINT32_MAX;
        g_ptr_array_add(g->groups, group);
        g_hash_table_insert(g->by_key, &group->key, group);
    }
    if (group->finding.endpoint.port != full.endpoint.port)
        group->finding.endpoint.port = 0;
    if (group->finding.peer.port != full.peer.port)
        group->finding.peer.port = 0;
    return group;
}

static void add_frame(struct group *group, const struct tw_log *log, uint32_t record)
{
    if (record < log->n && group->n_frames < MAX_FRAMES &&
        (group->n_frames == 0 || group->frames[group->n_frames - 1] != log->record[record].frame))
        group->frames[group->n_frames++] = log->record[record].frame;
}

/* The longest single wait is the clearest: keep the frames at its ends and what ended it. */
static void keep_evidence(struct group *group, const struct tw_log *log, const struct tw_span *span)
{
    tcpwhy_ns ns = span->to_ns - span->from_ns;

    if (ns <= group->clearest_ns)
        return;
    group->clearest_ns = ns;
    group->n_frames = 0;
    add_frame(group, log, span->first_record);
    if (span->key_record > span->first_record && span->key_record < span->last_record)
        add_frame(group, log, span->key_record);
    add_frame(group, log, span->last_record);
}

static void add_span(struct group *group, const struct tcpwhy_stream *s, const struct tw_log *log,
                     const struct tw_span *span, tcpwhy_ns ns)
{
    struct tcpwhy_finding *f = &group->finding;

    if (group->this_stream != s->stream) {
        group->this_stream = s->stream;
        group->this_stream_ns = 0;
        f->streams++;
    }
    group->this_stream_ns += ns;
    if (group->this_stream_ns > group->worst_stream_ns) {
        group->worst_stream_ns = group->this_stream_ns;
        f->stream = s->stream;
    }
    f->cost_ns += ns;
    f->count += span->count;
    group->by_confidence[span->confidence] += ns;
    group->by_rival[span->rival] += ns;

    tcpwhy_ns each = ns / (span->count ? span->count : 1);

    g_array_append_val(group->waits, each);
    keep_evidence(group, log, span);
}

static void take_details(struct group *group, const struct tcpwhy_stream *s,
                         const struct tw_explanation *x)
{
    size_t n = 0;

    if (group->finding.stream != s->stream)
        return;
    g_free(group->details);
    group->details = g_new0(struct tcpwhy_detail, x->n_details + 1);
    for (uint32_t i = 0; i < x->n_details; i++)
        if (x->detail[i].cause == group->finding.cause)
            group->details[n++] = (struct tcpwhy_detail) { x->detail[i].name, x->detail[i].text,
                                                           x->detail[i].number };
    group->finding.n_details = n;
}

static bool nobody_waits(enum tcpwhy_cause cause)
{
    return cause == TCPWHY_CLIENT_IDLE || cause == TCPWHY_CLOSE || cause == TCPWHY_KEEP_ALIVE;
}

static void note_idle(struct tw_gathering *g, const struct tcpwhy_stream *s, tcpwhy_ns idle_ns)
{
    if (idle_ns == 0)
        return;
    g->idle_ns += idle_ns;
    if (g->idle_streams++ == 0)
        g->idle_client = s->client;
    else if (!same_address(&g->idle_client, &s->client))
        g->many_idle_clients = true;
    else if (g->idle_client.port != s->client.port)
        g->idle_client.port = 0;
}

void tw_gathering_add(struct tw_gathering *g, const struct tcpwhy_stream *s,
                      const struct tw_log *log, const struct tw_explanation *x)
{
    struct tw_thresholds thresholds = tw_thresholds_of(x);
    tcpwhy_ns idle_ns = 0;

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];
        tcpwhy_ns ns = span->to_ns - span->from_ns, material = tw_material_ns(span, &thresholds);

        if (!nobody_waits(span->cause))
            g->waited_ns += ns;
        else if (span->cause != TCPWHY_CLOSE)
            idle_ns += ns;
        if (material) {
            struct group *group = group_of(g, s, span);

            add_span(group, s, log, span, material);
            take_details(group, s, x);
        }
    }
    g->life_ns += s->duration_ns;
    note_idle(g, s, idle_ns);
}

/* How sure: as sure as most of the time is. */
static void settle_confidence(struct group *group)
{
    struct tcpwhy_finding *f = &group->finding;
    tcpwhy_ns *by = group->by_confidence;

    f->confidence = TCPWHY_AMBIGUOUS;
    if (by[TCPWHY_CERTAIN] * 2 >= f->cost_ns)
        f->confidence = TCPWHY_CERTAIN;
    else if ((by[TCPWHY_CERTAIN] + by[TCPWHY_LIKELY]) * 2 >= f->cost_ns)
        f->confidence = TCPWHY_LIKELY;
    if (f->confidence == TCPWHY_CERTAIN)
        return;
    for (int cause = 1; cause < TCPWHY_N_CAUSES; cause++)
        if (f->rival == TCPWHY_CAUSE_NONE || group->by_rival[cause] > group->by_rival[f->rival])
            f->rival = group->by_rival[cause] ? (enum tcpwhy_cause)cause : f->rival;
}

static void publish(struct group *group, struct tcpwhy_report *report)
{
    struct tcpwhy_finding *f = &group->finding;

    settle_confidence(group);
    f->median_ns = tw_percentiles(group->waits).p50_ns;
    uint32_t *frames = g_memdup2(group->frames, group->n_frames * sizeof *group->frames);

    f->frames = frames;
    f->n_frames = group->n_frames;
    g_ptr_array_add(report->blocks, frames);
    f->details = group->details;
    g_ptr_array_add(report->blocks, group->details);
    group->details = NULL;
    tw_advise(f, report->texts);
    g_array_append_val(report->findings, *f);
}

static int by_cost(const void *a, const void *b)
{
    const struct tcpwhy_finding *x = a, *y = b;

    if (x->cost_ns != y->cost_ns)
        return x->cost_ns < y->cost_ns ? 1 : -1;
    return x->cause != y->cause ? (int)x->cause - (int)y->cause
                                : (x->stream > y->stream) - (x->stream < y->stream);
}

/* Several findings of one cause at one host (many ports, many peers) speak with one voice. */
static struct tcpwhy_verdict verdict_of(const struct tcpwhy_report *report,
                                        const struct tcpwhy_finding *f)
{
    struct tcpwhy_verdict v = { .cause = f->cause,
                                .party = f->party,
                                .confidence = f->confidence,
                                .rival = f->rival,
                                .endpoint = f->endpoint };

    for (guint i = 0; i < report->findings->len; i++) {
        const struct tcpwhy_finding *o = &g_array_index(report->findings, struct tcpwhy_finding, i);

        if (o->cause != f->cause || o->party != f->party ||
            !same_address(&o->endpoint, &f->endpoint))
            continue;
        v.cost_ns += o->cost_ns;
        v.streams += o->streams;
        if (o->endpoint.port != v.endpoint.port)
            v.endpoint.port = 0;
    }
    return v;
}

static struct tcpwhy_verdict idle_verdict(const struct tw_gathering *g)
{
    struct tcpwhy_verdict v = { .cause = TCPWHY_CAUSE_NONE, .confidence = TCPWHY_CERTAIN };

    if (g->idle_ns * 2 <= g->life_ns || g->idle_ns < TCPWHY_S(1))
        return v;
    v.cause = TCPWHY_CLIENT_IDLE;
    v.party = TCPWHY_PARTY_CLIENT;
    v.cost_ns = g->idle_ns;
    v.share = (double)g->idle_ns / (double)g->life_ns;
    v.streams = g->idle_streams;
    if (!g->many_idle_clients)
        v.endpoint = g->idle_client;
    return v;
}

void tw_gathering_close(struct tw_gathering *g, struct tcpwhy_report *report)
{
    double waited = g->waited_ns > 0 ? (double)g->waited_ns : 1;

    for (guint i = 0; i < g->groups->len; i++) {
        struct group *group = g_ptr_array_index(g->groups, i);

        if (tw_is_material(group->finding.cause, group->finding.cost_ns, g->waited_ns))
            publish(group, report);
    }
    g_array_sort(report->findings, by_cost);
    report->verdict = idle_verdict(g);
    for (guint i = 0; i < report->findings->len; i++) {
        struct tcpwhy_verdict v =
            verdict_of(report, &g_array_index(report->findings, struct tcpwhy_finding, i));

        v.share = (double)v.cost_ns / waited;
        if (i == 0 || v.cost_ns > report->verdict.cost_ns)
            report->verdict = v;
    }
}

struct tcpwhy_verdict tw_stream_verdict(const struct tcpwhy_stream *stream,
                                        const struct tw_explanation *explanation)
{
    struct tcpwhy_report alone = { .findings =
                                       g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_finding)),
                                   .texts = g_string_chunk_new(256),
                                   .blocks = g_ptr_array_new_with_free_func(g_free) };
    struct tw_gathering *g = tw_gathering_new(1); /* one stream: nothing to flood it with */
    static const struct tw_log no_log;

    tw_gathering_add(g, stream, &no_log, explanation);
    tw_gathering_close(g, &alone);
    tw_gathering_free(g);
    g_array_free(alone.findings, TRUE);
    g_string_chunk_free(alone.texts);
    g_ptr_array_free(alone.blocks, TRUE);
    return alone.verdict;
}
