/* SPDX-License-Identifier: MIT */
/*
 * POP3 (RFC 1939): commands and responses, also pipelined (RFC 2449); arguments are left
 * out. After STLS (RFC 2595) it is TLS.
 */
#include <string.h>

#include "app/line_way.h"
#include "app/protocol.h"

#define COMMANDS                                                                                   \
    "USER PASS APOP AUTH CAPA STAT LIST RETR DELE NOOP RSET QUIT TOP UIDL STLS UTF8 LANG XTND"

struct pop3 {
    struct tw_line_way way[2]; /* 0: of the client */
    bool in_list;              /* within a response of several lines */
    bool in_login;             /* the client's next line continues AUTH */
    bool greeted;
    bool holed; /* responses may have been lost */
};

struct work {
    struct pop3 *pop3;
    struct tw_transactions *transactions;
};

static enum tw_guess guess(struct tw_bytes first)
{
    if (tw_line_begins(first, "+OK "))
        return TW_GUESS_ANSWERER;
    return tw_line_begins(first, "CAPA\r\n") || tw_line_begins(first, "UIDL\r\n") ||
                   tw_line_begins(first, "RETR 1\r\n")
               ? TW_GUESS_ASKER
               : TW_GUESS_NO;
}

static bool client_line(void *user, struct tw_bytes line, int64_t from, int64_t to)
{
    const struct work *w = user;
    static const uint8_t left_out = '?';
    struct tw_bytes verb = tw_line_word(&line);
    bool known = tw_line_is_one_of(verb, COMMANDS) && !w->pop3->in_login;

    if (!known)
        verb = tw_bytes((const uint8_t *)(w->pop3->in_login ? "(login)" : "(unknown)"),
                        w->pop3->in_login ? 7 : 9);
    w->pop3->in_login = false;
    tw_transactions_ask(w->transactions, from);
    tw_transactions_name(w->transactions, verb, tw_bytes(&left_out, known && line.len > 0 ? 1 : 0));
    tw_transactions_asked(w->transactions, to);
    return true;
}

/* Responses that end with a line of a dot (RFC 1939, 3; RFC 2449, 5). */
static bool has_list(const char *question)
{
    static const char *const names[] = { "CAPA", "LIST", "UIDL", "RETR ?", "TOP ?", "AUTH" };

    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_ascii_strcasecmp(question, names[i]) == 0)
            return true;
    return false;
}

static void end_response(const struct work *w, int64_t to)
{
    struct tw_transactions *t = w->transactions;
    const bool tls = g_ascii_strcasecmp(tw_transactions_question(t), "STLS") == 0;

    w->pop3->in_list = false;
    tw_transactions_answered(t, to, true);
    if (tls)
        tw_transactions_switch(t, "tls", to);
}

static bool server_line(void *user, struct tw_bytes line, int64_t from, int64_t to)
{
    const struct work *w = user;
    struct tw_transactions *t = w->transactions;
    const bool good = tw_line_begins(line, "+OK"), bad = tw_line_begins(line, "-ERR");

    w->pop3->in_list &= t->answer_runs;
    if (w->pop3->in_list) {
        if (line.len == 1 && line.data[0] == '.')
            end_response(w, to);
        if (!t->end_hidden[!t->asker] || tw_transactions_outstanding(t) == 1 || (!good && !bad))
            return true;
        end_response(w, from);
    }
    if (tw_transactions_outstanding(t) == 0 && w->pop3->greeted)
        return true;
    if (!good && !bad && !tw_line_begins(line, "+ "))
        return true;
    w->pop3->greeted = true;
    if (w->pop3->holed)
        tw_transactions_skip_to_newest(t);
    w->pop3->holed = false;
    tw_transactions_answer(t, from);
    if (!t->answer_runs)
        return false;
    w->pop3->in_login = !good && !bad;
    w->pop3->in_list = good && has_list(tw_transactions_question(t));
    if (bad) {
        tw_transactions_detail(t, t->answering, "-ERR");
        tw_transactions_answered(t, to, true);
    } else if (!w->pop3->in_list) {
        end_response(w, to);
    }
    return !t->switch_to;
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct pop3 *pop3 = state;
    struct work w = { pop3, transactions };

    pop3->greeted |= asks;
    tw_line_way_take(&pop3->way[!asks], asks ? client_line : server_line, &w, p);
    /* A list goes on behind the hole. */
    pop3->holed |= p->gap && !asks && !pop3->in_list;
}

static void clear(void *state)
{
    tw_line_ways_clear(((struct pop3 *)state)->way);
}

G_STATIC_ASSERT(sizeof(struct pop3) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_pop3 = {
    .name = "pop3",
    .state_size = sizeof(struct pop3),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
