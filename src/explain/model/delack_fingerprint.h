/* SPDX-License-Identifier: MIT */
/*
 * Stacks whose delayed-ACK timer fits a delay.
 */
#ifndef TW_EXPLAIN_MODEL_DELACK_FINGERPRINT_H
#define TW_EXPLAIN_MODEL_DELACK_FINGERPRINT_H

#include <stdint.h>

#include <tcpwhy/types.h>

/* The stacks that may delay an ACK by delay_ns, given the TTL or hop limit left of its host's;
 * static text to follow "the timer of". */
const char *tw_delack_fingerprint(uint8_t ttl, tcpwhy_ns delay_ns);

#endif
