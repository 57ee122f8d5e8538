/* SPDX-License-Identifier: MIT */
/*
 * The cost of a cause in one direction of a connection, summed over its spans, with what they show
 * together.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_CAUSE_TOTALS_H
#define TW_EXPLAIN_ATTRIBUTE_CAUSE_TOTALS_H

#include "base/causes.h"
#include "explain/model/gap.h"

/* One cause of one direction, summed over its spans. */
struct tw_cause_total {
    const struct tw_context *context;
    struct tw_explanation *out;
    enum tcpwhy_cause cause;
    enum tcpwhy_side from;
    tcpwhy_ns cost_ns;
};

/* A detail of it. The name and the text are static. */
void tw_cause_total_add_number(const struct tw_cause_total *c, const char *name, double value);
void tw_cause_total_add_word(const struct tw_cause_total *c, const char *name, const char *text);

/* A percentile of a value of each round that the spans touch; 0: they touch none. */
int64_t tw_cause_total_round_quantile(const struct tw_cause_total *c, unsigned percent,
                                      int64_t (*value)(const struct tw_round *));

static inline int64_t tw_cause_total_round_median(const struct tw_cause_total *c,
                                                  int64_t (*value)(const struct tw_round *))
{
    return tw_cause_total_round_quantile(c, 50, value);
}

/* New data that the sender sent in its spans, bytes. */
int64_t tw_cause_total_bytes(const struct tw_cause_total *c);

/* Median flight of its rounds, bytes. */
int64_t tw_cause_total_flight(const struct tw_cause_total *c);

/* The path's rate, bytes per second, where a full path or many trains of segments show one above
 * another rate; 0: neither does. *guess: the rate that few trains show; 0: not known. */
double tw_cause_total_path_rate(const struct tw_cause_total *c, double above, double *guess);

/* May most of it be one of these causes instead? A bit for each. */
bool tw_cause_total_may_be(const struct tw_cause_total *c, tw_causes instead);

#endif
