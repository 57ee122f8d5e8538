/* SPDX-License-Identifier: MIT */
/*
 * Redis (RESP2 and RESP3): arrays of strings are commands, and values answer them in order. A
 * command is named without its arguments. Messages of subscriptions, and of MONITOR, respond to
 * nothing.
 */
#include <string.h>

#include "app/dialogue.h"
#include "app/protocol.h"

/* Longest line that tells a length, and most elements (redis.conf: proto-max-bulk-len; multibulk
 * requests have up to 1024 * 1024). */
#define MAX_NUMBER   20
#define MAX_BULK     (512 * 1024 * 1024)
#define MAX_ELEMENTS (1 << 30)

/* Longest names in use have 16 bytes (ZREMRANGEBYSCORE); modules' some more. */
#define MAX_NAME 24

/* Kinds of commands. */
enum kind {
    PLAIN,
    CONTAINER, /* the next word is part of its name */
    BLOCKS,    /* waits for others' data */
    MAY_BLOCK, /* ... with the argument BLOCK */
    REPLICATES,
    CLIENT, /* a container, whose REPLY turns responses off */
};

static const struct command {
    const char *name;
    enum kind kind;
} commands[] = {
    { "BLPOP", BLOCKS },       { "BRPOP", BLOCKS },      { "BRPOPLPUSH", BLOCKS },
    { "BLMOVE", BLOCKS },      { "BLMPOP", BLOCKS },     { "BZPOPMIN", BLOCKS },
    { "BZPOPMAX", BLOCKS },    { "BZMPOP", BLOCKS },     { "WAIT", BLOCKS },
    { "WAITAOF", BLOCKS },     { "XREAD", MAY_BLOCK },   { "XREADGROUP", MAY_BLOCK },
    { "SYNC", REPLICATES },    { "PSYNC", REPLICATES },  { "CLIENT", CLIENT },
    { "CONFIG", CONTAINER },   { "CLUSTER", CONTAINER }, { "XGROUP", CONTAINER },
    { "XINFO", CONTAINER },    { "PUBSUB", CONTAINER },  { "SCRIPT", CONTAINER },
    { "ACL", CONTAINER },      { "OBJECT", CONTAINER },  { "MEMORY", CONTAINER },
    { "FUNCTION", CONTAINER }, { "COMMAND", CONTAINER }, { "SLOWLOG", CONTAINER },
    { "LATENCY", CONTAINER },
};

struct redis {
    struct tw_dialogue dialogue;
    int64_t needs[2]; /* by way: elements to the end of the value; 0: none has begun */
    int64_t element;  /* of the command, from 0 */
    enum kind kind;
    bool replies;  /* CLIENT REPLY is read */
    bool off;      /* no command is answered */
    bool skips;    /* the next one is not */
    bool top_push; /* the value is a push of RESP3 that nobody waits for */
    bool command;  /* the array is a command */
};

/* ---- lengths --------------------------------------------------------------------------------- */

/* Length of the line with its CR LF, 0: it has no end yet. */
static size_t line_len(struct tw_bytes first)
{
    const uint8_t *lf = memchr(first.data, '\n', first.len);

    return lf ? (size_t)(lf - first.data) + 1 : 0;
}

/* The decimal number behind the type; -1: null, or streamed; -2: none. */
static int64_t number_of(struct tw_bytes line)
{
    int64_t n = 0;
    size_t i = 1;

    if (tw_u8(line, 1) == '-' || tw_u8(line, 1) == '?')
        return -1;
    for (; i < line.len && g_ascii_isdigit(line.data[i]); i++)
        n = n > MAX_ELEMENTS ? n : n * 10 + (line.data[i] - '0');
    return i > 1 && tw_u8(line, i) == '\r' ? n : -2;
}

static int64_t length(const void *state, bool asks, struct tw_bytes first)
{
    static const char sized[] = "$=!", counted[] = "*%~>|", simple[] = "+-:_#,(.";
    const struct redis *r = state;
    size_t line = line_len(first);
    uint8_t type = first.data[0];
    int64_t n;

    if (asks && r->needs[0] == 0 && type != '*')
        return !g_ascii_isgraph(type) && type != '\r' ? TW_MESSAGE_WRONG
                                                      : (line ? (int64_t)line : TW_MESSAGE_LINE);
    /* A server that prepares its snapshot says that it lives. */
    if (!asks && type == '\n' && r->kind == REPLICATES)
        return 1;
    if (memchr(simple, type, sizeof simple - 1))
        return line ? (int64_t)line : TW_MESSAGE_LINE;
    if (!memchr(sized, type, sizeof sized - 1) && !memchr(counted, type, sizeof counted - 1))
        return TW_MESSAGE_WRONG;
    if (line == 0)
        return first.len <= MAX_NUMBER ? TW_MESSAGE_MORE : TW_MESSAGE_WRONG;
    n = number_of(tw_bytes_first(first, line));
    if (n == -2 || n > MAX_ELEMENTS)
        return TW_MESSAGE_WRONG;
    if (n == -1 || memchr(counted, type, sizeof counted - 1))
        return (int64_t)line;
    return n <= MAX_BULK ? (int64_t)line + n + 2 : TW_MESSAGE_WRONG;
}

/* Elements behind this one that the value has, too. */
static int64_t more_elements(struct tw_bytes head)
{
    uint8_t type = head.data[0];
    int64_t n;

    if (!memchr("*%~>|", type, 5))
        return 0;
    n = MAX(number_of(head), 0);
    if (type == '%')
        return 2 * n;
    return type == '|' ? 2 * n + 1 : n;
}

/* The text of a bulk string, or of a word of an inline command. */
static struct tw_bytes word_of(struct tw_bytes head)
{
    struct tw_bytes word = tw_u8(head, 0) == '$' ? tw_bytes_from(head, line_len(head)) : head;
    size_t len = 0;

    while (len < word.len && len <= MAX_NAME &&
           (g_ascii_isalnum(word.data[len]) || memchr("._-", word.data[len], 3)))
        len++;
    return tw_bytes_first(word, len);
}

static bool is_word(struct tw_bytes word, const char *text)
{
    return word.len == strlen(text) &&
           g_ascii_strncasecmp((const char *)word.data, text, word.len) == 0;
}

/* Commands are arrays of strings alone, and none has the name of a subscription's message. Whoever
 * sends another array, or such a message, answers: perhaps a command in line, which tells nothing.
 */
static bool is_value(struct tw_bytes array)
{
    static const char *const messages[] = { "message", "pmessage", "smessage" };
    static const struct redis fresh;
    struct tw_bytes rest = tw_bytes_from(array, line_len(array));

    for (size_t i = 0; i < G_N_ELEMENTS(messages); i++)
        if (is_word(word_of(rest), messages[i]))
            return true;
    for (int64_t left = number_of(array); left > 0 && rest.len > 0; left--) {
        if (rest.data[0] != '$')
            return true;
        if (line_len(rest) == 0)
            return false;
        rest = tw_bytes_from(rest, (size_t)MAX(length(&fresh, false, rest), 1));
    }
    return false;
}

static enum tw_guess guess(struct tw_bytes first)
{
    size_t line;

    if (first.len == 0)
        return TW_GUESS_MORE;
    if (first.data[0] != '*' || (first.len > 1 && !g_ascii_isdigit(first.data[1])))
        return TW_GUESS_NO;
    line = line_len(first);
    if (line == 0)
        return first.len < MAX_NUMBER ? TW_GUESS_MORE : TW_GUESS_NO;
    if (number_of(tw_bytes_first(first, line)) <= 0)
        return TW_GUESS_NO;
    if (first.len < line + 2)
        return TW_GUESS_MORE;
    if (first.data[line] != '$' || !g_ascii_isdigit(first.data[line + 1]))
        return TW_GUESS_NO;
    return is_value(first) ? TW_GUESS_ANSWERER : TW_GUESS_ASKER;
}

static bool resumes(const void *state, bool asks, struct tw_bytes first)
{
    static const char answers[] = "+-:$*%~>";

    (void)state;
    if (asks)
        return guess(first) == TW_GUESS_ASKER;
    return memchr(answers, tw_u8(first, 0), sizeof answers - 1) && length(state, false, first) > 0;
}

/* ---- commands -------------------------------------------------------------------------------- */

static void name(struct tw_transactions *t, struct tw_bytes word, const char *before)
{
    char text[2 * MAX_NAME + 4];
    size_t len = strlen(before);

    if (word.len == 0 || word.len > MAX_NAME || len > MAX_NAME)
        return;
    memcpy(text, before, len);
    if (len > 0)
        text[len++] = ' ';
    for (size_t i = 0; i < word.len; i++)
        text[len++] = g_ascii_toupper((char)word.data[i]);
    text[len] = '\0';
    tw_transactions_call(t, tw_transactions_keep_text(t, text, ""));
}

static const char *name_so_far(struct tw_transactions *t)
{
    return t->asking ? tw_transactions_at(t, t->n - 1)->request : "";
}

static void begin_command(struct redis *r, struct tw_transactions *t, struct tw_bytes word)
{
    r->kind = PLAIN;
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        if (is_word(word, commands[i].name))
            r->kind = commands[i].kind;
    name(t, word, "");
    if (t->asking && !name_so_far(t)[0])
        tw_transactions_call(t, "command");
    if (t->asking && (r->kind == BLOCKS || r->kind == REPLICATES))
        tw_transactions_wait(t);
    if (t->asking && (r->off || r->skips))
        tw_transactions_one_way(t);
    r->skips = false;
}

/* CLIENT REPLY ON, OFF or SKIP. */
static void reply_mode(struct redis *r, struct tw_transactions *t, struct tw_bytes word)
{
    r->off = !is_word(word, "ON") && (r->off || is_word(word, "OFF"));
    r->skips = is_word(word, "SKIP");
    if (t->asking)
        tw_transactions_at(t, t->n - 1)->one_way = r->off || r->skips;
}

/* With values, the first argument, which is most often a key. */
static void add_key(struct tw_transactions *t, struct tw_bytes head)
{
    struct tw_bytes key = tw_bytes_from(head, line_len(head));

    if (t->values && t->asking && tw_u8(head, 0) == '$' && key.len > 2)
        tw_transactions_call(
            t, tw_transactions_keep_name(
                   t, tw_bytes((const uint8_t *)name_so_far(t), strlen(name_so_far(t))),
                   tw_bytes_first(key, (size_t)MIN((int64_t)key.len, number_of(head)))));
}

static void argument(struct redis *r, struct tw_transactions *t, struct tw_bytes head)
{
    struct tw_bytes word = word_of(head);

    if (r->element == 1 && (r->kind == CONTAINER || r->kind == CLIENT)) {
        r->replies = r->kind == CLIENT && is_word(word, "REPLY");
        name(t, word, name_so_far(t));
    } else if (r->element == 2 && r->replies) {
        r->replies = false;
        reply_mode(r, t, word);
    } else if (r->kind == MAY_BLOCK && is_word(word, "BLOCK") && t->asking) {
        tw_transactions_wait(t);
    } else if (r->element == 1) {
        add_key(t, head);
    }
}

static void asked(struct redis *r, struct tw_transactions *t, const struct tw_message *f)
{
    bool first = r->needs[0] == 0;

    if (first) {
        if (f->head.data[0] == '\r' || f->head.data[0] == '\n')
            return; /* an empty line is no command */
        tw_transactions_ask(t, f->from);
        r->command = f->head.data[0] == '*';
        r->needs[0] = 1;
        r->element = 0;
        r->replies = false;
        if (!r->command)
            begin_command(r, t, word_of(f->head));
    } else {
        if (r->element == 0)
            begin_command(r, t, word_of(f->head));
        else
            argument(r, t, f->head);
        r->element++;
    }
    r->needs[0] += more_elements(f->head) - 1;
}

static void asked_end(struct redis *r, struct tw_transactions *t, const struct tw_message *f)
{
    if (r->needs[0] == 0 && t->asking)
        tw_transactions_asked(t, f->to);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The node of a cluster that has the key, behind the key's slot. */
static void tell_node(struct tw_transactions *t, struct tw_bytes rest)
{
    const struct tw_bytes slot = word_of(rest);

    tw_transactions_name_address(t, tw_bytes_from(rest, slot.len + 1),
                                 "Redis cluster-announce-ip and cluster-announce-port");
}

/* The word behind '-', as WRONGTYPE; it has no data of others. */
static void tell_error(struct tw_transactions *t, struct tw_bytes head)
{
    struct tw_bytes word = word_of(tw_bytes_from(head, 1));
    char text[MAX_NAME + 1];

    if (word.len == 0 || word.len > MAX_NAME)
        return;
    memcpy(text, word.data, word.len);
    text[word.len] = '\0';
    tw_transactions_failed(t, text);
    if (strcmp(text, "MOVED") == 0 || strcmp(text, "ASK") == 0)
        tell_node(t, tw_bytes_from(head, word.len + 2));
}

static bool is_replication(struct tw_transactions *t)
{
    const char *question = tw_transactions_question(t);

    return strcmp(question, "SYNC") == 0 || strcmp(question, "PSYNC") == 0;
}

/* Subscriptions are confirmed by pushes. */
static bool is_subscription(const struct tw_exchange *e)
{
    size_t len = strlen(e->request);

    return len >= 9 && strcmp(e->request + len - 9, "SUBSCRIBE") == 0;
}

static void answered(struct redis *r, struct tw_transactions *t, const struct tw_message *f)
{
    const struct tw_exchange *e = tw_transactions_awaited(t);

    if (r->needs[1] == 0) {
        r->top_push = f->head.data[0] == '>' && e && !is_subscription(e);
        if (!r->top_push)
            tw_transactions_answer(t, f->from);
        r->needs[1] = 1;
        if (!r->top_push && f->head.data[0] == '-')
            tell_error(t, f->head);
        if (is_replication(t)) {
            tw_transactions_leave(t, "redis", t->asked_to, f->from);
            tw_transactions_feed(t);
            return;
        }
    }
    r->needs[1] += more_elements(f->head) - 1;
}

static void answered_end(struct redis *r, struct tw_transactions *t, const struct tw_message *f)
{
    if (r->needs[1] == 0 && t->answer_runs)
        tw_transactions_answered(t, f->to, true);
}

/* ---- both ------------------------------------------------------------------------------------ */

static void begin(void *state, struct tw_transactions *t, const struct tw_message *f)
{
    struct redis *r = state;

    if (f->asks)
        asked(r, t, f);
    else
        answered(r, t, f);
    if (r->needs[!f->asks] > MAX_ELEMENTS)
        tw_transactions_give_up(t, f->asks, f->from);
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
    ((struct redis *)state)->needs[!asks] = 0;
    tw_transactions_resume(t, asks, at);
}

static const struct tw_message_rules rules = { length, begin, end, resume, resumes };

static void piece(void *state, struct tw_transactions *t, bool asks, const struct tw_piece *p)
{
    tw_dialogue_take(&((struct redis *)state)->dialogue, &rules, state, t, asks, p);
}

G_STATIC_ASSERT(sizeof(struct redis) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_redis = {
    .name = "redis",
    .state_size = sizeof(struct redis),
    .guess = guess,
    .piece = piece,
};
