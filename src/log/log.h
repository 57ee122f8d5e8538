/* SPDX-License-Identifier: MIT */
/*
 * Interface of src/log: the segment log of a connection, one compact record per frame in capture
 * order. Detectors, flow graphs and series read nothing else.
 */
#ifndef TW_LOG_H
#define TW_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/segment.h>
#include <tcpwhy/types.h>

#include "log/blocks.h"
#include "track/track.h"

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

/* An ICMP error that quoted a segment of this connection. */
struct tw_log_icmp {
    tcpwhy_ns time_ns; /* on the records' clock; monotonic */
    uint32_t frame;
    enum tw_icmp_kind kind;
    uint16_t code;
    uint32_t mtu;
    enum tcpwhy_side to; /* side whose segment was quoted */
};

/* Most unanswered connections have no more records than these. */
#define TW_LOG_FIRST 2

/* Hot fields first. */
struct tw_log {
    struct tw_record *record; /* inline storage, while sufficient */
    uint32_t n, capacity;
    tcpwhy_ns last_ns;  /* of the last record, here or in the previous log */
    tcpwhy_ns until_ns; /* upper limit for the connection's time */
    tcpwhy_ns shift_ns; /* added to times since the clock was set ... */
    uint32_t n_sack, sack_capacity;
    bool started;
    bool clock_set;   /* ... which happened: the time that passed is unknown */
    bool ends;        /* a FIN or RST came, and no new data after it */
    uint8_t ended_by; /* enum tcpwhy_side of the sender of the first of them */
    bool placed;      /* stored in another block */
    uint32_t n_icmp, icmp_capacity;
    uint32_t n_leaps;      /* number of forward clock steps */
    uint32_t first_leap;   /* frame of the first one */
    uint32_t n_elsewhere;  /* records of another point that were removed (log/capture_points.h);
                              whether it was another point ... */
    bool points_unsure;    /* ... is uncertain ... */
    tcpwhy_ns points_ns;   /* ... or the times of the rest may be wrong by this much */
    struct tw_range *sack; /* offsets in the other side's stream */
    struct tw_log_icmp *icmp;
    struct tw_log_blocks *blocks; /* pool of its records; NULL: the heap */
    tcpwhy_ns clock_step_ns; /* resolution of the capture's clock, or its delay of frames; 0: fine,
                                or unknown */
    double inflow_rate[2];   /* maximum rate observed on a side's link, bytes per second */
    struct tw_record first[TW_LOG_FIRST];
};

struct tw_log *tw_log_new(void);
struct tw_log *tw_log_copy(const struct tw_log *log);
void tw_log_free(struct tw_log *log);

/* Initialise a log in the caller's memory, which must not move; tw_log_free() returns only the
 * records. For a reopened connection time continues after last_ns. */
void tw_log_place(struct tw_log *log, const struct tw_connection *connection,
                  struct tw_log_blocks *blocks);
/* Move the contents into a block of their own, leaving the log empty. */
struct tw_log *tw_log_take(struct tw_log *log);

void tw_log_append(struct tw_log *log, const struct tw_tracked *tracked);
/* The sender of the first FIN or RST after the last data ends the connection. Call for that
 * frame, and all later ones. */
void tw_log_note_end(struct tw_log *log, const struct tw_tracked *tracked);

void tw_log_append_icmp(struct tw_log *log, const struct tw_log_icmp *icmp);

/* Offset after the record's last byte; SYN and FIN take one each. */
static inline int64_t tw_record_end(const struct tw_record *r)
{
    return r->seq + r->len + !!(r->flags & TW_SYN) + !!(r->flags & TW_FIN);
}

/* Append the records of a later part of the same connection. */
void tw_log_join(struct tw_log *log, const struct tw_log *later);

/* Memory of the log and its heap blocks. */
size_t tw_log_bytes(const struct tw_log *log);

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
