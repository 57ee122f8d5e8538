/* SPDX-License-Identifier: MIT */
/*
 * The IP identification as a counter of one side's packets: its steps tell what was sent and did
 * not pass here.
 */
#ifndef TW_EXPLAIN_PACKET_COUNTER_H
#define TW_EXPLAIN_PACKET_COUNTER_H

#include "log/log.h"

/* Walks one side's frames; begin with zeroes. */
struct tw_packet_counter {
    uint32_t next_record;
    uint16_t last_id;
    tcpwhy_ns last_ns;
    unsigned all, ones; /* steps, and those of one */
    unsigned odd;       /* larger ones where nothing can have been lost */
    unsigned lacking;   /* packets before the newest frame that are not in the capture */
};

/* Go on up to a record; rtt_ns is the shortest round trip. */
void tw_packets_count(struct tw_packet_counter *counter, const struct tw_log *log,
                      enum tcpwhy_side from, uint32_t record, tcpwhy_ns rtt_ns);

/* Does the identification of this side count the packets of this connection? */
bool tw_packets_counted(const struct tw_log *log, enum tcpwhy_side from, tcpwhy_ns rtt_ns);

#endif
