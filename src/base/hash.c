/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <sys/random.h>

uint64_t tw_hash_seed(void)
{
    uint64_t seed = 0;

    /* Without entropy the tables still work, but are easier to flood. */
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != sizeof seed)
        seed = 0x2545f4914f6cdd1du;
    return seed | 1;
}
