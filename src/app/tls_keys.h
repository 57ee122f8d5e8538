/* SPDX-License-Identifier: MIT */
/*
 * Secrets of TLS sessions in the format of SSLKEYLOGFILE, by client random. They come from a file
 * or from a pcapng, and go into no output. Threads may look up secrets while some are added.
 */
#ifndef TW_APP_TLS_KEYS_H
#define TW_APP_TLS_KEYS_H

#include <stdbool.h>

#include "base/bytes.h"

#define TW_TLS_RANDOM 32
/* The longest secret: TLS 1.2's master secret, and those of SHA-384. */
#define TW_TLS_SECRET 48

enum tw_tls_label {
    TW_TLS_MASTER, /* CLIENT_RANDOM */
    TW_TLS_EARLY,
    TW_TLS_HANDSHAKE_CLIENT,
    TW_TLS_HANDSHAKE_SERVER,
    TW_TLS_TRAFFIC_CLIENT,
    TW_TLS_TRAFFIC_SERVER,
    TW_TLS_LABELS
};

struct tw_tls_secret {
    uint8_t bytes[TW_TLS_SECRET];
    size_t len;
};

struct tw_tls_keys;

struct tw_tls_keys *tw_tls_keys_new(void);

/* With those of a key log's text; NULL: with none. */
struct tw_tls_keys *tw_tls_keys_of(const char *text);

/* Lines of a key log; what is none is skipped. @return how many were secrets. */
size_t tw_tls_keys_add(struct tw_tls_keys *keys, struct tw_bytes text);

/* @param random TW_TLS_RANDOM bytes. @return false if there is none. */
bool tw_tls_keys_find(const struct tw_tls_keys *keys, enum tw_tls_label label,
                      const uint8_t *random, struct tw_tls_secret *out);

/* Is there any secret? */
bool tw_tls_keys_any(const struct tw_tls_keys *keys);

void tw_tls_keys_free(struct tw_tls_keys *keys);

#endif
