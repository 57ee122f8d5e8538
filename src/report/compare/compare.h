/* SPDX-License-Identifier: MIT */
/*
 * The parts of a comparison: who is held against whom, what of each cause's difference matters, and
 * what the sum of it is.
 */
#ifndef TW_REPORT_COMPARE_COMPARE_H
#define TW_REPORT_COMPARE_COMPARE_H

#include <glib.h>

#include <tcpwhy/compare.h>

#include "base/array.h"
#include "report/compare/compare_rows.h"
#include "report/report_rows.h"

/*
 * Two captures of one service differ by chance. Less than a tenth is that, and so is less than the
 * scheduling of a busy host makes.
 */
#define TW_SAME_SHARE 0.1
#define TW_SAME_NS    TCPWHY_US(200)

struct tcpwhy_comparison {
    gint shared;                    /* how many hold on to it beside its owner */
    const tcpwhy_report *report[2]; /* held */
    struct tw_listener_change whole;
    tw_array *listeners; /* struct tw_listener_change; the matched ones first */
    size_t n_matched;
    tw_array *unfair; /* struct tcpwhy_unfair */
    struct tw_comparison_verdict verdict;
    tw_ptr_array *blocks;                      /* tw_malloc'd arrays that views point into */
    struct tcpwhy_listener_change *whole_view; /* public views: see compare_views.c */
    tw_ptr_array *listener_views;              /* struct tcpwhy_listener_change */
    struct tcpwhy_comparison_verdict verdict_view;
};

/* A listener of each capture that are the same service; either may be NULL. */
struct tw_listener_pair {
    const struct tw_listener_row *listener[2];
};

/* An array of struct tw_listener_pair: matched ones first, released by the caller. */
tw_array *tw_compare_match(const tcpwhy_report *before, const tcpwhy_report *after);

/* none, better or worse, for a value of which less is better */
enum tcpwhy_change tw_compare_values(int64_t before, int64_t after, int64_t least);

/* Do people wait for it to end? Not while nobody asks, nor when all is said. */
bool tw_compare_waits(enum tcpwhy_cause cause);

/* Is the cause one of opening connections: one per connection, however many requests? */
bool tw_compare_opens(enum tcpwhy_cause cause);

/* Fill causes and sums from ledgers; counts of connections and exchanges are there. */
void tw_compare_causes(struct tw_listener_change *l,
                       const struct tcpwhy_ledger_entry *const ledger[2], const size_t n[2],
                       tw_ptr_array *blocks);

/* The cost of a cause per unit that it is judged by; or unknown. */
tcpwhy_ns tw_cause_change_ns(const struct tcpwhy_cause_change *c, enum tcpwhy_when when);

/* The verdict over all listeners. */
void tw_compare_verdict(struct tcpwhy_comparison *comparison);

void tw_compare_unfair(struct tcpwhy_comparison *comparison);

/* Make what programs are shown, when all the rest is there. */
void tw_compare_make_views(struct tcpwhy_comparison *comparison);
void tw_compare_drop_views(struct tcpwhy_comparison *comparison);

#endif
