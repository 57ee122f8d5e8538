/* SPDX-License-Identifier: MIT */
#include "folder_swap.h"

#include <glib/gstdio.h>

#define UNCOMMITTED "batch.new"
#define COMMITTED   "batch.commit"

bool folder_swap_begin(const struct archive *archive)
{
    g_autofree char *new = g_build_filename(archive->path, UNCOMMITTED, NULL);

    return g_mkdir(new, 0777) == 0;
}

char *folder_swap_path(const struct archive *archive, const char *name)
{
    return g_build_filename(archive->path, UNCOMMITTED, name, NULL);
}

/* Move the new files over the old ones; may have been begun before. */
static bool finish(const struct archive *archive)
{
    g_autofree char *from = g_build_filename(archive->path, COMMITTED, NULL);
    GDir *dir = g_dir_open(from, 0, NULL);
    const char *name;
    bool done = true;

    if (!dir)
        return true;
    while (done && (name = g_dir_read_name(dir))) {
        g_autofree char *old = g_build_filename(from, name, NULL);
        g_autofree char *new = g_build_filename(archive->path, name, NULL);

        done = g_rename(old, new) == 0;
    }
    g_dir_close(dir);
    done = done && g_rmdir(from) == 0;
    return done || archive_fail(archive, COMMITTED);
}

bool folder_swap_commit(const struct archive *archive)
{
    g_autofree char *new = g_build_filename(archive->path, UNCOMMITTED, NULL);
    g_autofree char *commit = g_build_filename(archive->path, COMMITTED, NULL);

    return g_rename(new, commit) == 0 ? finish(archive) : archive_fail(archive, COMMITTED);
}

/* Remove the files of a run that was killed before it committed. */
static void drop_uncommitted(const struct archive *archive)
{
    g_autofree char *folder = g_build_filename(archive->path, UNCOMMITTED, NULL);
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;

    if (!dir)
        return;
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);

        g_unlink(path);
    }
    g_dir_close(dir);
    g_rmdir(folder);
}

bool folder_swap_recover(const struct archive *archive)
{
    drop_uncommitted(archive);
    return finish(archive);
}
