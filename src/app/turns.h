/* SPDX-License-Identifier: MIT */
/*
 * Exchanges of a protocol that nobody knows, by who sends when: the client asks until the server
 * answers; new bytes of the client after that are the next request.
 */
#ifndef TW_APP_TURNS_H
#define TW_APP_TURNS_H

#include "app/app.h"
#include "app/deliveries.h"

/*
 * Append the exchanges of the bytes from the two offsets on.
 * @param by_side   each side's deliveries in the order of the log.
 * @param asker     who asks.
 * @param protocol  static: what to call them.
 */
void tw_turns_append(const struct tw_log *log, const struct tw_deliveries by_side[2],
                     const int64_t from[2], enum tcpwhy_side asker, const char *protocol,
                     struct tw_exchanges *exchanges);

#endif
