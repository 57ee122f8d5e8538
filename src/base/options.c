/* SPDX-License-Identifier: MIT */
#include "base/options.h"

#include <stdint.h>
#include <string.h>

/* Larger than any future version's options: struct_size was not set. */
#define OPTIONS_MAX 65536

bool tw_size_is_set(const void *given)
{
    size_t size;

    memcpy(&size, given, sizeof size);
    return size >= sizeof size && size <= OPTIONS_MAX;
}

bool tw_options_copy(void *own, size_t size, const void *given)
{
    const uint8_t *bytes = given;
    size_t given_size;

    memset(own, 0, size);
    if (!given)
        return true;
    if (!tw_size_is_set(given))
        return false;
    memcpy(&given_size, given, sizeof given_size);
    for (size_t i = size; i < given_size; i++)
        if (bytes[i])
            return false;
    memcpy(own, given, given_size < size ? given_size : size);
    return true;
}

void tw_result_copy(void *given, const void *own, size_t size)
{
    size_t given_size, head = sizeof given_size;
    size_t known;

    memcpy(&given_size, given, head);
    known = given_size < size ? given_size : size;
    memcpy((uint8_t *)given + head, (const uint8_t *)own + head, known - head);
    memset((uint8_t *)given + known, 0, given_size - known);
}

const struct tcpwhy_callbacks *tw_callbacks(const struct tcpwhy_options *options)
{
    static const struct tcpwhy_callbacks none = TCPWHY_CALLBACKS_INIT;

    return options->callbacks ? options->callbacks : &none;
}
