/* SPDX-License-Identifier: MIT */
/** @file
 * Incidents: single waits of open connections, told while the analysis runs.
 */
#ifndef TCPWHY_INCIDENT_H
#define TCPWHY_INCIDENT_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One wait that somebody is to blame for. */
struct tcpwhy_incident {
    uint32_t stream;                   /**< as tshark numbers it. */
    struct tcpwhy_endpoint client;     /**< its ends. */
    struct tcpwhy_endpoint server;     /**< likewise. */
    enum tcpwhy_side from;             /**< whose data waited. */
    int64_t time_ns;                   /**< when it began: since the epoch, UTC. */
    tcpwhy_ns start_ns;                /**< the same, since the first frame. */
    tcpwhy_ns cost_ns;                 /**< how long it was. */
    enum tcpwhy_cause cause;           /**< what was waited for, by all that was seen until now. */
    enum tcpwhy_party party;           /**< the side that can fix it. */
    enum tcpwhy_confidence confidence; /**< how sure. */
    enum tcpwhy_cause rival;           /**< what else it may be; NONE when certain. */
    uint32_t first_frame;              /**< before it. */
    uint32_t last_frame;               /**< that ended it. */
    uint32_t decided_by; /**< the ACK or probe that the cause follows from; 0: none. */
};

/**
 * Called for a wait of an open connection once it is over: with the segment that waited, and where
 * a connection has many frames, before they have become more by a sixteenth. What comes later may
 * change the cause that a report gives. Valid during the call. Return false to stop the analysis.
 */
typedef bool (*tcpwhy_incident_fn)(void *user, const struct tcpwhy_incident *incident);

#ifdef __cplusplus
}
#endif

#endif
