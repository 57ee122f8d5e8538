/* SPDX-License-Identifier: MIT */
/* The part of a capture that only a script shows, as JSON inside the page. */
#ifndef TW_RENDER_PAGE_DATA_H
#define TW_RENDER_PAGE_DATA_H

#include <glib.h>

#include "base/array.h"
#include "render/writers/writer.h"

/* streams: struct tw_ranked, those that lost most first; they get most of the remaining size, up
 * to about max_total bytes for the page. */
void tw_html_data(struct tw_writer *page, const tcpwhy_report *report, const tw_array *streams,
                  size_t max_total);

#endif
