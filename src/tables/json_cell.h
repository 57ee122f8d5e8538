/* SPDX-License-Identifier: MIT */
/* A cell that holds JSON text: lists and pairs that every database can take apart. */
#ifndef TW_TABLES_JSON_CELL_H
#define TW_TABLES_JSON_CELL_H

#include <glib.h>

#include "render/writers/json.h"

struct tw_json_cell {
    struct tw_json json;
    struct tw_writer out;
    GString *text;
};

/* Then open an object or an array in cell->json, and fill it. */
void tw_json_cell_begin(struct tw_json_cell *cell);

/* Close what was opened. @return its text, which the caller frees. */
char *tw_json_cell_end(struct tw_json_cell *cell);

#endif
