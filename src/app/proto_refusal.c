/* SPDX-License-Identifier: MIT */
/*
 * Servers that turn a client away by their first words, before their protocol begins: mail and
 * files (RFC 5321, 3.8; RFC 959, 4.2), POP3, IMAP, Redis, sshd. What follows is turns.
 */
#include "app/line_way.h"
#include "app/protocol.h"

static enum tw_guess guess(struct tw_bytes first)
{
    static const char *const lines[] = { "421 ",  "421-",     "554 ",
                                         "554-",  "400 ",     "* BYE ",
                                         "-ERR ", "-DENIED ", "Exceeded MaxStartups" };

    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
        if (tw_line_begins(first, lines[i]))
            return TW_GUESS_ANSWERER;
    return TW_GUESS_NO;
}

static void tell_line(struct tw_transactions *transactions, struct tw_bytes text)
{
    struct tw_bytes line = text, word;

    tw_lines_take_whole(&text, &line);
    word = tw_line_word(&line);
    tw_transactions_part(transactions, word, line);
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    (void)state;
    if (!asks && !p->gap && transactions->asked_to == 0)
        tell_line(transactions, p->bytes);
    tw_transactions_leave(transactions, "turn", INT64_MIN, INT64_MIN);
}

const struct tw_app_protocol tw_app_protocol_refusal = {
    .name = "refusal",
    .guess = guess,
    .piece = piece,
};
