/* SPDX-License-Identifier: MIT */
/* read() that waits. */
#ifndef TW_SOURCE_READ_FD_H
#define TW_SOURCE_READ_FD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Like read(), but waits on non-blocking descriptors. */
ssize_t tw_read_fd(int fd, uint8_t *to, size_t n);

#endif
