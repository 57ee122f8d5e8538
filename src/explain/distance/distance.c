/* SPDX-License-Identifier: MIT */
#include "explain/distance/distance.h"

#include <glib.h>

#include "app/keys.h"
#include "base/ns.h"
#include "explain/distance/chain.h"
#include "explain/distance/credits.h"
#include "explain/distance/grants.h"
#include "explain/distance/readings.h"
#include "explain/distance/window_kinds.h"
#include "explain/path/bottleneck_rate.h"
#include "explain/thresholds.h"

/* Round trips, rounded: between both hosts, halves are seen separately. */
static uint32_t trips(const struct tw_context *context, tcpwhy_ns way_ns)
{
    tcpwhy_ns rtt = context->vantage.rtt_min_ns;

    return (uint32_t)((way_ns + rtt / 2) / rtt);
}

/* Short exchanges of one RTT each (several RTTs make a transfer), and everything else costs
 * little: a pace is that of one answer for each round trip. */
static bool is_round_trips(const struct tw_context *context, const struct tw_chain *c)
{
    tcpwhy_ns asked_ns = c->way_ns - c->connect_ns;
    uint32_t n = trips(context, asked_ns);

    return MIN(n, c->exchanges) > TW_MANY && n <= TW_FACTOR * c->exchanges &&
           asked_ns >= TW_FLOW_OF_THOUGHT_NS && 2 * asked_ns >= c->all_ns &&
           TW_QUARTER * (c->all_ns - asked_ns - c->pace_ns) <= c->all_ns;
}

static bool is_path_latency(const struct tw_context *context, const struct tw_chain *c)
{
    return c->exchanges > 0 && c->exchanges <= TW_MANY &&
           trips(context, c->way_ns) < TW_FACTOR * TW_MANY &&
           context->vantage.rtt_min_ns >= TW_FELT_TRIP_NS && c->way_ns >= TW_FLOW_OF_THOUGHT_NS &&
           2 * c->way_ns >= c->all_ns;
}

/* A person who types waits for each echo: both ways of it are one delay, as of a voice (ITU-T
 * G.114). */
static bool is_echoed(const struct tw_context *context, const struct tw_chain *c)
{
    return c->exchanges > 0 && TW_FACTOR * context->vantage.rtt_min_ns >= TW_FELT_TRIP_NS;
}

static void read_chain(const struct tw_context *context, const struct tw_chain *c,
                       const struct tw_span *as, struct tw_explanation *x)
{
    for (uint32_t i = c->first; i < c->end; i++) {
        bool connects = x->span[i].cause == TCPWHY_HANDSHAKE;

        if (tw_readings_is_way(context, &x->span[i]) &&
            (!connects || as->cause == TCPWHY_PATH_LATENCY))
            tw_readings_add(x, i, as);
    }
}

/* Add up the chains of one reading. */
static void add_up(struct tw_chain *sum, const struct tw_chain *c)
{
    sum->exchanges += c->exchanges;
    sum->tls_exchanges += c->tls_exchanges;
    sum->connects |= c->connects;
    sum->way_ns += c->way_ns;
    sum->connect_ns += c->connect_ns;
    sum->think_ns += c->think_ns;
    sum->all_ns += c->all_ns;
}

/* The path takes its time for each byte, however near. */
static tcpwhy_ns transfer_ns(const struct tw_context *context)
{
    double ns = 0;

    for (int i = 0; i < 2; i++) {
        const struct tw_sender_timeline *x = &context->sends[i];
        double rate = context->rounds[i].capacity;

        if (x->n == 0)
            continue;
        if (rate <= 0)
            (void)tw_bottleneck_rate(context, (enum tcpwhy_side)i, &rate);
        if (rate > 0)
            ns = MAX(ns, (double)(x->send[x->n - 1].end - tw_send_seq(x->send)) * 1e9 / rate);
    }
    return tw_ns_from(ns);
}

/* The rest of the time remains, and one round trip, or half the way. */
static void tell_estimate(const struct tw_context *context, const struct tw_span *as,
                          tcpwhy_ns all_ns, tcpwhy_ns way_ns, struct tw_explanation *x)
{
    const tcpwhy_ns least_ns = MIN(transfer_ns(context), all_ns),
                    without_ns = MAX(all_ns - way_ns + context->vantage.rtt_min_ns, least_ns);

    tw_readings_add_number(x, as, "took_ms", (double)all_ns / 1e6);
    tw_readings_add_number(x, as, "would_take_ms", (double)without_ns / 1e6);
    tw_readings_add_number(x, as, "half_as_far_ms",
                           (double)MAX(all_ns - way_ns / 2, least_ns) / 1e6);
}

static void tell_round_trips(const struct tw_context *context, const struct tw_chain *c,
                             const struct tw_span *as, struct tw_explanation *x)
{
    tcpwhy_ns way_ns = c->way_ns - c->connect_ns;

    tw_readings_add_number(x, as, "round_trips", trips(context, way_ns));
    tw_readings_add_number(x, as, "rtt_us", (double)context->vantage.rtt_min_ns / 1e3);
    tw_readings_add_number(x, as, "way_ms", (double)way_ns / 1e6);
    tw_readings_add_number(x, as, "answer_us", (double)c->think_ns / 1e3 / c->exchanges);
    tell_estimate(context, as, c->all_ns, way_ns, x);
}

static void tell_path_latency(const struct tw_context *context, const struct tw_chain *c,
                              const struct tw_span *as, struct tw_explanation *x)
{
    uint32_t n = trips(context, c->way_ns), tcp = trips(context, c->connect_ns);
    uint32_t tls = MIN(c->tls_exchanges, n - tcp);

    tw_readings_add_number(x, as, "round_trips", n);
    tw_readings_add_number(x, as, "rtt_us", (double)context->vantage.rtt_min_ns / 1e3);
    tw_readings_add_number(x, as, "tcp_round_trips", tcp);
    tw_readings_add_number(x, as, "tls_round_trips", tls);
    tw_readings_add_number(x, as, "request_round_trips", n - tcp - tls);
    if (tcp + tls > 0)
        tw_readings_add_number(x, as, "kept_open_saves_ms",
                               (double)((tcp + tls) * context->vantage.rtt_min_ns) / 1e6);
    tell_estimate(context, as, c->all_ns, c->way_ns, x);
}

static void tell_echoes(const struct tw_context *context, const struct tw_chain *c,
                        const struct tw_span *as, struct tw_explanation *x)
{
    tw_readings_add_word(x, as, "kind", tw_window_kind_echoes);
    tw_readings_add_number(x, as, "rtt_us", (double)context->vantage.rtt_min_ns / 1e3);
    tw_readings_add_number(x, as, "keys", c->exchanges);
}

/* A kind of reading: its chains, and the total time that makes it one. */
struct kind {
    struct tw_span as;
    bool (*is)(const struct tw_context *context, const struct tw_chain *chain);
    void (*tell)(const struct tw_context *context, const struct tw_chain *all,
                 const struct tw_span *as, struct tw_explanation *out);
    tcpwhy_ns least_ns;
};

static void read_kind(const struct tw_context *context, const struct kind *kind,
                      struct tw_explanation *out)
{
    struct tw_chain_search search = { context, out, 0, 0 };
    struct tw_chain chain, all = { 0 };

    while (tw_chain_next(&search, &chain))
        if (kind->is(context, &chain))
            add_up(&all, &chain);
    if (all.way_ns - all.connect_ns < kind->least_ns || all.exchanges == 0)
        return;
    search = (struct tw_chain_search) { context, out, 0, 0 };
    while (tw_chain_next(&search, &chain))
        if (kind->is(context, &chain))
            read_chain(context, &chain, &kind->as, out);
    kind->tell(context, &all, &kind->as, out);
}

/* A connection that a client opened for one task. */
static void note_short_way(const struct tw_context *context, struct tw_explanation *x)
{
    struct tw_chain_search search = { context, x, 0, 0 };
    struct tw_short_way *way = &x->short_way;
    struct tw_chain c;

    if (!tw_chain_next(&search, &c) || !c.connects || c.exchanges == 0 || c.exchanges > TW_MANY ||
        TW_QUARTER * (c.all_ns - c.way_ns) > c.all_ns)
        return;
    way->span = x->span[c.first];
    way->span.cause = TCPWHY_ROUND_TRIPS;
    way->span.party = TCPWHY_PARTY_CLIENT;
    way->span.from = TCPWHY_CLIENT;
    way->span.to_ns = way->span.from_ns + c.way_ns;
    way->span.last_record = x->span[c.end - 1].last_record;
    way->span.count = 1;
    way->to_ns = x->span[c.end - 1].to_ns;
    way->index = c.first;
}

/* A kernel that waits this long retransmits (RFC 1122, 4.2.3.1): without retransmissions the
 * capture's times are made up. */
static bool is_made(const struct tw_context *context)
{
    const struct tw_side *side = context->connection->side;

    return context->vantage.rtt_min_ns > TW_OLD_INITIAL_RTO_NS &&
           side[0].retransmissions + side[1].retransmissions == 0;
}

/* Hardly any path is longer than the initial RTO (RFC 6298, appendix A), satellites included: the
 * rest may be a queue that others keep full. */
static void doubt_length(const struct tw_context *context, struct tw_span *as)
{
    if (context->vantage.rtt_min_ns <= TW_INITIAL_RTO_NS)
        return;
    as->confidence = TCPWHY_LIKELY;
    as->rival = TCPWHY_BANDWIDTH_LIMITED;
}

void tw_distance_read(const struct tw_context *context, struct tw_explanation *out)
{
    struct kind kinds[] = {
        { { .cause = TCPWHY_ROUND_TRIPS, .party = TCPWHY_PARTY_CLIENT, .from = TCPWHY_CLIENT },
          is_round_trips,
          tell_round_trips,
          TW_FACTOR * TW_FLOW_OF_THOUGHT_NS },
        { { .cause = TCPWHY_PATH_LATENCY, .party = TCPWHY_PARTY_PATH, .from = TCPWHY_SERVER },
          is_path_latency,
          tell_path_latency,
          0 },
    };
    struct kind echoes = { kinds[1].as, is_echoed, tell_echoes, TW_FLOW_OF_THOUGHT_NS };

    if (context->vantage.rtt_min_ns < TW_WORTH_NS || is_made(context))
        return;
    if (tw_credits_read(context, out))
        return;
    for (int side = 0; side < 2; side++)
        if (tw_grants_read(context, (enum tcpwhy_side)side, out))
            return;
    if (tw_keys_are_typed(context->log, context->exchanges)) {
        doubt_length(context, &echoes.as);
        read_kind(context, &echoes, out);
        return;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        doubt_length(context, &kinds[i].as);
        read_kind(context, &kinds[i], out);
    }
    if (out->n_readings == 0)
        note_short_way(context, out);
}
