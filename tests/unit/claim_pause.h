/* SPDX-License-Identifier: MIT */
/* A pause within a message, made of claim.h's wait: one that is surely the program's. */
#ifndef TW_TESTS_UNIT_CLAIM_PAUSE_H
#define TW_TESTS_UNIT_CLAIM_PAUSE_H

#include "tests/unit/claim.h"

#define PAUSE TCPWHY_APP_LIMITED

/* The server's writes are whole, all was acknowledged long before it went on, and it writes again
 * a round trip after the last. */
static inline void make_pause(struct made_wait *m)
{
    make_wait(m);
    m->wait.ack_released = false;
    m->wait.drained = true;
    m->wait.lag_ns = TCPWHY_MS(10);
    m->send[1].is |= TW_SEND_PARTIAL;
    m->record[BEFORE].flags |= TW_PSH;
}

static inline void make_remote_pause(struct made_wait *m)
{
    make_pause(m);
    m->scene.vantage.to_side_ns[TCPWHY_CLIENT] = 0;
    m->scene.vantage.to_side_ns[TCPWHY_SERVER] = CLAIM_RTT / 2;
}

/* More stood behind what came before. */
static inline void leave_more(struct made_wait *m)
{
    m->send[1].is &= (uint8_t)~TW_SEND_PARTIAL;
    m->record[BEFORE].flags &= (uint16_t)~TW_PSH;
}

/* So long a pause before the send. */
static inline void pause_for(struct made_wait *m, tcpwhy_ns pause_ns)
{
    m->wait.from_ns = m->wait.to_ns - pause_ns;
    m->send[1].sent_ns = m->send[2].sent_ns - pause_ns;
}

#endif
