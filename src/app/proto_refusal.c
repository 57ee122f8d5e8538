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

/* The first words, which may come in two pieces: as many bytes as a guess takes, and the rest. */
struct refusal {
    struct tw_lines words;
    bool begun;
};

static void tell_line(struct tw_transactions *transactions, struct tw_bytes line)
{
    struct tw_bytes word = tw_line_word(&line);

    tw_transactions_part(transactions, word, line);
}

static void piece(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct refusal *r = state;
    struct tw_bytes rest = p->bytes, line = p->bytes;

    if (asks && !r->begun) /* some ask without waiting to be let in */
        return;
    if (!asks && !p->gap) {
        if (tw_lines_take(&r->words, &rest, &line)) {
            tell_line(transactions, line);
        } else if (!r->begun && p->bytes.len >= TW_GUESS_BYTES) {
            r->begun = true;
            return;
        }
    }
    tw_transactions_leave(transactions, "turn", INT64_MIN, INT64_MIN);
}

static void clear(void *state)
{
    struct refusal *r = state;

    tw_lines_clear(&r->words);
}

const struct tw_app_protocol tw_app_protocol_refusal = {
    .name = "refusal",
    .state_size = sizeof(struct refusal),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
