/* SPDX-License-Identifier: MIT */
/* A request with its response. */
#ifndef TW_APP_EXCHANGE_H
#define TW_APP_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#define TW_NO_RECORD UINT32_MAX

/* A request and its response. Indices are log records; times are of the vantage. */
struct tw_exchange {
    const char *protocol;   /* static: "http", "tls", "mysql" or "turn" */
    const char *request;    /* points into app; "" without a name */
    uint16_t status;        /* 0 if the protocol has none */
    bool complete : 1;      /* the end of the response was captured */
    bool framed : 1;        /* the protocol marks message ends; otherwise turn-taking is a guess */
    bool at_will : 1;       /* either side may send at any time: the data need not be a response */
    bool stands : 1;        /* a standing request (subscription): even the first data need not be a
                               response */
    bool in_pieces : 1;     /* a response without a declared length: it may be a series of pushes */
    enum tcpwhy_side asker; /* sender of the request; nearly always the client */
    int64_t request_from, request_to; /* offsets in the asker's stream; equal if there is no request
                                         (the server speaks first) */
    int64_t response_from,
        response_to; /* offsets in the other stream; equal if there was no response */
    uint32_t request_first,
        request_last; /* records that first delivered the first byte, and the last missing one (the
                         last byte, unless a hole was filled later); or TW_NO_RECORD */
    uint32_t response_first, response_last;
    uint32_t response_acked; /* the asker's record that acknowledged the whole response, or none */
};

/* Must not be moved: it may point into itself. */
struct tw_exchanges {
    struct tw_exchange *exchange; /* sorted by request_from */
    uint32_t n, capacity;
    struct tw_exchange first[2]; /* inline storage, if sufficient */
};

#endif
