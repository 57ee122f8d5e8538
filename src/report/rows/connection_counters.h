/* SPDX-License-Identifier: MIT */
/*
 * Sums over one connection's records: its traffic over time, and flaws of the capture. Summed
 * separately, so that a connection costs the report a few sums however many records it has.
 */
#ifndef TW_REPORT_ROWS_CONNECTION_COUNTERS_H
#define TW_REPORT_ROWS_CONNECTION_COUNTERS_H

#include <tcpwhy/types.h>

#include "log/log.h"

/* Flaws of the capture that a record can show. */
enum tw_flaw {
    TW_FLAW_FRAMES_MISSING,
    TW_FLAW_DUPLICATED_FRAME,
    TW_FLAW_CLOCK_STEP_BACK,
    TW_FLAW_REORDERING,
    TW_FLAW_OFFLOAD,
    TW_FLAW_PAYLOAD_CUT,
    TW_FLAWS,
};

/* Frames named for each. */
#define TW_FLAW_FRAMES 5

struct tw_flaws {
    uint32_t count[TW_FLAWS];
    uint32_t frame[TW_FLAWS][TW_FLAW_FRAMES]; /* of the first of them */
};

/* The records of one interval. */
struct tw_connection_counters_part {
    tcpwhy_ns at_ns;           /* of the first of them */
    uint64_t payload_bytes[2]; /* by enum tcpwhy_side, each byte once */
    uint32_t frames, retransmissions;
};

/* Most connections end within this many intervals, and none has more: intervals of a longer one are
 * two, four, ... times as wide. */
#define TW_CONNECTION_COUNTERS_FEW  2
#define TW_CONNECTION_COUNTERS_MOST 4096

struct tw_connection_counters {
    struct tw_connection_counters_part few[TW_CONNECTION_COUNTERS_FEW];
    struct tw_connection_counters_part *more; /* instead of few, or NULL */
    uint32_t n;
    bool has_flaws; /* else flaws is not set to anything */
    struct tw_flaws flaws;
};

/* Intervals of that width times a power of two, starting at 0. */
void tw_connection_counters_make(struct tw_connection_counters *counters, const struct tw_log *log,
                                 tcpwhy_ns width_ns);
void tw_connection_counters_clear(struct tw_connection_counters *counters);

static inline const struct tw_connection_counters_part *
tw_connection_counters_parts(const struct tw_connection_counters *counters)
{
    return counters->more ? counters->more : counters->few;
}

#endif
