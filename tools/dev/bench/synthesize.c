/* SPDX-License-Identifier: MIT */
/*
 * synthesize OUT WORKLOAD FRAMES [SNAP_LEN [STEP_US]]: a capture of one kind of traffic, the same
 * on every machine. Ethernet, IPv4 and TCP with timestamps; checksums are left 0, as offload leaves
 * them.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCAP_NS_MAGIC 0xa1b23c4du
#define FILE_HEADER   24
#define RECORD_HEADER 16
#define HEADERS       66 /* Ethernet 14, IPv4 20, TCP 32 */
#define MAX_SNAP      2048

#define FIN 1
#define SYN 2
#define PSH 8
#define ACK 16

/* 2026-11-20 00:00:00 UTC, and a microsecond between frames unless told otherwise. */
#define EPOCH_NS UINT64_C(1795132800000000000)
#define STEP_NS  1000

static const char request_text[] = "GET /item HTTP/1.1\r\nHost: bench.example\r\n\r\n";

/* Connections of a workload. */
static const struct workload {
    const char *name;
    uint32_t open;      /* connections at a time */
    uint32_t exchanges; /* of a connection; 0: it never gets past its SYN */
    uint32_t segments;  /* of a response; 0: endless */
    uint32_t bytes;     /* of a segment */
} workloads[] = {
    { "bulk", 64, 1, 5000, 1448 },   { "requests", 256, 200, 1, 400 },  { "short", 64, 1, 1, 400 },
    { "streams", 10000, 1, 1, 400 }, { "open", UINT32_MAX, 1, 1, 400 }, { "flood", 1, 0, 0, 0 },
    { "giant", 1, 1, 0, 1448 },
};

/* A connection: what comes next, and how far each side has sent. */
struct talk {
    uint32_t number;
    uint32_t exchange, segment; /* done */
    uint32_t sent[2];
    uint8_t phase;
    bool acked; /* the last two segments */
};

enum phase { OPEN, ANSWER, OPENED, REQUEST, TAKEN, RESPONSE, END, END_ANSWER, ENDED };

/* One frame of it. */
struct step {
    int from; /* 0 client, 1 server */
    uint8_t flags;
    uint32_t len;
    const char *text; /* what the payload begins with */
};

static void put16(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

static void put32(uint8_t *p, uint32_t v)
{
    put16(p, v >> 16);
    put16(p + 2, v);
}

static void put_le32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static _Noreturn void fail(const char *path, const char *what)
{
    fprintf(stderr, "synthesize: %s: %s\n", path, what);
    exit(1);
}

/* The response's next segment, or the ACK that every second one gets. */
static struct step respond(struct talk *t, const struct workload *w, char *head, size_t head_size)
{
    if (!t->acked && t->segment > 0 && t->segment % 2 == 0) {
        t->acked = true;
        return (struct step) { 0, ACK, 0, NULL };
    }
    if (w->segments && t->segment == w->segments) {
        t->exchange++;
        t->phase = t->exchange < w->exchanges ? REQUEST : END;
        return (struct step) { 0, ACK, 0, NULL };
    }
    t->acked = false;
    if (t->segment++ > 0)
        return (struct step) { 1, ACK, w->bytes, NULL };

    /* The head counts among the bytes of the first segment; it is padded to a known length. */
    unsigned body = w->segments ? w->segments * w->bytes - 64 : 2000000000;

    snprintf(head, head_size, "HTTP/1.1 200 OK\r\nContent-Length: %010u\r\nX: %011d\r\n\r\n", body,
             0);
    return (struct step) { 1, ACK | PSH, w->bytes, head };
}

/* The next frame of a connection. @return false when that was its last. */
static bool advance(struct talk *t, const struct workload *w, struct step *s, char *head,
                    size_t head_size)
{
    switch ((enum phase)t->phase++) {
    case OPEN:
        *s = (struct step) { 0, SYN, 0, NULL };
        return w->exchanges > 0;
    case ANSWER:
        *s = (struct step) { 1, SYN | ACK, 0, NULL };
        return true;
    case OPENED:
        *s = (struct step) { 0, ACK, 0, NULL };
        return true;
    case REQUEST:
        *s = (struct step) { 0, ACK | PSH, sizeof request_text - 1, request_text };
        return true;
    case TAKEN:
        t->segment = 0;
        *s = (struct step) { 1, ACK, 0, NULL };
        return true;
    case RESPONSE:
        t->phase = RESPONSE;
        *s = respond(t, w, head, head_size);
        return true;
    case END:
        *s = (struct step) { 0, FIN | ACK, 0, NULL };
        return true;
    case END_ANSWER:
        *s = (struct step) { 1, FIN | ACK, 0, NULL };
        return true;
    case ENDED:
        break;
    }
    *s = (struct step) { 0, ACK, 0, NULL };
    return false;
}

static void write_ip(uint8_t *ip, const struct talk *t, const struct step *s)
{
    uint32_t address[2] = { 0x0a000000u | (t->number / 28000 & 0xffff), 0xc0a80001u };

    memset(ip, 0, 20);
    ip[0] = 0x45;
    put16(ip + 2, 20 + 32 + s->len);
    put16(ip + 4, t->sent[s->from] / 400 + 1);
    ip[6] = 0x40;
    ip[8] = 64;
    ip[9] = 6;
    put32(ip + 12, address[s->from]);
    put32(ip + 16, address[!s->from]);
}

static void write_tcp(uint8_t *tcp, const struct talk *t, const struct step *s, uint32_t ms)
{
    uint32_t port[2] = { 32768 + t->number % 28000, 80 };
    uint32_t isn[2] = { t->number * 2654435761u, t->number * 2246822519u };

    memset(tcp, 0, 32);
    put16(tcp, port[s->from]);
    put16(tcp + 2, port[!s->from]);
    put32(tcp + 4, isn[s->from] + t->sent[s->from]);
    put32(tcp + 8, s->flags & ACK ? isn[!s->from] + t->sent[!s->from] : 0);
    tcp[12] = 0x80;
    tcp[13] = s->flags;
    put16(tcp + 14, 64000);
    put32(tcp + 20, 0x0101080a); /* two no-operations, and the timestamps */
    put32(tcp + 24, ms);
    put32(tcp + 28, s->flags & ACK ? ms : 0);
}

static void write_frame(FILE *out, uint64_t ns, struct talk *t, const struct step *s, uint32_t snap)
{
    static const uint8_t ethernet[14] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0 };
    uint8_t bytes[RECORD_HEADER + MAX_SNAP] = { 0 };
    uint32_t len = HEADERS + s->len, captured = len < snap ? len : snap;
    uint8_t *frame = bytes + RECORD_HEADER;

    put_le32(bytes, (uint32_t)(ns / 1000000000));
    put_le32(bytes + 4, (uint32_t)(ns % 1000000000));
    put_le32(bytes + 8, captured);
    put_le32(bytes + 12, len);
    memcpy(frame, ethernet, sizeof ethernet);
    write_ip(frame + 14, t, s);
    write_tcp(frame + 34, t, s, (uint32_t)(ns / 1000000));
    if (s->text)
        memcpy(frame + HEADERS, s->text, strlen(s->text));
    t->sent[s->from] += s->len + !!(s->flags & (SYN | FIN));
    if (fwrite(bytes, 1, RECORD_HEADER + captured, out) != RECORD_HEADER + captured)
        fail("output", strerror(errno));
}

static void write_header(FILE *out, uint32_t snap)
{
    uint8_t header[FILE_HEADER] = { 0 };

    put_le32(header, PCAP_NS_MAGIC);
    header[4] = 2;
    header[6] = 4;
    put_le32(header + 16, snap);
    header[20] = 1;
    fwrite(header, 1, sizeof header, out);
}

/* The connections take turns in an order that looks like chance. */
static void write_all(FILE *out, const struct workload *w, uint64_t frames, uint32_t snap,
                      uint64_t step_ns)
{
    uint64_t open = w->open < frames / 10 ? w->open : frames / 10 + 1;
    struct talk *talks = calloc(open, sizeof *talks);
    uint64_t chance = 1;
    uint32_t number = 0;
    char head[80];

    if (!talks)
        fail("output", "too many connections for the memory");
    for (; number < open; number++)
        talks[number].number = number;
    for (uint64_t n = 0; n < frames; n++) {
        struct talk *t;
        struct step s;

        chance = chance * 6364136223846793005u + 1442695040888963407u;
        t = &talks[(chance >> 33) % open];

        bool more = advance(t, w, &s, head, sizeof head);

        write_frame(out, EPOCH_NS + n * step_ns, t, &s, snap);
        if (!more)
            *t = (struct talk) { .number = number++ };
    }
    free(talks);
}

static const struct workload *find(const char *name)
{
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        if (strcmp(workloads[i].name, name) == 0)
            return &workloads[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const struct workload *w = argc >= 4 ? find(argv[2]) : NULL;
    uint64_t frames = argc >= 4 ? strtoull(argv[3], NULL, 10) : 0;
    uint64_t snap = argc >= 5 ? strtoull(argv[4], NULL, 10) : MAX_SNAP;
    uint64_t step_ns = argc == 6 ? strtoull(argv[5], NULL, 10) * 1000 : STEP_NS;
    FILE *out;

    if (!w || frames == 0 || argc > 6 || snap < HEADERS || snap > MAX_SNAP) {
        fprintf(stderr, "usage: synthesize OUT WORKLOAD FRAMES [SNAP_LEN [STEP_US]]\nworkloads:");
        for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
            fprintf(stderr, " %s", workloads[i].name);
        fprintf(stderr, "\n");
        return 2;
    }
    out = fopen(argv[1], "wb");
    if (!out)
        fail(argv[1], strerror(errno));
    write_header(out, (uint32_t)snap);
    write_all(out, w, frames, (uint32_t)snap, step_ns);
    if (fclose(out))
        fail(argv[1], strerror(errno));
    return 0;
}
