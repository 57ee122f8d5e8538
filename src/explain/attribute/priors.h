/* SPDX-License-Identifier: MIT */
/*
 * Prior odds of each cause, as logarithms against the average cause. It is the only place for "as a
 * rule"; none of them overrides what frames show. Unit: log10 of odds. Source: the reason beside
 * each, and judgement for how much it weighs.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_PRIORS_H
#define TW_EXPLAIN_ATTRIBUTE_PRIORS_H

#include <tcpwhy/types.h>

/* No answer has such odds, for or against. Source: more than all others add up to. */
#define TW_ODDS_NEVER 99.0

static inline double tw_prior_of(enum tcpwhy_cause cause)
{
    switch (cause) {
    case TCPWHY_CAPTURE_GAP: /* what is not here may have been anything */
        return 6.0;
    case TCPWHY_MTU_BLACK_HOLE: /* losses with a reason, */
    case TCPWHY_PEER_SILENT:
        return 3.0;
    case TCPWHY_CONNECT_RETRY: /* and so is this; */
        return 1.5;
    case TCPWHY_LOSS_RECOVERY: /* while something is repaired, windows are full and closed, too */
        return 0.4;
    case TCPWHY_CONGESTION_WINDOW_LIMITED: /* every sender has one */
        return 0.2;
    case TCPWHY_NAGLE_DELAYED_ACK: /* both are on unless somebody switches them off */
    case TCPWHY_NAGLE_HOLD:
        return 0.15;
    case TCPWHY_CLIENT_IDLE: /* most connections are idle most of the time */
        return 0.1;
    case TCPWHY_WIRE: /* nobody's fault is told last */
        return -0.35;
    case TCPWHY_SLOW_START: /* once in a connection */
    case TCPWHY_BANDWIDTH_LIMITED:
        return -0.05;
    case TCPWHY_SEND_BUFFER_LIMITED: /* buffers grow by themselves, as a rule */
    case TCPWHY_PACING:              /* few senders pace themselves below the path's rate */
        return -0.1;
    default:
        return 0;
    }
}

#endif
