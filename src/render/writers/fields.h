/* SPDX-License-Identifier: MIT */
/*
 * A record of plain values as a list of fields. Each field is laid out once: its key in JSON, its
 * head and format as a table's column, its label as a line. A new field then appears in every form.
 */
#ifndef TW_RENDER_WRITERS_FIELDS_H
#define TW_RENDER_WRITERS_FIELDS_H

#include <stddef.h>

#include "base/array.h"
#include "base/text.h"
#include "render/writers/json.h"
#include "render/writers/table.h"

enum tw_kind {
    TW_UINT, /* any unsigned integer */
    TW_REAL,
    TW_BOOL,
    TW_TEXT,
    TW_MS, /* tcpwhy_ns, in JSON milliseconds */
    TW_US, /* tcpwhy_ns, in JSON microseconds */
    TW_FRAME,
    TW_ENDPOINT,
    TW_NAME,   /* an enum, by name() */
    TW_STREAM, /* a number, or TCPWHY_NO_STREAM */
    TW_WORDS,  /* words() */
    TW_FRAMES, /* an array of them: frames() */
    TW_RECORD, /* a record inside this one: fields */
    TW_CALL,   /* json() writes it */
};

/* How a column shows a value. */
enum tw_format {
    TW_FORMAT_KIND, /* counts grouped, times with the unit that fits */
    TW_FORMAT_PLAIN,
    TW_FORMAT_BYTES,
    TW_FORMAT_MS,
    TW_FORMAT_S,
    TW_FORMAT_S6,
};

/* Frames of a stream. */
struct tw_frames {
    uint32_t stream;
    const uint32_t *frame;
    size_t n;
};

struct tw_field {
    const char *key; /* in JSON; NULL: not there */
    enum tw_kind kind;
    uint16_t at, size;
    bool pair;                           /* two of them, an object of "before" and "after" */
    bool zero_is_none;                   /* 0 or "" is null in JSON and "-" in a table */
    bool zero_is_dash;                   /* in a table */
    const char *(*name)(unsigned value); /* NULL: null in JSON, "-" in a table */
    const struct tw_field *fields;
    void (*json)(struct tw_json *json, const void *record);
    bool (*shown)(const void *record); /* if not: left out of JSON, an empty cell */

    /* kind FRAMES; of a line, words behind them are appended, if not NULL. @return whether there
     * is a line. */
    bool (*frames)(const void *record, struct tw_frames *frames, tw_string *behind);

    const char *title; /* of the column; NULL: no column */
    const char *label; /* of the line; "": a paragraph without; NULL: no line */
    uint8_t column;    /* columns and lines stand in this order; equal ones in that of the fields */
    uint8_t min, leaves;
    bool spare;
    bool empty_goes;     /* a column of texts or times without any is left out */
    uint8_t on_page;     /* place in a table of a page, from 1; 0: not there */
    const char *classes; /* there */
    bool left;           /* numbers are aligned to the right unless this is set */
    bool bar;            /* the value, a share, as a bar; cell() gives its tone */
    enum tw_format format;
    enum tw_tone tone;                  /* unless it is 0 or none */
    bool (*marked)(const void *record); /* then it is BAD */
    bool (*quiet)(const void *record);  /* then it is QUIET */
    /* instead of the above: the text of a line or a cell; and with a tone */
    void (*words)(tw_string *text, const void *record);
    void (*cell)(const void *record, tw_string *text, enum tw_tone *tone);
};

#define TW_AT(type, member) .at = offsetof(type, member), .size = sizeof(((type *)0)->member)

/* Fields end with one that nothing shows. */
#define TW_FIELDS_END                                                                              \
    {                                                                                              \
        .key = NULL                                                                                \
    }

static inline bool tw_fields_end(const struct tw_field *f)
{
    return !f->key && !f->title && !f->label && f->kind != TW_CALL;
}

/* As members of the object that is open; as an object of its own. */
void tw_json_members(struct tw_json *json, const struct tw_field *fields, const void *record);
void tw_json_record(struct tw_json *json, const char *key, const struct tw_field *fields,
                    const void *record);

/* Objects of an array under that key, or, without a key, of the array that is open, or lines. */
void tw_json_records(struct tw_json *json, const char *key, const struct tw_field *fields,
                     const void *records, size_t n, size_t size);

/* The heads of a table's columns, and for each record its cells as the table shows them, as arrays.
 */
void tw_json_titles(struct tw_json *json, const char *key, const struct tw_field *fields);
void tw_json_cells(struct tw_json *json, const char *key, const struct tw_field *fields,
                   const void *records, size_t n, size_t size);

/* A row a record, which follow each other, size bytes apart; the columns are the fields that have a
 * title. */
void tw_fields_table(struct tw_layout *page, const struct tw_field *fields, const void *records,
                     size_t n, size_t size, unsigned indent);
/* Likewise, on a page of another kind. */
void tw_fields_draw(struct tw_layout *page, const struct tw_field *fields, const void *records,
                    size_t n, size_t size, unsigned indent, tw_table_fn *draw);

/* A line of a record: frames are NULL, or its text stands behind them. */
typedef void tw_line_fn(void *user, const struct tw_field *field, const struct tw_frames *frames,
                        enum tw_tone tone, const char *text);

/* The lines of a record, in their order, without empty ones. */
void tw_fields_lines(const struct tw_field *fields, const void *record, tw_line_fn *line,
                     void *user);

/* The value of a field of kind UINT, BOOL, FRAME or NAME. */
uint64_t tw_field_unsigned(const struct tw_field *field, const void *record);

/* Of a number or a time; -1 for what is not known. */
double tw_field_value(const struct tw_field *field, const void *record);

/* Is its value a number, by which a table sorts? */
bool tw_field_is_number(const struct tw_field *field);

/* A value as a table shows it, appended. */
void tw_field_text(const struct tw_field *field, const void *record, tw_string *text,
                   enum tw_tone *tone);

/* ---- as comma-separated values (RFC 4180, line feeds alone) ---------------------------------- */

/* Names, or values, appended with a comma before each but the first of the line. What only JSON
 * has is left out. */
void tw_csv_names(tw_string *line, const char *prefix, const struct tw_field *fields);
void tw_csv_values(tw_string *line, const struct tw_field *fields, const void *record);

/* A line of names, then one for each record of the array. */
void tw_csv_rows(struct tw_writer *out, const struct tw_field *fields, const tw_array *rows);

/* Any text as one cell: what is not UTF-8, and controls, become U+FFFD. */
void tw_csv_text(tw_string *line, const char *text);

#endif
