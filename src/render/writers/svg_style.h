/* SPDX-License-Identifier: MIT */
/* How the elements of every picture look, on screen and on paper. */
#ifndef TW_RENDER_WRITERS_SVG_STYLE_H
#define TW_RENDER_WRITERS_SVG_STYLE_H

#include "render/writers/svg.h"

/* A <style> with the rules of all pictures and the colours that this one wants. */
void tw_svg_style(struct tw_svg *svg, const struct tw_svg_page *page);

#endif
