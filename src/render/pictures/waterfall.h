/* SPDX-License-Identifier: MIT */
/* A request's life as browsers draw it, one row each. */
#ifndef TW_RENDER_PICTURES_WATERFALL_H
#define TW_RENDER_PICTURES_WATERFALL_H

#include "render/writers/writer.h"
#include "report/figures/phases.h"

/* The first rows (struct tw_phases) as a picture inside a page; how many there are is said. */
void tw_waterfall_in_html(const tw_array *rows, struct tw_writer *out);

#endif
