/* SPDX-License-Identifier: MIT */
/*
 * The IP identification as a counter of one side's packets: its steps tell what was sent and did
 * not pass here.
 */
#ifndef TW_EXPLAIN_PACKET_COUNTER_H
#define TW_EXPLAIN_PACKET_COUNTER_H

#include "log/log.h"

/* How far back the IP identification may step over lost segments. */
#define TW_PACKETS_LOST_MAX 1000

/* Walks one side's frames; begin with zeroes. */
struct tw_packet_counter {
    uint32_t next_record;
    const struct tw_record *last; /* NULL before the first */
    unsigned all, ones;           /* steps, and those of one */
    unsigned gaps;                /* larger ones */
    unsigned odd;                 /* of them, those where nothing can have been lost */
    unsigned lacking;             /* packets before the newest frame that are not in the capture */
};

/* The next frame of the side; rtt_ns is the shortest round trip. */
static inline void tw_packets_step(struct tw_packet_counter *c, const struct tw_record *r,
                                   tcpwhy_ns rtt_ns)
{
    const struct tw_record *last = c->last;

    if ((r->flags & TW_SYN) || r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME)
        return;
    c->last = r;
    c->lacking = 0;
    c->all++;

    uint16_t step = (uint16_t)(r->ip_id - (last ? last->ip_id : 0));

    if (step == 1) {
        c->ones++;
    } else if (last && step > 1 && step <= TW_PACKETS_LOST_MAX) {
        c->lacking = step - 1u;
        c->gaps++;
        c->odd += r->time_ns - last->time_ns < rtt_ns && !(r->facts & TW_FACT_HOLE_BEFORE);
    }
}

/* Go on up to a record. */
void tw_packets_count(struct tw_packet_counter *counter, const struct tw_log *log,
                      enum tcpwhy_side from, uint32_t record, tcpwhy_ns rtt_ns);

/* All frames of the side were counted: does its identification count the packets of this
 * connection, and are some of them lacking? */
bool tw_packets_lack(const struct tw_packet_counter *all);

#endif
