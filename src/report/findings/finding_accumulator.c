/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/text.h"
#include "base/counts.h"
#include "report/findings/finding_accumulator.h"

#include "base/ns.h"
#include "report/findings/advice.h"
#include "report/endpoints.h"
#include "report/rows/ledger.h"
#include "report/findings/examples.h"
#include "report/findings/one_at_a_time.h"
#include "report/findings/relayed.h"

static const struct tcpwhy_endpoint *end_of(const struct tw_stream_row *s, enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? &s->client : &s->server;
}

/* Whoever asks, it is the listener that does not answer. */
bool tw_finding_accumulator_is_setup(enum tcpwhy_cause cause)
{
    return cause == TCPWHY_CONNECT_RETRY || cause == TCPWHY_CONNECT_REFUSED;
}

void tw_finding_accumulator_describe(const struct tw_stream_row *s, const struct tw_span *span,
                                     struct tw_finding_row *key, struct tw_finding_row *full)
{
    enum tcpwhy_side fixer = tw_cause_endpoint(span->cause, span->from);
    enum tcpwhy_side other = fixer == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;

    *full = (struct tw_finding_row) {
        .cause = span->cause,
        .party = span->party,
        .endpoint = *end_of(s, fixer),
        .peer = *end_of(s, other),
    };
    *key = *full;
    if (fixer == TCPWHY_CLIENT)
        key->endpoint.port = 0;
    else
        key->peer.port = 0;
    if (tw_finding_accumulator_is_setup(span->cause))
        key->peer = (struct tcpwhy_endpoint) { 0 };
}

struct tw_finding_accumulator *tw_finding_accumulator_new(const struct tw_finding_row *key,
                                                          const struct tw_finding_row *full,
                                                          bool brief)
{
    struct tw_finding_accumulator *accumulator = tw_new0(struct tw_finding_accumulator, 1);

    accumulator->key = *key;
    accumulator->finding = *full;
    accumulator->brief = brief;
    if (!brief) {
        tw_samples_init(&accumulator->waits);
        accumulator->details = tw_array_new(FALSE, TRUE, sizeof(struct tcpwhy_detail));
    }
    accumulator->this_stream = accumulator->details_stream = UINT32_MAX;
    accumulator->first_stream = UINT32_MAX;
    accumulator->worst_stream_ns = -1;
    return accumulator;
}

struct tw_finding_accumulator *
tw_finding_accumulator_copy(const struct tw_finding_accumulator *from)
{
    struct tw_finding_accumulator *accumulator = tw_memdup2(from, sizeof *from);

    tw_samples_copy(&accumulator->waits, &from->waits);
    accumulator->details = tw_array_copy(from->details);
    if (from->top)
        accumulator->top = tw_array_copy(from->top);
    accumulator->repeated = tw_strdup(from->repeated);
    return accumulator;
}

void tw_finding_accumulator_free(gpointer data)
{
    struct tw_finding_accumulator *accumulator = data;

    tw_samples_clear(&accumulator->waits);
    if (accumulator->details)
        tw_array_free(accumulator->details, TRUE);
    if (accumulator->top)
        tw_array_free(accumulator->top, TRUE);
    tw_free(accumulator->repeated);
    tw_free(accumulator);
}

/* The common part of the endpoints of many connections. */
static void common_endpoint(struct tcpwhy_endpoint *so_far, const struct tcpwhy_endpoint *e)
{
    if (!tw_endpoint_same_host(so_far, e))
        *so_far = (struct tcpwhy_endpoint) { 0 };
    else if (so_far->port != e->port)
        so_far->port = 0;
}

static void note_first(struct tw_finding_accumulator *accumulator,
                       const struct tw_finding_accumulator_wait *w)
{
    uint32_t stream = w->stream->stream;

    if (stream > accumulator->first_stream ||
        (stream == accumulator->first_stream && w->index >= accumulator->first_span))
        return;
    accumulator->first_stream = stream;
    accumulator->first_span = w->index;
}

static void add_to_stream(struct tw_finding_accumulator *accumulator,
                          const struct tw_finding_accumulator_wait *w, uint32_t keep)
{
    const struct tcpwhy_wait wait =
        accumulator->brief ? (struct tcpwhy_wait) { .stream = w->stream->stream, .ns = w->ns }
                           : tw_gap_of(w->stream->stream, w->log, w->span);
    struct tw_finding_row *f = &accumulator->finding;

    if (accumulator->this_stream != wait.stream) {
        accumulator->this_stream = wait.stream;
        accumulator->this_stream_ns = 0;
        accumulator->this_wait = (struct tcpwhy_wait) { .ns = -1 };
        f->streams += !w->told_before;
    }
    accumulator->this_stream_ns += w->ns;
    if (wait.ns > accumulator->this_wait.ns)
        accumulator->this_wait = wait;
    tw_examples_keep(&accumulator->top, &wait, keep);
    if (accumulator->this_stream_ns > accumulator->worst_stream_ns ||
        (accumulator->this_stream_ns == accumulator->worst_stream_ns && wait.stream < f->stream)) {
        accumulator->worst_stream_ns = accumulator->this_stream_ns;
        accumulator->worst_wait = accumulator->this_wait;
        f->stream = wait.stream;
    }
}

void tw_finding_accumulator_add(struct tw_finding_accumulator *accumulator,
                                const struct tw_finding_row *full,
                                const struct tw_finding_accumulator_wait *w, uint32_t keep)
{
    struct tw_finding_row *f = &accumulator->finding;
    const struct tw_span *span = w->span;
    tcpwhy_ns each = w->ns / (span->count ? span->count : 1);

    common_endpoint(&f->endpoint, &full->endpoint);
    common_endpoint(&f->peer, &full->peer);
    note_first(accumulator, w);
    add_to_stream(accumulator, w, keep);
    f->cost_ns = tw_ns_add(f->cost_ns, w->ns);
    f->count += span->count;
    accumulator->by_confidence[span->confidence] =
        tw_ns_add(accumulator->by_confidence[span->confidence], w->ns);
    accumulator->by_rival[span->rival] = tw_ns_add(accumulator->by_rival[span->rival], w->ns);
    if (accumulator->brief)
        return;
    tw_samples_add(&accumulator->waits, &each, 1);
    if (f->cause == TCPWHY_SERVER_THINK)
        tw_syn_timer_add(&accumulator->timers, each);
    if (f->cause == TCPWHY_BANDWIDTH_LIMITED)
        tw_carried_add(&accumulator->carried, w->stream->stream, w->log, span);
}

static void take_repeated(struct tw_finding_accumulator *accumulator,
                          const struct tw_repeated_request *repeated)
{
    const struct tcpwhy_detail times = { .name = "repeated_times", .number = repeated->times };

    tw_free(accumulator->repeated);
    accumulator->repeated = tw_strdup(repeated->name);
    if (repeated->name)
        tw_array_append_val(accumulator->details, times);
}

void tw_finding_accumulator_take_details(struct tw_finding_accumulator *accumulator,
                                         const struct tw_finding_accumulator_wait *w,
                                         const struct tw_weight *weight)
{
    uint32_t stream = w->stream->stream;

    if (accumulator->brief || accumulator->finding.stream != stream ||
        accumulator->details_stream == stream)
        return;
    accumulator->details_stream = stream;
    tw_array_set_size(accumulator->details, 0);
    for (uint32_t i = 0; i < weight->n_details; i++) {
        const struct tw_detail *of = &weight->detail[i];
        const struct tcpwhy_detail d = { of->name, of->text, of->number };

        if (of->cause == w->span->cause && of->from == w->span->from)
            tw_array_append_val(accumulator->details, d);
    }
    if (w->span->cause == TCPWHY_ROUND_TRIPS)
        take_repeated(accumulator, &weight->repeated);
}

void tw_finding_accumulator_merge(struct tw_finding_accumulator *into,
                                  struct tw_finding_accumulator *from, uint32_t keep)
{
    struct tw_finding_row *f = &into->finding;

    common_endpoint(&f->endpoint, &from->finding.endpoint);
    common_endpoint(&f->peer, &from->finding.peer);
    if (from->worst_stream_ns > into->worst_stream_ns) {
        into->worst_stream_ns = from->worst_stream_ns;
        into->worst_wait = from->worst_wait;
        f->stream = from->finding.stream;
        tw_array_set_size(into->details, 0);
        tw_array_append_vals(into->details, from->details->data, from->details->len);
        tw_free(into->repeated);
        into->repeated = g_steal_pointer(&from->repeated);
    }
    f->streams += from->finding.streams;
    f->cost_ns = tw_ns_add(f->cost_ns, from->finding.cost_ns);
    f->count += from->finding.count;
    for (int i = 0; i < 3; i++)
        into->by_confidence[i] = tw_ns_add(into->by_confidence[i], from->by_confidence[i]);
    for (int i = 0; i < TW_N_CAUSES; i++)
        into->by_rival[i] = tw_ns_add(into->by_rival[i], from->by_rival[i]);
    tw_samples_merge(&into->waits, &from->waits);
    tw_syn_timer_merge(&into->timers, &from->timers);
    tw_carried_merge(&into->carried, &from->carried);
    for (guint i = 0; from->top && i < from->top->len; i++)
        tw_examples_keep(&into->top, &tw_array_index(from->top, struct tcpwhy_wait, i), keep);
    from->merged = true;
}

static const struct tcpwhy_detail *detail_named(const tw_array *details, const char *name)
{
    for (guint i = 0; details && i < details->len; i++)
        if (strcmp(tw_array_index(details, struct tcpwhy_detail, i).name, name) == 0)
            return &tw_array_index(details, struct tcpwhy_detail, i);
    return NULL;
}

/* The words of full accept queues, and the numbers in them. */
#define QUEUE_DETAILS 4
static const char *const of_queues[QUEUE_DETAILS] = { "kind", "syns", "unanswered_syns",
                                                      "accept_overflows" };

/* Where the accept queues of both are full, that and their counts together. @return how many. */
static size_t add_up_queues(const tw_array *a, const tw_array *b, struct tcpwhy_detail *out)
{
    const char *full = tcpwhy_silence_name(TCPWHY_SILENCE_BACKLOG);

    for (size_t i = 0; i < QUEUE_DETAILS; i++) {
        const struct tcpwhy_detail *x = detail_named(a, of_queues[i]);
        const struct tcpwhy_detail *y = detail_named(b, of_queues[i]);

        if (!x || !y)
            return 0;
        if (x->text && (!y->text || strcmp(x->text, full) != 0 || strcmp(y->text, full) != 0))
            return 0;
        out[i] = (struct tcpwhy_detail) { x->name, x->text, x->number + y->number };
    }
    return QUEUE_DETAILS;
}

void tw_finding_accumulator_stand_for(struct tw_finding_accumulator *into,
                                      struct tw_finding_accumulator *from, uint32_t keep)
{
    struct tcpwhy_detail both[QUEUE_DETAILS];
    size_t n = add_up_queues(into->details, from->details, both);

    tw_finding_accumulator_merge(into, from, keep);
    into->endpoints = MAX(into->endpoints, 1) + 1;
    if (!into->details)
        return;
    tw_array_set_size(into->details, 0);
    tw_array_append_vals(into->details, both, (guint)n);
}

/* The words of a kind that says more. */
static void drop_kind(tw_array *details)
{
    for (guint i = 0; i < details->len; i++) {
        struct tcpwhy_detail *d = &tw_array_index(details, struct tcpwhy_detail, i);

        if (strcmp(d->name, "kind") != 0)
            continue;
        *d = tw_array_index(details, struct tcpwhy_detail, details->len - 1);
        tw_array_set_size(details, details->len - 1);
        return;
    }
}

void tw_finding_accumulator_relay(struct tw_finding_accumulator *accumulator,
                                  const struct tw_relayed *relayed, tw_string_chunk *texts)
{
    const struct tcpwhy_percentiles waits = tw_samples_percentiles(&accumulator->waits);
    const struct tw_finding_row *f = &accumulator->finding;
    double of_ms = (double)(f->count > 1 ? waits.p50_ns : f->cost_ns) / 1e6;
    char text[TCPWHY_ENDPOINT_TEXT];
    const struct tcpwhy_detail details[] = {
        { .name = "kind", .text = relayed->name ? tw_kind_looks_up : tw_kind_relayed },
        { .name = "waited_for",
          .text = tw_string_chunk_insert(texts, tcpwhy_endpoint_format(&relayed->behind, text)) },
        { .name = "of_ms", .number = of_ms },
        { .name = "waited_for_ms", .number = of_ms * relayed->share },
        { .name = "name",
          .text = tw_string_chunk_insert(texts, relayed->name ? relayed->name : "") },
    };

    drop_kind(accumulator->details);
    tw_array_append_vals(accumulator->details, details,
                         G_N_ELEMENTS(details) - (relayed->name == NULL));
}

void tw_finding_accumulator_queue(struct tw_finding_accumulator *accumulator,
                                  const struct tw_queued *queued)
{
    const struct tcpwhy_detail details[] = {
        { .name = "kind", .text = tw_kind_queued },
        { .name = "queued", .number = queued->waited },
        { .name = "served", .number = queued->n },
        { .name = "service_ms", .number = (double)queued->service_ns / 1e6 },
    };

    drop_kind(accumulator->details);
    tw_array_append_vals(accumulator->details, details, G_N_ELEMENTS(details));
}

/* A finding is as certain as at least half of its time. */
static void settle_confidence(struct tw_finding_accumulator *accumulator)
{
    struct tw_finding_row *f = &accumulator->finding;
    tcpwhy_ns *by = accumulator->by_confidence;

    f->confidence = TCPWHY_AMBIGUOUS;
    if (by[TCPWHY_CERTAIN] * 2 >= f->cost_ns)
        f->confidence = TCPWHY_CERTAIN;
    else if ((by[TCPWHY_CERTAIN] + by[TCPWHY_LIKELY]) * 2 >= f->cost_ns)
        f->confidence = TCPWHY_LIKELY;
    if (f->confidence == TCPWHY_CERTAIN)
        return;
    for (int cause = 1; cause < TW_N_CAUSES; cause++)
        if (f->rival == TCPWHY_CAUSE_NONE ||
            accumulator->by_rival[cause] > accumulator->by_rival[f->rival])
            f->rival = accumulator->by_rival[cause] ? (enum tcpwhy_cause)cause : f->rival;
}

/* Beyond this multiple of the median the longest one is another story. By judgement. */
#define FAR_LONGER 10

/* Median and longest wait. */
static void measure(struct tw_finding_accumulator *accumulator)
{
    const struct tcpwhy_percentiles waits = tw_samples_percentiles(&accumulator->waits);
    const struct tcpwhy_detail longest = { .name = TW_LONGEST_MS,
                                           .number = (double)waits.max_ns / 1e6 };

    accumulator->finding.median_ns = waits.p50_ns;
    if (waits.count > 0 && waits.max_ns / FAR_LONGER > waits.p50_ns)
        tw_array_append_val(accumulator->details, longest);
}

/* Add the number of endpoints. */
static void count_endpoints(struct tw_finding_accumulator *accumulator)
{
    const struct tcpwhy_detail d = { .name = TW_ENDPOINTS, .number = accumulator->endpoints };

    const struct tcpwhy_detail full = { .name = "full_queues", .number = accumulator->endpoints };

    /* If several hosts have full queues, the finding names their number instead of an endpoint. */
    if (accumulator->finding.endpoint.version &&
        detail_named(accumulator->details, of_queues[QUEUE_DETAILS - 1]))
        tw_array_append_val(accumulator->details, full);
    tw_array_append_val(accumulator->details, d);
}

/* A server whose own connections wait for answers to their SYNs. */
static void tell_behind(struct tw_finding_accumulator *accumulator, tw_string_chunk *texts)
{
    const struct tcpwhy_detail kind = { .name = "kind", .text = tw_kind_syn_timer };
    const struct tcpwhy_detail waits = { .name = "syn_timer_waits",
                                         .number = (double)accumulator->timers.at_timer };
    const struct tcpwhy_detail lost = { .name = "behind_ms",
                                        .number = (double)accumulator->behind_ns / 1e6 };
    struct tcpwhy_detail behind = { .name = "behind" };
    char text[TCPWHY_ENDPOINT_TEXT];

    if (!tw_syn_timer_is(&accumulator->timers))
        return;
    tw_array_append_val(accumulator->details, kind);
    tw_array_append_val(accumulator->details, waits);
    if (!accumulator->behind.version)
        return;
    behind.text = tw_string_chunk_insert(texts, tcpwhy_endpoint_format(&accumulator->behind, text));
    tw_array_append_val(accumulator->details, behind);
    tw_array_append_val(accumulator->details, lost);
}

/* The text lives on in the report. */
static void tell_repeated(struct tw_finding_accumulator *accumulator, tw_string_chunk *texts)
{
    struct tcpwhy_detail d = { .name = "repeated_request" };

    if (!accumulator->repeated)
        return;
    d.text = tw_string_chunk_insert(texts, accumulator->repeated);
    tw_array_append_val(accumulator->details, d);
}

/* More than the costliest stream had for itself passed where it shared the path with others. */
static void tell_together(struct tw_finding_accumulator *accumulator)
{
    double rate = tw_carried_rate(&accumulator->carried);
    const struct tcpwhy_detail together = { .name = "together_bytes_per_s", .number = rate };

    for (guint i = 0; rate > 0 && i < accumulator->details->len; i++) {
        const struct tcpwhy_detail *d =
            &tw_array_index(accumulator->details, struct tcpwhy_detail, i);

        if (strcmp(d->name, "rate_bytes_per_s") == 0 && rate > d->number) {
            tw_array_append_val(accumulator->details, together);
            return;
        }
    }
}

/* Add what a reader wants to know beyond cause and cost. */
static void elaborate(struct tw_finding_accumulator *accumulator, struct tcpwhy_report *report)
{
    struct tw_finding_row *f = &accumulator->finding;
    const struct tcpwhy_wait *w = &accumulator->worst_wait;
    uint32_t *frames = tw_memdup2(w->frames, w->n_frames * sizeof *w->frames);
    gpointer details;

    if (accumulator->endpoints > 1) {
        count_endpoints(accumulator);
    } else {
        tell_behind(accumulator, report->texts);
        tell_repeated(accumulator, report->texts);
        tell_together(accumulator);
    }
    measure(accumulator);
    f->frames = frames;
    f->n_frames = w->n_frames;
    f->n_details = accumulator->details->len;
    details = tw_array_free(accumulator->details, FALSE);
    accumulator->details = NULL;
    f->details = details;
    tw_ptr_array_add(report->blocks, frames);
    tw_ptr_array_add(report->blocks, details);
    if (accumulator->top) {
        f->n_waits = accumulator->top->len;
        f->waits = tw_examples_finish(&accumulator->top, w);
        tw_ptr_array_add(report->blocks, (gpointer)(uintptr_t)f->waits);
    }
}

void tw_finding_accumulator_publish(struct tw_finding_accumulator *accumulator,
                                    struct tcpwhy_report *report)
{
    settle_confidence(accumulator);
    if (report->texts)
        elaborate(accumulator, report);
    tw_array_append_val(report->findings, accumulator->finding);
}
