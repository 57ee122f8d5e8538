/* SPDX-License-Identifier: MIT */
/* The engine keeps this of a connection while it is open. */
#ifndef TW_ENGINE_LIFE_H
#define TW_ENGINE_LIFE_H

#include <glib.h>

#include "app/app.h"
#include "app/follow.h"
#include "log/log.h"

/* Attached to a tracked connection, in the room after it. */
struct tw_life {
    struct tw_life *next, *previous; /* list of closed connections that wait */
    struct tw_connection *connection;
    size_t bytes; /* as last counted ... */
    guint listener;
    bool waits;            /* closed, unless more frames come; from here on touched by each frame */
    uint32_t log_records;  /* ... for a log of that many records */
    unsigned grown;        /* 1 + its index among those to be counted, or 0 */
    uint8_t looks;         /* for incidents: frames to be looked at yet since a wait ended ... */
    uint32_t told_records; /* ... records of the log at the last look for their number ... */
    tcpwhy_ns told_ns;     /* ... and the end of the last one that was told */
    uint32_t queued;       /* 1 + its index among those to be looked at, or 0 */
    struct tw_follow *follow;
    struct tw_app app;
    struct tw_log *log; /* own; NULL: stream not wanted */
    struct tw_log own;  /* without records if not wanted */
};

#endif
