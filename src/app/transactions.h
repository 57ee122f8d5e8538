/* SPDX-License-Identifier: MIT */
/*
 * Transactions reported by a protocol dissector: boundaries of requests and responses. Responses
 * answer requests in order.
 */
#ifndef TW_APP_TRANSACTIONS_H
#define TW_APP_TRANSACTIONS_H

#include <glib.h>

#include "app/exchange.h"
#include "base/bytes.h"
#include "base/ranges.h"
#include "base/text.h"

/* End of an unfinished message. */
#define TW_OPEN INT64_MAX

struct tw_plain;
struct tw_plain_sink;
struct tw_tls_keys;

/* No exchange. */
#define TW_NO_EXCHANGE UINT32_MAX

/* Room for the name of a typical first request. */
#define TW_TRANSACTIONS_TEXT 120

struct tw_app;

struct tw_transactions_text {
    const char *text;
    size_t len;
};

/* Initialised by tw_transactions_init(); must not be moved, as it points into itself. */
struct tw_transactions {
    const char *protocol;
    enum tcpwhy_side asker;
    struct tw_exchange *exchange; /* no records yet; points to first while one suffices */
    uint32_t n, capacity;
    struct tw_exchange first;
    struct tw_transactions_text last_request; /* deduplicates names */
    char text[TW_TRANSACTIONS_TEXT];          /* first names, concatenated */
    uint32_t text_len;
    tw_string_chunk *texts;   /* further names; NULL until needed */
    size_t text_bytes;        /* bytes in texts */
    int64_t reached[2];       /* end of each side's delivered bytes */
    int64_t pass_to[2];       /* by side: the dissector may skip what ends before */
    int64_t asked_to;         /* end of the last request, or its start while unfinished */
    int64_t answered_to;      /* the same for the last response */
    uint32_t answering;       /* first transaction without a complete response */
    bool asking, answer_runs; /* a request or response is open */
    bool unseen;              /* the current bytes acknowledge some that the capture lacks so far */
    bool asks_on;             /* the open request surely goes on */
    bool until_close;         /* the open response ends with the connection */
    bool until_turn;          /* the open response ends when the asker sends again */
    bool end_hidden[2];  /* by side: a frame cut by the snap length may hold the end of what it says
                          */
    bool end_guessed;    /* the last request had such an end, and an answer was taken for it */
    uint8_t pass_but[2]; /* by side: except segments with this first byte; 0: none */
    bool opaque;         /* after the two ends above the bytes are opaque ... */
    bool at_will;        /* ... either side may send at any time ... */
    bool feeds;          /* ... and the asker confirms what it gets, and asks nothing ... */
    const char *inside;  /* ... and their static protocol name; NULL: plain turns */
    const char *inside_request; /* name of the first such transaction, or NULL */
    struct tw_ranges standing;  /* bytes of the asker that are standing requests */
    struct tw_ranges aside[2];  /* by side, of turns: bytes that neither ask nor answer */
    bool interleaved;           /* exchanges overlap; see tw_transactions_open() */
    struct tw_exchange_more *more;
    uint32_t n_more, more_capacity;
    struct tw_app_facts facts;
    const char *server_name;          /* as the asker calls the answerer, or NULL */
    const struct tw_tls_keys *keys;   /* of the capture, or NULL */
    struct tw_plain_sink *plain_sink; /* takes what is decrypted, or NULL */
    struct tw_plain *plain;           /* what was decrypted, or NULL; freed beside these */
    uint32_t inside_more;             /* as tw_exchange.more, of the first transaction in turns */
    int64_t session_to;               /* end of the asker's part of a TLS handshake; 0: none */
    int64_t tickets_to;               /* end of the answerer's tickets behind it; 0: none known */
    bool listens;                     /* although opaque, the dissector wants more */
    size_t state_bytes;               /* heap usage of the dissector */
    tcpwhy_ns now_ns;                 /* time of the frame that is dissected */
    uint32_t now_frame;               /* its number */
    bool values;                      /* names may have the values in statements, and keys */
    const char *switch_to;  /* name of the protocol that continues the connection, or NULL ... */
    int64_t switch_at;      /* ... from this offset of the side that spoke last */
    uint32_t switch_answer; /* ... and responds to this exchange; or TW_NO_EXCHANGE */
};

void tw_transactions_init(struct tw_transactions *transactions);
void tw_transactions_clear(struct tw_transactions *transactions);
/* Estimated heap usage. */
size_t tw_transactions_bytes(const struct tw_transactions *transactions);

/* Start a request, which is current until the next one. */
void tw_transactions_ask(struct tw_transactions *transactions, int64_t from);
void tw_transactions_asked(struct tw_transactions *transactions, int64_t to);
/* The current request surely goes on: its framing is known and its end has not come. Until
 * tw_transactions_asked(). */
static inline void tw_transactions_asks_on(struct tw_transactions *transactions, bool on)
{
    transactions->asks_on = on;
}

/* Name the current request by verb and object, either may be empty. */
void tw_transactions_name(struct tw_transactions *transactions, struct tw_bytes verb,
                          struct tw_bytes object);

/* The name that tw_transactions_name() gives; as long-lived as the transactions. */
const char *tw_transactions_keep_name(struct tw_transactions *transactions, struct tw_bytes verb,
                                      struct tw_bytes object);
/* The same of a constant verb and a text, which may be "". */
const char *tw_transactions_keep_text(struct tw_transactions *transactions, const char *verb,
                                      const char *object);
/* The same of any length; the text is clean. */
const char *tw_transactions_keep(struct tw_transactions *transactions, const char *text);
/* Give the current request a kept name. */
void tw_transactions_call(struct tw_transactions *transactions, const char *name);
/* The current or last request asks for no response. */
void tw_transactions_one_way(struct tw_transactions *transactions);
/* The current or last request may be answered whenever something happens. */
void tw_transactions_wait(struct tw_transactions *transactions);

/* The dissector may skip data of a side that ends before that offset. */
static inline void tw_transactions_pass_over(struct tw_transactions *transactions,
                                             enum tcpwhy_side side, int64_t to)
{
    transactions->pass_to[side] = to;
}

/* The dissector may skip all data of a side, except segments that start with that byte, until
 * further notice. */
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

/* From these offsets on transactions are turns of a protocol (static name, or NULL); the first
 * request may have a name. */
void tw_transactions_leave(struct tw_transactions *transactions, const char *protocol,
                           int64_t asked_to, int64_t answered_to);
void tw_transactions_leave_name(struct tw_transactions *transactions, struct tw_bytes verb,
                                struct tw_bytes object);

/* The bytes from that offset of a side on are not of the protocol; if nothing before was, turns
 * begin with the connection. */
void tw_transactions_give_up(struct tw_transactions *transactions, bool asks, int64_t at);

/* After the bytes of tw_transactions_leave() the answerer sends what happens to it (replication),
 * which the asker confirms now and then. */
static inline void tw_transactions_feed(struct tw_transactions *transactions)
{
    transactions->at_will = transactions->feeds = true;
}

void tw_transactions_leave_detail(struct tw_transactions *transactions, const char *text);

/* These bytes of the asker are a standing request: late data in their turn need not be a
 * response. */
void tw_transactions_stand(struct tw_transactions *transactions, int64_t from, int64_t to);

/* These bytes of a side, of what is told by turns, neither ask nor answer (keep-alives). */
void tw_transactions_put_aside(struct tw_transactions *transactions, enum tcpwhy_side side,
                               int64_t from, int64_t to);

/*
 * Start a response to the first unanswered request, or to the asker's unparsed data since the last
 * one, which may be empty. Starting again before tw_transactions_answered() (final after interim
 * response) moves its start.
 */
void tw_transactions_answer(struct tw_transactions *transactions, int64_t from);
void tw_transactions_status(struct tw_transactions *transactions, uint16_t status);
/* The current response precedes the final one and says nothing about the end of its request. */
void tw_transactions_interim(struct tw_transactions *transactions);
/* The current response has no declared length. */
void tw_transactions_in_pieces(struct tw_transactions *transactions);
/* The current request has no declared end either. */
void tw_transactions_asks_in_pieces(struct tw_transactions *transactions);
/* The current request holds its body back until the server asks for it. */
void tw_transactions_expect(struct tw_transactions *transactions);
/* The end of the current response is the connection's. */
void tw_transactions_to_close(struct tw_transactions *transactions);
void tw_transactions_answered(struct tw_transactions *transactions, int64_t to, bool complete);
/* A frame that the snap length cut ends at that offset. If it hides more than a counted body, it
 * may hide the end of the open message, which then ends where the other side speaks. */
void tw_transactions_hide(struct tw_transactions *transactions, enum tcpwhy_side from, int64_t to);
/* Text beside the open response, as how it failed. */
void tw_transactions_failed(struct tw_transactions *transactions, const char *text);
/* The answerer says that it ends the connection, and why: a code, which may be empty, and words. */
void tw_transactions_part(struct tw_transactions *transactions, struct tw_bytes code,
                          struct tw_bytes words);
/* The answerer names an address in this text, as 192.0.2.1:80; nothing happens if it is none. */
void tw_transactions_name_address(struct tw_transactions *transactions, struct tw_bytes text,
                                  const char *setting);
/* The first request without a complete response that asks for one, or NULL. */
struct tw_exchange *tw_transactions_awaited(struct tw_transactions *transactions);
/* The first unanswered request will get no response. */
void tw_transactions_pass_by(struct tw_transactions *transactions);
/* Responses before that offset may have been lost, in which one begins: the open one ends there. */
void tw_transactions_resume(struct tw_transactions *transactions, bool asks, int64_t at);

/* Requests without a complete response. */
uint32_t tw_transactions_outstanding(const struct tw_transactions *transactions);
/* Responses were lost: the next one answers the newest request. */
void tw_transactions_skip_to_newest(struct tw_transactions *transactions);
/* Name of the request of the open response, or "". */
const char *tw_transactions_question(const struct tw_transactions *transactions);

/*
 * Interleaved exchanges: the dissector keeps the index, and sets offsets and flags itself; ends are
 * never TW_OPEN, but what has been announced so far. tw_transactions_ask() and others do not apply.
 * @return TW_NO_EXCHANGE if there are too many: then the dissector is abandoned.
 */
uint32_t tw_transactions_open(struct tw_transactions *transactions, int64_t request_from,
                              int64_t request_to);
/* Valid until the next one is opened. */
struct tw_exchange *tw_transactions_at(struct tw_transactions *transactions, uint32_t index);
struct tw_exchange_more *tw_transactions_more(struct tw_transactions *transactions, uint32_t index);
void tw_transactions_name_at(struct tw_transactions *transactions, uint32_t index,
                             struct tw_bytes verb, struct tw_bytes object);

/* Text beside the name, as how it failed. */
void tw_transactions_detail(struct tw_transactions *transactions, uint32_t index, const char *text);

/* The response to the current request comes by another protocol, from this offset of the answerer
 * on; the rest of the current piece is its first. */
void tw_transactions_switch(struct tw_transactions *transactions, const char *protocol, int64_t at);

/* Transactions reported so far, or NULL. Owned by app. */
const struct tw_transactions *tw_transactions_of(const struct tw_app *app);

#endif
