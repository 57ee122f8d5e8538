/* SPDX-License-Identifier: MIT */
/*
 * What a protocol dissector has told of a connection: where requests and responses begin and end.
 * Responses answer requests in the order in which those were asked.
 */
#ifndef TW_APP_TRANSACTIONS_H
#define TW_APP_TRANSACTIONS_H

#include <glib.h>

#include "app/app.h"
#include "base/bytes.h"
#include "base/ranges.h"

/* The end of a message that still runs. */
#define TW_OPEN INT64_MAX

/* Room for the name of most connections' first request. */
#define TW_TRANSACTIONS_TEXT 120

struct tw_transactions_text {
    const char *text;
    size_t len;
};

/* Begins with tw_transactions_init(), and must not move: it points into itself. */
struct tw_transactions {
    const char *protocol;
    enum tcpwhy_side asker;
    struct tw_exchange *exchange; /* no records yet; is first while there is one at most */
    uint32_t n, capacity;
    struct tw_exchange first;
    struct tw_transactions_text last_request; /* names are often alike */
    char text[TW_TRANSACTIONS_TEXT];          /* the first names, one behind the other */
    uint32_t text_len;
    GStringChunk *texts;        /* what does not fit there; NULL while there is none */
    size_t text_bytes;          /* of these */
    int64_t reached[2];         /* each side's bytes were handed on up to here */
    int64_t pass_to[2];         /* by side: the dissector need not see what ends before */
    int64_t asked_to;           /* the last request's end, or its begin while it runs */
    int64_t answered_to;        /* the last response's likewise */
    uint32_t answering;         /* the first exchange without a whole response */
    bool asking, answer_runs;   /* a request, a response is open */
    bool until_close;           /* the open response ends with the connection and not before */
    bool until_turn;            /* the open response ends when the asker speaks again */
    uint8_t pass_but[2];        /* by side: but it must see what begins with this; 0: nothing */
    bool opaque;                /* from the two ends above on the bytes tell us nothing more ... */
    bool at_will;               /* ... and either side speaks when it has something to say ... */
    const char *inside;         /* ... and this is what to call them; static, NULL: plain turns */
    const char *inside_request; /* of the first such exchange; NULL: none */
    struct tw_ranges standing;  /* of the asker's bytes: requests that stand, where turns tell */
};

void tw_transactions_init(struct tw_transactions *transactions);
void tw_transactions_clear(struct tw_transactions *transactions);
/* About what it holds of the heap. */
size_t tw_transactions_bytes(const struct tw_transactions *transactions);

/* A request begins; it is the current one until the next begins. */
void tw_transactions_ask(struct tw_transactions *transactions, int64_t from);
void tw_transactions_asked(struct tw_transactions *transactions, int64_t to);
/* Name the current request: verb and object, either may be empty. */
void tw_transactions_name(struct tw_transactions *transactions, struct tw_bytes verb,
                          struct tw_bytes object);

/* The dissector does not have to see what ends before that offset of a side. */
static inline void tw_transactions_pass_over(struct tw_transactions *transactions,
                                             enum tcpwhy_side side, int64_t to)
{
    transactions->pass_to[side] = to;
}

/* It does not have to see any more of a side, but segments that begin with that byte; until it says
 * something else. */
static inline void tw_transactions_pass_all_but(struct tw_transactions *transactions,
                                                enum tcpwhy_side side, uint8_t first)
{
    transactions->pass_to[side] = INT64_MAX;
    transactions->pass_but[side] = first;
}

static inline void tw_transactions_pass_nothing(struct tw_transactions *transactions,
                                                enum tcpwhy_side side)
{
    transactions->pass_to[side] = 0;
    transactions->pass_but[side] = 0;
}

/* From these offsets on, exchanges are turns of a protocol (static name, or NULL); the first one's
 * request may have a name. */
void tw_transactions_leave(struct tw_transactions *transactions, const char *protocol,
                           int64_t asked_to, int64_t answered_to);
void tw_transactions_leave_name(struct tw_transactions *transactions, struct tw_bytes verb,
                                struct tw_bytes object);

/* Those bytes of the asker's ask to be told of what happens: in the turn that they are of, what
 * comes late need not be an answer. */
void tw_transactions_stand(struct tw_transactions *transactions, int64_t from, int64_t to);

/*
 * A response begins: to the first request that has none, else to what the asker said since the last
 * one, which nobody understood and which may be nothing. Beginning again before
 * tw_transactions_answered() (a final response after an interim one) moves its begin.
 */
void tw_transactions_answer(struct tw_transactions *transactions, int64_t from);
void tw_transactions_status(struct tw_transactions *transactions, uint16_t status);
/* Of the response that runs its sender has not said how long it is. */
void tw_transactions_in_pieces(struct tw_transactions *transactions);
void tw_transactions_answered(struct tw_transactions *transactions, int64_t to, bool complete);

/* Requests without a whole response. */
uint32_t tw_transactions_outstanding(const struct tw_transactions *transactions);
/* Responses were lost: the next one answers the newest request. */
void tw_transactions_skip_to_newest(struct tw_transactions *transactions);
/* The name of the request that the open response answers, "" without one. */
const char *tw_transactions_question(const struct tw_transactions *transactions);

/* What app's dissector told so far, or NULL. Owned by app. */
const struct tw_transactions *tw_transactions_of(const struct tw_app *app);

#endif
