/* SPDX-License-Identifier: MIT */
#include "explain/details.h"

#include <glib.h>

#include "base/select.h"
#include "explain/cost.h"
#include "explain/own_queue.h"
#include "explain/path_rate.h"
#include "explain/sizes.h"
#include "explain/stack.h"

G_STATIC_ASSERT(TCPWHY_N_CAUSES <= 32); /* a bit for each in add_up() */

const char tw_kind_unanswered[] = "unanswered";
const char tw_kind_arrived[] = "arrived";
const char tw_kind_marked[] = "marked";
const char tw_kind_spread[] = "spread";
const char tw_kind_paced[] = "paced";
const char tw_kind_slow_reader[] = "slow reader";
const char tw_kind_shared[] = "shared";
const char tw_kind_behind[] = "behind others";
const char tw_kind_own[] = "own host";
const char tw_kind_late[] = "late answers";
const char tw_kind_proxy[] = "proxy";

/* A cause that cost less than this in all needs no numbers. */
#define WORTH_NUMBERS TCPWHY_MS(5)

static int64_t flight_of(const struct tw_round *r)
{
    return r->flight_bytes;
}

static int64_t queue_of(const struct tw_round *r)
{
    return r->queue_ns;
}

static int64_t is_paced(const struct tw_round *r)
{
    return r->paced;
}

static int64_t is_spread(const struct tw_round *r)
{
    return r->spread;
}

static double rate_of_path(const struct tw_cost *c)
{
    double capacity = c->scene->rounds[c->from].capacity;

    return capacity > 0 ? capacity : tw_path_rate(c->scene, c->from);
}

/* How long the connection would have taken: what the cause moved goes at the path's rate. */
static void estimate(const struct tw_cost *c, double path_rate)
{
    const struct tw_explanation *x = c->out;
    tcpwhy_ns life = x->span[x->n_spans - 1].to_ns - x->span[0].from_ns;
    double without = (double)(life - c->cost_ns);

    if (path_rate > 0)
        without += (double)tw_cost_bytes(c) / path_rate * 1e9;
    if (without >= (double)life)
        return;
    tw_cost_tell_number(c, "took_ms", (double)life / 1e6);
    tw_cost_tell_number(c, "would_take_ms", without / 1e6);
}

/* A ceiling: its height, the rate it allows, and what it would take to fill the path. One that
 * allows more than is seen to pass tells that this was not the path's rate. */
static void ceiling(const struct tw_cost *c)
{
    double rtt = (double)c->scene->vantage.rtt_min_ns, path_rate = rate_of_path(c);
    double height = (double)tw_cost_round_median(c, flight_of);

    if (rtt <= 0 || height <= 0)
        return;
    tw_cost_tell_number(c, "ceiling_bytes", height);
    tw_cost_tell_number(c, "rtt_us", rtt / 1e3);
    tw_cost_tell_number(c, "rate_bytes_per_s", height * 1e9 / rtt);
    if (path_rate <= height * 1e9 / rtt)
        return;
    tw_cost_tell_number(c, "path_bytes_per_s", path_rate);
    tw_cost_tell_number(c, "bdp_bytes", path_rate * rtt / 1e9);
    estimate(c, path_rate);
}

/* Scaling needs both SYNs; a server may offer it only when the client did (RFC 7323, 2.2). */
static void window_reason(const struct tw_cost *c)
{
    const struct tw_side *client = &c->scene->connection->side[TCPWHY_CLIENT];
    const struct tw_side *server = &c->scene->connection->side[TCPWHY_SERVER];

    if (c->scene->sends[c->from].wscale_inferred)
        tw_cost_tell_word(c, "window_scale", "inferred from what was sent within it");
    else if (!client->syn || !server->syn)
        tw_cost_tell_word(c, "window_scale", "unknown, the handshake is not in the capture");
    else if (client->wscale == TW_WSCALE_UNKNOWN)
        tw_cost_tell_word(c, "window_scale",
                          "unknown, the snap length cut the handshake's options");
    else if (!(client->syn_options & TW_OPT_WSCALE))
        tw_cost_tell_word(c, "window_scale",
                          "none in the client's SYN (or stripped on the way): 64 KiB at most");
    else if (!(server->syn_options & TW_OPT_WSCALE))
        tw_cost_tell_word(c, "window_scale",
                          "none in the server's SYN/ACK (or stripped on the way): 64 KiB at most");
    else
        tw_cost_tell_word(c, "window_scale", "in force");
}

static void held(const struct tw_cost *c)
{
    estimate(c, 0);
}

/* Behind the handshake, was the last that the cause held the first that its sender said? */
static bool held_first_alone(const struct tw_cost *c)
{
    const struct tw_sends *x = &c->scene->sends[c->from];
    const struct tw_span *span = c->out->span + c->out->n_spans - 1;

    while (span->cause != c->cause || span->from != c->from)
        span--;
    return c->scene->connection->side[TCPWHY_SERVER].syn && x->n > 0 &&
           span->last_record <= x->send[0].record;
}

/* What is still to come behind a window that never opens is not known. */
static void closed(const struct tw_cost *c)
{
    if (held_first_alone(c))
        tw_cost_tell_word(c, "kind", tw_kind_proxy);
    if (c->out->span[c->out->n_spans - 1].cause != c->cause)
        held(c);
}

static tcpwhy_ns time_in(const struct tw_explanation *x, enum tcpwhy_cause cause,
                         enum tcpwhy_side from)
{
    tcpwhy_ns ns = 0;

    for (const struct tw_span *span = x->span, *end = span + x->n_spans; span < end; span++)
        if (span->cause == cause && span->from == from)
            ns += span->to_ns - span->from_ns;
    return ns;
}

/* A window that is merely small passes once a round trip; so many times slower, and its reader is
 * what it waits for. One that is closed in between waits for the same reader, but where it closed
 * before anything was said: a proxy did that. */
#define READS_SLOWLY 2

static bool is_slow_reader(const struct tw_cost *c)
{
    double rtt = (double)c->scene->vantage.rtt_median_ns;
    double height = (double)tw_cost_round_median(c, flight_of);
    double bytes = (double)tw_cost_bytes(c);
    struct tw_cost closed = *c;

    closed.cause = TCPWHY_ZERO_WINDOW;
    closed.cost_ns = time_in(c->out, closed.cause, c->from);
    if (closed.cost_ns > 0 && held_first_alone(&closed))
        closed.cost_ns = 0;
    if (closed.cost_ns > 0)
        bytes += (double)tw_cost_bytes(&closed);
    return rtt > 0 && (double)(c->cost_ns + closed.cost_ns) * height > READS_SLOWLY * rtt * bytes;
}

static void receive_window(const struct tw_cost *c)
{
    if (is_slow_reader(c)) {
        tw_cost_tell_word(c, "kind", tw_kind_slow_reader);
        estimate(c, rate_of_path(c));
        return;
    }
    window_reason(c);
    ceiling(c);
}

static void delayed(const struct tw_cost *c)
{
    const struct tw_explanation *x = c->out;
    tcpwhy_ns *delays = tw_scratch_get(c->scene->scratch, x->n_spans, sizeof *delays);
    uint32_t n = 0;
    tcpwhy_ns median_ns;

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];

        if (span->cause == c->cause && span->from == c->from)
            delays[n++] = tw_ack_delay(c->scene, c->from, span->key_record);
    }
    median_ns = tw_select_ns(delays, n, n / 2);
    tw_scratch_return(c->scene->scratch, delays);
    tw_cost_tell_number(c, "ack_delay_ms", (double)median_ns / 1e6);
    tw_cost_tell_word(c, "stack",
                      tw_stack_of(c->scene->connection->side[tw_other(c->from)].ttl, median_ns));
    estimate(c, 0);
}

/* Most of it went into repeats to which nothing at all came back: the other side may be gone. */
static bool is_unanswered(const struct tw_cost *c)
{
    const struct tw_recovery *r = &c->scene->recovery[c->from];
    const struct tw_log *log = c->scene->log;
    const struct tw_episode *last = r->n ? &r->episode[r->n - 1] : NULL;

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

static void loss(const struct tw_cost *c)
{
    const struct tw_recovery *r = &c->scene->recovery[c->from];

    if (is_unanswered(c))
        tw_cost_tell_word(c, "kind", tw_kind_unanswered);
    else if (had_arrived(r))
        tw_cost_tell_word(c, "kind", tw_kind_arrived);
    tw_cost_tell_number(c, "fast_retransmissions", r->repairs[TW_RECOVERY_FAST]);
    tw_cost_tell_number(c, "tail_loss_probes", r->repairs[TW_RECOVERY_PROBE]);
    tw_cost_tell_number(c, "timeouts", r->repairs[TW_RECOVERY_RTO]);
    tw_cost_tell_number(c, "after_timeouts", r->repairs[TW_RECOVERY_AFTER]);
    tw_cost_tell_number(c, "spurious_retransmissions", r->spurious);
    tw_cost_tell_number(c, "episodes", r->n);
    if (r->n)
        tw_cost_tell_number(c, "ms_per_episode", (double)c->cost_ns / 1e6 / r->n);
}

static void small_window(const struct tw_cost *c)
{
    if (c->scene->recovery[c->from].n == 0 && c->scene->recovery[c->from].spurious == 0)
        tw_cost_tell_word(c, "kind", tw_kind_marked);
    ceiling(c);
}

static void round_trip(const struct tw_cost *c)
{
    if (c->scene->vantage.rtt_min_ns != TCPWHY_NS_UNKNOWN)
        tw_cost_tell_number(c, "rtt_us", (double)c->scene->vantage.rtt_min_ns / 1e3);
}

/* Waits for a link that others filled are those that may have been somebody's instead. */
static bool is_others(const struct tw_cost *c)
{
    return tw_cost_may_be(c, 1u << TCPWHY_SERVER_THINK | 1u << TCPWHY_CLIENT_THINK |
                                 1u << TCPWHY_CLIENT_IDLE | 1u << TCPWHY_APP_LIMITED);
}

/* Pauses of a pace, and not those between what is paced. */
static void pauses(const struct tw_cost *c)
{
    if (tw_cost_may_be(c,
                       1u << TCPWHY_CONGESTION_WINDOW_LIMITED | 1u << TCPWHY_BANDWIDTH_LIMITED) &&
        tw_cost_round_median(c, is_paced))
        tw_cost_tell_word(c, "kind", tw_kind_paced);
}

/* What its sender's own host let pass, and for how long a segment stood there. */
static void full_host(const struct tw_cost *c)
{
    tcpwhy_ns queued_ns = tw_own_queue_median_ns(&c->scene->sends[c->from], c->scene->scratch);

    tw_cost_tell_word(c, "kind", tw_kind_own);
    tw_cost_tell_number(c, "rate_bytes_per_s", (double)tw_cost_bytes(c) * 1e9 / (double)c->cost_ns);
    tw_cost_tell_number(c, "queue_us", (double)queued_ns / 1e3);
}

static void full_path(const struct tw_cost *c)
{
    bool others = is_others(c);

    if (c->scene->own_queue[c->from]) {
        full_host(c);
        return;
    }
    if (others && c->scene->link_tells[c->from]) {
        tw_cost_tell_word(c, "kind", tw_kind_shared);
        tw_cost_tell_number(c, "rate_bytes_per_s", c->scene->log->inflow_rate[!c->from]);
        return;
    }
    if (others && c->scene->rounds[c->from].n == 0) {
        tw_cost_tell_word(c, "kind", tw_kind_behind);
        round_trip(c);
        return;
    }
    if (c->scene->rounds[c->from].capacity <= 0) {
        tw_cost_tell_word(c, "kind", tw_kind_late);
        round_trip(c);
        return;
    }
    tw_cost_tell_number(c, "rate_bytes_per_s", c->scene->rounds[c->from].capacity);
    round_trip(c);
    if (tw_cost_round_median(c, is_spread))
        tw_cost_tell_word(c, "kind", tw_kind_spread);
    else
        tw_cost_tell_number(c, "queue_us", (double)tw_cost_round_median(c, queue_of) / 1e3);
}

/* The flight of the first round in which the cause was waited for. */
static int64_t first_flight(const struct tw_cost *c)
{
    const struct tw_rounds *rounds = &c->scene->rounds[c->from];
    const struct tw_span *span = c->out->span;
    uint32_t i = 0;

    while (span->cause != c->cause || span->from != c->from)
        span++;
    while (i + 1 < rounds->n &&
           c->scene->sends[c->from].send[rounds->round[i].last].record < span->first_record)
        i++;
    return rounds->round[i].flight_bytes;
}

static void growth(const struct tw_cost *c)
{
    round_trip(c);
    tw_cost_tell_number(c, "first_flight_bytes", (double)first_flight(c));
}

/* Of the causes that have any. */
static void (*const describe[TCPWHY_N_CAUSES])(const struct tw_cost *) = {
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = receive_window,
    [TCPWHY_APP_LIMITED] = pauses,
    [TCPWHY_SEND_BUFFER_LIMITED] = ceiling,
    [TCPWHY_EARLY_SLOW_START_EXIT] = ceiling,
    [TCPWHY_CONGESTION_WINDOW_LIMITED] = small_window,
    [TCPWHY_NAGLE_DELAYED_ACK] = delayed,
    [TCPWHY_DELAYED_ACK] = delayed,
    [TCPWHY_NAGLE_HOLD] = held,
    [TCPWHY_CORK_HOLD] = held,
    [TCPWHY_ZERO_WINDOW] = closed,
    [TCPWHY_LOSS_RECOVERY] = loss,
    [TCPWHY_MTU_BLACK_HOLE] = tw_sizes_tell,
    [TCPWHY_BANDWIDTH_LIMITED] = full_path,
    [TCPWHY_SLOW_START] = growth,
    [TCPWHY_SLOW_START_AFTER_IDLE] = growth,
};

/* What each cause cost in each direction. @return a bit for each that has any span. */
static uint32_t add_up(const struct tw_explanation *x, tcpwhy_ns cost_ns[TCPWHY_N_CAUSES][2])
{
    uint32_t causes = 0;

    for (const struct tw_span *span = x->span, *end = span + x->n_spans; span < end; span++) {
        causes |= UINT32_C(1) << span->cause;
        cost_ns[span->cause][span->from] += span->to_ns - span->from_ns;
    }
    return causes;
}

void tw_details_build(const struct tw_scene *scene, struct tw_explanation *out)
{
    if (out->n_spans == 0 ||
        out->span[out->n_spans - 1].to_ns - out->span[0].from_ns < WORTH_NUMBERS)
        return;

    tcpwhy_ns cost_ns[TCPWHY_N_CAUSES][2] = { { 0 } };

    for (uint32_t told = add_up(out, cost_ns); told; told &= told - 1) {
        struct tw_cost s = { .scene = scene,
                             .out = out,
                             .cause = (enum tcpwhy_cause)__builtin_ctz(told) };

        for (int from = 0; describe[s.cause] && from < 2; from++) {
            s.from = (enum tcpwhy_side)from;
            s.cost_ns = cost_ns[s.cause][from];
            if (s.cost_ns >= WORTH_NUMBERS)
                describe[s.cause](&s);
        }
    }
}
