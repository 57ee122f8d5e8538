/* SPDX-License-Identifier: MIT */
/* Hashes of untrusted input, seeded against chosen collisions. */
#ifndef TW_BASE_HASH_H
#define TW_BASE_HASH_H

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

/* Multiply and fold the high half: each input bit affects each output bit. */
static inline uint64_t tw_hash_mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
