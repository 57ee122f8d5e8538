/* SPDX-License-Identifier: MIT */
/*
 * Interface of an application protocol dissector: one file proto_NAME.c, and one line in this
 * folder's meson.build, which generates the table.
 */
#ifndef TW_APP_PROTOCOL_H
#define TW_APP_PROTOCOL_H

#include "app/transactions.h"
#include "app/stream.h"

/* Maximum bytes of a direction that a guess may request. */
#define TW_GUESS_BYTES 32

/* Maximum size of a dissector's state. */
#define TW_PROTOCOL_STATE 448

/* Result of a guess on the first bytes of a direction. */
enum tw_guess {
    TW_GUESS_NO,
    TW_GUESS_MORE,     /* too few bytes */
    TW_GUESS_ASKER,    /* a request of this protocol */
    TW_GUESS_ANSWERER, /* a response, or the greeting of the side that will answer */
    TW_GUESS_EITHER,   /* this protocol, but roles are unknown */
};

struct tw_app_protocol {
    const char *name;
    size_t state_size; /* at most TW_PROTOCOL_STATE; zeroed before the first piece */
    enum tw_guess (*guess)(struct tw_bytes first);
    /* The next piece of a direction; asks: from the asking side. */
    void (*piece)(void *state, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *piece);
    void (*clear)(void *state); /* release resources of the state; may be NULL */
};

/* All protocols, NULL-terminated; generated. */
extern const struct tw_app_protocol *const tw_app_protocols[];

#endif
