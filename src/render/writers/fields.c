/* SPDX-License-Identifier: MIT */
/*
 * Fields to JSON and to the cells of a table.
 */
#include "render/writers/fields.h"

#include <assert.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

uint64_t tw_field_unsigned(const struct tw_field *f, const void *record)
{
    const char *at = (const char *)record + f->at;
    uint64_t u64;
    uint32_t u32;
    uint16_t u16;

    switch (f->size) {
    case sizeof(u64):
        memcpy(&u64, at, sizeof(u64));
        return u64;
    case sizeof(u32):
        memcpy(&u32, at, sizeof(u32));
        return u32;
    case sizeof(u16):
        memcpy(&u16, at, sizeof(u16));
        return u16;
    default:
        return (unsigned char)*at;
    }
}

static const void *value_of(const struct tw_field *f, const void *record)
{
    return (const char *)record + f->at;
}

static tcpwhy_ns ns_of(const struct tw_field *f, const void *record)
{
    return *(const tcpwhy_ns *)value_of(f, record);
}

static double real_of(const struct tw_field *f, const void *record)
{
    return *(const double *)value_of(f, record);
}

static const char *text_of(const struct tw_field *f, const void *record)
{
    return *(const char *const *)value_of(f, record);
}

double tw_field_value(const struct tw_field *f, const void *record)
{
    if (f->kind == TW_REAL)
        return real_of(f, record);
    if (f->kind == TW_MS || f->kind == TW_US)
        return ns_of(f, record) == TCPWHY_NS_UNKNOWN ? -1 : (double)ns_of(f, record);
    return (double)tw_field_unsigned(f, record);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void frames(struct tw_json *json, const struct tw_field *f, const void *record)
{
    struct tw_frames of;

    f->frames(record, &of, NULL);
    tw_json_array(json, f->key);
    for (size_t i = 0; i < of.n; i++)
        tw_json_uint(json, NULL, of.frame[i]);
    tw_json_end(json);
}

static void words(struct tw_json *json, const struct tw_field *f, const void *record)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    f->words(text, record);
    tw_json_string(json, f->key, text->str);
}

static void member(struct tw_json *json, const struct tw_field *f, const void *record)
{
    const char *text;

    switch (f->kind) {
    case TW_UINT:
        if (f->zero_is_none && tw_field_unsigned(f, record) == 0)
            tw_json_null(json, f->key);
        else
            tw_json_uint(json, f->key, tw_field_unsigned(f, record));
        break;
    case TW_REAL:
        tw_json_real(json, f->key, real_of(f, record));
        break;
    case TW_BOOL:
        tw_json_bool(json, f->key, tw_field_unsigned(f, record) != 0);
        break;
    case TW_TEXT:
        text = text_of(f, record);
        tw_json_string(json, f->key, text && text[0] == '\0' && f->zero_is_none ? NULL : text);
        break;
    case TW_MS:
        tw_json_ms(json, f->key, ns_of(f, record));
        break;
    case TW_US:
        tw_json_us(json, f->key, ns_of(f, record));
        break;
    case TW_FRAME:
        tw_json_frame(json, f->key, (uint32_t)tw_field_unsigned(f, record));
        break;
    case TW_ENDPOINT:
        tw_json_endpoint(json, f->key, value_of(f, record));
        break;
    case TW_NAME:
        tw_json_string(json, f->key, f->name((unsigned)tw_field_unsigned(f, record)));
        break;
    case TW_STREAM:
        tw_json_known(json, f->key, tw_field_unsigned(f, record) != TCPWHY_NO_STREAM,
                      (int64_t)tw_field_unsigned(f, record));
        break;
    case TW_WORDS:
        words(json, f, record);
        break;
    case TW_FRAMES:
        frames(json, f, record);
        break;
    case TW_RECORD:
        tw_json_record(json, f->key, f->fields, value_of(f, record));
        break;
    case TW_CALL:
        f->json(json, record);
        break;
    }
}

static void pair(struct tw_json *json, const struct tw_field *f, const void *record)
{
    struct tw_field one = *f;

    one.size = f->size / 2;
    tw_json_object(json, f->key);
    one.key = "before";
    member(json, &one, record);
    one.key = "after";
    one.at = (uint16_t)(f->at + one.size);
    member(json, &one, record);
    tw_json_end(json);
}

void tw_json_members(struct tw_json *json, const struct tw_field *fields, const void *record)
{
    for (; !tw_fields_end(fields); fields++)
        if ((fields->key || fields->kind == TW_CALL) && (!fields->shown || fields->shown(record)))
            (fields->pair ? pair : member)(json, fields, record);
}

void tw_json_record(struct tw_json *json, const char *key, const struct tw_field *fields,
                    const void *record)
{
    tw_json_object(json, key);
    tw_json_members(json, fields, record);
    tw_json_end(json);
}

void tw_json_records(struct tw_json *json, const char *key, const struct tw_field *fields,
                     const void *records, size_t n, size_t size)
{
    if (key)
        tw_json_array(json, key);
    for (size_t i = 0; i < n && !json->out->stopped; i++)
        tw_json_record(json, NULL, fields, (const char *)records + i * size);
    if (key)
        tw_json_end(json);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static struct tw_short_text time_text(enum tw_format format, tcpwhy_ns ns)
{
    return format == TW_FORMAT_MS   ? tw_ms(ns, 3)
           : format == TW_FORMAT_S  ? tw_seconds(ns, 3)
           : format == TW_FORMAT_S6 ? tw_seconds(ns, 6)
                                    : tw_duration(ns);
}

static struct tw_short_text count_text(enum tw_format format, uint64_t n)
{
    return format == TW_FORMAT_BYTES   ? tw_byte_size(n)
           : format == TW_FORMAT_PLAIN ? tw_plain(n)
                                       : tw_count(n);
}

void tw_field_text(const struct tw_field *f, const void *record, tw_string *text,
                   enum tw_tone *tone)
{
    struct tw_short_text own;
    const char *value = own.text;
    bool dash = false;

    if (f->shown && !f->shown(record))
        return;
    if (f->cell) {
        f->cell(record, text, tone);
        return;
    }
    if (f->words) {
        f->words(text, record);
        if (f->marked && f->marked(record))
            *tone = TW_TONE_BAD;
        return;
    }
    switch (f->kind) {
    case TW_UINT:
    case TW_FRAME:
        dash = (f->zero_is_none || f->zero_is_dash) && tw_field_unsigned(f, record) == 0;
        own = count_text(f->format, tw_field_unsigned(f, record));
        break;
    case TW_STREAM:
        dash = tw_field_unsigned(f, record) == TCPWHY_NO_STREAM;
        own = tw_plain(tw_field_unsigned(f, record));
        break;
    case TW_REAL:
        dash = f->zero_is_dash && real_of(f, record) == 0;
        own = tw_percent(real_of(f, record));
        break;
    case TW_TEXT:
        value = text_of(f, record);
        break;
    case TW_MS:
    case TW_US:
        own = time_text(f->format, ns_of(f, record));
        break;
    case TW_ENDPOINT:
        own = tw_endpoint(value_of(f, record));
        break;
    case TW_NAME:
        value = f->name((unsigned)tw_field_unsigned(f, record));
        break;
    default:
        value = NULL;
        break;
    }
    if (value && !dash && f->tone != TW_TONE_PLAIN)
        *tone = f->tone;
    if (f->marked && f->marked(record))
        *tone = TW_TONE_BAD;
    if (f->quiet && f->quiet(record))
        *tone = TW_TONE_QUIET;
    tw_string_append(text, value && !dash ? value : "-");
}

struct records {
    const struct tw_field *field[TW_TABLE_MAX_COLUMNS];
    const struct tw_field *bar;
    const char *first;
    size_t size;
};

static void cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                 tw_string *text, enum tw_tone *tone)
{
    const struct records *r = data;

    (void)page;
    tw_field_text(r->field[column], r->first + row * r->size, text, tone);
}

static double share(const void *data, size_t row)
{
    const struct records *r = data;

    return real_of(r->bar, r->first + row * r->size);
}

/* The columns, or the lines, in their order. @return how many. */
static size_t choose(const struct tw_field *fields, bool lines, const struct tw_field **chosen)
{
    size_t n = 0;

    for (; !tw_fields_end(fields); fields++) {
        size_t at = n;

        if (!(lines ? fields->label : fields->title))
            continue;
        assert(n < TW_TABLE_MAX_COLUMNS);
        for (; at > 0 && chosen[at - 1]->column > fields->column; at--)
            chosen[at] = chosen[at - 1];
        chosen[at] = fields;
        n++;
    }
    return n;
}

bool tw_field_is_number(const struct tw_field *f)
{
    return f->kind == TW_UINT || f->kind == TW_STREAM || f->kind == TW_REAL || f->kind == TW_MS ||
           f->kind == TW_US || f->kind == TW_CALL;
}

static bool is_empty(const struct tw_field *f, const void *record)
{
    if (f->kind == TW_MS)
        return ns_of(f, record) == TCPWHY_NS_UNKNOWN;
    return f->kind == TW_TEXT && !f->cell && !f->words &&
           (!text_of(f, record) || !text_of(f, record)[0]);
}

/* Leave out columns that would be empty. @return how many there are. */
static size_t fill(const struct tw_field **chosen, size_t n, const struct records *r, size_t n_rows)
{
    size_t kept = 0;

    for (size_t c = 0; c < n; c++) {
        bool empty = chosen[c]->empty_goes;

        for (size_t row = 0; empty && row < n_rows; row++)
            empty = is_empty(chosen[c], r->first + row * r->size);
        if (!empty)
            chosen[kept++] = chosen[c];
    }
    return kept;
}

void tw_fields_draw(struct tw_layout *page, const struct tw_field *fields, const void *records,
                    size_t n, size_t size, unsigned indent, tw_table_fn *draw)
{
    struct tw_column columns[TW_TABLE_MAX_COLUMNS];
    struct records data = { .first = records, .size = size };
    struct tw_table table = { .columns = columns,
                              .n_rows = n,
                              .indent = indent,
                              .data = &data,
                              .cell = cell,
                              .share = share };

    table.n_columns = fill(data.field, choose(fields, false, data.field), &data, n);
    for (size_t c = 0; c < table.n_columns; c++) {
        const struct tw_field *f = data.field[c];

        columns[c] = (struct tw_column) { .title = f->title,
                                          .right = tw_field_is_number(f) && !f->left && !f->bar,
                                          .min = f->min,
                                          .spare = f->spare,
                                          .leaves = f->leaves,
                                          .bar = f->bar };
        if (f->bar)
            data.bar = f;
    }
    draw(page, &table);
}

void tw_fields_table(struct tw_layout *page, const struct tw_field *fields, const void *records,
                     size_t n, size_t size, unsigned indent)
{
    tw_fields_draw(page, fields, records, n, size, indent, tw_table_draw);
}

void tw_json_titles(struct tw_json *json, const char *key, const struct tw_field *fields)
{
    const struct tw_field *chosen[TW_TABLE_MAX_COLUMNS];
    size_t n = choose(fields, false, chosen);

    tw_json_array(json, key);
    for (size_t i = 0; i < n; i++)
        tw_json_string(json, NULL, chosen[i]->title);
    tw_json_end(json);
}

void tw_json_cells(struct tw_json *json, const char *key, const struct tw_field *fields,
                   const void *records, size_t n, size_t size)
{
    const struct tw_field *chosen[TW_TABLE_MAX_COLUMNS];
    size_t n_columns = choose(fields, false, chosen);
    g_autoptr(tw_string) text = tw_string_new(NULL);
    enum tw_tone tone = TW_TONE_PLAIN;

    tw_json_array(json, key);
    for (size_t row = 0; row < n; row++) {
        tw_json_array(json, NULL);
        for (size_t i = 0; i < n_columns; i++) {
            tw_string_truncate(text, 0);
            tw_field_text(chosen[i], (const char *)records + row * size, text, &tone);
            tw_json_string(json, NULL, text->str);
        }
        tw_json_end(json);
    }
    tw_json_end(json);
}

/* ---- lines ----------------------------------------------------------------------------------- */

void tw_fields_lines(const struct tw_field *fields, const void *record, tw_line_fn *line,
                     void *user)
{
    const struct tw_field *chosen[TW_TABLE_MAX_COLUMNS];
    size_t n = choose(fields, true, chosen);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    for (size_t i = 0; i < n; i++) {
        const struct tw_field *f = chosen[i];
        enum tw_tone tone = f->tone;
        struct tw_frames frames;

        tw_string_truncate(text, 0);
        if (f->kind == TW_FRAMES) {
            if (f->frames(record, &frames, text))
                line(user, f, &frames, tone, text->str);
            continue;
        }
        if (!is_empty(f, record))
            tw_field_text(f, record, text, &tone);
        if (text->len > 0)
            line(user, f, NULL, tone, text->str);
    }
}
