/* SPDX-License-Identifier: MIT */
/*
 * Times for percentiles: exact up to a bound, in narrow classes beyond. The result does not depend
 * on their order.
 */
#ifndef TW_REPORT_ROWS_SAMPLES_H
#define TW_REPORT_ROWS_SAMPLES_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"

#define TW_SAMPLES_EXACT 16384

/* Classes of a power of two: each is at most 1/128 of its values wide, so that its middle is within
 * 0.4 % of all of them. */
#define TW_SAMPLES_CLASSES 128
#define TW_SAMPLES_OCTAVES 57

struct tw_samples {
    tw_array *exact;   /* tcpwhy_ns; NULL when there are too many */
    uint64_t **octave; /* then: counts by class, NULL where there are none */
    uint64_t count;
    tcpwhy_ns min_ns, max_ns;
};

void tw_samples_init(struct tw_samples *samples);
void tw_samples_copy(struct tw_samples *to, const struct tw_samples *from);
void tw_samples_clear(struct tw_samples *samples);
void tw_samples_add(struct tw_samples *samples, const tcpwhy_ns *value, guint n);
void tw_samples_merge(struct tw_samples *into, const struct tw_samples *from);

/* Nearest-rank; all unknown when there are none. May sort them. */
struct tcpwhy_percentiles tw_samples_percentiles(struct tw_samples *samples);

#endif
