/* SPDX-License-Identifier: MIT */
/*
 * SMB 2 and 3 (MS-SMB2) over TCP or NetBIOS: each request of a compound is an exchange; responses
 * are paired by message id. Negotiations in SMB 1, and SMB 1 itself (MS-CIFS), are paired by
 * multiplex id. Encrypted and compressed messages are turns.
 */
#include <string.h>

#include "app/flow_window.h"
#include "app/length_prefix.h"
#include "app/ids.h"
#include "app/protocol.h"

/* Type and length: MS-SMB2, 2.1; RFC 1002, 4.3.1. */
#define NETBIOS    4
#define KEEP_ALIVE 0x85
#define POSITIVE   0x82

#define SMB2_HEADER 64
#define SMB1_HEADER 32

/* Beyond a header: the fixed part of CREATE and a path of 200 characters. */
#define HEAD (NETBIOS + SMB2_HEADER + 56 + 400)

/* MS-SMB2, 2.2.1. */
#define FROM_SERVER    0x01
#define STATUS_PENDING 0x103
#define UNASKED        UINT64_MAX /* message id of a break of an oplock or a lease */

enum command {
    NEGOTIATE,
    SESSION_SETUP,
    LOGOFF,
    TREE_CONNECT,
    TREE_DISCONNECT,
    CREATE,
    CLOSE,
    FLUSH,
    READ,
    WRITE,
    LOCK,
    IOCTL,
    CANCEL,
    ECHO,
    QUERY_DIRECTORY,
    CHANGE_NOTIFY,
    QUERY_INFO,
    SET_INFO,
    OPLOCK_BREAK,
};

static const char *const commands[] = {
    "NEGOTIATE",     "SESSION_SETUP", "LOGOFF",   "TREE_CONNECT", "TREE_DISCONNECT",
    "CREATE",        "CLOSE",         "FLUSH",    "READ",         "WRITE",
    "LOCK",          "IOCTL",         "CANCEL",   "ECHO",         "QUERY_DIRECTORY",
    "CHANGE_NOTIFY", "QUERY_INFO",    "SET_INFO", "OPLOCK_BREAK",
};

/* Common commands of SMB 1 (MS-CIFS, 2.2.2.1). */
static const struct {
    uint8_t code;
    const char *name;
} old_commands[] = {
    { 0x04, "CLOSE" },
    { 0x24, "LOCKING_ANDX" },
    { 0x25, "TRANSACTION" },
    { 0x26, "TRANSACTION" },
    { 0x2b, "ECHO" },
    { 0x2d, "OPEN_ANDX" },
    { 0x2e, "READ_ANDX" },
    { 0x2f, "WRITE_ANDX" },
    { 0x32, "TRANSACTION2" },
    { 0x33, "TRANSACTION2" },
    { 0x71, "TREE_DISCONNECT" },
    { 0x72, "NEGOTIATE" },
    { 0x73, "SESSION_SETUP_ANDX" },
    { 0x74, "LOGOFF_ANDX" },
    { 0x75, "TREE_CONNECT_ANDX" },
    { 0xa0, "NT_TRANSACT" },
    { 0xa1, "NT_TRANSACT" },
    { 0xa2, "NT_CREATE_ANDX" },
};

/* Errors that users meet (MS-ERREF, 2.3.1). */
static const struct {
    uint32_t code;
    const char *name;
} statuses[] = {
    { 0xc000000d, "STATUS_INVALID_PARAMETER" },
    { 0xc000000f, "STATUS_NO_SUCH_FILE" },
    { 0xc0000022, "STATUS_ACCESS_DENIED" },
    { 0xc0000034, "STATUS_OBJECT_NAME_NOT_FOUND" },
    { 0xc0000035, "STATUS_OBJECT_NAME_COLLISION" },
    { 0xc000003a, "STATUS_OBJECT_PATH_NOT_FOUND" },
    { 0xc0000043, "STATUS_SHARING_VIOLATION" },
    { 0xc0000054, "STATUS_FILE_LOCK_CONFLICT" },
    { 0xc000006d, "STATUS_LOGON_FAILURE" },
    { 0xc000007f, "STATUS_DISK_FULL" },
    { 0xc00000bb, "STATUS_NOT_SUPPORTED" },
    { 0xc00000cc, "STATUS_BAD_NETWORK_NAME" },
    { 0xc0000120, "STATUS_CANCELLED" },
    { 0xc0000203, "STATUS_USER_SESSION_DELETED" },
    { 0xc000020c, "STATUS_CONNECTION_DISCONNECTED" },
    { 0xc0000225, "STATUS_NOT_FOUND" },
    { 0xc000035c, "STATUS_NETWORK_SESSION_EXPIRED" },
};

/* Says that the negotiation goes on (MS-SMB2, 3.3.5.5). */
#define STATUS_MORE_PROCESSING_REQUIRED 0xc0000016
#define IS_ERROR(status)                ((status) >> 30 == 3)

/* A direction: where the frame of NetBIOS ends that has more than one message. */
struct way {
    struct tw_length_prefix prefix;
    int64_t compound_to;
    int64_t next; /* where the next message begins */
};

struct smb {
    struct way way[2]; /* 0: of the client */
    struct tw_ids pending, old;
    struct tw_flow_window credits; /* of the client */
    bool counts_credits;           /* from the first message on, none was missed */
    bool moves_data;               /* its last request reads or writes */
};

/* Context of one piece. */
struct work {
    struct smb *smb;
    struct tw_transactions *transactions;
    bool asks;
};

static bool has_magic(struct tw_bytes b, uint8_t version)
{
    return tw_u8(b, 0) == version && tw_bytes_has(b, 1, 3) && memcmp(b.data + 1, "SMB", 3) == 0;
}

static enum tw_guess guess(struct tw_bytes first)
{
    struct tw_bytes smb = tw_bytes_from(first, NETBIOS);

    if (tw_u8(first, 0) != 0)
        return TW_GUESS_NO;
    if (first.len < NETBIOS + 4)
        return first.len <= NETBIOS ? TW_GUESS_MORE : TW_GUESS_NO;
    if (has_magic(smb, 0xfd) || has_magic(smb, 0xfc))
        return TW_GUESS_EITHER;
    if (has_magic(smb, 0xff)) {
        if (smb.len < 10)
            return TW_GUESS_MORE;
        return tw_u8(smb, 9) & 0x80 ? TW_GUESS_ANSWERER : TW_GUESS_ASKER;
    }
    if (!has_magic(smb, 0xfe))
        return TW_GUESS_NO;
    if (smb.len < 20)
        return TW_GUESS_MORE;
    if (tw_le16(smb, 4) != SMB2_HEADER || tw_le16(smb, 12) > OPLOCK_BREAK)
        return TW_GUESS_NO;
    return tw_le32(smb, 16) & FROM_SERVER ? TW_GUESS_ANSWERER : TW_GUESS_ASKER;
}

/* ---- messages -------------------------------------------------------------------------------- */

static struct way *way_of(const struct work *w)
{
    return &w->smb->way[!w->asks];
}

/* Distance to the next message of a compound; 0: it is the last. */
static int64_t next_command(struct tw_bytes smb)
{
    return has_magic(smb, 0xfe) ? tw_le32(smb, 20) : 0;
}

static bool is_chained(int64_t next, int64_t left)
{
    return next >= SMB2_HEADER && next % 8 == 0 && next < left;
}

/* Only the first message of a compound begins with a header of NetBIOS. */
static int64_t length(void *user, struct tw_bytes first)
{
    const struct way *way = way_of(user);
    int64_t left = way->compound_to - way->next, next;

    if (left > 0) {
        if (first.len < 24)
            return left < 24 ? 0 : TW_LENGTH_PREFIX_MORE;
        next = next_command(first);
        return has_magic(first, 0xfe) ? (is_chained(next, left) ? next : left) : 0;
    }
    if (first.len < NETBIOS)
        return TW_LENGTH_PREFIX_MORE;
    left = tw_be32(first, 0) & 0xffffff;
    if (first.data[0] != 0)
        return first.data[0] >= 0x81 && first.data[0] <= KEEP_ALIVE && left < 0x10000
                   ? NETBIOS + left
                   : 0;
    if (left < SMB1_HEADER)
        return 0;
    if (first.len < NETBIOS + 24)
        return TW_LENGTH_PREFIX_MORE;
    if (!has_magic(tw_bytes_from(first, NETBIOS), first.data[NETBIOS]) ||
        first.data[NETBIOS] < 0xfc)
        return 0;
    next = next_command(tw_bytes_from(first, NETBIOS));
    return NETBIOS + (is_chained(next, left) ? next : left);
}

/* Messages that cannot be read are turns, from this one on. */
static void leave(const struct work *w, const char *protocol, int64_t from)
{
    struct tw_transactions *t = w->transactions;

    if (t->n == 0) {
        tw_transactions_leave(t, NULL, INT64_MIN, INT64_MIN);
        t->protocol = protocol;
        return;
    }
    tw_transactions_leave(t, protocol, w->asks ? from : t->reached[t->asker],
                          w->asks ? t->reached[!t->asker] : from);
}

/* UTF-16 to UTF-8; surrogates, which file names seldom have, are not paired. */
static size_t read_name(char *to, size_t size, struct tw_bytes name)
{
    size_t len = 0;

    for (size_t i = 0; i + 1 < name.len && len + 4 <= size; i += 2) {
        gunichar c = tw_le16(name, i);

        len += (size_t)g_unichar_to_utf8(c >= 0xd800 && c < 0xe000 ? '?' : c, to + len);
    }
    return len;
}

static void name_request(const struct work *w, uint32_t exchange, uint16_t command,
                         struct tw_bytes smb)
{
    char path[400];
    size_t at = command == CREATE ? SMB2_HEADER + 44 : SMB2_HEADER + 4, len = 0;
    const char *verb = commands[command];

    if (command == CREATE || command == TREE_CONNECT)
        len = read_name(path, sizeof path,
                        tw_bytes_first(tw_bytes_from(smb, tw_le16(smb, at)), tw_le16(smb, at + 2)));
    tw_transactions_name_at(w->transactions, exchange,
                            tw_bytes((const uint8_t *)verb, strlen(verb)),
                            tw_bytes((const uint8_t *)path, len));
}

/* @return TW_NO_EXCHANGE if the dissector is abandoned. */
static uint32_t open_exchange(const struct work *w, struct tw_ids *pending, uint32_t id,
                              int64_t from, int64_t to)
{
    struct tw_transactions *t = w->transactions;
    uint32_t exchange = tw_transactions_open(t, from, to);

    if (exchange == TW_NO_EXCHANGE)
        return exchange;
    tw_transactions_at(t, exchange)->framed = true;
    if (!tw_ids_await(pending, t, id, exchange)) {
        leave(w, "smb2", from);
        return TW_NO_EXCHANGE;
    }
    return exchange;
}

/* A client begins with one credit, and asks for more while it negotiates. Each request takes one
 * or, from SMB 2.1 on, one for each 64 KiB that it moves; responses grant more (MS-SMB2, 3.1.5.2).
 */
#define FIRST_CREDIT 1

/* @return how long the request waited for credits, if it is one of several that move data. */
static tcpwhy_ns use_credits(const struct work *w, struct tw_bytes smb)
{
    struct tw_transactions *t = w->transactions;
    struct smb *s = w->smb;
    uint16_t command = tw_le16(smb, 12), charge = tw_le16(smb, 6);
    const bool moves_data = command == READ || command == WRITE, goes_on = s->moves_data;
    tcpwhy_ns ns;

    s->counts_credits |= command == NEGOTIATE && t->n == 0;
    if (!s->counts_credits || command == CANCEL)
        return 0;
    ns = tw_flow_window_use(&s->credits, FIRST_CREDIT, MAX(charge, 1), t->now_ns);
    s->moves_data = moves_data;
    if (!goes_on || !moves_data)
        return 0;
    tw_flow_window_note(&t->facts.credits, ns, t->now_frame);
    return ns;
}

static void grant_credits(const struct work *w, struct tw_bytes smb)
{
    if (w->smb->counts_credits)
        tw_flow_window_open(&w->smb->credits, FIRST_CREDIT, tw_le16(smb, 14),
                            w->transactions->now_ns);
}

static void ask(const struct work *w, struct tw_bytes smb, int64_t from, int64_t to)
{
    uint16_t command = tw_le16(smb, 12);
    tcpwhy_ns waited_ns = use_credits(w, smb);
    uint32_t exchange;

    if (command == CANCEL)
        return;
    exchange = open_exchange(w, &w->smb->pending, tw_le32(smb, 24), from, to);
    if (exchange == TW_NO_EXCHANGE)
        return;
    name_request(w, exchange, command, smb);
    if (waited_ns > 0)
        tw_transactions_more(w->transactions, exchange)->blocked_ns = waited_ns;
    tw_transactions_at(w->transactions, exchange)->stands = command == CHANGE_NOTIFY;
    tw_transactions_at(w->transactions, exchange)->at_will = command == CHANGE_NOTIFY;
}

static void tell_status(const struct work *w, uint32_t exchange, uint32_t status)
{
    char text[16];
    const char *name = text;

    if (!IS_ERROR(status) || status == STATUS_MORE_PROCESSING_REQUIRED)
        return;
    g_snprintf(text, sizeof text, "0x%08x", status);
    for (size_t i = 0; i < G_N_ELEMENTS(statuses); i++)
        if (statuses[i].code == status)
            name = statuses[i].name;
    tw_transactions_detail(w->transactions, exchange, name);
}

static void answer_with(const struct work *w, uint32_t exchange, uint32_t status, int64_t from,
                        int64_t to)
{
    struct tw_exchange *e = tw_transactions_at(w->transactions, exchange);

    if (e->response_to == e->response_from)
        e->response_from = from;
    e->response_to = to;
    e->complete = true;
    tell_status(w, exchange, status);
}

/* A server that needs time says that the final response is pending. */
static void answer(const struct work *w, struct tw_bytes smb, int64_t from, int64_t to)
{
    const uint32_t status = tw_le32(smb, 8), id = tw_le32(smb, 24);
    uint32_t exchange = tw_ids_awaited(&w->smb->pending, id);

    if (tw_le64(smb, 24) == UNASKED || status == STATUS_PENDING)
        return;
    /* The first answer to a negotiation in SMB 1 may be of SMB 2 (MS-SMB2, 3.3.5.3). */
    if (exchange == TW_NO_EXCHANGE && tw_le16(smb, 12) == NEGOTIATE && w->transactions->n == 1)
        exchange = 0;
    if (exchange == TW_NO_EXCHANGE)
        return;
    tw_ids_forget(&w->smb->pending, id);
    answer_with(w, exchange, status, from, to);
}

static const char *old_name(uint8_t code)
{
    for (size_t i = 0; i < G_N_ELEMENTS(old_commands); i++)
        if (old_commands[i].code == code)
            return old_commands[i].name;
    return "command";
}

/* Transactions may take several messages of one multiplex id, each way. */
static bool is_secondary(uint8_t code)
{
    return code == 0x26 || code == 0x33 || code == 0xa1;
}

static void take_old(const struct work *w, struct tw_bytes smb, int64_t from, int64_t to)
{
    const uint32_t id = (uint32_t)tw_le16(smb, 26) << 16 | tw_le16(smb, 30);
    const uint8_t code = tw_u8(smb, 4);
    uint32_t exchange = tw_ids_awaited(&w->smb->old, id);
    const char *verb = old_name(code);

    if (!w->asks) {
        if (exchange != TW_NO_EXCHANGE)
            answer_with(w, exchange, tw_le32(smb, 5), from, to);
        return;
    }
    if (is_secondary(code) && exchange != TW_NO_EXCHANGE) {
        tw_transactions_at(w->transactions, exchange)->request_to = to;
        return;
    }
    exchange = open_exchange(w, &w->smb->old, id, from, to);
    if (exchange == TW_NO_EXCHANGE)
        return;
    tw_transactions_at(w->transactions, exchange)->protocol = "smb";
    tw_transactions_name_at(w->transactions, exchange,
                            tw_bytes((const uint8_t *)verb, strlen(verb)), tw_bytes(NULL, 0));
}

static void message(void *user, struct tw_bytes start, int64_t from, int64_t to)
{
    const struct work *w = user;
    struct way *way = way_of(w);
    const bool first = way->next >= way->compound_to;
    struct tw_bytes smb = first ? tw_bytes_from(start, NETBIOS) : start;

    if (first)
        way->compound_to = from + NETBIOS + (tw_be32(start, 0) & 0xffffff);
    way->next = to;
    if (w->transactions->opaque || (first && start.data[0] != 0))
        return;
    if (has_magic(smb, 0xfe) && smb.len >= SMB2_HEADER / 2 && tw_le16(smb, 12) <= OPLOCK_BREAK) {
        if (w->asks) {
            ask(w, smb, from, to);
        } else {
            grant_credits(w, smb);
            answer(w, smb, from, to);
        }
    } else if (has_magic(smb, 0xff) && smb.len >= SMB1_HEADER) {
        take_old(w, smb, from, to);
    } else {
        leave(w, "smb2", from);
    }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    static const struct tw_length_prefix_rules rules = { HEAD, length, message };
    struct smb *smb = state;
    struct work w = { smb, transactions, asks };
    struct way *way = way_of(&w);

    if (way->prefix.lost || way->next == 0)
        way->next = way->compound_to = p->from;
    if (way->prefix.lost)
        smb->counts_credits = false;
    if (!tw_length_prefix_take(&way->prefix, &rules, &w, p) && !transactions->opaque)
        leave(&w, "smb2", p->from);
    transactions->state_bytes = tw_ids_bytes(&smb->pending) + tw_ids_bytes(&smb->old);
    if (!transactions->opaque)
        tw_transactions_pass_over(transactions, asks ? transactions->asker : !transactions->asker,
                                  way->prefix.to);
}

static void clear(void *state)
{
    struct smb *smb = state;

    for (int i = 0; i < 2; i++)
        tw_length_prefix_clear(&smb->way[i].prefix);
    tw_ids_clear(&smb->pending);
    tw_ids_clear(&smb->old);
}

G_STATIC_ASSERT(sizeof(struct smb) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_smb2 = {
    .name = "smb2",
    .state_size = sizeof(struct smb),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
