/* SPDX-License-Identifier: MIT */
#include "explain/walk.h"

#include <glib.h>

#include "explain/arrival.h"
#include "explain/charge.h"
#include "explain/ending.h"
#include "explain/gaps.h"
#include "explain/hearing.h"
#include "explain/late.h"
#include "explain/spans.h"
#include "explain/ticks.h"

/* A longer silence is none of a busy path's. */
#define BUSY_NS TCPWHY_MS(5)

struct walker {
    struct tw_scene *scene;
    const struct tw_record *record; /* of the log */
    struct tw_charging charging;
    tcpwhy_ns at_once_ns[2]; /* tw_sends_at_once() of each side */
    bool guessed;            /* as in struct tw_wait, of the waits to come */
    bool unsure;             /* whose turn it is */
    bool cut;                /* the capture ends with the wait to come, and nobody the connection */
    uint32_t at;             /* the record at which the next wait begins */
    uint32_t round[2];       /* of each side's send that ended a wait last */
    uint32_t next[2];  /* a send of each side: those before it are before what is asked for next */
    tcpwhy_ns rest_ns; /* of the next wait, what the path needs for the rest of the message before;
                          unknown: the shortest way */
    uint32_t question; /* the record that asks for what is awaited next; or TW_NO_RECORD: the one
                          at which the wait begins */
    struct tw_closed closed;    /* as in struct tw_wait; only the last may have it */
    uint32_t asked[2], talk[2]; /* the record after which each side was last asked for, and the
                                   first after it with which that side says something */
};

static const struct tw_record *record_at(const struct walker *w, uint32_t i)
{
    return &w->record[i];
}

/* Index of the sender's first send at or after a record, which is never before the one that was
 * asked for last. */
static uint32_t send_from(struct walker *w, enum tcpwhy_side sender, uint32_t record)
{
    const struct tw_sends *x = &w->scene->sends[sender];
    uint32_t next = w->next[sender];

    while (next < x->n && x->send[next].record < record)
        next++;
    w->next[sender] = next;
    return next;
}

/* The round of a send, which is never before the one that was asked for last. */
static const struct tw_round *round_of(struct walker *w, enum tcpwhy_side sender, uint32_t index)
{
    const struct tw_round *round = w->scene->rounds[sender].round;
    uint32_t *at = &w->round[sender];

    while (round[*at].last < index)
        (*at)++;
    return &round[*at];
}

/* Of a side's send that stands in a record, or NULL: it is none. The side must have rounds. */
static const struct tw_round *round_at(struct walker *w, enum tcpwhy_side sender, uint32_t record)
{
    const struct tw_sends *x = &w->scene->sends[sender];
    uint32_t index;

    index = send_from(w, sender, record);
    return index < x->n && x->send[index].record == record ? round_of(w, sender, index) : NULL;
}

/* Did a send that has one before it leave at once when an ACK moved something? */
static bool released_by_ack(const struct walker *w, enum tcpwhy_side sender,
                            const struct tw_send *s)
{
    tcpwhy_ns moved_ns = tw_send_moved_ns(&w->scene->sends[sender], s);

    return moved_ns != TCPWHY_NS_UNKNOWN && moved_ns > s[-1].sent_ns &&
           s->sent_ns - moved_ns <= w->at_once_ns[sender];
}

static void describe_send(struct walker *w, struct tw_wait *wait, uint32_t index)
{
    const struct tw_sends *x = &w->scene->sends[wait->sender];
    const struct tw_rounds *rounds = &w->scene->rounds[wait->sender];
    const struct tw_send *s = &x->send[index];
    tcpwhy_ns moved_ns;

    wait->send = s;
    if (!x->heard)
        return;
    wait->busy = index < rounds->n_busy && rounds->busy[index] &&
                 wait->to_ns - wait->from_ns <= MAX(w->scene->vantage.rtt_min_ns, BUSY_NS);
    wait->drained = s->acked >= tw_send_seq(s);
    if (index > 0) {
        wait->before = s - 1;
        wait->round = rounds->n ? round_of(w, wait->sender, index - 1) : NULL;
    }
    moved_ns = tw_send_moved_ns(x, s);
    if (moved_ns == TCPWHY_NS_UNKNOWN)
        return;
    wait->lag_ns = s->sent_ns - moved_ns;
    wait->ack_released = wait->before && released_by_ack(w, wait->sender, s);
}

/* The shortest way, but for what of it was gone when the wait began: questions may be asked before
 * others are answered. Where what is left is no more than the way varies, it is all wire. */
static tcpwhy_ns way_and_back(const struct walker *w, enum tcpwhy_side sender, tcpwhy_ns wait_ns)
{
    const struct tw_vantage *v = &w->scene->vantage;
    tcpwhy_ns way = 2 * v->to_side_ns[sender];

    if (w->question != TW_NO_RECORD)
        way = MAX(0, way + record_at(w, w->question)->time_ns - record_at(w, w->at)->time_ns);
    return wait_ns <= way + v->jitter_ns[sender] ? wait_ns : way;
}

/* Of a wait up to a record, what the network takes. */
static tcpwhy_ns wire_time(struct walker *w, enum tcpwhy_side sender, uint32_t to)
{
    tcpwhy_ns wait_ns = record_at(w, to)->time_ns - record_at(w, w->at)->time_ns;
    tcpwhy_ns rest_ns = w->rest_ns;

    w->rest_ns = TCPWHY_NS_UNKNOWN;
    return rest_ns == TCPWHY_NS_UNKNOWN ? way_and_back(w, sender, wait_ns) : MIN(rest_ns, wait_ns);
}

/* Of what ends the wait, described before: how late it came. */
static void find_lateness(struct walker *w, struct tw_wait *wait, uint32_t index)
{
    const struct tw_rounds *rounds = &w->scene->rounds[wait->sender];
    struct tw_late late = tw_late_find(w->scene, wait);

    if (late.most_ns == 0)
        return;
    wait->late_ns = late.sure_ns;
    wait->maybe_late_ns = late.most_ns - late.sure_ns;
    wait->wire_ns += late.sure_ns;
    wait->queued = (wait->round && wait->round->standing_queue) ||
                   (rounds->n && round_of(w, wait->sender, index)->standing_queue);
}

/* One wait from where the walker stands to a record; send_index: the send that ends it, or -1. */
static void visit(struct walker *w, enum tw_phase phase, enum tcpwhy_side sender, uint32_t to,
                  int64_t send_index, bool final)
{
    struct tw_wait wait = {
        .scene = w->scene,
        .phase = phase,
        .sender = sender,
        .from_ns = record_at(w, w->at)->time_ns,
        .to_ns = record_at(w, to)->time_ns,
        .wire_ns = 0,
        .late_ns = 0,
        .maybe_late_ns = 0,
        .first_record = w->at,
        .last_record = to,
        .closed = w->closed,
        .send = NULL,
        .before = NULL,
        .round = NULL,
        .lag_ns = TCPWHY_NS_UNKNOWN,
        .queued = false,
        .ack_released = false,
        .final = final,
        .drained = false,
        .missing = tw_gaps_between(w->scene, w->at, to),
        .busy = false,
        .guessed = w->guessed,
        .cut = w->cut,
        .episode = NULL,
    };

    if (phase != TW_PHASE_MESSAGE)
        wait.wire_ns = wire_time(w, sender, to);
    if (send_index >= 0)
        describe_send(w, &wait, (uint32_t)send_index);
    else if (phase == TW_PHASE_ARRIVAL)
        wait.round = round_at(w, sender, wait.first_record);
    if (send_index >= 0 && phase != TW_PHASE_MESSAGE)
        find_lateness(w, &wait, (uint32_t)send_index);
    w->at = to;
    tw_charge_wait(&w->charging, &wait);
}

/*
 * What is left of a message's way when a wait begins at its last frame. As long as the receiver
 * lacks the end it cannot answer, and is not waited for.
 */
static void visit_arrival(struct walker *w, uint32_t to)
{
    enum tcpwhy_side sender = (enum tcpwhy_side)record_at(w, w->at)->from;
    const struct tw_round *round;
    struct tw_arrival arrival;

    if (w->scene->rounds[sender].capacity <= 0) /* no queue stands anywhere */
        return;
    round = round_at(w, sender, w->at);
    if (!round || !tw_arrival_watch(w->scene->log, &w->scene->vantage, round, w->at, to, &arrival))
        return;
    visit(w, TW_PHASE_ARRIVAL, sender, arrival.newest, -1, false);
    w->rest_ns = arrival.rest_ns;
}

/* What the sender heard is asked for now. */
static void hear(struct tw_scene *scene, enum tcpwhy_side sender)
{
    struct tw_sends *x = &scene->sends[sender];

    tw_sends_hear(x, scene->log, &scene->survey, &scene->vantage, scene->scratch);
    scene->ticks[sender] = tw_ticks_shown(x, &scene->rounds[sender]);
}

/* The wait for the first frame of a message. */
static void visit_start(struct walker *w, enum tw_phase phase, enum tcpwhy_side sender, uint32_t to)
{
    const struct tw_sends *x = &w->scene->sends[sender];
    uint32_t i;

    if (to <= w->at)
        return;
    visit_arrival(w, to);
    if (!x->heard && phase != TW_PHASE_IDLE &&
        record_at(w, to)->time_ns - record_at(w, w->at)->time_ns >= TW_ASKED_NS)
        hear(w->scene, sender);
    i = send_from(w, sender, to);
    visit(w, phase, sender, to, i < x->n && x->send[i].record == to ? (int64_t)i : -1, false);
}

/*
 * Pass the sends from one on that follow each other in the burst of the last wait, as whose it is
 * all charged; most of a bulk transfer is passed here. Waits of no length are nobody's.
 * @return the first that is of no burst.
 */
static uint32_t pass_burst(struct walker *w, enum tcpwhy_side sender, uint32_t i, uint32_t last)
{
    const struct tw_sends *x = &w->scene->sends[sender];
    const struct tw_charging *t = &w->charging;
    const tcpwhy_ns longest_ns = t->round ? tw_charge_burst_ns(t, sender) : 0;
    const uint32_t round_end = longest_ns > 0 ? t->round->last + 1 : 0;
    uint32_t at = w->at, burst_end = TW_NO_RECORD;
    tcpwhy_ns at_ns = record_at(w, at)->time_ns;

    for (; i < x->n && x->send[i].record <= last; i++) {
        uint32_t to = x->send[i].record;
        tcpwhy_ns to_ns = record_at(w, to)->time_ns;

        if ((x->send[i].is & TW_SEND_SPURIOUS) && to != last)
            continue;
        if (to_ns - at_ns > longest_ns)
            break;
        if (to_ns > at_ns) {
            if (i > round_end || to_ns > t->until_ns || tw_gaps_between(w->scene, at, to))
                break;
            burst_end = to;
        }
        at = to;
        at_ns = to_ns;
    }
    if (burst_end != TW_NO_RECORD)
        tw_spans_extend(t->out, record_at(w, burst_end)->time_ns, burst_end);
    w->at = at;
    return i;
}

/* Did TCP hold a send back, and not who writes? */
static bool was_held(const struct walker *w, enum tcpwhy_side sender, uint32_t i)
{
    const struct tw_sends *x = &w->scene->sends[sender];
    const struct tw_send *s = &x->send[i];

    if ((s->is & TW_SEND_REPEAT) || tw_send_fills_sliver(s))
        return true;
    return i > 0 && ((s->allowed_ns != TCPWHY_NS_UNKNOWN && s->allowed_ns > s[-1].sent_ns) ||
                     released_by_ack(w, sender, s));
}

/* The waits within a message, up to its last frame. */
static void visit_message(struct walker *w, enum tcpwhy_side sender, uint32_t last, bool awaited)
{
    const struct tw_sends *x = &w->scene->sends[sender];

    uint32_t i = send_from(w, sender, w->at + 1);

    while ((i = pass_burst(w, sender, i, last)) < x->n && x->send[i].record <= last) {
        const struct tw_send *s = &x->send[i];
        bool quiet = record_at(w, s->record)->time_ns - record_at(w, w->at)->time_ns >= TW_QUIET_NS;
        bool held = quiet && was_held(w, sender, i);

        /* Perhaps the sender spoke twice, once unasked; then questions and answers are mixed up. */
        w->unsure |= w->guessed && quiet && !held;
        visit(w, quiet && !awaited && !held ? TW_PHASE_IDLE : TW_PHASE_MESSAGE, sender, s->record,
              (int64_t)i, s->record == last);
        i++;
    }
}

/* The side's first record after that one with data, FIN or RST; the log's length when there is
 * none. It is asked for ever later ones, so that the search goes on where it stopped. */
static uint32_t next_talk(struct walker *w, enum tcpwhy_side side, uint32_t record)
{
    uint32_t *talk = &w->talk[side];

    if (record < w->asked[side] || *talk <= record)
        *talk = record + 1;
    w->asked[side] = record;
    for (; *talk < w->scene->log->n; (*talk)++) {
        const struct tw_record *r = record_at(w, *talk);

        if (r->from == side && (r->len || (r->flags & (TW_FIN | TW_RST))))
            break;
    }
    return *talk;
}

/* Does the other side send data, or end the connection, soon after this record? */
static bool reacted_to(struct walker *w, uint32_t record)
{
    const struct tw_record *from = record_at(w, record);
    uint32_t talk = next_talk(w, tw_other((enum tcpwhy_side)from->from), record);

    return talk < w->scene->log->n && record_at(w, talk)->time_ns - from->time_ns <=
                                          TW_QUIET_NS + MAX(w->scene->vantage.rtt_min_ns, 0);
}

/* Is there more of a message, up to its last frame? */
static bool goes_on(const struct walker *w, uint32_t last)
{
    return last != TW_NO_RECORD && last > w->at;
}

/*
 * Messages that the protocol does not tell apart may be several: waits between their segments, and
 * for an answer that nobody reacts to, may be for something that nobody asked for. So may the
 * pieces of a response whose length nobody told (chunks; server-sent events).
 */
static void visit_exchange(struct walker *w, const struct tw_exchange *e)
{
    enum tcpwhy_side answerer = tw_other(e->asker);
    /* A side that speaks first is awaited from the start; later it speaks when it likes. */
    bool unasked = e->request_first == TW_NO_RECORD && e != w->scene->exchanges->exchange;
    bool awaited;

    w->guessed = !e->framed;
    if (e->request_first != TW_NO_RECORD)
        visit_start(w, TW_PHASE_IDLE, e->asker, e->request_first);
    if (goes_on(w, e->request_last))
        visit_message(w, e->asker, e->request_last,
                      e->framed || e->response_first != TW_NO_RECORD ||
                          reacted_to(w, e->request_last));
    if (e->response_first == TW_NO_RECORD)
        return;
    awaited = e->framed || reacted_to(w, e->response_last);
    w->guessed = !awaited || (!e->framed && w->unsure);
    w->question = e->request_last;
    visit_start(w, unasked ? TW_PHASE_IDLE : TW_PHASE_TURN, answerer, e->response_first);
    w->question = TW_NO_RECORD;
    w->guessed = !e->framed || e->in_pieces;
    if (goes_on(w, e->response_last))
        visit_message(w, answerer, e->response_last, awaited);
}

/* After the last byte: an answer that never came, or nothing left to ask. */
static void visit_tail(struct walker *w)
{
    const struct tw_exchanges *all = w->scene->exchanges;
    const struct tw_exchange *last = all->n ? &all->exchange[all->n - 1] : NULL;
    bool unanswered =
        last && last->request_last != TW_NO_RECORD && last->response_first == TW_NO_RECORD;
    uint32_t end = tw_ending_find(w->scene->log, w->at);

    if (end <= w->at)
        return;
    visit_arrival(w, end);
    w->cut = tw_ending_is_cut(w->scene->log, w->at, end) && !(last && last->framed);
    if (tw_ending_is_closed(w->scene->log, w->at, end, &w->closed))
        visit(w, TW_PHASE_MESSAGE, w->closed.sender, end, -1, false);
    else if (unanswered)
        visit(w, TW_PHASE_TURN, tw_other(last->asker), end, -1, false);
    else
        visit(w, TW_PHASE_IDLE, TCPWHY_CLIENT, end, -1, false);
}

uint32_t tw_walk(struct tw_scene *scene, uint32_t from, struct tw_explanation *out)
{
    struct walker w = { .scene = scene,
                        .record = scene->log->record,
                        .unsure = !scene->connection->side[TCPWHY_CLIENT].syn,
                        .rest_ns = TCPWHY_NS_UNKNOWN,
                        .question = TW_NO_RECORD,
                        .closed = { .record = TW_NO_RECORD },
                        .at = from };

    for (int i = 0; i < 2; i++)
        w.at_once_ns[i] = tw_sends_at_once(&scene->vantage, (enum tcpwhy_side)i);
    tw_gaps_mark(scene);
    tw_charge_begin(&w.charging, scene, out);
    for (uint32_t i = 0; i < scene->exchanges->n; i++)
        visit_exchange(&w, &scene->exchanges->exchange[i]);
    visit_tail(&w);
    return w.at;
}
