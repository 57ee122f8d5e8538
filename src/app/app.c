/* SPDX-License-Identifier: MIT */
/*
 * Feeds the payload of a connection to its protocol's dissector. The first bytes of each direction
 * select it; if none matches, later bytes are ignored.
 */
#include "app/app.h"

#include <string.h>

#include "base/memory.h"
#include "app/plain.h"
#include "app/protocol.h"
#include "app/proxy_header.h"

/* Without a SYN, and behind a hole, payload may start within a message: probe that many starts. */
#define MIDSTREAM_TRIES 16

enum phase {
    LISTENING, /* not yet recognised */
    SPEAKING,
    DEAF, /* no protocol, or no more */
};

/* The first bytes of a direction while too few to decide. */
struct opening {
    int64_t begin, end; /* bytes of its side when the other side sent last */
    int64_t from;
    uint32_t frame; /* of the first of the bytes */
    uint8_t bytes[TW_GUESS_BYTES];
    uint8_t len;
    uint8_t tries; /* remaining probes */
};

struct tw_talk {
    enum phase phase;
    bool probes_anew; /* since the greeting was found missing */
    uint32_t bytes;   /* tw_app_bytes() after the last frame processed, modulo 2^32 */
    const struct tw_app_protocol *protocol;
    struct tw_stream stream[2];
    struct opening opening[2];
    struct direction {
        struct tw_talk *talk;
        enum tcpwhy_side from;
    } direction[2];
    struct tw_transactions transactions;
    _Alignas(max_align_t) uint8_t state[TW_PROTOCOL_STATE]; /* of the protocol */
};

static const struct tw_app_protocol *protocol_of(const char *name)
{
    for (size_t i = 0; tw_app_protocols[i]; i++)
        if (strcmp(tw_app_protocols[i]->name, name) == 0)
            return tw_app_protocols[i];
    return NULL;
}

/* Another protocol continues, from within this piece; if it is not built in, by turns. */
__attribute__((noinline)) static void switch_protocol(struct tw_talk *talk, enum tcpwhy_side from,
                                                      const struct tw_piece *piece)
{
    struct tw_transactions *transactions = &talk->transactions;
    const struct tw_app_protocol *next = protocol_of(transactions->switch_to);
    struct tw_piece rest = *piece;

    rest.from = CLAMP(transactions->switch_at, piece->from, piece->to);
    rest.bytes = tw_bytes_from(piece->bytes, (size_t)(rest.from - piece->from));
    if (talk->protocol->clear)
        talk->protocol->clear(talk->state);
    transactions->switch_to = NULL;
    transactions->pass_to[0] = transactions->pass_to[1] = 0;
    transactions->pass_but[0] = transactions->pass_but[1] = 0;
    talk->protocol = next;
    if (!next) {
        transactions->opaque = true;
        return;
    }
    memset(talk->state, 0, next->state_size);
    transactions->protocol = next->name;
    if (rest.from < rest.to)
        next->piece(talk->state, transactions, from == transactions->asker, &rest);
}

/* A record of TLS with a fatal alert (RFC 8446, section 6). */
static bool is_alert(struct tw_bytes b)
{
    return tw_u8(b, 0) == 21 && tw_u8(b, 1) == 3 && tw_be16(b, 3) == 2 && tw_u8(b, 5) == 2;
}

/* Does TLS answer a question of another protocol? */
__attribute__((noinline)) static void note_first_answer(struct tw_talk *talk,
                                                        const struct tw_piece *piece)
{
    struct tw_transactions *t = &talk->transactions;

    if (t->n == 0 || t->opaque || piece->gap || !is_alert(piece->bytes))
        return;
    t->facts.plain_frame = t->now_frame;
    t->facts.plain_ns = t->now_ns;
    t->facts.plain_by_asker = true;
}

static void speak(struct tw_talk *talk, enum tcpwhy_side from, const struct tw_piece *piece)
{
    if (G_UNLIKELY(talk->transactions.reached[from] == 0) && from != talk->transactions.asker)
        note_first_answer(talk, piece);
    talk->transactions.reached[from] = piece->to;
    talk->protocol->piece(talk->state, &talk->transactions, from == talk->transactions.asker,
                          piece);
    if (G_UNLIKELY(piece->cut))
        tw_transactions_hide(&talk->transactions, from, piece->to);
    if (G_UNLIKELY(talk->transactions.switch_to))
        switch_protocol(talk, from, piece);
    if (talk->transactions.opaque && !talk->transactions.listens)
        talk->phase = DEAF;
}

/* Restart probing on a direction that matched no protocol. */
static void listen_again(struct tw_talk *talk, int side)
{
    if (talk->opening[side].tries > 0)
        return;
    tw_stream_clear(&talk->stream[side]);
    talk->stream[side].next = TW_STREAM_UNSET;
}

static void speak_kept(struct tw_talk *talk, enum tcpwhy_side side)
{
    const struct opening *o = &talk->opening[side];
    struct tw_piece kept = { .from = o->from, .to = o->from + o->len };

    listen_again(talk, (int)side);
    kept.bytes = tw_bytes(o->bytes, o->len);
    if (o->len > 0 && talk->phase == SPEAKING)
        speak(talk, side, &kept);
}

/* The side whose bytes came first speaks first. */
static void choose(struct tw_talk *talk, const struct tw_app_protocol *protocol,
                   enum tcpwhy_side asker)
{
    const enum tcpwhy_side first =
        talk->opening[TCPWHY_SERVER].frame < talk->opening[TCPWHY_CLIENT].frame;

    talk->phase = SPEAKING;
    talk->protocol = protocol;
    memset(talk->state, 0, protocol->state_size);
    talk->transactions.protocol = protocol->name;
    talk->transactions.asker = asker;
    if (talk->opening[asker].begin < talk->opening[asker].end) {
        talk->transactions.asked_to = talk->opening[asker].begin;
        talk->transactions.reached[asker] = talk->opening[asker].end;
    }
    speak_kept(talk, first);
    speak_kept(talk, !first);
}

static enum tcpwhy_side asker_by(enum tw_guess guess, enum tcpwhy_side from)
{
    enum tcpwhy_side other = from == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;

    if (guess == TW_GUESS_EITHER)
        return TCPWHY_CLIENT;
    return guess == TW_GUESS_ASKER ? from : other;
}

/* Probe each protocol. @return true if none needs more of this direction's start. */
static bool decide(struct tw_talk *talk, enum tcpwhy_side from, struct tw_bytes first)
{
    bool more = false;

    for (size_t i = 0; tw_app_protocols[i]; i++) {
        enum tw_guess guess = tw_app_protocols[i]->guess(first);

        if (guess != TW_GUESS_NO && guess != TW_GUESS_MORE) {
            choose(talk, tw_app_protocols[i], asker_by(guess, from));
            return true;
        }
        more = more || guess == TW_GUESS_MORE;
    }
    return !more || first.len == TW_GUESS_BYTES;
}

static bool gave_up(const struct tw_talk *talk)
{
    return talk->opening[0].tries == 0 && talk->opening[1].tries == 0;
}

/* @return the piece behind a PROXY header, if it begins with one. */
static struct tw_piece behind_proxy_header(struct tw_talk *talk, const struct opening *o,
                                           const struct tw_piece *piece)
{
    struct tw_app_facts *facts = &talk->transactions.facts;
    const size_t n = o->len == 0 && facts->proxy_frame == 0 ? tw_proxy_header(piece->bytes) : 0;
    struct tw_piece rest = *piece;

    if (n == 0)
        return rest;
    facts->proxy_frame = talk->transactions.now_frame;
    rest.from += (int64_t)n;
    rest.bytes = tw_bytes_from(rest.bytes, n);
    return rest;
}

/* Not inlined: only the first pieces get here. */
__attribute__((noinline)) static void listen(struct tw_talk *talk, enum tcpwhy_side from,
                                             const struct tw_piece *piece)
{
    struct opening *o = &talk->opening[from];
    struct tw_piece rest = behind_proxy_header(talk, o, piece);
    size_t n = MIN(sizeof o->bytes - o->len, rest.bytes.len);
    struct tw_bytes first;

    if (o->tries == 0 || rest.from == rest.to)
        return;
    if (o->len == 0) {
        o->from = rest.from;
        o->frame = talk->transactions.now_frame;
    }
    if (n > 0)
        memcpy(o->bytes + o->len, rest.bytes.data, n);
    first = tw_bytes(o->bytes, o->len + n);
    /* Usually nothing was buffered, and the protocol gets the piece as it is. */
    if (o->len == 0 && talk->opening[!from].len == 0)
        n = 0;
    o->len = (uint8_t)(o->len + n);
    if (!decide(talk, from, first) && !piece->gap) {
        o->len = (uint8_t)first.len;
        return;
    }
    if (talk->phase == LISTENING) {
        o->tries--;
        o->len = 0;
        if (piece->gap && !piece->cut)
            o->tries = MIDSTREAM_TRIES;
        if (gave_up(talk))
            talk->phase = DEAF;
        return;
    }
    rest.from += (int64_t)n;
    rest.bytes = tw_bytes_from(rest.bytes, n);
    if (talk->phase == SPEAKING && rest.from < rest.to)
        speak(talk, from, &rest);
}

static void take(void *user, const struct tw_piece *piece)
{
    const struct direction *d = user;

    if (d->talk->phase == SPEAKING)
        speak(d->talk, d->from, piece);
    else if (d->talk->phase == LISTENING)
        listen(d->talk, d->from, piece);
}

static struct tw_talk *new_talk(const struct tw_app *app)
{
    struct tw_talk *talk = tw_new(struct tw_talk, 1);

    talk->phase = LISTENING;
    talk->probes_anew = false;
    talk->bytes = 0;
    talk->protocol = NULL;
    tw_transactions_init(&talk->transactions);
    talk->transactions.keys = app->keys;
    talk->transactions.plain_sink = app->plain_sink;
    talk->transactions.values = app->values;
    for (int i = 0; i < 2; i++) {
        talk->direction[i] = (struct direction) { talk, (enum tcpwhy_side)i };
        talk->opening[i] = (struct opening) { .tries = app->synchronised[i] ? 1 : MIDSTREAM_TRIES };
        tw_stream_init(&talk->stream[i], take, &talk->direction[i]);
        if (app->synchronised[i])
            talk->stream[i].next = app->next[i];
    }
    return talk;
}

/* Accept no more input; results so far are kept. */
static void close_ears(struct tw_talk *talk)
{
    talk->phase = DEAF;
    for (int i = 0; i < 2; i++)
        tw_stream_clear(&talk->stream[i]);
    if (talk->protocol && talk->protocol->clear)
        talk->protocol->clear(talk->state);
    talk->protocol = NULL;
}

static void free_talk(struct tw_talk *talk)
{
    close_ears(talk);
    tw_plain_free(talk->transactions.plain);
    tw_transactions_clear(&talk->transactions);
    tw_free(talk);
}

void tw_app_clear(struct tw_app *app)
{
    if (app->talk)
        free_talk(app->talk);
    app->talk = NULL;
}

void tw_app_fetch(const struct tw_app *app)
{
    for (size_t at = 0; app->talk && at < sizeof *app->talk; at += TW_CACHE_LINE)
        __builtin_prefetch((const char *)app->talk + at);
}

size_t tw_app_bytes(const struct tw_app *app)
{
    const struct tw_talk *talk = app->talk;

    return talk ? sizeof *talk + talk->stream[0].held_bytes + talk->stream[1].held_bytes +
                      tw_transactions_bytes(&talk->transactions)
                : 0;
}

/* Before the first payload: initialise what it needs. */
static void prepare(struct tw_app *app, const struct tw_tracked *t)
{
    if (t->segment->flags & TW_SYN && !app->synchronised[t->from]) {
        app->synchronised[t->from] = true;
        app->next[t->from] = t->seq + 1;
    }
}

static void synchronise(struct tw_talk *talk, const struct tw_tracked *t)
{
    struct tw_stream *stream = &talk->stream[t->from];

    if (stream->next != TW_STREAM_UNSET)
        return;
    stream->next = t->seq + 1;
    talk->opening[t->from].tries = 1;
}

/* Payload of a RST is a diagnostic text, not part of the stream (RFC 9293, section 3.5.2); that
 * of a keep-alive is garbage (3.8.4). */
static bool has_payload(const struct tw_tracked *t)
{
    return t->segment->len > 0 && !(t->segment->flags & TW_RST) &&
           t->frame_class != TCPWHY_CLASS_KEEP_ALIVE;
}

/* Most frames of a body are only counted. @return false if this one is not. */
static bool pass_over(struct tw_talk *talk, enum tcpwhy_side from, int64_t seq,
                      const struct tw_segment *s)
{
    struct tw_stream *stream = &talk->stream[from];
    const uint8_t but = talk->transactions.pass_but[from];
    int64_t to = seq + s->len;

    if (to >= talk->transactions.pass_to[from] || seq != stream->next || stream->held ||
        (but && tw_u8(s->payload, 0) == but))
        return false;
    stream->next = to;
    talk->transactions.reached[from] = to;
    return true;
}

/* Unrecognised data of a side may be the body of a request that began before the capture. */
static void note_said(struct opening *o, const struct tw_side *side)
{
    if (!side->started)
        return;
    o->begin = side->first + side->syn;
    o->end = side->next - side->fin;
}

/* Did the peer acknowledge bytes of the side that are not in the capture, or come later in it? What
 * the peer says may answer them. */
static bool has_unseen(const struct tw_stream *stream, const struct tw_side *side)
{
    return stream->next != TW_STREAM_UNSET && side->acked - side->fin > stream->next;
}

/* A greeting that the capture lacks is what the client's first words may not be known without. */
static void prepare_to_listen(struct tw_talk *talk, const struct tw_tracked *t)
{
    note_said(&talk->opening[!t->from], &t->connection->side[!t->from]);
    if (t->from != TCPWHY_CLIENT || !talk->transactions.unseen || talk->probes_anew)
        return;
    talk->probes_anew = true;
    listen_again(talk, (int)t->from);
    talk->opening[t->from].tries = MIDSTREAM_TRIES;
}

/* @return false if the frame was skipped. */
static bool push(struct tw_talk *talk, const struct tw_tracked *t)
{
    const struct tw_segment *s = t->segment;
    const struct tw_side *side = t->connection->side;
    struct tw_stream *own = &talk->stream[t->from], *other = &talk->stream[!t->from];
    int64_t seq = t->seq;

    /* Acknowledged bytes may follow in the capture later than the ACK; their response does not
     * precede it. */
    talk->transactions.now_ns = t->time_ns;
    talk->transactions.now_frame = t->frame;
    if (other->held && s->len > 0)
        tw_stream_ack(other, side[!t->from].acked);
    if (s->flags & TW_SYN) {
        synchronise(talk, t);
        seq++;
    }
    if (!has_payload(t) || pass_over(talk, t->from, seq, s))
        return other->held;
    talk->transactions.unseen = (talk->phase == SPEAKING || talk->opening[!t->from].tries > 0) &&
                                has_unseen(other, &side[!t->from]);
    if (talk->phase == LISTENING)
        prepare_to_listen(talk, t);
    if (talk->phase == SPEAKING || talk->opening[t->from].tries > 0) {
        own->acked = side[t->from].acked;
        tw_stream_push(own, seq, s->len, s->payload);
    }
    return true;
}

/* Most frames have no payload, or belong to an ignored direction. */
static bool tells_nothing(const struct tw_app *app, const struct tw_tracked *t)
{
    const struct tw_segment *s = t->segment;

    return (s->len == 0 || app->unheard[t->from]) && !(s->flags & TW_SYN) && !app->holds;
}

/* Precompute what tells_nothing() checks for each frame. */
static void note_what_tells(struct tw_app *app, enum tcpwhy_side from)
{
    const struct tw_talk *talk = app->talk;

    app->holds = app->holds || talk->stream[from].held;
    for (int i = 0; i < 2; i++)
        app->unheard[i] = talk->phase == LISTENING && talk->opening[i].tries == 0;
}

/* Has its heap usage changed since the last report? */
static bool holds_other(const struct tw_app *app)
{
    uint32_t before = app->talk->bytes;

    app->talk->bytes = (uint32_t)tw_app_bytes(app);
    return app->talk->bytes != before;
}

bool tw_app_push(struct tw_app *app, const struct tw_tracked *t)
{
    if (tells_nothing(app, t) || app->deaf)
        return false;
    if (!app->talk) {
        prepare(app, t);
        if (!has_payload(t))
            return false;
        app->talk = new_talk(app);
    }
    if (!push(app->talk, t))
        return false;
    note_what_tells(app, t->from);
    if (app->talk->phase != DEAF)
        return holds_other(app);
    app->deaf = app->unheard[0] = app->unheard[1] = true;
    app->holds = false;
    if (app->talk->transactions.protocol)
        close_ears(app->talk);
    else
        tw_app_clear(app);
    return true;
}

void tw_app_end(struct tw_app *app)
{
    if (!app->talk)
        return;
    for (int i = 0; i < 2; i++)
        tw_stream_flush(&app->talk->stream[i]);
    close_ears(app->talk);
}

const struct tw_transactions *tw_transactions_of(const struct tw_app *app)
{
    return app->talk ? &app->talk->transactions : NULL;
}
