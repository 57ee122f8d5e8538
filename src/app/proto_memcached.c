/* SPDX-License-Identifier: MIT */
/*
 * memcached's text protocol (its protocol.txt): commands are lines, some with data behind them, and
 * so are responses. A command is named without its keys.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/protocol.h"

/* protocol.txt: keys have up to 250 bytes; a value's default limit is 1 MiB (-I), at most 1 GiB. */
#define MAX_KEY  250
#define MAX_DATA (1 << 30)

/* The end of a response. */
enum reply {
    ONE_LINE,
    TO_END, /* a line END */
    NO_OP,  /* MN */
    QUIET,  /* a meta command that says nothing where all went as it mostly does */
};

static const struct command {
    const char *name;
    uint8_t data;  /* the argument that is the length of data behind the line; 0: none */
    uint8_t least; /* arguments */
    enum reply reply;
} commands[] = {
    { "get", 0, 1, TO_END },           { "gets", 0, 1, TO_END },
    { "gat", 0, 2, TO_END },           { "gats", 0, 2, TO_END },
    { "set", 4, 4, ONE_LINE },         { "add", 4, 4, ONE_LINE },
    { "replace", 4, 4, ONE_LINE },     { "append", 4, 4, ONE_LINE },
    { "prepend", 4, 4, ONE_LINE },     { "cas", 4, 5, ONE_LINE },
    { "delete", 0, 1, ONE_LINE },      { "incr", 0, 2, ONE_LINE },
    { "decr", 0, 2, ONE_LINE },        { "touch", 0, 2, ONE_LINE },
    { "mg", 0, 1, ONE_LINE },          { "ms", 2, 2, ONE_LINE },
    { "md", 0, 1, ONE_LINE },          { "ma", 0, 1, ONE_LINE },
    { "me", 0, 1, ONE_LINE },          { "mn", 0, 0, NO_OP },
    { "stats", 0, 0, TO_END },         { "version", 0, 0, ONE_LINE },
    { "verbosity", 0, 1, ONE_LINE },   { "flush_all", 0, 0, ONE_LINE },
    { "quit", 0, 0, ONE_LINE },        { "watch", 0, 0, ONE_LINE },
    { "lru_crawler", 0, 0, ONE_LINE }, { "slabs", 0, 0, ONE_LINE },
};

struct memcached {
    struct tw_dialogue dialogue;
    bool ends; /* the line is a response's last */
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* The line without its end. */
static struct tw_bytes line_of(struct tw_bytes first)
{
    const uint8_t *lf = first.len > 0 ? memchr(first.data, '\n', first.len) : NULL;
    size_t len = lf ? (size_t)(lf - first.data) : first.len;

    return tw_bytes_first(first, len - (len > 0 && first.data[len - 1] == '\r'));
}

/* The word at an index; empty: there are not as many. */
static struct tw_bytes word_at(struct tw_bytes line, size_t index)
{
    size_t at = 0, end;

    for (size_t i = 0;; i++) {
        while (at < line.len && line.data[at] == ' ')
            at++;
        for (end = at; end < line.len && line.data[end] != ' ';)
            end++;
        if (i == index || at == line.len)
            return tw_bytes_first(tw_bytes_from(line, at), end - at);
        at = end;
    }
}

static bool is_word(struct tw_bytes word, const char *text)
{
    return word.len == strlen(text) && memcmp(word.data, text, word.len) == 0;
}

static bool begins(struct tw_bytes line, const char *text)
{
    return tw_bytes_has(line, 0, strlen(text)) && memcmp(line.data, text, strlen(text)) == 0;
}

/* A decimal number; -1: none. */
static int64_t number(struct tw_bytes word)
{
    int64_t n = word.len > 0 ? 0 : -1;

    for (size_t i = 0; i < word.len; i++) {
        if (!g_ascii_isdigit(word.data[i]) || n > MAX_DATA)
            return -1;
        n = n * 10 + (word.data[i] - '0');
    }
    return n;
}

static const struct command *command_of(struct tw_bytes line)
{
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        if (is_word(word_at(line, 0), commands[i].name))
            return &commands[i];
    return NULL;
}

/* Bytes behind a response's line: VALUE key flags bytes, or VA bytes flags. */
static int64_t answer_data(struct tw_bytes line)
{
    if (begins(line, "VALUE "))
        return number(word_at(line, 3));
    return begins(line, "VA ") ? number(word_at(line, 1)) : -1;
}

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    const uint8_t *lf = memchr(first.data, '\n', first.len);
    struct tw_bytes line = line_of(first);
    const struct command *command;
    int64_t data = -1;

    (void)state;
    if (!g_ascii_isprint(first.data[0]))
        return TW_MESSAGE_WRONG;
    if (!lf)
        return first.len < (asks ? TW_MESSAGE_ASKED : TW_MESSAGE_ANSWERED) && !begins(first, "get ")
                   ? TW_MESSAGE_MORE
                   : TW_MESSAGE_LINE;
    if (asks) {
        command = command_of(line);
        if (command && command->data > 0)
            data = number(word_at(line, command->data));
    } else {
        data = answer_data(line);
    }
    return (lf - first.data) + 1 + (data >= 0 ? data + 2 : 0);
}

static bool is_key(struct tw_bytes word)
{
    for (size_t i = 0; i < word.len; i++)
        if (word.data[i] <= ' ' || word.data[i] == 0x7f)
            return false;
    return word.len > 0 && word.len <= MAX_KEY;
}

/* A command of which only the first bytes may be there. */
static enum tw_guess guess_command(struct tw_bytes first)
{
    struct tw_bytes line = line_of(first);
    const struct command *command = command_of(line);
    bool whole = line.len < first.len;

    if (!command || command->least == 0 || !is_key(word_at(line, 1)))
        return TW_GUESS_NO;
    if (command->data == 4 && word_at(line, 3).len > 0 && number(word_at(line, 2)) < 0)
        return TW_GUESS_NO;
    if (!whole)
        return TW_GUESS_MORE;
    if (word_at(line, command->least).len == 0 || !begins(tw_bytes_from(first, line.len), "\r\n"))
        return TW_GUESS_NO;
    return command->data == 0 || number(word_at(line, command->data)) >= 0 ? TW_GUESS_ASKER
                                                                           : TW_GUESS_NO;
}

/* Keys are longer than what a guess sees: then the words before it and its begin must do. */
static enum tw_guess guess(struct tw_bytes first)
{
    enum tw_guess g = guess_command(first);

    if (first.len == 0)
        return TW_GUESS_MORE;
    if (begins(first, "VALUE ") && is_key(word_at(line_of(first), 1)))
        return first.len < TW_GUESS_BYTES || number(word_at(line_of(first), 2)) >= 0
                   ? TW_GUESS_ANSWERER
                   : TW_GUESS_NO;
    if (g == TW_GUESS_MORE && first.len == TW_GUESS_BYTES)
        return TW_GUESS_ASKER;
    return g;
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    static const char *const lines[] = { "VALUE ",        "END\r\n", "STORED\r\n", "DELETED\r\n",
                                         "NOT_FOUND\r\n", "HD",      "EN\r\n",     "VA " };

    (void)state;
    if (asks)
        return guess_command(tw_bytes_first(first, TW_GUESS_BYTES)) != TW_GUESS_NO;
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
        if (begins(first, lines[i]))
            return true;
    return false;
}

/* ---- messages -------------------------------------------------------------------------------- */

static bool is_meta(struct tw_bytes line)
{
    return tw_u8(line, 0) == 'm' && word_at(line, 0).len == 2;
}

/* Has a meta command the flag q? Flags stand behind the key, or behind the length of data. */
static bool is_quiet(struct tw_bytes line)
{
    struct tw_bytes flag;

    for (size_t i = 2; (flag = word_at(line, i)).len > 0; i++)
        if (flag.data[0] == 'q')
            return true;
    return false;
}

static enum reply reply_of(const struct command *command, struct tw_bytes line)
{
    struct tw_bytes part = word_at(line, 1);

    if (is_meta(line) && is_quiet(line))
        return QUIET;
    if (is_word(part, "metadump") || is_word(part, "mgdump"))
        return TO_END;
    return command->reply;
}

static void asked(struct tw_transactions *t, const struct tw_message *f)
{
    struct tw_bytes line = line_of(f->head), key = tw_bytes(NULL, 0);
    const struct command *command = command_of(line);

    tw_transactions_ask(t, f->from);
    if (!t->asking)
        return;
    if (t->values && command && command->least > 0)
        key = word_at(line, 1);
    tw_transactions_name(t, word_at(command ? line : tw_bytes((const uint8_t *)"command", 7), 0),
                         key);
    if (command)
        tw_transactions_at(t, t->n - 1)->awaits = reply_of(command, line);
    if ((line.len > 8 && begins(tw_bytes_from(line, line.len - 8), " noreply")) ||
        is_word(line, "quit"))
        tw_transactions_one_way(t);
}

/* May the line answer a quiet command? It hides misses of mg, and of others that they were done and
 * that there was nothing to do. */
static bool may_answer_quiet(const char *request, struct tw_bytes line)
{
    static const char *const shown[] = { "HD", "VA", "EN", "NF", "NS", "EX" };
    const bool reads = request[0] == 'm' && request[1] == 'g';
    struct tw_bytes code = word_at(line, 0);

    if (reads ? is_word(code, "EN") : is_word(code, "HD") || is_word(code, "NF"))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(shown); i++)
        if (is_word(code, shown[i]))
            return true;
    return code.len > 5 && memcmp(code.data + code.len - 5, "ERROR", 5) == 0;
}

/* Responses come in order: quiet commands before the one that a line answers had nothing to say. */
static void pass_quiet(struct tw_transactions *t, struct tw_bytes line)
{
    struct tw_exchange *e;

    while ((e = tw_transactions_awaited(t)) && e->awaits == QUIET &&
           !may_answer_quiet(e->request, line))
        e->one_way = true;
}

/* Such lines end with END, be the request in the capture or not. */
static bool begins_list(struct tw_bytes line)
{
    return begins(line, "VALUE ") || begins(line, "STAT ") || begins(line, "ITEM ");
}

static void answered(struct memcached *m, struct tw_transactions *t, const struct tw_message *f)
{
    static const char *const errors[] = { "ERROR", "CLIENT_ERROR", "SERVER_ERROR" };
    struct tw_bytes line = line_of(f->head);
    const bool first = !t->answer_runs;
    struct tw_exchange *e;

    if (first) {
        pass_quiet(t, line);
        tw_transactions_answer(t, f->from);
    }
    e = tw_transactions_awaited(t);
    if (first && e && begins_list(line))
        e->awaits = TO_END;
    m->ends = !e || e->awaits != TO_END || is_word(line, "END") || is_word(line, "RESET");
    for (size_t i = 0; i < G_N_ELEMENTS(errors); i++)
        if (is_word(word_at(line, 0), errors[i])) {
            m->ends = true;
            tw_transactions_failed(t, errors[i]);
        }
}

static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    if (f->asks)
        asked(t, f);
    else
        answered(state, t, f);
}

static void end(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    const struct memcached *m = state;

    if (f->asks)
        tw_transactions_asked(t, f->to);
    else if (m->ends)
        tw_transactions_answered(t, f->to, true);
}

static void resume(void *state, struct tw_transactions *t, bool asks, int64_t at)
{
    (void)state;
    tw_transactions_resume(t, asks, at);
}

static const struct tw_message_rules rules = { length, begin, end, resume, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    tw_dialogue_take(&((struct memcached *)state)->dialogue, &rules, state, t, asks, p);
}

G_STATIC_ASSERT(sizeof(struct memcached) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_memcached = {
    .name = "memcached",
    .state_size = sizeof(struct memcached),
    .guess = guess,
    .piece = piece,
};
