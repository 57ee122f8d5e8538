/* SPDX-License-Identifier: MIT */
/*
 * PostgreSQL's frontend/backend protocol, version 3 (its documentation, chapter 55): a simple query
 * is one exchange, and so is each Execute of the extended protocol with what led to it.
 * Notifications are responses to nothing.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/ids.h"
#include "app/line_way.h"
#include "app/pgsql_messages.h"
#include "app/protocol.h"
#include "app/sql.h"

/* tw_exchange.awaits: parts of a response to come; without limit up to ReadyForQuery. */
#define TO_READY  63
#define ONE_REPLY 62 /* the response is one message, or one byte */

struct pgsql {
    struct tw_dialogue dialogue;
    struct tw_ids statements; /* names of what executes them */
    const char *bound;        /* of the portal bound last, or NULL */
    uint32_t rows;
    uint8_t type[2]; /* of the current message, by way */
    bool typed;      /* the asker's messages have types: startup is over */
    bool grouped;    /* the open request is of the extended protocol */
    bool byte;       /* the response is one byte */
    bool told;       /* the response is a message that nobody asked for */
    bool copies;     /* the response has asked for data of COPY, or they came since it began */
    bool failed;     /* what was sent before Sync is not executed */
};

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    const struct pgsql *p = state;

    if (asks && !p->typed && tw_u8(first, 0) == 0)
        return tw_pgsql_untyped_length(first);
    if (!asks && p->byte && (first.data[0] == 'S' || first.data[0] == 'N' || first.data[0] == 'G'))
        return 1;
    return tw_pgsql_typed_length(asks, first);
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    (void)state;
    if (asks && tw_u8(first, 0) == 0)
        return false;
    return tw_pgsql_guess(first) == (asks ? TW_GUESS_ASKER : TW_GUESS_ANSWERER) ||
           tw_pgsql_is_chain(asks, first);
}

/* ---- the client ------------------------------------------------------------------------------ */

static const char *statement_name(struct tw_transactions *t, const char *verb, struct tw_bytes sql,
                                  bool more)
{
    char text[TW_SQL_TEXT + 4];

    if (t->values)
        return tw_transactions_keep_name(t, tw_bytes((const uint8_t *)verb, strlen(verb)), sql);
    tw_sql_shorten(text, sql, (struct tw_sql_dialect) { false, false, false }, more);
    return tw_transactions_keep_text(t, verb, text);
}

/* The text at an offset, without its NUL; whole: up to that. */
static struct tw_bytes text_at(struct tw_bytes b, size_t from, bool *whole)
{
    struct tw_bytes text = tw_bytes_from(b, from);
    const uint8_t *nul = text.len > 0 ? memchr(text.data, 0, text.len) : NULL;

    *whole = nul != NULL;
    return nul ? tw_bytes_first(text, (size_t)(nul - text.data)) : text;
}

static struct tw_exchange *last(struct tw_transactions *t)
{
    return tw_transactions_at(t, t->n - 1);
}

static void ask(struct tw_transactions *t, int64_t from, const char *name, uint8_t awaits)
{
    tw_transactions_ask(t, from);
    if (!t->asking)
        return;
    last(t)->request = name;
    last(t)->awaits = awaits;
}

static void start_up(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    uint32_t code = tw_be32(f->head, 4);

    p->byte = code == TW_PGSQL_SSL || code == TW_PGSQL_GSSENC;
    ask(t, f->from,
        code == TW_PGSQL_PROTOCOL_3 ? "login"
        : code == TW_PGSQL_CANCEL   ? "cancel"
                                    : "encryption",
        p->byte ? ONE_REPLY : TO_READY);
    p->typed = code == TW_PGSQL_PROTOCOL_3;
    if (code == TW_PGSQL_CANCEL)
        tw_transactions_one_way(t);
}

/* A message of the extended protocol, which has a reply, belongs to the open group. */
static void group(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f,
                  bool replied)
{
    if (!p->grouped || !t->asking)
        ask(t, f->from, "", 0);
    p->grouped = t->asking;
    if (t->asking && replied && last(t)->awaits < ONE_REPLY - 1)
        last(t)->awaits++;
}

static void parse(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    bool whole;
    struct tw_bytes name = text_at(f->head, TW_PGSQL_HEADER, &whole), sql;
    const char *executes;

    if (!whole)
        return;
    sql = text_at(f->head, TW_PGSQL_HEADER + name.len + 1, &whole);
    executes = statement_name(t, "execute", sql, !whole);
    tw_ids_put(&p->statements, t, tw_ids_of(name), executes);
    if (t->asking && !last(t)->request[0])
        last(t)->request = statement_name(t, "prepare", sql, !whole);
}

static void take_bind(struct pgsql *p, const struct tw_message *f)
{
    bool whole;
    struct tw_bytes portal = text_at(f->head, TW_PGSQL_HEADER, &whole), name;

    p->bound = NULL;
    if (!whole)
        return;
    name = text_at(f->head, TW_PGSQL_HEADER + portal.len + 1, &whole);
    if (whole)
        p->bound = tw_ids_find(&p->statements, tw_ids_of(name));
}

/* Sync belongs to the Execute before it, unless that is answered already. */
static void take_sync(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    if (!p->grouped && t->n > t->answering && !t->asking && last(t)->request_to == f->from &&
        last(t)->awaits < ONE_REPLY) {
        last(t)->request_to = f->to;
        t->asked_to = f->to;
    } else if (!p->grouped) {
        ask(t, f->from, "sync", 0);
    }
    if (t->n > 0)
        last(t)->awaits = TO_READY;
    p->grouped = false;
}

static void asked(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    bool whole;
    struct tw_bytes sql;

    switch (f->head.data[0]) {
    case 'Q':
        sql = text_at(f->head, TW_PGSQL_HEADER, &whole);
        ask(t, f->from, statement_name(t, "query", sql, !whole), TO_READY);
        break;
    case 'P':
        group(p, t, f, true);
        parse(p, t, f);
        break;
    case 'B':
        group(p, t, f, true);
        take_bind(p, f);
        break;
    case 'E':
        group(p, t, f, true);
        if (t->asking)
            last(t)->request = p->bound ? p->bound : "execute";
        break;
    case 'C':
    case 'D':
        group(p, t, f, true);
        if (t->asking && !last(t)->request[0])
            last(t)->request = f->head.data[0] == 'C' ? "close" : "describe";
        break;
    case 'S':
        take_sync(p, t, f);
        break;
    case 'F':
        ask(t, f->from, "function", TO_READY);
        break;
    case 'p':
        ask(t, f->from, "password", TO_READY);
        break;
    case 'X':
        ask(t, f->from, "terminate", 0);
        tw_transactions_one_way(t);
        break;
    default: /* Flush, and data of COPY */
        break;
    }
}

/* COPY's data are the rest of its request. */
static void copied(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    struct tw_exchange *e = tw_transactions_awaited(t);

    if (e && !t->asking) {
        e->request_to = f->to;
        t->asked_to = f->to;
        p->copies = true;
    }
}

static void asked_end(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    switch (p->type[0]) {
    case 'P':
    case 'B':
    case 'C':
    case 'D':
        return; /* the group goes on */
    case 'd':
    case 'c':
    case 'f':
        copied(p, t, f);
        return;
    case 'E':
    case 'H':
        p->grouped = false;
        break;
    default:
        break;
    }
    if (t->asking)
        tw_transactions_asked(t, f->to);
}

/* ---- the server ------------------------------------------------------------------------------ */

/* A field of ErrorResponse by its type; empty: none. */
static struct tw_bytes field_of(struct tw_bytes head, char type)
{
    size_t at = TW_PGSQL_HEADER;
    bool whole = true;

    while (whole && tw_u8(head, at) != 0 && tw_u8(head, at) != (uint8_t)type)
        at += 2 + text_at(head, at + 1, &whole).len;
    return whole && tw_u8(head, at) == (uint8_t)type ? text_at(head, at + 1, &whole)
                                                     : tw_bytes(NULL, 0);
}

/* The severity that is not translated came with PostgreSQL 9.6; PgBouncer sends only the other. */
static bool is_fatal(struct tw_bytes head)
{
    struct tw_bytes severity = field_of(head, 'V');

    return tw_line_is(severity.len > 0 ? severity : field_of(head, 'S'), "FATAL");
}

/* SQLSTATE; and the words, where the session ends with them. */
static void tell_error(struct tw_transactions *t, struct tw_bytes head)
{
    char text[] = "SQLSTATE .....";
    struct tw_bytes code = field_of(head, 'C');

    if (code.len != 5)
        return;
    memcpy(text + sizeof text - 6, code.data, 5);
    tw_transactions_failed(t, text);
    if (is_fatal(head))
        tw_transactions_part(t, code, field_of(head, 'M'));
}

static void encrypt(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    p->byte = false;
    tw_transactions_answered(t, f->to, true);
    if (f->head.data[0] == 'S')
        tw_transactions_switch(t, "tls", f->to);
    else if (f->head.data[0] == 'G')
        tw_transactions_leave(t, "gssapi", t->asked_to, f->to);
}

/* No request to the running response is known. */
static bool unasked(struct tw_transactions *t)
{
    const struct tw_exchange *e = tw_transactions_at(t, t->answering);

    return t->answer_runs && e->request_from == e->request_to;
}

/* Data of COPY that lack their ends, as in frames that the snap length cut, last until the answer.
 */
static void copied_unseen(const struct pgsql *p, struct tw_transactions *t)
{
    struct tw_exchange *e = tw_transactions_awaited(t);

    if (e && p->dialogue.way[0].lost && t->reached[t->asker] > e->request_to)
        e->request_to = t->asked_to = t->reached[t->asker];
}

static void replied(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    uint8_t type = f->head.data[0];

    if (type == 'D')
        p->rows++;
    if (t->answer_runs && p->copies) {
        copied_unseen(p, t);
        tw_transactions_answer(t, f->from); /* what came before asked for the data */
    }
    p->copies = type == 'G'; /* CopyInResponse */
    if (!t->answer_runs && (!p->failed || type == 'Z')) {
        /* Nothing between a failure and its Sync is executed. */
        while (p->failed && tw_transactions_awaited(t) &&
               tw_transactions_awaited(t)->awaits != TO_READY)
            tw_transactions_pass_by(t);
        tw_transactions_answer(t, f->from);
        p->rows = type == 'D';
        p->told = memchr("ANSE", type, 4) && unasked(t);
        if (unasked(t))
            tw_transactions_at(t, t->answering)->awaits = TO_READY;
    }
    if (type == 'E')
        tell_error(t, f->head);
}

static void tell_rows(struct pgsql *p, struct tw_transactions *t)
{
    if (t->answer_runs && p->rows > 0)
        tw_transactions_more(t, t->answering)->messages[1] = p->rows;
    p->rows = 0;
}

static void done(struct pgsql *p, struct tw_transactions *t, int64_t to)
{
    tell_rows(p, t);
    tw_transactions_answered(t, to, true);
}

/* One of the replies to the messages of a group, or to all of them. */
static void count_reply(struct pgsql *p, struct tw_transactions *t, int64_t to, bool failed)
{
    struct tw_exchange *e = tw_transactions_awaited(t);

    if (!t->answer_runs || !e || e->awaits >= ONE_REPLY)
        return;
    p->failed |= failed;
    if (e->awaits > 0)
        e->awaits--;
    if (e->awaits == 0 || failed)
        done(p, t, to);
}

/* ReadyForQuery answers the request with Sync; one before it had more replies than are known. */
static void ready(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    struct tw_exchange *e = tw_transactions_awaited(t);

    p->failed = false;
    done(p, t, f->to);
    if (!e || e->awaits == TO_READY)
        return;
    while ((e = tw_transactions_awaited(t)) && e->awaits != TO_READY)
        tw_transactions_pass_by(t);
    if (e) {
        tw_transactions_answer(t, f->from);
        tw_transactions_answered(t, f->to, true);
    }
}

static void answered(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    uint8_t type = f->head.data[0];

    if (p->byte && f->to == f->from + 1) {
        tw_transactions_answer(t, f->from);
        encrypt(p, t, f);
        p->type[1] = 0;
        return;
    }
    p->type[1] = type;
    if (type == 'R' && tw_be32(f->head, TW_PGSQL_HEADER) != TW_PGSQL_AUTHENTICATED &&
        tw_be32(f->head, TW_PGSQL_HEADER) != TW_PGSQL_SASL_FINAL)
        p->type[1] = 'r';
    if (type == 'W') {
        tw_transactions_leave(t, "pgsql", t->asked_to, f->from);
        tw_transactions_feed(t);
        return;
    }
    replied(p, t, f);
}

static void answered_end(struct pgsql *p, struct tw_transactions *t, const struct tw_message *f)
{
    if (p->told && memchr("ANSE", p->type[1], 4))
        done(p, t, f->to);
    p->told = false;
    switch (p->type[1]) {
    case 'Z':
        ready(p, t, f);
        break;
    case 'r':
        done(p, t, f->to);
        break;
    case 'E':
        count_reply(p, t, f->to, true);
        break;
    case '1':
    case '2':
    case '3':
    case 'T':
    case 'n':
    case 'C':
    case 'I':
    case 's':
        count_reply(p, t, f->to, false);
        break;
    default:
        break;
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    struct pgsql *p = state;
    uint8_t type = f->head.data[0];

    if (!f->asks) {
        answered(p, t, f);
    } else if (type == 0) {
        p->type[0] = 0;
        start_up(p, t, f);
    } else {
        p->typed = true;
        p->byte = false;
        p->type[0] = type;
        asked(p, t, f);
    }
}

static void end(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    if (f->asks)
        asked_end(state, t, f);
    else
        answered_end(state, t, f);
}

static void resume(void *state, struct tw_transactions *t, bool asks, int64_t at)
{
    struct pgsql *p = state;

    if (asks)
        p->grouped = false;
    else
        p->failed = false;
    tw_transactions_resume(t, asks, at);
}

static const struct tw_message_rules rules = { length, begin, end, resume, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    tw_dialogue_take(&((struct pgsql *)state)->dialogue, &rules, state, t, asks, p);
}

static void clear(void *state)
{
    tw_ids_clear(&((struct pgsql *)state)->statements);
}

G_STATIC_ASSERT(sizeof(struct pgsql) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_pgsql = {
    .name = "pgsql",
    .state_size = sizeof(struct pgsql),
    .guess = tw_pgsql_guess,
    .piece = piece,
    .clear = clear,
};
