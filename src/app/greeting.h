/* SPDX-License-Identifier: MIT */
/*
 * Servers that speak first, by their well-known ports (IANA): whoever connects there waits for a
 * greeting, and a connection in which nobody says a word tells its protocol by nothing else.
 */
#ifndef TW_APP_GREETING_H
#define TW_APP_GREETING_H

#include <stdbool.h>
#include <stdint.h>

static inline bool tw_greeting_is_due(uint16_t server_port)
{
    switch (server_port) {
    case 21:   /* FTP (RFC 959, 5.4) */
    case 22:   /* SSH (RFC 4253, 4.2) */
    case 25:   /* SMTP (RFC 5321, 3.1) ... */
    case 587:  /* ... and submission (RFC 6409) */
    case 110:  /* POP3 (RFC 1939, 4) */
    case 119:  /* NNTP (RFC 3977, 5.1) */
    case 143:  /* IMAP (RFC 9051, 7.1) */
    case 873:  /* rsync */
    case 3306: /* MySQL */
    case 5900: /* RFB (RFC 6143, 7.1.1) */
        return true;
    default:
        return false;
    }
}

/* Those that greet inside TLS: a client without it waits for words that never come. */
static inline bool tw_greeting_is_in_tls(uint16_t server_port)
{
    switch (server_port) {
    case 465: /* SMTP (RFC 8314, 3.3) */
    case 563: /* NNTP (RFC 8143) */
    case 990: /* FTP */
    case 993: /* IMAP (RFC 8314, 3.2) */
    case 995: /* POP3 (RFC 8314, 3.1) */
        return true;
    default:
        return false;
    }
}

#endif
