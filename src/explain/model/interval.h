/* SPDX-License-Identifier: MIT */
/*
 * A quantity that is known to lie between two bounds.
 */
#ifndef TW_EXPLAIN_MODEL_INTERVAL_H
#define TW_EXPLAIN_MODEL_INTERVAL_H

#include <stdint.h>

#define TW_UNBOUNDED INT64_MAX

/* lo <= hi; hi is TW_UNBOUNDED where nothing bounds it. */
struct tw_interval {
    int64_t lo, hi;
};

static inline struct tw_interval tw_interval_around(int64_t middle, int64_t error)
{
    return (struct tw_interval) { middle > error ? middle - error : 0, middle + error };
}

static inline struct tw_interval tw_interval_unknown(void)
{
    return (struct tw_interval) { 0, TW_UNBOUNDED };
}

#endif
