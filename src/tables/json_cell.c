/* SPDX-License-Identifier: MIT */
#include "tables/json_cell.h"

#include "base/text.h"

static bool append(void *user, const char *bytes, size_t len)
{
    tw_string_append_len(user, bytes, (gssize)len);
    return true;
}

void tw_json_cell_begin(struct tw_json_cell *cell)
{
    cell->text = tw_string_new(NULL);
    tw_writer_init(&cell->out, append, cell->text);
    tw_json_init(&cell->json, &cell->out, 0);
}

char *tw_json_cell_end(struct tw_json_cell *cell)
{
    tw_json_end(&cell->json);
    tw_writer_finish(&cell->out);
    /* Without the final line feed of a document. */
    tw_string_truncate(cell->text, cell->text->len - 1);
    return tw_string_free(cell->text, FALSE);
}

char *tw_json_cell_frames(const uint32_t *frames, size_t n)
{
    struct tw_json_cell cell;

    tw_json_cell_begin(&cell);
    tw_json_array(&cell.json, NULL);
    for (size_t i = 0; i < n; i++)
        tw_json_uint(&cell.json, NULL, frames[i]);
    return tw_json_cell_end(&cell);
}
