/* SPDX-License-Identifier: MIT */
/*
 * FTP's control connection (RFC 959): commands and replies. While a data connection carries a file,
 * its command waits for that, and not for the server; its port is told beside it. Of arguments only
 * paths are told. After AUTH
 * TLS (RFC 4217) it is TLS.
 */
#include <string.h>

#include "app/line_way.h"
#include "app/protocol.h"

/* Commands with a data connection (RFC 959, 4.1.3; RFC 3659, 7). */
#define TRANSFERS "RETR STOR STOU APPE LIST NLST MLSD"
#define PATHS     "RETR STOR APPE LIST NLST MLSD MLST CWD DELE MKD RMD SIZE MDTM RNFR RNTO STAT"
#define OTHERS                                                                                     \
    "USER PASS ACCT CDUP SMNT REIN QUIT PORT PASV TYPE STRU MODE ALLO REST ABOR PWD SITE SYST "    \
    "HELP NOOP FEAT OPTS LANG EPRT EPSV AUTH PBSZ PROT CCC HOST CLNT XPWD XMKD XRMD XCWD MFMT"

struct ftp {
    struct tw_line_way way[2]; /* 0: of the client */
    uint16_t code;             /* of the reply that has begun, of several lines; or 0 */
    uint16_t port;             /* of the next data connection, or 0 */
    bool greeted;
    bool holed; /* replies may have been lost */
};

struct work {
    struct ftp *ftp;
    struct tw_transactions *transactions;
};

/* Servers of mail greet so, too: the client's first command tells. */
static enum tw_guess guess(struct tw_bytes first)
{
    if (tw_line_begins(first, "220 ") || tw_line_begins(first, "220-"))
        return TW_GUESS_ANSWERER;
    return tw_line_begins(first, "PASV\r") || tw_line_begins(first, "PORT ") ||
                   tw_line_begins(first, "EPSV\r") || tw_line_begins(first, "EPSV ") ||
                   tw_line_begins(first, "EPRT ")
               ? TW_GUESS_ASKER
               : TW_GUESS_NO;
}

/* Not FTP: the greeting was of mail, or of what is not known. */
static bool become(const struct work *w, const char *protocol, int64_t from)
{
    struct tw_transactions *t = w->transactions;

    for (uint32_t i = 0; i < t->n; i++)
        tw_transactions_at(t, i)->protocol = protocol;
    if (strcmp(protocol, "smtp") == 0)
        tw_transactions_switch(t, protocol, from);
    else
        tw_transactions_leave(t, protocol, from, t->answered_to);
    return false;
}

static uint32_t number(struct tw_bytes *text)
{
    uint32_t n = 0;

    for (size_t i = 0; i < 6 && g_ascii_isdigit(tw_u8(*text, 0)); i++) {
        n = n * 10 + text->data[0] - '0';
        *text = tw_bytes_from(*text, 1);
    }
    return n;
}

/* h1,h2,h3,h4,p1,p2 as in PORT and the reply 227 (RFC 959, 4.1.2). @return 0 if it is not that. */
static uint16_t old_port(struct tw_bytes text)
{
    uint32_t part[6];

    while (text.len > 0 && !g_ascii_isdigit(text.data[0]))
        text = tw_bytes_from(text, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(part); i++) {
        if (i > 0 && tw_u8(text, 0) != ',')
            return 0;
        text = tw_bytes_from(text, i > 0);
        part[i] = number(&text);
        if (part[i] > 255)
            return 0;
    }
    return (uint16_t)(part[4] << 8 | part[5]);
}

/* The address of the reply 227, as text of the usual form. */
static void tell_address(struct tw_transactions *t, struct tw_bytes text)
{
    char dotted[sizeof "255.255.255.255"];
    size_t len = 0;
    int commas = 0;

    while (text.len > 0 && !g_ascii_isdigit(text.data[0]))
        text = tw_bytes_from(text, 1);
    for (size_t i = 0; i < text.len && len + 1 < sizeof dotted; i++) {
        commas += text.data[i] == ',';
        if (commas == 4)
            break;
        dotted[len++] = text.data[i] == ',' ? '.' : (char)text.data[i];
    }
    tw_transactions_name_address(t, tw_bytes((const uint8_t *)dotted, len),
                                 "FTP's passive address (vsftpd pasv_address, ProFTPD "
                                 "MasqueradeAddress), or EPSV at the client");
}

/* |P|address|port| as in EPRT and the reply 229 (RFC 2428), of which the first two may be empty. */
static uint16_t extended_port(struct tw_bytes text)
{
    int bars = 0;
    uint32_t port;

    while (text.len > 0 && bars < 3) {
        bars += text.data[0] == '|';
        text = tw_bytes_from(text, 1);
    }
    port = number(&text);
    return bars == 3 && port <= UINT16_MAX ? (uint16_t)port : 0;
}

/* The data connection that belongs to the command. */
static void tell_port(const struct work *w)
{
    struct tw_transactions *t = w->transactions;
    char text[40];

    if (!w->ftp->port)
        return;
    g_snprintf(text, sizeof text, "data on port %u", w->ftp->port);
    tw_transactions_detail(t, t->n - 1, text);
    w->ftp->port = 0;
}

/* AUTH of FTP names a mechanism of RFC 2228 or 4217, that of mail one of SASL. */
static bool is_of_mail(struct tw_bytes verb, struct tw_bytes rest)
{
    return tw_line_is_one_of(verb, "EHLO HELO LHLO MAIL RCPT") ||
           (tw_line_is(verb, "AUTH") && !tw_line_begins(rest, "TLS") &&
            !tw_line_begins(rest, "SSL") && !tw_line_begins(rest, "GSSAPI") &&
            !tw_line_begins(rest, "KERBEROS"));
}

static bool client_line(void *user, struct tw_bytes line, int64_t from, int64_t to)
{
    const struct work *w = user;
    struct tw_transactions *t = w->transactions;
    struct tw_bytes rest = line, verb = tw_line_word(&rest);
    const bool has_path = tw_line_is_one_of(verb, PATHS);

    if (is_of_mail(verb, rest))
        return become(w, "smtp", from);
    if (!has_path && !tw_line_is_one_of(verb, OTHERS)) {
        if (t->n <= 1)
            return become(w, "turn", from);
        verb = tw_bytes((const uint8_t *)"(unknown)", 9);
    }
    if (tw_line_is(verb, "PORT"))
        w->ftp->port = old_port(rest);
    else if (tw_line_is(verb, "EPRT"))
        w->ftp->port = extended_port(rest);
    if (!has_path)
        rest = tw_bytes_first(rest, 0);
    tw_transactions_ask(t, from);
    if (!t->asking)
        return false;
    tw_transactions_name(t, verb, rest);
    if (tw_line_is_one_of(verb, TRANSFERS))
        tell_port(w);
    tw_transactions_asked(t, to);
    return true;
}

static bool asks_for_tls(const struct tw_transactions *t)
{
    return g_ascii_strcasecmp(tw_transactions_question(t), "AUTH") == 0;
}

/* The command that is answered waits for its data connection. */
static void stand(struct tw_transactions *t)
{
    const char *question = tw_transactions_question(t);
    struct tw_bytes verb = tw_bytes((const uint8_t *)question, strcspn(question, " "));
    struct tw_exchange *e;

    if (!t->answer_runs || !tw_line_is_one_of(verb, TRANSFERS))
        return;
    e = tw_transactions_at(t, t->answering);
    e->at_will = true;
}

static void end_reply(const struct work *w, uint16_t code, int64_t to)
{
    struct tw_transactions *t = w->transactions;
    const bool tls = code == 234 && asks_for_tls(t);

    w->ftp->code = 0;
    /* A preliminary reply: another follows (RFC 959, 4.2.1). */
    if (code < 200) {
        stand(t);
        return;
    }
    tw_transactions_answered(t, to, true);
    if (tls)
        tw_transactions_switch(t, "tls", to);
}

static bool server_line(void *user, struct tw_bytes line, int64_t from, int64_t to)
{
    const struct work *w = user;
    struct tw_transactions *t = w->transactions;
    bool last;
    const uint16_t code = tw_line_reply(line, &last);

    /* Lines in between may look like replies, but of the first one's code. */
    if (w->ftp->code) {
        if (code == w->ftp->code && last)
            end_reply(w, code, to);
        return !t->switch_to;
    }
    if (code == TW_REPLY_CLOSING)
        tw_transactions_part(t, tw_bytes_first(line, 3), tw_bytes_from(line, 4));
    if (code == 0 || (tw_transactions_outstanding(t) == 0 && w->ftp->greeted))
        return true;
    w->ftp->greeted = true;
    if (w->ftp->holed)
        tw_transactions_skip_to_newest(t);
    w->ftp->holed = false;
    if (code == 227) {
        w->ftp->port = old_port(tw_bytes_from(line, 3));
        if (w->ftp->port)
            tell_address(t, tw_bytes_from(line, 3));
    } else if (code == 229)
        w->ftp->port = extended_port(line);
    tw_transactions_answer(t, from);
    tw_transactions_status(t, code);
    w->ftp->code = code;
    if (last)
        end_reply(w, code, to);
    return !t->switch_to;
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct ftp *ftp = state;
    struct work w = { ftp, transactions };

    ftp->greeted |= asks;
    tw_line_way_take(&ftp->way[!asks], asks ? client_line : server_line, &w, p);
    if (p->gap && !asks) {
        ftp->code = 0;
        ftp->holed = true;
    }
}

static void clear(void *state)
{
    tw_line_ways_clear(((struct ftp *)state)->way);
}

G_STATIC_ASSERT(sizeof(struct ftp) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_ftp = {
    .name = "ftp",
    .state_size = sizeof(struct ftp),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
