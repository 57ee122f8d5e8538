/* SPDX-License-Identifier: MIT */
#include "explain/timeline/timeline.h"

#include <string.h>

#include "app/byte_to_frame.h"
#include "app/greeting.h"
#include "explain/timeline/teardown.h"
#include "explain/timeline/capture_drops.h"
#include "explain/timeline/full_duplex.h"
#include "explain/timeline/message_boundary.h"
#include "explain/timeline/message_walk.h"
#include "explain/timeline/pipelined.h"
#include "explain/thresholds.h"

/* Does the message continue up to its last frame? */
static bool goes_on(const struct tw_cursor *w, uint32_t last)
{
    return last != TW_NO_RECORD && last > w->at;
}

/* Does a response take long and pause? Then the client's reaction to its end says nothing of its
 * start. */
static bool begins_unsurely(struct tw_cursor *w, const struct tw_exchange *e)
{
    tcpwhy_ns wait_ns =
        tw_cursor_record(w, e->response_first)->time_ns - tw_cursor_record(w, w->at)->time_ns;

    return wait_ns >= TW_QUIET_NS &&
           tw_message_pauses(w, tw_other(e->asker), e->response_first, e->response_last);
}

/* A side that speaks first is waited for however long it takes, and so is the answer to a known
 * request (a ClientHello). */
static bool comes_unasked(const struct tw_cursor *w, const struct tw_exchange *e)
{
    return e->request_first != TW_NO_RECORD && !e->request[0] &&
           tw_cursor_record(w, e->response_first)->time_ns - tw_cursor_record(w, w->at)->time_ns >=
               TW_UNASKED_NS;
}

/* Did the client receive more of the previous answer while it asked? Then it may have asked for
 * something else. */
static bool hears_more(const struct tw_cursor *w, const struct tw_exchange *e)
{
    return !e->framed && goes_on(w, e->request_last) &&
           tw_cursor_record(w, e->request_last)->ack > tw_cursor_record(w, e->request_first)->ack;
}

/* The first record of an interim response within the request (100 Continue, RFC 9110, 10.1.1);
 * TW_NO_RECORD: none. */
static uint32_t interim_of(struct tw_cursor *w, const struct tw_exchange *e)
{
    enum tcpwhy_side answerer = tw_other(e->asker);
    const struct tw_sender_timeline *x = &w->context->sends[answerer];
    bool first = e == w->context->exchanges->exchange;
    uint32_t i;

    if (!e->framed || e->response_first == TW_NO_RECORD ||
        e->response_from <= (first ? TW_FIRST_BYTE : e[-1].response_to))
        return TW_NO_RECORD;
    i = tw_cursor_send_from(w, answerer, w->at + 1);
    return i < x->n && x->send[i].record < e->request_last && x->send[i].is & TW_SEND_FRESH &&
                   x->send[i].end <= e->response_from
               ? x->send[i].record
               : TW_NO_RECORD;
}

/* The request up to the interim response: if all of it so far had been sent, the rest waits for
 * that. */
static void visit_to_interim(struct tw_cursor *w, const struct tw_exchange *e, uint32_t interim)
{
    const struct tw_sender_timeline *x = &w->context->sends[e->asker];
    uint32_t i = tw_cursor_send_from(w, e->asker, w->at + 1);

    while (i < x->n && x->send[i].record < interim)
        i++;
    if (i == 0 || i == x->n || x->send[i].record > e->request_last ||
        !tw_cursor_had_said_all(w, e->asker, i) ||
        tw_cursor_record(w, x->send[i].record)->ack < tw_record_end(tw_cursor_record(w, interim)))
        return;
    if (goes_on(w, x->send[i - 1].record))
        tw_message_visit(w, e->asker, x->send[i - 1].record, true);
    tw_cursor_visit_start(w, TW_PHASE_TURN, tw_other(e->asker), interim);
    tw_cursor_visit_start(w, TW_PHASE_TURN, e->asker, x->send[i].record);
}

/* Is it a guess which side asks? */
static bool guesses_asker(const struct tw_cursor *w, const struct tw_exchange *e)
{
    return e->asker_unsure || (!e->framed && tw_connection_guesses_roles(w->context->connection));
}

/* If the capture begins mid-connection, its first data may answer something before it, or
 * nothing. */
static bool begins_unasked(const struct tw_cursor *w, const struct tw_exchange *e)
{
    const struct tw_side *side = w->context->connection->side;

    return !e->framed && e->request_first == TW_NO_RECORD && !side[TCPWHY_CLIENT].syn &&
           !side[TCPWHY_SERVER].syn;
}

/* The server sends on a timer of its own. */
static bool keeps_beat(const struct tw_cursor *w, const struct tw_exchange *e)
{
    return !e->framed && e->asker == TCPWHY_CLIENT && e->request_last != TW_NO_RECORD &&
           tw_cursor_record(w, e->response_first)->time_ns -
                   tw_cursor_record(w, e->request_last)->time_ns >=
               w->habits.server_push.least_ns;
}

/* Whatever the protocol, the first messages open the conversation, if the capture holds them. */
static bool speaks_at_will(const struct tw_cursor *w, const struct tw_exchange *e)
{
    bool opens =
        e == w->context->exchanges->exchange && w->context->connection->side[TCPWHY_CLIENT].syn;

    return e->stands || (e->at_will && !opens);
}

/* Did a response come while the client still listened? */
static bool is_heard(const struct tw_cursor *w, const struct tw_exchange *e)
{
    return e->response_first != TW_NO_RECORD &&
           (e->asker != TCPWHY_CLIENT || e->response_first < w->habits.deaf_from);
}

/* After other exchanges, the client closed along with this data, without waiting for an answer. */
static bool asks_farewell(const struct tw_cursor *w, const struct tw_exchange *e, uint32_t before)
{
    const struct tw_farewell *f = &w->habits.farewell[e->asker];

    return !e->framed && e != w->context->exchanges->exchange && e->request_first == f->first &&
           f->first != TW_NO_RECORD && f->close < before;
}

/* Is the request's first data a goodbye? */
static bool is_farewell(const struct tw_cursor *w, const struct tw_exchange *e)
{
    return asks_farewell(w, e, e->response_first) ||
           (!e->framed && e->request_first != TW_NO_RECORD &&
            tw_farewell_answers_fin(w->context, w->at, e->response_first));
}

static void note_answer(struct tw_cursor *w, const struct tw_exchange *e, tcpwhy_ns took_ns)
{
    if (e->framed || e->request_first == TW_NO_RECORD || w->turns.at_will)
        return;
    w->turns.n_answers++;
    w->turns.longest_answer_ns = MAX(w->turns.longest_answer_ns, took_ns);
}

/* Pipelined requests: the next answer may have been queued behind the one before, so TCP held it as
 * it holds the rest of a message. */
static bool is_held_behind_answer(struct tw_cursor *w, const struct tw_exchange *e)
{
    const enum tcpwhy_side answerer = tw_other(e->asker);
    const struct tw_sender_timeline *x = &w->context->sends[answerer];
    const uint32_t i = tw_cursor_send_from(w, answerer, e->response_first);

    return e->framed && x->heard && e->request_last != TW_NO_RECORD && i > 0 && i < x->n &&
           x->send[i].record == e->response_first && x->send[i - 1].record > e->request_last &&
           x->send[i - 1].record <= w->at && tw_message_boundary_was_held(w, answerer, i);
}

/* A client that closes before it was answered is answered by the server's FIN or RST: that is no
 * answer to its request. */
static void visit_request(struct tw_cursor *w, const struct tw_exchange *e)
{
    bool answered = e->framed || e->lapsed || e->response_first != TW_NO_RECORD,
         awaited = answered || tw_app_reacted_to_words(&w->reactions, w->context, e->request_last);

    w->gap.turn.closes = !awaited && tw_app_reacted_to(&w->reactions, w->context, e->request_last);
    tw_message_visit(w, e->asker, e->request_last, awaited);
    w->gap.turn.closes = false;
}

/* Within a handshake of TLS the client must go on once the server has (RFC 5246, 7.3); the last
 * exchange may be the end of the session. */
static bool owes_next(const struct tw_cursor *w, const struct tw_exchange *e)
{
    const struct tw_exchanges *all = w->context->exchanges;

    return e > all->exchange && e + 1 < all->exchange + all->n && e->of_session &&
           e[-1].of_session && strcmp(e->protocol, "tls") == 0 && is_heard(w, &e[-1]);
}

/* The exchange before had no answer, and its asker waited for it until it asked again. */
static bool lapsed_before(const struct tw_cursor *w, const struct tw_exchange *e)
{
    return e > w->context->exchanges->exchange && e[-1].lapsed && e[-1].asker == e->asker;
}

/* The request's protocol lets the server answer when an event occurs: nobody waits for its work. */
static bool asks_for_news(const struct tw_exchange *e)
{
    return e->stands && (e->framed || e->one_way) && e->request_first != TW_NO_RECORD;
}

/*
 * Without message boundaries, several messages may look like one: gaps between their segments, and
 * before an answer that nobody reacts to, may be for something that nobody asked for. So may the
 * pieces of a response without a length (chunked; server-sent events).
 */
/* An HTTP server does not speak first: its response to a client that had said nothing closes an
 * idle connection (408: RFC 9110, 15.5.9), and nobody waits for it. */
static bool answers_nothing(const struct tw_cursor *w, const struct tw_exchange *e)
{
    return e->request_first == TW_NO_RECORD && e->status > 0 &&
           w->context->connection->side[TCPWHY_CLIENT].syn &&
           tw_cursor_record(w, e->response_first)->ack <= 1 && strcmp(e->protocol, "http") == 0;
}

static void visit_exchange(struct tw_cursor *w, const struct tw_exchange *e)
{
    enum tcpwhy_side answerer = tw_other(e->asker);
    /* a side that speaks first is waited for from the start; later it speaks when it likes */
    bool unasked = e->request_first == TW_NO_RECORD && e != w->context->exchanges->exchange;
    bool news = asks_for_news(e);
    uint32_t interim;
    bool awaited, beat, farewell;
    tcpwhy_ns asked_ns;

    w->gap.turn.in_turns = w->gap.turn.guessed = !e->framed;
    w->gap.turn.unasked = guesses_asker(w, e);
    w->turns.at_will = speaks_at_will(w, e);
    if (lapsed_before(w, e))
        tw_cursor_visit_start(w, TW_PHASE_TURN, answerer, e->request_first);
    else if (e->request_first != TW_NO_RECORD && !tw_pipelined_visit_request(w, e))
        tw_cursor_visit_start(w, owes_next(w, e) ? TW_PHASE_TURN : TW_PHASE_IDLE, e->asker,
                              e->request_first);
    if (tw_full_duplex_is(e)) {
        tw_full_duplex_visit(w, e);
        return;
    }
    if (hears_more(w, e))
        tw_full_duplex_visit(w, e);
    w->gap.turn.asks = is_heard(w, e);
    w->messages.asked_again = w->messages.resumed = 0;
    w->turns.asked_from = e->request_from;
    interim = goes_on(w, e->request_last) ? interim_of(w, e) : TW_NO_RECORD;
    if (interim != TW_NO_RECORD)
        visit_to_interim(w, e, interim);
    if (goes_on(w, e->request_last)) {
        w->gap.turn.guessed |= e->asks_in_pieces;
        visit_request(w, e);
    }
    w->gap.turn.asks = false;
    if (!is_heard(w, e))
        return;
    awaited = e->framed || tw_app_reacted_to(&w->reactions, w->context, e->response_last);
    w->gap.turn.guessed =
        !awaited || w->turns.at_will ||
        (!e->framed && (w->unsure || comes_unasked(w, e) || begins_unsurely(w, e)));
    beat = keeps_beat(w, e);
    farewell = is_farewell(w, e);
    asked_ns = tw_cursor_record(w, w->at)->time_ns;
    unasked |= news || farewell || (beat && w->habits.server_push.answers) || answers_nothing(w, e);
    w->gap.turn.unasked |= begins_unasked(w, e) || w->messages.asked_again >= TW_TWICE ||
                           (!e->framed && w->messages.pushed >= TW_TWICE) || beat || farewell ||
                           news;
    if (e->request_last != TW_NO_RECORD)
        w->turns.asked_last = e->request_last;
    tw_pipelined_visit_arrivals(w, e);
    w->question = e->request_last;
    if (is_held_behind_answer(w, e))
        tw_message_visit(w, answerer, e->response_first, true);
    else
        tw_cursor_visit_start(w, unasked ? TW_PHASE_IDLE : TW_PHASE_TURN, answerer,
                              e->response_first);
    w->question = TW_NO_RECORD;
    if (!unasked)
        note_answer(w, e, tw_cursor_record(w, e->response_first)->time_ns - asked_ns);
    tw_pipelined_visit_arrivals(w, e);
    w->gap.turn.guessed = !e->framed || e->in_pieces;
    if (goes_on(w, e->response_last))
        tw_message_visit(w, answerer, e->response_last, awaited);
}

/* A side that had closed before it was asked sends nothing more (RFC 9293, 3.6), but its kernel may
 * reset the connection. */
static bool had_closed(const struct tw_log *log, enum tcpwhy_side side, uint32_t asked,
                       uint32_t end)
{
    const struct tw_record *r = &log->record[end];

    if (r->from == side && r->flags & TW_RST)
        return false;
    r = &log->record[asked];
    while (r-- > log->record)
        if (r->from == side && r->flags & TW_FIN)
            return true;
    return false;
}

/* Did the client end the connection itself? Without message boundaries it may not have waited for
 * anything: its last data may have been no request. */
static bool ends_unanswered(const struct tw_log *log, const struct tw_exchange *e, uint32_t end)
{
    const struct tw_record *r = &log->record[end];

    return !e->framed && !e->request[0] && r->from == (uint8_t)e->asker &&
           r->flags & (TW_FIN | TW_RST);
}

/* Were earlier answers so much faster that the last data was perhaps no request? */
static bool exceeds_answers(const struct tw_cursor *w, tcpwhy_ns wait_ns)
{
    return w->turns.n_answers >= TW_OFTEN && wait_ns >= TW_QUIET_NS &&
           wait_ns >= TW_FACTOR * w->turns.longest_answer_ns;
}

/* Perhaps it was no request: the connection carries one-way messages, or answers were much
 * faster. */
static bool asks_nothing(const struct tw_cursor *w, const struct tw_exchange *e, uint32_t end)
{
    const struct tw_record *r = tw_cursor_record(w, end);

    return !e->framed && r->flags & TW_FIN &&
           (w->messages.resumed >= TW_OFTEN || asks_farewell(w, e, end + 1) ||
            exceeds_answers(w, r->time_ns - tw_cursor_record(w, w->at)->time_ns));
}

/* The record from which on data of a side is missing that was never received, to the end;
 * TW_NO_RECORD: none. What came behind the hole meanwhile reached no program. If only its FIN or
 * RST shows the hole, all of the silence before it. */
static uint32_t lacks_since(const struct tw_cursor *w, enum tcpwhy_side side, uint32_t end)
{
    const struct tw_record *beyond = w->context->beyond[side];

    if (w->context->vantage.to_side_ns[side] == 0 || !beyond || beyond > tw_cursor_record(w, end))
        return TW_NO_RECORD;
    return beyond == tw_cursor_record(w, end) ? w->at : MAX(w->at, (uint32_t)(beyond - w->record));
}

/* Nobody sent data, and by its port the server is one that sends a greeting. */
static bool lacks_greeting(const struct tw_cursor *w)
{
    const struct tw_connection *c = w->context->connection;

    return w->context->exchanges->n == 0 && c->side[TCPWHY_CLIENT].syn &&
           tw_greeting_is_due(tw_tuple_endpoint(&c->tuple, TCPWHY_SERVER).port);
}

/* The answerer's next word is waited for, or that of an asker who has not come to the end of its
 * request. */
static enum tcpwhy_side awaited_side(const struct tw_exchange *e)
{
    return e->request_part ? e->asker : tw_other(e->asker);
}

/* Silence up to a record: a closed window, an answer is due, or nothing to ask. */
static void visit_silence(struct tw_cursor *w, uint32_t to, const struct tw_exchange *unanswered)
{
    bool greeting = lacks_greeting(w);

    w->gap.turn.unasked |= greeting;
    if (tw_teardown_is_closed(w->context->log, w->at, to, &w->gap.closed))
        tw_cursor_visit(w, TW_PHASE_MESSAGE, w->gap.closed.sender, to, -1, false);
    else if (unanswered)
        tw_cursor_visit(w, TW_PHASE_TURN, awaited_side(unanswered), to, -1, false);
    else if (greeting)
        tw_cursor_visit(w, TW_PHASE_TURN, TCPWHY_SERVER, to, -1, false);
    else
        tw_cursor_visit(w, TW_PHASE_IDLE, TCPWHY_CLIENT, to, -1, false);
}

/* After the last byte: the rest of a message or an answer that never came, or nothing left to ask.
 * last: NULL if there was no exchange. */
static void visit_tail(struct tw_cursor *w, const struct tw_exchange *last)
{
    bool unanswered =
        last && last->request_last != TW_NO_RECORD && !last->one_way && !is_heard(w, last);
    uint32_t end = tw_teardown_find(w->context->log, w->at), lacks[2], since;

    if (end <= w->at)
        return;
    if (unanswered)
        unanswered = !had_closed(w->context->log, tw_other(last->asker), last->request_last, end);
    w->gap.turn.unasked = last && (guesses_asker(w, last) ||
                                   (unanswered && ends_unanswered(w->context->log, last, end)));
    if (unanswered && !lapsed_before(w, last) &&
        (asks_for_news(last) || asks_nothing(w, last, end))) {
        unanswered = false;
        w->gap.turn.unasked = true;
    }
    if (end > w->at + 1)
        tw_cursor_visit_arrival(w, end);
    w->gap.turn.cut = tw_teardown_is_cut(w->context->log, w->at, end) && !(last && last->framed);
    for (int side = 0; side < 2; side++)
        lacks[side] = lacks_since(w, (enum tcpwhy_side)side, end);
    since = MIN(lacks[0], lacks[1]);
    if (since == TW_NO_RECORD || since > w->at)
        visit_silence(w, since == TW_NO_RECORD ? end : since, unanswered ? last : NULL);
    if (since != TW_NO_RECORD)
        tw_cursor_visit(w, TW_PHASE_TURN, since == lacks[0] ? TCPWHY_CLIENT : TCPWHY_SERVER, end,
                        -1, false);
}

uint32_t tw_timeline_walk(struct tw_context *context, uint32_t from, struct tw_gap_sink *sink)
{
    struct tw_cursor w = {
        .context = context,
        .sink = sink,
        .record = context->log->record,
        .unsure = !context->connection->side[TCPWHY_CLIENT].syn,
        .rest_ns = TCPWHY_NS_UNKNOWN,
        .habits.server_push = tw_server_push_find(context->log, context->exchanges),
        .question = TW_NO_RECORD,
        .turns.asked_last = TW_NO_RECORD,
        .gap = { .context = context, .closed = { .record = TW_NO_RECORD } },
        .habits.deaf_from = tw_teardown_of_deaf(context->connection, context->log, TCPWHY_CLIENT),
        .at = from
    };
    const struct tw_exchange *last = NULL;

    for (int i = 0; i < 2; i++) {
        w.habits.farewell[i] = tw_farewell_find(context, (enum tcpwhy_side)i);
        w.habits.prompt_ns[i] = tw_sender_timeline_at_once(&context->vantage, (enum tcpwhy_side)i);
        w.round[i] = context->rounds[i].n ? context->rounds[i].round : NULL;
    }
    tw_capture_drops_mark(context);
    for (uint32_t i = 0; i < context->exchanges->n; i++) {
        const struct tw_exchange *e = &context->exchanges->exchange[i];

        if (last && !is_heard(&w, last) && last->response_first != TW_NO_RECORD)
            break; /* nor what follows it */
        visit_exchange(&w, e);
        last = e;
    }
    visit_tail(&w, last);
    return w.at;
}
