/* SPDX-License-Identifier: MIT */
/*
 * What a dissector of an application protocol is. One file proto_NAME.c each, and one line in this
 * folder's meson.build, which writes the table.
 */
#ifndef TW_APP_PROTOCOL_H
#define TW_APP_PROTOCOL_H

#include "app/transactions.h"
#include "app/stream.h"

/* As many first bytes of a direction as a guess may want to see. */
#define TW_GUESS_BYTES 32

/* As many bytes as a dissector's state may take. */
#define TW_PROTOCOL_STATE 320

/* What the first bytes of a direction say. */
enum tw_guess {
    TW_GUESS_NO,
    TW_GUESS_MORE,     /* too few to tell */
    TW_GUESS_ASKER,    /* a request of this protocol */
    TW_GUESS_ANSWERER, /* a response, or the greeting of the side that will answer */
    TW_GUESS_EITHER,   /* this protocol, but nothing tells who asks */
};

struct tw_app_protocol {
    const char *name;
    size_t state_size; /* TW_PROTOCOL_STATE at most; zeroed before the first piece */
    enum tw_guess (*guess)(struct tw_bytes first);
    /* The next piece of a direction; asks: it comes from the side that asks. */
    void (*piece)(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *piece);
    void (*clear)(void *state); /* release what the state holds; may be NULL */
};

/* All of them, closed by NULL; generated. */
extern const struct tw_app_protocol *const tw_app_protocols[];

#endif
