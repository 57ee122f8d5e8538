/* SPDX-License-Identifier: MIT */
/*
 * multiply OUT MEGABYTES CAPTURE...: one large capture out of small ones. Each copy of a capture
 * gets addresses of its own (so its connections are new ones) and a start of its own; the copies
 * overlap and are merged in time order. Checksums are corrected, so the packets stay valid.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of copies that run at the same time: a busy server's overlapping connections. */
#define CONCURRENT 64
/* A copy starts this long after the one whose place it takes. */
#define PAUSE_NS UINT64_C(1000000)

#define PCAP_NS_MAGIC 0xa1b23c4du
#define FILE_HEADER   24
#define RECORD_HEADER 16
/* The longest record written, and what the file's header says; the captures' own differ. */
#define SNAP_LEN (1 << 18)

struct capture {
    uint8_t *bytes;
    size_t len;
    uint64_t first_ns;
};

/* A running copy: where it is in its capture, and what was changed about it. */
struct copy {
    const struct capture *capture;
    size_t at;
    uint64_t shift_ns; /* added to its times, which begin at 0 */
    uint64_t now_ns;   /* time of the record at `at`, shifted */
    uint32_t number;   /* which addresses it has */
};

static uint32_t le32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put_le32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static uint16_t be16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

static _Noreturn void fail(const char *path, const char *what)
{
    fprintf(stderr, "multiply: %s: %s\n", path, what);
    exit(1);
}

static uint64_t record_ns(const uint8_t *record)
{
    return le32(record) * UINT64_C(1000000000) + le32(record + 4);
}

static bool has_record(const struct capture *c, size_t at)
{
    return c->len - at >= RECORD_HEADER && le32(c->bytes + at + 8) <= c->len - at - RECORD_HEADER;
}

static struct capture load(const char *path)
{
    struct capture c = { 0 };
    FILE *in = fopen(path, "rb");

    if (!in)
        fail(path, strerror(errno));
    fseek(in, 0, SEEK_END);
    c.len = (size_t)ftell(in);
    rewind(in);
    c.bytes = malloc(c.len + 1);
    if (!c.bytes || fread(c.bytes, 1, c.len, in) != c.len)
        fail(path, "cannot be read");
    fclose(in);
    if (c.len < FILE_HEADER || le32(c.bytes) != PCAP_NS_MAGIC || !has_record(&c, FILE_HEADER))
        fail(path, "not a little-endian pcap with nanoseconds, as those of pcaps/ are");
    c.first_ns = record_ns(c.bytes + FILE_HEADER);
    return c;
}

/* RFC 1624, equation 3: a 16-bit word of the summed bytes changes from `from` to `to`. */
static void correct(uint8_t *checksum, uint16_t from, uint16_t to)
{
    uint32_t sum = (uint16_t)~be16(checksum);

    sum += (uint16_t)~from;
    sum += to;
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    checksum[0] = (uint8_t)(~sum >> 8);
    checksum[1] = (uint8_t)~sum;
}

/* Give an address (10.9.0.x) the copy's own middle: 10.n.n.x with 65,536 values of n.n. */
static void readdress(uint8_t *address, uint32_t number, uint8_t *ip_checksum,
                      uint8_t *tcp_checksum)
{
    uint16_t old[2] = { be16(address), be16(address + 2) };

    address[1] = (uint8_t)(number >> 8);
    address[2] = (uint8_t)number;
    for (int i = 0; i < 2; i++) {
        uint16_t changed = be16(address + 2 * i);

        correct(ip_checksum, old[i], changed);
        if (tcp_checksum)
            correct(tcp_checksum, old[i], changed);
    }
}

/* Ethernet with plain IPv4 and TCP, as the lab's captures are; other frames stay as they are. */
static void change(uint8_t *frame, size_t len, uint32_t number)
{
    if (len < 34 || be16(frame + 12) != 0x0800)
        return;

    uint8_t *ip = frame + 14;
    size_t header = (size_t)(ip[0] & 15) * 4;
    bool tcp = ip[9] == 6 && len >= 14 + header + 18;
    uint8_t *tcp_checksum = tcp ? ip + header + 16 : NULL;

    readdress(ip + 12, number, ip + 10, tcp_checksum);
    readdress(ip + 16, number, ip + 10, tcp_checksum);
}

/* Restore the heap's order below `at`; the earliest copy is copies[0]. */
static void sift_down(struct copy *copies, size_t n, size_t at)
{
    for (;;) {
        size_t child = 2 * at + 1;

        if (child >= n)
            return;
        if (child + 1 < n && copies[child + 1].now_ns < copies[child].now_ns)
            child++;
        if (copies[at].now_ns <= copies[child].now_ns)
            return;

        struct copy held = copies[at];

        copies[at] = copies[child];
        copies[child] = held;
        at = child;
    }
}

static void start(struct copy *copy, const struct capture *capture, uint32_t number, uint64_t ns)
{
    *copy = (struct copy) {
        .capture = capture,
        .at = FILE_HEADER,
        .shift_ns = ns,
        .now_ns = ns,
        .number = number,
    };
}

/* When the record at copy->at leaves. One that stands before its predecessor in time would break
 * the order of all, so it leaves with it. */
static uint64_t next_ns(const struct copy *copy)
{
    uint64_t first_ns = copy->capture->first_ns;
    uint64_t ns = record_ns(copy->capture->bytes + copy->at);
    uint64_t shifted_ns = copy->shift_ns + (ns > first_ns ? ns - first_ns : 0);

    return shifted_ns > copy->now_ns ? shifted_ns : copy->now_ns;
}

/* Write the copy's record and step to its next. Returns the bytes written. */
static size_t emit(struct copy *copy, uint64_t epoch_ns, FILE *out)
{
    const uint8_t *record = copy->capture->bytes + copy->at;
    uint32_t captured = le32(record + 8);
    uint8_t bytes[RECORD_HEADER + SNAP_LEN];
    uint64_t ns = epoch_ns + copy->now_ns;

    if (captured > SNAP_LEN)
        captured = SNAP_LEN;
    memcpy(bytes, record, RECORD_HEADER + captured);
    put_le32(bytes, (uint32_t)(ns / 1000000000));
    put_le32(bytes + 4, (uint32_t)(ns % 1000000000));
    put_le32(bytes + 8, captured);
    change(bytes + RECORD_HEADER, captured, copy->number);
    if (fwrite(bytes, 1, RECORD_HEADER + captured, out) != RECORD_HEADER + captured)
        fail("output", strerror(errno));
    copy->at += RECORD_HEADER + le32(record + 8);
    if (has_record(copy->capture, copy->at))
        copy->now_ns = next_ns(copy);
    return RECORD_HEADER + captured;
}

static void multiply(const struct capture *captures, size_t n_captures, uint64_t target, FILE *out)
{
    struct copy copies[CONCURRENT];
    uint32_t number = 0;
    uint64_t written = FILE_HEADER;

    for (size_t i = 0; i < CONCURRENT; i++, number++)
        start(&copies[i], &captures[number % n_captures], number, i * PAUSE_NS);
    put_le32(captures[0].bytes + 16, SNAP_LEN);
    fwrite(captures[0].bytes, 1, FILE_HEADER, out);
    while (written < target) {
        struct copy *earliest = &copies[0];

        written += emit(earliest, captures[0].first_ns, out);
        if (!has_record(earliest->capture, earliest->at)) {
            start(earliest, &captures[number % n_captures], number, earliest->now_ns + PAUSE_NS);
            number++;
        }
        sift_down(copies, CONCURRENT, 0);
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: multiply OUT MEGABYTES CAPTURE...\n");
        return 2;
    }

    size_t n = (size_t)argc - 3;
    struct capture *captures = calloc(n, sizeof *captures);
    FILE *out = fopen(argv[1], "wb");

    if (!out || !captures)
        fail(argv[1], strerror(errno));
    for (size_t i = 0; i < n; i++)
        captures[i] = load(argv[3 + i]);
    multiply(captures, n, strtoull(argv[2], NULL, 10) * 1000000, out);
    if (fclose(out))
        fail(argv[1], strerror(errno));
    for (size_t i = 0; i < n; i++)
        free(captures[i].bytes);
    free(captures);
    return 0;
}
