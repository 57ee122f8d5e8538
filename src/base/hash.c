/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/auxv.h>

/* The kernel gives each program 16 random bytes (getauxval(3), AT_RANDOM): no call for each table.
 */
static bool take_entropy(uint64_t *to)
{
    const unsigned long at = getauxval(AT_RANDOM);

    if (at)
        memcpy(to, (const void *)at, sizeof *to);
    return at != 0;
}
#else
#include <sys/random.h>

static bool take_entropy(uint64_t *to)
{
    return getentropy(to, sizeof *to) == 0;
}
#endif

uint64_t tw_hash_seed(void)
{
    uint64_t seed = 0;

    /* Without entropy the tables still work, but are easier to flood. */
    if (!take_entropy(&seed))
        seed = 0x2545f4914f6cdd1du;
    return seed | 1;
}
