/* SPDX-License-Identifier: MIT */
/* The public door of a comparison: its rows as programs see them. */
#include "base/array.h"
#include "report/compare/compare.h"

#include "report/report_views.h"

static struct tcpwhy_listener_change *change_view(const struct tw_listener_change *row)
{
    const void **room;
    struct tcpwhy_listener_change *view = tw_view_block(sizeof *view, row->n_causes, &room);

    view->per = row->per;
    view->change = row->change;
    view->n_causes = row->n_causes;
    view->causes = tw_view_list(&room, row->causes, row->n_causes, sizeof *row->causes);
    for (int when = 0; when < 2; when++) {
        view->endpoint[when] = row->endpoint[when];
        view->connections[when] = row->connections[when];
        view->unanswered[when] = row->unanswered[when];
        view->refused[when] = row->refused[when];
        view->latency[when] = &row->latency[when];
        view->status[when] = row->status[when];
        view->payload_bytes[when] = row->payload_bytes[when];
        view->life_ns[when] = row->life_ns[when];
        view->waited_ns[when] = row->waited_ns[when];
        view->lost_ns[when] = row->lost_ns[when];
    }
    return view;
}

static struct tcpwhy_comparison_verdict verdict_view(const struct tw_comparison_verdict *row)
{
    return (struct tcpwhy_comparison_verdict) {
        .change = row->change,
        .same_capture = row->same_capture,
        .measure = row->measure,
        .value = { row->value[0], row->value[1] },
        .causes = { row->causes[0], row->causes[1] },
        .opening = row->opening,
        .but = row->but,
        .better = row->better,
        .worse = row->worse,
    };
}

void tw_compare_make_views(struct tcpwhy_comparison *comparison)
{
    comparison->whole_view = change_view(&comparison->whole);
    comparison->verdict_view = verdict_view(&comparison->verdict);
    comparison->listener_views = tw_ptr_array_new_with_free_func(tw_free);
    for (guint i = 0; i < comparison->listeners->len; i++) {
        const struct tw_listener_change *row =
            &tw_array_index(comparison->listeners, struct tw_listener_change, i);
        struct tcpwhy_listener_change *view = change_view(row);

        tw_ptr_array_add(comparison->listener_views, view);
        if (row == comparison->verdict.listener)
            comparison->verdict_view.listener = view;
    }
}

void tw_compare_drop_views(struct tcpwhy_comparison *comparison)
{
    tw_free(comparison->whole_view);
    tw_ptr_array_free(comparison->listener_views, TRUE);
}

const struct tcpwhy_comparison_verdict *
tcpwhy_comparison_verdict(const tcpwhy_comparison *comparison)
{
    return comparison ? &comparison->verdict_view : NULL;
}

const struct tcpwhy_listener_change *tcpwhy_comparison_whole(const tcpwhy_comparison *comparison)
{
    return comparison ? comparison->whole_view : NULL;
}

size_t tcpwhy_comparison_listener_count(const tcpwhy_comparison *comparison)
{
    return comparison ? comparison->listener_views->len : 0;
}

const struct tcpwhy_listener_change *tcpwhy_comparison_listener(const tcpwhy_comparison *comparison,
                                                                size_t i)
{
    if (i >= tcpwhy_comparison_listener_count(comparison))
        return NULL;
    return tw_ptr_array_index(comparison->listener_views, i);
}

size_t tcpwhy_comparison_unfair_count(const tcpwhy_comparison *comparison)
{
    return comparison ? comparison->unfair->len : 0;
}

const struct tcpwhy_unfair *tcpwhy_comparison_unfair(const tcpwhy_comparison *comparison, size_t i)
{
    if (i >= tcpwhy_comparison_unfair_count(comparison))
        return NULL;
    return &tw_array_index(comparison->unfair, struct tcpwhy_unfair, i);
}
