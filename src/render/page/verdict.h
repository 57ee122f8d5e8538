/* SPDX-License-Identifier: MIT */
/* The head of a capture in a page: what it is, the verdict, what to know before believing it. */
#ifndef TW_RENDER_PAGE_VERDICT_H
#define TW_RENDER_PAGE_VERDICT_H

#include <tcpwhy/report.h>

#include "render/writers/terminal_layout.h"

/* File, comment, connections, frames, time. */
void tw_html_capture_head(struct tw_writer *out, const tcpwhy_report *report, const char *name);

/* The sentence, its numbers, facts across connections, capture quality. */
void tw_html_verdict(struct tw_layout *page, const tcpwhy_report *report);

#endif
