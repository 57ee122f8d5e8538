/* SPDX-License-Identifier: MIT */
/*
 * The IP ID as a counter of one side's packets: its steps show packets that were sent and did not
 * pass here.
 */
#ifndef TW_EXPLAIN_VANTAGE_IP_ID_H
#define TW_EXPLAIN_VANTAGE_IP_ID_H

#include "base/scratch.h"
#include "log/log.h"
#include "explain/thresholds.h"

/* This many packets before a record are not in the capture. */
struct tw_ip_id_gap {
    uint32_t record;
    unsigned packets;
};

/* The newest gap, which overtaken packets may still fill. */
struct tw_ip_id_newest {
    uint16_t behind;        /* it ends before that identification ... */
    uint16_t size, packets; /* ... its packets, and how many are still missing */
    bool odd, before_ack;   /* counted as such */
};

/* State of one side's IP-ID counter. */
struct tw_ip_id {
    uint32_t full_bytes;          /* payload of a full segment; frames may hold several (offload) */
    const struct tw_record *last; /* NULL before the first */
    uint16_t last_id;             /* its identification */
    unsigned ones, others;        /* steps from packet to packet, and all others */
    unsigned gaps;                /* of these, gaps that may be lost packets */
    unsigned odd;                 /* of those, gaps in which nothing can have been lost */
    unsigned owed, since;         /* packets missing in the newest gap, and packets since */
    unsigned before_acks;         /* gaps of several before a pure ACK */
    bool shared;                  /* gaps are no lost packets: the counter is the host's */
    unsigned lacking;             /* packets before the newest frame that are not in the capture */
    struct tw_ip_id_newest newest;
    struct tw_ip_id_gap *lack; /* all gaps, ended by TW_NO_RECORD */
    uint32_t n_lacks, lack_capacity;
};

/* Count a side's packets, all of them or until the counter proves to be the host's; rtt_ns is the
 * minimum RTT. */
void tw_ip_id_count(const struct tw_log *log, enum tcpwhy_side from, uint32_t full_bytes,
                    tcpwhy_ns rtt_ns, struct tw_scratch *scratch, struct tw_ip_id *out);

/* If a side's ID counts this connection's packets and some are missing: the *n gaps, ended by
 * TW_NO_RECORD. Otherwise NULL. */
const struct tw_ip_id_gap *tw_ip_id_missing(const struct tw_log *log, enum tcpwhy_side from,
                                            uint32_t full_bytes, tcpwhy_ns rtt_ns,
                                            struct tw_scratch *scratch, uint32_t *n);

/* Does the ID of a side's frame continue where that of an earlier one ended? A host or card that
 * merges segments counts each (ip_select_ident_segs()). */
bool tw_ip_id_continues(const struct tw_record *before, const struct tw_record *frame,
                        uint32_t full_bytes);

#endif
