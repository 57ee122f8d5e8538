/* SPDX-License-Identifier: MIT */
#ifndef TW_APP_KEYS_H
#define TW_APP_KEYS_H

#include "app/exchange.h"
#include "log/log.h"

/* Does a person type at this connection, and wait for the echo of each key? The asker is known
 * (typing.h finds it). */
bool tw_keys_are_typed(const struct tw_log *log, const struct tw_exchanges *exchanges);

#endif
