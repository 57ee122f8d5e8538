/* SPDX-License-Identifier: MIT */
#include "journal.h"

#include <stdlib.h>
#include <string.h>

#define TITLE "tcpwhy batch"

static void entry_free(gpointer data)
{
    struct entry *entry = data;

    g_ptr_array_free(entry->files, TRUE);
    g_free(entry);
}

struct entry *entry_new(const char *id, bool failed)
{
    struct entry *entry = g_new0(struct entry, 1);

    g_strlcpy(entry->id, id, sizeof(entry->id));
    entry->failed = failed;
    entry->files = g_ptr_array_new_with_free_func(file_free);
    return entry;
}

struct journal *journal_new(const char *form, int version)
{
    struct journal *journal = g_new0(struct journal, 1);

    journal->form = g_strdup(form);
    journal->version = version;
    journal->entries = g_ptr_array_new_with_free_func(entry_free);
    return journal;
}

void journal_free(struct journal *journal)
{
    if (!journal)
        return;
    g_ptr_array_free(journal->entries, TRUE);
    g_free(journal->form);
    g_free(journal);
}

/* The fields of a line, one after the other. */
static bool take_int(char ***field, int64_t *value)
{
    return **field && g_ascii_string_to_signed(*(*field)++, 10, 0, INT64_MAX, value, NULL);
}

static bool take_ends(char ***field, struct ends *ends)
{
    for (int t = 0; t < N_TABLES; t++)
        if (!take_int(field, &ends->at[t]))
            return false;
    return true;
}

static struct file *take_file(char ***field)
{
    int64_t size_bytes, modified_ns;
    struct file *file;

    if (!take_int(field, &size_bytes) || !take_int(field, &modified_ns) || !**field)
        return NULL;
    file = g_new0(struct file, 1);
    file->size_bytes = size_bytes;
    file->modified_ns = modified_ns;
    file->path = g_strcompress(*(*field)++);
    return file;
}

static struct entry *parse_entry(const char *line)
{
    g_auto(GStrv) fields = g_strsplit(line, "\t", -1);
    char **field = fields;
    struct entry *entry;
    struct file *file;
    int64_t failed = 0;

    if (g_strv_length(fields) < 2)
        return NULL;
    entry = entry_new(*field++, false);
    if (take_int(&field, &failed) && take_ends(&field, &entry->ends)) {
        entry->failed = failed != 0;
        while (*field && (file = take_file(&field)))
            g_ptr_array_add(entry->files, file);
        if (!*field && entry->files->len > 0)
            return entry;
    }
    entry_free(entry);
    return NULL;
}

static struct journal *parse_head(const char *line)
{
    g_auto(GStrv) fields = g_strsplit(line, "\t", -1);
    char **field = fields + 2;
    struct journal *journal;
    int64_t version;

    if (g_strv_length(fields) != 3 + N_TABLES || strcmp(fields[0], TITLE) != 0)
        return NULL;
    journal = journal_new(fields[1], 0);
    if (take_int(&field, &version) && take_ends(&field, &journal->head)) {
        journal->version = (int)version;
        return journal;
    }
    journal_free(journal);
    return NULL;
}

struct journal *journal_parse(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    /* After the last line feed there is nothing, or an unfinished line. */
    guint n = g_strv_length(lines) ? g_strv_length(lines) - 1 : 0;
    struct journal *journal = n > 0 ? parse_head(lines[0]) : NULL;

    for (guint i = 1; journal && i < n; i++) {
        struct entry *entry = parse_entry(lines[i]);

        if (!entry)
            break;
        g_ptr_array_add(journal->entries, entry);
    }
    return journal;
}

static void append_ends(const struct ends *ends, GString *out)
{
    for (int t = 0; t < N_TABLES; t++)
        g_string_append_printf(out, "\t%" G_GINT64_FORMAT, ends->at[t]);
}

void journal_append_head(const struct journal *journal, GString *out)
{
    g_string_append_printf(out, TITLE "\t%s\t%d", journal->form, journal->version);
    append_ends(&journal->head, out);
    g_string_append_c(out, '\n');
}

void journal_append_entry(const struct entry *entry, GString *out)
{
    g_string_append_printf(out, "%s\t%d", entry->id, entry->failed);
    append_ends(&entry->ends, out);
    for (guint i = 0; i < entry->files->len; i++) {
        const struct file *file = g_ptr_array_index(entry->files, i);
        g_autofree char *path = g_strescape(file->path, NULL);

        g_string_append_printf(out, "\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t%s",
                               file->size_bytes, file->modified_ns, path);
    }
    g_string_append_c(out, '\n');
}
