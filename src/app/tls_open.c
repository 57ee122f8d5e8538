/* SPDX-License-Identifier: MIT */
#include "app/tls_open.h"

#include <string.h>

#include "base/memory.h"

#define MAX_RECORD (16384 + 2048)

/* Records of the handshake that stay sealed without its secrets, at most: certificate chains and
 * their proof take four, each perhaps in a few pieces. */
#define MAX_SEALED 16

/* The order in which TLS 1.3 uses its secrets, by way. */
static const enum tw_tls_label order_13[2][3] = {
    { TW_TLS_EARLY, TW_TLS_HANDSHAKE_CLIENT, TW_TLS_TRAFFIC_CLIENT },
    { TW_TLS_HANDSHAKE_SERVER, TW_TLS_TRAFFIC_SERVER },
};

struct way {
    struct tw_tls_cipher *cipher; /* in use */
    unsigned next;                /* index of the next secret to try */
    unsigned sealed;              /* records in a row that did not open */
};

struct tw_tls_open {
    const struct tw_tls_keys *keys;
    uint16_t version, suite;
    uint8_t randoms[2 * TW_TLS_RANDOM];
    bool failed, succeeded;
    struct way way[2];
    uint8_t plain[MAX_RECORD];
};

bool tw_tls_open_has_secrets(const struct tw_tls_keys *keys, uint16_t version,
                             const uint8_t randoms[2 * TW_TLS_RANDOM])
{
    const uint8_t *client = randoms + TW_TLS_RANDOM;
    struct tw_tls_secret secret;

    if (version != TW_TLS_13)
        return tw_tls_keys_find(keys, TW_TLS_MASTER, client, &secret);
    return tw_tls_keys_find(keys, TW_TLS_TRAFFIC_CLIENT, client, &secret) ||
           tw_tls_keys_find(keys, TW_TLS_TRAFFIC_SERVER, client, &secret);
}

struct tw_tls_open *tw_tls_open_new(const struct tw_tls_keys *keys, uint16_t version,
                                    uint16_t suite, const uint8_t randoms[2 * TW_TLS_RANDOM])
{
    struct tw_tls_secret nothing = { .len = 32 };
    struct tw_tls_cipher *probe;
    struct tw_tls_open *open;

    if (!tw_tls_open_has_secrets(keys, version, randoms))
        return NULL;
    probe = tw_tls_cipher_new(version, suite, &nothing, randoms, false);
    if (!probe)
        return NULL;
    tw_tls_cipher_free(probe);
    open = tw_new0(struct tw_tls_open, 1);
    open->keys = keys;
    open->version = version;
    open->suite = suite;
    memcpy(open->randoms, randoms, sizeof open->randoms);
    open->way[0].next = version == TW_TLS_13; /* no early data */
    return open;
}

void tw_tls_open_early(struct tw_tls_open *open)
{
    if (open->version == TW_TLS_13 && !open->way[0].cipher)
        open->way[0].next = 0;
}

void tw_tls_open_renegotiate(struct tw_tls_open *open, uint16_t suite,
                             const uint8_t randoms[2 * TW_TLS_RANDOM])
{
    open->suite = suite;
    memcpy(open->randoms, randoms, sizeof open->randoms);
}

void tw_tls_open_change(struct tw_tls_open *open, int way)
{
    tw_tls_cipher_free(open->way[way].cipher);
    open->way[way].cipher = NULL;
    open->way[way].next = 0;
}

/* The keys of the way's secret with that index, or NULL. */
static struct tw_tls_cipher *cipher_of(const struct tw_tls_open *open, int way, unsigned index)
{
    enum tw_tls_label label = open->version == TW_TLS_13 ? order_13[way][index] : TW_TLS_MASTER;
    struct tw_tls_secret secret;

    if (!tw_tls_keys_find(open->keys, label, open->randoms + TW_TLS_RANDOM, &secret))
        return NULL;
    return tw_tls_cipher_new(open->version, open->suite, &secret, open->randoms, way == 1);
}

static unsigned secrets_of(const struct tw_tls_open *open, int way)
{
    return open->version != TW_TLS_13 ? 1 : way == 0 ? 3 : 2;
}

/* @return the length of the content, or -1; takes the cipher over if it fits, else frees it. */
static ptrdiff_t try(struct tw_tls_open *open, int way, struct tw_tls_cipher *cipher, uint8_t *type,
                     struct tw_bytes record)
{
    ptrdiff_t len = cipher ? tw_tls_cipher_open(cipher, type, record, open->plain) : -1;

    if (len < 0) {
        tw_tls_cipher_free(cipher);
        return -1;
    }
    tw_tls_cipher_free(open->way[way].cipher);
    open->way[way].cipher = cipher;
    return len;
}

/* The keys in use, then later ones, then those after a KeyUpdate. */
static ptrdiff_t try_all(struct tw_tls_open *open, int way, uint8_t *type, struct tw_bytes record)
{
    struct way *w = &open->way[way];
    ptrdiff_t len = w->cipher ? tw_tls_cipher_open(w->cipher, type, record, open->plain) : -1;

    for (unsigned i = w->next; i < secrets_of(open, way) && len < 0; i++) {
        len = try(open, way, cipher_of(open, way, i), type, record);
        if (len >= 0)
            w->next = i + 1;
    }
    if (len < 0 && w->cipher && w->next == secrets_of(open, way))
        len = try(open, way, tw_tls_cipher_next(w->cipher), type, record);
    return len;
}

enum tw_tls_opened tw_tls_open_record(struct tw_tls_open *open, int way, uint8_t *type,
                                      struct tw_bytes record, struct tw_bytes *content)
{
    struct way *w = &open->way[way];
    ptrdiff_t len = record.len <= sizeof open->plain ? try_all(open, way, type, record) : -1;

    if (len >= 0) {
        w->sealed = 0;
        open->succeeded = true;
        *content = tw_bytes(open->plain, (size_t)len);
        return TW_TLS_OPENED;
    }
    w->sealed++;
    if (!w->cipher && open->version == TW_TLS_13 && w->sealed < MAX_SEALED)
        return TW_TLS_SEALED;
    open->failed = true;
    return TW_TLS_HOPELESS;
}

void tw_tls_open_fail(struct tw_tls_open *open)
{
    open->failed = true;
}

bool tw_tls_open_failed(const struct tw_tls_open *open)
{
    return open && open->failed;
}

bool tw_tls_open_succeeded(const struct tw_tls_open *open)
{
    return open->succeeded;
}

void tw_tls_open_free(struct tw_tls_open *open)
{
    if (!open)
        return;
    for (int i = 0; i < 2; i++)
        tw_tls_cipher_free(open->way[i].cipher);
    tw_free(open);
}
