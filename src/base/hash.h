/* SPDX-License-Identifier: MIT */
/* Hashing of what came off the wire: seeded, so that nobody can choose colliding input. */
#ifndef TW_BASE_HASH_H
#define TW_BASE_HASH_H

#include <stdint.h>
#include <string.h>

/* A number that nobody outside can know. */
uint64_t tw_hash_seed(void);

static inline uint64_t tw_hash_load(const uint8_t *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* Multiply and fold the high half down: each input bit reaches each output bit. */
static inline uint64_t tw_hash_mix(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#endif
