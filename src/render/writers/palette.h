/* SPDX-License-Identifier: MIT */
/*
 * One fixed colour a cause, for every picture.
 */
#ifndef TW_RENDER_WRITERS_PALETTE_H
#define TW_RENDER_WRITERS_PALETTE_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/counts.h"
#include "base/short_text.h"

/* A colour on a light ground and on a dark one, as "#0072b2". */
struct tw_colour {
    const char *light, *dark;
};

struct tw_colour tw_palette_cause(enum tcpwhy_cause cause);

/* Classes of an element with the colour of a cause: "band c-nagle_delayed_ack", "c-wire". */
struct tw_short_text tw_cause_class(const char *before, enum tcpwhy_cause cause);

/* Which causes a picture shows: bit n is cause n. */
typedef uint64_t tw_cause_set;
G_STATIC_ASSERT(TW_N_CAUSES <= 64);

static inline tw_cause_set tw_cause_bit(enum tcpwhy_cause cause)
{
    return (unsigned)cause < TW_N_CAUSES ? UINT64_C(1) << cause : 0;
}

#endif
