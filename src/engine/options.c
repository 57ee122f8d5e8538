/* SPDX-License-Identifier: MIT */
#include "engine/options.h"

#include <glib.h>

#include "base/options.h"

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
