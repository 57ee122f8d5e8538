/* SPDX-License-Identifier: MIT */
/*
 * The IP identification as a counter of one side's packets: its steps tell what was sent and did
 * not pass here.
 */
#ifndef TW_EXPLAIN_VANTAGE_IP_ID_H
#define TW_EXPLAIN_VANTAGE_IP_ID_H

#include "base/scratch.h"
#include "log/log.h"
#include "explain/thresholds.h"

/* So many packets before a record are not in the capture. */
struct tw_ip_id_gap {
    uint32_t record;
    unsigned packets;
};

/* The newest of them, which packets that were overtaken may still fill. */
struct tw_ip_id_newest {
    uint16_t behind;        /* it ends before that identification ... */
    uint16_t size, packets; /* ... had so many packets, and lacks so many still */
    bool odd, before_ack;   /* counted as such */
};

/* What one side's frames tell. */
struct tw_ip_id {
    uint32_t full_bytes;          /* payload of a full segment; frames may hold several (offload) */
    const struct tw_record *last; /* NULL before the first */
    uint16_t last_id;             /* its identification */
    unsigned ones, others;        /* steps from packet to packet, and all others */
    unsigned gaps;                /* of these, those over packets that may have been lost */
    unsigned odd;                 /* of them, those where nothing can have been */
    unsigned owed, since;         /* packets that the newest gap lacks, and those that came since */
    unsigned before_acks;         /* gaps of several before a pure ACK */
    bool shared;                  /* a gap cannot be lost packets: the counter is the host's */
    unsigned lacking;             /* packets before the newest frame that are not in the capture */
    struct tw_ip_id_newest newest;
    struct tw_ip_id_gap *lack; /* all such, and one of TW_NO_RECORD behind them */
    uint32_t n_lacks, lack_capacity;
};

/* Of all its frames, or until the counter shows to be the host's; rtt_ns is the shortest round
 * trip.
 */
void tw_ip_id_count(const struct tw_log *log, enum tcpwhy_side from, uint32_t full_bytes,
                    tcpwhy_ns rtt_ns, struct tw_scratch *scratch, struct tw_ip_id *out);

/* Where a side's identification counts the packets of this connection, and some of them lack:
 * these, up to one of TW_NO_RECORD. Else NULL. */
const struct tw_ip_id_gap *tw_ip_id_missing(const struct tw_log *log, enum tcpwhy_side from,
                                            uint32_t full_bytes, tcpwhy_ns rtt_ns,
                                            struct tw_scratch *scratch);

/* Does the identification of a side's frame go on where that of another one before it ended? A host
 * or a card that joins segments counts each (ip_select_ident_segs()). */
bool tw_ip_id_continues(const struct tw_record *before, const struct tw_record *frame,
                        uint32_t full_bytes);

#endif
