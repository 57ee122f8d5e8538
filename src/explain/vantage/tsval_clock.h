/* SPDX-License-Identifier: MIT */
/*
 * A side's clock, read from its TSval (RFC 7323): shows how long a segment was delayed beyond the
 * minimum, so that queues show even where only arrivals are seen.
 */
#ifndef TW_EXPLAIN_VANTAGE_TSVAL_CLOCK_H
#define TW_EXPLAIN_VANTAGE_TSVAL_CLOCK_H

#include "base/scratch.h"
#include "explain/thresholds.h"
#include "explain/vantage/prescan.h"

struct tw_tsval_clock {
    tcpwhy_ns tick_ns;  /* of a timestamp; 0: no clock could be read */
    tcpwhy_ns first_ns; /* time of block 0 */
    uint32_t first_tsval;
    tcpwhy_ns *shortest; /* minimum of arrival minus TSval, per block of time and its neighbours */
    uint32_t n_blocks;
};

/* The tick of a clock measured as this; 0: none that stacks use. */
tcpwhy_ns tw_tsval_clock_tick(double measured_ns);

void tw_tsval_clock_build(const struct tw_prescan *prescan, enum tcpwhy_side side,
                          struct tw_scratch *scratch, struct tw_tsval_clock *out);

/* Delay of a frame of that side beyond the minimum; 0 if unknown. */
tcpwhy_ns tw_tsval_clock_delay(const struct tw_tsval_clock *clock, const struct tw_record *record);

/*
 * A segment echoing TSval x left after x arrived; its one-way delay is at most the time since then.
 * @return by how much the clock says more than that of a frame with TSval: the clock lost time
 * (macOS loses the rest of a millisecond at each reading), or capture times are not wire times. 0
 * or less: no contradiction. round_ns: minimum RTT from the capture to its sender. Frames must be
 * asked for in order; echoed starts at the other side's first frame with TSval.
 */
tcpwhy_ns tw_tsval_clock_error(const struct tw_tsval_clock *clock, const struct tw_record *record,
                               tcpwhy_ns round_ns, const struct tw_record **echoed);

#endif
