/* SPDX-License-Identifier: MIT */
/*
 * The door of src/log: a connection's segment log, one compact record a frame in the order of the
 * capture. Detectors, flow graphs and series read this and nothing else.
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
    tcpwhy_ns time_ns; /* since the first frame of the capture; never before the last record's */
    int64_t seq;       /* offset of the first byte (or of SYN, FIN) */
    int64_t ack;       /* offset acknowledged in the other direction; 0 without ACK */
    union {
        uint32_t tsecr;     /* and tsval: valid with TW_OPT_TIMESTAMP in options ... */
        uint32_t to_client; /* ... else bytes that came to both hosts so far, modulo 2^32 */
    };
    uint16_t options; /* TW_OPT_* */
    uint8_t ttl;
    bool moved; /* the clock was set, or its own time is earlier by more than queues of a card make
                   it */
    union {
        uint32_t tsval;
        uint32_t to_server;
    };
    uint32_t len;   /* payload bytes on the wire */
    uint16_t flags; /* TW_FIN ... */
    uint16_t ip_id;
    uint32_t frame;
    uint32_t window_bytes; /* scaled; see tw_record_knows_window() */
    uint32_t fresh;        /* of len, the bytes that the capture holds here for the first time */
    uint8_t from;          /* enum tcpwhy_side */
    uint8_t frame_class;   /* enum tcpwhy_class */
    uint8_t facts;         /* TW_FACT_* */
    uint8_t n_sack : 7;
    uint8_t usual : 1; /* new data or an ACK of more, with ACK and neither SYN, FIN nor RST, not
                          moved, and no fact but that payload was cut: most are. Others may be such,
                          too */
    union {
        uint32_t sack;        /* index of the first of n_sack ranges in the log's SACK table ... */
        uint16_t tx_delay[2]; /* ... without any, of each side's host: TW_HOST_TX_DELAY_STEP_NS */
    };
};

/* An ICMP error that quoted a segment of this connection. */
struct tw_log_icmp {
    tcpwhy_ns time_ns; /* on the records' clock; never before the last error's */
    uint32_t frame;
    enum tw_icmp_kind kind;
    uint16_t code;
    uint32_t mtu;
    enum tcpwhy_side to; /* the side whose segment was quoted */
};

/* Most connections that nobody answers have no more records than these. */
#define TW_LOG_FIRST 2

/* What each record touches stands first. */
struct tw_log {
    struct tw_record *record; /* first, until there are more */
    uint32_t n, capacity;
    tcpwhy_ns last_ns;  /* of a record, here or in the log before, when the log is started */
    tcpwhy_ns until_ns; /* the connection's time may go on to here */
    tcpwhy_ns shift_ns; /* added to times since the clock was set ... */
    uint32_t n_sack, sack_capacity;
    bool started;
    bool clock_set;   /* ... which it was: how much time went by then is not known */
    bool ends;        /* a FIN or RST came, and no new data after it */
    uint8_t ended_by; /* enum tcpwhy_side of whoever sent the first of them */
    bool placed;      /* in somebody else's block */
    uint32_t n_icmp, icmp_capacity;
    uint32_t n_leaps;      /* how often the clock was set forward */
    uint32_t first_leap;   /* the frame */
    uint32_t n_elsewhere;  /* records that were seen at another point, and went
                              (log/capture_points.h); if it  was that one ... */
    bool points_unsure;    /* ... is not known ... */
    tcpwhy_ns points_ns;   /* ... or the time of what stayed may be wrong by so much */
    struct tw_range *sack; /* offsets in the other side's stream */
    struct tw_log_icmp *icmp;
    struct tw_log_blocks *blocks; /* where its records come from and go to; NULL: the heap */
    tcpwhy_ns clock_step_ns;      /* of the capture's clock, or as late as it stamped frames; 0:
                                     fine ones, or not known */
    double inflow_rate[2];        /* bytes a second that a side's link was seen to carry */
    struct tw_record first[TW_LOG_FIRST];
};

struct tw_log *tw_log_new(void);
struct tw_log *tw_log_copy(const struct tw_log *log);
void tw_log_free(struct tw_log *log);

/* A log in the caller's memory, which must not move; tw_log_free() leaves that alone, and gives its
 * records back to blocks. Where others were told of the connection before, its time goes on behind
 * last_ns. */
void tw_log_place(struct tw_log *log, const struct tw_connection *connection,
                  struct tw_log_blocks *blocks);
/* All that the log holds, in a block of its own; the log is left empty. */
struct tw_log *tw_log_take(struct tw_log *log);

void tw_log_append(struct tw_log *log, const struct tw_tracked *tracked);
/* Whoever sends the first FIN or RST after the last data ends the connection. To be called for a
 * frame that is one, and for all behind it. */
void tw_log_note_end(struct tw_log *log, const struct tw_tracked *tracked);

void tw_log_append_icmp(struct tw_log *log, const struct tw_log_icmp *icmp);

/* Offset after the record's last byte; SYN and FIN take one each. */
static inline int64_t tw_record_end(const struct tw_record *r)
{
    return r->seq + r->len + !!(r->flags & TW_SYN) + !!(r->flags & TW_FIN);
}

/* Append the records of a later part of the same connection. */
void tw_log_join(struct tw_log *log, const struct tw_log *later);

/* It and what it holds of the heap. */
size_t tw_log_bytes(const struct tw_log *log);

static inline bool tw_record_is(const struct tw_record *r, uint16_t flags)
{
    return (r->flags & flags) == flags;
}

/* Is its window scaled? Else its complement is what the frame says: no window reaches 2^31 (RFC
 * 7323, section 2.3). */
static inline bool tw_record_knows_window(const struct tw_record *r)
{
    return (int32_t)r->window_bytes >= 0;
}

/* No data, and nothing opened or closed: a kernel's word. */
static inline bool tw_record_is_pure_ack(const struct tw_record *r)
{
    return r->len == 0 && (r->flags & (TW_SYN | TW_FIN | TW_RST | TW_ACK)) == TW_ACK;
}

#endif
