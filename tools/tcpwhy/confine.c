/* SPDX-License-Identifier: MIT */
/* Knows what commands need beyond the files that are named; the locks themselves: sandbox.h. */
#include "confine.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib.h>

#include "command.h"
#include "output.h"

/* Input that can be read only once is copied before a capture is annotated (TMPDIR). */
static bool needs_copy(const struct args *args)
{
    struct stat st;

    return args->command->accepts & ACCEPT_ANNOTATE && args->n_names > 0 &&
           (strcmp(args->names[0], "-") == 0 ||
            (stat(args->names[0], &st) == 0 && !S_ISREG(st.st_mode)));
}

/* Files that SQLite keeps beside an archive being written, and shares with its readers. */
static void let_ask(struct sandbox *sandbox, const char *archive)
{
    g_autofree char *log = g_strconcat(archive, "-wal", NULL);
    g_autofree char *journal = g_strconcat(archive, "-journal", NULL);
    g_autofree char *shared = g_strconcat(archive, "-shm", NULL);

    /* inside the sandbox SQLite could not create it */
    if (g_file_test(log, G_FILE_TEST_EXISTS)) {
        int fd = open(shared, O_RDWR | O_CREAT | O_CLOEXEC, 0644);

        if (fd >= 0)
            close(fd);
    }
    sandbox_let_read(sandbox, log);
    sandbox_let_read(sandbox, journal);
    sandbox_let_change(sandbox, shared);
}

void confine(const struct args *args)
{
    struct sandbox sandbox;

    sandbox_begin(&sandbox);
    for (int i = 0; i < args->n_names; i++)
        sandbox_let_read(&sandbox, args->names[i]);
    if (args->output->path)
        sandbox_let_write(&sandbox, args->output->path);
    if (args->command->accepts & ACCEPT_QUERY && args->n_names > 0)
        let_ask(&sandbox, args->names[0]);
    if (needs_copy(args))
        sandbox_let_fill(&sandbox, g_get_tmp_dir());
    sandbox_let_filter(&sandbox, args->filter);
    sandbox_let_filter(&sandbox, args->show);
    sandbox_enter(&sandbox);
}
