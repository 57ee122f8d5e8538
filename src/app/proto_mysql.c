/* SPDX-License-Identifier: MIT */
/*
 * MySQL client/server protocol, version 10: greeting, login, then packets with sequence number 0
 * are commands. Result sets are not parsed, beyond their first packet: a result ends when the
 * client sends again. Prepared statements are known by their text. After a switch to TLS or
 * compression, and for replicas, transactions are turns.
 */
#include <string.h>

#include "app/ids.h"
#include "app/line_way.h"
#include "app/protocol.h"
#include "app/sql.h"

#define HEADER     4 /* length (three bytes, little endian) and sequence number */
#define VERSION_10 10

/* A packet of this length continues with the next one. */
#define FULL_PACKET 0xffffff

/* A greeting is the server version as text with about 50 bytes around it. */
#define MIN_GREETING 40
#define MAX_GREETING 512

/* Capability flags in the client's first packet, which is this short if it only requests TLS. */
#define CLIENT_COMPRESS 0x0020
#define CLIENT_SSL      0x0800
#define SSL_REQUEST_LEN 32

/* Commands that matter by themselves: some have no response. */
#define COM_QUIT           1
#define COM_QUERY          3
#define COM_STMT_PREPARE   22
#define COM_STMT_EXECUTE   23
#define COM_STMT_LONG_DATA 24
#define COM_STMT_CLOSE     25

/* Replication commands: one request, then an event per change. */
#define COM_BINLOG_DUMP      18
#define COM_BINLOG_DUMP_GTID 30

/* Bytes of a packet to inspect: the start of a query. */
#define HEAD 256

struct command {
    const char *name;
    bool has_text;
};

static const struct command commands[] = {
    { "sleep", false },       { "quit", false },
    { "init_db", true },      { "query", true },
    { "list", true },         { "create_db", true },
    { "drop_db", true },      { "refresh", false },
    { "shutdown", false },    { "statistics", false },
    { "process", false },     { "connect", false },
    { "kill", false },        { "debug", false },
    { "ping", false },        { "time", false },
    { "insert", false },      { "change_user", false },
    { "binlog_dump", false }, { "table", false },
    { "connect_out", false }, { "register", false },
    { "prepare", true },      { "execute", false },
    { "long_data", false },   { "close", false },
    { "reset", false },       { "set_option", false },
    { "fetch", false },       { "daemon", false },
    { "binlog_gtid", false }, { "reset_connection", false },
};

/* First packets of a response: a statement's identifier follows OK, a number ERR. MORE_AUTH of two
 * bytes says that a password was known, and stands before OK. LOCAL_INFILE asks for a file, which
 * the client sends in packets up to an empty one; the response follows. */
#define OK           0x00
#define MORE_AUTH    0x01
#define ERR          0xff
#define LOCAL_INFILE 0xfb

/* ERR: behind it a number, which of errors of the server is 1000 or more, and the words. Behind a
 * '#' these begin with SQLSTATE. */
#define ERR_WORDS   (HEADER + 3)
#define SQLSTATE    6
#define LEAST_ERROR 1000

/* Status flag SERVER_STATUS_NO_BACKSLASH_ESCAPES: of sql_mode. */
#define NO_BACKSLASH_ESCAPES 0x0200

/* A greeting: behind the version's NUL a thread's number, salt, a filler, capabilities and a
 * character set stand before the status. */
#define GREETED_STATUS (4 + 8 + 1 + 2 + 1)

struct mysql {
    struct tw_ids statements; /* names of what executes them */
    const char *prepared;     /* the one whose identifier is to come, or NULL */
    uint8_t head[HEAD];       /* current packet of the client, with its header */
    size_t head_len;
    size_t left; /* bytes to its end, once the header is complete */
    int64_t from;
    bool told; /* it has been processed */
    bool lost; /* a gap hides the packet boundaries */
    bool greeted, logged_in, compressed;
    bool ready;        /* the login was accepted */
    bool no_backslash; /* in strings it is a character as others are */
    bool silent;       /* the open command gets no response: the next one joins it */
    bool continues;    /* the packet goes on with what the one before began */
    bool queries;      /* the open command is a query ... */
    bool loads;        /* ... for which the client sends a file */
    bool unasked;      /* the open response is to a command that the capture lacks */
};

/* An error instead of a greeting, as with too many connections. */
static bool is_refusal(struct tw_bytes first)
{
    uint32_t len = tw_le32(first, 0) & 0xffffff;

    return first.len >= ERR_WORDS && first.data[HEADER - 1] == 0 && first.data[HEADER] == ERR &&
           len >= ERR_WORDS - HEADER && len <= MAX_GREETING &&
           tw_le16(first, HEADER + 1) >= LEAST_ERROR;
}

/* In the middle: a query, or the preparation of one, that begins with a word of SQL. */
static bool is_query(struct tw_bytes first)
{
    const uint8_t code = tw_u8(first, HEADER);
    struct tw_bytes sql = tw_bytes_from(first, HEADER + 1);

    sql = tw_bytes_first(sql, (tw_le32(first, 0) & 0xffffff) - 1);
    return tw_u8(first, HEADER - 1) == 0 && (code == COM_QUERY || code == COM_STMT_PREPARE) &&
           tw_line_is_one_of(tw_line_word(&sql), "select insert update delete replace set show "
                                                 "call with begin commit rollback");
}

static enum tw_guess guess(struct tw_bytes first)
{
    uint32_t len = tw_le32(first, 0) & 0xffffff;

    if (first.len == 0)
        return TW_GUESS_MORE;
    if (first.len <= HEADER + 1)
        return tw_u8(first, 2) == 0 && tw_u8(first, 3) == 0 &&
                       (first.len <= HEADER || first.data[HEADER] == VERSION_10 ||
                        first.data[HEADER] == ERR)
                   ? TW_GUESS_MORE
                   : TW_GUESS_NO;
    if (is_refusal(first))
        return TW_GUESS_ANSWERER;
    if (is_query(first))
        return TW_GUESS_ASKER;
    return len >= MIN_GREETING && len <= MAX_GREETING && first.data[3] == 0 &&
                   first.data[HEADER] == VERSION_10 && g_ascii_isdigit(first.data[HEADER + 1])
               ? TW_GUESS_ANSWERER
               : TW_GUESS_NO;
}

static struct tw_bytes head_of(const struct mysql *m)
{
    return tw_bytes(m->head, m->head_len);
}

static size_t packet_len(const struct mysql *m)
{
    return tw_le32(head_of(m), 0) & 0xffffff;
}

static bool is_full(const struct mysql *m)
{
    return m->head_len >= HEADER && packet_len(m) == FULL_PACKET;
}

/* The client sends: the server's data since the request was its response. */
static void open_request(struct mysql *m, struct tw_transactions *transactions)
{
    if (transactions->answer_runs)
        tw_transactions_answered(transactions, transactions->answered_to, true);
    else if (transactions->unseen)
        tw_transactions_pass_by(transactions); /* the capture lacks its response */
    if (!m->silent)
        tw_transactions_ask(transactions, m->from);
    m->silent = m->unasked = false;
}

/* The client's login packet determines how the connection continues. */
static void log_in(struct mysql *m, struct tw_transactions *transactions)
{
    uint16_t capabilities = tw_le16(head_of(m), HEADER);
    static const char verb[] = "login";

    m->logged_in = true;
    m->compressed = capabilities & CLIENT_COMPRESS;
    if (packet_len(m) == SSL_REQUEST_LEN && capabilities & CLIENT_SSL) {
        tw_transactions_answered(transactions, transactions->answered_to, true);
        tw_transactions_leave(transactions, "tls", m->from, transactions->answered_to);
        return;
    }
    open_request(m, transactions);
    tw_transactions_name(transactions, tw_bytes((const uint8_t *)verb, sizeof verb - 1),
                         tw_bytes(NULL, 0));
}

/* From this packet of the client on, transactions are turns. */
static void leave(const struct mysql *m, struct tw_transactions *transactions)
{
    if (transactions->answer_runs)
        tw_transactions_answered(transactions, transactions->answered_to, true);
    tw_transactions_leave(transactions, "mysql", m->from, transactions->answered_to);
}

/* "verb statement", as far as it is kept. */
static const char *statement_name(const struct mysql *m, struct tw_transactions *transactions,
                                  const char *verb)
{
    struct tw_bytes sql = tw_bytes_from(head_of(m), HEADER + 1);
    char text[TW_SQL_TEXT + 4];

    if (transactions->values)
        return tw_transactions_keep_name(transactions,
                                         tw_bytes((const uint8_t *)verb, strlen(verb)), sql);
    tw_sql_shorten(text, sql, (struct tw_sql_dialect) { !m->no_backslash, true, true },
                   m->left > 0);
    return tw_transactions_keep_text(transactions, verb, text);
}

/* Names with a statement, or NULL. */
static const char *name_by_statement(struct mysql *m, struct tw_transactions *transactions,
                                     uint8_t code)
{
    m->prepared = NULL;
    if (code == COM_STMT_PREPARE)
        m->prepared = statement_name(m, transactions, commands[COM_STMT_EXECUTE].name);
    if (code == COM_STMT_EXECUTE)
        return tw_ids_find(&m->statements, tw_le32(head_of(m), HEADER + 1));
    return code < G_N_ELEMENTS(commands) && commands[code].has_text
               ? statement_name(m, transactions, commands[code].name)
               : NULL;
}

static void command(struct mysql *m, struct tw_transactions *transactions)
{
    uint8_t code = tw_u8(head_of(m), HEADER);
    struct command c = { "command", false };
    const char *statement;
    struct tw_bytes name;

    if (m->compressed) {
        leave(m, transactions);
        return;
    }
    if (code < G_N_ELEMENTS(commands))
        c = commands[code];
    name = tw_bytes((const uint8_t *)c.name, strlen(c.name));
    if (code == COM_BINLOG_DUMP || code == COM_BINLOG_DUMP_GTID) {
        leave(m, transactions);
        tw_transactions_leave_name(transactions, name, tw_bytes(NULL, 0));
        tw_transactions_feed(transactions);
        return;
    }
    open_request(m, transactions);
    statement = name_by_statement(m, transactions, code);
    if (statement)
        tw_transactions_call(transactions, statement);
    else
        tw_transactions_name(transactions, name, tw_bytes(NULL, 0));
    m->queries = code == COM_QUERY;
    m->silent = code == COM_QUIT || code == COM_STMT_LONG_DATA || code == COM_STMT_CLOSE;
}

/* Without a login the capture begins later, or lacks it. */
static void in_command_phase(struct mysql *m, struct tw_transactions *transactions)
{
    m->ready |= !m->logged_in;
    m->greeted = m->logged_in = true;
    command(m, transactions);
}

/* Enough of the packet is available. */
static void look(struct mysql *m, struct tw_transactions *transactions)
{
    m->told = true;
    if (m->continues || m->loads)
        m->loads = m->loads && packet_len(m) > 0;
    else if (!m->logged_in && m->head[HEADER - 1] > 0)
        log_in(m, transactions);
    else if (m->head[HEADER - 1] == 0)
        in_command_phase(m, transactions);
    else
        open_request(m, transactions); /* authentication continues */
}

static void begin_packet(struct mysql *m, int64_t from)
{
    m->continues = is_full(m);
    m->head_len = 0;
    m->left = HEADER;
    m->from = from;
    m->told = false;
}

/* Consume bytes up to the end of the header or packet. @return the rest. */
static struct tw_bytes take(struct mysql *m, struct tw_bytes rest)
{
    bool header = m->head_len < HEADER;
    struct tw_bytes part = tw_bytes_first(rest, m->left);
    struct tw_bytes kept = tw_bytes_first(part, HEAD - m->head_len);

    memcpy(m->head + m->head_len, kept.data, kept.len);
    m->head_len += kept.len;
    m->left -= part.len;
    if (header && m->left == 0)
        m->left = packet_len(m);
    return tw_bytes_from(rest, part.len);
}

/* A lone, complete command resynchronises after a gap. */
static bool is_command(struct tw_bytes bytes)
{
    return bytes.len > HEADER && (tw_le32(bytes, 0) & 0xffffff) == bytes.len - HEADER &&
           bytes.data[HEADER - 1] == 0 && bytes.data[HEADER] < G_N_ELEMENTS(commands);
}

static void asked(struct mysql *m, struct tw_transactions *transactions, struct tw_bytes rest,
                  int64_t to)
{
    if (m->lost && !is_command(rest))
        return;
    m->lost = false;
    while (rest.len > 0 && !transactions->opaque) {
        if (m->left == 0)
            begin_packet(m, to - (int64_t)rest.len);
        rest = take(m, rest);
        if (!m->told && m->head_len >= HEADER && (m->left == 0 || m->head_len == HEAD))
            look(m, transactions);
        if (m->left == 0 && !m->silent && !m->loads && !is_full(m) && !transactions->opaque)
            tw_transactions_asked(transactions, to - (int64_t)rest.len);
    }
}

static void asked_gap(struct mysql *m, struct tw_transactions *transactions,
                      const struct tw_piece *gap)
{
    size_t len = (size_t)(gap->to - gap->from);
    bool inside = m->head_len >= HEADER && m->left >= len;

    if (!m->told && m->head_len >= HEADER)
        look(m, transactions);
    m->lost = !inside;
    m->left = inside ? m->left - len : 0;
    if (m->lost) {
        m->loads = false;
        m->head_len = 0;
    }
}

/* Length of an integer of variable length. */
static size_t integer_len(uint8_t first)
{
    return first < 0xfb ? 1 : first == 0xfc ? 3 : first == 0xfd ? 4 : 9;
}

static void note_status(struct mysql *m, struct tw_bytes first, size_t at)
{
    if (tw_bytes_has(first, at, 2))
        m->no_backslash = tw_le16(first, at) & NO_BACKSLASH_ESCAPES;
}

static void look_at_greeting(struct mysql *m, struct tw_bytes first)
{
    struct tw_bytes version = tw_bytes_from(first, HEADER + 1);
    const uint8_t *end = version.len > 0 ? memchr(version.data, '\0', version.len) : NULL;

    if (end)
        note_status(m, version, (size_t)(end - version.data) + 1 + GREETED_STATUS);
}

/* OK: rows, and the number of the last one that was inserted, stand before the status. */
static void look_at_ok(struct mysql *m, struct tw_bytes first)
{
    size_t at = HEADER + 1;

    at += integer_len(tw_u8(first, at));
    at += integer_len(tw_u8(first, at));
    note_status(m, first, at);
}

/* Before a login is accepted, and where nobody asked, an error ends the connection. */
static void part(struct tw_transactions *transactions, struct tw_bytes packet)
{
    char code[sizeof "65535"];
    int len = g_snprintf(code, sizeof code, "%u", tw_le16(packet, HEADER + 1));
    struct tw_bytes words =
        tw_bytes_from(tw_bytes_first(packet, HEADER + (tw_le32(packet, 0) & 0xffffff)), ERR_WORDS);

    if (tw_u8(words, 0) == '#')
        words = tw_bytes_from(words, SQLSTATE);
    tw_transactions_part(transactions, tw_bytes((const uint8_t *)code, (size_t)len), words);
}

/* The beginning of a response. */
static void look_at_response(struct mysql *m, struct tw_transactions *transactions,
                             struct tw_bytes first)
{
    uint8_t code;
    char text[sizeof "error 65535"];

    if ((tw_le32(first, 0) & 0xffffff) == 2 && tw_u8(first, HEADER) == MORE_AUTH)
        first = tw_bytes_from(first, HEADER + 2);
    code = tw_u8(first, HEADER);
    if (code == OK && !m->prepared && m->logged_in)
        look_at_ok(m, first);
    if (code == OK && m->prepared && tw_bytes_has(first, HEADER, 5))
        tw_ids_put(&m->statements, transactions, tw_le32(first, HEADER + 1), m->prepared);
    if (code == ERR && tw_bytes_has(first, HEADER, 3)) {
        g_snprintf(text, sizeof text, "error %u", tw_le16(first, HEADER + 1));
        tw_transactions_failed(transactions, text);
        if (!m->ready)
            part(transactions, first);
    }
    m->ready |= code == OK;
    m->prepared = NULL;
}

/* Does the server ask for the file that the query names? Then it is the rest of the request. */
static bool asks_for_file(struct mysql *m, struct tw_transactions *transactions,
                          struct tw_bytes first)
{
    if (!m->queries || transactions->asking || tw_u8(first, HEADER) != LOCAL_INFILE ||
        tw_transactions_outstanding(transactions) != 1)
        return false;
    m->loads = transactions->asking = true;
    tw_transactions_at(transactions, transactions->n - 1)->request_to = TW_OPEN;
    return true;
}

/* A command that the capture lacks ended the response before. */
static void end_before_unseen(struct mysql *m, struct tw_transactions *transactions)
{
    if (!transactions->unseen || !m->logged_in || m->loads || m->unasked)
        return;
    if (transactions->answer_runs)
        tw_transactions_answered(transactions, transactions->answered_to, true);
    m->unasked = tw_transactions_outstanding(transactions) == 0;
}

static void answered(struct mysql *m, struct tw_transactions *transactions,
                     const struct tw_piece *p)
{
    end_before_unseen(m, transactions);
    if (!transactions->answer_runs && m->greeted && !m->unasked &&
        tw_transactions_outstanding(transactions) == 0) {
        if (is_refusal(p->bytes))
            part(transactions, p->bytes);
        return;
    }
    if (!m->greeted)
        look_at_greeting(m, p->bytes);
    m->greeted = true;
    if (!transactions->answer_runs && asks_for_file(m, transactions, p->bytes))
        return;
    if (!transactions->answer_runs) {
        tw_transactions_answer(transactions, p->from);
        look_at_response(m, transactions, p->bytes);
    }
    transactions->until_turn = true;
    transactions->answered_to = p->to;
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct mysql *m = state;

    if (!asks)
        answered(m, transactions, p);
    else if (p->gap)
        asked_gap(m, transactions, p);
    else
        asked(m, transactions, p->bytes, p->to);
}

static void clear(void *state)
{
    tw_ids_clear(&((struct mysql *)state)->statements);
}

G_STATIC_ASSERT(sizeof(struct mysql) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_mysql = {
    .name = "mysql",
    .state_size = sizeof(struct mysql),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
