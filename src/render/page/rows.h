/* SPDX-License-Identifier: MIT */
/* The flow graph of a stream, for a page's script. */
#ifndef TW_RENDER_PAGE_ROWS_H
#define TW_RENDER_PAGE_ROWS_H

#include <glib.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "render/writers/json.h"
#include "report/flow/flow.h"

/* Texts that others refer to, each once. */
struct tw_notes {
    tw_hash_table *index; /* text to its place in the list and 1 */
    tw_ptr_array *list;
};

void tw_notes_init(struct tw_notes *notes);
void tw_notes_clear(struct tw_notes *notes);
/* Of a text, which is added if it is new. */
guint tw_notes_place(struct tw_notes *notes, const char *text);
void tw_notes_json(struct tw_json *json, const char *key, const struct tw_notes *notes);

/* "rows" as a member of the object that is open: of the whole stream, about max_rows of them. */
void tw_html_rows(struct tw_json *json, const struct tw_flow_source *source, uint32_t max_rows,
                  struct tw_notes *notes);

#endif
