/* SPDX-License-Identifier: MIT */
#include "report/findings/materiality.h"

#include "base/causes.h"
#include "base/clock_step.h"
#include "base/memory.h"
#include "base/ns.h"
#include "explain/thresholds.h"

bool tw_is_failure(enum tcpwhy_cause cause)
{
    return cause == TCPWHY_CONNECT_REFUSED;
}

/* Nobody waits for these to end. */
#define NOBODY_WAITS                                                                               \
    (TW_CAUSE(TCPWHY_CLIENT_IDLE) | TW_CAUSE(TCPWHY_CLOSE) | TW_CAUSE(TCPWHY_KEEP_ALIVE))
#define THINK (TW_CAUSE(TCPWHY_SERVER_THINK) | TW_CAUSE(TCPWHY_CLIENT_THINK))

/* No packet is lost in normal operation, and a full path delays each segment: however short each
 * of these is, they add up. */
#define ADDS_UP                                                                                    \
    (TW_CAUSE(TCPWHY_LOSS_RECOVERY) | TW_CAUSE(TCPWHY_MTU_BLACK_HOLE) |                            \
     TW_CAUSE(TCPWHY_BANDWIDTH_LIMITED))

/* Costs of each piece of a message, even on a connection without problems. */
#define OF_A_PIECE                                                                                 \
    (TW_CAUSE(TCPWHY_SLOW_START) | TW_CAUSE(TCPWHY_SLOW_START_AFTER_IDLE) |                        \
     TW_CAUSE(TCPWHY_PACING) | TW_CAUSE(TCPWHY_SEND_BUFFER_LIMITED))

/* The shortest gap that counts, and that the capture's clock resolves. */
struct least {
    tcpwhy_ns wait_ns, part_ns;
    tw_causes unfelt; /* causes that nobody waits for: the client goes on by a clock */
};

static struct least find_least(tcpwhy_ns clock_step_ns)
{
    tcpwhy_ns told_ns = TW_CLOCK_TOLD_STEPS * clock_step_ns;

    return (struct least) { MAX(TW_MATERIAL_WAIT, told_ns), told_ns, 0 };
}

/* May a wait of that cause and length count? Outliers among short thinking are left out later. */
static bool may_count(enum tcpwhy_cause cause, tcpwhy_ns ns, struct least least)
{
    tcpwhy_ns least_ns = ADDS_UP & TW_CAUSE(cause) ? least.part_ns : least.wait_ns;

    return (ns >= least_ns || tw_is_failure(cause)) && tw_cause_blames(cause);
}

/* May any of the spans? None is longer than its line of the ledger. */
static bool any_may_count(const struct tw_stream_row *s, struct least least)
{
    for (size_t i = 0; i < s->n_ledger; i++)
        if (may_count(s->ledger[i].cause, s->ledger[i].ns, least))
            return true;
    return false;
}

/* Times that somebody thought, and those of them that are long. */
struct thinking {
    uint32_t n, n_long;
};

/* Index of the two think-time causes, by who thought. */
static unsigned thinker(const struct tw_span *span)
{
    return span->cause == TCPWHY_CLIENT_THINK;
}

static tcpwhy_ns total_of(const struct tw_stream_row *s, enum tcpwhy_cause cause)
{
    tcpwhy_ns sum_ns = 0;

    for (size_t i = 0; i < s->n_ledger; i++)
        if (s->ledger[i].cause == cause)
            sum_ns = tw_ns_add(sum_ns, s->ledger[i].ns);
    return sum_ns;
}

/* Causes that nobody waits for: those of a piece, while time is left until the next one, and a
 * program that takes little of all the time. */
static tw_causes unfelt_of(const struct tw_stream_row *s)
{
    static const enum tcpwhy_cause programs[] = { TCPWHY_SERVER_THINK, TCPWHY_CLIENT_THINK,
                                                  TCPWHY_APP_LIMITED };
    tw_causes unfelt = OF_A_PIECE;

    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
        if (!tw_is_material(programs[i], total_of(s, programs[i]), s->duration_ns))
            unfelt |= TW_CAUSE(programs[i]);
    /* a queue of others may hold up each piece */
    if (total_of(s, TCPWHY_BANDWIDTH_LIMITED) <= s->duration_ns / TW_EXCEPTIONS_SHARE)
        unfelt |= TW_CAUSE(TCPWHY_BANDWIDTH_LIMITED);
    return unfelt;
}

static bool counts(const struct tw_span *span, const struct thinking thinking[2],
                   struct least least)
{
    const struct thinking *t = &thinking[thinker(span)];
    tcpwhy_ns ns = span->to_ns - span->from_ns;
    bool outlier = (THINK & TW_CAUSE(span->cause)) && 2 * t->n_long <= t->n;

    /* Another pause of the program may be of the same clock. */
    if (least.unfelt & TW_CAUSE(span->cause) ||
        (least.unfelt && span->cause == TCPWHY_APP_LIMITED && span->confidence != TCPWHY_CERTAIN))
        return false;
    return may_count(span->cause, ns, least) && (!outlier || ns >= TW_MATERIAL_OUTLIER);
}

/* Is the cause unknown? With a coarse clock, nothing that it showed by a single step counts. */
static bool is_unknown(const struct tcpwhy_ledger_entry *e, bool coarse)
{
    return e->cause == TCPWHY_UNKNOWN ||
           (e->confidence == TCPWHY_AMBIGUOUS && (coarse || e->cause == TCPWHY_WIRE));
}

/* Divide a lifetime into waiting, idle time and missing frames; no verdict is drawn across the
 * last. */
static void divide(const struct tw_stream_row *s, bool coarse, struct tw_weight *weight)
{
    for (size_t i = 0; i < s->n_ledger; i++) {
        const struct tcpwhy_ledger_entry *e = &s->ledger[i];
        bool unknown = is_unknown(e, coarse);

        if (e->cause == TCPWHY_CAPTURE_GAP)
            weight->gap_ns = tw_ns_add(weight->gap_ns, e->ns);
        else if (unknown || !(NOBODY_WAITS & TW_CAUSE(e->cause)))
            weight->waited_ns = tw_ns_add(weight->waited_ns, e->ns);
        else if (e->cause != TCPWHY_CLOSE)
            tw_idle_add(&weight->idle, e->ns, e->confidence, e->rival);
        if (unknown)
            weight->unknown_ns = tw_ns_add(weight->unknown_ns, e->ns);
    }
}

/* Readings of propagation were weighed when they were made. */
static void keep_readings(const struct tw_explanation *x, struct tw_weight *weight)
{
    for (uint32_t i = 0; i < x->n_readings; i++)
        weight->material[weight->n_material++] =
            (struct tw_material) { x->reading[i].span, x->reading[i].index };
}

/* There are no more than most. A span that is read as another cause counts as that: readings of
 * other causes than `wire`, which does not count, are in order. */
static void keep_material(const struct tw_explanation *x, const struct thinking thinking[2],
                          struct least least, uint32_t most, struct tw_weight *weight)
{
    uint32_t reading = 0;

    weight->material = tw_new(struct tw_material, most);
    for (uint32_t i = 0; i < x->n_spans; i++) {
        while (reading < x->n_readings && x->reading[reading].index < i)
            reading++;
        if (reading < x->n_readings && x->reading[reading].index == i)
            continue;
        if (counts(&x->span[i], thinking, least))
            weight->material[weight->n_material++] = (struct tw_material) { x->span[i], i };
    }
    keep_readings(x, weight);
    if (weight->n_material == 0 || x->n_details == 0)
        return;
    weight->detail = tw_memdup2(x->detail, x->n_details * sizeof *x->detail);
    weight->n_details = x->n_details;
}

void tw_weigh(const struct tw_explanation *x, const struct tw_stream_row *s,
              tcpwhy_ns clock_step_ns, struct tw_weight *weight)
{
    struct least least = find_least(clock_step_ns);
    struct thinking thinking[2] = { { 0, 0 } };
    uint32_t most = x->n_readings;

    *weight = (struct tw_weight) { .short_way = x->short_way };
    divide(s, clock_step_ns > 0, weight);
    if (x->n_readings == 0 && !any_may_count(s, least))
        return;
    if (tw_idle_is_steady(x, clock_step_ns))
        least.unfelt = unfelt_of(s);
    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];
        tcpwhy_ns ns = span->to_ns - span->from_ns;

        if (THINK & TW_CAUSE(span->cause)) {
            thinking[thinker(span)].n++;
            thinking[thinker(span)].n_long += ns >= TW_MATERIAL_WAIT;
        }
        most += may_count(span->cause, ns, least);
    }
    if (most > 0)
        keep_material(x, thinking, least, most, weight);
}

void tw_weight_take_requests(struct tw_weight *weight, const struct tw_exchanges *exchanges)
{
    for (uint32_t i = 0; i < weight->n_material; i++)
        if (weight->material[i].span.cause == TCPWHY_ROUND_TRIPS) {
            weight->repeated = tw_repeated_request_find(exchanges);
            return;
        }
}

void tw_weight_clear(struct tw_weight *weight)
{
    tw_free(weight->repeated.name);
    if (weight->material)
        tw_free(weight->material);
    if (weight->detail)
        tw_free(weight->detail);
    *weight = (struct tw_weight) { 0 };
}

bool tw_is_material(enum tcpwhy_cause cause, tcpwhy_ns cost_ns, tcpwhy_ns waited_ns)
{
    if (!tw_is_failure(cause) && cost_ns < TW_MATERIAL_TOTAL)
        return false;
    return (double)cost_ns >= TW_MATERIAL_SHARE * (double)waited_ns;
}
