/* SPDX-License-Identifier: MIT */
/*
 * One direction of a stream second by second at its sender: bytes, retransmissions, and the
 * congestion window: as a replay has it while the pipe (RFC 6675) fills it, else the pipe.
 */
#ifndef TW_REPORT_FIGURES_TRANSFER_H
#define TW_REPORT_FIGURES_TRANSFER_H

#include <glib.h>

#include "base/array.h"
#include "report/report_rows.h"

struct tw_transfer_row {
    tcpwhy_ns from_ns, to_ns; /* since the stream's begin */
    uint64_t sent_bytes;      /* for the first time */
    uint64_t acked_bytes;     /* as the sender heard it */
    uint32_t retransmissions; /* segments */
    int64_t cwnd_bytes;       /* 0: nothing was sent */
    bool cwnd_is_floor;       /* it may be larger: nothing shows that the pipe filled it */
};

struct tw_transfer {
    uint32_t stream;
    enum tcpwhy_side from;
    tcpwhy_ns begin_ns; /* the first data at the sender, since the capture's first frame */
    tcpwhy_ns sent_ns;  /* from there until the last data left */
    tcpwhy_ns acked_ns; /* and until the last was acknowledged */
    tw_array *rows;     /* struct tw_transfer_row */
    uint64_t sent_bytes, acked_bytes;
    uint32_t retransmissions;
    int64_t mss_bytes;
};

/* Of all streams that carry data (struct tw_transfer), without those that only control them: the
 * direction with more payload. */
tw_array *tw_transfers(const tcpwhy_report *report, tcpwhy_ns interval_ns);

#endif
