/* SPDX-License-Identifier: MIT */
/* The tables of a comparison. */
#ifndef TW_RENDER_COMPARE_TABLES_H
#define TW_RENDER_COMPARE_TABLES_H

#include <tcpwhy/compare.h>

#include "render/page.h"

/* Connections, requests, latencies. */
void tw_compare_measures(struct tw_page *page, const struct tcpwhy_listener_change *listener);

/* A row a cause and party. */
void tw_compare_causes_table(struct tw_page *page, const struct tcpwhy_listener_change *listener);

/* A row a listener. */
void tw_compare_listeners(struct tw_page *page, const struct tcpwhy_listener_change *listener,
                          size_t n);

/* "-98 %", "x 2.4", "=" */
void tw_compare_ratio(GString *to, double before, double after);

#endif
