/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Incidents: gaps of open connections, reported while the analysis runs.
 */
#ifndef TCPWHY_INCIDENT_H
#define TCPWHY_INCIDENT_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A gap that somebody caused. */
struct tcpwhy_incident {
    uint32_t stream;                   /**< stream number, as in tshark. */
    struct tcpwhy_endpoint client;     /**< the client. */
    struct tcpwhy_endpoint server;     /**< the server. */
    enum tcpwhy_side from;             /**< the side whose data waited. */
    int64_t time_ns;                   /**< start, since the epoch, UTC. */
    tcpwhy_ns start_ns;                /**< start, since the capture's first frame. */
    tcpwhy_ns cost_ns;                 /**< duration. */
    enum tcpwhy_cause cause;           /**< the cause, from all that was seen so far. */
    enum tcpwhy_party party;           /**< the side that can fix it. */
    enum tcpwhy_confidence confidence; /**< confidence. */
    enum tcpwhy_cause rival;           /**< the next most likely cause; NONE when certain. */
    uint32_t first_frame;              /**< the frame before the gap. */
    uint32_t last_frame;               /**< the frame that ended it. */
    uint32_t decided_by;               /**< the ACK or probe that decides the cause; 0: none. */
};

/**
 * Called for a wait of an open connection once it is over: with the segment that waited, and where
 * a connection has many frames, before they have become more by a sixteenth; where it goes quiet
 * before that, with a later frame of any connection: within a tenth of a millisecond for each frame
 * of those that wait for it. What comes later may change the cause that a report gives. Valid
 * during the call. Return false to stop the analysis.
 */
typedef bool (*tcpwhy_incident_fn)(void *user, const struct tcpwhy_incident *incident);

#ifdef __cplusplus
}
#endif

#endif
