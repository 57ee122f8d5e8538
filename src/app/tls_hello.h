/* SPDX-License-Identifier: MIT */
/*
 * ClientHello and ServerHello (RFC 8446, sections 4.1.2 and 4.1.3; RFC 5246, section 7.4.1).
 */
#ifndef TW_APP_TLS_HELLO_H
#define TW_APP_TLS_HELLO_H

#include <stdbool.h>

#include "base/bytes.h"

struct tw_tls_hello {
    uint16_t version; /* the negotiated one, in a ServerHello */
    uint16_t suite;   /* likewise */
    struct tw_bytes random;
    struct tw_bytes server_name; /* of a ClientHello */
    struct tw_bytes alpn;        /* the first protocol of the list, or of EncryptedExtensions */
    bool retry;                  /* HelloRetryRequest */
    bool resumed;                /* a ServerHello that accepts a pre-shared key */
    bool early;                  /* early data: offered, or of EncryptedExtensions accepted */
};

/* Bodies of messages, without type and length. */
void tw_tls_client_hello(struct tw_bytes body, struct tw_tls_hello *out);
void tw_tls_server_hello(struct tw_bytes body, struct tw_tls_hello *out);
void tw_tls_encrypted_extensions(struct tw_bytes body, struct tw_tls_hello *out);

#endif
