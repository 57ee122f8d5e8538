/* SPDX-License-Identifier: MIT */
/* A pause within a message, made of made_gap.h's gap: one that is surely the program's. */
#ifndef TW_TESTS_UNIT_MADE_PAUSE_H
#define TW_TESTS_UNIT_MADE_PAUSE_H

#include "tests/unit/made_gap.h"

#define PAUSE TCPWHY_APP_LIMITED

/* The server's writes are whole, all was acknowledged long before it went on, and it writes again
 * a round trip after the last. */
static inline void make_pause(struct made_gap *m)
{
    make_gap(m);
    m->gap.ack_clocked = false;
    m->gap.flight_empty = true;
    m->gap.since_ack_ns = TCPWHY_MS(10);
    m->send[1].is |= TW_SEND_PARTIAL;
    m->record[BEFORE].flags |= TW_PSH;
}

static inline void make_remote_pause(struct made_gap *m)
{
    make_pause(m);
    m->send[2].is |= TW_SEND_PARTIAL;
    m->context.vantage.to_side_ns[TCPWHY_CLIENT] = 0;
    m->context.vantage.to_side_ns[TCPWHY_SERVER] = CLAIM_RTT / 2;
}

/* More stood behind what came before. */
static inline void leave_more(struct made_gap *m)
{
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    m->record[BEFORE].flags &= (uint16_t)~TW_PSH;
}

/* The sender paused before the send. */
static inline void pause_for(struct made_gap *m, tcpwhy_ns pause_ns)
{
    m->gap.from_ns = m->gap.to_ns - pause_ns;
    m->send[1].sent_ns = m->send[2].sent_ns - pause_ns;
}

#endif
