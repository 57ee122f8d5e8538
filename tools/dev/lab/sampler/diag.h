/* SPDX-License-Identifier: MIT */
#ifndef LAB_DIAG_H
#define LAB_DIAG_H

#include <stdint.h>

/* Columns of a sample, in the order of diag_names. */
#define DIAG_COLUMNS 30

extern const char *const diag_names[DIAG_COLUMNS];

struct diag_socket {
    uint64_t cookie; /* SO_COOKIE: the socket's own, of all sockets of this boot */
    unsigned char family;
    unsigned char local[16], peer[16]; /* IPv4 addresses fill the first four bytes */
    unsigned local_port, peer_port;
    int64_t value[DIAG_COLUMNS];
};

/* A sock_diag socket in network namespace `netns`; exits with a message when there is none. */
int diag_open(const char *netns);

/* Call `each` for every TCP socket of that family with an account (struct tcp_info) of its own:
 * not for listeners, requests, and what is left of closed connections. Returns 0, or -1. */
int diag_dump(int fd, unsigned char family,
              void (*each)(void *context, const struct diag_socket *socket), void *context);

#endif
