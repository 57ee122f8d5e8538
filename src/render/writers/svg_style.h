/* SPDX-License-Identifier: MIT */
/* How the elements of every picture look, on screen and on paper. */
#ifndef TW_RENDER_WRITERS_SVG_STYLE_H
#define TW_RENDER_WRITERS_SVG_STYLE_H

#include "render/writers/palette.h"
#include "render/writers/writer.h"

/* A <style> with the rules of all pictures, the colours of some causes, and those of curves. */
void tw_svg_style(struct tw_writer *out, tw_cause_set causes, bool curves);

#endif
