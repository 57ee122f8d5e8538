/* SPDX-License-Identifier: MIT */
/*
 * Divides the RTT at the vantage: each half shows as the time between a segment and its answer (the
 * handshake gives the first samples).
 */
#ifndef TW_EXPLAIN_VANTAGE_HALF_RTT_H
#define TW_EXPLAIN_VANTAGE_HALF_RTT_H

#include "base/scratch.h"
#include "explain/thresholds.h"
#include "explain/vantage/prescan.h"

/* Room for the samples of a short connection. */
#define TW_SAMPLES_INLINE 8

/* Must not move: it may point into itself. */
struct tw_samples {
    tcpwhy_ns *value;
    uint32_t n, capacity;
    tcpwhy_ns few[TW_SAMPLES_INLINE]; /* all of them, until there are more */
};

/* RTT samples between the vantage and one side. */
struct tw_half_rtt {
    /* The segment being timed, as in RFC 6298 with Karn's rule. */
    int64_t timed_end; /* INT64_MAX: none */
    tcpwhy_ns timed_ns;
    bool timed_fin; /* a FIN alone, which a program may answer with its own: an upper bound, and no
                       sample */
    /* A TSval on its way to be echoed: if data flows one way only, its receiver's only RTT is from
     * its ACK to the first segment that echoes it (RFC 7323, 4). */
    tcpwhy_ns echo_ns;
    uint32_t tsval;
    bool echo_awaited;
    enum tw_answerer answered_by;                         /* as in struct tw_vantage, so far */
    uint32_t n_segments;                                  /* as in struct tw_prescan, so far */
    const struct tw_record *first_stamped, *last_stamped; /* likewise */
    tcpwhy_ns min_ns;                                     /* to the side and back */
    tcpwhy_ns syn_ns;          /* likewise, of the SYN that it answered with its own; 0: none */
    struct tw_samples samples; /* of that */
    struct tw_samples echoes;  /* from time_echo(), while there is nothing else: the side may have
                                  idled before it echoed */
    struct tw_samples kernel; /* those of pure ACKs among the first: no application delay in them */
};

struct tw_half_rtts {
    struct tw_scratch *scratch;
    /* A program that answers later tells of no path: its kernel would have acknowledged sooner
     * (RFC 9293, 3.8.6.3), which shows where pure ACKs were captured. */
    tcpwhy_ns longest_ns;
    struct tw_half_rtt half[2];
};

/* Look at all records; fills in the prescan as well, but for what the context adds. */
void tw_half_rtts_look(const struct tw_log *log, struct tw_scratch *scratch,
                       struct tw_prescan *prescan, struct tw_half_rtts *out);

#endif
