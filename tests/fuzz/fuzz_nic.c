/* SPDX-License-Identifier: MIT */
/*
 * Frames from an interface: the loopback of a network namespace of our own, where that is allowed.
 * The first bytes choose how it is opened; then each byte says what happens next: a frame is sent,
 * the link goes down or up, a frame is awaited, drops are counted.
 */
#include <assert.h>
#include <net/if.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if_packet.h>
#include <netinet/in.h>

#include "source/nic.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

#define LOOPBACK  1 /* its index in each namespace */
#define ETHERNET  14
#define WAIT_MS   1
#define LINKS_MAX 8  /* changes of the link: they wait for the kernel */
#define SKIPPED   77 /* meson's */

enum happening { SEND, LINK, NEXT, COUNT, N_HAPPENINGS };

static void set_link(int fd, bool up)
{
    struct ifreq request = { .ifr_name = "lo" };

    request.ifr_flags = up ? IFF_UP : 0;
    ioctl(fd, SIOCSIFFLAGS, &request);
}

/* @return socket that sends on the loopback. Where namespaces are not allowed the test is skipped.
 */
static int sender(void)
{
    static int fd = -1;

    if (fd >= 0)
        return fd;
    if (unshare(CLONE_NEWNET) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)
        fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (fd < 0)
        exit(SKIPPED);
    return fd;
}

static void send_frame(int fd, struct tw_bytes frame)
{
    const struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = LOOPBACK };

    if (frame.len >= ETHERNET)
        sendto(fd, frame.data, frame.len, MSG_DONTWAIT, (const struct sockaddr *)&to, sizeof to);
}

static void take_frame(struct tw_nic *nic)
{
    struct tw_source_error error = { 0, "" };
    struct tw_frame frame;
    uint64_t sum = 0;
    int got = tw_nic_next(nic, WAIT_MS, &frame, &error);

    assert(got >= 0 || (error.code == got && error.text[0] != '\0'));
    for (size_t i = 0; got > 0 && i < frame.bytes.len; i++)
        sum += frame.bytes.data[i];
    __asm__ volatile("" : : "r"(sum)); /* what was read counts as used */
}

static void happen(struct tw_nic *nic, int fd, struct input *in, unsigned *links)
{
    uint8_t code = input_u8(in);

    switch (code % N_HAPPENINGS) {
    case SEND:
        send_frame(fd, input_bytes(in, input_u8(in)));
        break;
    case LINK:
        if ((*links)++ < LINKS_MAX)
            set_link(fd, code & 128);
        break;
    case NEXT:
        take_frame(nic);
        break;
    default: {
        struct tw_nic_counts counts = tw_nic_counts(nic);

        assert(counts.went_down >= counts.is_down);
    }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = { "lo", "any", "no such interface", "lo" };
    static const char *const filters[] = { NULL, "", "tcp", "tcp port" };
    struct input in = { tw_bytes(data, size) };
    uint8_t choice = input_u8(&in);
    struct tw_nic_options options = { .filter = filters[choice >> 2 & 3],
                                      .snap_len = choice & 16 ? 60 : 65535,
                                      .buffer_bytes = 1 << 16,
                                      .delay_ms = WAIT_MS,
                                      .immediate = choice & 32,
                                      .promiscuous = choice & 64 };
    struct tw_source_error error = { 0, "" };
    int fd = sender();
    unsigned links = 0;
    struct tw_nic *nic;

    set_link(fd, !(choice & 128));
    nic = tw_nic_open(names[choice & 3], &options, &error);
    assert(nic || (error.code < 0 && error.text[0] != '\0'));
    while (nic && in.rest.len > 0)
        happen(nic, fd, &in, &links);
    tw_nic_close(nic);
    return 0;
}

/* A frame is one piece with its code and its length. */
static size_t piece(struct tw_bytes rest)
{
    size_t len = tw_u8(rest, 0) % N_HAPPENINGS == SEND ? 2u + tw_u8(rest, 1) : 1;

    return tw_bytes_first(rest, len).len;
}

MUTATE_PIECES(1, piece)
