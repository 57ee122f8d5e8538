/* SPDX-License-Identifier: MIT */
#include "explain/path/round_trips.h"

#include "explain/model/pacing.h"
#include "explain/model/plateau.h"
#include "explain/model/rounds_parts.h"
#include "explain/path/ack_spacing.h"
#include "explain/path/queueing_delay.h"

void tw_rounds_build(const struct tw_sender_timeline *x, const struct tw_vantage *vantage,
                     struct tw_scratch *scratch, struct tw_rounds *out)
{
    struct tw_rounds_view view = { .sends = x,
                                   .rounds = out,
                                   .rtt_ns = tw_min_rtt_ns(vantage),
                                   .prompt_ns = tw_sender_timeline_at_once(vantage, x->from),
                                   .remote = vantage->to_side_ns[x->from] > 0,
                                   .scratch = scratch,
                                   .room = x->rtt_ns };

    if (!tw_rounds_measure(&view))
        return;
    tw_plateau_find(&view);
    tw_queueing_delay_find(&view);
    tw_ack_spacing_find(&view);
    tw_pacing_find(&view);
    tw_plateau_find_app_writes(&view);
}
