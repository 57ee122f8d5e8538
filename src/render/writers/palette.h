/* SPDX-License-Identifier: MIT */
/*
 * One fixed colour a cause, for every picture.
 */
#ifndef TW_RENDER_WRITERS_PALETTE_H
#define TW_RENDER_WRITERS_PALETTE_H

#include <tcpwhy/types.h>

/* A colour on a light ground and on a dark one, as "#0072b2". */
struct tw_colour {
    const char *light, *dark;
};

struct tw_colour tw_palette_cause(enum tcpwhy_cause cause);

#endif
