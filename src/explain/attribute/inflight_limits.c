/* SPDX-License-Identifier: MIT */
#include "explain/attribute/inflight_limits.h"

#include <glib.h>

#include "explain/attribute/detail_kinds.h"
#include "explain/attribute/what_if.h"
#include "explain/thresholds.h"

static tcpwhy_ns time_in(const struct tw_explanation *x, enum tcpwhy_cause cause,
                         enum tcpwhy_side from)
{
    tcpwhy_ns ns = 0;

    for (const struct tw_span *span = x->span, *end = span + x->n_spans; span < end; span++)
        if (span->cause == cause && span->from == from)
            ns += span->to_ns - span->from_ns;
    return ns;
}

/* The path is not known to carry more: tell what fills a link of 100 Mbit/s for a round trip. */
#define LINK_BYTES_PER_S 12.5e6

static int64_t receive_window(const struct tw_round *r)
{
    return r->window_bytes;
}

/* The receive window limits as soon as the send buffer does not, where the path carries more. */
static void report_window_behind(const struct tw_cause_total *c, double rtt_s, double bdp)
{
    int64_t window = tw_cause_total_round_quantile(c, TW_HIGH_PERCENT, receive_window);

    if (window <= 0 || (double)window >= bdp)
        return;
    tw_cause_total_add_number(c, "next_window_bytes", (double)window);
    tw_cause_total_add_number(c, "next_bytes_per_s", (double)window / rtt_s);
}

/* A ceiling that allows more than is seen to pass tells that this was not the path's rate. */
static void report_path(const struct tw_cause_total *c, double allowed)
{
    double rtt_s = (double)c->context->vantage.rtt_min_ns / 1e9;
    double guess, shown = tw_cause_total_path_rate(c, allowed, &guess);

    if (shown > 0) {
        tw_cause_total_add_number(c, "path_bytes_per_s", shown);
        tw_cause_total_add_number(c, "bdp_bytes", shown * rtt_s);
        if (c->cause == TCPWHY_SEND_BUFFER_LIMITED)
            report_window_behind(c, rtt_s, shown * rtt_s);
    } else {
        tw_cause_total_add_number(c, "bdp_of_100mbit_bytes", LINK_BYTES_PER_S * rtt_s);
    }
}

/* A limit of this many bytes per RTT allows one rate, and the connection had another. A limit that
 * is exceeded by far rose meanwhile, and no single height is reported. */
static void report_ceiling(const struct tw_cause_total *c, double height)
{
    double rtt = (double)c->context->vantage.rtt_min_ns;
    double seen = (double)tw_cause_total_bytes(c) * 1e9 / (double)c->cost_ns;

    if (rtt <= 0 || height <= 0 || seen * rtt > TW_FACTOR * height * 1e9)
        return;
    tw_cause_total_add_number(c, "ceiling_bytes", height);
    tw_cause_total_add_number(c, "rtt_us", rtt / 1e3);
    tw_cause_total_add_number(c, "rate_bytes_per_s", height * 1e9 / rtt);
    tw_cause_total_add_number(c, "seen_bytes_per_s", seen);
    report_path(c, height * 1e9 / rtt);
}

void tw_inflight_limit_report(const struct tw_cause_total *c)
{
    tw_what_if(c);
    report_ceiling(c, (double)tw_cause_total_flight(c));
}

/* The client offered it: whoever answered, a load balancer or synproxy as a rule, left it out. */
static void refused_scale(const struct tw_cause_total *c)
{
    tw_cause_total_add_word(c, "kind",
                            c->from == TCPWHY_SERVER ? tw_kind_unscaled_peer : tw_kind_unscaled);
    tw_cause_total_add_word(c, "window_scale",
                            "offered in the client's SYN, none in the SYN/ACK: 65.5 kB at most");
}

/* Scaling needs both SYNs; a server may offer it only when the client did (RFC 7323, 2.2). */
static void window_reason(const struct tw_cause_total *c)
{
    const struct tw_side *client = &c->context->connection->side[TCPWHY_CLIENT];
    const struct tw_side *server = &c->context->connection->side[TCPWHY_SERVER];

    if (c->context->sends[c->from].wscale_inferred)
        tw_cause_total_add_word(c, "window_scale", "inferred from what was sent within it");
    else if (!client->syn || !server->syn)
        tw_cause_total_add_word(c, "window_scale", "unknown, the handshake is not in the capture");
    else if (client->wscale == TW_WSCALE_UNKNOWN)
        tw_cause_total_add_word(c, "window_scale",
                                "unknown, the snap length cut the handshake's options");
    else if (!(client->syn_options & TW_OPT_WSCALE))
        tw_cause_total_add_word(
            c, "window_scale",
            "none in the client's SYN (or stripped on the path): 65.5 kB at most");
    else if (!(server->syn_options & TW_OPT_WSCALE))
        refused_scale(c);
    else
        tw_cause_total_add_word(c, "window_scale", "in force");
}

/* After a handshake in the capture, was the last segment that the cause held back the sender's
 * first data, or was that never sent? */
static bool held_first_alone(const struct tw_cause_total *c)
{
    const struct tw_sender_timeline *x = &c->context->sends[c->from];
    const struct tw_span *span = c->out->span + c->out->n_spans - 1;

    while (span->cause != c->cause || span->from != c->from)
        span--;
    return c->context->connection->side[TCPWHY_SERVER].syn &&
           (x->n == 0 || span->last_record <= x->send[0].record);
}

/* If the connection ends with a closed window, the remaining data is unknown, and so is any
 * estimate of time saved. */
void tw_inflight_limit_report_closed(const struct tw_cause_total *c)
{
    if (held_first_alone(c))
        tw_cause_total_add_word(c, "kind", tw_kind_proxy);
    if (c->out->span[c->out->n_spans - 1].cause != c->cause)
        tw_what_if(c);
}

static bool is_slow_reader(const struct tw_cause_total *c)
{
    double rtt = (double)c->context->vantage.rtt_median_ns;
    double height = (double)tw_cause_total_flight(c);
    double bytes = (double)tw_cause_total_bytes(c);
    struct tw_cause_total shut = *c;

    shut.cause = TCPWHY_ZERO_WINDOW;
    shut.cost_ns = time_in(c->out, shut.cause, c->from);
    if (shut.cost_ns > 0 && held_first_alone(&shut))
        shut.cost_ns = 0;
    if (shut.cost_ns > 0)
        bytes += (double)tw_cause_total_bytes(&shut);
    return rtt > 0 && (double)(c->cost_ns + shut.cost_ns) * height > TW_FACTOR * rtt * bytes;
}

static int64_t window_of(const struct tw_round *r)
{
    return MIN(r->window_bytes, r->flight_bytes);
}

/* If windows differ, report the smallest and the largest: the median is none of them, and no single
 * rate belongs to them. */
static bool varies(const struct tw_cause_total *c)
{
    int64_t least = tw_cause_total_round_quantile(c, 100 - TW_HIGH_PERCENT, window_of),
            most = tw_cause_total_round_quantile(c, TW_HIGH_PERCENT, window_of);

    if (least <= 0 || most < TW_FACTOR * least)
        return false;
    tw_cause_total_add_number(c, "window_least_bytes", (double)least);
    tw_cause_total_add_number(c, "window_most_bytes", (double)most);
    return true;
}

void tw_inflight_limit_report_window(const struct tw_cause_total *c)
{
    bool differ = varies(c);

    tw_what_if(c);
    if (is_slow_reader(c)) {
        tw_cause_total_add_word(c, "kind", tw_kind_slow_reader);
        return;
    }
    window_reason(c);
    if (!differ)
        report_ceiling(c, (double)tw_cause_total_round_median(c, window_of));
}
