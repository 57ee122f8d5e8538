/* SPDX-License-Identifier: MIT */
/*
 * The door of src/track: segments to connections. Who is the client, where each side's sequence
 * space begins, how its window scales, and what each frame is.
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

/* None was seen. A window whose scale is not known is less than 0, too: the complement of what the
 * frame says. */
#define TW_WINDOW_UNKNOWN (-1)
#define TW_WSCALE_UNKNOWN (-1)

/* Facts of a frame beside its class. */
#define TW_FACT_HOLE_BEFORE 0x01 /* bytes between the last seen and this one were not seen yet */
#define TW_FACT_ACKS_UNSEEN 0x02 /* acknowledges bytes that the capture does not hold */
#define TW_FACT_FILLS_HOLE  0x04 /* brings bytes that were skipped before */
#define TW_FACT_DSACK       0x08 /* its first SACK block reports a duplicate (RFC 2883) */
#define TW_FACT_SEEN_BEFORE 0x10 /* every payload byte was in the capture before */
#define TW_FACT_NEW_TAIL    0x20 /* a retransmission that carries new bytes too */
#define TW_FACT_CLOCK_BACK  0x40 /* its timestamp is before the previous frame's */
#define TW_FACT_PAYLOAD_CUT 0x80 /* not all payload bytes are in the capture */

/* How long what a host sends is under way, as another of its connections tells
 * (track/host_tx_delay.h): so many steps there and back, where that goes to the same host; with
 * ELSEWHERE to another one, and what that took beyond its handshake. 0: nothing is told. */
#define TW_HOST_TX_DELAY_STEP_NS   TCPWHY_US(100)
#define TW_HOST_TX_DELAY_STEPS     0x7fff
#define TW_HOST_TX_DELAY_ELSEWHERE 0x8000

/* What was seen of a side's checksums (dissect/checksum.h): its first frame without data and its
 * first with data were asked whether theirs were begun, and they were. */
#define TW_SUM_ASKED_BARE 0x01
#define TW_SUM_ASKED_DATA 0x02
#define TW_SUM_BEGUN_BARE 0x04
#define TW_SUM_BEGUN_DATA 0x08
/* Its first frame that Ethernet has to pad was asked whether it had been, and it had not. */
#define TW_SUM_ASKED_SHORT 0x10
#define TW_SUM_UNPADDED    0x20

/* Who had a number that no window reached: its own segment, or the other side's ACK. */
#define TW_JUMP_SENT  1
#define TW_JUMP_ACKED 2

/* How far the IP identification may step over lost packets. */
#define TW_ID_LOST_MAX 1000

/* One side of a connection; offsets count from its SYN (offset 0), data begins at 1. What each
 * frame touches stands first, in little more than a cache line. */
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
    uint8_t id_steps;   /* how often in a row its IP identification grew by a small step */
    uint8_t last_class; /* enum tcpwhy_class of its last frame, but for copies */
    int8_t wscale;      /* shift in force; TW_WSCALE_UNKNOWN without both SYNs, whole */
    bool timestamps;    /* last_tsval holds one */
    bool syn, fin, rst; /* seen from this side */
    bool started;       /* a frame of this side was seen */
    bool isn_known;     /* a frame of this side or an ACK of the other told it */
    bool base_known;
    struct tw_ranges holes;  /* skipped and not yet seen */
    struct tw_recent recent; /* the last frames, to know a captured copy; in its middle ends what
                                each frame touches */
    uint32_t isn;            /* sequence number of offset 0 */
    uint32_t base;           /* what tshark counts from; it alone decides when a stream ends */
    int64_t first;           /* lowest offset seen */
    tcpwhy_ns hole_ns;       /* when the newest hole showed */
    uint32_t retransmissions;
    uint32_t copies;       /* frames that the capture holds twice */
    uint16_t mss;          /* announced in its SYN, 0 when not */
    uint16_t syn_options;  /* TW_OPT_* of its SYN */
    int8_t wscale_offered; /* shift of its own SYN; TW_WSCALE_UNKNOWN when it offered none */
    uint8_t ttl;           /* of its first frame */
    uint32_t untaken; /* so many of its newest bytes went out in a window probe or a SYN only, and
                         there was no room for them yet, or no trust */
    uint8_t sums;     /* TW_SUM_* */
    bool ids_lack;    /* its IP identification may have gone over packets: else it did not, and
                         what asks for lost ones need not look (explain/vantage/ip_id.h) */
    uint8_t jump_by;  /* who had jumped_seq: TW_JUMP_*, or 0 */
    uint32_t acked_unseen; /* its frames, when the other side acknowledged what was not seen yet */
    uint32_t repeat_ticks; /* tw_recent_ticks() of its newest retransmission */
    uint32_t jumped_seq;   /* the newest number of its space that no window reached */
};

/* What was told of a connection before, when its log is not its first. */
struct tw_past {
    uint32_t row;        /* where it was told; TW_NO_ROW: nowhere yet */
    uint8_t ending;      /* enum tcpwhy_cause of its end, NONE while it has not ended */
    uint8_t ending_from; /* enum tcpwhy_side: who ended it */
    bool reset;          /* a RST was told */
    tcpwhy_ns last_ns;   /* of its last record, on the log's clock */
    uint64_t frames[2], bytes[2], retransmissions; /* by sender, as counted until then */
};

#define TW_NO_ROW UINT32_MAX

struct tw_connection {
    struct tw_tuple tuple; /* 0 is the client; as in struct tw_flow */
    uint32_t stream;
    bool doubtful; /* data was sent again: the checksums of what follows are looked at */
    bool settled;  /* most frames to come are classified in a few steps (classify_fast.c) */
    bool closing;  /* a FIN or RST was seen */
    bool roles_inferred;
    bool reused;      /* its five-tuple had been in use before ... */
    bool superseded;  /* its five-tuple is in use by a newer one */
    bool astray;      /* the file's order of the two directions was not that of their times */
    uint8_t vain;     /* how often in a row a frame waited in vain for what it acknowledges */
    uint8_t said_by;  /* whose the last data was: enum tcpwhy_side and 1; 0: nobody's yet */
    uint16_t host[2]; /* numbers of its hosts (tw_host_rx_number()) */
    tcpwhy_ns last_ns;
    void *log;        /* a later stage hangs its own here */
    struct tw_ws *ws; /* Wireshark's state, when asked for */
    uint32_t last_frame, first_frame;
    struct tw_side side[2]; /* enum tcpwhy_side; behind it stands what few frames touch */
    uint64_t hash;          /* of the tuple, in the tracker's table */
    tcpwhy_ns first_ns;
    tcpwhy_ns handshake_rtt_ns; /* SYN to the ACK of the SYN/ACK, or unknown */
    tcpwhy_ns syn_ns;
    tcpwhy_ns reused_ns;      /* ... last at that time */
    tcpwhy_ns late_ns[2];     /* as late as that each side's frames are stamped, at least */
    uint32_t misplaced;       /* frames that were taken behind later ones of the file ... */
    uint32_t first_misplaced; /* ... and the first of them */
    struct tw_past past;
    struct tw_connection *next, *previous; /* in the tracker's list */
    struct tw_connection *supersedes;      /* with its first frame: the one that had its five-tuple
                                              and was not taken yet, or NULL */
};

/* Stamps that are late by less make no wait longer or shorter that matters. */
#define TW_LATE_LEAST_NS TCPWHY_US(100)

/* How late frames of one of its sides are stamped, where that matters; else 0. */
static inline tcpwhy_ns tw_connection_late_ns(const struct tw_connection *c)
{
    tcpwhy_ns ns = c->late_ns[0] > c->late_ns[1] ? c->late_ns[0] : c->late_ns[1];

    return ns < TW_LATE_LEAST_NS ? 0 : ns;
}

/* The place behind a connection of the tracker, for what a later stage hangs on it: one block is
 * allocated and released sooner than two. */
static inline void *tw_connection_room(struct tw_connection *connection)
{
    return connection + 1;
}

/* A frame with everything that the tracker found. Lives until the next tw_tracker_push(). */
struct tw_tracked {
    struct tw_connection *connection;
    const struct tw_segment *segment;
    tcpwhy_ns time_ns; /* since the first frame of the capture */
    uint32_t frame;
    uint32_t fresh;      /* payload bytes that the capture holds here for the first time */
    uint8_t from;        /* enum tcpwhy_side; from here to usual as in a log's record */
    uint8_t frame_class; /* enum tcpwhy_class */
    uint8_t facts;       /* TW_FACT_* */
    uint8_t n_sack : 7;
    uint8_t usual : 1; /* told in a few steps (classify_fast.c) */
    int64_t seq, ack;  /* offsets; ack is 0 without the ACK flag */
    int64_t window_bytes;
    int64_t sack[TW_MAX_SACK][2];
    uint32_t rx_rate[2];  /* bytes that came to each side's host so far (track/host_rx_rate.h);
                            without  TW_OPT_TIMESTAMP only */
    uint16_t tx_delay[2]; /* of each side's host: TW_HOST_TX_DELAY_STEP_NS */
    const struct tcpwhy_wireshark *wireshark; /* NULL unless asked for */
};

struct tw_tracker;

struct tw_tracker *tw_tracker_new(bool wireshark);
void tw_tracker_free(struct tw_tracker *tracker);

/* Bytes a second that came to a side's host at most, so far. */
double tw_tracker_inflow_rate(const struct tw_tracker *tracker,
                              const struct tw_connection *connection, enum tcpwhy_side side);

/* A frame that is no TCP segment: of the segment only addresses and IP identification are read. */
void tw_tracker_see_other(struct tw_tracker *tracker, const struct tw_segment *segment);

/* Which frames share the IP identification of a side's host, as far as was seen so far. */
enum tw_ip_id_scope tw_tracker_ip_id_scope(const struct tw_tracker *tracker,
                                           const struct tw_connection *connection,
                                           enum tcpwhy_side side);

/* Connections have so much room from now on. */
void tw_tracker_set_room(struct tw_tracker *tracker, size_t bytes);

/* Take a segment; *out describes it. */
void tw_tracker_push(struct tw_tracker *tracker, const struct tw_segment *segment,
                     tcpwhy_ns time_ns, uint32_t frame, struct tw_tracked *out);

/*
 * The same in steps, so that the memory can be asked for what a push will touch while others are
 * pushed: the hash, the table's slot, and a look at what is in the slot (asks for the connection;
 * it may be another's, and is only there to ask for what hangs on it; or NULL: then it may be one
 * of those taken).
 */
uint64_t tw_tracker_hash(const struct tw_tracker *tracker, const struct tw_tuple *tuple);
void tw_tracker_fetch_slot(const struct tw_tracker *tracker, uint64_t hash);
void tw_tracker_fetch_taken(const struct tw_tracker *tracker, uint64_t hash);
const struct tw_connection *tw_tracker_peek(const struct tw_tracker *tracker, uint64_t hash);
bool tw_tracker_push_hashed(struct tw_tracker *tracker, const struct tw_segment *segment,
                            uint64_t hash, tcpwhy_ns time_ns, uint32_t frame,
                            struct tw_tracked *out);

/* A patient tracker does not take a frame that acknowledges what was not seen yet, or any of a
 * connection that is astray: tw_tracker_push_hashed() returns false. The caller pushes it again,
 * impatiently, when others have come. */
void tw_tracker_set_patient(struct tw_tracker *tracker, bool patient);

/* Is the frame such a one? *lacks: the highest sequence number of what was not seen. */
bool tw_tracker_is_early(const struct tw_tracker *tracker, const struct tw_segment *segment,
                         uint32_t *lacks);

/* The newest connection of a five-tuple in either orientation; NULL when there is none, or when it
 * was taken. */
struct tw_connection *tw_tracker_find(struct tw_tracker *tracker, const struct tw_tuple *tuple);

/* The first of those not taken, in stream order; go on with next. They live until they are taken,
 * or as long as the tracker. */
struct tw_connection *tw_tracker_first(const struct tw_tracker *tracker);

/*
 * The connection is the caller's from now on. What frames that come late need to be known by is
 * kept; with them the connection is opened again, with the same number and its past.
 */
void tw_tracker_take(struct tw_tracker *tracker, struct tw_connection *connection);
/* Ask the memory for what that will touch, beside the connection. */
void tw_tracker_fetch(const struct tw_tracker *tracker, const struct tw_connection *connection);
/* Nothing tells who asked for the connection, no SYN and no port. */
bool tw_connection_guesses_roles(const struct tw_connection *connection);
struct tw_connection *tw_connection_copy(const struct tw_connection *connection);
void tw_connection_free(struct tw_connection *connection);

/* The connection as it was before its first frame, but that it is known who is who and what offsets
 * count from; each side stands at that offset. Then its frames may come again, or some of them. */
void tw_connection_rewind(struct tw_connection *connection, const int64_t start[2]);
void tw_connection_push(struct tw_connection *connection, const struct tw_segment *segment,
                        enum tcpwhy_side from, tcpwhy_ns time_ns, uint32_t frame,
                        struct tw_tracked *out);

/* No frame comes any more: forget those taken, and keep nothing of those taken from now on. */
void tw_tracker_close(struct tw_tracker *tracker);

/* Forget about half of those taken, the first taken first: late frames open new connections.
 * @return how many. */
uint64_t tw_tracker_forget(struct tw_tracker *tracker);

/* Forget those taken that both sides had closed, or one had reset, four minutes ago. The 65,536
 * taken last stay known. To be called now and then. */
void tw_tracker_expire(struct tw_tracker *tracker, tcpwhy_ns now);

/* Memory for those taken. */
size_t tw_tracker_taken_bytes(const struct tw_tracker *tracker);
/* Memory for those taken and the table of all; and for one that was not, without its room. */
size_t tw_tracker_bytes(const struct tw_tracker *tracker);
size_t tw_connection_bytes(const struct tw_connection *connection);

#endif
