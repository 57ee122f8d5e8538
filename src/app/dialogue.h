/* SPDX-License-Identifier: MIT */
/*
 * Splits both directions into a protocol's messages: its rules tell the length of each from its
 * first bytes. Bodies are counted, not copied; after a gap a piece that begins with a message finds
 * the way back. A dissector is told of each message's begin and end, and keeps no more of it than a
 * head of fixed size; length_prefix.h serves those that need longer ones.
 */
#ifndef TW_APP_DIALOGUE_H
#define TW_APP_DIALOGUE_H

#include "app/transactions.h"
#include "app/stream.h"

/* Results of a length rule that are none. */
#define TW_MESSAGE_MORE  0    /* it takes more bytes to tell */
#define TW_MESSAGE_WRONG (-1) /* not of this protocol */
#define TW_MESSAGE_LINE  (-2) /* there is no LF yet, which will be the end */

/* First bytes of a message that its dissector sees, if they come in one piece ... */
#define TW_MESSAGE_HEAD 512
/* ... and if they do not: of the asker, and of the answerer. */
#define TW_MESSAGE_ASKED    224
#define TW_MESSAGE_ANSWERED 64

struct tw_message {
    bool asks;            /* from the asking side */
    int64_t from, to;     /* to: INT64_MAX in a line without an end so far */
    struct tw_bytes head; /* its first bytes */
};

/* The rules by which a protocol tells its messages. `state` is the dissector's. */
struct tw_message_rules {
    /* Length of the message that begins so, with its header; or one of the above. */
    int64_t (*length)(const void *state, bool asks, struct tw_bytes first);
    /* Its head is known; its end need not have come. May be NULL, as those below. */
    void (*begin)(void *state, struct tw_transactions *transactions,
                  const struct tw_message *message);
    /* Its last byte came. The head is empty. */
    void (*end)(void *state, struct tw_transactions *transactions,
                const struct tw_message *message);
    /* Messages of that side may be missing, up to this offset, where one begins. */
    void (*resume)(void *state, struct tw_transactions *transactions, bool asks, int64_t at);
    /* After a gap: does a message begin here? */
    bool (*resumes)(const void *state, bool asks, struct tw_bytes first);
};

/* Indexed by way: 0 is the asker's. Zero-initialised. */
struct tw_dialogue {
    struct tw_dialogue_way {
        int64_t from, to; /* the current message; to: 0 while unknown */
        uint16_t len;     /* kept bytes of its head */
        bool begun;       /* its head was given away */
        bool lost;        /* a gap hides the boundaries ... */
        bool unsure;      /* ... and did before this message */
    } way[2];
    uint8_t asked[TW_MESSAGE_ASKED], answered[TW_MESSAGE_ANSWERED];
};

void tw_dialogue_take(struct tw_dialogue *dialogue, const struct tw_message_rules *rules,
                      void *state, struct tw_transactions *transactions, bool asks,
                      const struct tw_piece *piece);

#endif
