/* SPDX-License-Identifier: MIT */
/*
 * Gaps become spans: the arbiter says which cause each gap has.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_ATTRIBUTE_H
#define TW_EXPLAIN_ATTRIBUTE_ATTRIBUTE_H

#include "explain/attribute/asked.h"
#include "explain/timeline/gap_sink.h"

struct tw_attribution {
    struct tw_gap_sink sink; /* first: it takes the gaps */
    struct tw_asked *asked;  /* which hypotheses gaps of a kind leave */
};

/* From then on the sink cuts each gap where recoveries begin and end, and attributes each piece. */
void tw_attribute_begin(struct tw_attribution *attribution, const struct tw_context *context,
                        struct tw_explanation *out);

#endif
