/* SPDX-License-Identifier: MIT */
/* One frame in the segment log of its connection. */
#ifndef TW_LOG_RECORD_H
#define TW_LOG_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "dissect/segment.h"

/* 64 bytes: one cache line. Offsets count from the SYN (0); data begins at 1. */
struct tw_record {
    tcpwhy_ns time_ns; /* since the first frame of the capture; monotonic */
    int64_t seq;       /* offset of the first byte (or of SYN, FIN) */
    int64_t ack;       /* offset acknowledged in the other direction; 0 without ACK */
    union {
        uint32_t tsecr;     /* and tsval: valid with TW_OPT_TIMESTAMP in options ... */
        uint32_t to_client; /* ... else bytes received by both hosts so far, modulo 2^32 */
    };
    uint16_t options; /* TW_OPT_* */
    uint8_t ttl;
    bool moved; /* the clock was set, or its time is earlier than NIC queues explain */
    union {
        uint32_t tsval;
        uint32_t to_server;
    };
    uint32_t len;   /* payload bytes on the wire */
    uint16_t flags; /* TW_FIN ... */
    uint16_t ip_id;
    uint32_t frame;
    uint32_t window_bytes; /* scaled; see tw_record_knows_window() */
    uint32_t fresh;        /* bytes of len that are new in the capture */
    uint8_t from;          /* enum tcpwhy_side */
    uint8_t frame_class;   /* enum tcpwhy_class */
    uint8_t facts;         /* TW_FACT_* */
    uint8_t n_sack : 7;
    uint8_t usual : 1; /* new data or an advancing ACK, with ACK and without SYN, FIN or RST, not
                          moved, and no fact except truncated payload: the common case; other
                          records may be such, too */
    union {
        uint32_t sack;        /* index of the first of n_sack ranges in the log's SACK table ... */
        uint16_t tx_delay[2]; /* ... without SACK, per side's host: TW_HOST_TX_DELAY_STEP_NS */
    };
};

/* Offset after the record's last byte; SYN and FIN take one each. */
static inline int64_t tw_record_end(const struct tw_record *r)
{
    return r->seq + r->len + !!(r->flags & TW_SYN) + !!(r->flags & TW_FIN);
}

static inline bool tw_record_is(const struct tw_record *r, uint16_t flags)
{
    return (r->flags & flags) == flags;
}

/* Is its window scaled? Otherwise the complement of the raw window field is stored: no window
 * reaches 2^31 (RFC 7323, section 2.3). */
static inline bool tw_record_knows_window(const struct tw_record *r)
{
    return (int32_t)r->window_bytes >= 0;
}

/* A pure ACK: no data, no SYN, FIN or RST. */
static inline bool tw_record_is_pure_ack(const struct tw_record *r)
{
    return r->len == 0 && (r->flags & (TW_SYN | TW_FIN | TW_RST | TW_ACK)) == TW_ACK;
}

#endif
