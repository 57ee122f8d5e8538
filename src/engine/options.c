/* SPDX-License-Identifier: MIT */
#include "engine/options.h"

#include "base/options.h"

bool tw_options_take(struct tcpwhy_options *own, const struct tcpwhy_options *given,
                     struct tw_source_error *error)
{
    return tw_options_copy(own, sizeof *own, given) ||
           tw_source_refuse(error, TCPWHY_ERR_ARGUMENT,
                            "the options have a struct_size that cannot be, or set a field that "
                            "libtcpwhy " TCPWHY_VERSION
                            " lacks: start from TCPWHY_OPTIONS_INIT, or update the library");
}
