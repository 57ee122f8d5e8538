/* SPDX-License-Identifier: MIT */
/*
 * The numbers an engineer asks for: how high a ceiling is and what rate it allows, how long a queue
 * stood, how many packets a repair took, how long it would have taken without the cause.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_DETAILS_H
#define TW_EXPLAIN_ATTRIBUTE_DETAILS_H

#include "explain/model/gap.h"

/* The word of the detail "kind" of losses behind which nothing came from the other side any more.
 */
extern const char tw_kind_unanswered[];
/* Likewise, of losses that were none: all that went again had arrived. */
extern const char tw_kind_arrived[];
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

void tw_details_build(const struct tw_context *context, struct tw_explanation *out);

#endif
