/* SPDX-License-Identifier: MIT */
/*
 * Long polling (RFC 6202, section 2): the client subscribes to news, gets a response then or after
 * a fixed time, and immediately sends the same request again.
 */
#ifndef TW_APP_POLLING_H
#define TW_APP_POLLING_H

#include "app/app.h"

/* Mark such transactions as standing. Requires that all have their records, in order. */
void tw_polling_find(const struct tw_log *log, struct tw_exchanges *exchanges);

#endif
