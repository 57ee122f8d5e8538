/* SPDX-License-Identifier: MIT */
/*
 * Decrypts the records of both directions of a session. Which keys are in use shows by trial: those
 * that authenticate a record are, so that neither Finished nor KeyUpdate need be seen.
 */
#ifndef TW_APP_TLS_OPEN_H
#define TW_APP_TLS_OPEN_H

#include <glib.h>

#include "app/tls_cipher.h"

enum tw_tls_opened {
    TW_TLS_OPENED,
    TW_TLS_SEALED,   /* no key fits this record */
    TW_TLS_HOPELESS, /* nor others */
};

struct tw_tls_open;

/* Are there secrets of the session, whatever its suite? */
bool tw_tls_open_has_secrets(const struct tw_tls_keys *keys, uint16_t version,
                             const uint8_t randoms[2 * TW_TLS_RANDOM]);

/* @return NULL if there are no secrets of the session, or its suite is not supported. */
struct tw_tls_open *tw_tls_open_new(const struct tw_tls_keys *keys, uint16_t version,
                                    uint16_t suite, const uint8_t randoms[2 * TW_TLS_RANDOM]);

/* The client's next records may be early data, which the server takes. */
void tw_tls_open_early(struct tw_tls_open *open);

/* TLS 1.2: the hellos of a renegotiation (RFC 5246, section 7.4.1); then each way's
 * ChangeCipherSpec. */
void tw_tls_open_renegotiate(struct tw_tls_open *open, uint16_t suite,
                             const uint8_t randoms[2 * TW_TLS_RANDOM]);
void tw_tls_open_change(struct tw_tls_open *open, int way);

/* A record of a way: 0 is the client's. *content is valid until the next one. */
enum tw_tls_opened tw_tls_open_record(struct tw_tls_open *open, int way, uint8_t *type,
                                      struct tw_bytes record, struct tw_bytes *content);

/* Records are missing. */
void tw_tls_open_fail(struct tw_tls_open *open);
bool tw_tls_open_failed(const struct tw_tls_open *open);
bool tw_tls_open_succeeded(const struct tw_tls_open *open);

void tw_tls_open_free(struct tw_tls_open *open);

#endif
