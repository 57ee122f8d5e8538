/* SPDX-License-Identifier: MIT */
/* A comparison: its parts in their order, and its tables. */
#ifndef TW_RENDER_VIEW_COMPARE_TABLES_H
#define TW_RENDER_VIEW_COMPARE_TABLES_H

#include <tcpwhy/compare.h>

#include "render/renderer.h"
#include "render/writers/form.h"
#include "report/compare/compare_rows.h"

/* The formats of a comparison that have a file of their own. */
void tw_compare_json(const struct tw_request *request, struct tw_json *json);
void tw_compare_html(const struct tw_request *request, struct tw_writer *out);

/* How a comparison is written, and what beside the parts that all documents have. */
struct tw_compare_form {
    const struct tw_form *form;
    /* when: "before" or "after" */
    void (*capture)(struct tw_layout *page, const char *when, const char *file, const char *scope);
    void (*bars)(struct tw_layout *page, const struct tw_listener_change *listener); /* or NULL */
    /* how many of the first listeners are shown side by side */
    size_t (*n_detailed)(const tcpwhy_comparison *comparison,
                         const struct tw_listener_change *listener, size_t n);
};

void tw_compare_lay_out(const struct tw_compare_form *form, struct tw_layout *page,
                        const tcpwhy_comparison *comparison);

/* Connections, requests, latencies. */
void tw_compare_measures(struct tw_layout *page, const struct tw_listener_change *listener,
                         tw_table_fn *draw);

/* A row a cause and party. */
void tw_compare_causes_table(struct tw_layout *page, const struct tw_listener_change *listener,
                             tw_table_fn *draw);

extern const struct tw_field tw_compare_cause_fields[];

/* One row per listener, of the first TW_COMPARE_LISTENERS. */
#define TW_COMPARE_LISTENERS 20
void tw_compare_listeners(struct tw_layout *page, const struct tw_listener_change *listener,
                          size_t n, tw_table_fn *draw);
void tw_compare_listener_json(struct tw_json *json, const char *key,
                              const struct tw_listener_change *listener);

#endif
