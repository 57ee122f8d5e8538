/* SPDX-License-Identifier: MIT */
/* A cable between two network namespaces, with the faults it is told to have:
 *
 *     link SECONDS OFFLOAD NETNS_A NETNS_B [a2b SETTING...] [b2a SETTING...]
 *
 * Says "ready" once both ends exist, ends on SIGTERM, SIGINT or after SECONDS, and then prints what
 * it did as JSON. Settings are in settings.c. */
#include "pipe.h"
#include "tap.h"

#include <err.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

/* A 64 KiB packet with its Ethernet and virtio headers. */
#define FRAME_MAX (65536 + 64)
/* Frames taken from one host before the other is looked at. */
#define BATCH 64

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void take(int from, struct pipe *forth, struct pipe *back)
{
    static unsigned char bytes[FRAME_MAX];
    unsigned char answer[TAP_HEADER + 128];

    for (int i = 0; i < BATCH; i++) {
        ssize_t n = read(from, bytes, sizeof(bytes));

        if (n <= TAP_HEADER)
            return;
        pipe_put(forth, now_ns(), bytes, (size_t)n, TAP_HEADER);
        size_t size = pipe_answer(forth, bytes, (size_t)n, TAP_HEADER, answer);
        if (size)
            pipe_put(back, now_ns(), answer, size, TAP_HEADER);
    }
}

static void run(const int tap[2], struct pipe pipe[2], int signals, int64_t end_ns)
{
    struct pollfd ready[] = { { .fd = tap[0], .events = POLLIN },
                              { .fd = tap[1], .events = POLLIN },
                              { .fd = signals, .events = POLLIN } };

    for (int64_t now = now_ns(); now < end_ns && !(ready[2].revents & POLLIN); now = now_ns()) {
        for (int side = 0; side < 2; side++)
            pipe_deliver(&pipe[side], now, tap[!side]);
        int64_t wake = end_ns;
        for (int side = 0; side < 2; side++)
            if (pipe_next_ns(&pipe[side]) < wake)
                wake = pipe_next_ns(&pipe[side]);
        int64_t wait = wake - now_ns();
        if (wait < 0)
            wait = 0;
        struct timespec timeout = { .tv_sec = wait / 1000000000, .tv_nsec = wait % 1000000000 };
        if (ppoll(ready, 3, &timeout, NULL) < 0)
            err(1, "ppoll");
        for (int side = 0; side < 2; side++)
            if (ready[side].revents & POLLIN)
                take(tap[side], &pipe[side], &pipe[!side]);
    }
}

/* A cable does not wait for a busy processor: wake exactly, and before the hosts' programs. */
static void be_exact(void)
{
    struct sched_param first = { .sched_priority = 2 };

    prctl(PR_SET_TIMERSLACK, 1);
    if (sched_setscheduler(0, SCHED_FIFO, &first) < 0)
        warn("no real-time priority, delays will be less exact");
}

static int catch_signals(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC);
}

int main(int argc, char **argv)
{
    struct pipe pipe[2] = { { .random = 0x9e3779b97f4a7c15u }, { .random = 0xbf58476d1ce4e5b9u } };
    int side = -1;

    if (argc < 5)
        errx(2, "usage: link SECONDS OFFLOAD NETNS_A NETNS_B [a2b SETTING...] [b2a SETTING...]");
    for (int i = 5; i < argc; i++) {
        if (!strcmp(argv[i], "a2b") || !strcmp(argv[i], "b2a"))
            side = argv[i][0] == 'b';
        else if (side < 0 || !pipe_set(&pipe[side], argv[i]))
            errx(2, "%s: not a setting", argv[i]);
    }
    int signals = catch_signals();
    bool offload = atoi(argv[2]) > 0;
    const int tap[2] = { tap_open(argv[3], "eth0", offload), tap_open(argv[4], "eth0", offload) };
    be_exact();
    puts("ready");
    fflush(stdout);
    run(tap, pipe, signals, now_ns() + atoll(argv[1]) * 1000000000LL);
    printf("{");
    pipe_print(&pipe[0], "a2b", stdout);
    printf(", ");
    pipe_print(&pipe[1], "b2a", stdout);
    puts("}");
    pipe_free(&pipe[0]);
    pipe_free(&pipe[1]);
    return 0;
}
