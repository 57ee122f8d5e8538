/* SPDX-License-Identifier: MIT */
/*
 * IMAP (RFC 9051): tagged commands and the responses up to their tag, in order. Literals are
 * counted. IDLE (RFC 2177) is a standing request, and DONE one of its own. Arguments are left out;
 * after STARTTLS it is TLS, after COMPRESS (RFC 4978) turns.
 */
#include <string.h>

#include "app/line_way.h"
#include "app/protocol.h"

#define COMMANDS                                                                                   \
    "CAPABILITY NOOP LOGOUT STARTTLS AUTHENTICATE LOGIN ENABLE SELECT EXAMINE CREATE DELETE "      \
    "RENAME SUBSCRIBE UNSUBSCRIBE LIST LSUB XLIST NAMESPACE STATUS APPEND IDLE CHECK CLOSE "       \
    "UNSELECT EXPUNGE SEARCH FETCH STORE COPY MOVE UID SORT THREAD ID GETQUOTA GETQUOTAROOT "      \
    "SETQUOTA GETACL MYRIGHTS COMPRESS GETMETADATA NOTIFY"

/* Usual limit of tags. */
#define MAX_TAG 16

/* Tags that are remembered: clients send few commands ahead. */
#define TAGS 32

struct imap {
    struct tw_line_way way[2]; /* 0: of the client */
    bool goes_on;              /* the client's command goes on behind a literal, ... */
    bool in_login;             /* ... or in lines of AUTHENTICATE's exchange */
    bool idles;
    bool greeted;
    bool in_literal_line; /* the server's response goes on behind a literal */
    uint32_t tag[TAGS];   /* hashes of tags, by index of the exchange modulo their number */
    uint32_t last_tag;    /* of the client's last command */
};

struct work {
    struct imap *imap;
    struct tw_transactions *transactions;
};

static bool is_tag(struct tw_bytes tag)
{
    for (size_t i = 0; i < tag.len; i++)
        if (!g_ascii_isalnum(tag.data[i]) && tag.data[i] != '.' && tag.data[i] != '-')
            return false;
    return tag.len > 0 && tag.len <= MAX_TAG;
}

/* A tag and a command: also in the middle of a connection. */
static enum tw_guess guess(struct tw_bytes first)
{
    const uint8_t *cr = first.len > 0 ? memchr(first.data, '\r', first.len) : NULL;
    struct tw_bytes line = tw_bytes_first(first, cr ? (size_t)(cr - first.data) : first.len);
    struct tw_bytes tag;

    if (tw_line_begins(first, "* OK ") || tw_line_begins(first, "* PREAUTH "))
        return TW_GUESS_ANSWERER;
    tag = tw_line_word(&line);
    /* Commands of others have no numbers in front, and their replies three digits. */
    if (!is_tag(tag) || !g_ascii_isdigit(tag.data[tag.len - 1]) || tag.len == 3)
        return TW_GUESS_NO;
    return tw_line_is_one_of(tw_line_word(&line), COMMANDS) ? TW_GUESS_ASKER : TW_GUESS_NO;
}

/* Bytes of the literal that a line announces at its end: {N} or {N+}; -1: none. */
static int64_t literal(struct tw_bytes line, bool *waits)
{
    size_t i = line.len;
    int64_t n = 0, unit = 1;

    *waits = true;
    if (i < 3 || line.data[--i] != '}')
        return -1;
    if (line.data[i - 1] == '+' || line.data[i - 1] == '-') {
        *waits = line.data[i - 1] == '-';
        i--;
    }
    for (; i > 0 && unit < 10000000000 && g_ascii_isdigit(line.data[i - 1]); i--, unit *= 10)
        n += unit * (line.data[i - 1] - '0');
    return i > 0 && line.data[i - 1] == '{' && unit > 1 ? n : -1;
}

/* The client's line ends here, or goes on behind a literal. */
static void end_line(const struct work *w, struct tw_bytes line, int64_t to)
{
    bool waits;
    int64_t n = literal(line, &waits);

    w->imap->goes_on = n >= 0;
    if (n >= 0) {
        w->imap->way[0].literal_to = to + n;
        if (waits)
            tw_transactions_expect(w->transactions);
        return;
    }
    tw_transactions_asked(w->transactions, to);
}

/* FNV-1a. */
static uint32_t hash(struct tw_bytes tag)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < tag.len; i++)
        h = (h ^ tag.data[i]) * 16777619u;
    return h;
}

static void ask(const struct work *w, uint32_t tag, struct tw_bytes verb, struct tw_bytes object,
                int64_t from)
{
    tw_transactions_ask(w->transactions, from);
    tw_transactions_name(w->transactions, verb, object);
    w->imap->tag[(w->transactions->n - 1) % TAGS] = tag;
}

/* The response that has begun is that of the command with this tag: those before it have none in
 * the capture. @return false if no command has it. */
static bool pair(const struct work *w, uint32_t tag)
{
    struct tw_transactions *t = w->transactions;
    struct tw_exchange *begun = tw_transactions_at(t, t->answering);
    uint32_t i = t->answering;

    while (i < t->n && i < t->answering + TAGS && w->imap->tag[i % TAGS] != tag)
        i++;
    if (i == t->answering)
        return true;
    if (i < t->n && i < t->answering + TAGS) {
        tw_transactions_at(t, i)->response_from = begun->response_from;
        tw_transactions_at(t, i)->response_to = TW_OPEN;
        t->answering = i;
        i = 0;
    }
    begun->response_from = begun->response_to = 0;
    t->answer_runs = i == 0;
    return i == 0;
}

/* An IDLE ends with DONE, and the tagged response to IDLE is one to this. */
static void done(const struct work *w, struct tw_bytes verb, int64_t from, int64_t to)
{
    struct tw_transactions *t = w->transactions;

    w->imap->idles = false;
    if (t->answer_runs)
        tw_transactions_answered(t, t->answered_to, true);
    ask(w, w->imap->last_tag, verb, tw_bytes(NULL, 0), from);
    tw_transactions_asked(t, to);
}

static bool client_line(void *user, struct tw_bytes line, int64_t from, int64_t to)
{
    const struct work *w = user;
    struct tw_bytes rest = line, tag, verb, object = { 0 };

    if (w->imap->goes_on) {
        end_line(w, line, to);
        return true;
    }
    if (w->imap->idles && tw_line_is(line, "DONE")) {
        done(w, line, from, to);
        return true;
    }
    if (w->imap->in_login) {
        w->imap->in_login = false;
        ask(w, w->imap->last_tag, tw_bytes((const uint8_t *)"(login)", 7), object, from);
        tw_transactions_asked(w->transactions, to);
        return true;
    }
    tag = tw_line_word(&rest);
    verb = tw_line_word(&rest);
    if (!is_tag(tag) || !tw_line_is_one_of(verb, COMMANDS))
        return true;
    if (tw_line_is(verb, "UID"))
        object = tw_line_word(&rest);
    w->imap->last_tag = hash(tag);
    ask(w, w->imap->last_tag, verb, object, from);
    w->imap->idles = tw_line_is(verb, "IDLE") && rest.len == 0;
    if (w->imap->idles && w->transactions->asking) {
        struct tw_exchange *e = tw_transactions_at(w->transactions, w->transactions->n - 1);

        e->at_will = true;
    }
    end_line(w, line, to);
    return true;
}

static void begin_answer(const struct work *w, int64_t from)
{
    if (!w->transactions->answer_runs)
        tw_transactions_answer(w->transactions, from);
}

/* The end of a response: a line with the command's tag and OK, NO or BAD. */
static void tagged(const struct work *w, uint32_t tag, struct tw_bytes state, int64_t to)
{
    struct tw_transactions *t = w->transactions;
    const bool good = tw_line_is(state, "OK");
    bool tls, compressed;

    if (!t->answer_runs || !pair(w, tag))
        return;
    tls = good && g_ascii_strcasecmp(tw_transactions_question(t), "STARTTLS") == 0;
    compressed = good && g_ascii_strcasecmp(tw_transactions_question(t), "COMPRESS") == 0;
    if (!good)
        tw_transactions_detail(t, t->answering, tw_line_is(state, "NO") ? "NO" : "BAD");
    w->imap->idles = w->imap->in_login = false;
    tw_transactions_answered(t, to, true);
    if (tls)
        tw_transactions_switch(t, "tls", to);
    else if (compressed)
        tw_transactions_leave(t, "imap", t->reached[t->asker], to);
}

static bool server_line(void *user, struct tw_bytes line, int64_t from, int64_t to)
{
    const struct work *w = user;
    struct tw_transactions *t = w->transactions;
    struct tw_bytes rest = line, tag = tw_line_word(&rest), state = tw_line_word(&rest);
    const bool inside = w->imap->in_literal_line;
    bool waits;
    int64_t n = literal(line, &waits);

    w->imap->in_literal_line = n >= 0;
    if (n >= 0)
        w->imap->way[1].literal_to = to + n;
    /* Nobody asked: news of the mailbox, or that it closes (RFC 9051, 7). */
    if (tw_transactions_outstanding(t) == 0 && w->imap->greeted)
        return true;
    if (!inside && tw_line_is(tag, "+")) {
        if (w->imap->idles) {
            begin_answer(w, from);
            t->until_turn = true;
            t->answered_to = to;
        } else if (tw_transactions_outstanding(t) == 1 && !w->imap->goes_on) {
            w->imap->in_login = true;
            begin_answer(w, from);
            tw_transactions_answered(t, to, true);
        }
        return true;
    }
    begin_answer(w, from);
    t->answered_to = to;
    if (!w->imap->greeted) {
        w->imap->greeted = true;
        tw_transactions_answered(t, to, true);
    } else if (!inside && is_tag(tag) && tw_line_is_one_of(state, "OK NO BAD")) {
        tagged(w, hash(tag), state, to);
    }
    return !t->switch_to && !t->opaque;
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct imap *imap = state;
    struct work w = { imap, transactions };

    imap->greeted |= asks;
    tw_line_way_take(&imap->way[!asks], asks ? client_line : server_line, &w, p);
    if (!transactions->switch_to && !transactions->opaque)
        tw_transactions_pass_over(transactions, asks ? transactions->asker : !transactions->asker,
                                  imap->way[!asks].literal_to);
}

static void clear(void *state)
{
    tw_line_ways_clear(((struct imap *)state)->way);
}

G_STATIC_ASSERT(sizeof(struct imap) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_imap = {
    .name = "imap",
    .state_size = sizeof(struct imap),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
