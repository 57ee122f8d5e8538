/* SPDX-License-Identifier: MIT */
/*
 * An application window: the sender continues only when the other program grants more, as in HTTP/2
 * (RFC 9113, 5.2) and SSH (RFC 4254, 5.2), or asks for the next block. Programs do not see ACKs: a
 * sender that continues at the peer's payload, and not at the bare ACKs before it, was held by a
 * program.
 */
#ifndef TW_EXPLAIN_MODEL_APP_WINDOW_H
#define TW_EXPLAIN_MODEL_APP_WINDOW_H

#include "explain/model/context.h"

/* Find the side's window. Its sends, vantage and exchanges must be known. */
void tw_app_window_find(struct tw_context *context, enum tcpwhy_side side);

/* Was the sender silent before this send, for longer than serialisation takes, and released by
 * payload? There must be an earlier send. */
bool tw_app_window_was_granted(const struct tw_context *context, enum tcpwhy_side side,
                               const struct tw_send *send);

#endif
