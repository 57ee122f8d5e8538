/* SPDX-License-Identifier: MIT */
/*
 * Protection of TLS records by the AEAD suites of TLS 1.2 (RFC 5288, 6655, 7905) and 1.3 (RFC 8446,
 * section 5.2). The algorithms are nettle's.
 */
#ifndef TW_APP_TLS_CIPHER_H
#define TW_APP_TLS_CIPHER_H

#include "app/tls_keys.h"

#define TW_TLS_13 0x0304

struct tw_tls_cipher;

/* Keys of one direction. @param randoms TLS 1.2: the server's random and the client's. @return NULL
 * if the suite is not one of those. */
struct tw_tls_cipher *tw_tls_cipher_new(uint16_t version, uint16_t suite,
                                        const struct tw_tls_secret *secret,
                                        const uint8_t randoms[2 * TW_TLS_RANDOM], bool server);

/*
 * The fragment of a record, with the type of its header, at the next sequence number. @param plain
 * has room for record.len. @return the length of the content, or -1 if it is not authentic; *type
 * is that of the content.
 */
ptrdiff_t tw_tls_cipher_open(struct tw_tls_cipher *cipher, uint8_t *type, struct tw_bytes record,
                             uint8_t *plain);

/* The direction's next keys (KeyUpdate, RFC 8446, section 7.2); NULL in TLS 1.2. */
struct tw_tls_cipher *tw_tls_cipher_next(const struct tw_tls_cipher *cipher);

void tw_tls_cipher_free(struct tw_tls_cipher *cipher);

#endif
