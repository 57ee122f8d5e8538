/* SPDX-License-Identifier: MIT */
/* A comparison: its sentences, its cells, its tables, and its parts in their order. */
#ifndef TW_RENDER_VIEW_COMPARE_H
#define TW_RENDER_VIEW_COMPARE_H

#include <glib.h>

#include <tcpwhy/compare.h>

#include "base/text.h"
#include "render/renderer.h"
#include "render/writers/form.h"
#include "render/writers/table.h"
#include "report/compare/compare_rows.h"

/* ---- sentences, the same in every format ----------------------------------------------------- */

/* "A request took 41.2 ms, now 0.9 ms at the median: nagle_delayed_ack is gone (40 ms a request)."
 */
void tw_compare_sentence(tw_string *to, const tcpwhy_comparison *comparison);

/* Why the two may not be comparable. */
void tw_compare_doubt(tw_string *to, const tcpwhy_comparison *comparison,
                      const struct tcpwhy_unfair *unfair);

/* "10.9.0.2:8080", and where it is now when that is elsewhere; the whole capture: nothing. */
void tw_compare_where(tw_string *to, const struct tw_listener_change *listener);

/* "request", "connection" */
const char *tw_compare_per(enum tcpwhy_per per);

/* ---- cells, with their tone ------------------------------------------------------------------ */

enum tw_tone tw_compare_tone(enum tcpwhy_change change);

/* Milliseconds with as many decimals as the largest beside them needs; "-" for none. */
void tw_compare_put_ms(tw_string *text, tcpwhy_ns ns, tcpwhy_ns largest_ns);

/* A request, or a connection where there are none; TCPWHY_NS_UNKNOWN without either. */
tcpwhy_ns tw_compare_lost_each(const struct tw_listener_change *listener, enum tcpwhy_when when);

/* "-98 %", "x 2.4", "=" */
void tw_compare_ratio(tw_string *to, double before, double after);

/* ---- tables ---------------------------------------------------------------------------------- */

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
