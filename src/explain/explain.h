/* SPDX-License-Identifier: MIT */
/*
 * The interface of src/explain: assigns every interval of a connection's life to one cause.
 */
#ifndef TW_EXPLAIN_H
#define TW_EXPLAIN_H

#include "app/app.h"
#include "base/scratch.h"
#include "explain/attribute/asked.h"
#include "explain/explanation.h"
#include "log/log.h"
#include "track/track.h"

/* Working memory, reused from one explanation to the next; starts as zeros. */
struct tw_explainer {
    struct tw_scratch scratch; /* released when an explanation is cleared */
    struct tw_asked asked;
    bool weighs;          /* explanations have weighings ... */
    uint32_t weigh_frame; /* ... of the gap that ended at this frame; 0: of the costliest */
};

/* The explainer belongs to this explanation until that is cleared. */
void tw_explain(const struct tw_connection *connection, const struct tw_log *log,
                const struct tw_exchanges *exchanges, struct tw_explainer *explainer,
                struct tw_explanation *out);
void tw_explanation_clear(struct tw_explanation *explanation);

#endif
