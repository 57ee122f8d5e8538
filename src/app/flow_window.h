/* SPDX-License-Identifier: MIT */
/*
 * Flow control of an application protocol: bytes of HTTP/2's windows (RFC 9113, section 5.2), or
 * credits of SMB 2 (MS-SMB2, 3.3.1.1).
 */
#ifndef TW_APP_FLOW_WINDOW_H
#define TW_APP_FLOW_WINDOW_H

#include "app/exchange.h"

/* A window that its sender uses up, and its peer opens again. Zero-initialised. */
struct tw_flow_window {
    int64_t used;                  /* of it, or beyond its size at first */
    tcpwhy_ns empty_ns, opened_ns; /* empty since, and opened again; 0: not */
};

/* Only called if the capture has the begin. */
/* @return how long its sender was held up before it sent this much. */
tcpwhy_ns tw_flow_window_use(struct tw_flow_window *window, int64_t size, uint32_t much,
                             tcpwhy_ns now_ns);
void tw_flow_window_open(struct tw_flow_window *window, int64_t size, uint32_t much,
                         tcpwhy_ns now_ns);

/* Count a wait, if it is one, that delayed that frame. */
void tw_flow_window_note(struct tw_window_waits *waits, tcpwhy_ns ns, uint32_t frame);

#endif
