/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "render/writers/fields.h"

static void comma(tw_string *line)
{
    if (line->len > 0)
        tw_string_append_c(line, ',');
}

static bool has_column(const struct tw_field *f)
{
    return f->key && f->kind != TW_CALL && f->kind != TW_FRAMES && !f->pair;
}

void tw_csv_names(tw_string *line, const char *prefix, const struct tw_field *fields)
{
    for (; !tw_fields_end(fields); fields++) {
        tw_autofree char *inner = NULL;

        if (!has_column(fields))
            continue;
        if (fields->kind == TW_RECORD) {
            inner = tw_strdup_printf("%s%s_", prefix, fields->key);
            tw_csv_names(line, inner, fields->fields);
            continue;
        }
        comma(line);
        tw_string_append_printf(line, "%s%s", prefix, fields->key);
    }
}

void tw_csv_text(tw_string *line, const char *text)
{
    tw_autofree char *valid = tw_utf8_make_valid(text, -1);
    bool quoted = strpbrk(valid, ",\"") != NULL;

    if (quoted)
        tw_string_append_c(line, '"');
    for (const char *at = valid; *at; at += g_utf8_skip[(guchar)*at]) {
        gunichar c = g_utf8_get_char(at);

        if (g_unichar_iscntrl(c))
            c = 0xfffd;
        if (c == '"')
            tw_string_append_c(line, '"');
        tw_string_append_unichar(line, c);
    }
    if (quoted)
        tw_string_append_c(line, '"');
}

static void append_ns(tw_string *line, tcpwhy_ns ns, unsigned scale)
{
    if (ns != TCPWHY_NS_UNKNOWN)
        tw_string_append(line, tw_fixed(ns, scale, scale, false).text);
}

static void value(tw_string *line, const struct tw_field *f, const void *record)
{
    const void *at = (const char *)record + f->at;
    const struct tcpwhy_endpoint *endpoint = at;
    const char *word;

    switch (f->kind) {
    case TW_UINT:
    case TW_FRAME:
        if (tw_field_unsigned(f, record) || !(f->zero_is_none || f->kind == TW_FRAME))
            tw_string_append_printf(line, "%" G_GUINT64_FORMAT,
                                    (guint64)tw_field_unsigned(f, record));
        break;
    case TW_BOOL:
        tw_string_append(line, tw_field_unsigned(f, record) ? "true" : "false");
        break;
    case TW_REAL:
        tw_string_append(line, tw_real(*(const double *)at).text);
        break;
    case TW_TEXT:
        word = *(const char *const *)at;
        tw_csv_text(line, word ? word : "");
        break;
    case TW_MS:
    case TW_US:
        append_ns(line, *(const tcpwhy_ns *)at, f->kind == TW_MS ? 6 : 3);
        break;
    case TW_ENDPOINT:
        if (endpoint->version)
            tw_csv_text(line, tw_endpoint(endpoint).text);
        break;
    case TW_NAME:
        word = f->name ? f->name((unsigned)tw_field_unsigned(f, record)) : NULL;
        tw_string_append(line, word ? word : "");
        break;
    default:
        break;
    }
}

void tw_csv_values(tw_string *line, const struct tw_field *fields, const void *record)
{
    bool first = line->len == 0;

    for (; !tw_fields_end(fields); fields++) {
        if (!has_column(fields))
            continue;
        if (!first && fields->kind != TW_RECORD)
            tw_string_append_c(line, ',');
        if (fields->kind == TW_RECORD)
            tw_csv_values(line, fields->fields, (const char *)record + fields->at);
        else if (!fields->shown || fields->shown(record))
            value(line, fields, record);
        first = false;
    }
}

void tw_csv_rows(struct tw_writer *out, const struct tw_field *fields, const tw_array *rows)
{
    g_autoptr(tw_string) line = tw_string_new(NULL);

    tw_csv_names(line, "", fields);
    for (guint i = 0; i <= rows->len && !out->stopped; i++) {
        tw_string_append_c(line, '\n');
        tw_writer_bytes(out, line->str, line->len);
        tw_string_truncate(line, 0);
        if (i < rows->len)
            tw_csv_values(line, fields,
                          rows->data + i * tw_array_get_element_size((tw_array *)(uintptr_t)rows));
    }
}
