/* SPDX-License-Identifier: MIT */
/*
 * What a cause cost in one direction of a connection, summed over its spans, and what those show
 * together.
 */
#ifndef TW_EXPLAIN_COST_H
#define TW_EXPLAIN_COST_H

#include "explain/wait.h"

/* One cause of one direction, summed over its spans. */
struct tw_cost {
    const struct tw_scene *scene;
    struct tw_explanation *out;
    enum tcpwhy_cause cause;
    enum tcpwhy_side from;
    tcpwhy_ns cost_ns;
};

/* A detail of it. The name and the text are static. */
void tw_cost_tell_number(const struct tw_cost *c, const char *name, double value);
void tw_cost_tell_word(const struct tw_cost *c, const char *name, const char *text);

/* The median of what a function says of each round that its spans touch. */
int64_t tw_cost_round_median(const struct tw_cost *c, int64_t (*value)(const struct tw_round *));

/* How much new data the sender moved in its spans. */
int64_t tw_cost_bytes(const struct tw_cost *c);

/* May most of it be one of these causes instead? A bit for each. */
bool tw_cost_may_be(const struct tw_cost *c, uint32_t instead);

#endif
