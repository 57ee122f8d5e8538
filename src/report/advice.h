/* SPDX-License-Identifier: MIT */
/*
 * Findings in words: one sentence with the numbers, and what to change.
 */
#ifndef TW_REPORT_ADVICE_H
#define TW_REPORT_ADVICE_H

#include <glib.h>

#include <tcpwhy/report.h>

/* Fill summary and remedy; the texts live in the chunk. */
void tw_advise(struct tcpwhy_finding *finding, GStringChunk *texts);

#endif
