/* SPDX-License-Identifier: MIT */
/* Hashes of untrusted input, seeded against chosen collisions. */
#ifndef TW_BASE_HASH_H
#define TW_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* An unpredictable number. */
uint64_t tw_hash_seed(void);

static inline uint64_t tw_hash_load(const uint8_t *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* Any with bits all over: the golden ratio's. */
#define TW_HASH_ODD UINT64_C(0x9E3779B97F4A7C15)

/* Multiply and fold the high half: each input bit affects each output bit. */
static inline uint64_t tw_hash_mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t tw_hash_bytes(const void *bytes, size_t n, uint64_t seed)
{
    const uint8_t *p = bytes;
    uint64_t hash = seed ^ n, rest = 0;

    for (; n >= sizeof hash; p += sizeof hash, n -= sizeof hash)
        hash = tw_hash_mix(hash ^ tw_hash_load(p), TW_HASH_ODD);
    memcpy(&rest, p, n);
    return tw_hash_mix(hash ^ rest, seed ^ TW_HASH_ODD);
}

#endif
