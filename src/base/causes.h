/* SPDX-License-Identifier: MIT */
/*
 * Descriptions of causes. tools/dev/causes.py generates the table behind tcpwhy_cause_info() from
 * docs/causes/.
 */
#ifndef TW_BASE_CAUSES_H
#define TW_BASE_CAUSES_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/counts.h"

extern const struct tcpwhy_cause_info tw_cause_table[TW_N_CAUSES];

G_STATIC_ASSERT(TW_N_CAUSES <= 32);

#define TW_BLAMELESS                                                                               \
    (UINT32_C(1) << TCPWHY_CAUSE_NONE | UINT32_C(1) << TCPWHY_HANDSHAKE |                          \
     UINT32_C(1) << TCPWHY_CLIENT_IDLE | UINT32_C(1) << TCPWHY_WIRE |                              \
     UINT32_C(1) << TCPWHY_CLOSE | UINT32_C(1) << TCPWHY_RESET |                                   \
     UINT32_C(1) << TCPWHY_KEEP_ALIVE | UINT32_C(1) << TCPWHY_CAPTURE_GAP |                        \
     UINT32_C(1) << TCPWHY_UNKNOWN)

/* False for wire, handshake, close and unknown, which are nobody's fault. */
static inline bool tw_cause_blames(enum tcpwhy_cause cause)
{
    return !(TW_BLAMELESS >> cause & 1);
}

#endif
