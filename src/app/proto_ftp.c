/* SPDX-License-Identifier: MIT */
/*
 * FTP's control connection (RFC 959): while the data connection that a reply of 125 or 150
 * announces carries a file, the control connection waits for it, and not for its server.
 * Transactions are turns.
 */
#include <string.h>

#include "app/protocol.h"

/* The newest command that uses a data connection, until it is answered; empty: none. */
struct ftp {
    int64_t from, to;
};

static bool begins(struct tw_bytes said, const char *text)
{
    const size_t len = strlen(text);

    return tw_bytes_has(said, 0, len) &&
           g_ascii_strncasecmp((const char *)said.data, text, len) == 0;
}

static bool is_one_of(struct tw_bytes said, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (begins(said, texts[i]))
            return true;
    return false;
}

/* Servers of mail greet so, too, and know none of these commands (RFC 959, 4.1.3; RFC 3659, 7). */
static bool is_transfer(struct tw_bytes said)
{
    static const char *const commands[] = { "RETR ", "STOR ",  "STOU\r", "STOU ",
                                            "APPE ", "LIST\r", "LIST ",  "NLST\r",
                                            "NLST ", "MLSD\r", "MLSD " };

    return is_one_of(said, commands, G_N_ELEMENTS(commands));
}

/* This announces a data connection, where the greeting is not in the capture (RFC 2428). */
static bool announces_data(struct tw_bytes said)
{
    static const char *const commands[] = { "PASV\r", "PORT ", "EPSV\r", "EPSV ", "EPRT " };

    return is_one_of(said, commands, G_N_ELEMENTS(commands));
}

static enum tw_guess guess(struct tw_bytes first)
{
    if (begins(first, "220 ") || begins(first, "220-"))
        return TW_GUESS_ANSWERER;
    return announces_data(first) ? TW_GUESS_ASKER : TW_GUESS_NO;
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct ftp *ftp = state;

    if (p->gap) {
        ftp->to = ftp->from;
    } else if (asks) {
        ftp->from = p->from;
        ftp->to = is_transfer(p->bytes) ? p->to : p->from;
    } else if (ftp->from < ftp->to) {
        if (begins(p->bytes, "150") || begins(p->bytes, "125"))
            tw_transactions_stand(transactions, ftp->from, ftp->to);
        ftp->to = ftp->from;
    }
}

const struct tw_app_protocol tw_app_protocol_ftp = {
    .name = "turn",
    .state_size = sizeof(struct ftp),
    .guess = guess,
    .piece = piece,
};
