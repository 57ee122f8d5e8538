/* SPDX-License-Identifier: MIT */
/*
 * What ended a wait for somebody who is not here may have stood in a queue, of other connections
 * too: its sender's clock (RFC 7323) tells when it left.
 */
#ifndef TW_EXPLAIN_PATH_ONE_WAY_DELAY_H
#define TW_EXPLAIN_PATH_ONE_WAY_DELAY_H

#include "explain/model/gap.h"

/* How much longer than the shortest way took what ends a wait for its sender, described before:
 * fill that in. Within a message: than the send before took; and the ACK that a small segment may
 * have waited for. Nothing is late where who sent it is here, or tells no clock that keeps time.
 * @return was what ended it late? */
bool tw_one_way_delay_apply(struct tw_context *context, struct tw_gap *gap);

#endif
