/* SPDX-License-Identifier: MIT */
/*
 * The asker in a protocol without message boundaries: over the life of a connection, the side that
 * is answered fast, not the one that opened it. A shell that calls home is typed at on the server.
 */
#ifndef TW_APP_TYPING_H
#define TW_APP_TYPING_H

#include "app/app.h"

enum tw_typing {
    TW_TYPING_NONE,
    TW_TYPING_MAYBE,  /* the client is as prompt as who answers, the server as slow as who asks */
    TW_TYPING_SERVER, /* single keys of the server are echoed */
};

/* Look at turns of which the client is the asker: those from an index on. */
enum tw_typing tw_typing_find(const struct tw_log *log, const struct tw_exchanges *exchanges,
                              uint32_t first);

#endif
