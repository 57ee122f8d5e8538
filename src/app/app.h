/* SPDX-License-Identifier: MIT */
/*
 * Interface of src/app: requests and responses. Reassembled payload goes through protocol
 * dissectors that mark message boundaries; for unknown protocols, turn-taking in the segment log
 * separates transactions.
 */
#ifndef TW_APP_H
#define TW_APP_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "app/exchange.h"
#include "log/log.h"
#include "track/track.h"

/* Application state of one connection. Zero-initialised. */
struct tw_app {
    int64_t next[2];      /* until talk exists, by sender: offset after the SYN */
    bool synchronised[2]; /* the SYN was captured */
    bool deaf;            /* no further input is used */
    bool holds;           /* buffers or has buffered bytes behind a hole */
    bool unheard[2];      /* direction ignored, permanently or until the other side sends */
    bool values;          /* names of requests may show values */
    const struct tw_tls_keys *keys;   /* of the capture, or NULL */
    struct tw_plain_sink *plain_sink; /* takes what is decrypted, or NULL; outlives this */
    struct tw_talk *talk;             /* NULL before the first payload, and for unknown protocols */
};

void tw_app_clear(struct tw_app *app);
/* Estimated heap usage. */
size_t tw_app_bytes(const struct tw_app *app);

/* Prefetch what the next push will touch. */
void tw_app_fetch(const struct tw_app *app);

/* For each tracked frame of the connection, with its captured payload. @return true if heap
 * usage changed. */
bool tw_app_push(struct tw_app *app, const struct tw_tracked *tracked);

/* End of the connection: flush what waits behind holes; no more input. */
void tw_app_end(struct tw_app *app);

/*
 * Pair requests with responses. Without app (NULL) by turn-taking only. The result points to texts
 * of app, which must outlive it. May be called while the connection goes on.
 */
void tw_exchanges_build(const struct tw_log *log, const struct tw_app *app,
                        struct tw_exchanges *out);

/*
 * Time when the response was complete at the asker, on the vantage's clock; unknown without a
 * response. @param to_asker_ns one-way delay from the vantage to the asker.
 */
tcpwhy_ns tw_exchange_arrival(const struct tw_log *log, const struct tw_exchange *exchange,
                              tcpwhy_ns to_asker_ns);

void tw_exchanges_clear(struct tw_exchanges *exchanges);

#endif
