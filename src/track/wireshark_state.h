/* SPDX-License-Identifier: MIT */
/*
 * The state that tshark 4.0 keeps of a connection. All sequence numbers are raw 32-bit values, and
 * where tshark takes 0 for "not seen yet" so do we: its labels after a wrap-around depend on it.
 */
#ifndef TW_TRACK_WIRESHARK_STATE_H
#define TW_TRACK_WIRESHARK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/segment.h>

#include "base/seq.h"
#include "dissect/dissect.h"

/* tshark stops adding to a direction's list of unacknowledged segments here. */
#define TW_WS_UNACKED_MAX 10000

/* It keeps no more SACK blocks of a frame than this. */
#define TW_WS_SACK_MAX 3

/* The window scale of a direction, when it is not a shift. */
#define TW_WS_SCALE_UNKNOWN (-1)
#define TW_WS_SCALE_ABSENT  (-2)

/*
 * Stands in the count of duplicate ACKs once tshark has said that the other side acknowledges data
 * which this side was not seen to send. It says so once, and takes the mark for many duplicates.
 */
#define TW_WS_ACK_LOST_TOLD UINT32_MAX

struct tw_ws_unacked_entry {
    uint32_t frame;
    uint32_t seq, end; /* end counts SYN and FIN */
    tcpwhy_ns time_ns;
};

/* Segments of a direction that the other one has not acknowledged, oldest first. */
struct tw_ws_unacked {
    struct tw_ws_unacked_entry *entry;
    uint32_t n, capacity;
    uint32_t low, high; /* least seq and greatest end, relative to the base */
    bool bounds_valid;
    uint32_t looked_ack; /* the newest ACK that was held against it ... */
    uint32_t looked;     /* ... and so many at its begin; 0: none was */
};

struct tw_ws_side {
    uint32_t base; /* what seq 0 stands for */
    bool base_set;
    uint32_t next; /* end of the highest segment; 0: none yet */
    uint32_t next_frame;
    tcpwhy_ns next_ns;
    uint32_t max_ackable; /* end of what was seen without a hole; 0: none yet */
    uint32_t last_ack;
    tcpwhy_ns last_ns;
    uint32_t last_flags; /* enum tcpwhy_ws_flag of its last frame */
    uint32_t window;     /* raw; UINT32_MAX: none yet */
    int scale;
    bool acked_after_syn;
    uint32_t duplicate_acks;     /* TW_WS_ACK_LOST_TOLD: see there */
    uint32_t last_new_ack_frame; /* what duplicate ACKs refer to */
    bool flight_valid;
    uint32_t sack[TW_WS_SACK_MAX][2];
    int n_sack;
    uint32_t push_bytes;
    bool push_last;
    struct tw_ws_unacked unacked;
};

struct tw_ws {
    struct tw_ws_side side[2];
    bool started;
    tcpwhy_ns syn_ns;         /* the most recent SYN, or unknown */
    tcpwhy_ns initial_rtt_ns; /* unknown: not measured yet */
    uint8_t completeness;
};

/* A frame on its way through the checks. */
struct tw_ws_frame {
    const struct tw_segment *segment;
    struct tw_ws_side *fwd, *rev; /* the sender's direction and the other one */
    tcpwhy_ns time_ns;
    uint32_t number;
    tcpwhy_ns initial_rtt_ns; /* as known before this frame */
    bool has_entry; /* tshark made a note of the frame, even if it then says nothing of it */
    struct tcpwhy_wireshark *out;
};

/* At a distance of exactly 2^31 tshark takes each of two numbers to be after the other. */
static inline bool tw_ws_after(uint32_t a, uint32_t b)
{
    return tw_seq_before(b, a);
}

static inline bool tw_ws_is_syn(const struct tw_segment *segment)
{
    return (segment->flags & (TW_SYN | TW_ACK)) == TW_SYN;
}

static inline bool tw_ws_is_syn_ack(const struct tw_segment *segment)
{
    return (segment->flags & (TW_SYN | TW_ACK)) == (TW_SYN | TW_ACK);
}

static inline bool tw_ws_is_later_ack(const struct tw_segment *segment)
{
    return (segment->flags & (TW_SYN | TW_ACK)) == TW_ACK;
}

/* wireshark_flags.c: the tcp.analysis flags that need no list. */
void tw_ws_check(struct tw_ws_frame *frame);

/* wireshark_measure.c */
void tw_ws_acknowledge(struct tw_ws_frame *frame);
bool tw_ws_has_flight(const struct tw_ws_frame *frame);
void tw_ws_measure_flight(struct tw_ws_frame *frame);
void tw_ws_measure_initial_rtt(struct tw_ws *ws, const struct tw_ws_frame *frame);

/* wireshark_completeness.c; reused: the frame opens a stream on used ports. */
void tw_ws_note_completeness(struct tw_ws *ws, struct tw_ws_frame *frame, bool reused);

/* wireshark_unacked.c */
void tw_ws_unacked_clear(struct tw_ws_unacked *list);
void tw_ws_unacked_add(struct tw_ws_unacked *list, const struct tw_ws_unacked_entry *entry,
                       uint32_t base);
/* Take out what ack covers. @return whether an entry ended at ack, with *match the oldest such. */
bool tw_ws_unacked_acknowledge(struct tw_ws_unacked *list, uint32_t ack,
                               struct tw_ws_unacked_entry *match);
/* NULL when the list is empty. */
const struct tw_ws_unacked_entry *tw_ws_unacked_oldest(const struct tw_ws_unacked *list);
/* Bytes between the lowest and the highest that is not acknowledged. */
uint32_t tw_ws_unacked_extent(struct tw_ws_unacked *list, uint32_t base);
bool tw_ws_unacked_full(const struct tw_ws_unacked *list);

#endif
