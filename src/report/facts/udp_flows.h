/* SPDX-License-Identifier: MIT */
/*
 * UDP flows: rate, loss and order by a number that the sender counts in, jitter.
 */
#ifndef TW_REPORT_FACTS_UDP_FLOWS_H
#define TW_REPORT_FACTS_UDP_FLOWS_H

#include <glib.h>

#include "base/array.h"
#include "dissect/segment.h"

/* Numbers that identify datagrams. */
enum tw_udp_number {
    TW_UDP_NO_NUMBER,
    TW_UDP_IP_ID,  /* the IP identification, which many senders count up per socket */
    TW_UDP_RTP,    /* RTP's sequence number (RFC 3550) */
    TW_UDP_IPERF3, /* iperf3's packet count */
};

/* One direction of a flow. */
struct tw_udp_row {
    struct tcpwhy_endpoint from, to;
    uint32_t first_frame, last_frame;
    tcpwhy_ns start_ns, end_ns; /* since the capture's first frame */
    uint64_t packets, bytes;    /* of payload */
    enum tw_udp_number number;
    uint64_t lost, out_of_order, duplicates; /* with a number */
    tcpwhy_ns jitter_ns;                     /* RFC 3550, 6.4.1; unknown for few packets */
    bool jitter_by_sender; /* by the sender's timestamps; else by the spacing of arrivals */
};

struct tw_udp_flows;

/* bytes: about what they may take. */
struct tw_udp_flows *tw_udp_flows_new(uint64_t bytes);
void tw_udp_flows_free(struct tw_udp_flows *flows);
void tw_udp_flows_take(struct tw_udp_flows *flows, const struct tw_segment *datagram,
                       tcpwhy_ns at_ns, uint32_t frame);

/* struct tw_udp_row, those with most bytes first. NULL has none. */
tw_array *tw_udp_flows_rows(const struct tw_udp_flows *flows);

/* "rtp", "ip_id", "iperf3" or NULL. */
const char *tw_udp_number_name(unsigned number);

/* Payload bits and packets a second; 0 for a single packet. */
double tw_udp_bits(const struct tw_udp_row *row);
double tw_udp_packets(const struct tw_udp_row *row);

#endif
