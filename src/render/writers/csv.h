/* SPDX-License-Identifier: MIT */
/*
 * Records as comma-separated values (RFC 4180, line feeds alone): the keys of JSON are the names of
 * the columns; those of a record inside follow its own, joined by an underscore.
 */
#ifndef TW_RENDER_WRITERS_CSV_H
#define TW_RENDER_WRITERS_CSV_H

#include "base/array.h"
#include "base/text.h"
#include "render/writers/fields.h"

/* Names, or values, appended with a comma before each but the first of the line. What only JSON
 * has is left out. */
void tw_csv_names(tw_string *line, const char *prefix, const struct tw_field *fields);
void tw_csv_values(tw_string *line, const struct tw_field *fields, const void *record);

/* A line of names, then one for each record of the array. */
void tw_csv_rows(struct tw_writer *out, const struct tw_field *fields, const tw_array *rows);

/* Any text as one cell: what is not UTF-8, and controls, become U+FFFD. */
void tw_csv_text(tw_string *line, const char *text);

#endif
