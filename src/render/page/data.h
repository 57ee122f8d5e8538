/* SPDX-License-Identifier: MIT */
/* The part of a capture that only a script shows, as JSON inside the page. */
#ifndef TW_RENDER_PAGE_DATA_H
#define TW_RENDER_PAGE_DATA_H

#include <glib.h>

#include "render/writers/writer.h"

/* streams: struct tw_ranked, those that lost most first; they get the most of what is left until
 * the page has about max_total bytes. */
void tw_html_data(struct tw_writer *page, const tcpwhy_report *report, const GArray *streams,
                  size_t max_total);

#endif
