/* SPDX-License-Identifier: MIT */
/* Makes a capture rewindable: pipes are copied to an unnamed temporary file. */
#include "base/text.h"
#include "source/internal.h"
#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tcpwhy/tcpwhy.h>

/* A file that is deleted on close. */
static int open_nameless(struct tw_source_error *error)
{
    char *path = tw_build_filename(g_get_tmp_dir(), "tcpwhy-XXXXXX");
    int fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);

    if (fd < 0)
        tw_source_refuse(error, TCPWHY_ERR_OPEN, "no copy can be made in %s: %s; set TMPDIR",
                         g_get_tmp_dir(), g_strerror(errno));
    else
        unlink(path);
    tw_free(path);
    return fd;
}

static bool write_all(int fd, const uint8_t *bytes, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, bytes, len);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

/* Copy everything. The window waits on non-blocking descriptors. */
static bool copy(struct tw_window *from, int to, struct tw_source_error *error)
{
    struct tw_bytes b;

    while ((b = tw_window_need(from, 1)).len > 0) {
        if (!write_all(to, b.data, b.len))
            return tw_source_refuse(error, TCPWHY_ERR_READ,
                                    "cannot be copied to %s: %s; set TMPDIR to where there is room",
                                    g_get_tmp_dir(), g_strerror(errno));
        tw_window_take(from, b.len);
    }
    if (from->error != 0)
        return tw_source_refuse(error, TCPWHY_ERR_READ, "cannot be read: %s; try again",
                                g_strerror(from->error));
    return true;
}

static void close_fd(void *fd)
{
    close(*(int *)fd);
}

/* @return the descriptor of the copy. */
static int copy_to_file(int fd, struct tw_source_error *error)
{
    int spool = open_nameless(error);
    struct tw_window window;
    struct tw_undo undo;

    if (spool < 0)
        return spool;
    tw_undo_add(&undo, close_fd, &spool);
    tw_window_open_fd(&window, fd, false);
    if (!copy(&window, spool, error)) {
        close(spool);
        spool = -1;
    }
    tw_undo_remove(&undo);
    tw_window_close(&window);
    return spool;
}

int tw_source_spool(const char *path, struct tw_source_error *error)
{
    int fd = tw_source_open_path(path, error), spool;
    struct tw_undo undo;
    struct stat st;

    if (fd < 0 || (fd != STDIN_FILENO && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
        return fd;
    if (fd == STDIN_FILENO)
        return copy_to_file(fd, error);
    tw_undo_add(&undo, close_fd, &fd);
    spool = copy_to_file(fd, error);
    tw_undo_remove(&undo);
    close(fd);
    return spool;
}
