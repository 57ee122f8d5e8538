/* SPDX-License-Identifier: MIT */
/* Fewer points that look the same: extremes stay. */
#ifndef TW_REPORT_SERIES_SERIES_THIN_H
#define TW_REPORT_SERIES_SERIES_THIN_H

#include "base/array.h"
#include "report/series/series.h"

/* Resolution: columns from left to right; values closer than grain are equal. */
struct tw_thinning {
    uint32_t columns;
    int64_t grain;
};

/* A new array of struct tw_point, in the order of time; released by the caller. */
tw_array *tw_curve_thin(const struct tw_series *series, const struct tw_curve *curve,
                        const struct tw_thinning *thinning);

#endif
