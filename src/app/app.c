/* SPDX-License-Identifier: MIT */
/*
 * The bytes of one connection to the protocol that they speak. The first bytes of each direction
 * decide which; when none knows them, no later byte is looked at.
 */
#include "app/app.h"

#include <string.h>

#include "app/protocol.h"

/* Without a SYN the first payload may lie inside a message: look at the begins of so many more. */
#define MIDSTREAM_TRIES 16

enum phase {
    LISTENING, /* no protocol yet */
    SPEAKING,
    DEAF, /* none, or none any more */
};

/* The first bytes of a direction while they are too few to tell. */
struct opening {
    int64_t from;
    uint8_t bytes[TW_GUESS_BYTES];
    uint8_t len;
    uint8_t tries; /* left */
};

struct tw_app {
    enum phase phase;
    const struct tw_app_protocol *protocol;
    void *state;
    struct tw_dialog dialog;
    struct tw_stream stream[2];
    struct opening opening[2];
    struct direction {
        struct tw_app *app;
        enum tcpwhy_side from;
    } direction[2];
};

static void speak(struct tw_app *app, enum tcpwhy_side from, const struct tw_piece *piece)
{
    app->dialog.reached[from] = piece->to;
    app->protocol->piece(app->state, &app->dialog, from == app->dialog.asker, piece);
    if (app->dialog.opaque)
        app->phase = DEAF;
}

/* A direction that no protocol knew was not listened to any more: it begins anew. */
static void listen_again(struct tw_app *app, int side)
{
    if (app->opening[side].tries > 0)
        return;
    tw_stream_clear(&app->stream[side]);
    app->stream[side].next = TW_STREAM_UNSET;
}

static void choose(struct tw_app *app, const struct tw_app_protocol *protocol,
                   enum tcpwhy_side asker)
{
    app->phase = SPEAKING;
    app->protocol = protocol;
    app->state = g_malloc0(protocol->state_size);
    app->dialog.protocol = protocol->name;
    app->dialog.asker = asker;
    for (int i = 0; i < 2; i++) {
        const struct opening *o = &app->opening[i];
        struct tw_piece kept = { .from = o->from, .to = o->from + o->len };

        listen_again(app, i);
        kept.bytes = tw_bytes(o->bytes, o->len);
        if (o->len > 0 && app->phase == SPEAKING)
            speak(app, (enum tcpwhy_side)i, &kept);
    }
}

static enum tcpwhy_side asker_by(enum tw_guess guess, enum tcpwhy_side from)
{
    enum tcpwhy_side other = from == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;

    if (guess == TW_GUESS_EITHER)
        return TCPWHY_CLIENT;
    return guess == TW_GUESS_ASKER ? from : other;
}

/* Ask each protocol. @return true when none wants to see more of this direction's begin. */
static bool decide(struct tw_app *app, enum tcpwhy_side from, struct tw_bytes first)
{
    bool more = false;

    for (size_t i = 0; tw_app_protocols[i]; i++) {
        enum tw_guess guess = tw_app_protocols[i]->guess(first);

        if (guess != TW_GUESS_NO && guess != TW_GUESS_MORE) {
            choose(app, tw_app_protocols[i], asker_by(guess, from));
            return true;
        }
        more = more || guess == TW_GUESS_MORE;
    }
    return !more || first.len == TW_GUESS_BYTES;
}

static bool gave_up(const struct tw_app *app)
{
    return app->opening[0].tries == 0 && app->opening[1].tries == 0;
}

static void listen(struct tw_app *app, enum tcpwhy_side from, const struct tw_piece *piece)
{
    struct opening *o = &app->opening[from];
    struct tw_piece rest = *piece;
    size_t n = MIN(sizeof o->bytes - o->len, piece->bytes.len);
    struct tw_bytes first;

    if (o->tries == 0)
        return;
    if (o->len == 0)
        o->from = piece->from;
    if (n > 0)
        memcpy(o->bytes + o->len, piece->bytes.data, n);
    first = tw_bytes(o->bytes, o->len + n);
    /* As a rule nothing was kept: then the protocol gets the piece whole. */
    if (o->len == 0 && app->opening[!from].len == 0)
        n = 0;
    o->len = (uint8_t)(o->len + n);
    if (!decide(app, from, first) && !piece->gap) {
        o->len = (uint8_t)first.len;
        return;
    }
    if (app->phase == LISTENING) {
        o->tries--;
        o->len = 0;
        if (gave_up(app))
            app->phase = DEAF;
        return;
    }
    rest.from += (int64_t)n;
    rest.bytes = tw_bytes_from(rest.bytes, n);
    if (app->phase == SPEAKING && rest.from < rest.to)
        speak(app, from, &rest);
}

static void take(void *user, const struct tw_piece *piece)
{
    const struct direction *d = user;

    if (d->app->phase == SPEAKING)
        speak(d->app, d->from, piece);
    else if (d->app->phase == LISTENING)
        listen(d->app, d->from, piece);
}

struct tw_app *tw_app_new(void)
{
    struct tw_app *app = g_new0(struct tw_app, 1);

    for (int i = 0; i < 2; i++) {
        app->direction[i].app = app;
        app->direction[i].from = (enum tcpwhy_side)i;
        app->opening[i].tries = MIDSTREAM_TRIES;
        tw_stream_init(&app->stream[i], take, &app->direction[i]);
    }
    return app;
}

/* Nothing more will be taken in; what was told so far stays. */
static void close_ears(struct tw_app *app)
{
    app->phase = DEAF;
    for (int i = 0; i < 2; i++)
        tw_stream_clear(&app->stream[i]);
    if (app->protocol && app->protocol->clear)
        app->protocol->clear(app->state);
    g_free(app->state);
    app->state = NULL;
    app->protocol = NULL;
}

void tw_app_free(struct tw_app *app)
{
    if (!app)
        return;
    close_ears(app);
    tw_dialog_clear(&app->dialog);
    g_free(app);
}

void tw_app_fetch(const struct tw_app *app)
{
    for (size_t at = 0; app && at < sizeof *app; at += TW_CACHE_LINE)
        __builtin_prefetch((const char *)app + at);
}

size_t tw_app_bytes(const struct tw_app *app)
{
    return sizeof *app + app->stream[0].held_bytes + app->stream[1].held_bytes +
           tw_dialog_bytes(&app->dialog) + (app->protocol ? app->protocol->state_size : 0);
}

static void synchronise(struct tw_app *app, const struct tw_tracked *t)
{
    struct tw_stream *stream = &app->stream[t->from];

    if (stream->next != TW_STREAM_UNSET)
        return;
    stream->next = t->seq + 1;
    app->opening[t->from].tries = 1;
}

/* Bytes in a RST are a diagnostic text, not part of the stream (RFC 9293, section 3.5.2). */
static bool has_payload(const struct tw_app *app, const struct tw_tracked *t)
{
    return t->segment->len > 0 && !(t->segment->flags & TW_RST) &&
           (app->phase == SPEAKING || app->opening[t->from].tries > 0);
}

void tw_app_push(struct tw_app *app, const struct tw_tracked *t)
{
    const struct tw_segment *s = t->segment;

    if (app->phase == DEAF)
        return;
    if (s->flags & TW_SYN)
        synchronise(app, t);
    if (s->flags & TW_ACK)
        tw_stream_ack(&app->stream[!t->from], t->ack);
    if (has_payload(app, t))
        tw_stream_push(&app->stream[t->from], t->seq + !!(s->flags & TW_SYN), s->len, s->payload);
    if (app->phase == DEAF)
        close_ears(app);
}

void tw_app_end(struct tw_app *app)
{
    for (int i = 0; i < 2; i++)
        tw_stream_flush(&app->stream[i]);
    close_ears(app);
}

const struct tw_dialog *tw_dialog_of(const struct tw_app *app)
{
    return &app->dialog;
}
