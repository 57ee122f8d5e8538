/* SPDX-License-Identifier: MIT */
/*
 * The interface of src/track: segments to connections. Who is the client, where each side's
 * sequence space begins, how its window scales, and what each frame is.
 */
#ifndef TW_TRACK_H
#define TW_TRACK_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/segment.h>
#include <tcpwhy/types.h>

#include "base/ranges.h"
#include "base/tuple.h"
#include "dissect/dissect.h"
#include "track/host_ip_id.h"
#include "track/recent.h"

#define TW_CACHE_LINE 64

/* No window was seen. A window of unknown scale is below 0 as well: the complement of the raw
 * value. */
#define TW_WINDOW_UNKNOWN (-1)
#define TW_WSCALE_UNKNOWN (-1)

/* Facts of a frame beside its class. */
#define TW_FACT_HOLE_BEFORE 0x01 /* bytes between the last seen and this one are missing so far */
#define TW_FACT_ACKS_UNSEEN 0x02 /* acknowledges bytes that are missing from the capture */
#define TW_FACT_FILLS_HOLE  0x04 /* carries bytes that were skipped before */
#define TW_FACT_DSACK       0x08 /* its first SACK block reports a duplicate (RFC 2883) */
#define TW_FACT_SEEN_BEFORE 0x10 /* every payload byte was in the capture before */
#define TW_FACT_NEW_TAIL    0x20 /* a retransmission that carries new bytes too */
#define TW_FACT_CLOCK_BACK  0x40 /* its timestamp is before the previous frame's */
#define TW_FACT_PAYLOAD_CUT 0x80 /* not all payload bytes are in the capture */

/* Transit time of a host's data, as measured on another of its connections (track/host_tx_delay.h):
 * in steps, the RTT if that goes to the same host; with ELSEWHERE, to another one, its excess over
 * that handshake. 0: unknown. */
#define TW_HOST_TX_DELAY_STEP_NS   TCPWHY_US(100)
#define TW_HOST_TX_DELAY_STEPS     0x7fff
#define TW_HOST_TX_DELAY_ELSEWHERE 0x8000

/* A side's checksums (dissect/checksum.h): its first frame without data and its first with data
 * were checked for unfinished checksums, and had them. */
#define TW_SUM_ASKED_BARE 0x01
#define TW_SUM_ASKED_DATA 0x02
#define TW_SUM_BEGUN_BARE 0x04
#define TW_SUM_BEGUN_DATA 0x08
/* Its first frame that Ethernet pads was checked for padding, and had none. */
#define TW_SUM_ASKED_SHORT 0x10
#define TW_SUM_UNPADDED    0x20

/* The number that was beyond any window: its own segment's, or the other side's ACK. */
#define TW_JUMP_SENT  1
#define TW_JUMP_ACKED 2

/* Steps of the IP ID over lost packets are at most this. */
#define TW_ID_LOST_MAX 1000

/* One side of a connection. Offsets count from its SYN (0); data begins at 1. Fields that each
 * frame touches are first, in little more than a cache line. */
struct tw_side {
    uint32_t next_seq;    /* sequence number that belongs to next */
    uint32_t largest;     /* largest payload seen in one frame */
    int64_t next;         /* offset after the highest byte sent, SYN and FIN counted */
    int64_t acked;        /* highest offset that the other side acknowledged */
    int64_t window_bytes; /* last advertised, scaled; see TW_WINDOW_UNKNOWN */
    uint64_t bytes;       /* distinct payload bytes */
    uint64_t frames;
    uint32_t last_tsval;
    uint16_t last_ip_id;
    uint8_t id_steps;   /* consecutive small steps of its IP ID */
    uint8_t last_class; /* enum tcpwhy_class of its last frame, copies excluded */
    int8_t wscale;      /* shift in force; TW_WSCALE_UNKNOWN without both SYNs, whole */
    bool timestamps;    /* last_tsval holds one */
    bool syn, fin, rst; /* seen from this side */
    bool started;       /* a frame of this side was seen */
    bool isn_known;     /* known from a frame of this side or an ACK of the other */
    bool base_known;
    struct tw_ranges holes;  /* skipped and not yet seen */
    struct tw_recent recent; /* the last frames, to recognise copies; fields that each frame touches
                                end in its middle */
    uint32_t isn;            /* sequence number of offset 0 */
    uint32_t base;           /* what tshark counts from; it alone decides when a stream ends */
    int64_t first;           /* lowest offset seen */
    tcpwhy_ns hole_ns;       /* when the newest hole showed */
    uint32_t retransmissions;
    uint32_t copies;       /* frames that the capture holds twice */
    uint16_t mss;          /* announced in its SYN; 0: not */
    uint16_t syn_options;  /* TW_OPT_* of its SYN */
    int8_t wscale_offered; /* shift of its own SYN; TW_WSCALE_UNKNOWN when it offered none */
    uint8_t ttl;           /* of its first frame */
    uint32_t untaken; /* this many of its newest bytes were sent in a window probe or a SYN only,
                         and had no room yet, or were not accepted */
    uint8_t sums;     /* TW_SUM_* */
    bool ids_lack; /* its IP ID may have skipped packets; if not, there are no lost ones to look for
                      (explain/vantage/ip_id.h) */
    uint8_t jump_by;       /* whose jumped_seq is: TW_JUMP_*, or 0 */
    uint32_t acked_unseen; /* its frame count when the other side acknowledged unseen data */
    uint32_t repeat_ticks; /* tw_recent_ticks() of its newest retransmission */
    uint32_t jumped_seq;   /* the newest number of its space beyond any window */
};

/* The earlier report of a connection, if its log is not its first. */
struct tw_past {
    uint32_t row;        /* its row; TW_NO_ROW: none yet */
    uint8_t ending;      /* enum tcpwhy_cause of its end; NONE: not ended */
    uint8_t ending_from; /* enum tcpwhy_side: who ended it */
    bool reset;          /* a RST was reported */
    tcpwhy_ns last_ns;   /* of its last record, on the log's clock */
    uint64_t frames[2], bytes[2], retransmissions; /* by sender, counted until then */
};

#define TW_NO_ROW UINT32_MAX

struct tw_connection {
    struct tw_tuple tuple; /* 0 is the client; as in struct tw_flow */
    uint32_t stream;
    bool doubtful; /* data was retransmitted: checksums of later frames are checked */
    bool settled;  /* most further frames take the fast path (classify_fast.c) */
    bool closing;  /* a FIN or RST was seen */
    bool roles_inferred;
    bool reused;      /* its five-tuple had been in use before ... */
    bool superseded;  /* its five-tuple is in use by a newer one */
    bool astray;      /* the file's order of both directions was not that of their times */
    uint8_t vain;     /* consecutive frames that waited in vain for what they acknowledge */
    uint8_t said_by;  /* enum tcpwhy_side + 1 of the last data; 0: none yet */
    uint16_t host[2]; /* numbers of its hosts (tw_host_rx_number()) */
    tcpwhy_ns last_ns;
    void *log;        /* for a later stage */
    struct tw_ws *ws; /* Wireshark's state, when asked for */
    uint32_t last_frame, first_frame;
    struct tw_side side[2]; /* enum tcpwhy_side; rarely used fields follow */
    uint64_t hash;          /* of the tuple, in the tracker's table */
    tcpwhy_ns first_ns;
    tcpwhy_ns handshake_rtt_ns; /* SYN to the ACK of the SYN/ACK, or unknown */
    tcpwhy_ns syn_ns;
    tcpwhy_ns reused_ns;      /* ... last at that time */
    tcpwhy_ns late_ns[2];     /* minimum lateness of each side's timestamps */
    uint32_t misplaced;       /* frames taken after later ones of the file ... */
    uint32_t first_misplaced; /* ... and the first of them */
    struct tw_past past;
    struct tw_connection *next, *previous; /* in the tracker's list */
    struct tw_connection *
        supersedes; /* with its first frame: the open connection that had its five-tuple, or NULL */
};

/* Lateness below this changes no gap that matters. */
#define TW_LATE_LEAST_NS TCPWHY_US(100)

/* The lateness with which frames of one of its sides are stamped, if that matters; else 0. */
static inline tcpwhy_ns tw_connection_late_ns(const struct tw_connection *c)
{
    tcpwhy_ns ns = c->late_ns[0] > c->late_ns[1] ? c->late_ns[0] : c->late_ns[1];

    return ns < TW_LATE_LEAST_NS ? 0 : ns;
}

/* The room behind a connection of the tracker for a later stage's data: one allocation is cheaper
 * than two. */
static inline void *tw_connection_room(struct tw_connection *connection)
{
    return connection + 1;
}

/* A frame with all that the tracker found. Valid until the next tw_tracker_push(). */
struct tw_tracked {
    struct tw_connection *connection;
    const struct tw_segment *segment;
    tcpwhy_ns time_ns; /* since the first frame of the capture */
    uint32_t frame;
    uint32_t fresh;      /* payload bytes seen for the first time */
    uint8_t from;        /* enum tcpwhy_side; from here to usual, as in a log's record */
    uint8_t frame_class; /* enum tcpwhy_class */
    uint8_t facts;       /* TW_FACT_* */
    uint8_t n_sack : 7;
    uint8_t usual : 1; /* classified by the fast path (classify_fast.c) */
    int64_t seq, ack;  /* offsets; ack is 0 without the ACK flag */
    int64_t window_bytes;
    int64_t sack[TW_MAX_SACK][2];
    uint32_t rx_rate[2]; /* bytes that have arrived at each side's host (track/host_rx_rate.h); only
                            without  TW_OPT_TIMESTAMP */
    uint16_t tx_delay[2];                     /* of each side's host: TW_HOST_TX_DELAY_STEP_NS */
    const struct tcpwhy_wireshark *wireshark; /* NULL unless asked for */
};

struct tw_tracker;

struct tw_tracker *tw_tracker_new(bool wireshark);
void tw_tracker_free(struct tw_tracker *tracker);

/* Maximum rate, bytes per second, at which data has arrived at a side's host. */
double tw_tracker_inflow_rate(const struct tw_tracker *tracker,
                              const struct tw_connection *connection, enum tcpwhy_side side);

/* A frame that is not TCP: only addresses and IP ID of the segment are read. */
void tw_tracker_see_other(struct tw_tracker *tracker, const struct tw_segment *segment);

/* The frames that share the IP ID of a side's host, as far as seen. */
enum tw_ip_id_scope tw_tracker_ip_id_scope(const struct tw_tracker *tracker,
                                           const struct tw_connection *connection,
                                           enum tcpwhy_side side);

/* Set the room behind each connection from now on. */
void tw_tracker_set_room(struct tw_tracker *tracker, size_t bytes);

/* Process a segment; *out describes it. */
void tw_tracker_push(struct tw_tracker *tracker, const struct tw_segment *segment,
                     tcpwhy_ns time_ns, uint32_t frame, struct tw_tracked *out);

/*
 * The same in steps, to prefetch what a push will touch while others are pushed: the hash, the
 * table's slot, and a look at the slot (prefetches the connection, which may be another's and
 * serves only to prefetch what it points to; NULL: it may be a taken one).
 */
uint64_t tw_tracker_hash(const struct tw_tracker *tracker, const struct tw_tuple *tuple);
void tw_tracker_fetch_slot(const struct tw_tracker *tracker, uint64_t hash);
void tw_tracker_fetch_taken(const struct tw_tracker *tracker, uint64_t hash);
const struct tw_connection *tw_tracker_peek(const struct tw_tracker *tracker, uint64_t hash);
bool tw_tracker_push_hashed(struct tw_tracker *tracker, const struct tw_segment *segment,
                            uint64_t hash, tcpwhy_ns time_ns, uint32_t frame,
                            struct tw_tracked *out);

/* A patient tracker does not process a frame that acknowledges unseen data, nor any of a connection
 * that is astray: tw_tracker_push_hashed() returns false. The caller pushes it again, impatiently,
 * after others. */
void tw_tracker_set_patient(struct tw_tracker *tracker, bool patient);

/* Is it such a frame? *lacks: the highest sequence number of the unseen data. */
bool tw_tracker_is_early(const struct tw_tracker *tracker, const struct tw_segment *segment,
                         uint32_t *lacks);

/* The newest connection of a five-tuple in either orientation; NULL if there is none or it was
 * taken. */
struct tw_connection *tw_tracker_find(struct tw_tracker *tracker, const struct tw_tuple *tuple);

/* The first untaken connection in stream order; continue with next. Valid until taken, or as long
 * as the tracker. */
struct tw_connection *tw_tracker_first(const struct tw_tracker *tracker);

/*
 * Take the connection: it is the caller's from now on. What late frames need is kept; with them the
 * connection opens again, with the same number and its past.
 */
void tw_tracker_take(struct tw_tracker *tracker, struct tw_connection *connection);
/* Prefetch what that touches, besides the connection. */
void tw_tracker_fetch(const struct tw_tracker *tracker, const struct tw_connection *connection);
/* Neither SYN nor ports show which side is the client. */
bool tw_connection_guesses_roles(const struct tw_connection *connection);
struct tw_connection *tw_connection_copy(const struct tw_connection *connection);
void tw_connection_free(struct tw_connection *connection);

/* Reset the connection to before its first frame, keeping who is who and what offsets count from;
 * each side is at that offset. Its frames, or some of them, may be pushed again then. */
void tw_connection_rewind(struct tw_connection *connection, const int64_t start[2]);
void tw_connection_push(struct tw_connection *connection, const struct tw_segment *segment,
                        enum tcpwhy_side from, tcpwhy_ns time_ns, uint32_t frame,
                        struct tw_tracked *out);

/* There are no more frames: drop taken connections, and keep nothing of those taken from now on. */
void tw_tracker_close(struct tw_tracker *tracker);

/* Drop about half of the taken connections, oldest first: late frames open new ones. @return how
 * many. */
uint64_t tw_tracker_forget(struct tw_tracker *tracker);

/* Drop taken connections that both sides closed, or one reset, four minutes ago. The last 65,536
 * taken stay known. Call it now and then. */
void tw_tracker_expire(struct tw_tracker *tracker, tcpwhy_ns now);

/* Memory for those taken. */
size_t tw_tracker_taken_bytes(const struct tw_tracker *tracker);
/* Memory of taken connections and of the table; and of an untaken one, without its room. */
size_t tw_tracker_bytes(const struct tw_tracker *tracker);
size_t tw_connection_bytes(const struct tw_connection *connection);

#endif
