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

/* Some causes: a bit for each. */
typedef uint64_t tw_causes;

#define TW_CAUSE(cause) (UINT64_C(1) << (cause))
G_STATIC_ASSERT(TW_N_CAUSES <= 64);

#define TW_BLAMELESS                                                                               \
    (TW_CAUSE(TCPWHY_CAUSE_NONE) | TW_CAUSE(TCPWHY_HANDSHAKE) | TW_CAUSE(TCPWHY_CLIENT_IDLE) |     \
     TW_CAUSE(TCPWHY_WIRE) | TW_CAUSE(TCPWHY_CLOSE) | TW_CAUSE(TCPWHY_RESET) |                     \
     TW_CAUSE(TCPWHY_KEEP_ALIVE) | TW_CAUSE(TCPWHY_CAPTURE_GAP) | TW_CAUSE(TCPWHY_UNKNOWN))

/* False for wire, handshake, close and unknown, which are nobody's fault. */
static inline bool tw_cause_blames(enum tcpwhy_cause cause)
{
    return !(TW_BLAMELESS >> cause & 1);
}

#endif
