/* SPDX-License-Identifier: MIT */
/*
 * An archive as a folder with a file a table. Rows of a capture are appended, and then a line of
 * the journal says so; what lies beyond is cut off when the archive is opened again. To begin, and
 * to take captures out, the files are written anew and replace the old ones (folder_swap.h).
 */
#include "archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "folder_swap.h"
#include "journal.h"
#include "row_text.h"

#define JOURNAL    "batch.journal"
#define COPY_BYTES 65536

struct folder {
    int table[N_TABLES];
    int journal_fd;
    struct journal *journal;
    struct ends ends, kept; /* end of the rows that the journal confirms */
    int64_t journal_bytes;
};

static const char *form_word(const struct archive *archive)
{
    return archive->form == ARCHIVE_CSV ? "csv" : "ndjson";
}

static char *table_name(const struct archive *archive, int table)
{
    return g_strdup_printf("%s.%s", tcpwhy_table_name((enum tcpwhy_table)table),
                           form_word(archive));
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);

        if (n < 0 && errno != EINTR)
            return false;
        bytes += MAX(n, 0);
        len -= (size_t)MAX(n, 0);
    }
    return true;
}

/* Copy len bytes of one file to the other's position. */
static bool copy(int from, int64_t at, int64_t len, int to)
{
    char bytes[COPY_BYTES];

    while (len > 0) {
        ssize_t n = pread(from, bytes, (size_t)MIN(len, COPY_BYTES), at);

        if (n <= 0) {
            errno = n == 0 ? EIO : errno;
            return false;
        }
        if (!write_all(to, bytes, (size_t)n))
            return false;
        at += n;
        len -= n;
    }
    return true;
}

static void pack(const struct archive *archive, struct rows *rows, struct piece *piece)
{
    piece->text = g_string_new(NULL);
    if (archive->form == ARCHIVE_CSV)
        rows_csv(rows, piece->text);
    else
        rows_json(rows, piece->text);
    piece->bytes = sizeof(*piece) + piece->text->allocated_len;
}

static struct entry *entry_of(const struct job *job, bool failed)
{
    struct entry *entry = entry_new(job->id, failed);

    for (guint i = 0; i < job->files->len; i++) {
        struct file *file = g_memdup2(job_file(job, i), sizeof(*file));

        file->path = g_strdup(file->path);
        g_ptr_array_add(entry->files, file);
    }
    return entry;
}

static bool write_piece(struct archive *archive, const struct piece *piece)
{
    struct folder *folder = archive->state;

    folder->ends.at[piece->table] += (int64_t)piece->text->len;
    return write_all(folder->table[piece->table], piece->text->str, piece->text->len) ||
           archive_fail(archive, "cannot write rows");
}

static bool commit_capture(struct archive *archive, const struct job *job, bool failed)
{
    struct folder *folder = archive->state;
    struct entry *entry = entry_of(job, failed);
    GString *line = g_string_new(NULL);
    bool done;

    entry->ends = folder->ends;
    journal_append_entry(entry, line);
    done = write_all(folder->journal_fd, line->str, line->len);
    if (done) {
        folder->kept = folder->ends;
        folder->journal_bytes += (int64_t)line->len;
    }
    g_ptr_array_add(folder->journal->entries, entry);
    g_string_free(line, TRUE);
    return done || archive_fail(archive, "cannot write rows");
}

/* Open a file of the folder for appending, as long as it should be. */
static int open_at(const struct archive *archive, const char *name, int64_t len)
{
    g_autofree char *path = g_build_filename(archive->path, name, NULL);
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

    if (fd >= 0 && ftruncate(fd, len) == 0)
        return fd;
    archive_fail(archive, name);
    if (fd >= 0)
        close(fd);
    return -1;
}

static int64_t size_of(const struct archive *archive, int table)
{
    g_autofree char *name = table_name(archive, table);
    g_autofree char *path = g_build_filename(archive->path, name, NULL);
    GStatBuf st;

    return g_stat(path, &st) == 0 ? st.st_size : 0;
}

/* A machine that lost power may have kept the journal's line and not the rows: drop it, too. */
static void drop_lost(const struct archive *archive, struct journal *journal)
{
    guint n = journal->entries->len;

    for (int t = 0; t < N_TABLES; t++) {
        int64_t size = size_of(archive, t);

        while (n > 0 &&
               ((struct entry *)g_ptr_array_index(journal->entries, n - 1))->ends.at[t] > size)
            n--;
    }
    g_ptr_array_set_size(journal->entries, (gint)n);
}

static void make_head(const struct archive *archive, struct journal *journal, GString *headers[])
{
    const struct tcpwhy_table_options nothing = { .struct_size = sizeof(nothing), .path = "" };

    for (int t = 0; t < N_TABLES; t++) {
        struct rows rows;

        rows_open(&rows, NULL, (enum tcpwhy_table)t, &nothing);
        headers[t] = g_string_new(NULL);
        if (archive->form == ARCHIVE_CSV)
            row_csv_header(&rows, headers[t]);
        journal->head.at[t] = (int64_t)headers[t]->len;
        rows_close(&rows);
    }
}

/* A new folder's tables get their headers, and the journal its first line: all of them or none. */
static bool begin(struct archive *archive)
{
    GString *headers[N_TABLES], *line = g_string_new(NULL);
    struct folder *folder = archive->state;
    bool done = folder_swap_begin(archive);

    folder->journal = journal_new(form_word(archive), TCPWHY_TABLES_VERSION);
    make_head(archive, folder->journal, headers);
    for (int t = 0; t < N_TABLES; t++) {
        g_autofree char *name = table_name(archive, t);
        g_autofree char *path = folder_swap_path(archive, name);

        done = done && g_file_set_contents(path, headers[t]->str, (gssize)headers[t]->len, NULL);
        g_string_free(headers[t], TRUE);
    }
    journal_append_head(folder->journal, line);
    if (done) {
        g_autofree char *path = folder_swap_path(archive, JOURNAL);

        done = g_file_set_contents(path, line->str, (gssize)line->len, NULL);
    }
    g_string_free(line, TRUE);
    if (done)
        return folder_swap_commit(archive);
    archive_fail(archive, "cannot be created");
    folder_swap_recover(archive); /* nothing was committed */
    return false;
}

/* The journal of a folder that is there. NULL: there is none, or (*wrong) it is not ours. */
static struct journal *read_journal(const struct archive *archive, bool *wrong)
{
    g_autofree char *path = g_build_filename(archive->path, JOURNAL, NULL);
    g_autofree char *text = NULL;
    struct journal *journal;

    *wrong = false;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return NULL;
    journal = journal_parse(text);
    if (journal && journal->version == TCPWHY_TABLES_VERSION &&
        strcmp(journal->form, form_word(archive)) == 0)
        return journal;
    *wrong = true;
    if (journal)
        archive_refuse(archive, "has other tables (%s, version %d): write a new archive",
                       journal->form, journal->version);
    else
        archive_refuse(archive, "has a " JOURNAL " which is not from tcpwhy: write a new archive");
    journal_free(journal);
    return NULL;
}

static GString *journal_text(const struct journal *journal)
{
    GString *text = g_string_new(NULL);

    journal_append_head(journal, text);
    for (guint i = 0; i < journal->entries->len; i++)
        journal_append_entry(g_ptr_array_index(journal->entries, i), text);
    return text;
}

/* Open all files, as long as the journal says; the journal without what it lost. */
static bool open_files(struct archive *archive)
{
    struct folder *folder = archive->state;
    struct journal *journal = folder->journal;
    GString *text = journal_text(journal);
    bool done = true;

    folder->ends = journal->head;
    if (journal->entries->len > 0)
        folder->ends =
            ((struct entry *)g_ptr_array_index(journal->entries, journal->entries->len - 1))->ends;
    for (int t = 0; done && t < N_TABLES; t++) {
        g_autofree char *name = table_name(archive, t);

        folder->table[t] = open_at(archive, name, folder->ends.at[t]);
        done = folder->table[t] >= 0;
    }
    if (done) {
        folder->kept = folder->ends;
        folder->journal_bytes = (int64_t)text->len;
        folder->journal_fd = open_at(archive, JOURNAL, folder->journal_bytes);
        done = folder->journal_fd >= 0;
    }
    g_string_free(text, TRUE);
    return done;
}

static void close_files(struct folder *folder)
{
    for (int t = 0; t < N_TABLES; t++) {
        if (folder->table[t] >= 0)
            close(folder->table[t]);
        folder->table[t] = -1;
    }
    if (folder->journal_fd >= 0)
        close(folder->journal_fd);
    folder->journal_fd = -1;
}

static void free_folder(struct archive *archive)
{
    struct folder *folder = archive->state;

    close_files(folder);
    journal_free(folder->journal);
    g_free(folder);
}

static bool open_folder(struct archive *archive)
{
    struct folder *folder = g_new0(struct folder, 1);
    bool wrong = false, done;

    archive->state = folder;
    for (int t = 0; t < N_TABLES; t++)
        folder->table[t] = -1;
    folder->journal_fd = -1;
    done = folder_swap_recover(archive);
    if (done)
        folder->journal = read_journal(archive, &wrong);
    done = done && !wrong && (folder->journal || begin(archive));
    if (done) {
        drop_lost(archive, folder->journal);
        done = open_files(archive);
    }
    for (guint i = 0; done && i < folder->journal->entries->len; i++) {
        const struct entry *entry = g_ptr_array_index(folder->journal->entries, i);

        for (guint k = 0; k < entry->files->len; k++) {
            const struct file *file = g_ptr_array_index(entry->files, k);

            archive_know(archive, file->path, entry->id, file->size_bytes, file->modified_ns,
                         entry->failed);
        }
    }
    if (!done)
        free_folder(archive);
    return done;
}

/* Write what is kept of one table to a new file, which moves the entries' ends. */
static bool rewrite_table(const struct archive *archive, int table, GHashTable *ids)
{
    struct folder *folder = archive->state;
    g_autofree char *name = table_name(archive, table);
    g_autofree char *path = folder_swap_path(archive, name);
    int64_t from = folder->journal->head.at[table], end = from;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool done = fd >= 0 && copy(folder->table[table], 0, from, fd);

    for (guint i = 0; done && i < folder->journal->entries->len; i++) {
        struct entry *entry = g_ptr_array_index(folder->journal->entries, i);
        int64_t len = entry->ends.at[table] - from;

        if (!g_hash_table_contains(ids, entry->id)) {
            done = copy(folder->table[table], from, len, fd);
            end += len;
        }
        from += len;
        entry->ends.at[table] = end;
    }
    if (fd < 0)
        return false;
    done = fdatasync(fd) == 0 && done;
    return close(fd) == 0 && done;
}

static void drop_entries(struct journal *journal, GHashTable *ids)
{
    for (guint i = journal->entries->len; i-- > 0;) {
        const struct entry *entry = g_ptr_array_index(journal->entries, i);

        if (g_hash_table_contains(ids, entry->id))
            g_ptr_array_remove_index(journal->entries, i);
    }
}

static bool forget(struct archive *archive, GHashTable *ids)
{
    struct folder *folder = archive->state;
    g_autofree char *journal = folder_swap_path(archive, JOURNAL);
    bool done = folder_swap_begin(archive);

    for (int t = 0; done && t < N_TABLES; t++)
        done = rewrite_table(archive, t, ids);
    drop_entries(folder->journal, ids);
    if (done) {
        GString *text = journal_text(folder->journal);

        done = g_file_set_contents(journal, text->str, (gssize)text->len, NULL);
        g_string_free(text, TRUE);
    }
    if (!done)
        return archive_fail(archive, "cannot be rewritten");
    close_files(folder);
    return folder_swap_commit(archive) && open_files(archive);
}

/* Remove the incomplete rows of a capture. */
static bool cut_and_sync(int fd, int64_t len)
{
    return ftruncate(fd, len) == 0 && fdatasync(fd) == 0;
}

static bool close_folder(struct archive *archive)
{
    struct folder *folder = archive->state;
    bool done = true;

    for (int t = 0; t < N_TABLES; t++)
        done = cut_and_sync(folder->table[t], folder->kept.at[t]) && done;
    done = cut_and_sync(folder->journal_fd, folder->journal_bytes) && done;
    if (!done)
        archive_fail(archive, "cannot write rows");
    free_folder(archive);
    return done;
}

const struct archive_kind archive_folder = {
    .open = open_folder,
    .forget = forget,
    .pack = pack,
    .write = write_piece,
    .commit = commit_capture,
    .close = close_folder,
};
