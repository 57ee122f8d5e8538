/* SPDX-License-Identifier: MIT */
#include "app/tls_keys.h"

#include <pthread.h>
#include <string.h>

#include <glib.h>

#include "base/hash.h"
#include "base/hash_table.h"

/* A key log of a busy client for days; 100 bytes each. */
#define MAX_SECRETS (1u << 20)

static const char *const labels[TW_TLS_LABELS] = {
    "CLIENT_RANDOM",
    "CLIENT_EARLY_TRAFFIC_SECRET",
    "CLIENT_HANDSHAKE_TRAFFIC_SECRET",
    "SERVER_HANDSHAKE_TRAFFIC_SECRET",
    "CLIENT_TRAFFIC_SECRET_0",
    "SERVER_TRAFFIC_SECRET_0",
};

struct entry {
    uint8_t random[TW_TLS_RANDOM];
    uint8_t label;
    struct tw_tls_secret secret;
};

struct tw_tls_keys {
    struct tw_undo undo; /* no secret stays in memory after a failure */
    pthread_rwlock_t lock;
    tw_hash_table *entries; /* struct entry, its own key */
};

static uint64_t hash(gconstpointer key, uint64_t seed)
{
    const struct entry *e = key;

    return tw_hash_bytes(e->random, sizeof e->random, seed ^ e->label);
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
    const struct entry *x = a, *y = b;

    return x->label == y->label && memcmp(x->random, y->random, sizeof x->random) == 0;
}

static void wipe(gpointer entry)
{
    memset(entry, 0, sizeof(struct entry));
    __asm__ volatile("" : : "r"(entry) : "memory");
    tw_free(entry);
}

static void wipe_all(void *user)
{
    const struct tw_tls_keys *keys = user;

    tw_hash_table_remove_all(keys->entries);
}

struct tw_tls_keys *tw_tls_keys_new(void)
{
    struct tw_tls_keys *keys = tw_new(struct tw_tls_keys, 1);

    pthread_rwlock_init(&keys->lock, NULL);
    keys->entries = tw_hash_table_new_full(hash, equal, NULL, wipe);
    tw_undo_add(&keys->undo, wipe_all, keys);
    return keys;
}

static struct tw_bytes word(struct tw_bytes *rest)
{
    size_t n = 0;
    struct tw_bytes taken;

    while (rest->len > 0 && (rest->data[0] == ' ' || rest->data[0] == '\t'))
        *rest = tw_bytes_from(*rest, 1);
    while (n < rest->len && rest->data[n] > ' ')
        n++;
    taken = tw_bytes_first(*rest, n);
    *rest = tw_bytes_from(*rest, n);
    return taken;
}

/* @return how many bytes the digits are; 0: not hexadecimal, or too many. */
static size_t from_hex(struct tw_bytes digits, uint8_t *to, size_t most)
{
    if (digits.len % 2 || digits.len / 2 > most)
        return 0;
    for (size_t i = 0; i < digits.len; i++) {
        int value = g_ascii_xdigit_value((char)digits.data[i]);

        if (value < 0)
            return 0;
        to[i / 2] = (uint8_t)(i % 2 ? to[i / 2] | value : value << 4);
    }
    return digits.len / 2;
}

static bool take_line(struct tw_tls_keys *keys, struct tw_bytes line)
{
    struct tw_bytes label = word(&line), random = word(&line), secret = word(&line);
    struct entry e = { .label = TW_TLS_LABELS };

    for (unsigned i = 0; i < TW_TLS_LABELS; i++)
        if (label.len == strlen(labels[i]) && memcmp(label.data, labels[i], label.len) == 0)
            e.label = (uint8_t)i;
    e.secret.len = from_hex(secret, e.secret.bytes, sizeof e.secret.bytes);
    if (e.label == TW_TLS_LABELS || e.secret.len == 0 ||
        from_hex(random, e.random, sizeof e.random) != sizeof e.random ||
        tw_hash_table_size(keys->entries) >= MAX_SECRETS)
        return false;
    tw_hash_table_add(keys->entries, tw_memdup2(&e, sizeof e));
    return true;
}

size_t tw_tls_keys_add(struct tw_tls_keys *keys, struct tw_bytes text)
{
    size_t n = 0;

    pthread_rwlock_wrlock(&keys->lock);
    while (text.len > 0) {
        const uint8_t *lf = memchr(text.data, '\n', text.len);
        size_t len = lf ? (size_t)(lf - text.data) : text.len;

        n += take_line(keys, tw_bytes_first(text, len));
        text = tw_bytes_from(text, len + 1);
    }
    pthread_rwlock_unlock(&keys->lock);
    return n;
}

bool tw_tls_keys_find(const struct tw_tls_keys *keys, enum tw_tls_label label,
                      const uint8_t *random, struct tw_tls_secret *out)
{
    struct entry key = { .label = (uint8_t)label };
    const struct entry *found;

    if (!keys)
        return false;
    memcpy(key.random, random, sizeof key.random);
    pthread_rwlock_rdlock((pthread_rwlock_t *)(uintptr_t)&keys->lock);
    found = tw_hash_table_lookup(keys->entries, &key);
    if (found)
        *out = found->secret;
    pthread_rwlock_unlock((pthread_rwlock_t *)(uintptr_t)&keys->lock);
    return found != NULL;
}

bool tw_tls_keys_any(const struct tw_tls_keys *keys)
{
    bool any;

    if (!keys)
        return false;
    pthread_rwlock_rdlock((pthread_rwlock_t *)(uintptr_t)&keys->lock);
    any = tw_hash_table_size(keys->entries) > 0;
    pthread_rwlock_unlock((pthread_rwlock_t *)(uintptr_t)&keys->lock);
    return any;
}

struct tw_tls_keys *tw_tls_keys_of(const char *text)
{
    struct tw_tls_keys *keys = tw_tls_keys_new();

    if (text)
        tw_tls_keys_add(keys, tw_bytes((const uint8_t *)text, strlen(text)));
    return keys;
}

void tw_tls_keys_free(struct tw_tls_keys *keys)
{
    if (!keys)
        return;
    tw_undo_remove(&keys->undo);
    tw_hash_table_unref(keys->entries);
    pthread_rwlock_destroy(&keys->lock);
    tw_free(keys);
}
