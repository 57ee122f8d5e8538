/* SPDX-License-Identifier: MIT */
#include "explain/details.h"

#include <glib.h>

#include "base/select.h"
#include "explain/path_rate.h"
#include "explain/spans.h"
#include "explain/stack.h"

G_STATIC_ASSERT(TCPWHY_N_CAUSES <= 32); /* a bit for each in causes_of() */

const char tw_kind_unanswered[] = "unanswered";
const char tw_kind_marked[] = "marked";
const char tw_kind_spread[] = "spread";
const char tw_kind_slow_reader[] = "slow reader";
const char tw_kind_shared[] = "shared";
const char tw_kind_behind[] = "behind others";

/* A cause that cost less than this in all needs no numbers. */
#define WORTH_NUMBERS TCPWHY_MS(5)

/* One cause of one direction, summed over its spans. */
struct sum {
    const struct tw_scene *scene;
    struct tw_explanation *out;
    enum tcpwhy_cause cause;
    enum tcpwhy_side from;
    tcpwhy_ns cost_ns;
};

static void number(const struct sum *s, const char *name, double value)
{
    tw_details_add(s->out, &(struct tw_detail) { s->cause, s->from, name, NULL, value });
}

static void word(const struct sum *s, const char *name, const char *text)
{
    tw_details_add(s->out, &(struct tw_detail) { s->cause, s->from, name, text, 0 });
}

/* The median of what a function says of each round that the cause's spans touch. */
static int64_t median_of_rounds(const struct sum *s, int64_t (*value)(const struct tw_round *))
{
    const struct tw_rounds *rounds = &s->scene->rounds[s->from];
    const struct tw_sends *sends = &s->scene->sends[s->from];
    int64_t *values = tw_scratch_get(s->scene->scratch, rounds->n, sizeof *values);
    uint32_t n = 0, k = 0;
    int64_t median;

    for (uint32_t i = 0; i < rounds->n; i++) {
        uint32_t record = sends->send[rounds->round[i].last].record;

        while (k < s->out->n_spans && s->out->span[k].last_record < record)
            k++;
        if (k < s->out->n_spans && s->out->span[k].cause == s->cause &&
            s->out->span[k].from == s->from)
            values[n++] = value(&rounds->round[i]);
    }
    median = n ? tw_select_ns(values, n, n / 2) : 0;
    tw_scratch_return(s->scene->scratch, values);
    return median;
}

static int64_t flight_of(const struct tw_round *r)
{
    return r->flight_bytes;
}

static int64_t queue_of(const struct tw_round *r)
{
    return r->queue_ns;
}

static int64_t is_spread(const struct tw_round *r)
{
    return r->spread;
}

static double rate_of_path(const struct sum *s)
{
    double capacity = s->scene->rounds[s->from].capacity;

    return capacity > 0 ? capacity : tw_path_rate(s->scene, s->from);
}

/* How much new data the sender moved from the span's first record to its last. */
static int64_t bytes_in(const struct tw_log *log, const struct tw_span *span)
{
    const struct tw_record *last = &log->record[span->last_record];
    int64_t bytes = 0;

    for (const struct tw_record *r = &log->record[span->first_record]; r++ < last;)
        if (r->from == span->from && r->frame_class == TCPWHY_CLASS_DATA)
            bytes += r->len;
    return bytes;
}

static int64_t bytes_of(const struct sum *s)
{
    int64_t bytes = 0;

    for (uint32_t i = 0; i < s->out->n_spans; i++)
        if (s->out->span[i].cause == s->cause && s->out->span[i].from == s->from)
            bytes += bytes_in(s->scene->log, &s->out->span[i]);
    return bytes;
}

/* How long the connection would have taken: what the cause moved goes at the path's rate. */
static void estimate(const struct sum *s, double path_rate)
{
    const struct tw_explanation *x = s->out;
    tcpwhy_ns life = x->span[x->n_spans - 1].to_ns - x->span[0].from_ns;
    double without = (double)(life - s->cost_ns);

    if (path_rate > 0)
        without += (double)bytes_of(s) / path_rate * 1e9;
    number(s, "took_ms", (double)life / 1e6);
    number(s, "would_take_ms", without / 1e6);
}

/* A ceiling: its height, the rate it allows, and what it would take to fill the path. */
static void ceiling(const struct sum *s)
{
    double rtt = (double)s->scene->vantage.rtt_min_ns, path_rate = rate_of_path(s);
    double height = (double)median_of_rounds(s, flight_of);

    if (rtt <= 0 || height <= 0)
        return;
    number(s, "ceiling_bytes", height);
    number(s, "rtt_us", rtt / 1e3);
    number(s, "rate_bytes_per_s", height * 1e9 / rtt);
    if (path_rate <= 0)
        return;
    number(s, "path_bytes_per_s", path_rate);
    number(s, "bdp_bytes", path_rate * rtt / 1e9);
    estimate(s, path_rate);
}

/* Scaling needs both SYNs; a server may offer it only when the client did (RFC 7323, 2.2). */
static void window_reason(const struct sum *s)
{
    const struct tw_side *client = &s->scene->connection->side[TCPWHY_CLIENT];
    const struct tw_side *server = &s->scene->connection->side[TCPWHY_SERVER];

    if (s->scene->sends[s->from].wscale_inferred)
        word(s, "window_scale", "inferred from what was sent within it");
    else if (!client->syn || !server->syn)
        word(s, "window_scale", "unknown, the handshake is not in the capture");
    else if (client->wscale == TW_WSCALE_UNKNOWN)
        word(s, "window_scale", "unknown, the snap length cut the handshake's options");
    else if (!(client->syn_options & TW_OPT_WSCALE))
        word(s, "window_scale",
             "none in the client's SYN (or stripped on the way): 64 KiB at most");
    else if (!(server->syn_options & TW_OPT_WSCALE))
        word(s, "window_scale",
             "none in the server's SYN/ACK (or stripped on the way): 64 KiB at most");
    else
        word(s, "window_scale", "in force");
}

static void held(const struct sum *s)
{
    estimate(s, 0);
}

/* A window that is merely small passes once a round trip; so many times slower, and its reader is
 * what it waits for. */
#define READS_SLOWLY 2

static bool is_slow_reader(const struct sum *s)
{
    double rtt = (double)s->scene->vantage.rtt_median_ns;
    double height = (double)median_of_rounds(s, flight_of);

    return rtt > 0 && (double)s->cost_ns * height > READS_SLOWLY * rtt * (double)bytes_of(s);
}

static void receive_window(const struct sum *s)
{
    if (is_slow_reader(s)) {
        word(s, "kind", tw_kind_slow_reader);
        held(s);
        return;
    }
    window_reason(s);
    ceiling(s);
}

static void delayed(const struct sum *s)
{
    const struct tw_explanation *x = s->out;
    tcpwhy_ns *delays = tw_scratch_get(s->scene->scratch, x->n_spans, sizeof *delays);
    uint32_t n = 0;
    tcpwhy_ns median_ns;

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];

        if (span->cause == s->cause && span->from == s->from)
            delays[n++] = tw_ack_delay(s->scene, s->from, span->key_record);
    }
    median_ns = tw_select_ns(delays, n, n / 2);
    tw_scratch_return(s->scene->scratch, delays);
    number(s, "ack_delay_ms", (double)median_ns / 1e6);
    word(s, "stack", tw_stack_of(s->scene->connection->side[tw_other(s->from)].ttl, median_ns));
    estimate(s, 0);
}

/* Most of it went into repeats to which nothing at all came back: the other side may be gone. */
static bool is_unanswered(const struct sum *s)
{
    const struct tw_recovery *r = &s->scene->recovery[s->from];
    const struct tw_log *log = s->scene->log;
    const struct tw_episode *last = r->n ? &r->episode[r->n - 1] : NULL;

    if (!last || last->repeats < 2 || 2 * (last->to_ns - last->from_ns) < s->cost_ns)
        return false;
    for (uint32_t i = last->repair_record; i < log->n; i++)
        if (log->record[i].from != s->from)
            return false;
    return true;
}

static void loss(const struct sum *s)
{
    const struct tw_recovery *r = &s->scene->recovery[s->from];

    if (is_unanswered(s))
        word(s, "kind", tw_kind_unanswered);
    number(s, "fast_retransmissions", r->repairs[TW_RECOVERY_FAST]);
    number(s, "tail_loss_probes", r->repairs[TW_RECOVERY_PROBE]);
    number(s, "timeouts", r->repairs[TW_RECOVERY_RTO]);
    number(s, "after_timeouts", r->repairs[TW_RECOVERY_AFTER]);
    number(s, "spurious_retransmissions", r->spurious);
    number(s, "episodes", r->n);
    if (r->n)
        number(s, "ms_per_episode", (double)s->cost_ns / 1e6 / r->n);
}

static void small_window(const struct sum *s)
{
    if (s->scene->recovery[s->from].n == 0 && s->scene->recovery[s->from].spurious == 0)
        word(s, "kind", tw_kind_marked);
    ceiling(s);
}

static void round_trip(const struct sum *s)
{
    if (s->scene->vantage.rtt_min_ns != TCPWHY_NS_UNKNOWN)
        number(s, "rtt_us", (double)s->scene->vantage.rtt_min_ns / 1e3);
}

/* Waits for a link that others filled are those that may have been somebody's instead. */
static bool is_others(const struct sum *s)
{
    const uint32_t instead = 1u << TCPWHY_SERVER_THINK | 1u << TCPWHY_CLIENT_THINK |
                             1u << TCPWHY_CLIENT_IDLE | 1u << TCPWHY_APP_LIMITED;
    tcpwhy_ns others_ns = 0;

    for (uint32_t i = 0; i < s->out->n_spans; i++) {
        const struct tw_span *span = &s->out->span[i];

        if (span->cause == s->cause && span->from == s->from && instead >> span->rival & 1)
            others_ns += span->to_ns - span->from_ns;
    }
    return 2 * others_ns > s->cost_ns;
}

static void full_path(const struct sum *s)
{
    bool others = is_others(s);

    if (others && s->scene->link_tells[s->from]) {
        word(s, "kind", tw_kind_shared);
        number(s, "rate_bytes_per_s", s->scene->log->inflow_rate[!s->from]);
        return;
    }
    if (others && s->scene->rounds[s->from].n == 0) {
        word(s, "kind", tw_kind_behind);
        round_trip(s);
        return;
    }
    number(s, "rate_bytes_per_s", s->scene->rounds[s->from].capacity);
    round_trip(s);
    if (median_of_rounds(s, is_spread))
        word(s, "kind", tw_kind_spread);
    else
        number(s, "queue_us", (double)median_of_rounds(s, queue_of) / 1e3);
}

static void growth(const struct sum *s)
{
    round_trip(s);
    number(s, "first_flight_bytes", (double)s->scene->rounds[s->from].round[0].flight_bytes);
}

/* Of the causes that have any. */
static void (*const describe[TCPWHY_N_CAUSES])(const struct sum *) = {
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = receive_window,
    [TCPWHY_SEND_BUFFER_LIMITED] = ceiling,
    [TCPWHY_EARLY_SLOW_START_EXIT] = ceiling,
    [TCPWHY_CONGESTION_WINDOW_LIMITED] = small_window,
    [TCPWHY_NAGLE_DELAYED_ACK] = delayed,
    [TCPWHY_DELAYED_ACK] = delayed,
    [TCPWHY_NAGLE_HOLD] = held,
    [TCPWHY_CORK_HOLD] = held,
    [TCPWHY_ZERO_WINDOW] = held,
    [TCPWHY_LOSS_RECOVERY] = loss,
    [TCPWHY_BANDWIDTH_LIMITED] = full_path,
    [TCPWHY_SLOW_START] = growth,
    [TCPWHY_SLOW_START_AFTER_IDLE] = growth,
};

static uint32_t causes_of(const struct tw_explanation *x)
{
    uint32_t causes = 0; /* a bit for each */

    for (uint32_t i = 0; i < x->n_spans; i++)
        causes |= UINT32_C(1) << x->span[i].cause;
    return causes;
}

static tcpwhy_ns cost_of(const struct tw_explanation *x, enum tcpwhy_cause cause,
                         enum tcpwhy_side from)
{
    tcpwhy_ns cost_ns = 0;

    for (uint32_t i = 0; i < x->n_spans; i++)
        if (x->span[i].cause == cause && x->span[i].from == from)
            cost_ns += x->span[i].to_ns - x->span[i].from_ns;
    return cost_ns;
}

void tw_details_build(const struct tw_scene *scene, struct tw_explanation *out)
{
    if (out->n_spans == 0 ||
        out->span[out->n_spans - 1].to_ns - out->span[0].from_ns < WORTH_NUMBERS)
        return;
    for (uint32_t told = causes_of(out); told; told &= told - 1) {
        struct sum s = { .scene = scene,
                         .out = out,
                         .cause = (enum tcpwhy_cause)__builtin_ctz(told) };

        for (int from = 0; describe[s.cause] && from < 2; from++) {
            s.from = (enum tcpwhy_side)from;
            s.cost_ns = cost_of(out, s.cause, s.from);
            if (s.cost_ns >= WORTH_NUMBERS)
                describe[s.cause](&s);
        }
    }
}
