/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of failures. tools/dev/failures.py generates the table behind tcpwhy_failure_info()
 * from docs/failures/.
 */
#ifndef TW_BASE_FAILURES_H
#define TW_BASE_FAILURES_H

#include <tcpwhy/failures.h>

#include "base/counts.h"

extern const struct tcpwhy_failure_info tw_failure_table[TW_N_FAILURES];

/* The words for who did it: a name, a label, and the subject of a sentence. */
struct tw_culprit_words {
    const char *name, *label, *subject;
};

const struct tw_culprit_words *tw_culprit_words(enum tcpwhy_culprit culprit);

#endif
