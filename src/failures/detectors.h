/* SPDX-License-Identifier: MIT */
#ifndef TW_FAILURES_DETECTORS_H
#define TW_FAILURES_DETECTORS_H

#include "failures/kind.h"

/* In the order in which they are asked; ends with NULL. */
extern const struct tw_failure_detector *const tw_failure_detectors[];

#endif
