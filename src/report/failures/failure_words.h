/* SPDX-License-Identifier: MIT */
/* Failures and their clues in words. */
#ifndef TW_REPORT_FAILURES_FAILURE_WORDS_H
#define TW_REPORT_FAILURES_FAILURE_WORDS_H

#include <glib.h>

#include "base/text.h"
#include "failures/failures.h"
#include "report/report_rows.h"

/* Fill summary and remedy; texts owns them. */
void tw_failure_words(const struct tw_failure *failure, struct tw_failure_row *row,
                      tw_string_chunk *texts);

/* @return false where a clue says nothing here, as a time that is near no usual timeout. */
bool tw_failure_clue_words(const struct tw_clue *clue, tw_string_chunk *texts,
                           struct tcpwhy_clue *out);

#endif
