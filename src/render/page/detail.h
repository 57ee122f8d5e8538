/* SPDX-License-Identifier: MIT */
/* What a page's script shows of a stream that is chosen. */
#ifndef TW_RENDER_PAGE_DETAIL_H
#define TW_RENDER_PAGE_DETAIL_H

#include "render/page/rows.h"

/*
 * One stream as an object of an array, of which graphs and flow graph take about max_length
 * characters.
 * source->log may be NULL: then they are left out.
 */
void tw_html_detail(struct tw_json *json, const tcpwhy_report *report,
                    const struct tw_flow_source *source, struct tw_notes *notes, size_t max_length);

#endif
