/* SPDX-License-Identifier: MIT */
/* Options of callers built with other versions of the headers. */
#ifndef TW_ENGINE_OPTIONS_H
#define TW_ENGINE_OPTIONS_H

#include <stdbool.h>

#include <tcpwhy/tcpwhy.h>

#include "source/source.h"

/* Copy analysis options, and the callbacks that they point to (see base/options.h). @return false
 * with *error filled. */
bool tw_options_take(struct tcpwhy_options *own, struct tcpwhy_callbacks *callbacks,
                     const struct tcpwhy_options *given, struct tw_source_error *error);

#endif
