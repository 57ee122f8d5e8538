/* SPDX-License-Identifier: MIT */
/* Findings and failures, in any form. */
#ifndef TW_RENDER_VIEW_FINDINGS_H
#define TW_RENDER_VIEW_FINDINGS_H

#include <tcpwhy/report.h>

#include "render/writers/form.h"

/* By number, costliest first. */
void tw_findings(const struct tw_form *form, struct tw_layout *page, const tcpwhy_report *report);

/* The most frequent kinds first, each with its first instance; none that a finding reports. */
void tw_failures(const struct tw_form *form, struct tw_layout *page, const tcpwhy_report *report);

/* Both, as text. */
void tw_text_findings(struct tw_layout *page, const tcpwhy_report *report);

#endif
