/* SPDX-License-Identifier: MIT */
/*
 * send_frames CAPTURE INTERFACE RATE: the frames of a capture out of an interface, RATE of them a
 * second whatever their times say, for what a live capture drops. Prints how many and how fast.
 */
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <linux/if_packet.h>
#include <pcap/pcap.h>

/* Frames a system call takes; at 600,000 a second, a tenth of a millisecond. */
#define AT_ONCE 64

struct frames {
    struct mmsghdr *messages;
    struct iovec *pieces;
    size_t n, room;
};

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void *grow(void *array, size_t n, size_t size)
{
    array = realloc(array, n * size);
    if (!array)
        fail("realloc");
    return array;
}

static void add(struct frames *frames, const struct pcap_pkthdr *header, const unsigned char *bytes)
{
    struct iovec piece = { .iov_base = malloc(header->caplen + 1), .iov_len = header->caplen };

    if (!piece.iov_base)
        fail("malloc");
    memcpy(piece.iov_base, bytes, header->caplen);
    if (frames->n == frames->room) {
        frames->room = frames->room ? 2 * frames->room : 1024;
        frames->pieces = grow(frames->pieces, frames->room, sizeof(*frames->pieces));
    }
    frames->pieces[frames->n++] = piece;
}

static struct frames read_frames(const char *path)
{
    char error[PCAP_ERRBUF_SIZE];
    pcap_t *capture = pcap_open_offline(path, error);
    struct frames frames = { .n = 0 };
    struct pcap_pkthdr *header;
    const unsigned char *bytes;

    if (!capture) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    while (pcap_next_ex(capture, &header, &bytes) == 1)
        add(&frames, header, bytes);
    pcap_close(capture);
    frames.messages = grow(NULL, frames.n + 1, sizeof(*frames.messages));
    memset(frames.messages, 0, (frames.n + 1) * sizeof(*frames.messages));
    for (size_t i = 0; i < frames.n; i++)
        frames.messages[i].msg_hdr =
            (struct msghdr) { .msg_iov = &frames.pieces[i], .msg_iovlen = 1 };
    return frames;
}

static void free_frames(struct frames *frames)
{
    for (size_t i = 0; i < frames->n; i++)
        free(frames->pieces[i].iov_base);
    free(frames->pieces);
    free(frames->messages);
}

static int open_interface(const char *name)
{
    struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex(name) };
    int fd = socket(AF_PACKET, SOCK_RAW, 0), on = 1;

    if (to.sll_ifindex == 0 || fd < 0 || bind(fd, (struct sockaddr *)&to, sizeof(to)) != 0)
        fail(name);
    setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof(on));
    return fd;
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    struct frames frames;
    double rate, begun_s, took_s;
    size_t sent = 0;
    int fd;

    if (argc != 4 || (rate = strtod(argv[3], NULL)) <= 0) {
        fprintf(stderr, "usage: send_frames CAPTURE INTERFACE RATE\n");
        return 2;
    }
    frames = read_frames(argv[1]);
    fd = open_interface(argv[2]);
    begun_s = now_s();
    while (sent < frames.n) {
        size_t due = (size_t)((now_s() - begun_s) * rate), n = due > sent ? due - sent : 0;
        int done;

        if (n > frames.n - sent)
            n = frames.n - sent;
        if (n < AT_ONCE && n < frames.n - sent)
            continue;
        done = sendmmsg(fd, &frames.messages[sent], n < AT_ONCE ? (unsigned)n : AT_ONCE, 0);
        if (done < 0)
            fail("sendmmsg");
        sent += (size_t)done;
    }
    took_s = now_s() - begun_s;
    printf("%zu frames in %.2f s, %.0f a second\n", sent, took_s, (double)sent / took_s);
    free_frames(&frames);
    return 0;
}
