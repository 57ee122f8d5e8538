/* SPDX-License-Identifier: MIT */
/* Options of callers, which may be of another version of the library. */
#include "engine/options.h"

#include "base/options.h"

bool tw_options_take(struct tcpwhy_options *own, struct tcpwhy_callbacks *callbacks,
                     const struct tcpwhy_options *given, struct tw_source_error *error)
{
    if (!tw_options_copy(own, sizeof *own, given) ||
        !tw_options_copy(callbacks, sizeof *callbacks, own->callbacks))
        return tw_source_refuse(error, TCPWHY_ERR_ARGUMENT,
                                "the options or callbacks have a struct_size that cannot be, or "
                                "set a field that libtcpwhy " TCPWHY_VERSION
                                " lacks: start from the _INIT macros, or update the library");
    own->callbacks = callbacks;
    return true;
}
