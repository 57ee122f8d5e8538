/* SPDX-License-Identifier: MIT */
#include "app/tls_cipher.h"

#include <string.h>

#include <glib.h>
#include <nettle/ccm.h>
#include <nettle/chacha-poly1305.h>
#include <nettle/gcm.h>
#include <nettle/hkdf.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>

#include "base/memory.h"

#define NONCE 12
#define TAG   16

/* TLS 1.2: the nonce's part that each record carries (RFC 5288, section 3). */
#define EXPLICIT_NONCE 8
#define VERSION_12     0x0303

enum algorithm { AES_128_GCM, AES_256_GCM, CHACHA20_POLY1305, AES_128_CCM, AES_128_CCM_8 };

static const struct suite {
    uint16_t id;
    uint8_t algorithm;
    bool sha384;
} suites[] = {
    { 0x1301, AES_128_GCM, false },       { 0x1302, AES_256_GCM, true },
    { 0x1303, CHACHA20_POLY1305, false }, { 0x1304, AES_128_CCM, false },
    { 0x1305, AES_128_CCM_8, false },     { 0x009c, AES_128_GCM, false },
    { 0x009d, AES_256_GCM, true },        { 0x009e, AES_128_GCM, false },
    { 0x009f, AES_256_GCM, true },        { 0xc02b, AES_128_GCM, false },
    { 0xc02c, AES_256_GCM, true },        { 0xc02f, AES_128_GCM, false },
    { 0xc030, AES_256_GCM, true },        { 0xc09e, AES_128_CCM, false },
    { 0xc0ac, AES_128_CCM, false },       { 0xc0ae, AES_128_CCM_8, false },
    { 0xcca8, CHACHA20_POLY1305, false }, { 0xcca9, CHACHA20_POLY1305, false },
    { 0xccaa, CHACHA20_POLY1305, false },
};

struct tw_tls_cipher {
    const struct suite *suite;
    uint16_t version;
    struct tw_tls_secret secret; /* TLS 1.3: of these keys */
    uint8_t iv[NONCE];
    uint64_t sequence;
    union {
        struct gcm_aes128_ctx gcm128;
        struct gcm_aes256_ctx gcm256;
        struct chacha_poly1305_ctx chacha;
        struct ccm_aes128_ctx ccm;
    } context;
};

static const struct suite *suite_of(uint16_t id)
{
    for (size_t i = 0; i < G_N_ELEMENTS(suites); i++)
        if (suites[i].id == id)
            return &suites[i];
    return NULL;
}

static size_t key_size(const struct suite *suite)
{
    return suite->algorithm == AES_256_GCM || suite->algorithm == CHACHA20_POLY1305 ? 32 : 16;
}

static size_t tag_size(const struct suite *suite)
{
    return suite->algorithm == AES_128_CCM_8 ? 8 : TAG;
}

/* ---- keys ------------------------------------------------------------------------------------ */

union hmac {
    struct hmac_sha256_ctx sha256;
    struct hmac_sha384_ctx sha384;
};

static void mac_key(union hmac *hmac, bool sha384, const uint8_t *key, size_t len)
{
    if (sha384)
        hmac_sha384_set_key(&hmac->sha384, len, key);
    else
        hmac_sha256_set_key(&hmac->sha256, len, key);
}

static void mac_update(union hmac *hmac, bool sha384, const uint8_t *bytes, size_t len)
{
    if (sha384)
        hmac_sha384_update(&hmac->sha384, len, bytes);
    else
        hmac_sha256_update(&hmac->sha256, len, bytes);
}

/* @return its length. */
static size_t mac_digest(union hmac *hmac, bool sha384, uint8_t *digest)
{
    if (sha384)
        hmac_sha384_digest(&hmac->sha384, SHA384_DIGEST_SIZE, digest);
    else
        hmac_sha256_digest(&hmac->sha256, SHA256_DIGEST_SIZE, digest);
    return sha384 ? SHA384_DIGEST_SIZE : SHA256_DIGEST_SIZE;
}

/* HKDF-Expand-Label without a context (RFC 8446, section 7.1). */
static void expand_label(const struct tw_tls_cipher *c, const char *label, uint8_t *to, size_t len)
{
    uint8_t info[32];
    size_t n = strlen(label);
    union hmac hmac;
    bool sha384 = c->suite->sha384;

    info[0] = 0;
    info[1] = (uint8_t)len;
    info[2] = (uint8_t)(6 + n);
    memcpy(info + 3, "tls13 ", 6);
    memcpy(info + 9, label, n);
    info[9 + n] = 0;
    mac_key(&hmac, sha384, c->secret.bytes, c->secret.len);
    hkdf_expand(&hmac,
                sha384 ? (nettle_hash_update_func *)hmac_sha384_update
                       : (nettle_hash_update_func *)hmac_sha256_update,
                sha384 ? (nettle_hash_digest_func *)hmac_sha384_digest
                       : (nettle_hash_digest_func *)hmac_sha256_digest,
                sha384 ? SHA384_DIGEST_SIZE : SHA256_DIGEST_SIZE, 10 + n, info, len, to);
}

/* P_hash of "key expansion" (RFC 5246, sections 5 and 6.3). */
static void key_block(const struct tw_tls_cipher *c, const uint8_t randoms[2 * TW_TLS_RANDOM],
                      uint8_t *to, size_t len)
{
    static const uint8_t label[] = "key expansion";
    bool sha384 = c->suite->sha384;
    uint8_t a[SHA384_DIGEST_SIZE], out[SHA384_DIGEST_SIZE];
    size_t size = 0;
    union hmac hmac;

    mac_key(&hmac, sha384, c->secret.bytes, c->secret.len);
    while (len > 0) {
        size_t n;

        if (size > 0) {
            mac_update(&hmac, sha384, a, size);
        } else {
            mac_update(&hmac, sha384, label, sizeof label - 1);
            mac_update(&hmac, sha384, randoms, 2 * TW_TLS_RANDOM);
        }
        size = mac_digest(&hmac, sha384, a);
        mac_update(&hmac, sha384, a, size);
        mac_update(&hmac, sha384, label, sizeof label - 1);
        mac_update(&hmac, sha384, randoms, 2 * TW_TLS_RANDOM);
        mac_digest(&hmac, sha384, out);
        n = MIN(size, len);
        memcpy(to, out, n);
        to += n;
        len -= n;
    }
}

static void set_key(struct tw_tls_cipher *c, const uint8_t *key)
{
    switch (c->suite->algorithm) {
    case AES_128_GCM:
        gcm_aes128_set_key(&c->context.gcm128, key);
        break;
    case AES_256_GCM:
        gcm_aes256_set_key(&c->context.gcm256, key);
        break;
    case CHACHA20_POLY1305:
        chacha_poly1305_set_key(&c->context.chacha, key);
        break;
    default:
        ccm_aes128_set_key(&c->context.ccm, key);
        break;
    }
}

static size_t fixed_iv_size(const struct tw_tls_cipher *c)
{
    return c->version == TW_TLS_13 || c->suite->algorithm == CHACHA20_POLY1305 ? NONCE : 4;
}

static void derive_13(struct tw_tls_cipher *c)
{
    uint8_t key[32];

    expand_label(c, "key", key, key_size(c->suite));
    expand_label(c, "iv", c->iv, NONCE);
    set_key(c, key);
}

static void derive_12(struct tw_tls_cipher *c, const uint8_t randoms[2 * TW_TLS_RANDOM],
                      bool server)
{
    uint8_t block[2 * (32 + NONCE)];
    size_t key = key_size(c->suite), iv = fixed_iv_size(c);

    key_block(c, randoms, block, 2 * (key + iv));
    set_key(c, block + (server ? key : 0));
    memcpy(c->iv, block + 2 * key + (server ? iv : 0), iv);
}

struct tw_tls_cipher *tw_tls_cipher_new(uint16_t version, uint16_t suite,
                                        const struct tw_tls_secret *secret,
                                        const uint8_t randoms[2 * TW_TLS_RANDOM], bool server)
{
    const struct suite *known = suite_of(suite);
    struct tw_tls_cipher *c;

    if (!known || (version != TW_TLS_13 && version != VERSION_12) ||
        (version == TW_TLS_13) != (suite >> 8 == 0x13))
        return NULL;
    c = tw_new0(struct tw_tls_cipher, 1);
    c->suite = known;
    c->version = version;
    c->secret = *secret;
    if (version == TW_TLS_13)
        derive_13(c);
    else
        derive_12(c, randoms, server);
    return c;
}

struct tw_tls_cipher *tw_tls_cipher_next(const struct tw_tls_cipher *cipher)
{
    struct tw_tls_secret secret = { .len = cipher->secret.len };

    if (cipher->version != TW_TLS_13)
        return NULL;
    expand_label(cipher, "traffic upd", secret.bytes, secret.len);
    return tw_tls_cipher_new(TW_TLS_13, cipher->suite->id, &secret, NULL, false);
}

/* ---- records --------------------------------------------------------------------------------- */

static void put_be64(uint8_t *to, uint64_t value)
{
    for (int i = 7; i >= 0; i--, value >>= 8)
        to[i] = (uint8_t)value;
}

/* The fixed part, and what the record carries or its sequence number. @return the record behind
 * what it carries. */
static struct tw_bytes nonce_of(const struct tw_tls_cipher *c, struct tw_bytes record,
                                uint8_t nonce[NONCE])
{
    uint8_t sequence[8];

    memcpy(nonce, c->iv, NONCE);
    if (fixed_iv_size(c) < NONCE) {
        memcpy(nonce + 4, record.data, EXPLICIT_NONCE);
        return tw_bytes_from(record, EXPLICIT_NONCE);
    }
    put_be64(sequence, c->sequence);
    for (int i = 0; i < 8; i++)
        nonce[4 + i] ^= sequence[i];
    return record;
}

static size_t associated_data(const struct tw_tls_cipher *c, uint8_t type, size_t record_len,
                              size_t content_len, uint8_t to[13])
{
    size_t len = c->version == TW_TLS_13 ? record_len : content_len, at = 0;

    if (c->version != TW_TLS_13) {
        put_be64(to, c->sequence);
        at = 8;
    }
    to[at] = type;
    to[at + 1] = 3;
    to[at + 2] = 3;
    to[at + 3] = (uint8_t)(len >> 8);
    to[at + 4] = (uint8_t)len;
    return at + 5;
}

#define OPEN_GCM(ctx, name)                                                                        \
    name##_set_iv(ctx, NONCE, nonce);                                                              \
    name##_update(ctx, n_extra, extra);                                                            \
    name##_decrypt(ctx, len, plain, sealed.data);                                                  \
    name##_digest(ctx, TAG, tag)

/* The authenticated decryption itself. */
static bool open_sealed(struct tw_tls_cipher *c, const uint8_t nonce[NONCE], const uint8_t *extra,
                        size_t n_extra, struct tw_bytes sealed, uint8_t *plain)
{
    size_t len = sealed.len - tag_size(c->suite);
    uint8_t tag[TAG];

    switch (c->suite->algorithm) {
    case AES_128_GCM:
        OPEN_GCM(&c->context.gcm128, gcm_aes128);
        break;
    case AES_256_GCM:
        OPEN_GCM(&c->context.gcm256, gcm_aes256);
        break;
    case CHACHA20_POLY1305:
        chacha_poly1305_set_nonce(&c->context.chacha, nonce);
        chacha_poly1305_update(&c->context.chacha, n_extra, extra);
        chacha_poly1305_decrypt(&c->context.chacha, len, plain, sealed.data);
        chacha_poly1305_digest(&c->context.chacha, TAG, tag);
        break;
    default:
        return ccm_aes128_decrypt_message(&c->context.ccm, NONCE, nonce, n_extra, extra,
                                          tag_size(c->suite), len, plain, sealed.data);
    }
    return memeql_sec(tag, sealed.data + len, TAG);
}

/* RFC 8446, section 5.2: the type is the last byte that is not 0. */
static ptrdiff_t strip_padding(uint8_t *type, const uint8_t *plain, size_t len)
{
    while (len > 0 && plain[len - 1] == 0)
        len--;
    if (len == 0)
        return -1;
    *type = plain[len - 1];
    return (ptrdiff_t)len - 1;
}

ptrdiff_t tw_tls_cipher_open(struct tw_tls_cipher *c, uint8_t *type, struct tw_bytes record,
                             uint8_t *plain)
{
    size_t carried = fixed_iv_size(c) < NONCE ? EXPLICIT_NONCE : 0, n_extra, len;
    uint8_t nonce[NONCE], extra[13];
    struct tw_bytes sealed;

    if (record.len < carried + tag_size(c->suite))
        return -1;
    sealed = nonce_of(c, record, nonce);
    len = sealed.len - tag_size(c->suite);
    n_extra = associated_data(c, *type, record.len, len, extra);
    if (!open_sealed(c, nonce, extra, n_extra, sealed, plain))
        return -1;
    c->sequence++;
    return c->version == TW_TLS_13 ? strip_padding(type, plain, len) : (ptrdiff_t)len;
}

void tw_tls_cipher_free(struct tw_tls_cipher *cipher)
{
    if (!cipher)
        return;
    memset(cipher, 0, sizeof *cipher);
    __asm__ volatile("" : : "r"(cipher) : "memory");
    tw_free(cipher);
}
