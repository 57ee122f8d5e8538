/* SPDX-License-Identifier: MIT */
/*
 * Every number by which src/explain decides: its unit, and the RFC, kernel symbol or measurement
 * that it comes from.
 */
#ifndef TW_EXPLAIN_THRESHOLDS_H
#define TW_EXPLAIN_THRESHOLDS_H

#include <tcpwhy/types.h>

/* The shortest timer with which a stack holds back an ACK is Linux's and Windows' 40 ms
 * (TCP_DELACK_MIN, include/net/tcp.h); a quarter less allows for clocks and coarse ticks. */
#define TW_DELAYED_ACK_NS TCPWHY_MS(30)
/* The longest by default are Linux's TCP_DELACK_MAX and Windows'; a tick allows for clocks. */
#define TW_LONGEST_DELAYED_ACK_NS TCPWHY_MS(220)

/* No ACK may be delayed for so long (RFC 9293, 3.8.6.3, MUST-40), nor held what waits for one by
 * Nagle's algorithm. */
#define TW_FORBIDDEN_DELAY_NS TCPWHY_MS(500)

/* Linux's lower bound of the retransmission timeout (TCP_RTO_MIN), and no stack's is shorter; what
 * it sends may seem a tick sooner to another clock. */
#define TW_RTO_MIN_NS  TCPWHY_MS(200)
#define TW_RTO_SEEN_NS TCPWHY_MS(190)

/* The initial window, in segments (RFC 6928). */
#define TW_INITIAL_SEGMENTS 10

#endif
