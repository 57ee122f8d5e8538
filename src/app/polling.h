/* SPDX-License-Identifier: MIT */
/*
 * Long polling (RFC 6202, section 2): the client asks to be told of what happens, is answered then
 * or after a fixed time, and asks the same again at once.
 */
#ifndef TW_APP_POLLING_H
#define TW_APP_POLLING_H

#include "app/app.h"

/* Mark the exchanges that are such as standing; all have their records, in order. */
void tw_polling_find(const struct tw_log *log, struct tw_exchanges *exchanges);

#endif
