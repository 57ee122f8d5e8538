/* SPDX-License-Identifier: MIT */
#include "report/finding_accumulator.h"

#include "base/ns.h"
#include "report/advice.h"
#include "report/endpoints.h"
#include "report/ledger.h"
#include "report/examples.h"

static const struct tcpwhy_endpoint *end_of(const struct tcpwhy_stream *s, enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? &s->client : &s->server;
}

/* Whoever asks, it is the listener that does not answer. */
bool tw_finding_accumulator_is_setup(enum tcpwhy_cause cause)
{
    return cause == TCPWHY_CONNECT_RETRY || cause == TCPWHY_CONNECT_REFUSED;
}

void tw_finding_accumulator_describe(const struct tcpwhy_stream *s, const struct tw_span *span,
                                     struct tcpwhy_finding *key, struct tcpwhy_finding *full)
{
    enum tcpwhy_side knob = tw_cause_endpoint(span->cause, span->from);
    enum tcpwhy_side other = knob == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;

    *full = (struct tcpwhy_finding) {
        .cause = span->cause,
        .party = span->party,
        .endpoint = *end_of(s, knob),
        .peer = *end_of(s, other),
    };
    *key = *full;
    if (knob == TCPWHY_CLIENT)
        key->endpoint.port = 0;
    else
        key->peer.port = 0;
    if (tw_finding_accumulator_is_setup(span->cause))
        key->peer = (struct tcpwhy_endpoint) { 0 };
}

struct tw_finding_accumulator *tw_finding_accumulator_new(const struct tcpwhy_finding *key,
                                                          const struct tcpwhy_finding *full,
                                                          bool brief)
{
    struct tw_finding_accumulator *group = g_new0(struct tw_finding_accumulator, 1);

    group->key = *key;
    group->finding = *full;
    group->brief = brief;
    if (!brief) {
        tw_samples_init(&group->waits);
        group->details = g_array_new(FALSE, TRUE, sizeof(struct tcpwhy_detail));
    }
    group->this_stream = group->details_stream = UINT32_MAX;
    group->first_stream = UINT32_MAX;
    group->worst_stream_ns = -1;
    return group;
}

struct tw_finding_accumulator *
tw_finding_accumulator_copy(const struct tw_finding_accumulator *from)
{
    struct tw_finding_accumulator *group = g_memdup2(from, sizeof *from);

    tw_samples_copy(&group->waits, &from->waits);
    group->details = g_array_copy(from->details);
    if (from->kept)
        group->kept = g_array_copy(from->kept);
    return group;
}

void tw_finding_accumulator_free(gpointer data)
{
    struct tw_finding_accumulator *group = data;

    tw_samples_clear(&group->waits);
    if (group->details)
        g_array_free(group->details, TRUE);
    if (group->kept)
        g_array_free(group->kept, TRUE);
    g_free(group);
}

/* What the endpoints of many connections have in common. */
static void common_endpoint(struct tcpwhy_endpoint *so_far, const struct tcpwhy_endpoint *e)
{
    if (!tw_endpoint_same_host(so_far, e))
        *so_far = (struct tcpwhy_endpoint) { 0 };
    else if (so_far->port != e->port)
        so_far->port = 0;
}

static void note_first(struct tw_finding_accumulator *group,
                       const struct tw_finding_accumulator_wait *w)
{
    uint32_t stream = w->stream->stream;

    if (stream > group->first_stream ||
        (stream == group->first_stream && w->index >= group->first_span))
        return;
    group->first_stream = stream;
    group->first_span = w->index;
}

static void add_to_stream(struct tw_finding_accumulator *group,
                          const struct tw_finding_accumulator_wait *w, uint32_t keep)
{
    const struct tcpwhy_wait wait =
        group->brief ? (struct tcpwhy_wait) { .stream = w->stream->stream, .ns = w->ns }
                     : tw_gap_of(w->stream->stream, w->log, w->span);
    struct tcpwhy_finding *f = &group->finding;

    if (group->this_stream != wait.stream) {
        group->this_stream = wait.stream;
        group->this_stream_ns = 0;
        group->this_wait = (struct tcpwhy_wait) { .ns = -1 };
        f->streams += !w->told_before;
    }
    group->this_stream_ns += w->ns;
    if (wait.ns > group->this_wait.ns)
        group->this_wait = wait;
    tw_examples_keep(&group->kept, &wait, keep);
    if (group->this_stream_ns > group->worst_stream_ns ||
        (group->this_stream_ns == group->worst_stream_ns && wait.stream < f->stream)) {
        group->worst_stream_ns = group->this_stream_ns;
        group->worst_wait = group->this_wait;
        f->stream = wait.stream;
    }
}

void tw_finding_accumulator_add(struct tw_finding_accumulator *group,
                                const struct tcpwhy_finding *full,
                                const struct tw_finding_accumulator_wait *w, uint32_t keep)
{
    struct tcpwhy_finding *f = &group->finding;
    const struct tw_span *span = w->span;
    tcpwhy_ns each = w->ns / (span->count ? span->count : 1);

    common_endpoint(&f->endpoint, &full->endpoint);
    common_endpoint(&f->peer, &full->peer);
    note_first(group, w);
    add_to_stream(group, w, keep);
    f->cost_ns = tw_ns_add(f->cost_ns, w->ns);
    f->count += span->count;
    group->by_confidence[span->confidence] =
        tw_ns_add(group->by_confidence[span->confidence], w->ns);
    group->by_rival[span->rival] = tw_ns_add(group->by_rival[span->rival], w->ns);
    if (!group->brief)
        tw_samples_add(&group->waits, &each, 1);
}

void tw_finding_accumulator_take_details(struct tw_finding_accumulator *group,
                                         const struct tw_finding_accumulator_wait *w,
                                         const struct tw_weight *weight)
{
    uint32_t stream = w->stream->stream;

    if (group->brief || group->finding.stream != stream || group->details_stream == stream)
        return;
    group->details_stream = stream;
    g_array_set_size(group->details, 0);
    for (uint32_t i = 0; i < weight->n_details; i++) {
        const struct tw_detail *of = &weight->detail[i];
        const struct tcpwhy_detail d = { of->name, of->text, of->number };

        if (of->cause == w->span->cause && of->from == w->span->from)
            g_array_append_val(group->details, d);
    }
}

void tw_finding_accumulator_merge(struct tw_finding_accumulator *into,
                                  struct tw_finding_accumulator *from, uint32_t keep)
{
    struct tcpwhy_finding *f = &into->finding;

    common_endpoint(&f->endpoint, &from->finding.endpoint);
    common_endpoint(&f->peer, &from->finding.peer);
    if (from->worst_stream_ns > into->worst_stream_ns) {
        into->worst_stream_ns = from->worst_stream_ns;
        into->worst_wait = from->worst_wait;
        f->stream = from->finding.stream;
        g_array_set_size(into->details, 0);
        g_array_append_vals(into->details, from->details->data, from->details->len);
    }
    f->streams += from->finding.streams;
    f->cost_ns = tw_ns_add(f->cost_ns, from->finding.cost_ns);
    f->count += from->finding.count;
    for (int i = 0; i < 3; i++)
        into->by_confidence[i] = tw_ns_add(into->by_confidence[i], from->by_confidence[i]);
    for (int i = 0; i < TCPWHY_N_CAUSES; i++)
        into->by_rival[i] = tw_ns_add(into->by_rival[i], from->by_rival[i]);
    tw_samples_merge(&into->waits, &from->waits);
    for (guint i = 0; from->kept && i < from->kept->len; i++)
        tw_examples_keep(&into->kept, &g_array_index(from->kept, struct tcpwhy_wait, i), keep);
    from->merged = true;
}

/* How sure: as sure as most of the time is. */
static void settle_confidence(struct tw_finding_accumulator *group)
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

/* So many times the median the longest one is another story. By judgement. */
#define FAR_LONGER 10

/* How long the waits were. */
static void measure(struct tw_finding_accumulator *group)
{
    const struct tcpwhy_percentiles waits = tw_samples_percentiles(&group->waits);
    const struct tcpwhy_detail longest = { .name = TW_LONGEST_MS,
                                           .number = (double)waits.max_ns / 1e6 };

    group->finding.median_ns = waits.p50_ns;
    if (waits.count > 0 && waits.max_ns / FAR_LONGER > waits.p50_ns)
        g_array_append_val(group->details, longest);
}

/* What a reader wants to know beyond cause and cost. */
static void elaborate(struct tw_finding_accumulator *group, struct tcpwhy_report *report)
{
    struct tcpwhy_finding *f = &group->finding;
    const struct tcpwhy_wait *w = &group->worst_wait;
    uint32_t *frames = g_memdup2(w->frames, w->n_frames * sizeof *w->frames);
    gpointer details;

    measure(group);
    f->frames = frames;
    f->n_frames = w->n_frames;
    f->n_details = group->details->len;
    details = g_array_free(group->details, FALSE);
    group->details = NULL;
    f->details = details;
    g_ptr_array_add(report->blocks, frames);
    g_ptr_array_add(report->blocks, details);
    if (group->kept) {
        f->n_waits = group->kept->len;
        f->waits = tw_examples_finish(&group->kept, w);
        g_ptr_array_add(report->blocks, (gpointer)(uintptr_t)f->waits);
    }
    tw_advise(f, report->texts);
}

void tw_finding_accumulator_publish(struct tw_finding_accumulator *group,
                                    struct tcpwhy_report *report)
{
    settle_confidence(group);
    if (report->texts)
        elaborate(group, report);
    g_array_append_val(report->findings, group->finding);
}
