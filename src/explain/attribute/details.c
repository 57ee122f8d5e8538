/* SPDX-License-Identifier: MIT */
#include "base/counts.h"
#include "explain/attribute/details.h"

#include <string.h>

#include <glib.h>

#include "app/event_stream.h"
#include "app/greeting.h"
#include "base/select.h"
#include "explain/attribute/detail_kinds.h"
#include "explain/attribute/inflight_limits.h"
#include "explain/attribute/cause_totals.h"
#include "explain/path/local_qdisc.h"
#include "explain/path/policer.h"
#include "explain/attribute/pmtu_sizes.h"
#include "explain/attribute/what_if.h"
#include "explain/model/delack_fingerprint.h"
#include "explain/loss/loss_pattern.h"
#include "explain/loss/offload_loss.h"
#include "explain/thresholds.h"

static int64_t queue_of(const struct tw_round *r)
{
    return r->queue_ns;
}

static int64_t is_spread(const struct tw_round *r)
{
    return r->queue.spread;
}

static void delayed(const struct tw_cause_total *c)
{
    const struct tw_explanation *x = c->out;
    tcpwhy_ns *delays = tw_scratch_get(c->context->scratch, x->n_spans, sizeof *delays);
    uint32_t n = 0;
    tcpwhy_ns median_ns;

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];

        if (span->cause == c->cause && span->from == c->from)
            delays[n++] = tw_ack_delay(c->context, c->from, span->key_record);
    }
    median_ns = tw_select_ns(delays, n, n / 2);
    tw_scratch_return(c->context->scratch, delays);
    tw_cause_total_add_number(c, "ack_delay_ms", (double)median_ns / 1e6);
    tw_cause_total_add_word(
        c, "stack",
        tw_delack_fingerprint(c->context->connection->side[tw_other(c->from)].ttl, median_ns));
    tw_what_if(c);
}

/* Most of it went into repeats to which nothing at all came back: the other side may be gone. */
static bool is_unanswered(const struct tw_cause_total *c)
{
    const struct tw_recovery *r = &c->context->recovery[c->from];
    const struct tw_log *log = c->context->log;
    const struct tw_recovery_episode *last = r->n ? &r->episode[r->n - 1] : NULL;

    if (!last || last->repeats < 2 || 2 * (last->to_ns - last->from_ns) < c->cost_ns)
        return false;
    for (uint32_t i = last->repair_record; i < log->n; i++)
        if (log->record[i].from != c->from)
            return false;
    return true;
}

/* Was none of its repeats needed? Then nothing was lost but time. */
static bool had_arrived(const struct tw_recovery *r)
{
    uint32_t repairs = 0;

    for (int i = 0; i < TW_N_RECOVERY_KINDS; i++)
        repairs += r->repairs[i];
    return r->spurious > 0 && r->spurious == repairs;
}

/* @return false: no policer shows. */
static bool policed(const struct tw_cause_total *c)
{
    const struct tw_context *x = c->context;
    double rate = tw_policer_rate(&x->sends[c->from], &x->recovery[c->from], &x->rounds[c->from],
                                  &x->vantage, x->scratch);

    if (rate <= 0)
        return false;
    tw_cause_total_add_word(c, "kind", tw_kind_policer);
    tw_cause_total_add_number(c, "rate_bytes_per_s", rate);
    return true;
}

/* The size of this side's packets, without extension headers: a full segment. */
static uint32_t full_packet_bytes(const struct tw_context *x, enum tcpwhy_side from)
{
    const struct tw_connection *c = x->connection;
    unsigned both = c->side[0].syn_options & c->side[1].syn_options;

    return x->sends[from].mss_bytes + (c->tuple.version == 6 ? 60 : 40) +
           (both & TW_OPT_TIMESTAMP ? 12 : 0);
}

/* @return false unless all routers that call this side's packets too long name an MTU that they
 * fit. */
static bool merged(const struct tw_cause_total *c)
{
    const struct tw_log *log = c->context->log;
    uint32_t mtu = 0;

    for (uint32_t i = 0; i < log->n_icmp; i++) {
        if (log->icmp[i].kind != TW_ICMP_TOO_BIG || log->icmp[i].to != c->from)
            continue;
        mtu = log->icmp[i].mtu;
        if (mtu < full_packet_bytes(c->context, c->from))
            return false;
    }
    if (mtu == 0)
        return false;
    tw_cause_total_add_word(c, "kind", tw_kind_merged);
    tw_cause_total_add_number(c, "mtu", mtu);
    return true;
}

/* @return false unless frames of several segments are lost, and single ones are not. */
static bool offloaded(const struct tw_cause_total *c)
{
    uint32_t frames = tw_offload_losses(&c->context->sends[c->from]);

    if (frames == 0)
        return false;
    tw_cause_total_add_word(c, "kind", tw_kind_offload);
    tw_cause_total_add_number(c, "offloaded_frames", frames);
    return true;
}

/* Segments of the other side, of which none was lost, if at this side's rate that is no chance:
 * once in a hundred times (exp(-4.6)). 0: some were, or too few were sent. */
static uint32_t spared(const struct tw_cause_total *c, const struct tw_loss_pattern *p)
{
    enum tcpwhy_side other = tw_other(c->from);
    uint32_t n = c->context->sends[other].n;
    bool chance = (double)n * p->lost < 4.6 * p->segments;

    return p->lost < TW_MANY || chance || c->context->recovery[other].n > 0 ? 0 : n;
}

/* The order in which segments were lost, where one shows, and the direction. */
static void ordered(const struct tw_cause_total *c)
{
    static const char *const orders[] = {
        [TW_LOSS_AT_RANDOM] = "at random",
        [TW_LOSS_IN_BURSTS] = "in bursts",
        [TW_LOSS_BEHIND_BURST] = "at the end of bursts (a short queue)",
        [TW_LOSS_REGULAR] = "at regular intervals",
    };
    const struct tw_loss_pattern p = tw_loss_pattern_find(
        &c->context->sends[c->from], tw_min_rtt_ns(&c->context->vantage), c->context->scratch);
    const uint32_t others = spared(c, &p);

    if (others > 0)
        tw_cause_total_add_number(c, "spared_segments", others);
    if (p.order == TW_LOSS_NO_ORDER)
        return;
    tw_cause_total_add_word(c, "loss_pattern", orders[p.order]);
    tw_cause_total_add_number(c, "segments_sent", p.segments);
    tw_cause_total_add_number(c, "segments_lost", p.lost);
    tw_cause_total_add_number(c, "loss_groups", p.groups);
    if (p.order == TW_LOSS_REGULAR)
        tw_cause_total_add_number(c, "loss_every_ms", (double)p.every_ns / 1e6);
}

static void loss(const struct tw_cause_total *c)
{
    const struct tw_recovery *r = &c->context->recovery[c->from];

    if (c->context->vantage.both_ends)
        tw_cause_total_add_word(c, "kind", tw_kind_one_host);
    else if (is_unanswered(c))
        tw_cause_total_add_word(c, "kind", tw_kind_unanswered);
    else if (had_arrived(r))
        tw_cause_total_add_word(c, "kind", tw_kind_arrived);
    else if (!merged(c) && !offloaded(c) && !policed(c)) {
        tw_what_if(c);
        ordered(c);
    }
    tw_cause_total_add_number(c, "fast_retransmissions", r->repairs[TW_RECOVERY_FAST]);
    tw_cause_total_add_number(c, "tail_loss_probes", r->repairs[TW_RECOVERY_PROBE]);
    tw_cause_total_add_number(c, "timeouts", r->repairs[TW_RECOVERY_RTO]);
    tw_cause_total_add_number(c, "after_timeouts", r->repairs[TW_RECOVERY_AFTER]);
    tw_cause_total_add_number(c, "spurious_retransmissions", r->spurious);
    tw_cause_total_add_number(c, "episodes", r->n);
    if (r->n)
        tw_cause_total_add_number(c, "ms_per_episode", (double)c->cost_ns / 1e6 / r->n);
}

static void small_window(const struct tw_cause_total *c)
{
    if (c->context->recovery[c->from].n == 0 && c->context->recovery[c->from].spurious == 0)
        tw_cause_total_add_word(c, "kind", tw_kind_marked);
    else if (policed(c))
        return;
    else
        ordered(c);
    tw_inflight_limit_report(c);
}

static void round_trip(const struct tw_cause_total *c)
{
    if (c->context->vantage.rtt_min_ns != TCPWHY_NS_UNKNOWN)
        tw_cause_total_add_number(c, "rtt_us", (double)c->context->vantage.rtt_min_ns / 1e3);
}

/* Waits for a link that others filled are those that may have been somebody's instead. */
static bool is_others(const struct tw_cause_total *c)
{
    return tw_cause_total_may_be(c, TW_CAUSE(TCPWHY_SERVER_THINK) | TW_CAUSE(TCPWHY_CLIENT_THINK) |
                                        TW_CAUSE(TCPWHY_CLIENT_IDLE) |
                                        TW_CAUSE(TCPWHY_APP_LIMITED));
}

static void pace(const struct tw_cause_total *c)
{
    tw_cause_total_add_number(c, "rate_bytes_per_s",
                              (double)tw_cause_total_bytes(c) * 1e9 / (double)c->cost_ns);
}

/* The rate of the sender's own queueing discipline, and the median time that a segment spent in
 * it. */
static void full_host(const struct tw_cause_total *c)
{
    tcpwhy_ns queued_ns =
        tw_local_qdisc_median_ns(&c->context->sends[c->from], c->context->scratch);

    tw_cause_total_add_word(c, "kind", tw_kind_own);
    tw_cause_total_add_number(c, "rate_bytes_per_s",
                              (double)tw_cause_total_bytes(c) * 1e9 / (double)c->cost_ns);
    tw_cause_total_add_number(c, "queue_us", (double)queued_ns / 1e3);
}

/* A pace that the path let pass leaves no queue. */
static int64_t is_at_capacity(const struct tw_round *r)
{
    return r->flat.at_capacity;
}

static void full_path(const struct tw_cause_total *c)
{
    bool others = is_others(c);

    if (c->context->local_qdisc[c->from]) {
        full_host(c);
        return;
    }
    if (others && c->context->link_rate_known[c->from]) {
        tw_cause_total_add_word(c, "kind", tw_kind_shared);
        tw_cause_total_add_number(c, "rate_bytes_per_s", c->context->log->inflow_rate[!c->from]);
        return;
    }
    if (others && c->context->rounds[c->from].n == 0) {
        tw_cause_total_add_word(c, "kind", tw_kind_behind);
        round_trip(c);
        return;
    }
    if (c->context->rounds[c->from].capacity <= 0) {
        if (!tw_cause_total_round_median(c, is_at_capacity))
            tw_cause_total_add_word(c, "kind", tw_kind_late);
        round_trip(c);
        return;
    }
    tw_cause_total_add_number(c, "rate_bytes_per_s", c->context->rounds[c->from].capacity);
    round_trip(c);
    if (tw_cause_total_round_median(c, is_spread))
        tw_cause_total_add_word(c, "kind", tw_kind_spread);
    else
        tw_cause_total_add_number(c, "queue_us",
                                  (double)tw_cause_total_round_median(c, queue_of) / 1e3);
}

/* The flight of the first round in which the cause was waited for. */
static int64_t first_flight(const struct tw_cause_total *c)
{
    const struct tw_rounds *rounds = &c->context->rounds[c->from];
    const struct tw_span *span = c->out->span;
    uint32_t i = 0;

    while (span->cause != c->cause || span->from != c->from)
        span++;
    while (i + 1 < rounds->n &&
           c->context->sends[c->from].send[rounds->round[i].last].record < span->first_record)
        i++;
    return rounds->round[i].flight_bytes;
}

static void growth(const struct tw_cause_total *c)
{
    const struct tw_sender_timeline *sends = &c->context->sends[c->from];

    round_trip(c);
    tw_cause_total_add_number(c, "first_flight_bytes", (double)first_flight(c));
    if (tw_first_window(sends) > 0)
        tw_cause_total_add_number(c, "first_window_bytes", (double)tw_first_window(sends));
    tw_what_if(c);
}

/* Does the gap end with the server's first data, or without any, and does the server speak first?
 */
static bool is_greeting(const struct tw_context *context, const struct tw_span *span)
{
    const struct tw_exchanges *all = context->exchanges;
    const struct tw_exchange *first = all->n > 0 ? all->exchange : NULL;
    uint16_t port = tw_tuple_endpoint(&context->connection->tuple, TCPWHY_SERVER).port;

    if (!context->connection->side[TCPWHY_CLIENT].syn ||
        (first && first->response_first < span->last_record))
        return false;
    return tw_greeting_is_due(port) ||
           (first && first->request_first == TW_NO_RECORD && strcmp(first->protocol, "turn") != 0);
}

/* A wait for a greeting, for events of a stream, for an answer with the status of a gateway's
 * timeout; NULL: for another one. */
static const char *awaited(const struct tw_cause_total *c, const struct tw_span *span,
                           const struct tw_exchange *e)
{
    if (is_greeting(c->context, span))
        return tw_kind_greeting;
    if (!e || e->response_first != span->last_record)
        return NULL;
    if (tw_events_were_held(c->context->exchanges, e))
        return tw_kind_events;
    return e->status == TW_STATUS_GATEWAY_TIMEOUT ? tw_kind_gateway : NULL;
}

/* Waits for replies of SMTP. */
struct replies {
    tcpwhy_ns shortest_ns, longest_ns;
    uint32_t n;
};

static void note_reply(struct replies *r, const struct tw_span *span, const struct tw_exchange *e)
{
    const tcpwhy_ns ns = span->to_ns - span->from_ns;

    if (!e || e->response_first != span->last_record || strcmp(e->protocol, "smtp") != 0 ||
        e->request_first == TW_NO_RECORD)
        return;
    r->shortest_ns = MIN(r->shortest_ns, ns);
    r->longest_ns = MAX(r->longest_ns, ns);
    r->n++;
}

/* Work does not take as long for each command, and that long for none. */
static bool are_held(const struct replies *r)
{
    return r->n >= TW_OFTEN && r->shortest_ns >= TW_FLOW_OF_THOUGHT_NS &&
           r->longest_ns - r->shortest_ns <= r->longest_ns / TW_JITTER_SHARE;
}

/* Most of the time was spent waiting for one of these. */
static void thought(const struct tw_cause_total *c)
{
    const struct tw_exchanges *all = c->context->exchanges;
    const struct tw_explanation *x = c->out;
    const char *const kinds[] = { tw_kind_greeting, tw_kind_gateway, tw_kind_events };
    struct replies replies = { .shortest_ns = INT64_MAX };
    tcpwhy_ns ns[] = { 0, 0, 0 };
    uint32_t k = 0;

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];
        const char *kind;

        if (span->cause != c->cause || span->from != c->from)
            continue;
        while (k < all->n && all->exchange[k].response_first < span->last_record)
            k++;
        kind = awaited(c, span, k < all->n ? &all->exchange[k] : NULL);
        note_reply(&replies, span, k < all->n ? &all->exchange[k] : NULL);

        for (size_t which = 0; which < G_N_ELEMENTS(kinds); which++)
            if (kind == kinds[which])
                ns[which] += span->to_ns - span->from_ns;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
        if (2 * ns[i] > c->cost_ns)
            tw_cause_total_add_word(c, "kind", kinds[i]);
    if (are_held(&replies))
        tw_cause_total_add_word(c, "kind", tw_kind_tarpit);
}

/* Does the exchange begin behind a wait for its asker, or was the wait for the rest of its request?
 */
static const char *owed(const struct tw_exchange *e, const struct tw_span *span)
{
    if (e->request_part && span->first_record >= e->request_last)
        return tw_kind_rest;
    return e->of_session && e->request_first == span->last_record ? tw_kind_handshake : NULL;
}

/* The client owed this for most of the time. */
static void thought_by_client(const struct tw_cause_total *c)
{
    const struct tw_exchanges *all = c->context->exchanges;
    const struct tw_explanation *x = c->out;
    const char *const kinds[] = { tw_kind_handshake, tw_kind_rest };
    tcpwhy_ns ns[] = { 0, 0 };
    uint32_t k = 0;

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];
        const char *kind;

        if (span->cause != c->cause || span->from != c->from)
            continue;
        while (k + 1 < all->n && all->exchange[k].request_first < span->last_record)
            k++;
        kind = k < all->n ? owed(&all->exchange[k], span) : NULL;
        for (size_t j = 0; j < G_N_ELEMENTS(kinds); j++)
            ns[j] += kind == kinds[j] ? span->to_ns - span->from_ns : 0;
    }
    for (size_t j = 0; j < G_N_ELEMENTS(kinds); j++)
        if (2 * ns[j] > c->cost_ns)
            tw_cause_total_add_word(c, "kind", kinds[j]);
}

/* The other side is heard again behind the last of its silence. */
static void silent(const struct tw_cause_total *c)
{
    const struct tw_explanation *x = c->out;
    const struct tw_log *log = c->context->log;
    uint32_t i = x->n_spans;

    while (i > 0 && (x->span[i - 1].cause != c->cause || x->span[i - 1].from != c->from))
        i--;
    for (uint32_t k = i > 0 ? x->span[i - 1].last_record : log->n; k < log->n; k++)
        if (log->record[k].from != (uint8_t)c->from && !(log->record[k].flags & TW_RST)) {
            tw_cause_total_add_word(c, "kind", tw_kind_outage);
            return;
        }
}

/* Indexed by cause; NULL: the cause has no details of its own. */
static void (*const describe[TW_N_CAUSES])(const struct tw_cause_total *) = {
    [TCPWHY_SERVER_THINK] = thought,
    [TCPWHY_CLIENT_THINK] = thought_by_client,
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = tw_inflight_limit_report_window,
    [TCPWHY_PACING] = pace,
    [TCPWHY_SEND_BUFFER_LIMITED] = tw_inflight_limit_report,
    [TCPWHY_EARLY_SLOW_START_EXIT] = tw_inflight_limit_report,
    [TCPWHY_CONGESTION_WINDOW_LIMITED] = small_window,
    [TCPWHY_NAGLE_DELAYED_ACK] = delayed,
    [TCPWHY_DELAYED_ACK] = delayed,
    [TCPWHY_NAGLE_HOLD] = tw_what_if,
    [TCPWHY_CORK_HOLD] = tw_what_if,
    [TCPWHY_ZERO_WINDOW] = tw_inflight_limit_report_closed,
    [TCPWHY_LOSS_RECOVERY] = loss,
    [TCPWHY_PEER_SILENT] = silent,
    [TCPWHY_MTU_BLACK_HOLE] = tw_pmtu_sizes_report,
    [TCPWHY_BANDWIDTH_LIMITED] = full_path,
    [TCPWHY_SLOW_START] = growth,
    [TCPWHY_SLOW_START_AFTER_IDLE] = growth,
};

/* Add up the cost of each cause in each direction. @return a bit for each cause that has any
 * span. */
static tw_causes add_up(const struct tw_explanation *x, tcpwhy_ns cost_ns[TW_N_CAUSES][2])
{
    tw_causes causes = 0;

    for (const struct tw_span *span = x->span, *end = span + x->n_spans; span < end; span++) {
        causes |= TW_CAUSE(span->cause);
        cost_ns[span->cause][span->from] += span->to_ns - span->from_ns;
    }
    return causes;
}

void tw_details_build(const struct tw_context *context, struct tw_explanation *out)
{
    if (out->n_spans == 0 || out->span[out->n_spans - 1].to_ns - out->span[0].from_ns < TW_WORTH_NS)
        return;

    tcpwhy_ns cost_ns[TW_N_CAUSES][2] = { { 0 } };

    for (tw_causes told = add_up(out, cost_ns); told; told &= told - 1) {
        struct tw_cause_total s = { .context = context,
                                    .out = out,
                                    .cause = (enum tcpwhy_cause)__builtin_ctzll(told) };

        for (int from = 0; describe[s.cause] && from < 2; from++) {
            s.from = (enum tcpwhy_side)from;
            s.cost_ns = cost_ns[s.cause][from];
            if (s.cost_ns >= TW_WORTH_NS)
                describe[s.cause](&s);
        }
    }
}
