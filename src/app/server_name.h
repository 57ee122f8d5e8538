/* SPDX-License-Identifier: MIT */
/*
 * The name by which a client calls its server: SNI of TLS, Host of HTTP, :authority of HTTP/2.
 */
#ifndef TW_APP_SERVER_NAME_H
#define TW_APP_SERVER_NAME_H

#include "app/transactions.h"
#include "base/bytes.h"

/* A host, perhaps with a port. The first name of a connection is kept, in lower case; what is no
 * host name (RFC 1123, section 2.1), as an address, is none. */
void tw_server_name_take(struct tw_transactions *transactions, struct tw_bytes host);

#endif
