/* SPDX-License-Identifier: MIT */
/* Findings of a page: what it cost, the frames that prove it, what to change. */
#ifndef TW_RENDER_PAGE_FINDINGS_H
#define TW_RENDER_PAGE_FINDINGS_H

#include <tcpwhy/report.h>

#include "render/writers/writer.h"

/* This many findings are shown in full, the others in brief. */
#define TW_HTML_MAX_FINDINGS 6

/* Costliest first. prefix: that of the page's ids of this capture. */
/* The failures, the most frequent sorts first; nothing without. */
void tw_html_failures(struct tw_writer *out, const tcpwhy_report *report);

void tw_html_findings(struct tw_writer *out, const tcpwhy_report *report, const char *prefix);

#endif
