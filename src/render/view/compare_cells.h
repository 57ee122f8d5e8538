/* SPDX-License-Identifier: MIT */
/* Cells of the tables of a comparison, with their tone. */
#ifndef TW_RENDER_VIEW_COMPARE_CELLS_H
#define TW_RENDER_VIEW_COMPARE_CELLS_H

#include <glib.h>

#include <tcpwhy/compare.h>

#include "base/text.h"
#include "render/writers/table.h"
#include "report/compare/compare_rows.h"

enum tw_tone tw_compare_tone(enum tcpwhy_change change);

/* Milliseconds with as many decimals as the largest beside them needs; "-" for none. */
void tw_compare_put_ms(tw_string *text, tcpwhy_ns ns, tcpwhy_ns largest_ns);

/* A request, or a connection where there are none; TCPWHY_NS_UNKNOWN without either. */
tcpwhy_ns tw_compare_lost_each(const struct tw_listener_change *listener, enum tcpwhy_when when);

/* "-98 %", "x 2.4", "=" */
void tw_compare_ratio(tw_string *to, double before, double after);

#endif
