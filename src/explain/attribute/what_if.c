/* SPDX-License-Identifier: MIT */
#include "explain/attribute/what_if.h"

#include <glib.h>

#include "explain/model/stepping.h"
#include "explain/thresholds.h"

/* A knob: the causes that it mends, and those whose time is stepped anew with them. */
struct knob {
    const char *name; /* "with ..." */
    tw_causes mends;
    tw_causes steps; /* 0: the mended waits are left out, and nothing is stepped */
};

#define NAGLE  (TW_CAUSE(TCPWHY_NAGLE_HOLD) | TW_CAUSE(TCPWHY_NAGLE_DELAYED_ACK))
#define BUFFER TW_CAUSE(TCPWHY_SEND_BUFFER_LIMITED)
#define WINDOW (TW_CAUSE(TCPWHY_ZERO_WINDOW) | TW_CAUSE(TCPWHY_RECEIVE_WINDOW_LIMITED))
#define LOSSES (TW_CAUSE(TCPWHY_LOSS_RECOVERY) | TW_CAUSE(TCPWHY_CONGESTION_WINDOW_LIMITED))
#define EARLY  TW_CAUSE(TCPWHY_EARLY_SLOW_START_EXIT)
#define START  TW_CAUSE(TCPWHY_SLOW_START)
#define IDLE   TW_CAUSE(TCPWHY_SLOW_START_AFTER_IDLE)
/* ACKs clock these within a transfer, too. A flat flight, the remainder of a window that Nagle's
 * algorithm holds, and a lone segment whose ACK is delayed come of the ceiling. */
#define CLOCKED                                                                                    \
    (START | IDLE | EARLY | TW_CAUSE(TCPWHY_NAGLE_HOLD) | TW_CAUSE(TCPWHY_DELAYED_ACK) |           \
     TW_CAUSE(TCPWHY_UNKNOWN))
/* The congestion window after a wait for a closed window. */
#define RESTART TW_CAUSE(TCPWHY_CONGESTION_WINDOW_LIMITED)

static const struct knob knobs[TW_N_CAUSES] = {
    [TCPWHY_NAGLE_DELAYED_ACK] = { "TCP_NODELAY", NAGLE, 0 },
    [TCPWHY_NAGLE_HOLD] = { "TCP_NODELAY", NAGLE, 0 },
    [TCPWHY_DELAYED_ACK] = { "no delayed ACKs", TW_CAUSE(TCPWHY_DELAYED_ACK), 0 },
    [TCPWHY_CORK_HOLD] = { "no cork", TW_CAUSE(TCPWHY_CORK_HOLD), 0 },
    [TCPWHY_SEND_BUFFER_LIMITED] = { "a larger send buffer", BUFFER, BUFFER | CLOCKED },
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = { "a larger receive window", WINDOW, WINDOW | CLOCKED },
    [TCPWHY_ZERO_WINDOW] = { "a reader that keeps up", WINDOW, WINDOW | CLOCKED | RESTART },
    [TCPWHY_SLOW_START] = { "a larger initial window", START, START },
    [TCPWHY_SLOW_START_AFTER_IDLE] = { "tcp_slow_start_after_idle = 0", IDLE, IDLE | START },
    [TCPWHY_EARLY_SLOW_START_EXIT] = { "a longer slow start", EARLY, CLOCKED },
    [TCPWHY_LOSS_RECOVERY] = { "no losses", LOSSES, LOSSES | CLOCKED },
    [TCPWHY_CONGESTION_WINDOW_LIMITED] = { "no losses", LOSSES, LOSSES | CLOCKED },
};

/* Pauses that a source may make by a clock of its own: without the wait they are longer by as much,
 * and nothing ends sooner. */
#define PAUSES                                                                                     \
    (TW_CAUSE(TCPWHY_APP_LIMITED) | TW_CAUSE(TCPWHY_CLIENT_IDLE) | TW_CAUSE(TCPWHY_CLIENT_THINK))

static tcpwhy_ns length_ns(const struct tw_span *span)
{
    return span->to_ns - span->from_ns;
}

/* The last send up to a record; NULL: there is none. */
static const struct tw_send *send_at(const struct tw_sender_timeline *x, uint32_t record)
{
    uint32_t low = 0, high = x->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (x->send[middle].record <= record)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &x->send[low - 1] : NULL;
}

/* SND.NXT at a record. */
static int64_t next_at(const struct tw_sender_timeline *x, uint32_t record)
{
    const struct tw_send *s = send_at(x, record);

    if (x->n == 0)
        return 0;
    return s ? s->end + s->behind : tw_send_seq(x->send);
}

static double in_flight_at(const struct tw_sender_timeline *x, uint32_t record)
{
    const struct tw_send *s = send_at(x, record);

    return s && x->heard ? (double)tw_send_flight(s) : 0;
}

/* The window that the sender knew of at a record; 0: unknown. */
static double window_at(const struct tw_sender_timeline *x, uint32_t record)
{
    const struct tw_send *s = send_at(x, record);

    return s && x->heard && s->edge != INT64_MAX ? (double)(s->edge - s->acked) : 0;
}

/* Does the knob change this span? */
static bool is_of(const struct tw_cause_total *c, const struct tw_span *span, tw_causes causes)
{
    return span->from == c->from && causes >> span->cause & 1;
}

/* Propagation within a transfer is part of it, and so is the pause of a program that waits that the
 * knob ends had stopped, or of a sender whose ACKs are late since nobody reads. */
static bool is_stepped(const struct tw_cause_total *c, const struct tw_span *span,
                       const struct knob *knob)
{
    const struct tw_explanation *x = c->out;
    bool pauses = span->cause == TCPWHY_APP_LIMITED && knob == &knobs[TCPWHY_ZERO_WINDOW];

    if (is_of(c, span, knob->steps))
        return true;
    return (span->cause == TCPWHY_WIRE || pauses) && span > x->span &&
           span + 1 < x->span + x->n_spans && is_of(c, span + 1, knob->steps) &&
           is_of(c, span - 1, knob->steps);
}

/* The spans of a transfer, and what the knob mends of it: all, and the longest. */
struct run {
    uint32_t end; /* the first span behind it */
    tcpwhy_ns mended_ns, longest_ns;
};

static struct run run_from(const struct tw_cause_total *c, uint32_t i, const struct knob *knob)
{
    const struct tw_explanation *x = c->out;
    struct run run = { .end = i };

    for (; run.end < x->n_spans && is_stepped(c, &x->span[run.end], knob); run.end++) {
        const struct tw_span *span = &x->span[run.end];

        if (!is_of(c, span, knob->mends))
            continue;
        run.mended_ns += length_ns(span);
        run.longest_ns = MAX(run.longest_ns, length_ns(span));
    }
    return run;
}

/* After the end of a transfer, a slow reader still reads the rest of its receive buffer: at most
 * twice the window that it offers (net.ipv4.tcp_adv_win_scale = 1), as fast as before, or it pauses
 * once more for as long as it did. */
static double drain_ns(const struct tw_cause_total *c, const struct run *run, double read_ns)
{
    const struct tw_explanation *x = c->out;
    uint32_t next = run->end;

    while (next < x->n_spans && x->span[next].cause == TCPWHY_WIRE)
        next++;
    if (next == x->n_spans || x->span[next].party != tw_party_of(tw_other(c->from)) ||
        x->span[next].cause == TCPWHY_CLOSE)
        return 0;
    return MIN((double)length_ns(&x->span[next]), MAX(read_ns, (double)run->longest_ns));
}

static double largest_flight(const struct tw_rounds *rounds)
{
    int64_t bytes = 0;

    for (uint32_t i = 0; i < rounds->n; i++)
        bytes = MAX(bytes, rounds->round[i].flight_bytes);
    return (double)bytes;
}

/* The congestion window that a transfer begins with: no initial window helps beyond what the peer's
 * first window takes, and without a restart it stays as large as it was. */
static double first_cwnd(const struct tw_cause_total *c, const struct knob *knob)
{
    const struct tw_sender_timeline *sends = &c->context->sends[c->from];
    double initial = TW_INITIAL_SEGMENTS * (double)sends->mss_bytes;

    if (knob == &knobs[TCPWHY_SLOW_START])
        return MAX((double)tw_first_window(sends), initial);
    if (knob == &knobs[TCPWHY_SLOW_START_AFTER_IDLE])
        return MAX(largest_flight(&c->context->rounds[c->from]), initial);
    return initial;
}

/* The receive window that a transfer meets: a receiver that grows it cannot tell more than this in
 * its SYN (RFC 7323, 2.2). 0: unknown. */
static double first_window(const struct tw_cause_total *c, const struct knob *knob)
{
    double window = (double)tw_first_window(&c->context->sends[c->from]);

    return window > 0 && knob->mends & WINDOW ? MAX(window, TW_UNSCALED_WINDOW) : window;
}

/* A transfer begins with what is in flight, and with the window that is offered then. */
static void begin_stepping(const struct tw_cause_total *c, const struct tw_span *first,
                           struct tw_stepping *stepping)
{
    const struct tw_sender_timeline *sends = &c->context->sends[c->from];

    stepping->in_flight_bytes = in_flight_at(sends, first->first_record);
    stepping->cwnd_bytes = MAX(stepping->cwnd_bytes, stepping->in_flight_bytes);
    if (stepping->window_bytes > 0)
        stepping->window_bytes = MAX(stepping->window_bytes, window_at(sends, first->first_record));
}

/* The time that the knob saves in transfers: each that it opens is stepped anew. */
static double stepped_ns(const struct tw_cause_total *c, const struct knob *knob,
                         double bytes_per_s)
{
    const struct tw_explanation *x = c->out;
    const struct tw_sender_timeline *sends = &c->context->sends[c->from];
    struct tw_stepping stepping = {
        .rtt_ns = (double)c->context->vantage.rtt_min_ns,
        .bytes_per_s = bytes_per_s,
        .cwnd_bytes = first_cwnd(c, knob),
        .window_bytes = first_window(c, knob),
    };
    double buffer = 2 * largest_flight(&c->context->rounds[c->from]), saved = 0;

    for (uint32_t i = 0; i < x->n_spans;) {
        const struct run run = run_from(c, i, knob);

        if (run.end == i) {
            i++;
            continue;
        }

        const struct tw_span *first = &x->span[i], *last = &x->span[run.end - 1];
        double bytes =
            (double)(next_at(sends, last->last_record) - next_at(sends, first->first_record));

        i = run.end;
        begin_stepping(c, first, &stepping);
        if (run.mended_ns == 0 || bytes <= 0) {
            stepping.cwnd_bytes += MAX(bytes, 0);
            continue;
        }
        saved += (double)(last->to_ns - first->from_ns) - tw_stepping_send(&stepping, bytes);
        if (knob == &knobs[TCPWHY_ZERO_WINDOW])
            saved += drain_ns(c, &run, buffer * (double)run.mended_ns / bytes);
    }
    return saved;
}

/* The rate that the flights allow: a path that carries no more would be the limit itself. */
static double allowed_rate(const struct tw_cause_total *c)
{
    return (double)tw_cause_total_flight(c) * 1e9 / (double)c->context->vantage.rtt_min_ns;
}

/* Short trains hardly faster than what passed below the ceiling had its pace, not the path's.
 * @return false: the path's rate is not known. */
static bool rate_of_path(const struct tw_cause_total *c, double *bytes_per_s)
{
    double allowed = knobs[c->cause].mends & (BUFFER | WINDOW) ? allowed_rate(c) : 0, guess;

    *bytes_per_s = tw_cause_total_path_rate(c, allowed, &guess);
    if (*bytes_per_s > 0)
        return true;
    *bytes_per_s = guess;
    return *bytes_per_s > 0 &&
           *bytes_per_s * (double)c->cost_ns >= TW_FACTOR * 1e9 * (double)tw_cause_total_bytes(c);
}

static tcpwhy_ns time_in(const struct tw_cause_total *c, tw_causes causes)
{
    const struct tw_explanation *x = c->out;
    tcpwhy_ns ns = 0;

    for (uint32_t i = 0; i < x->n_spans; i++)
        if (is_of(c, &x->span[i], causes))
            ns += length_ns(&x->span[i]);
    return ns;
}

void tw_what_if(const struct tw_cause_total *c)
{
    const struct knob *knob = &knobs[c->cause];
    const struct tw_explanation *x = c->out;
    double life = (double)(x->span[x->n_spans - 1].to_ns - x->span[0].from_ns), rate, saved;

    if (c->cause == TCPWHY_RECEIVE_WINDOW_LIMITED &&
        time_in(c, TW_CAUSE(TCPWHY_ZERO_WINDOW)) >= TW_WORTH_NS)
        knob = &knobs[TCPWHY_ZERO_WINDOW];
    if (!knob->name || c->context->sends[c->from].app_timed_pauses)
        return;
    if (!knob->steps)
        saved = (double)time_in(c, knob->mends);
    else if (c->context->vantage.rtt_min_ns > 0 && rate_of_path(c, &rate))
        saved = stepped_ns(c, knob, rate);
    else
        return;
    if (saved <= 0 || (double)TW_QUARTER * (double)time_in(c, PAUSES) >= saved)
        return;
    tw_cause_total_add_number(c, "took_ms", life / 1e6);
    tw_cause_total_add_number(c, "would_take_ms", (life - saved) / 1e6);
    tw_cause_total_add_word(c, "would_take_with", knob->name);
}
