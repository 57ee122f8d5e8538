/* SPDX-License-Identifier: MIT */
/* Values of the detail "kind", which narrows down a cause. */
#ifndef TW_EXPLAIN_ATTRIBUTE_DETAIL_KINDS_H
#define TW_EXPLAIN_ATTRIBUTE_DETAIL_KINDS_H

/* Losses after which the other side sent nothing any more. */
extern const char tw_kind_unanswered[];
/* Silences of the other side that ended. */
extern const char tw_kind_outage[];
/* Recoveries without a loss: all that was retransmitted had arrived. */
extern const char tw_kind_arrived[];
/* Losses at a policer, which drops what exceeds a rate, without a queue. */
extern const char tw_kind_policer[];
/* Losses between two sockets of one host, where no path loses anything. */
extern const char tw_kind_one_host[];
/* Losses for which a router reports "fragmentation needed" of packets that fit its MTU: they had
 * been merged on the way. */
extern const char tw_kind_merged[];
/* Losses of offload frames (several segments each), while single segments pass. */
extern const char tw_kind_offload[];
/* Congestion windows that are small because of routers' ECN marks (RFC 3168), and not of losses. */
extern const char tw_kind_marked[];
/* Full paths that only evenly spaced arrivals show: the queueing delay is unknown. */
extern const char tw_kind_spread[];
/* Receive windows of a slow reader, of which much less than one passes per RTT: a larger one would
 * be full, too. */
extern const char tw_kind_slow_reader[];
/* Links filled by several connections of a host together: the queue is not this connection's
 * alone. */
extern const char tw_kind_shared[];
/* Full paths on which requests queued behind the data of their host's other connections. */
extern const char tw_kind_behind[];
/* Full paths that only responses with a long one-way delay, by their sender's clock, show. */
extern const char tw_kind_late[];
/* Full paths whose queue is in the sender's own host. */
extern const char tw_kind_own[];

/* A window that the SYN/ACK closed, and that held back only its peer's first data: probably a
 * proxy's, which connects to the server first. */
extern const char tw_kind_proxy[];
/* The SYN/ACK lacked the window scale that the SYN offered; it was sent by the finding's endpoint,
 * or by its peer. */
extern const char tw_kind_unscaled[], tw_kind_unscaled_peer[];
/* The client waited for the server's greeting; a gateway's own server did not answer in time. */
extern const char tw_kind_greeting[], tw_kind_gateway[];
/* The client waited for SMTP replies that all took the same long time. */
extern const char tw_kind_tarpit[];
/* The client waited for the events of a stream, which came all at once. */
extern const char tw_kind_events[];
/* The server waited for the client: for its next flight of a TLS handshake, for the rest of a
 * request. */
extern const char tw_kind_handshake[], tw_kind_rest[];

#endif
