/* SPDX-License-Identifier: MIT */
/*
 * A capture that is followed while it is written: the first byte says whether a folder or a file is
 * followed, and with a filter; then come steps: what happens, length in sixteens, bytes. What is
 * written between two steps is read; each packet is counted once.
 */
#include <assert.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tcpwhy/tcpwhy.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

#define FILES 4 /* they are used anew */

enum { STEP_WRITE, STEP_WRITE_MORE, STEP_CUT, STEP_REPLACE, STEP_NEXT, STEP_LOOK, N_STEPS };

struct written {
    char folder[32];
    char path[64], next[64];
    int64_t now_s; /* of the last change, so that files have an order */
};

static void name_file(const struct written *w, int number, char path[static 64])
{
    snprintf(path, 64, "%s/c%d.pcap", w->folder, number);
}

static void put(struct written *w, const char *path, int flags, struct tw_bytes bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | flags, 0600);
    struct timespec at[2] = { { .tv_sec = ++w->now_s }, { .tv_sec = w->now_s } };

    assert(fd >= 0 && write(fd, bytes.data, bytes.len) == (ssize_t)bytes.len);
    futimens(fd, at);
    close(fd);
}

/* @return false when no more can be read. */
static bool drain(tcpwhy_live *live, uint64_t *n)
{
    struct tcpwhy_live_counts counts = { .struct_size = sizeof counts };
    struct tcpwhy_packet packet = TCPWHY_PACKET_INIT;
    char error[TCPWHY_ERROR_TEXT];
    unsigned sum = 0;
    int got;

    while ((got = tcpwhy_live_next(live, 0, &packet, error, sizeof error)) > 0) {
        for (uint32_t i = 0; i < packet.captured_len; i++)
            sum += packet.bytes[i];
        ++*n;
    }
    assert(got == 0 || error[0]);
    assert(tcpwhy_live_counts(live, &counts) == 0 && counts.received == *n);
    return got == 0 && sum < UINT32_MAX;
}

/* A program that waits for packets does so by poll(): the first beat is there at once. */
static void look(tcpwhy_live *live)
{
    struct pollfd beats = { .fd = tcpwhy_live_fd(live), .events = POLLIN };

    assert(beats.fd >= 0 && poll(&beats, 1, 1000) == 1);
}

static void step(struct written *w, tcpwhy_live *live, unsigned number, uint8_t code,
                 struct tw_bytes bytes)
{
    switch (code % N_STEPS) {
    case STEP_CUT:
        put(w, w->path, O_TRUNC, bytes);
        break;
    case STEP_REPLACE:
        put(w, w->next, O_TRUNC, bytes);
        rename(w->next, w->path);
        break;
    case STEP_NEXT:
        name_file(w, (int)(number % FILES), w->path);
        put(w, w->path, O_TRUNC, bytes);
        break;
    case STEP_LOOK:
        look(live);
        break;
    default:
        put(w, w->path, O_APPEND, bytes);
    }
}

static void end(struct written *w)
{
    for (int i = 0; i < FILES; i++) {
        name_file(w, i, w->path);
        unlink(w->path);
    }
    rmdir(w->folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) };
    uint8_t how = input_u8(&in);
    struct tcpwhy_live_options options = { .struct_size = sizeof options,
                                           .filter = how & 2 ? "tcp" : NULL };
    struct written w = { .folder = "/tmp/fuzz_follow.XXXXXX", .now_s = 1 };
    tcpwhy_live *live;
    uint64_t n = 0;

    assert(mkdtemp(w.folder));
    name_file(&w, 0, w.path);
    snprintf(w.next, sizeof w.next, "%s/.next", w.folder);
    assert(tcpwhy_live_follow(how & 1 ? w.folder : w.path, &options, &live, NULL, 0) == 0);
    for (unsigned number = 1; in.rest.len > 0; number++) {
        uint8_t code = input_u8(&in);
        struct tw_bytes bytes = input_bytes(&in, 16 * (size_t)input_u8(&in));

        step(&w, live, number, code, bytes);
        if (!drain(live, &n))
            break;
    }
    tcpwhy_live_close(live);
    end(&w);
    return 0;
}

static size_t piece(struct tw_bytes rest)
{
    return tw_bytes_first(rest, 2 + 16 * (size_t)tw_u8(rest, 1)).len;
}

MUTATE_PIECES(1, piece)
