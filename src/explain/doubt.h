/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_DOUBT_H
#define TW_EXPLAIN_DOUBT_H

#include "explain/wait.h"

/* What a way may take without being shown: no application is blamed for less. */
#define TW_SURE_WIRE TCPWHY_MS(1)

/* Leave no certain claim on what may be hidden: likely then, with the rival. */
void tw_doubt(const struct tw_wait *wait, struct tw_claim *claim);

#endif
