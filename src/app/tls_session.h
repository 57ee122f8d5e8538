/* SPDX-License-Identifier: MIT */
/*
 * A TLS connection from its ClientHello on: how the handshake went, and what the records hold where
 * there are keys.
 */
#ifndef TW_APP_TLS_SESSION_H
#define TW_APP_TLS_SESSION_H

#include "app/stream.h"
#include "app/transactions.h"

struct tw_tls_session;

struct tw_tls_session *tw_tls_session_new(struct tw_transactions *transactions);

/* The next piece of a way: 0 is the client's. @return false when nothing more is of interest. */
bool tw_tls_session_take(struct tw_tls_session *session, int way, const struct tw_piece *piece);

void tw_tls_session_free(struct tw_tls_session *session);

#endif
