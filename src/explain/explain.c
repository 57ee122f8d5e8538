/* SPDX-License-Identifier: MIT */
#include "explain/explain.h"

#include <glib.h>

#include "explain/connect.h"
#include "explain/details.h"
#include "explain/detectors.h"
#include "explain/ending.h"
#include "explain/spans.h"
#include "explain/ticks.h"
#include "explain/vantage.h"
#include "explain/walk.h"

/* Segments closer than this follow each other in one burst: a small part of a round trip, and on
 * LANs and long paths what a host or a link takes for a segment or two. */
#define BURST_SHARE 32
#define BURST_MIN   TCPWHY_US(50)
#define BURST_MAX   TCPWHY_MS(1)

/* Facts of the whole connection that one wait after the other is held against. */
static void find_holes(struct tw_scene *scene)
{
    const struct tw_log *log = scene->log;

    for (int i = 0; i < 2; i++) {
        const struct tw_side *side = &scene->connection->side[i];

        scene->hole_bytes[i] = tw_ranges_overlap(&side->holes, 1, side->next);
        scene->last_beyond[i] = TW_NO_RECORD;
    }
    for (uint32_t i = 0; scene->survey.facts & TW_FACT_HOLE_BEFORE && i < log->n; i++)
        if (log->record[i].facts & TW_FACT_HOLE_BEFORE)
            scene->last_beyond[log->record[i].from] = i;
    for (uint32_t i = 0; i < log->n_icmp; i++)
        if (log->icmp[i].kind == TW_ICMP_TOO_BIG)
            scene->too_big[log->icmp[i].to] = true;
}

static void set_scene(struct tw_scene *scene)
{
    const struct tw_log *log = scene->log;

    find_holes(scene);
    tw_sends_build(scene->connection, log, &scene->survey, &scene->vantage, scene->scratch,
                   scene->sends);
    for (int i = 0; i < 2; i++) {
        struct tw_sends *sends = &scene->sends[i];

        tw_recovery_build(log, sends, &scene->vantage, scene->scratch, &scene->recovery[i]);
        tw_rounds_build(sends, &scene->vantage, scene->scratch, &scene->rounds[i]);
        scene->ticks[i] = tw_ticks_shown(sends);
    }
}

static void count_repairs(const struct tw_scene *scene, struct tw_repair_counts *out)
{
    for (int i = 0; i < 2; i++) {
        const struct tw_recovery *r = &scene->recovery[i];

        out->fast += r->repairs[TW_RECOVERY_FAST];
        out->probes += r->repairs[TW_RECOVERY_PROBE];
        out->timeouts += r->repairs[TW_RECOVERY_RTO];
        out->after_timeouts += r->repairs[TW_RECOVERY_AFTER];
        out->spurious += r->spurious;
    }
}

/* What is told, and what the last wait was: a burst is charged as a whole. */
struct teller {
    struct tw_explanation *out;
    tcpwhy_ns burst_ns; /* segments that are not further apart follow each other in one burst */
    bool in_message;    /* the last wait was; then these are its own */
    enum tcpwhy_side sender;
    const struct tw_round *round;
    const struct tw_episode *episode;
};

static void add_piece(struct teller *t, const struct tw_wait *w, const struct tw_claim *c,
                      tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
    if (from_ns >= to_ns)
        return;

    const struct tw_span span = {
        .from_ns = from_ns,
        .to_ns = to_ns,
        .cause = c->cause,
        .party = c->party,
        .from = c->from,
        .confidence = c->confidence,
        .rival = c->rival,
        .first_record = w->first_record,
        .last_record = w->last_record,
        .key_record = c->key_record,
        .count = 1,
    };

    tw_spans_add(t->out, &span);
}

/*
 * The segments of one burst follow each other as fast as the link takes them: what let the first
 * go let them all go.
 */
static bool belongs_to_burst(const struct teller *t, const struct tw_wait *w)
{
    return t->in_message && w->phase == TW_PHASE_MESSAGE && t->sender == w->sender &&
           t->round == w->round && t->episode == w->episode && t->out->n_spans > 0 && !w->missing &&
           w->to_ns - w->from_ns <= t->burst_ns;
}

/* enum tw_needs of a wait. */
static unsigned what_it_has(const struct tw_wait *w)
{
    static const unsigned of_phase[] = {
        [TW_PHASE_IDLE] = TW_NEEDS_IDLE,
        [TW_PHASE_TURN] = TW_NEEDS_TURN | TW_NEEDS_AWAITED,
        [TW_PHASE_MESSAGE] = TW_NEEDS_MESSAGE | TW_NEEDS_AWAITED,
    };
    const struct tw_send *s = w->send;
    unsigned has =
        of_phase[w->phase] | (w->missing ? TW_NEEDS_GAP : 0) | (w->episode ? TW_NEEDS_EPISODE : 0);

    if (!s)
        return has;
    has |= (s->partial ? TW_NEEDS_PARTIAL : 0) | (w->drained ? TW_NEEDS_DRAINED : 0) |
           (w->ack_released ? TW_NEEDS_RELEASED : 0) | (s->closed ? TW_NEEDS_CLOSED : 0);
    if (w->before)
        has |= TW_NEEDS_BEFORE | (w->round->standing_queue ? TW_NEEDS_QUEUE : 0) |
               (w->round->loss_before ? TW_NEEDS_LOSS : 0) |
               (w->round->restarted ? TW_NEEDS_RESTART : 0);
    return has;
}

/* Ask the detectors; what the winner leaves of the wait is wire. */
static void charge(struct teller *t, const struct tw_wait *w)
{
    const struct tw_claim wire = { .cause = TCPWHY_WIRE,
                                   .party = TCPWHY_PARTY_PATH,
                                   .confidence = TCPWHY_CERTAIN,
                                   .from = w->sender,
                                   .key_record = TW_NO_RECORD };

    if (belongs_to_burst(t, w)) {
        tw_spans_extend(t->out, w->to_ns, w->last_record);
        return;
    }
    for (unsigned i = 0, lacks = ~what_it_has(w); i < tw_n_detectors; i++) {
        const struct tw_detector *d = tw_detectors[i];

        if (d->needs & lacks)
            continue;

        struct tw_claim c = { .cause = d->cause,
                              .confidence = TCPWHY_CERTAIN,
                              .from = w->sender,
                              .from_ns = w->from_ns,
                              .to_ns = w->to_ns,
                              .key_record = TW_NO_RECORD };

        if (!d->claim(w, &c))
            continue;
        add_piece(t, w, &wire, w->from_ns, c.from_ns);
        add_piece(t, w, &c, c.from_ns, c.to_ns);
        add_piece(t, w, &wire, c.to_ns, w->to_ns);
        break;
    }
    t->in_message = w->phase == TW_PHASE_MESSAGE;
    t->sender = w->sender;
    t->round = w->round;
    t->episode = w->episode;
}

/* The repair that this moment of the wait lies in: the awaited sender's; where the turn is about
 * to pass, the other side's too. */
static const struct tw_episode *repair_at(const struct tw_wait *w, tcpwhy_ns at, tcpwhy_ns *next)
{
    const struct tw_recovery *r = w->scene->recovery;
    tcpwhy_ns other_next = INT64_MAX;
    const struct tw_episode *e = tw_recovery_at(&r[w->sender], at, next);

    if (!e && w->phase != TW_PHASE_MESSAGE) {
        e = tw_recovery_at(&r[tw_other(w->sender)], at, &other_next);
        *next = MIN(*next, other_next);
    }
    return e;
}

/* Cut a wait where repairs begin and end, and charge each piece. */
static void take_wait(void *user, struct tw_wait *piece)
{
    tcpwhy_ns end_ns = piece->to_ns;

    while (piece->from_ns < end_ns) {
        tcpwhy_ns next;

        piece->episode = repair_at(piece, piece->from_ns, &next);
        piece->to_ns = MIN(end_ns, MAX(next, piece->from_ns + 1));
        charge(user, piece);
        piece->from_ns = piece->to_ns;
        piece->wire_ns = 0;
    }
}

/* Frames of one side that the other must have answered, and no frame of the other: half a capture.
 */
static bool is_one_sided(const struct tw_connection *c, const struct tw_log *log)
{
    if (c->side[0].frames && c->side[1].frames)
        return false;
    for (uint32_t i = 0; i < log->n; i++)
        if (!(log->record[i].flags & (TW_SYN | TW_RST)) ||
            tw_record_is(&log->record[i], TW_SYN | TW_ACK))
            return true;
    return false;
}

/* No verdict across what the capture does not hold. */
static void explain_half(const struct tw_log *log, struct tw_explanation *out)
{
    const struct tw_span span = {
        .from_ns = log->record[0].time_ns,
        .to_ns = log->record[log->n - 1].time_ns,
        .cause = TCPWHY_CAPTURE_GAP,
        .confidence = TCPWHY_CERTAIN,
        .last_record = log->n - 1,
        .key_record = TW_NO_RECORD,
        .count = 1,
    };

    tw_spans_add(out, &span);
}

/* Is all that the log holds more of an end that was told before? */
static bool is_more_of_the_end(const struct tw_connection *c, const struct tw_log *log)
{
    if (c->past.ending == TCPWHY_CAUSE_NONE)
        return false;
    for (uint32_t i = 0; i < log->n; i++)
        if (log->record[i].frame_class == TCPWHY_CLASS_DATA)
            return false;
    return true;
}

/*
 * The log is not the connection's first: what lies between is part of its life, too.
 * @return true when that is all there is to explain.
 */
static bool explain_resumed(const struct tw_connection *c, const struct tw_log *log,
                            struct tw_explanation *out)
{
    bool half = is_one_sided(c, log), over = is_more_of_the_end(c, log);
    bool ended = c->past.ending != TCPWHY_CAUSE_NONE;
    uint32_t last = half || over ? log->n - 1 : 0;
    const struct tw_span span = {
        .from_ns = c->past.last_ns,
        .to_ns = log->record[last].time_ns,
        .cause = half    ? TCPWHY_CAPTURE_GAP
                 : ended ? (enum tcpwhy_cause)c->past.ending
                         : TCPWHY_UNKNOWN,
        .party =
            ended && !half ? tw_party_of((enum tcpwhy_side)c->past.ending_from) : TCPWHY_PARTY_NONE,
        .from = (enum tcpwhy_side)(half ? TCPWHY_CLIENT : c->past.ending_from),
        .confidence = TCPWHY_CERTAIN,
        .last_record = last,
        .key_record = TW_NO_RECORD,
        .count = 1,
    };

    tw_spans_add(out, &span);
    return half || over;
}

static void explain_whole(struct tw_scene *scene, struct tw_explanation *out)
{
    const struct tw_log *log = scene->log;
    struct teller teller = { .out = out };
    uint32_t from, end;
    tcpwhy_ns rtt;

    set_scene(scene);
    rtt = MAX(scene->vantage.rtt_min_ns, 0);
    teller.burst_ns = CLAMP(rtt / BURST_SHARE, BURST_MIN, BURST_MAX);
    from = tw_connect_explain(scene->connection, log, out);
    end = tw_walk(scene, from, take_wait, &teller);
    tw_ending_explain(log, end, out);
    tw_details_build(scene, out);
    count_repairs(scene, &out->repairs);
}

void tw_explain(const struct tw_connection *connection, const struct tw_log *log,
                const struct tw_exchanges *exchanges, struct tw_scratch *scratch,
                struct tw_explanation *out)
{
    struct tw_scene scene = {
        .connection = connection, .log = log, .exchanges = exchanges, .scratch = scratch
    };
    bool told;

    *out = (struct tw_explanation) { 0 };
    if (log->n == 0)
        return;
    out->scratch = scratch;
    tw_vantage_infer(log, scratch, &scene.survey, &scene.vantage);
    tw_scratch_reset(scratch);
    out->vantage = scene.vantage;
    told = connection->past.row != TW_NO_ROW && explain_resumed(connection, log, out);
    if (!told && is_one_sided(connection, log))
        explain_half(log, out);
    else if (!told)
        explain_whole(&scene, out);
    tw_spans_keep(out);
    tw_scratch_reset(scratch);
}

void tw_explanation_clear(struct tw_explanation *explanation)
{
    g_free(explanation->span);
    g_free(explanation->detail);
    *explanation = (struct tw_explanation) { 0 };
}
