/* SPDX-License-Identifier: MIT */
/*
 * SMTP (RFC 5321) and LMTP: commands and replies, also pipelined (RFC 2920); the content behind
 * DATA is a request of its own, that of BDAT (RFC 3030) is of its command. After STARTTLS it is
 * TLS.
 */
#include <string.h>

#include "app/line_way.h"
#include "app/protocol.h"

#define COMMANDS                                                                                   \
    "HELO EHLO LHLO MAIL RCPT DATA BDAT RSET VRFY EXPN HELP NOOP QUIT STARTTLS AUTH ETRN TURN "    \
    "XCLIENT XFORWARD BURL"

enum client {
    SENDS_COMMANDS,
    SENDS_CONTENT,
    SENDS_LOGIN, /* lines of AUTH's exchange */
};

struct smtp {
    struct tw_line_way way[2]; /* 0: of the client */
    enum client client;
    bool in_content; /* its first line has come */
    bool replied;    /* a reply has begun, of several lines */
    bool greeted;
    bool holed; /* replies may have been lost */
};

struct work {
    struct smtp *smtp;
    struct tw_transactions *transactions;
};

static enum tw_guess guess(struct tw_bytes first)
{
    if (tw_line_begins(first, "220")) {
        for (size_t i = 4; i + 4 <= first.len; i++)
            if (memcmp(first.data + i, "SMTP", 4) == 0 || memcmp(first.data + i, "LMTP", 4) == 0)
                return TW_GUESS_ANSWERER;
        return TW_GUESS_NO;
    }
    return tw_line_begins(first, "EHLO ") || tw_line_begins(first, "HELO ") ||
                   tw_line_begins(first, "LHLO ") || tw_line_begins(first, "MAIL FROM:") ||
                   tw_line_begins(first, "RCPT TO:")
               ? TW_GUESS_ASKER
               : TW_GUESS_NO;
}

static void name(const struct work *w, struct tw_bytes verb)
{
    tw_transactions_name(w->transactions, verb, tw_bytes(NULL, 0));
}

static void name_text(const struct work *w, const char *text)
{
    name(w, tw_bytes((const uint8_t *)text, strlen(text)));
}

static void content(const struct work *w, struct tw_bytes line, int64_t from, int64_t to)
{
    if (!w->smtp->in_content) {
        tw_transactions_ask(w->transactions, from);
        name_text(w, "(message)");
    }
    w->smtp->in_content = true;
    if (line.len != 1 || line.data[0] != '.')
        return;
    tw_transactions_asked(w->transactions, to);
    w->smtp->in_content = false;
    w->smtp->client = SENDS_COMMANDS;
}

static int64_t number(struct tw_bytes text)
{
    int64_t n = 0;

    for (size_t i = 0; i < text.len && i < 10 && g_ascii_isdigit(text.data[i]); i++)
        n = n * 10 + text.data[i] - '0';
    return n;
}

static bool client_line(void *user, struct tw_bytes line, int64_t from, int64_t to)
{
    const struct work *w = user;
    struct tw_bytes verb;

    if (w->smtp->client == SENDS_CONTENT) {
        content(w, line, from, to);
        return true;
    }
    verb = tw_line_word(&line);
    if (w->smtp->client == SENDS_LOGIN)
        verb = tw_bytes((const uint8_t *)"(login)", 7);
    else if (!tw_line_is_one_of(verb, COMMANDS))
        verb = tw_bytes((const uint8_t *)"(unknown)", 9);
    w->smtp->client = SENDS_COMMANDS;
    tw_transactions_ask(w->transactions, from);
    name(w, verb);
    if (tw_line_is(verb, "BDAT"))
        w->smtp->way[0].literal_to = to + number(tw_line_word(&line));
    tw_transactions_asked(w->transactions, MAX(to, w->smtp->way[0].literal_to));
    return true;
}

/* The last line of a reply decides what the client sends next. */
static void end_reply(const struct work *w, uint16_t code, int64_t to)
{
    struct tw_transactions *t = w->transactions;
    const char *question = tw_transactions_question(t);
    const bool tls = code == 220 && strcmp(question, "STARTTLS") == 0;

    if (t->unseen) { /* perhaps the end of a message */
        w->smtp->client = SENDS_COMMANDS;
        w->smtp->in_content = false;
    }
    if (code == 354)
        w->smtp->client = SENDS_CONTENT;
    else if (code == 334)
        w->smtp->client = SENDS_LOGIN;
    tw_transactions_answered(t, to, true);
    if (tls)
        tw_transactions_switch(t, "tls", to);
}

/* A reply without a code. */
static void answer_anyhow(const struct work *w, int64_t from, int64_t to)
{
    struct tw_transactions *t = w->transactions;

    if (w->smtp->replied || w->smtp->holed || tw_transactions_outstanding(t) == 0)
        return;
    tw_transactions_answer(t, from);
    tw_transactions_answered(t, to, true);
}

static bool server_line(void *user, struct tw_bytes line, int64_t from, int64_t to)
{
    const struct work *w = user;
    struct tw_transactions *t = w->transactions;
    bool last;
    uint16_t code = tw_line_reply(line, &last);

    if (code == 0) {
        answer_anyhow(w, from, to);
        return true;
    }
    if (code == TW_REPLY_CLOSING)
        tw_transactions_part(t, tw_bytes_first(line, 3), tw_bytes_from(line, 4));
    /* Nobody asked, as when it closes an idle connection with 421. */
    if (tw_transactions_outstanding(t) == 0 && !w->smtp->replied && w->smtp->greeted && !t->unseen)
        return true;
    w->smtp->greeted = true;
    if (w->smtp->holed)
        tw_transactions_skip_to_newest(t);
    w->smtp->holed = false;
    if (!w->smtp->replied) {
        tw_transactions_answer(t, from);
        tw_transactions_status(t, code);
    }
    w->smtp->replied = !last;
    if (last)
        end_reply(w, code, to);
    return !t->switch_to;
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct smtp *smtp = state;
    struct work w = { smtp, transactions };

    smtp->greeted |= asks;
    tw_line_way_take(&smtp->way[!asks], asks ? client_line : server_line, &w, p);
    if (p->gap && !asks) {
        smtp->replied = false;
        smtp->holed = true;
    }
}

static void clear(void *state)
{
    tw_line_ways_clear(((struct smtp *)state)->way);
}

G_STATIC_ASSERT(sizeof(struct smtp) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_smtp = {
    .name = "smtp",
    .state_size = sizeof(struct smtp),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
