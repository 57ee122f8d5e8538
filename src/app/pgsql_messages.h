/* SPDX-License-Identifier: MIT */
/*
 * Messages of PostgreSQL's frontend/backend protocol, version 3, by their first bytes: whose they
 * are, how long, and whether several follow each other.
 */
#ifndef TW_APP_PGSQL_MESSAGES_H
#define TW_APP_PGSQL_MESSAGES_H

#include "app/protocol.h"

#define TW_PGSQL_HEADER 5 /* type, and length without the type */

/* Codes of messages without a type, which begin a connection. */
#define TW_PGSQL_PROTOCOL_3 (3u << 16)
#define TW_PGSQL_CANCEL     0x04d2162eu
#define TW_PGSQL_SSL        0x04d2162fu
#define TW_PGSQL_GSSENC     0x04d21630u

/* AuthenticationOk, and AuthenticationSASLFinal, which it follows. */
#define TW_PGSQL_AUTHENTICATED 0
#define TW_PGSQL_SASL_FINAL    12

enum tw_guess tw_pgsql_guess(struct tw_bytes first);

/* Length of a message without a type, or with one, as tw_message_rules.length tells it; not
 * empty. */
int64_t tw_pgsql_untyped_length(struct tw_bytes first);
int64_t tw_pgsql_typed_length(bool asks, struct tw_bytes first);

/* Whole messages up to the end of the bytes, or at least two headers in a row. */
bool tw_pgsql_is_chain(bool asks, struct tw_bytes bytes);

#endif
