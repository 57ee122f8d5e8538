/* SPDX-License-Identifier: MIT */
/*
 * Requests that are never answered, after which their client asks again on the same connection: its
 * program waits for a time of its own, and no TCP timer shows it.
 *
 *      client  ---- request ---->        acknowledged, and no answer
 *              (2 s)
 *              ---- request ---->        again, or the next one
 *              <--- response ----
 */
#ifndef TW_APP_ASKED_AGAIN_H
#define TW_APP_ASKED_AGAIN_H

#include "app/app.h"

/* Tell them apart. Where nothing marks messages, they are one request so far, which is divided.
 * Requires that all have their records, in order. @param in_turn  answers come in the order of the
 * requests. */
void tw_asked_again_find(const struct tw_log *log, struct tw_exchanges *exchanges, bool in_turn);

#endif
