/* SPDX-License-Identifier: MIT */
/* Words of the detail "kind": what more a cause is. */
#ifndef TW_EXPLAIN_ATTRIBUTE_DETAIL_KINDS_H
#define TW_EXPLAIN_ATTRIBUTE_DETAIL_KINDS_H

/* Of losses behind which nothing came from the other side any more.
 */
extern const char tw_kind_unanswered[];
/* Of silences of the other side that ended. */
extern const char tw_kind_outage[];
/* Likewise, of losses that were none: all that went again had arrived. */
extern const char tw_kind_arrived[];
/* And of those that drop what exceeds a rate, without a queue. */
extern const char tw_kind_policer[];
/* And of those between two sockets of one host, where no path loses anything. */
extern const char tw_kind_one_host[];
/* And of losses for which a router says "fragmentation needed" of packets that fit its MTU: what
 * came there had been merged. */
extern const char tw_kind_merged[];
/* And of those of frames that hold several segments, while single ones pass. */
extern const char tw_kind_offload[];
/* And of windows that were small after marks of routers (RFC 3168), and not after losses. */
extern const char tw_kind_marked[];
/* And of full paths that nothing but even arrivals show: how long their queue was is not known. */
extern const char tw_kind_spread[];
/* And of receive windows that let far less pass than one of them a round trip: their program reads
 * slowly, and a larger one would be as full. */
extern const char tw_kind_slow_reader[];
/* And of links that several connections of a host fill together: the queue is not this one's. */
extern const char tw_kind_shared[];
/* And of those where questions stood behind what their host sent by other connections. */
extern const char tw_kind_behind[];
/* And of those that nothing shows but answers that were long under way, by their sender's clock. */
extern const char tw_kind_late[];
/* And of those whose queue stands in their sender's own host. */
extern const char tw_kind_own[];

/* And of windows that a SYN/ACK closed, and that held nothing but the first that was said: it seems
 * a proxy's, which asks the server first. */
extern const char tw_kind_proxy[];
/* The SYN/ACK lacked the window scale that the SYN offered; the finding's endpoint, or its peer,
 * sent it. */
extern const char tw_kind_unscaled[], tw_kind_unscaled_peer[];
/* The client waited for the server's greeting; a gateway gave up waiting for its own server. */
extern const char tw_kind_greeting[], tw_kind_gateway[];
/* Or for replies of SMTP that all took one long time. */
extern const char tw_kind_tarpit[];
/* Or for events of a stream, which came all at once. */
extern const char tw_kind_events[];
/* Likewise the server for the client: for the next flight of a TLS handshake, for the rest of a
 * request. */
extern const char tw_kind_handshake[], tw_kind_rest[];

#endif
