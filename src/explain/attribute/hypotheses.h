/* SPDX-License-Identifier: MIT */
/*
 * The hypotheses of src/explain/causes/. Their list stands in src/explain/meson.build; its order
 * decides nothing.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_HYPOTHESES_H
#define TW_EXPLAIN_ATTRIBUTE_HYPOTHESES_H

#include "explain/causes/hypothesis.h"

extern const struct tw_hypothesis *const tw_hypotheses[];
extern const unsigned tw_n_hypotheses;

#endif
