/* SPDX-License-Identifier: MIT */
/* How the causes of a stream's costliest gaps were weighed, for a page's script. */
#ifndef TW_RENDER_PAGE_WHY_H
#define TW_RENDER_PAGE_WHY_H

#include "render/page/rows.h"
#include "report/report_rows.h"

/* As the member "why" of the object that is open: in max_length characters, about, but of one gap
 * at least. Nothing where no weighings were kept. */
void tw_html_why(struct tw_json *json, const struct tw_stream_row *stream, struct tw_notes *notes,
                 size_t max_length);

#endif
