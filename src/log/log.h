/* SPDX-License-Identifier: MIT */
/*
 * Interface of src/log: the segment log of a connection, one compact record per frame in capture
 * order. Hypotheses, flow graphs and series read nothing else.
 */
#ifndef TW_LOG_H
#define TW_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/segment.h>
#include <tcpwhy/types.h>

#include "log/blocks.h"
#include "log/record.h"
#include "track/track.h"

/* An ICMP error that quoted a segment of this connection. */
struct tw_log_icmp {
    tcpwhy_ns time_ns; /* on the records' clock; monotonic */
    uint32_t frame;
    enum tw_icmp_kind kind;
    uint16_t code;
    uint32_t mtu;
    enum tcpwhy_side to; /* side whose segment was quoted */
    uint8_t from[16];    /* address of the sender of the error, in the IP version of the quote */
    uint16_t quoted_id;  /* IP identification of the quoted segment */
};

/* A segment whose checksum no receiver accepts. */
struct tw_log_sum {
    uint32_t frame;
    bool outer; /* that of the UDP datagram around it */
};

/* The most that are kept: more tell the same. */
#define TW_LOG_MOST_SUMS 1024

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
    uint32_t n_leaps;        /* number of forward clock steps */
    uint32_t first_leap;     /* frame of the first one */
    uint32_t n_elsewhere;    /* records of another point that were removed (log/capture_points.h);
                                whether it was another point ... */
    bool points_unsure;      /* ... is uncertain ... */
    tcpwhy_ns points_ns;     /* ... or the times of the rest may be wrong by this much */
    uint32_t n_filtered;     /* frames of it that the filter of the capture took ... */
    uint32_t first_filtered; /* ... and the first of them */
    struct tw_range *sack;   /* offsets in the other side's stream */
    struct tw_log_icmp *icmp;
    struct tw_log_sum *sum; /* segments whose checksum is wrong, in the order of their frames */
    uint32_t n_sum, sum_capacity;
    struct tw_log_blocks *blocks; /* pool of its records; NULL: the heap */
    tcpwhy_ns clock_step_ns; /* resolution of the capture's clock, or its delay of frames; 0: fine,
                                or unknown */
    double inflow_rate[2];   /* maximum rate observed on a side's link, bytes per second */
    enum tw_ip_id_scope ip_id_scope[2]; /* what a side's IP identification counts */
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

void tw_log_append_sum(struct tw_log *log, uint32_t frame, bool outer);

/* Append the records of a later part of the same connection. */
void tw_log_join(struct tw_log *log, const struct tw_log *later);

/* Memory of the log and its heap blocks. */
size_t tw_log_bytes(const struct tw_log *log);

#endif
