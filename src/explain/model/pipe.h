/* SPDX-License-Identifier: MIT */
/*
 * The sender's estimate of the data in the network (RFC 6675's pipe, Linux's
 * tcp_packets_in_flight()): unacknowledged segments, without those SACKed or considered lost, with
 * retransmitted ones. Losses are detected by send time (RACK, RFC 8985); without SACK, by duplicate
 * ACKs (RFC 5681).
 */
#ifndef TW_EXPLAIN_MODEL_PIPE_H
#define TW_EXPLAIN_MODEL_PIPE_H

#include <stdbool.h>

#include <tcpwhy/types.h>

#include "base/ranges.h"
#include "base/scratch.h"

/* Duplicate ACKs, or segments SACKed, after which a segment is lost (RFC 5681, 3.2). */
#define TW_DUP_THRESHOLD 3

struct tw_pipe_amount {
    int64_t bytes;
    int64_t packets;
};

/* One full segment at most; data missing from the capture is one entry. */
struct tw_pipe_segment {
    int64_t seq, end;
    tcpwhy_ns sent_ns;     /* last */
    uint32_t packets;      /* 1, or more for data missing from the capture */
    uint32_t older, newer; /* neighbours in the order of their last transmission */
    uint32_t unsacked;     /* no segment from this up to that one is still unSACKed */
    uint8_t is;
};

struct tw_pipe {
    struct tw_pipe_segment *segment; /* in the order of seq */
    uint32_t n, capacity;
    uint32_t head; /* the first unacknowledged */
    uint32_t oldest, newest;
    int64_t mss_bytes;
    int64_t una, next;
    int64_t sacked_to; /* the highest offset SACKed ... */
    int64_t
        sacked_before; /* ... and before the newest ACK: data delivered below it was reordered */
    struct tw_pipe_amount out, sacked, lost, resent;
    uint32_t dup_acks;           /* without SACK: segments known to have arrived */
    bool sacks;                  /* SACK is in use */
    bool reorders;               /* the path has reordered: losses are detected later */
    bool delivered;              /* newer data was delivered since losses were last detected */
    tcpwhy_ns delivered_sent_ns; /* when the last-sent of the delivered data left */
    int64_t delivered_end;
    tcpwhy_ns delivered_rtt_ns; /* ... and how long it took */
};

/* The effect of one ACK. Times may be unknown. */
struct tw_pipe_news {
    int64_t delivered; /* packets acknowledged or SACKed for the first time */
    int64_t acked;     /* those acknowledged */
    int64_t lost;      /* packets it marks as lost */
    tcpwhy_ns acked_first_ns,
        acked_last_ns; /* send times of newly acknowledged data that was sent once */
    tcpwhy_ns sacked_first_ns, sacked_last_ns; /* likewise, newly SACKed */
    bool una_moved;                            /* SND.UNA advanced */
    bool data_acked;                           /* ... than a SYN */
    bool repeat_acked;                         /* ... some of it retransmitted */
    bool original_sacked;                      /* delivered data up to this point was sent once */
    bool partly;                               /* one partial segment */
};

/* Room for this many segments; sequence numbers begin at seq. */
void tw_pipe_begin(struct tw_pipe *pipe, struct tw_scratch *scratch, uint32_t capacity,
                   int64_t mss_bytes);

/* Number of segments in a frame. */
uint32_t tw_pipe_segments_of(int64_t bytes, int64_t mss_bytes);

/* New data leaves; a gap before it left unseen. */
void tw_pipe_send(struct tw_pipe *pipe, int64_t seq, int64_t end, tcpwhy_ns at_ns);
/* Data is retransmitted. @return packets retransmitted. */
int64_t tw_pipe_resend(struct tw_pipe *pipe, int64_t seq, int64_t end, tcpwhy_ns at_ns);

/* An ACK without its SACK blocks, and each of those. */
void tw_pipe_ack(struct tw_pipe *pipe, int64_t ack, tcpwhy_ns at_ns, struct tw_pipe_news *news);
void tw_pipe_sack(struct tw_pipe *pipe, const struct tw_range *block, tcpwhy_ns at_ns,
                  struct tw_pipe_news *news);
/* A duplicate ACK without SACK: one more segment arrived. */
void tw_pipe_duplicate(struct tw_pipe *pipe, struct tw_pipe_news *news);

/* Mark as lost what left before the newest delivered data by more than the reordering window. */
void tw_pipe_find_lost(struct tw_pipe *pipe, tcpwhy_ns at_ns, tcpwhy_ns reorder_ns,
                       struct tw_pipe_news *news);
/* Mark the first unacknowledged segment as lost. */
void tw_pipe_lose_head(struct tw_pipe *pipe, struct tw_pipe_news *news);
/* Data was lost, since it is retransmitted. */
void tw_pipe_lose(struct tw_pipe *pipe, int64_t seq, int64_t end);
/* The RTO fired: all is lost but what is SACKed, or left less than an RTT ago. */
void tw_pipe_lose_all(struct tw_pipe *pipe, tcpwhy_ns at_ns);
/* Data marked as lost was not. */
void tw_pipe_forgive(struct tw_pipe *pipe);

struct tw_pipe_amount tw_pipe_in_flight(const struct tw_pipe *pipe);

/* When the first unacknowledged segment was last sent; unknown: none. */
tcpwhy_ns tw_pipe_head_sent_ns(const struct tw_pipe *pipe);
/* Is all of a frame's data marked as lost? */
bool tw_pipe_is_lost(const struct tw_pipe *pipe, int64_t seq);

#endif
