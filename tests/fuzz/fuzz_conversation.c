/* SPDX-License-Identifier: MIT */
/*
 * Conversations of whole segments, whatever the bytes: two to choose the options, then twelve a
 * segment. Memory bound, threads, both ends in one file, rotated files and tables. The verdict
 * depends neither on threads nor on where a file was cut.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <tcpwhy/tcpwhy.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"
#include "tests/fuzz/tables.h"

#define SEGMENT      12
#define SEGMENTS_MAX 400
#define HEADERS      40 /* IPv4 and TCP without options */
#define RECORD_MAX   (16 + HEADERS + 12 + 1448)

struct conversation {
    uint32_t seq[8][2]; /* next of each connection and side */
    uint64_t now_us;
    bool both_ends; /* each segment is seen a second time, a millisecond later and a hop further */
};

static void put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put32(uint8_t *at, uint32_t value)
{
    put16(at, value >> 16);
    put16(at + 2, value);
}

/* One record of a big-endian pcap. @return its length. */
static size_t put_record(uint8_t *out, const uint8_t *packet, size_t len, uint64_t us, uint8_t ttl)
{
    put32(out, (uint32_t)(us / 1000000));
    put32(out + 4, (uint32_t)(us % 1000000));
    put32(out + 8, (uint32_t)len);
    put32(out + 12, (uint32_t)len);
    memcpy(out + 16, packet, len);
    out[16 + 8] = ttl;
    return 16 + len;
}

/* SACK and timestamps, as far as the bytes ask for them. @return length, of whole words. */
static size_t put_options(uint8_t *at, uint8_t flags, uint8_t asked, uint32_t ack)
{
    if (flags & 2) {
        memcpy(at, (const uint8_t[]) { 2, 4, 5, 0xb4, 3, 3, (uint8_t)(asked & 15), 1, 4, 2, 1, 1 },
               12);
        return asked & 16 ? 12 : 0;
    }
    if (!(asked & 32))
        return 0;
    memcpy(at, (const uint8_t[]) { 1, 1, 5, 10 }, 4);
    put32(at + 4, ack + 1448u * (asked & 7));
    put32(at + 8, ack + 1448u * ((asked & 7) + 1u));
    return 12;
}

/* Bytes: connection and side, flags, gap (2), sequence (2), ACK (2), window, length (2), options.
 */
static size_t put_segment(struct conversation *c, const uint8_t *s, uint8_t *out)
{
    unsigned connection = s[0] >> 1 & 7, side = s[0] & 1, flags = s[1] & 0x3f;
    uint32_t *own = &c->seq[connection][side];
    uint32_t seq = *own + (uint32_t)(int16_t)tw_be16(tw_bytes(s, SEGMENT), 4);
    uint32_t ack = c->seq[connection][!side] - (uint32_t)tw_be16(tw_bytes(s, SEGMENT), 6);
    size_t len = tw_be16(tw_bytes(s, SEGMENT), 9) % 1449, options;
    uint8_t packet[RECORD_MAX] = { 0x45 };
    size_t written;

    put32(packet + 12, 0x0a000001u + side);
    put32(packet + 16, 0x0a000002u - side);
    packet[9] = 6;
    put16(packet + 20, side ? 80 : 40000 + connection);
    put16(packet + 22, side ? 40000 + connection : 80);
    put32(packet + 24, seq);
    put32(packet + 28, flags & 16 ? ack : 0);
    options = put_options(packet + HEADERS, flags, s[11], ack);
    packet[32] = (uint8_t)((20 + options) / 4 << 4);
    packet[33] = (uint8_t)flags;
    put16(packet + 34, s[8] * 256u);
    put16(packet + 2, (uint32_t)(HEADERS + options + len));
    put16(packet + 4, (uint32_t)c->now_us); /* IP identification */
    c->now_us += (uint64_t)tw_be16(tw_bytes(s, SEGMENT), 2) << (s[0] >> 4);
    *own = seq + (uint32_t)len + ((flags & 3) != 0);
    written = put_record(out, packet, HEADERS + options + len, c->now_us, 64);
    if (c->both_ends)
        written += put_record(out + written, packet, HEADERS + options + len, c->now_us + 1000, 63);
    return written;
}

static tcpwhy_report *analyze(const uint8_t *pcap, size_t len, size_t cut,
                              const struct tcpwhy_options *options)
{
    char paths[2][32], error[TCPWHY_ERROR_TEXT];
    const char *const names[2] = { paths[0], paths[1] };
    const struct tw_bytes parts[2][2] = { { tw_bytes(pcap, 24), tw_bytes(pcap + 24, cut - 24) },
                                          { tw_bytes(pcap, 24), tw_bytes(pcap + cut, len - cut) } };
    int fd[2] = { -1, -1 }, status = 0;
    tcpwhy_report *report = NULL;

    if (cut <= 24 || cut >= len)
        return tcpwhy_analyze_memory(pcap, len, options, &report, error, sizeof error) < 0 ? NULL
                                                                                           : report;
    for (int i = 0; i < 2; i++) {
        fd[i] = memfd_create("part", MFD_CLOEXEC);
        for (int k = 0; k < 2; k++)
            if (write(fd[i], parts[i][k].data, parts[i][k].len) != (ssize_t)parts[i][k].len)
                abort();
        snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", fd[i]);
    }
    status = tcpwhy_analyze_files(names, 2, options, &report, error, sizeof error);
    close(fd[0]);
    close(fd[1]);
    return status < 0 ? NULL : report;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct conversation c = { .now_us = 1000000 };
    struct input in = { tw_bytes(data, size) };
    uint8_t choice = input_u8(&in), more = input_u8(&in);
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    uint8_t *pcap = calloc(1, 24 + (size_t)SEGMENTS_MAX * 2 * RECORD_MAX);
    size_t len = 24, cut = 0;
    tcpwhy_report *whole, *other;

    if (!pcap)
        return 0;
    memcpy(pcap, (const uint8_t[]) { 0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4 }, 8);
    put32(pcap + 16, 65535);
    put32(pcap + 20, 101); /* LINKTYPE_RAW */
    c.both_ends = choice & 1;
    for (unsigned n = 0; in.rest.len >= SEGMENT && n < SEGMENTS_MAX; n++) {
        len += put_segment(&c, input_bytes(&in, SEGMENT).data, pcap + len);
        if (n == more)
            cut = len;
    }
    options.keep_exchanges = options.keep_spans = true;
    options.interval_ns = TCPWHY_S(86400);
    options.threads = 1;
    options.memory_bytes = choice & 2 ? UINT64_C(65536) << (choice >> 5) : 0;
    whole = analyze(pcap, len, 0, &options);
    options.threads = 1 + (choice >> 3 & 3);
    other = analyze(pcap, len, choice & 4 ? cut : 0, &options);
    if (whole && other && options.memory_bytes == 0) {
        assert(tcpwhy_report_verdict(whole)->cause == tcpwhy_report_verdict(other)->cause);
        assert(tcpwhy_report_verdict(whole)->cost_ns == tcpwhy_report_verdict(other)->cost_ns);
    }
    if (other)
        read_tables(other, more & 7);
    tcpwhy_report_free(whole);
    tcpwhy_report_free(other);
    free(pcap);
    return 0;
}

static size_t piece(struct tw_bytes rest)
{
    return rest.len < SEGMENT ? rest.len : SEGMENT;
}

MUTATE_PIECES(2, piece)
