/* SPDX-License-Identifier: MIT */
/* Options of callers built with other versions of the headers. */
#ifndef TW_ENGINE_OPTIONS_H
#define TW_ENGINE_OPTIONS_H

#include <stdbool.h>

#include <tcpwhy/tcpwhy.h>

#include "source/source.h"

/* Copy analysis options (see base/options.h). @return false with *error filled. */
bool tw_options_take(struct tcpwhy_options *own, const struct tcpwhy_options *given,
                     struct tw_source_error *error);

#endif
