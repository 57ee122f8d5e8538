/* SPDX-License-Identifier: MIT */
/*
 * The detectors of src/explain/causes/, in the order in which they are asked: the first that claims
 * a wait has it. Their list stands in this folder's meson.build.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_DETECTORS_H
#define TW_EXPLAIN_ATTRIBUTE_DETECTORS_H

#include "explain/causes/detector.h"

extern const struct tw_detector *const tw_detectors[];
extern const unsigned tw_n_detectors;

#endif
