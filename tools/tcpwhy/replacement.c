/* SPDX-License-Identifier: MIT */
/* Knows temporary files, rename(), and what a signal leaves behind. */
#include "replacement.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".XXXXXX"

static const int ends[] = { SIGINT, SIGTERM, SIGHUP };

#define N_ENDS (sizeof(ends) / sizeof(ends[0]))

const char *volatile replacement_unfinished;

/* The signal then ends the process as it would have without this, whichever thread got it. */
static void drop_unfinished(int signal_number)
{
    if (replacement_unfinished)
        unlink(replacement_unfinished);
    signal(signal_number, SIG_DFL);
    kill(getpid(), signal_number);
}

static void watch_signals(void (*from)(int), void (*to)(int))
{
    for (size_t i = 0; i < N_ENDS; i++) {
        struct sigaction action;

        /* A signal that is ignored (nohup) or handled otherwise stays so. */
        if (sigaction(ends[i], NULL, &action) != 0 || action.sa_handler != from)
            continue;
        action = (struct sigaction) { .sa_handler = to };
        sigaction(ends[i], &action, NULL);
    }
}

/* As the umask wants it: mkstemp() gives files to nobody else. Whose the old one was, if it can be.
 */
static void set_mode(int fd, const struct stat *old)
{
    mode_t mask = umask(0);

    umask(mask);
    if (old && fchown(fd, old->st_uid, old->st_gid) != 0)
        errno = 0;
    fchmod(fd, old ? old->st_mode & 0777 : 0666 & ~mask);
}

static FILE *open_temporary(struct replacement *r, const struct stat *old)
{
    size_t len = strlen(r->path);
    FILE *file;
    int fd;

    r->temporary = malloc(len + sizeof(SUFFIX));
    if (!r->temporary)
        return NULL;
    memcpy(r->temporary, r->path, len);
    memcpy(r->temporary + len, SUFFIX, sizeof(SUFFIX));
    /* Before: mkstemp() fills in the name where it stands. */
    replacement_unfinished = r->temporary;
    watch_signals(SIG_DFL, drop_unfinished);
    fd = mkstemp(r->temporary);
    if (fd < 0)
        return NULL;
    set_mode(fd, old);
    file = fdopen(fd, "wb");
    if (!file) {
        unlink(r->temporary);
        close(fd);
    }
    return file;
}

static void forget_names(struct replacement *r)
{
    watch_signals(drop_unfinished, SIG_DFL);
    replacement_unfinished = NULL;
    free(r->temporary);
    free(r->path);
    r->temporary = r->path = NULL;
}

static bool is_replaced(const struct stat *st)
{
    struct stat out;

    /* "-o /dev/stdout > FILE": the shell holds the file open. */
    return S_ISREG(st->st_mode) && !(fstat(STDOUT_FILENO, &out) == 0 && out.st_dev == st->st_dev &&
                                     out.st_ino == st->st_ino);
}

bool replacement_open(struct replacement *r, const char *path)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;

    *r = (struct replacement) { .file = NULL };
    if (exists && !is_replaced(&st)) {
        r->file = fopen(path, "wb");
        return r->file != NULL;
    }
    r->path = exists ? realpath(path, NULL) : strdup(path);
    if (r->path)
        r->file = open_temporary(r, exists ? &st : NULL);
    if (!r->file) {
        int error = errno;

        forget_names(r);
        errno = error;
    }
    return r->file != NULL;
}

/* To the disk, or a machine that loses power may have the new name and nothing behind it. */
static int finish(FILE *file, bool keep)
{
    int error = !keep || (fflush(file) == 0 && fsync(fileno(file)) == 0) ? 0 : errno;

    return fclose(file) == 0 || error != 0 ? error : errno;
}

bool replacement_close(struct replacement *r, bool keep)
{
    int error = finish(r->file, keep && r->temporary);

    r->file = NULL;
    if (!r->temporary) {
        errno = error;
        return error == 0;
    }
    if (keep && error == 0 && rename(r->temporary, r->path) != 0)
        error = errno;
    if (!keep || error != 0)
        unlink(r->temporary);
    forget_names(r);
    errno = error;
    return error == 0;
}
