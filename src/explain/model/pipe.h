/* SPDX-License-Identifier: MIT */
/*
 * What the sender believes to be in the network (RFC 6675's pipe, Linux's tcp_packets_in_flight()):
 * segments sent and not acknowledged, without those SACKed or deemed lost, with those sent again.
 * Losses are deemed by send time (RACK, RFC 8985); without SACK, by duplicate ACKs (RFC 5681).
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

/* One full segment at most, but for what the capture lacks. */
struct tw_pipe_segment {
    int64_t seq, end;
    tcpwhy_ns sent_ns;     /* last */
    uint32_t packets;      /* 1, but for what the capture lacks */
    uint32_t older, newer; /* of those still awaited, in the order in which they were sent last */
    uint32_t unsacked;     /* no segment from this up to that one awaits SACK */
    uint8_t is;
};

struct tw_pipe {
    struct tw_pipe_segment *segment; /* in the order of seq */
    uint32_t n, capacity;
    uint32_t head; /* the first not acknowledged */
    uint32_t oldest, newest;
    int64_t mss_bytes;
    int64_t una, next;
    int64_t sacked_to; /* the highest offset SACKed ... */
    int64_t
        sacked_before; /* ... and before the newest ACK: what is delivered below was reordered */
    struct tw_pipe_amount out, sacked, lost, resent;
    uint32_t dup_acks;           /* without SACK: segments that must have arrived */
    bool sacks;                  /* SACK is in use */
    bool reorders;               /* the path was seen to reorder: losses are deemed later */
    bool delivered;              /* newer than anything before it, since losses were looked for */
    tcpwhy_ns delivered_sent_ns; /* of what was delivered, when the last to leave had left ... */
    int64_t delivered_end;
    tcpwhy_ns delivered_rtt_ns; /* ... and how long it took */
};

/* What one ACK changes. Times are unknown where nothing tells them. */
struct tw_pipe_news {
    int64_t delivered;                       /* packets acknowledged or SACKed for the first time */
    int64_t acked;                           /* of them, acknowledged */
    int64_t lost;                            /* packets deemed lost with it */
    tcpwhy_ns acked_first_ns, acked_last_ns; /* sent, of what is acknowledged and was sent once */
    tcpwhy_ns sacked_first_ns, sacked_last_ns; /* likewise of what is SACKed */
    bool una_moved;                            /* it acknowledges more */
    bool data_acked;                           /* ... than a SYN */
    bool repeat_acked;                         /* ... of which something was sent again */
    bool original_sacked; /* what was delivered up to this point was sent once only */
    bool partly;          /* one segment, less than a full one */
};

/* Room for so many segments; all of them begin at seq. */
void tw_pipe_begin(struct tw_pipe *pipe, struct tw_scratch *scratch, uint32_t capacity,
                   int64_t mss_bytes);

/* Of how many segments a frame consists. */
uint32_t tw_pipe_segments_of(int64_t bytes, int64_t mss_bytes);

/* New data leaves; what lies between it and the data before left unseen. */
void tw_pipe_send(struct tw_pipe *pipe, int64_t seq, int64_t end, tcpwhy_ns at_ns);
/* Data leaves again. @return packets that are sent again. */
int64_t tw_pipe_resend(struct tw_pipe *pipe, int64_t seq, int64_t end, tcpwhy_ns at_ns);

/* An ACK without its SACK blocks, and each of those. */
void tw_pipe_ack(struct tw_pipe *pipe, int64_t ack, tcpwhy_ns at_ns, struct tw_pipe_news *news);
void tw_pipe_sack(struct tw_pipe *pipe, const struct tw_range *block, tcpwhy_ns at_ns,
                  struct tw_pipe_news *news);
/* A duplicate ACK without SACK: one more segment arrived. */
void tw_pipe_duplicate(struct tw_pipe *pipe, struct tw_pipe_news *news);

/* Deem lost what left before the newest that was delivered by more than the window of reordering.
 */
void tw_pipe_find_lost(struct tw_pipe *pipe, tcpwhy_ns at_ns, tcpwhy_ns reorder_ns,
                       struct tw_pipe_news *news);
/* The first that is not acknowledged is lost. */
void tw_pipe_lose_head(struct tw_pipe *pipe, struct tw_pipe_news *news);
/* Some was lost, for it goes again. */
void tw_pipe_lose(struct tw_pipe *pipe, int64_t seq, int64_t end);
/* The timeout fired: all is lost but what is SACKed, or left less than a round trip ago. */
void tw_pipe_lose_all(struct tw_pipe *pipe, tcpwhy_ns at_ns);
/* What was deemed lost was not. */
void tw_pipe_forgive(struct tw_pipe *pipe);

struct tw_pipe_amount tw_pipe_in_flight(const struct tw_pipe *pipe);

/* When the first that is not acknowledged left last; unknown: there is none. */
tcpwhy_ns tw_pipe_head_sent_ns(const struct tw_pipe *pipe);
/* Was it deemed lost, all of what a frame brings? */
bool tw_pipe_is_lost(const struct tw_pipe *pipe, int64_t seq);

#endif
