/* SPDX-License-Identifier: MIT */
/*
 * The tracker keeps this of a connection taken from it: enough to give late frames its number,
 * offsets and labels. Holes and recent frames are dropped.
 */
#ifndef TW_TRACK_CLOSED_CONNECTION_H
#define TW_TRACK_CLOSED_CONNECTION_H

#include "base/slab.h"
#include "track/flow_table.h"

struct tw_closed_connection_side {
    int64_t next, first, acked;
    uint32_t isn, next_seq, base, last_tsval;
    int32_t window_bytes;
    uint16_t last_ip_id, mss, syn_options;
    int8_t wscale, wscale_offered;
    uint8_t id_steps, last_class;
    bool isn_known : 1, base_known : 1, started : 1, syn : 1, fin : 1, rst : 1, timestamps : 1;
};

struct tw_closed_connection {
    struct tw_tuple tuple; /* as in struct tw_flow */
    uint32_t stream;
    bool roles_inferred : 1, reused : 1, reset : 1;
    uint8_t ending, ending_from; /* as in struct tw_past */
    uint32_t row;
    uint32_t handshake_rtt_ns; /* UINT32_MAX: unknown, or longer */
    uint32_t epoch;            /* when it was taken, as a count of those taken */
    tcpwhy_ns last_ns, told_ns;
    struct tw_ws *ws;
    struct tw_closed_connection_side side[2];
};

/* Allocated from the slab, whose blocks have its size. */
struct tw_closed_connection *tw_retire(struct tw_slab *slab, struct tw_connection *connection,
                                       uint32_t epoch);
void tw_closed_connection_free(struct tw_slab *slab, struct tw_closed_connection *retired);

/* Both sides have closed and know it of each other, or one has reset. */
bool tw_closed_connection_is_closed(const struct tw_closed_connection *retired);

/* Restore the connection, with room for that many bytes behind it; releases what was kept. */
struct tw_connection *tw_revive(struct tw_slab *slab, struct tw_closed_connection *retired,
                                size_t room);

#endif
