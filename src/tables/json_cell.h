/* SPDX-License-Identifier: MIT */
/* A cell with JSON text: lists and objects for databases with JSON functions. */
#ifndef TW_TABLES_JSON_CELL_H
#define TW_TABLES_JSON_CELL_H

#include <glib.h>

#include "base/text.h"
#include "render/writers/json.h"

struct tw_json_cell {
    struct tw_json json;
    struct tw_writer out;
    tw_string *text;
};

/* Then open and fill an array or object in cell->json. */
void tw_json_cell_begin(struct tw_json_cell *cell);

/* Close it. @return its text, freed by the caller. */
char *tw_json_cell_end(struct tw_json_cell *cell);

/* Numbers of frames as an array; tw_free() it. */
char *tw_json_cell_frames(const uint32_t *frames, size_t n);

#endif
