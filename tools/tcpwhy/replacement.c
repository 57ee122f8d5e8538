/* SPDX-License-Identifier: MIT */
/* Knows temporary files and rename(). */
#include "replacement.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".XXXXXX"

/* As the umask wants it: mkstemp() gives files to nobody else. */
static void set_mode(int fd, const struct stat *old)
{
    mode_t mask = umask(0);

    umask(mask);
    fchmod(fd, old ? old->st_mode & 07777 : 0666 & ~mask);
}

static FILE *open_temporary(struct replacement *r, const struct stat *old)
{
    size_t len = strlen(r->path);
    int fd;

    r->temporary = malloc(len + sizeof(SUFFIX));
    if (!r->temporary)
        return NULL;
    memcpy(r->temporary, r->path, len);
    memcpy(r->temporary + len, SUFFIX, sizeof(SUFFIX));
    fd = mkstemp(r->temporary);
    if (fd < 0)
        return NULL;
    set_mode(fd, old);
    return fdopen(fd, "wb");
}

bool replacement_open(struct replacement *r, const char *path)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;

    *r = (struct replacement) { .path = path };
    if (exists && !S_ISREG(st.st_mode))
        r->file = fopen(path, "wb");
    else
        r->file = open_temporary(r, exists ? &st : NULL);
    if (r->file)
        return true;
    free(r->temporary);
    r->temporary = NULL;
    return false;
}

bool replacement_close(struct replacement *r, bool keep)
{
    int error = fclose(r->file) == 0 ? 0 : errno;

    r->file = NULL;
    if (!r->temporary)
        return error == 0;
    if (keep && error == 0 && rename(r->temporary, r->path) != 0)
        error = errno;
    if (!keep || error != 0)
        unlink(r->temporary);
    free(r->temporary);
    r->temporary = NULL;
    errno = error;
    return error == 0;
}
