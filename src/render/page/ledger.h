/* SPDX-License-Identifier: MIT */
/* Where time went, as a stacked bar in the colours of the causes. */
#ifndef TW_RENDER_PAGE_LEDGER_H
#define TW_RENDER_PAGE_LEDGER_H

#include <tcpwhy/report.h>

#include "base/counts.h"
#include "render/writers/writer.h"

/* Time by cause, of one ledger or of several. */
struct tw_cause_sums {
    tcpwhy_ns ns[TW_N_CAUSES];
    tcpwhy_ns total_ns;
};

void tw_cause_sums_add(struct tw_cause_sums *sums, const struct tcpwhy_ledger_entry *entry,
                       size_t n);

/* Causes with any time in them, the costliest first. @return how many. */
size_t tw_cause_sums_order(const struct tw_cause_sums *sums, enum tcpwhy_cause *order);

/* The bar, with its parts in the given order so that bars of several rows compare; its title
 * lists all parts. */
void tw_html_bar(struct tw_writer *out, const struct tw_cause_sums *sums,
                 const enum tcpwhy_cause *order, size_t n_order);

#endif
