/* SPDX-License-Identifier: MIT */
/*
 * A flow graph as plain values: the part that is shown, and its rows.
 */
#ifndef TW_REPORT_FLOW_FLOW_ROW_H
#define TW_REPORT_FLOW_FLOW_ROW_H

#include <glib.h>

#include <tcpwhy/render.h>

#include "base/array.h"
#include "log/log.h"
#include "report/report_rows.h"

/* A stream to be drawn. */
struct tw_flow_source {
    const struct tw_stream_row *stream;
    const struct tw_log *log;
};

enum tw_flow_kind {
    TW_FLOW_FRAME, /* one frame */
    TW_FLOW_RUN,   /* alike frames of one side, with the pure ACKs of the other between them */
    TW_FLOW_GAP,   /* silence */
    TW_FLOW_CUT,   /* rows beyond the limit, left out */
};

struct tw_flow_row {
    enum tw_flow_kind kind;
    uint32_t source;                      /* whose frames; of a gap, whose span */
    const struct tw_record *first, *last; /* for a gap, the frames on both sides */
    uint32_t n;                           /* frames of the run's side; of a cut, its frames */
    uint32_t n_acks;                      /* pure ACKs of the other side inside the run */
    uint32_t n_duplicates;                /* of these, the duplicate ones */
    const struct tw_record *duplicate;    /* the first of those; NULL: none */
    uint32_t nth; /* which duplicate ACK in a row, which SYN; of a run its first; 0: none */
    uint32_t nth_duplicate;         /* likewise of duplicate; 0 where other ACKs are between them */
    uint64_t bytes;                 /* payload of the run */
    const struct tcpwhy_span *span; /* what most of a gap was charged to; NULL when not known */
    tcpwhy_ns charged_ns;           /* how much of it that was */
    const struct tcpwhy_exchange *asks, *answers; /* whose request or response begins here */
};

/* Why this part is shown. */
enum tw_flow_part {
    TW_FLOW_WHOLE,    /* the whole stream */
    TW_FLOW_DIGEST,   /* the most significant rows of the whole stream */
    TW_FLOW_ASKED,    /* what the options asked for */
    TW_FLOW_EXCHANGE, /* the exchange that hurts most */
    TW_FLOW_SPAN,     /* around the longest interval of the stream's verdict */
};

struct tw_flow {
    enum tw_flow_part part;
    const struct tcpwhy_exchange *exchange; /* with TW_FLOW_EXCHANGE */
    size_t exchange_index;
    uint32_t first, end;      /* records [first, end) of a single stream */
    uint32_t n_frames;        /* in the part that is shown; 0: nothing else here is valid */
    uint32_t n_hidden;        /* frames of the part that the options hide */
    tcpwhy_ns from_ns, to_ns; /* of its first and its last frame */
    uint32_t last_frame;      /* the highest frame number in it */
    tw_array *rows;           /* struct tw_flow_row */
};

/* Does the frame say that its sender takes no more? */
static inline bool tw_flow_closes_window(const struct tw_record *r)
{
    return r->window_bytes == 0 && r->flags & TW_ACK && !(r->flags & (TW_SYN | TW_RST));
}

#endif
