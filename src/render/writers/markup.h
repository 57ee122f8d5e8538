/* SPDX-License-Identifier: MIT */
/* Any text, made safe for XML and HTML: as content, and as an attribute in quotes. */
#ifndef TW_RENDER_WRITERS_MARKUP_H
#define TW_RENDER_WRITERS_MARKUP_H

#include "render/writers/writer.h"

/* Markup becomes entities; controls and what is not UTF-8 are written out, as on a terminal. */
void tw_markup_escaped(struct tw_writer *out, const char *text);

#endif
