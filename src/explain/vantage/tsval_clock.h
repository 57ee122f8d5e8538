/* SPDX-License-Identifier: MIT */
/*
 * A side's own clock, read from its TCP timestamps (RFC 7323): tells how long a segment was under
 * way beyond the shortest delay, so that queues show even where only arrivals are seen.
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
    tcpwhy_ns *shortest; /* smallest arrival less timestamp in each block of time and those beside
                            it */
    uint32_t n_blocks;
};

/* The tick that a clock goes by of which one was measured to be that long; 0: none that stacks use.
 */
tcpwhy_ns tw_tsval_clock_tick(double measured_ns);

void tw_tsval_clock_build(const struct tw_prescan *prescan, enum tcpwhy_side side,
                          struct tw_scratch *scratch, struct tw_tsval_clock *out);

/* How much longer than the shortest way a frame of that side was under way; 0 when not known. */
tcpwhy_ns tw_tsval_clock_delay(const struct tw_tsval_clock *clock, const struct tw_record *record);

/*
 * What echoes a timestamp left after that had come, so that it was under way for no longer than
 * since then. How much longer the clock says of a stamped frame: it lost time (macOS loses the rest
 * of a millisecond whenever it looks), or the times of the capture are not those of the wire. 0 or
 * less: no longer. round_ns: the shortest way from the capture to its sender and back. Asked of
 * later and later frames; echoed goes on with them, from the other side's first stamped one.
 */
tcpwhy_ns tw_tsval_clock_error(const struct tw_tsval_clock *clock, const struct tw_record *record,
                               tcpwhy_ns round_ns, const struct tw_record **echoed);

#endif
