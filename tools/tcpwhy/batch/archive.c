/* SPDX-License-Identifier: MIT */
/* Shared by all forms of an archive: which one a name asks for, and what is done already. */
#include "archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "../complain.h"

enum archive_form archive_form_of(const char *path)
{
    static const struct {
        const char *suffix;
        enum archive_form form;
    } forms[] = { { ".sqlite", ARCHIVE_SQLITE },
                  { ".sqlite3", ARCHIVE_SQLITE },
                  { ".db", ARCHIVE_SQLITE },
                  { ".csv", ARCHIVE_CSV },
                  { ".ndjson", ARCHIVE_NDJSON } };

    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++)
        if (g_str_has_suffix(path, forms[i].suffix))
            return forms[i].form;
    return ARCHIVE_UNKNOWN;
}

bool archive_refuse(const struct archive *archive, const char *what, ...)
{
    va_list args;
    g_autofree char *text = NULL;

    va_start(args, what);
    text = g_strdup_vprintf(what, args);
    va_end(args);
    complain("%s: %s", archive->path, text);
    return false;
}

bool archive_fail(const struct archive *archive, const char *what)
{
    return archive_refuse(archive, "%s: %s", what, g_strerror(errno));
}

void piece_free(struct piece *piece)
{
    if (piece->batch.release)
        piece->batch.release(&piece->batch);
    if (piece->text)
        g_string_free(piece->text, TRUE);
    g_free(piece);
}

/* Two runs at a time would do everything twice. Readers are not kept out. */
static bool take_lock(struct archive *archive)
{
    bool folder = archive->form != ARCHIVE_SQLITE;

    if (folder && g_mkdir_with_parents(archive->path, 0777) != 0)
        return archive_fail(archive, "cannot be created");
    archive->lock_fd =
        open(archive->path,
             folder ? O_RDONLY | O_DIRECTORY | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (archive->lock_fd < 0)
        return archive_fail(archive, "cannot be opened");
    if (flock(archive->lock_fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    archive_refuse(archive, "in use by another run: wait until it has finished");
    close(archive->lock_fd);
    return false;
}

static void let_go(struct archive *archive)
{
    close(archive->lock_fd);
    g_hash_table_destroy(archive->known);
    g_hash_table_destroy(archive->files);
}

/* An empty folder holds nothing of anybody's. */
static bool is_there(const char *path)
{
    GDir *dir = g_dir_open(path, 0, NULL);
    bool is_empty = dir && !g_dir_read_name(dir);

    if (dir)
        g_dir_close(dir);
    return !is_empty && g_file_test(path, G_FILE_TEST_EXISTS);
}

bool archive_take(struct archive *archive, const char *path, enum archive_form form, bool resume)
{
    bool is_new = !is_there(path);

    *archive = (struct archive) {
        .kind = form == ARCHIVE_SQLITE ? &archive_sqlite : &archive_folder,
        .form = form,
        .path = path,
        .is_new = is_new,
    };
    if (!resume && !is_new)
        return archive_refuse(archive, "already exists: continue it with --resume, or remove it");
    if (!take_lock(archive))
        return false;
    archive->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    archive->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return true;
}

bool archive_open(struct archive *archive)
{
    bool done = archive->kind->open(archive);

    if (done)
        return true;
    /* Half a database would be in the way of the next run; an empty folder is not. */
    if (archive->is_new && archive->form == ARCHIVE_SQLITE)
        g_unlink(archive->path);
    let_go(archive);
    return false;
}

void archive_know(struct archive *archive, const char *path, const char *id, int64_t size_bytes,
                  int64_t modified_ns, bool failed)
{
    struct known *known = g_new0(struct known, 1);
    gpointer n = g_hash_table_lookup(archive->files, id);

    g_strlcpy(known->id, id, sizeof(known->id));
    known->size_bytes = size_bytes;
    known->modified_ns = modified_ns;
    known->failed = failed;
    g_hash_table_replace(archive->known, g_strdup(path), known);
    g_hash_table_replace(archive->files, g_strdup(id), GUINT_TO_POINTER(GPOINTER_TO_UINT(n) + 1));
}

bool archive_has(const struct archive *archive, const struct job *job)
{
    gpointer n = g_hash_table_lookup(archive->files, job->id);

    if (GPOINTER_TO_UINT(n) != job->files->len)
        return false;
    for (guint i = 0; i < job->files->len; i++) {
        const struct file *file = job_file(job, i);
        const struct known *known = g_hash_table_lookup(archive->known, file->path);

        if (!known || known->failed || strcmp(known->id, job->id) != 0 ||
            known->size_bytes != file->size_bytes || known->modified_ns != file->modified_ns)
            return false;
    }
    return true;
}

bool archive_forget(struct archive *archive, GPtrArray *jobs)
{
    GHashTable *ids = g_hash_table_new(g_str_hash, g_str_equal);
    bool done = true;

    for (guint i = 0; i < jobs->len; i++) {
        struct job *job = g_ptr_array_index(jobs, i);

        if (g_hash_table_contains(archive->files, job->id))
            g_hash_table_add(ids, job->id);
        for (guint k = 0; k < job->files->len; k++) {
            struct known *known = g_hash_table_lookup(archive->known, job_file(job, k)->path);

            if (known)
                g_hash_table_add(ids, known->id);
        }
    }
    if (g_hash_table_size(ids) > 0)
        done = archive->kind->forget(archive, ids);
    g_hash_table_destroy(ids);
    return done;
}

bool archive_close(struct archive *archive)
{
    bool done = archive->kind->close(archive);

    let_go(archive);
    return done;
}
