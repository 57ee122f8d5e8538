/* SPDX-License-Identifier: MIT */
#include "names/dns.h"

#include <stdio.h>
#include <string.h>

#define HEADER 12

#define FLAG_RESPONSE  0x8000
#define FLAG_TRUNCATED 0x0200
#define OPCODE         0x7800
#define CODE           0x000f

/* RFC 1035, 4.1.4: a length byte whose upper bits are set is a pointer. */
#define POINTER 0xc0
/* A name of 255 bytes has at most 127 labels; each pointer leads to one of them at least. */
#define MOST_LABELS 128

#define CLASS_IN 1
/* mDNS alone uses the upper bit of the class (RFC 6762, 18.12). */
#define RECORD 10 /* type, class, TTL and length */

/* A place in the message. */
struct place {
    struct tw_bytes message;
    size_t at;
};

/* ---- names ----------------------------------------------------------------------------------- */

struct text {
    char *bytes;
    size_t len;
};

static void put(struct text *to, char c)
{
    if (to->len + 1 < TW_DNS_NAME)
        to->bytes[to->len++] = c;
}

/* As in the master files of RFC 1035, 5.1. */
static void put_byte(struct text *to, uint8_t byte)
{
    char escaped[5];

    if (byte >= 'A' && byte <= 'Z') {
        put(to, (char)(byte - 'A' + 'a'));
    } else if (byte > ' ' && byte < 0x7f && byte != '.' && byte != '\\') {
        put(to, (char)byte);
    } else {
        snprintf(escaped, sizeof escaped, "\\%03u", byte);
        for (const char *c = escaped; *c; c++)
            put(to, *c);
    }
}

static void put_label(struct text *to, struct tw_bytes label)
{
    if (to->len > 0)
        put(to, '.');
    for (size_t i = 0; i < label.len; i++)
        put_byte(to, tw_u8(label, i));
}

/* Read or skip (to is NULL) a name. @return false if it ends outside of the message, or does not
 * end. */
static bool take_name(struct place *p, struct text *to)
{
    size_t at = p->at;
    bool jumped = false;

    for (int i = 0; i < MOST_LABELS; i++) {
        uint8_t len = tw_u8(p->message, at);

        if (!tw_bytes_has(p->message, at, 1))
            return false;
        if ((len & POINTER) == POINTER) {
            if (!tw_bytes_has(p->message, at, 2))
                return false;
            p->at = jumped ? p->at : at + 2;
            jumped = true;
            at = tw_be16(p->message, at) & 0x3fff;
            if (!to)
                return true;
            continue;
        }
        if (len & POINTER || !tw_bytes_has(p->message, at, 1u + len))
            return false;
        if (len > 0 && to)
            put_label(to, tw_bytes_first(tw_bytes_from(p->message, at + 1), len));
        at += 1u + len;
        p->at = jumped ? p->at : at;
        if (len == 0)
            return true;
    }
    return false;
}

/* ---- records --------------------------------------------------------------------------------- */

static bool take_question(struct place *p, struct tw_dns_message *out)
{
    struct text text = { out->name, 0 };

    if (!take_name(p, &text) || !tw_bytes_has(p->message, p->at, 4))
        return false;
    out->name[text.len] = '\0';
    out->type = tw_be16(p->message, p->at);
    p->at += 4;
    return true;
}

static void keep_address(const struct place *p, uint16_t type, uint16_t len,
                         struct tw_dns_message *out)
{
    struct tw_dns_address *to = &out->address[out->n_addresses];

    if ((type != TW_DNS_A || len != 4) && (type != TW_DNS_AAAA || len != 16))
        return;
    memset(to, 0, sizeof *to);
    to->version = type == TW_DNS_A ? 4 : 6;
    for (uint16_t i = 0; i < len; i++)
        to->address[i] = tw_u8(p->message, p->at + i);
    out->n_addresses++;
}

/* @return false at the end of what was captured. */
static bool take_record(struct place *p, struct tw_dns_message *out)
{
    uint16_t type, len;

    if (!take_name(p, NULL) || !tw_bytes_has(p->message, p->at, RECORD))
        return false;
    type = tw_be16(p->message, p->at);
    len = tw_be16(p->message, p->at + 8);
    p->at += RECORD;
    if (!tw_bytes_has(p->message, p->at, len))
        return false;
    if (out->n_addresses < TW_DNS_ADDRESSES)
        keep_address(p, type, len, out);
    p->at += len;
    return true;
}

bool tw_dns_read(struct tw_bytes message, struct tw_dns_message *out)
{
    struct place p = { message, HEADER };
    uint16_t flags = tw_be16(message, 2);
    uint16_t questions = tw_be16(message, 4), answers = tw_be16(message, 6);

    if (!tw_bytes_has(message, 0, HEADER) || flags & OPCODE || questions != 1)
        return false;
    out->id = tw_be16(message, 0);
    out->code = flags & CODE;
    out->response = flags & FLAG_RESPONSE;
    out->truncated = flags & FLAG_TRUNCATED;
    out->n_addresses = 0;
    if (!take_question(&p, out))
        return false;
    /* Each record moves on by 11 bytes at least. */
    for (uint16_t i = 0; out->response && i < answers && take_record(&p, out); i++)
        ;
    return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Those that programs ask for (the registry of RFC 6895, section 3.1). */
static const struct {
    uint16_t type;
    const char *name;
} types[] = {
    { TW_DNS_A, "A" },     { 2, "NS" },     { 5, "CNAME" }, { 6, "SOA" },
    { TW_DNS_PTR, "PTR" }, { 15, "MX" },    { 16, "TXT" },  { TW_DNS_AAAA, "AAAA" },
    { 33, "SRV" },         { 35, "NAPTR" }, { 43, "DS" },   { 48, "DNSKEY" },
    { 64, "SVCB" },        { 65, "HTTPS" }, { 255, "ANY" },
};

const char *tw_dns_type_name(uint16_t type, char *text)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].type == type)
            return types[i].name;
    snprintf(text, 16, "TYPE%u", type);
    return text;
}

const char *tw_dns_code_name(uint8_t code, char *text)
{
    static const char *const codes[] = { "NOERROR",  "FORMERR", "SERVFAIL",
                                         "NXDOMAIN", "NOTIMP",  "REFUSED" };

    if (code < sizeof codes / sizeof codes[0])
        return codes[code];
    snprintf(text, 16, "RCODE%u", code);
    return text;
}
