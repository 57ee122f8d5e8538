/* SPDX-License-Identifier: MIT */
#include "explain/explain.h"

#include <glib.h>

#include "explain/connect.h"
#include "explain/detectors.h"
#include "explain/ending.h"
#include "explain/spans.h"
#include "explain/ticks.h"
#include "explain/vantage.h"
#include "explain/walk.h"

static void set_scene(struct tw_scene *scene)
{
    const struct tw_log *log = scene->log;

    for (int i = 0; i < 2; i++) {
        struct tw_sends *sends = &scene->sends[i];

        tw_sends_build(scene->connection, log, &scene->vantage, (enum tcpwhy_side)i, sends);
        tw_rounds_build(log, sends, &scene->vantage, &scene->rounds[i]);
        tw_recovery_build(log, sends, &scene->vantage, &scene->recovery[i]);
        scene->ticks[i] = tw_ticks_shown(sends);
    }
}

static void clear_scene(struct tw_scene *scene)
{
    for (int i = 0; i < 2; i++) {
        tw_sends_clear(&scene->sends[i]);
        tw_rounds_clear(&scene->rounds[i]);
        tw_recovery_clear(&scene->recovery[i]);
    }
}

static void add_piece(struct tw_explanation *out, const struct tw_wait *w, const struct tw_claim *c,
                      tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
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

    tw_spans_add(out, &span);
}

/* Ask the detectors; what the winner leaves of the wait is wire. */
static void charge(struct tw_explanation *out, const struct tw_wait *w)
{
    const struct tw_claim wire = { .cause = TCPWHY_WIRE,
                                   .party = TCPWHY_PARTY_PATH,
                                   .confidence = TCPWHY_CERTAIN,
                                   .from = w->sender,
                                   .key_record = TW_NO_RECORD };

    for (unsigned i = 0; i < tw_n_detectors; i++) {
        struct tw_claim c = { .cause = tw_detectors[i]->cause,
                              .confidence = TCPWHY_CERTAIN,
                              .from = w->sender,
                              .from_ns = w->from_ns,
                              .to_ns = w->to_ns,
                              .key_record = TW_NO_RECORD };

        if (!tw_detectors[i]->claim(w, &c))
            continue;
        add_piece(out, w, &wire, w->from_ns, c.from_ns);
        add_piece(out, w, &c, c.from_ns, c.to_ns);
        add_piece(out, w, &wire, c.to_ns, w->to_ns);
        return;
    }
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
static void take_wait(void *user, const struct tw_wait *wait)
{
    struct tw_wait piece = *wait;

    for (tcpwhy_ns at = wait->from_ns; at < wait->to_ns; at = piece.to_ns) {
        tcpwhy_ns next;

        piece.from_ns = at;
        piece.episode = repair_at(wait, at, &next);
        piece.to_ns = MIN(wait->to_ns, MAX(next, at + 1));
        piece.wire_ns = at == wait->from_ns ? wait->wire_ns : 0;
        charge(user, &piece);
    }
}

void tw_explain(const struct tw_connection *connection, const struct tw_log *log,
                const struct tw_exchanges *exchanges, struct tw_explanation *out)
{
    struct tw_scene scene = { .connection = connection, .log = log, .exchanges = exchanges };

    *out = (struct tw_explanation) { 0 };
    if (log->n == 0)
        return;
    tw_vantage_infer(log, &scene.vantage);
    out->vantage = scene.vantage;
    set_scene(&scene);

    uint32_t from = tw_connect_explain(connection, log, out);
    uint32_t end = tw_walk(&scene, from, take_wait, out);

    tw_ending_explain(log, end, out);
    clear_scene(&scene);
}

void tw_explanation_clear(struct tw_explanation *explanation)
{
    g_free(explanation->span);
    g_free(explanation->detail);
    *explanation = (struct tw_explanation) { 0 };
}
