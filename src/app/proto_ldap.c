/* SPDX-License-Identifier: MIT */
/*
 * LDAP (RFC 4511): operations and their responses by message id; a search with its entries is one
 * exchange. After StartTLS it is TLS; behind a security layer of SASL messages are turns. Values in
 * names and filters are left out unless they are asked for.
 */
#include <string.h>

#include "base/text.h"
#include "app/ber.h"
#include "app/length_prefix.h"
#include "app/ids.h"
#include "app/protocol.h"

/* A name, and a filter with its attributes. */
#define HEAD 1024

#define SEQUENCE          0x30
#define INTEGER           0x02
#define ENUMERATED        0x0a
#define OCTETS            0x04
#define SEARCH            0x63
#define BIND              0x60
#define UNBIND            0x42
#define ABANDON           0x50
#define EXTENDED          0x77
#define ENTRY             0x64
#define REFERENCE         0x73
#define INTERMEDIATE      0x79
#define EXTENDED_RESPONSE 0x78

/* RFC 4511, 4.14.1. */
static const char start_tls[] = "1.3.6.1.4.1.1466.20037";

/* Controls of searches that last: RFC 4533 (as refreshAndPersist), persistent search, and Active
 * Directory's notification (MS-ADTS, 3.1.1.3.4.1.9). */
static const char *const standing[] = {
    "1.3.6.1.4.1.4203.1.9.1.1",
    "2.16.840.1.113730.3.4.3",
    "1.2.840.113556.1.4.528",
};

/* Requests: tag of protocolOp. Responses: the tag of the final one of each. */
static const struct operation {
    uint8_t tag, response;
    const char *name;
} operations[] = {
    { BIND, 0x61, "bind" },     { UNBIND, 0, "unbind" },
    { SEARCH, 0x65, "search" }, { 0x66, 0x67, "modify" },
    { 0x68, 0x69, "add" },      { 0x4a, 0x6b, "delete" },
    { 0x6c, 0x6d, "modifyDN" }, { 0x6e, 0x6f, "compare" },
    { ABANDON, 0, "abandon" },  { EXTENDED, EXTENDED_RESPONSE, "extended" },
};

/* Results that are failures, RFC 4511, appendix A. */
static const struct {
    uint8_t code;
    const char *name;
} results[] = {
    { 1, "operationsError" },
    { 2, "protocolError" },
    { 3, "timeLimitExceeded" },
    { 4, "sizeLimitExceeded" },
    { 7, "authMethodNotSupported" },
    { 8, "strongerAuthRequired" },
    { 11, "adminLimitExceeded" },
    { 12, "unavailableCriticalExtension" },
    { 13, "confidentialityRequired" },
    { 16, "noSuchAttribute" },
    { 17, "undefinedAttributeType" },
    { 18, "inappropriateMatching" },
    { 19, "constraintViolation" },
    { 20, "attributeOrValueExists" },
    { 21, "invalidAttributeSyntax" },
    { 32, "noSuchObject" },
    { 33, "aliasProblem" },
    { 34, "invalidDNSyntax" },
    { 48, "inappropriateAuthentication" },
    { 49, "invalidCredentials" },
    { 50, "insufficientAccessRights" },
    { 51, "busy" },
    { 52, "unavailable" },
    { 53, "unwillingToPerform" },
    { 54, "loopDetect" },
    { 64, "namingViolation" },
    { 65, "objectClassViolation" },
    { 66, "notAllowedOnNonLeaf" },
    { 67, "notAllowedOnRDN" },
    { 68, "entryAlreadyExists" },
    { 71, "affectsMultipleDSAs" },
    { 80, "other" },
};

struct ldap {
    struct tw_length_prefix way[2];
    struct tw_ids pending;
    uint32_t tls_id; /* message id of the StartTLS, or 0 */
};

struct work {
    struct ldap *ldap;
    struct tw_transactions *transactions;
    bool asks;
};

/* An LDAPMessage: its id, and the operation. */
struct ldap_message {
    uint32_t id;
    struct tw_ber op;
};

static const struct operation *operation_of(uint8_t tag)
{
    for (size_t i = 0; i < G_N_ELEMENTS(operations); i++)
        if (operations[i].tag == tag)
            return &operations[i];
    return NULL;
}

static bool is_response(uint8_t tag)
{
    for (size_t i = 0; i < G_N_ELEMENTS(operations); i++)
        if (operations[i].response == tag)
            return true;
    return tag == ENTRY || tag == REFERENCE || tag == INTERMEDIATE;
}

static uint32_t number(struct tw_bytes b)
{
    uint32_t n = 0;

    for (size_t i = 0; i < b.len && i < 4; i++)
        n = n << 8 | b.data[i];
    return n;
}

/* @return as tw_ber_read() does. */
static int parse(struct tw_bytes first, struct ldap_message *out)
{
    struct tw_ber outer = { 0 }, id;
    int found = tw_ber_read(first, &outer);

    if (first.len > 0 && first.data[0] != SEQUENCE)
        return -1;
    if (found != 1)
        return found;
    if (tw_u8(outer.content, 0) != INTEGER)
        return outer.content.len > 0 ? -1 : 0;
    found = tw_ber_read(outer.content, &id);
    if (found != 1 || id.len < 1 || id.len > 4)
        return found == 1 ? -1 : found;
    out->id = number(id.content);
    found = tw_ber_read(tw_bytes_from(outer.content, (size_t)id.header + id.len), &out->op);
    if (found != 1)
        return found;
    return operation_of(out->op.tag) || is_response(out->op.tag) ? 1 : -1;
}

static enum tw_guess guess(struct tw_bytes first)
{
    struct ldap_message m;
    int found = parse(first, &m);

    if (found != 1)
        return found == 0 ? TW_GUESS_MORE : TW_GUESS_NO;
    return is_response(m.op.tag) ? TW_GUESS_ANSWERER : TW_GUESS_ASKER;
}

static int64_t length(void *user, struct tw_bytes first)
{
    struct ldap_message m;
    struct tw_ber outer = { 0 };
    int found = parse(first, &m);

    (void)user;
    if (found != 1)
        return found == 0 ? TW_LENGTH_PREFIX_MORE : 0;
    tw_ber_read(first, &outer);
    return (int64_t)outer.header + outer.len;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool has(struct tw_bytes b, const char *text)
{
    const size_t len = strlen(text);

    for (size_t i = 0; i + len <= b.len; i++)
        if (memcmp(b.data + i, text, len) == 0)
            return true;
    return false;
}

/* Attributes of names that say where in the tree, not who (RFC 4519). */
static bool says_where(struct tw_bytes attribute)
{
    static const char *const names[] = { "dc", "ou", "o", "c" };

    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (attribute.len == strlen(names[i]) &&
            g_ascii_strncasecmp((const char *)attribute.data, names[i], attribute.len) == 0)
            return true;
    return false;
}

static void append(tw_string *to, struct tw_bytes b)
{
    tw_string_append_len(to, (const char *)b.data, (gssize)b.len);
}

/* A name, without values of who unless they are asked for: uid=?,ou=people,dc=example. */
static void append_name(tw_string *to, struct tw_bytes name, bool values)
{
    while (name.len > 0) {
        const uint8_t *comma = memchr(name.data, ',', name.len);
        struct tw_bytes part = tw_bytes_first(name, comma ? (size_t)(comma - name.data) : name.len);
        const uint8_t *equals = part.len > 0 ? memchr(part.data, '=', part.len) : NULL;
        struct tw_bytes attribute =
            tw_bytes_first(part, equals ? (size_t)(equals - part.data) : part.len);

        if (values || !equals || says_where(attribute)) {
            append(to, part);
        } else {
            append(to, attribute);
            tw_string_append(to, "=?");
        }
        name = tw_bytes_from(name, part.len + 1);
        if (comma)
            tw_string_append_c(to, ',');
    }
}

/* Context-specific tags of Filter, RFC 4511, 4.5.1. */
enum filter {
    FILTER_AND = 0xa0,
    FILTER_OR = 0xa1,
    FILTER_NOT = 0xa2,
    FILTER_SUBSTRINGS = 0xa4,
    FILTER_GREATER = 0xa5,
    FILTER_LESS = 0xa6,
    FILTER_PRESENT = 0x87,
    SUBSTRING_INITIAL = 0x80,
    SUBSTRING_FINAL = 0x82,
};

#define MAX_DEPTH 8

/* SubstringFilter: the initial part, any others, and the final one. */
static void append_substrings(tw_string *to, struct tw_bytes parts)
{
    struct tw_ber list, part;

    if (!tw_ber_take(&parts, &list))
        return;
    while (to->len < HEAD && tw_ber_take(&list.content, &part)) {
        if (part.tag != SUBSTRING_INITIAL)
            tw_string_append_c(to, '*');
        append(to, part.content);
        if (part.tag != SUBSTRING_FINAL && list.content.len == 0)
            tw_string_append_c(to, '*');
    }
}

/* The value that stands behind the attribute. */
static void append_value(tw_string *to, const struct tw_ber *f, struct tw_bytes rest, bool values)
{
    struct tw_ber value;

    if (!values)
        tw_string_append(to, f->tag == FILTER_SUBSTRINGS ? "?*" : "?");
    else if (f->tag == FILTER_SUBSTRINGS)
        append_substrings(to, rest);
    else if (tw_ber_take(&rest, &value))
        append(to, value.content);
}

static void append_item(tw_string *to, const struct tw_ber *f, bool values)
{
    struct tw_bytes rest = f->content;
    struct tw_ber attribute = { .content = f->content };

    if (f->tag != FILTER_PRESENT && !tw_ber_take(&rest, &attribute))
        return;
    append(to, attribute.content);
    tw_string_append(to, f->tag == FILTER_PRESENT   ? "=*"
                         : f->tag == FILTER_GREATER ? ">="
                         : f->tag == FILTER_LESS    ? "<="
                                                    : "=");
    if (f->tag != FILTER_PRESENT)
        append_value(to, f, rest, values);
}

/* Sets are opened and closed without recursion: an element at a time, with the sets around it. */
static void append_filter(tw_string *to, struct tw_bytes filter, bool values)
{
    struct tw_bytes level[MAX_DEPTH];
    size_t depth = 0;

    level[0] = filter;
    while (to->len < HEAD) {
        struct tw_ber f;

        if (!tw_ber_take(&level[depth], &f)) {
            if (depth == 0)
                return;
            depth--;
            tw_string_append_c(to, ')');
            continue;
        }
        tw_string_append_c(to, '(');
        if (f.tag >= FILTER_AND && f.tag <= FILTER_NOT && depth + 1 < MAX_DEPTH) {
            tw_string_append_c(to, "&|!"[f.tag - FILTER_AND]);
            level[++depth] = f.content;
        } else {
            append_item(to, &f, values);
            tw_string_append_c(to, ')');
        }
    }
}

/* Base, scope, aliases, limits, types only; then the filter. */
static void append_search(tw_string *to, struct tw_bytes search, bool values)
{
    struct tw_ber base, e;
    struct tw_ber filter;

    if (!tw_ber_take(&search, &base))
        return;
    append_name(to, base.content, values);
    for (int i = 0; i < 5; i++)
        if (!tw_ber_take(&search, &e))
            return;
    if (tw_ber_read(search, &filter) != 1)
        return;
    tw_string_append_c(to, ' ');
    append_filter(to, tw_bytes_first(search, (size_t)filter.header + filter.len), values);
}

static void name_request(const struct work *w, uint32_t exchange, const struct ldap_message *m)
{
    const char *verb = operation_of(m->op.tag)->name;
    struct tw_bytes rest = m->op.content;
    bool values = w->transactions->values;
    tw_string *object = tw_string_new(NULL);
    struct tw_ber e;

    if (m->op.tag == SEARCH)
        append_search(object, rest, values);
    else if (m->op.tag == EXTENDED && tw_ber_take(&rest, &e))
        append(object, e.content);
    else if (m->op.tag == 0x4a)
        append_name(object, rest, values);
    else if (m->op.tag != BIND && tw_ber_take(&rest, &e))
        append_name(object, e.content, values);
    tw_transactions_name_at(w->transactions, exchange,
                            tw_bytes((const uint8_t *)verb, strlen(verb)),
                            tw_bytes((const uint8_t *)object->str, object->len));
    tw_string_free(object, TRUE);
}

/* ---- messages -------------------------------------------------------------------------------- */

static void leave(const struct work *w, int64_t from)
{
    struct tw_transactions *t = w->transactions;

    tw_transactions_leave(t, "ldap", w->asks ? from : t->reached[t->asker],
                          w->asks ? t->reached[!t->asker] : from);
}

static void ask(const struct work *w, const struct ldap_message *m, struct tw_bytes start,
                int64_t from, int64_t to)
{
    struct tw_transactions *t = w->transactions;
    uint32_t exchange;

    if (m->op.tag == UNBIND || m->op.tag == ABANDON)
        return;
    exchange = tw_transactions_open(t, from, to);
    if (exchange == TW_NO_EXCHANGE)
        return;
    if (!tw_ids_await(&w->ldap->pending, t, m->id, exchange)) {
        leave(w, from);
        return;
    }
    tw_transactions_at(t, exchange)->framed = true;
    name_request(w, exchange, m);
    if (m->op.tag == EXTENDED && has(m->op.content, start_tls))
        w->ldap->tls_id = m->id;
    for (size_t i = 0; m->op.tag == SEARCH && i < G_N_ELEMENTS(standing); i++)
        if (has(start, standing[i])) {
            tw_transactions_at(t, exchange)->stands = true;
            tw_transactions_at(t, exchange)->at_will = true;
        }
}

static uint32_t result_of(const struct ldap_message *m)
{
    struct tw_ber code;

    return tw_ber_read(m->op.content, &code) == 1 && code.tag == ENUMERATED ? number(code.content)
                                                                            : 0;
}

static void tell_result(const struct work *w, uint32_t exchange, uint32_t result)
{
    for (size_t i = 0; i < G_N_ELEMENTS(results); i++)
        if (results[i].code == result)
            tw_transactions_detail(w->transactions, exchange, results[i].name);
}

/* Unsolicited notifications have the id 0, which no request should have (RFC 4511, 4.4). */
static void answer(const struct work *w, const struct ldap_message *m, int64_t from, int64_t to)
{
    uint32_t exchange = tw_ids_awaited(&w->ldap->pending, m->id);
    struct tw_exchange *e;

    if (exchange == TW_NO_EXCHANGE)
        return;
    e = tw_transactions_at(w->transactions, exchange);
    if (e->response_to == e->response_from)
        e->response_from = from;
    e->response_to = to;
    if (m->op.tag == ENTRY || m->op.tag == REFERENCE || m->op.tag == INTERMEDIATE)
        return;
    e->complete = true;
    tell_result(w, exchange, result_of(m));
    tw_ids_forget(&w->ldap->pending, m->id);
    if (m->id != w->ldap->tls_id)
        return;
    w->ldap->tls_id = 0;
    if (result_of(m) != 0)
        return;
    w->transactions->answered_to = to;
    tw_transactions_switch(w->transactions, "tls", to);
}

static void message(void *user, struct tw_bytes start, int64_t from, int64_t to)
{
    const struct work *w = user;
    struct ldap_message m;

    if (parse(start, &m) != 1 || w->transactions->opaque || w->transactions->switch_to)
        return;
    if (is_response(m.op.tag) == w->asks)
        return;
    if (w->asks)
        ask(w, &m, start, from, to);
    else
        answer(w, &m, from, to);
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    static const struct tw_length_prefix_rules rules = { HEAD, length, message };
    struct ldap *ldap = state;
    struct work w = { ldap, transactions, asks };
    struct tw_length_prefix *way = &ldap->way[!asks];

    if (!tw_length_prefix_take(way, &rules, &w, p) && !transactions->switch_to)
        leave(&w, p->from);
    transactions->state_bytes = tw_ids_bytes(&ldap->pending);
    if (!transactions->opaque && !transactions->switch_to)
        tw_transactions_pass_over(transactions, asks ? transactions->asker : !transactions->asker,
                                  way->to);
}

static void clear(void *state)
{
    struct ldap *ldap = state;

    for (int i = 0; i < 2; i++)
        tw_length_prefix_clear(&ldap->way[i]);
    tw_ids_clear(&ldap->pending);
}

G_STATIC_ASSERT(sizeof(struct ldap) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_ldap = {
    .name = "ldap",
    .state_size = sizeof(struct ldap),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
