/* SPDX-License-Identifier: MIT */
/*
 * A window of the application: its sender goes on only when the other program grants more, as in
 * HTTP/2 (RFC 9113, 5.2) and SSH (RFC 4254, 5.2), or asks for the next block. No program sees ACKs:
 * what goes on at payload of the other side, and not at the bare ACKs before it, was held by one.
 */
#ifndef TW_EXPLAIN_MODEL_APP_WINDOW_H
#define TW_EXPLAIN_MODEL_APP_WINDOW_H

#include "explain/model/context.h"

/* Look for the side's, when its sends, vantage and exchanges are known. */
void tw_app_window_find(struct tw_context *context, enum tcpwhy_side side);

/* Was its sender silent before the send, for longer than a message is serialised, and let go by
 * payload? There must be a send before it. */
bool tw_app_window_was_granted(const struct tw_context *context, enum tcpwhy_side side,
                               const struct tw_send *send);

#endif
