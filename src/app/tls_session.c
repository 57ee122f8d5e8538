/* SPDX-License-Identifier: MIT */
#include "app/tls_session.h"

#include <string.h>

#include "base/array.h"
#include "app/plain.h"
#include "app/tls_hello.h"
#include "app/tls_open.h"

/* Content types (RFC 8446, section 5.1) and handshake types (section 4). */
#define CHANGE_CIPHER_SPEC   20
#define ALERT                21
#define HANDSHAKE            22
#define APPLICATION_DATA     23
#define CLIENT_HELLO         1
#define SERVER_HELLO         2
#define ENCRYPTED_EXTENSIONS 8
#define CERTIFICATE          11

/* An alert: its level and its description (section 6). */
#define ALERT_BYTES 2
#define FATAL       2

/* An alert under protection in TLS 1.3: with its type, and an authentication tag (section 5.2). The
 * Finished, which is due then, is longer than its hash of 32 bytes. */
#define SEALED_ALERT (ALERT_BYTES + 1 + 16)

#define RECORD_HEADER 5
#define MAX_RECORD    (16384 + 2048) /* RFC 5246, section 6.2.3 */

/* A server takes no more early data than it announced: 16 KiB are usual. Limit of their records
 * that wait until it says whether it takes them (section 4.2.10). */
#define MAX_EARLY         (64 * 1024)
#define MAX_EARLY_RECORDS 64

/* num_tickets of a new SSL_CTX in OpenSSL. */
#define TICKETS 2

/* Limit of a flight's handshake messages to look at: long chains of certificates are 10 KiB. */
#define MAX_FLIGHT (64 * 1024)

/* Names in the text of a handshake. */
#define MAX_NAME 80

struct way {
    uint8_t header[RECORD_HEADER];
    size_t header_len, left;
    int64_t from;
    tw_byte_array *record;   /* the fragment, where it is looked at */
    tw_byte_array *messages; /* handshake messages to come to an end */
    bool is_protected;
    bool finished; /* the first record under protection, a Finished, has come */
};

/* Records of early data, one behind the other. */
struct early {
    tw_byte_array *records;
    uint32_t n;
    struct early_record {
        int64_t from, to;
        size_t len;
    } record[MAX_EARLY_RECORDS];
};

struct tw_tls_session {
    struct tw_transactions *transactions;
    struct tw_plain *plain; /* also of transactions; NULL: nothing is decrypted */
    struct tw_tls_open *open;
    struct way way[2];
    struct early *early;                /* NULL: the client offers none, or it cannot be read */
    uint8_t randoms[2 * TW_TLS_RANDOM]; /* the server's, the client's */
    char name[MAX_NAME], alpn[MAX_NAME];
    size_t name_len;
    uint16_t version;
    bool greeted, resumed, retry, certificate, done, over, unfit, had_keys, suite_unread;
    uint16_t first_len;    /* of the server's first record behind the handshake */
    bool asked;            /* before that record */
    uint32_t n_of_one_len; /* the records from that one on that have its length */
    int last_way;
    uint32_t round_trips;
    uint64_t bytes[2];
    struct tw_exchange handshake;
};

static struct tw_app_facts *facts_of(const struct tw_tls_session *s)
{
    return s->plain ? &tw_plain_transactions(s->plain)->facts : &s->transactions->facts;
}

static struct tw_bytes bytes_of(const tw_byte_array *array)
{
    return tw_bytes(array->data, array->len);
}

static void copy_name(char *to, struct tw_bytes name)
{
    name = tw_bytes_first(name, MAX_NAME - 1);
    if (name.len > 0)
        memcpy(to, name.data, name.len);
    to[name.len] = '\0';
}

/* ---- the text -------------------------------------------------------------------------------- */

static const char *version_name(uint16_t version)
{
    static const char *const names[] = { "SSL 3.0", "TLS 1.0", "TLS 1.1", "TLS 1.2", "TLS 1.3" };
    unsigned minor = version & 0xff;

    return version >> 8 == 3 && minor < G_N_ELEMENTS(names) ? names[minor] : "TLS";
}

static const char *kind(const struct tw_tls_session *s)
{
    if (s->retry)
        return "HelloRetryRequest";
    if (s->resumed || (s->version != TW_TLS_13 && !s->certificate))
        return "resumed";
    return "full";
}

static const char *keys_text(const struct tw_tls_session *s)
{
    if (!tw_tls_keys_any(s->transactions->keys))
        return "";
    if (!s->had_keys)
        return s->suite_unread ? ", keys for a suite that is not read" : ", no keys";
    if (s->unfit || !tw_tls_open_succeeded(s->open))
        return ", keys do not fit";
    return tw_tls_open_failed(s->open) ? ", partly decrypted" : ", decrypted";
}

static void tell(struct tw_tls_session *s)
{
    struct tw_transactions *t = s->transactions;
    char text[200];

    g_snprintf(text, sizeof text,
               "%s%s%s, %s, %u round trip%s, %" G_GUINT64_FORMAT " + %" G_GUINT64_FORMAT " bytes%s",
               version_name(s->version), s->alpn[0] ? ", " : "", s->alpn, kind(s), s->round_trips,
               s->round_trips == 1 ? "" : "s", s->bytes[0], s->bytes[1], keys_text(s));
    /* The connection is told by turns if nothing comes out of it. */
    tw_transactions_leave_detail(t, text);
    if (s->plain)
        tw_transactions_detail(tw_plain_transactions(s->plain), 0, text);
}

/* ---- the handshake --------------------------------------------------------------------------- */

static void free_early(struct tw_tls_session *s)
{
    if (s->early)
        tw_byte_array_unref(s->early->records);
    tw_free(s->early);
    s->early = NULL;
}

static void begin_plain(struct tw_tls_session *s)
{
    struct tw_transactions *t = s->transactions;

    s->handshake.response_to = s->handshake.response_from;
    s->plain = t->plain = tw_plain_new(t->asker, t->values);
    tw_plain_handshake(s->plain, &s->handshake, tw_bytes((const uint8_t *)s->name, s->name_len));
}

static void server_hello(struct tw_tls_session *s, struct tw_bytes body)
{
    struct tw_tls_hello hello;

    tw_tls_server_hello(body, &hello);
    s->version = hello.version;
    s->retry |= hello.retry;
    if (hello.retry || hello.random.len < TW_TLS_RANDOM || s->greeted)
        return;
    s->greeted = true;
    s->resumed = hello.resumed;
    memcpy(s->randoms, hello.random.data, TW_TLS_RANDOM);
    if (hello.alpn.len > 0)
        copy_name(s->alpn, hello.alpn);
    if (s->version == TW_TLS_13)
        s->way[0].is_protected = s->way[1].is_protected = true;
    s->open = tw_tls_open_new(s->transactions->keys, s->version, hello.suite, s->randoms);
    s->had_keys = s->open != NULL;
    s->suite_unread =
        !s->open && tw_tls_open_has_secrets(s->transactions->keys, s->version, s->randoms);
    if (s->open)
        begin_plain(s);
    else
        free_early(s);
    facts_of(s)->tls = TW_TLS_GREETED;
}

static void open_record(struct tw_tls_session *s, int way, uint8_t type, struct tw_bytes record,
                        int64_t from, int64_t to);

/* The client offers early data. Both secrets must be there: what it says, and whether it counts. */
static void expect_early(struct tw_tls_session *s)
{
    const struct tw_tls_keys *keys = s->transactions->keys;
    const uint8_t *client = s->randoms + TW_TLS_RANDOM;
    struct tw_tls_secret secret;

    if (s->early || !tw_tls_keys_any(keys) ||
        !tw_tls_keys_find(keys, TW_TLS_EARLY, client, &secret) ||
        !tw_tls_keys_find(keys, TW_TLS_HANDSHAKE_SERVER, client, &secret))
        return;
    s->early = tw_new0(struct early, 1);
    s->early->records = tw_byte_array_new();
}

/* Too many: none of them is read. */
static void keep_early(struct tw_tls_session *s, struct tw_bytes record, int64_t from, int64_t to)
{
    struct early *e = s->early;

    if (e->n == MAX_EARLY_RECORDS || e->records->len + record.len > MAX_EARLY) {
        free_early(s);
        return;
    }
    e->record[e->n++] = (struct early_record) { from, to, record.len };
    if (record.len > 0)
        tw_byte_array_append(e->records, record.data, (guint)record.len);
}

/* The server takes early data or not; then the client says it again. */
static void end_early(struct tw_tls_session *s, bool taken)
{
    struct early *e = s->early;
    struct tw_bytes rest = bytes_of(e->records);

    s->early = NULL;
    if (taken && s->open)
        tw_tls_open_early(s->open);
    for (uint32_t i = 0; taken && i < e->n && s->open; i++) {
        open_record(s, 0, APPLICATION_DATA, tw_bytes_first(rest, e->record[i].len),
                    e->record[i].from, e->record[i].to);
        rest = tw_bytes_from(rest, e->record[i].len);
    }
    tw_byte_array_unref(e->records);
    tw_free(e);
}

/* A new handshake under protection, whose keys each way's ChangeCipherSpec takes into use. */
static void renegotiate(struct tw_tls_session *s, int way, uint8_t type, struct tw_bytes body)
{
    struct tw_tls_hello hello;

    if (way == 0 && type == CLIENT_HELLO)
        tw_tls_client_hello(body, &hello);
    else if (way == 1 && type == SERVER_HELLO)
        tw_tls_server_hello(body, &hello);
    else
        return;
    if (hello.random.len < TW_TLS_RANDOM)
        return;
    memcpy(s->randoms + (way == 0 ? TW_TLS_RANDOM : 0), hello.random.data, TW_TLS_RANDOM);
    if (way == 1)
        tw_tls_open_renegotiate(s->open, hello.suite, s->randoms);
}

static void message(struct tw_tls_session *s, int way, uint8_t type, struct tw_bytes body)
{
    struct tw_tls_hello hello;

    if (s->done) {
        renegotiate(s, way, type, body);
        return;
    }
    if (way == 0 && type == CLIENT_HELLO) {
        tw_tls_client_hello(body, &hello);
        if (hello.random.len == TW_TLS_RANDOM)
            memcpy(s->randoms + TW_TLS_RANDOM, hello.random.data, TW_TLS_RANDOM);
        copy_name(s->name, hello.server_name);
        s->name_len = strlen(s->name);
        facts_of(s)->tls = TW_TLS_ASKED;
        if (hello.early)
            expect_early(s);
    } else if (way == 1 && type == SERVER_HELLO) {
        server_hello(s, body);
    } else if (way == 1 && type == ENCRYPTED_EXTENSIONS && s->version == TW_TLS_13) {
        tw_tls_encrypted_extensions(body, &hello);
        if (hello.alpn.len > 0)
            copy_name(s->alpn, hello.alpn);
        if (s->early)
            end_early(s, hello.early);
    } else if (way == 1 && type == CERTIFICATE) {
        s->certificate = true;
    }
}

/* Messages may span records, and share one. */
static void messages(struct tw_tls_session *s, int way, struct tw_bytes fragment)
{
    struct way *w = &s->way[way];
    struct tw_bytes rest;

    if (!w->messages)
        w->messages = tw_byte_array_new();
    if (w->messages->len + fragment.len > MAX_FLIGHT || (s->done && s->version == TW_TLS_13))
        return;
    if (fragment.len > 0)
        tw_byte_array_append(w->messages, fragment.data, (guint)fragment.len);
    rest = bytes_of(w->messages);
    while (rest.len >= 4 && rest.len - 4 >= (tw_be32(rest, 0) & 0xffffff)) {
        size_t len = tw_be32(rest, 0) & 0xffffff;

        message(s, way, tw_u8(rest, 0), tw_bytes_first(tw_bytes_from(rest, 4), len));
        rest = tw_bytes_from(rest, 4 + len);
    }
    tw_byte_array_remove_range(w->messages, 0, (guint)(w->messages->len - rest.len));
}

/* Until the handshake is over. */
static void count(struct tw_tls_session *s, int way, int64_t from, int64_t to)
{
    s->bytes[way] += (uint64_t)(to - from);
    s->round_trips += way == 1 && s->last_way == 0;
    s->last_way = way;
    if (way == 0) {
        if (s->handshake.request_to == 0)
            s->handshake.request_from = from;
        if (s->round_trips == 0)
            s->handshake.request_to = to;
        return;
    }
    if (s->handshake.response_to == 0)
        s->handshake.response_from = from;
    s->handshake.response_to = to;
    if (s->plain)
        tw_transactions_at(tw_plain_transactions(s->plain), 0)->response_to = to;
}

static void end_handshake(struct tw_tls_session *s)
{
    if (s->done || !s->greeted)
        return;
    s->done = true;
    tell(s);
    s->over = !s->open && s->version != TW_TLS_13;
}

/* ---- records --------------------------------------------------------------------------------- */

static void give_up_keys(struct tw_tls_session *s)
{
    s->unfit = !tw_tls_open_succeeded(s->open);
    if (s->unfit) {
        tw_plain_free(s->plain);
        s->plain = s->transactions->plain = NULL;
    }
    if (s->done)
        tell(s);
    s->over = s->done || !s->unfit;
    if (s->unfit) {
        tw_tls_open_free(s->open);
        s->open = NULL;
    }
}

static void open_record(struct tw_tls_session *s, int way, uint8_t type, struct tw_bytes record,
                        int64_t from, int64_t to)
{
    struct tw_transactions *t = s->transactions;
    struct tw_bytes content;

    switch (tw_tls_open_record(s->open, way, &type, record, &content)) {
    case TW_TLS_OPENED:
        if (type == APPLICATION_DATA)
            tw_plain_take(s->plain, way == 0 ? t->asker : !t->asker, content, from, to, t);
        else if (type == HANDSHAKE)
            messages(s, way, content);
        t->state_bytes = tw_plain_bytes(s->plain);
        break;
    case TW_TLS_HOPELESS:
        give_up_keys(s);
        break;
    default:
        break;
    }
}

static void take_alert(struct tw_tls_session *s, int way, struct tw_bytes alert)
{
    const struct tw_transactions *t = s->transactions;
    struct tw_app_facts *facts = facts_of(s);

    if (alert.len != ALERT_BYTES || tw_u8(alert, 0) != FATAL || facts->alert_frame != 0)
        return;
    facts->alert_frame = t->now_frame;
    facts->alert_ns = t->now_ns;
    facts->alert_by = way == 0 ? t->asker : !t->asker;
    facts->alert = tw_u8(alert, 1);
}

/* The asker is under protection: it goes on, unless TLS 1.3 lets it say an alert. */
static void note_progress(struct tw_tls_session *s, uint8_t type, size_t len)
{
    struct tw_app_facts *facts = facts_of(s);

    if (facts->tls != TW_TLS_GREETED)
        return;
    if (s->version != TW_TLS_13) {
        facts->tls = type == CHANGE_CIPHER_SPEC ? TW_TLS_OPEN : TW_TLS_GREETED;
    } else if (type == APPLICATION_DATA) {
        facts->tls = len == SEALED_ALERT ? TW_TLS_LEFT : TW_TLS_OPEN;
        facts->left_frame = s->transactions->now_frame;
    }
}

/* A ClientHello is answered by what is no record of TLS. */
static void take_plain(struct tw_tls_session *s, int way)
{
    struct tw_app_facts *facts = facts_of(s);

    if (way == 0 || facts->tls != TW_TLS_ASKED || s->bytes[1] > 0)
        return;
    facts->plain_frame = s->transactions->now_frame;
    facts->plain_ns = s->transactions->now_ns;
}

static void end_search(struct tw_tls_session *s)
{
    s->n_of_one_len = TICKETS + 1;
    s->over = !s->open;
}

/* OpenSSL answers a Finished with tickets of one length (RFC 8446, section 4.6.1), each in a record
 * of its own; records of one length that go on are data, and so are those of two requests. */
static void find_tickets(struct tw_tls_session *s, int way, uint16_t len, int64_t to)
{
    if (s->n_of_one_len > TICKETS)
        return;
    if (way == 0) {
        if (s->asked && s->n_of_one_len == 1)
            end_search(s);
        s->asked |= s->n_of_one_len == 0;
        return;
    }
    if (s->n_of_one_len == 0)
        s->first_len = len;
    if (len != s->first_len) {
        end_search(s);
        return;
    }
    s->n_of_one_len++;
    s->transactions->tickets_to = s->n_of_one_len == TICKETS ? to : 0;
    if (s->n_of_one_len > TICKETS)
        end_search(s);
}

static void on_record(struct tw_tls_session *s, int way, int64_t to)
{
    struct way *w = &s->way[way];
    uint8_t type = w->header[0];
    uint16_t len = tw_be16(tw_bytes(w->header, RECORD_HEADER), 3);

    if (way == 0)
        note_progress(s, type, len);
    if (s->done && s->version == TW_TLS_13)
        find_tickets(s, way, len, to);
    if (!s->done)
        count(s, way, w->from, to);
    if (way == 0 && !s->done && s->greeted)
        s->transactions->session_to = to;
    w->finished |= w->is_protected && type != CHANGE_CIPHER_SPEC;
    if (type == CHANGE_CIPHER_SPEC && s->done && s->open && s->version != TW_TLS_13) {
        open_record(s, way, type, bytes_of(w->record), w->from, to);
        if (s->open)
            tw_tls_open_change(s->open, way);
    } else if (type == CHANGE_CIPHER_SPEC) {
        w->is_protected |= s->greeted;
    } else if (way == 0 && type == APPLICATION_DATA && s->early) {
        keep_early(s, bytes_of(w->record), w->from, to);
    } else if (w->is_protected && s->open) {
        open_record(s, way, type, bytes_of(w->record), w->from, to);
    } else if (type == HANDSHAKE && !w->is_protected) {
        messages(s, way, bytes_of(w->record));
    } else if (type == ALERT && !w->is_protected && !s->done) {
        take_alert(s, way, bytes_of(w->record));
    }
    if (s->version == TW_TLS_13 ? way == 0 && type == APPLICATION_DATA && !s->early
                                : s->way[0].finished && s->way[1].is_protected)
        end_handshake(s);
}

static bool is_looked_at(const struct tw_tls_session *s, const struct way *w)
{
    const uint8_t type = w->header[0];

    return s->open || s->early ||
           ((type == HANDSHAKE || type == ALERT) && !w->is_protected && !s->done);
}

/* @return false if it is no record. */
static bool begin_record(struct way *w)
{
    struct tw_bytes header = tw_bytes(w->header, RECORD_HEADER);

    w->left = tw_be16(header, 3);
    if (!w->record)
        w->record = tw_byte_array_new();
    tw_byte_array_set_size(w->record, 0);
    return header.data[0] >= CHANGE_CIPHER_SPEC && header.data[0] <= APPLICATION_DATA &&
           header.data[1] == 3 && w->left <= MAX_RECORD;
}

static void take(struct tw_tls_session *s, int way, struct tw_bytes rest, int64_t to)
{
    struct way *w = &s->way[way];

    while (rest.len > 0 && !s->over) {
        bool in_header = w->header_len < RECORD_HEADER;
        struct tw_bytes part =
            tw_bytes_first(rest, in_header ? RECORD_HEADER - w->header_len : w->left);

        if (in_header && w->header_len == 0)
            w->from = to - (int64_t)rest.len;
        rest = tw_bytes_from(rest, part.len);
        if (in_header) {
            memcpy(w->header + w->header_len, part.data, part.len);
            w->header_len += part.len;
            if (w->header_len < RECORD_HEADER)
                return;
            s->over = !begin_record(w);
            if (s->over)
                take_plain(s, way);
        } else {
            w->left -= part.len;
            if (is_looked_at(s, w))
                tw_byte_array_append(w->record, part.data, (guint)part.len);
        }
        if (w->left == 0 && w->header_len == RECORD_HEADER && !s->over) {
            on_record(s, way, to - (int64_t)rest.len);
            w->header_len = 0;
        }
    }
}

struct tw_tls_session *tw_tls_session_new(struct tw_transactions *transactions)
{
    struct tw_tls_session *session = tw_new0(struct tw_tls_session, 1);

    session->transactions = transactions;
    return session;
}

bool tw_tls_session_take(struct tw_tls_session *s, int way, const struct tw_piece *piece)
{
    if (s->over)
        return false;
    if (piece->gap) {
        s->over = true;
        if (s->done && !s->open)
            return false;
        facts_of(s)->tls = TW_TLS_UNKNOWN;
        if (s->open)
            tw_tls_open_fail(s->open);
        if (s->done)
            tell(s);
        return false;
    }
    take(s, way, piece->bytes, piece->to);
    return !s->over;
}

void tw_tls_session_free(struct tw_tls_session *session)
{
    if (!session)
        return;
    for (int i = 0; i < 2; i++) {
        if (session->way[i].record)
            tw_byte_array_unref(session->way[i].record);
        if (session->way[i].messages)
            tw_byte_array_unref(session->way[i].messages);
    }
    if (session->plain)
        tw_plain_end(session->plain);
    free_early(session);
    tw_tls_open_free(session->open);
    tw_free(session);
}
