/* SPDX-License-Identifier: MIT */
/* Events of a stream (text/event-stream) that something held back. */
#ifndef TW_APP_EVENT_STREAM_H
#define TW_APP_EVENT_STREAM_H

#include <string.h>

#include "app/app.h"

/* The first events of a stream that flows are few: four at most as programs stream now. */
#define TW_HELD_EVENTS 5

/* Did the answer bring as many events with its head? */
static inline bool tw_events_were_held(const struct tw_exchanges *all, const struct tw_exchange *e)
{
    return e->more > 0 && e->status / 100 == 2 && strcmp(e->protocol, "http") == 0 &&
           all->more[e->more - 1].messages[1] >= TW_HELD_EVENTS;
}

#endif
