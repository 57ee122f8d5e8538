/* SPDX-License-Identifier: MIT */
/* Random access to the input of a window, where the input allows it. */
#include "source/window.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib.h>

uint64_t tw_window_position(const struct tw_window *window)
{
    if (window->fd < 0 && !window->unpack)
        return window->from;
    return window->read_bytes - (window->to - window->from);
}

static bool is_memory(const struct tw_window *window)
{
    return window->fd < 0 && !window->unpack;
}

/* Size of a regular file, from where the window began. */
static bool file_len(const struct tw_window *window, off_t *begin, uint64_t *len)
{
    off_t at = window->fd >= 0 ? lseek(window->fd, 0, SEEK_CUR) : -1;
    struct stat st;

    if (at < 0 || window->unpack || window->ahead || fstat(window->fd, &st) != 0 ||
        !S_ISREG(st.st_mode))
        return false;
    *begin = at - (off_t)window->read_bytes;
    *len = (uint64_t)MAX(st.st_size - *begin, 0);
    return *begin >= 0;
}

bool tw_window_is_random(const struct tw_window *window)
{
    uint64_t len;
    off_t begin;

    return is_memory(window) || file_len(window, &begin, &len);
}

uint64_t tw_window_len(const struct tw_window *window)
{
    uint64_t len = 0;
    off_t begin;

    if (is_memory(window))
        return window->to;
    return file_len(window, &begin, &len) ? len : 0;
}

size_t tw_window_read_at(const struct tw_window *window, uint64_t offset, uint8_t *to, size_t n)
{
    uint64_t len;
    off_t begin;
    ssize_t got;

    if (is_memory(window)) {
        size_t left = offset < window->to ? window->to - (size_t)offset : 0;

        memcpy(to, window->data + (left ? offset : 0), MIN(n, left));
        return MIN(n, left);
    }
    if (!file_len(window, &begin, &len) || offset >= len)
        return 0;
    got = pread(window->fd, to, n, begin + (off_t)offset);
    return got > 0 ? (size_t)got : 0;
}

/* Drop what was read; the next read is from there. */
static bool jump(struct tw_window *window, uint64_t offset)
{
    uint64_t len;
    off_t begin;

    if (!file_len(window, &begin, &len) || offset > len ||
        lseek(window->fd, begin + (off_t)offset, SEEK_SET) < 0)
        return false;
    window->from = window->to = 0;
    window->read_bytes = offset;
    window->end = false;
    return true;
}

bool tw_window_seek(struct tw_window *window, uint64_t offset)
{
    uint64_t at = tw_window_position(window);

    if (is_memory(window)) {
        if (offset > window->to)
            return false;
        window->from = (size_t)offset;
        return true;
    }
    if (offset >= at && offset - at <= window->to - window->from) {
        tw_window_take(window, (size_t)(offset - at));
        return true;
    }
    if (tw_window_is_random(window))
        return jump(window, offset);
    return offset >= at && tw_window_skip(window, (size_t)(offset - at));
}
