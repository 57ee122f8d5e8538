/* SPDX-License-Identifier: MIT */
#include "base/options.h"

#include <stdint.h>
#include <string.h>

/* Larger than any future version's options: struct_size was not set. */
#define OPTIONS_MAX 65536

bool tw_options_copy(void *own, size_t size, const void *given)
{
    const uint8_t *bytes = given;
    size_t given_size;

    memset(own, 0, size);
    if (!given)
        return true;
    memcpy(&given_size, given, sizeof given_size);
    if (given_size < sizeof given_size || given_size > OPTIONS_MAX)
        return false;
    for (size_t i = size; i < given_size; i++)
        if (bytes[i])
            return false;
    memcpy(own, given, given_size < size ? given_size : size);
    return true;
}
