/* SPDX-License-Identifier: MIT */
/*
 * ONC RPC over TCP (RFC 5531), and NFS in it: calls and replies by transaction id, with program and
 * procedure. Callbacks, which the server calls, are nobody's response.
 */
#include <string.h>

#include "app/length_prefix.h"
#include "app/ids.h"
#include "app/protocol.h"

/* Call, credentials (at most 400 bytes each: RFC 5531, 8.2), and the first operations of NFSv4. */
#define HEAD 1024

/* Record marking, RFC 5531, 11. */
#define MARK     4
#define LAST     0x80000000u
#define MAX_AUTH 400

/* Linux accepts records of 1 MB and a page; others more. */
#define MAX_FRAGMENT (64u << 20)

#define CALL_HEAD 40 /* up to and with the verifier's length, if both are empty */
#define NFS       100003

/* Programs of IANA's registry that use TCP. */
static const struct {
    uint32_t number;
    const char *name;
} programs[] = {
    { 100000, "PORTMAP" }, { NFS, "NFS" },       { 100004, "YPSERV" }, { 100005, "MOUNT" },
    { 100007, "YPBIND" },  { 100011, "RQUOTA" }, { 100021, "NLM" },    { 100024, "STAT" },
    { 100227, "NFSACL" },  { 300598, "AMD" },    { 395183, "VXI11" },  { 0x40000000, "NFS-CB" },
};

/* Procedures of NFS 2 (RFC 1094) and 3 (RFC 1813), and operations of NFS 4 (RFC 7530, RFC 8881). */
static const char *const procedures2[] = {
    "NULL",   "GETATTR", "SETATTR", "ROOT", "LOOKUP",  "READLINK", "READ",  "WRITECACHE", "WRITE",
    "CREATE", "REMOVE",  "RENAME",  "LINK", "SYMLINK", "MKDIR",    "RMDIR", "READDIR",    "STATFS",
};
static const char *const procedures3[] = {
    "NULL",    "GETATTR",     "SETATTR", "LOOKUP", "ACCESS",   "READLINK", "READ",   "WRITE",
    "CREATE",  "MKDIR",       "SYMLINK", "MKNOD",  "REMOVE",   "RMDIR",    "RENAME", "LINK",
    "READDIR", "READDIRPLUS", "FSSTAT",  "FSINFO", "PATHCONF", "COMMIT",
};
static const char *const operations4[] = {
    "",
    "",
    "",
    "ACCESS",
    "CLOSE",
    "COMMIT",
    "CREATE",
    "DELEGPURGE",
    "DELEGRETURN",
    "GETATTR",
    "GETFH",
    "LINK",
    "LOCK",
    "LOCKT",
    "LOCKU",
    "LOOKUP",
    "LOOKUPP",
    "NVERIFY",
    "OPEN",
    "OPENATTR",
    "OPEN_CONFIRM",
    "OPEN_DOWNGRADE",
    "PUTFH",
    "PUTPUBFH",
    "PUTROOTFH",
    "READ",
    "READDIR",
    "READLINK",
    "REMOVE",
    "RENAME",
    "RENEW",
    "RESTOREFH",
    "SAVEFH",
    "SECINFO",
    "SETATTR",
    "SETCLIENTID",
    "SETCLIENTID_CONFIRM",
    "VERIFY",
    "WRITE",
    "RELEASE_LOCKOWNER",
    "BACKCHANNEL_CTL",
    "BIND_CONN_TO_SESSION",
    "EXCHANGE_ID",
    "CREATE_SESSION",
    "DESTROY_SESSION",
    "FREE_STATEID",
    "GET_DIR_DELEGATION",
    "GETDEVICEINFO",
    "GETDEVICELIST",
    "LAYOUTCOMMIT",
    "LAYOUTGET",
    "LAYOUTRETURN",
    "SECINFO_NO_NAME",
    "SEQUENCE",
    "SET_SSV",
    "TEST_STATEID",
    "WANT_DELEGATION",
    "DESTROY_CLIENTID",
    "RECLAIM_COMPLETE",
    "ALLOCATE",
    "COPY",
    "COPY_NOTIFY",
    "DEALLOCATE",
    "IO_ADVISE",
    "LAYOUTERROR",
    "LAYOUTSTATS",
    "OFFLOAD_CANCEL",
    "OFFLOAD_STATUS",
    "READ_PLUS",
    "SEEK",
    "WRITE_SAME",
    "CLONE",
};

/* Operations that only say of what the next one is, and those that also ask on the way. */
enum {
    ACCESS = 3,
    GETATTR = 9,
    GETFH = 10,
    PUTFH = 22,
    PUTPUBFH = 23,
    PUTROOTFH = 24,
    RESTOREFH = 31,
    SAVEFH = 32,
    SEQUENCE = 53
};

/* The errors that users meet (RFC 1813, 2.6; RFC 7530, 13.1). */
static const struct {
    uint32_t code;
    const char *name;
} statuses[] = {
    { 1, "PERM" },
    { 2, "NOENT" },
    { 5, "IO" },
    { 13, "ACCES" },
    { 17, "EXIST" },
    { 20, "NOTDIR" },
    { 21, "ISDIR" },
    { 22, "INVAL" },
    { 27, "FBIG" },
    { 28, "NOSPC" },
    { 30, "ROFS" },
    { 66, "NOTEMPTY" },
    { 69, "DQUOT" },
    { 70, "STALE" },
    { 10001, "BADHANDLE" },
    { 10004, "NOTSUPP" },
    { 10008, "DELAY" },
    { 10011, "EXPIRED" },
    { 10012, "LOCKED" },
    { 10013, "GRACE" },
    { 10023, "STALE_STATEID" },
    { 10025, "BAD_STATEID" },
    { 10052, "BADSESSION" },
};

struct way {
    struct tw_length_prefix prefix;
    uint32_t exchange; /* of the message that goes on in another fragment, plus one; or 0 */
    bool goes_on;      /* the last fragment was not its message's last */
};

struct rpc {
    struct way way[2];
    struct tw_ids pending;
};

struct work {
    struct rpc *rpc;
    struct tw_transactions *transactions;
    bool asks;
};

static const char *program_name(uint32_t number)
{
    for (size_t i = 0; i < G_N_ELEMENTS(programs); i++)
        if (programs[i].number == number)
            return programs[i].name;
    return NULL;
}

/* Of a message behind the mark. */
static bool is_call(struct tw_bytes m)
{
    return tw_be32(m, 4) == 0 && tw_be32(m, 8) == 2 && program_name(tw_be32(m, 12)) &&
           tw_be32(m, 16) < 16 && tw_be32(m, 20) < 256;
}

/* Accepted with a plausible verifier, or denied. */
static bool is_reply(struct tw_bytes m)
{
    if (tw_be32(m, 4) != 1)
        return false;
    return tw_be32(m, 8) == 0 ? tw_be32(m, 12) <= 6 && tw_be32(m, 16) <= MAX_AUTH
                              : tw_be32(m, 8) == 1 && tw_be32(m, 12) <= 1;
}

/* A message's type, as far as it is here, may be CALL or REPLY (RFC 5531, 9). */
static bool type_fits(struct tw_bytes m)
{
    return (tw_u8(m, 4) | tw_u8(m, 5) | tw_u8(m, 6)) == 0 && tw_u8(m, 7) <= 1;
}

static enum tw_guess guess(struct tw_bytes first)
{
    struct tw_bytes m = tw_bytes_from(first, MARK);
    const uint32_t len = tw_be32(first, 0) & ~LAST;

    if (first.len > 0 && (first.data[0] & 0x7c) != 0)
        return TW_GUESS_NO;
    if (first.len < MARK + 24)
        return type_fits(m) ? TW_GUESS_MORE : TW_GUESS_NO;
    if (len < 20 || len > MAX_FRAGMENT)
        return TW_GUESS_NO;
    if (len >= CALL_HEAD && is_call(m))
        return TW_GUESS_ASKER;
    return is_reply(m) && tw_be32(first, 0) & LAST ? TW_GUESS_ANSWERER : TW_GUESS_NO;
}

static struct way *way_of(const struct work *w)
{
    return &w->rpc->way[!w->asks];
}

static int64_t length(void *user, struct tw_bytes first)
{
    const struct way *way = way_of(user);
    struct tw_bytes m = tw_bytes_from(first, MARK);
    const uint32_t len = tw_be32(first, 0) & ~LAST;

    if (first.len < MARK)
        return TW_LENGTH_PREFIX_MORE;
    if (len > MAX_FRAGMENT)
        return 0;
    if (way->goes_on)
        return MARK + (int64_t)len;
    if (first.len < MARK + 24)
        return len < 20 || !type_fits(m) ? 0 : TW_LENGTH_PREFIX_MORE;
    return is_call(m) || is_reply(m) ? MARK + (int64_t)len : 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Behind an opaque of variable length (RFC 4506, 4.10). */
static struct tw_bytes behind_opaque(struct tw_bytes b)
{
    const uint32_t len = tw_be32(b, 0);

    return tw_bytes_from(b, len < HEAD ? 4 + (size_t)((len + 3) & ~3u) : b.len);
}

/* Behind credentials and verifier of a call. */
static struct tw_bytes arguments(struct tw_bytes call)
{
    struct tw_bytes rest = behind_opaque(tw_bytes_from(call, 28));

    return behind_opaque(tw_bytes_from(rest, 4));
}

/* Behind an array of words, as a bitmap is (RFC 4506, 4.13). */
static struct tw_bytes behind_words(struct tw_bytes b)
{
    const uint32_t n = tw_be32(b, 0);

    return tw_bytes_from(b, n < HEAD / 4 ? 4 + 4 * (size_t)n : b.len);
}

static bool only_asks(uint32_t op)
{
    return op == GETATTR || op == GETFH || op == ACCESS;
}

/* @return whether an operation may precede the one that a COMPOUND is about. */
static bool pass_over(uint32_t op, struct tw_bytes *args)
{
    if (op == SEQUENCE)
        *args = tw_bytes_from(*args, 32);
    else if (op == PUTFH)
        *args = behind_opaque(*args);
    else if (op == GETATTR)
        *args = behind_words(*args);
    else if (op == ACCESS)
        *args = tw_bytes_from(*args, 4);
    return only_asks(op) || op == SEQUENCE || op == PUTFH || op == PUTROOTFH || op == PUTPUBFH ||
           op == RESTOREFH || op == SAVEFH;
}

/* The first operation of a COMPOUND that does something, or else the first that asks (RFC 8881,
 * 16.2). */
static const char *operation4(struct tw_bytes args)
{
    struct tw_bytes rest = tw_bytes_from(behind_opaque(args), 4);
    const uint32_t n = tw_be32(rest, 0);
    uint32_t op = 0;
    bool passes = true;

    rest = tw_bytes_from(rest, 4);
    for (uint32_t i = 0; i < n && rest.len >= 4 && passes; i++) {
        const uint32_t next = tw_be32(rest, 0);

        rest = tw_bytes_from(rest, 4);
        passes = pass_over(next, &rest);
        if (!passes || !only_asks(op))
            op = next;
    }
    return op < G_N_ELEMENTS(operations4) ? operations4[op] : "";
}

static const char *procedure_name(uint32_t version, uint32_t procedure, struct tw_bytes args)
{
    if (version == 2 && procedure < G_N_ELEMENTS(procedures2))
        return procedures2[procedure];
    if (version == 3 && procedure < G_N_ELEMENTS(procedures3))
        return procedures3[procedure];
    if (version == 4)
        return procedure == 0 ? "NULL" : operation4(args);
    return "";
}

static void name_call(const struct work *w, uint32_t exchange, struct tw_bytes call)
{
    const uint32_t program = tw_be32(call, 12), version = tw_be32(call, 16),
                   procedure = tw_be32(call, 20);
    const char *name = "";
    char text[48];

    if (program == NFS) {
        name = procedure_name(version, procedure, arguments(call));
        tw_transactions_at(w->transactions, exchange)->protocol = "nfs";
    } else {
        g_snprintf(text, sizeof text, "%s procedure %u", program_name(program), procedure);
        name = text;
    }
    tw_transactions_name_at(w->transactions, exchange,
                            tw_bytes((const uint8_t *)name, strlen(name)), tw_bytes(NULL, 0));
}

/* ---- messages -------------------------------------------------------------------------------- */

static void leave(const struct work *w, int64_t from)
{
    struct tw_transactions *t = w->transactions;

    tw_transactions_leave(t, "rpc", w->asks ? from : t->reached[t->asker],
                          w->asks ? t->reached[!t->asker] : from);
}

static void call(const struct work *w, struct tw_bytes m, int64_t from, int64_t to)
{
    uint32_t exchange = tw_transactions_open(w->transactions, from, to);

    if (exchange == TW_NO_EXCHANGE)
        return;
    if (!tw_ids_await(&w->rpc->pending, w->transactions, tw_be32(m, 0), exchange)) {
        leave(w, from);
        return;
    }
    tw_transactions_at(w->transactions, exchange)->framed = true;
    name_call(w, exchange, m);
    way_of(w)->exchange = exchange + 1;
}

/* The error of RPC, or else of NFS, whose results each begin with their status. */
static void tell_status(const struct work *w, uint32_t exchange, struct tw_bytes m)
{
    const struct tw_exchange *e = tw_transactions_at(w->transactions, exchange);
    struct tw_bytes rest = behind_opaque(tw_bytes_from(m, 16));

    if (tw_be32(m, 8) == 1) {
        tw_transactions_detail(w->transactions, exchange, "RPC denied");
    } else if (rest.len >= 4 && tw_be32(rest, 0) != 0) {
        tw_transactions_detail(w->transactions, exchange, "RPC not accepted");
    } else if (strcmp(e->protocol, "nfs") == 0) {
        for (size_t i = 0; i < G_N_ELEMENTS(statuses); i++)
            if (statuses[i].code == tw_be32(rest, 4))
                tw_transactions_detail(w->transactions, exchange, statuses[i].name);
    }
}

static void reply(const struct work *w, struct tw_bytes m, int64_t from, int64_t to)
{
    const uint32_t exchange = tw_ids_awaited(&w->rpc->pending, tw_be32(m, 0));
    struct tw_exchange *e;

    if (exchange == TW_NO_EXCHANGE)
        return;
    e = tw_transactions_at(w->transactions, exchange);
    e->response_from = from;
    e->response_to = to;
    e->complete = true;
    tw_ids_forget(&w->rpc->pending, tw_be32(m, 0));
    tell_status(w, exchange, m);
    way_of(w)->exchange = exchange + 1;
}

static void extend(const struct work *w, uint32_t exchange, int64_t to)
{
    struct tw_exchange *e = tw_transactions_at(w->transactions, exchange);

    if (w->asks)
        e->request_to = to;
    else
        e->response_to = to;
}

static void message(void *user, struct tw_bytes start, int64_t from, int64_t to)
{
    const struct work *w = user;
    struct way *way = way_of(w);
    struct tw_bytes m = tw_bytes_from(start, MARK);

    if (w->transactions->opaque)
        return;
    if (way->goes_on) {
        if (way->exchange)
            extend(w, way->exchange - 1, to);
    } else {
        way->exchange = 0;
        if (w->asks && is_call(m))
            call(w, m, from, to);
        else if (!w->asks && is_reply(m))
            reply(w, m, from, to);
    }
    way->goes_on = !(tw_be32(start, 0) & LAST);
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    static const struct tw_length_prefix_rules rules = { HEAD, length, message };
    struct rpc *rpc = state;
    struct work w = { rpc, transactions, asks };
    struct way *way = way_of(&w);

    if (way->prefix.lost)
        way->goes_on = false;
    if (!tw_length_prefix_take(&way->prefix, &rules, &w, p) && !transactions->opaque)
        leave(&w, p->from);
    transactions->state_bytes = tw_ids_bytes(&rpc->pending);
    if (!transactions->opaque)
        tw_transactions_pass_over(transactions, asks ? transactions->asker : !transactions->asker,
                                  way->prefix.to);
}

static void clear(void *state)
{
    struct rpc *rpc = state;

    for (int i = 0; i < 2; i++)
        tw_length_prefix_clear(&rpc->way[i].prefix);
    tw_ids_clear(&rpc->pending);
}

G_STATIC_ASSERT(sizeof(struct rpc) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_nfs = {
    .name = "rpc",
    .state_size = sizeof(struct rpc),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
