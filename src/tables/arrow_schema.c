/* SPDX-License-Identifier: MIT */
/*
 * Formats and metadata as in https://arrow.apache.org/docs/format/CDataInterface.html: key and
 * value are each preceded by their length as a native 32-bit integer.
 */
#include "base/text.h"
#include "tables/arrow.h"

#include <string.h>

static const char *format_of(enum tw_type type, bool integer_times)
{
    switch (type) {
    case TW_TEXT:
        return "u";
    case TW_REAL:
        return "g";
    case TW_BOOL:
        return "b";
    case TW_TIME:
        return integer_times ? "l" : "tsn:UTC";
    case TW_INT:
        break;
    }
    return "l";
}

static void append_int(tw_string *bytes, size_t n)
{
    int32_t value = (int32_t)n;

    tw_string_append_len(bytes, (const char *)&value, sizeof(value));
}

static void append_pair(tw_string *bytes, const char *key, const char *value)
{
    append_int(bytes, strlen(key));
    tw_string_append(bytes, key);
    append_int(bytes, strlen(value));
    tw_string_append(bytes, value);
}

static char *column_metadata(const struct tw_column *column)
{
    tw_string *bytes = tw_string_new(NULL);

    append_int(bytes, 1);
    append_pair(bytes, "description", column->what);
    return tw_string_free(bytes, FALSE);
}

static char *table_metadata(const struct tw_table *table)
{
    tw_string *bytes = tw_string_new(NULL);

    append_int(bytes, 2);
    append_pair(bytes, "tcpwhy.table", table->name);
    append_pair(bytes, "tcpwhy.tables_version", G_STRINGIFY(TCPWHY_TABLES_VERSION));
    return tw_string_free(bytes, FALSE);
}

/* A child may have been moved out, as Arrow allows; its release is NULL then. */
static void release(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
        tw_free(schema->children[i]);
    }
    tw_free(schema->children);
    tw_free(schema->private_data);
    schema->release = NULL;
}

static struct ArrowSchema *field(const struct tw_column *column, bool integer_times)
{
    struct ArrowSchema *schema = tw_new0(struct ArrowSchema, 1);
    char *metadata = column_metadata(column);

    *schema = (struct ArrowSchema) {
        .format = format_of(column->type, integer_times),
        .name = column->name,
        .metadata = metadata,
        .flags = column->nullable ? ARROW_FLAG_NULLABLE : 0,
        .release = release,
        .private_data = metadata,
    };
    return schema;
}

void tw_arrow_schema(const struct tw_table *table, bool integer_times, struct ArrowSchema *out)
{
    char *metadata = table_metadata(table);

    *out = (struct ArrowSchema) {
        .format = "+s",
        .name = "",
        .metadata = metadata,
        .n_children = (int64_t)table->n_columns,
        .children = tw_new(struct ArrowSchema *, table->n_columns),
        .release = release,
        .private_data = metadata,
    };
    for (size_t i = 0; i < table->n_columns; i++)
        out->children[i] = field(&table->columns[i], integer_times);
}
