/* SPDX-License-Identifier: MIT */
/* The sentences of a comparison, the same in every format. */
#ifndef TW_RENDER_VIEW_COMPARE_WORDS_H
#define TW_RENDER_VIEW_COMPARE_WORDS_H

#include <glib.h>

#include <tcpwhy/compare.h>

#include "base/text.h"
#include "report/compare/compare_rows.h"

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

#endif
