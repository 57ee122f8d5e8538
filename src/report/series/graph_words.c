/* SPDX-License-Identifier: MIT */
/*
 * One table a kind of thing.
 */
#include "report/series/graph_words.h"

#include <string.h>

#include "base/counts.h"
#include "base/number.h"

const struct tw_graph_words tw_graphs[] = {
    [TCPWHY_GRAPH_SEQUENCE] = { "sequence", "Sequence numbers", "bytes", TW_UNIT_BYTES },
    [TCPWHY_GRAPH_INFLIGHT] = { "inflight", "Bytes in flight", "bytes", TW_UNIT_BYTES },
    [TCPWHY_GRAPH_WINDOW] = { "window", "Receive window", "bytes", TW_UNIT_BYTES },
    [TCPWHY_GRAPH_THROUGHPUT] = { "throughput", "Throughput", "bits_per_second",
                                  TW_UNIT_BITS_PER_SECOND },
    [TCPWHY_GRAPH_RTT] = { "rtt", "RTT", "rtt_us", TW_UNIT_NS },
    [TCPWHY_GRAPH_CWND] = { "cwnd", "Congestion window", "bytes", TW_UNIT_BYTES },
};

const struct tw_role_words tw_roles[] = {
    [TW_ROLE_WINDOW] = { "window", "receive window" },
    [TW_ROLE_EDGE] = { "window_edge", "receive window limit" },
    [TW_ROLE_USABLE] = { "usable_window", "usable window" },
    [TW_ROLE_DATA] = { "data", "segments" },
    [TW_ROLE_ACK] = { "ack", "acknowledged" },
    [TW_ROLE_SACK] = { "sack", "SACK blocks" },
    [TW_ROLE_SSTHRESH_LOW] = { "ssthresh_low", "ssthresh, lower bound" },
    [TW_ROLE_SSTHRESH_HIGH] = { "ssthresh_high", "ssthresh, upper bound" },
    [TW_ROLE_CWND_LOW] = { "cwnd_low", "cwnd, lower bound" },
    [TW_ROLE_CWND_HIGH] = { "cwnd_high", "cwnd, upper bound" },
    [TW_ROLE_PIPE] = { "pipe", "pipe" },
    [TW_ROLE_FLIGHT] = { "flight", "in flight" },
    [TW_ROLE_SENT] = { "throughput", "sent" },
    [TW_ROLE_ACKED] = { "goodput", "acknowledged (goodput)" },
    [TW_ROLE_RTT] = { "rtt", "RTT" },
    [TW_ROLE_SRTT] = { "srtt", "SRTT" },
    [TW_ROLE_RTO] = { "rto", "RTO" },
    [TW_ROLE_OUT_OF_ORDER] = { "out_of_order", "out of order" },
    [TW_ROLE_PROBE] = { "probe", "probes" },
    [TW_ROLE_ZERO_WINDOW] = { "zero_window", "zero window" },
    [TW_ROLE_LOSS] = { "loss", "ACK that marks a loss" },
    [TW_ROLE_RETRANSMISSION] = { "retransmission", "retransmissions" },
};

size_t tcpwhy_graph_count(void)
{
    return TW_N_GRAPHS;
}

const char *tcpwhy_graph_name(enum tcpwhy_graph graph)
{
    return (unsigned)graph < TW_N_GRAPHS ? tw_graphs[graph].name : "";
}

bool tcpwhy_graph_by_name(const char *name, enum tcpwhy_graph *out)
{
    for (int i = 0; name && out && i < TW_N_GRAPHS; i++) {
        if (strcmp(tw_graphs[i].name, name) == 0) {
            *out = (enum tcpwhy_graph)i;
            return true;
        }
    }
    return false;
}

const char *const tw_mark_names[] = {
    [TW_MARK_STEP] = "step", [TW_MARK_BAR] = "bar", [TW_MARK_DOT] = "dot"
};

struct tw_short_text tw_graph_value(enum tw_unit unit, int64_t value)
{
    switch (unit) {
    case TW_UNIT_BITS_PER_SECOND:
        return tw_bit_rate(value);
    case TW_UNIT_NS:
        return tw_duration(value);
    default:
        return tw_byte_size((uint64_t)MAX(value, 0));
    }
}
