/* SPDX-License-Identifier: MIT */
#include "source/read_fd.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

ssize_t tw_read_fd(int fd, uint8_t *to, size_t n)
{
    for (;;) {
        ssize_t got = read(fd, to, n);

        if (got >= 0)
            return got;
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = { .fd = fd, .events = POLLIN };

            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            return -1;
        }
    }
}
