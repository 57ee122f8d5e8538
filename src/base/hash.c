/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <stdbool.h>
#include <sys/random.h>
#include <unistd.h>

/* Without waiting for it, where the system can say so. */
static bool take_entropy(void *to, size_t n)
{
#ifdef GRND_NONBLOCK
    return getrandom(to, n, GRND_NONBLOCK) == (ssize_t)n;
#else
    return getentropy(to, n) == 0;
#endif
}

uint64_t tw_hash_seed(void)
{
    uint64_t seed = 0;

    /* Without entropy the tables still work, but are easier to flood. */
    if (!take_entropy(&seed, sizeof seed))
        seed = 0x2545f4914f6cdd1du;
    return seed | 1;
}
