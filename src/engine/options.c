/* SPDX-License-Identifier: MIT */
#include "engine/options.h"

#include <stdint.h>
#include <string.h>

#include <glib.h>

/* No later version's options are as large as this: what claims it was never set. */
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
    memcpy(own, given, MIN(given_size, size));
    return true;
}

bool tw_options_take(struct tcpwhy_options *own, const struct tcpwhy_options *given, char *error)
{
    bool taken = tw_options_copy(own, sizeof *own, given);

    if (!taken && error)
        g_strlcpy(error,
                  "the options have a struct_size that cannot be, or set a field that "
                  "libtcpwhy " TCPWHY_VERSION
                  " lacks: start from TCPWHY_OPTIONS_INIT, or update the library",
                  TCPWHY_ERROR_TEXT);
    return taken;
}
