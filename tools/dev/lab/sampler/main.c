/* SPDX-License-Identifier: MIT */
/* Samples the kernel's state (tcp_info) of every TCP connection of two hosts:
 *
 *     sampler SECONDS PERIOD_US FAMILY NETNS_A NETNS_B
 *
 * Says "ready" on stderr, ends on SIGTERM, SIGINT or after SECONDS. Prints lines for a program to
 * read: the columns' names; "S number side cookie local port peer port" for each socket; and
 * "R number time until value..." for a time in which all samples of it were the same. Times are
 * CLOCK_REALTIME in nanoseconds, the clock of the captures, read just before the kernel answers. */
#include "diag.h"

#include <arpa/inet.h>
#include <err.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Bounds: the sockets that are looked at, and the rows of all of them, some 130 bytes each. */
#define SOCKETS   4096
#define MOST_ROWS 1000000

struct watched {
    uint64_t cookie;
    int side;
    int64_t from_ns, until_ns;
    int64_t value[DIAG_COLUMNS];
};

/* Sockets by cookie, open addressing, half full at most. */
static struct watched table[2 * SOCKETS];
static unsigned n_sockets, n_rows, n_left_out, n_failed;

struct tick {
    int side;
    int64_t now_ns;
};

static int64_t clock_ns(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static struct watched *find(uint64_t cookie, int side)
{
    size_t i = (size_t)(cookie * 0x9e3779b97f4a7c15u >> 32) % (2 * SOCKETS);

    while (table[i].cookie && (table[i].cookie != cookie || table[i].side != side))
        i = (i + 1) % (2 * SOCKETS);
    return &table[i];
}

static void print_row(const struct watched *w)
{
    if (n_rows++ >= MOST_ROWS)
        return;
    printf("R %td %" PRId64 " %" PRId64, w - table, w->from_ns, w->until_ns);
    for (int i = 0; i < DIAG_COLUMNS; i++)
        printf(" %" PRId64, w->value[i]);
    putchar('\n');
}

static void print_socket(const struct watched *w, const struct diag_socket *s)
{
    char local[INET6_ADDRSTRLEN] = "?", peer[INET6_ADDRSTRLEN] = "?";

    inet_ntop(s->family, s->local, local, sizeof(local));
    inet_ntop(s->family, s->peer, peer, sizeof(peer));
    printf("S %td %d %" PRIu64 " %s %u %s %u\n", w - table, w->side, s->cookie, local,
           s->local_port, peer, s->peer_port);
}

static void take(void *context, const struct diag_socket *s)
{
    const struct tick *tick = context;
    struct watched *w = find(s->cookie, tick->side);

    if (!w->cookie) {
        if (n_sockets == SOCKETS) {
            n_left_out++;
            return;
        }
        n_sockets++;
        *w = (struct watched) { .cookie = s->cookie, .side = tick->side };
        print_socket(w, s);
    } else if (!memcmp(w->value, s->value, sizeof(w->value))) {
        w->until_ns = tick->now_ns;
        return;
    } else {
        print_row(w);
    }
    memcpy(w->value, s->value, sizeof(w->value));
    w->from_ns = w->until_ns = tick->now_ns;
}

/* Wake on time, but before no program of the hosts: they have this priority, too. */
static void be_prompt(void)
{
    struct sched_param first = { .sched_priority = 1 };

    if (sched_setscheduler(0, SCHED_RR, &first) < 0)
        warn("no real-time priority, samples will be less regular");
}

static void run(const int fd[2], unsigned char family, int64_t end_ns, int64_t period_ns)
{
    sigset_t ends;

    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    fputs("ready\n", stderr);
    for (int64_t next_ns = clock_ns(CLOCK_MONOTONIC), wait_ns; next_ns < end_ns;) {
        for (int side = 0; side < 2; side++) {
            struct tick tick = { side, clock_ns(CLOCK_REALTIME) };

            n_failed += diag_dump(fd[side], family, take, &tick) < 0;
        }
        int64_t now_ns = clock_ns(CLOCK_MONOTONIC);
        next_ns += (now_ns - next_ns) / period_ns * period_ns + period_ns;
        wait_ns = next_ns - now_ns;
        if (sigtimedwait(&ends, NULL, &(struct timespec) { .tv_nsec = wait_ns }) > 0)
            return;
    }
}

int main(int argc, char **argv)
{
    if (argc != 6)
        errx(2, "usage: sampler SECONDS PERIOD_US 4|6 NETNS_A NETNS_B");
    int64_t period_ns = atoll(argv[2]) * 1000;
    if (period_ns < 100000 || period_ns > 900000000)
        errx(2, "%s: not a period", argv[2]);
    const int fd[2] = { diag_open(argv[4]), diag_open(argv[5]) };
    fputs("C time_ns until_ns", stdout);
    for (int i = 0; i < DIAG_COLUMNS; i++)
        printf(" %s", diag_names[i]);
    putchar('\n');
    be_prompt();
    run(fd, *argv[3] == '6' ? AF_INET6 : AF_INET,
        clock_ns(CLOCK_MONOTONIC) + atoll(argv[1]) * 1000000000LL, period_ns);
    for (size_t i = 0; i < 2 * SOCKETS; i++)
        if (table[i].cookie)
            print_row(&table[i]);
    printf("E %u %u %u\n", n_left_out, n_rows > MOST_ROWS ? n_rows - MOST_ROWS : 0, n_failed);
    return 0;
}
