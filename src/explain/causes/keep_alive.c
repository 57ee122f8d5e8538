/* SPDX-License-Identifier: MIT */
/*
 * The segment looks like a zero-window probe and is a keep-alive.
 */
#include "explain/causes/hypothesis.h"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    (void)r;
    return w->phase == TW_PHASE_MESSAGE && tw_gap_probes_may_be_keep_alives(w)
               ? NULL
               : "no probes came that may be keep-alives";
}

const struct tw_hypothesis tw_hypothesis_keep_alive = { TCPWHY_KEEP_ALIVE, TW_NEEDS_CLOSED, weigh };
