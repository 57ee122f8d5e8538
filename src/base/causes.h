/* SPDX-License-Identifier: MIT */
/*
 * The table behind tcpwhy_cause_info(). tools/causes.py writes it from the pages in docs/causes/.
 */
#ifndef TW_BASE_CAUSES_H
#define TW_BASE_CAUSES_H

#include <tcpwhy/types.h>

extern const struct tcpwhy_cause_info tw_cause_table[TCPWHY_N_CAUSES];

#endif
