/* SPDX-License-Identifier: MIT */
#include "report/series/series_replay.h"

#include "base/array.h"

void tw_series_replay(const struct tw_series_scene *scene,
                      void (*visit)(void *user, const struct tw_replay_state *state), void *user)
{
    const struct tw_series *s = scene->series;
    struct tw_scratch scratch = { 0 };
    const struct tw_replay_scene where = {
        .log = scene->log, .from = s->from, .way_ns = tw_series_way(s), .scratch = &scratch
    };

    tw_replay_visit(&where, visit, user);
    tw_scratch_clear(&scratch);
}

void tw_series_level(struct tw_curve *curve, const struct tw_replay_state *st, int64_t level)
{
    guint n = curve->points->len;

    if (level == TW_UNBOUNDED ||
        (n > 0 && tw_array_index(curve->points, struct tw_point, n - 1).low == level))
        return;
    tw_curve_add(curve, st->at_ns, level, level, st->record->frame);
}
