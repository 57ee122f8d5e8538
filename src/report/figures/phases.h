/* SPDX-License-Identifier: MIT */
/* A request's life as browsers show it: name, connect, TLS, send, wait, receive. */
#ifndef TW_REPORT_FIGURES_PHASES_H
#define TW_REPORT_FIGURES_PHASES_H

#include <tcpwhy/render.h>

#include "base/array.h"
#include "report/report_rows.h"

enum tw_life_phase {
    TW_LIFE_NAME,    /* DNS, and ARP or NDP before */
    TW_LIFE_CONNECT, /* the handshake of TCP */
    TW_LIFE_TLS,
    TW_LIFE_SEND, /* the request, from its first byte to its last */
    TW_LIFE_WAIT, /* until the first byte of the response */
    TW_LIFE_RECEIVE,
    TW_LIFE_PHASES,
};

/* An exchange as its client lived it. Only the first of a connection has what came before it. */
struct tw_phases {
    uint32_t stream;
    struct tcpwhy_endpoint server;
    const char *host; /* as tw_stream_row.server_name */
    bool tls;         /* its connection is encrypted */
    struct tcpwhy_exchange e;
    tcpwhy_ns start_ns;              /* of the first phase */
    tcpwhy_ns total_ns;              /* from there; unknown without an end */
    tcpwhy_ns at_ns[TW_LIFE_PHASES]; /* when each began ... */
    tcpwhy_ns ns[TW_LIFE_PHASES];    /* ... and how long it was; unknown: there was none */
};

/* struct tw_phases of the requests that the options select, in the order of the streams. */
tw_array *tw_phases_of(const tcpwhy_report *report, const struct tcpwhy_render_options *options);

/* The median of a phase; unknown where no row has it. */
tcpwhy_ns tw_phases_median(const tw_array *rows, enum tw_life_phase phase);

#endif
