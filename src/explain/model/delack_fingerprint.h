/* SPDX-License-Identifier: MIT */
/*
 * Whose delayed-ACK timer it may have been.
 */
#ifndef TW_EXPLAIN_MODEL_DELACK_FINGERPRINT_H
#define TW_EXPLAIN_MODEL_DELACK_FINGERPRINT_H

#include <stdint.h>

#include <tcpwhy/types.h>

/* The stacks that may have held an ACK back for so long, by what was left of its host's TTL or hop
 * limit; static, to stand behind "the timer of". */
const char *tw_delack_fingerprint(uint8_t ttl, tcpwhy_ns delay_ns);

#endif
