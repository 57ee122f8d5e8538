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

#endif
