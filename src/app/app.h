/* SPDX-License-Identifier: MIT */
/*
 * The door of src/app: requests and responses. The bytes of both directions, put in order, go
 * through protocol dissectors that mark where messages begin and end; without a protocol that we
 * know, turn-taking in the segment log tells one exchange from the next.
 */
#ifndef TW_APP_H
#define TW_APP_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "log/log.h"
#include "track/track.h"

#define TW_NO_RECORD UINT32_MAX

/* A request and its response. Indices are into the log's records; times are the vantage's. */
struct tw_exchange {
    const char *protocol;   /* static: "http", "tls", "mysql" or "turn" */
    const char *request;    /* points into app, "" without a name */
    uint16_t status;        /* 0 when the protocol has none */
    bool complete : 1;      /* the response's end was seen */
    bool framed : 1;        /* the protocol tells where messages end; turn-taking only guesses */
    bool at_will : 1;       /* either side speaks when it likes: it need not be an answer */
    bool stands : 1;        /* likewise, as the request asks to be told of what happens: even the
                               first that comes need not be an answer */
    bool in_pieces : 1;     /* nobody said how long the response is: it may be one push after the
                               other */
    enum tcpwhy_side asker; /* who asked; nearly always the client */
    int64_t request_from, request_to;     /* offsets in the asker's stream; equal when there is none
                                             (a server that speaks first) */
    int64_t response_from, response_to;   /* offsets in the other's stream; equal when none came */
    uint32_t request_first, request_last; /* records that first delivered the first byte, and the
                                             one with which all bytes were there (the last byte's,
                                             unless a hole filled later); or TW_NO_RECORD */
    uint32_t response_first, response_last;
    uint32_t response_acked; /* the asker's record that acknowledged all of the response, or none */
};

/* Must not move: it may point into itself. */
struct tw_exchanges {
    struct tw_exchange *exchange; /* in order of request_from */
    uint32_t n, capacity;
    struct tw_exchange first[2]; /* all, when there are no more */
};

/* What the bytes of one connection have told so far. Begins as zeros. */
struct tw_app {
    int64_t next[2];      /* until talk, by sender: offset behind the SYN */
    bool synchronised[2]; /* there was a SYN */
    bool deaf;            /* nothing will be listened to any more */
    bool holds;           /* bytes wait for a hole, or have waited */
    bool unheard[2]; /* nobody listens to that side, for good or while the other has not spoken */
    struct tw_talk *talk; /* NULL before the first payload, and when nobody understands it */
};

void tw_app_clear(struct tw_app *app);
/* About what it holds of the heap. */
size_t tw_app_bytes(const struct tw_app *app);

/* Ask the memory for what the next push will touch. */
void tw_app_fetch(const struct tw_app *app);

/* Called for each tracked frame of the connection, with its captured payload. @return true when app
 * holds more of the heap than before, or less. */
bool tw_app_push(struct tw_app *app, const struct tw_tracked *tracked);

/* The connection is over: what waits for bytes that never came is told, and no more taken in. */
void tw_app_end(struct tw_app *app);

/*
 * Pair requests with responses. app may be NULL (bytes not looked at): turn-taking only. What
 * comes out points to texts of app, which must outlive it. While the connection goes on, it tells
 * of what was there so far.
 */
void tw_exchanges_build(const struct tw_log *log, const struct tw_app *app,
                        struct tw_exchanges *out);

/*
 * When the response was whole at the asker, on the vantage's clock; unknown without a response.
 * @param to_asker_ns  one way from the vantage to the asker.
 */
tcpwhy_ns tw_exchange_arrival(const struct tw_log *log, const struct tw_exchange *exchange,
                              tcpwhy_ns to_asker_ns);

void tw_exchanges_clear(struct tw_exchanges *exchanges);

#endif
