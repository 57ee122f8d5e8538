/* SPDX-License-Identifier: MIT */
#include "explain/model/full_segment.h"

#include <glib.h>

/* MTU 1500 with timestamps: the default. */
#define DEFAULT_BYTES 1448

/* Every path carries this: 576 bytes (RFC 791) less 40 of headers and 40 of options. */
#define LEAST_BYTES 496

/* An agreed MSS may be smaller; Linux's minimum is 88 with options (TCP_MIN_SND_MSS). */
#define TINY_BYTES 36
#define CUTS       3

/* Larger payloads are several segments, not yet cut by the card. */
#define JUMBO_BYTES 9000

/* Lengths counted separately; common ones are among the first. */
#define LENGTHS 16

struct length {
    int64_t bytes, n;
};

/* A segment without PSH was cut from more data. */
static unsigned count_lengths(const struct tw_log *log, enum tcpwhy_side from,
                              struct length *length)
{
    unsigned n = 0, k;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from != from || r->len < LEAST_BYTES || (r->flags & TW_PSH))
            continue;
        for (k = 0; k < n && length[k].bytes != r->len; k++)
            ;
        if (k == n && n == LENGTHS)
            continue;
        if (k == n)
            length[n++] = (struct length) { r->len, 0 };
        length[k].n++;
    }
    return n;
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b > 0) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Bytes sent in multiples of a length. */
static int64_t weigh(const struct length *length, unsigned n, int64_t bytes)
{
    int64_t weight = 0;

    for (unsigned i = 0; i < n; i++)
        if (length[i].bytes % bytes == 0)
            weight += length[i].bytes * length[i].n;
    return weight;
}

/* Was more data behind such payloads cut off, more often than by chance? */
static bool is_cut_at(const struct tw_log *log, enum tcpwhy_side from, int64_t bytes)
{
    unsigned cuts = 0;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        cuts += r->from == from && r->len == bytes && !(r->flags & TW_PSH);
    }
    return cuts >= CUTS;
}

static int64_t largest_payload(const struct tw_log *log, enum tcpwhy_side from)
{
    int64_t largest = 0;

    for (uint32_t i = 0; i < log->n; i++)
        if (log->record[i].from == from)
            largest = MAX(largest, log->record[i].len);
    return largest;
}

/* Full segments, and those not yet cut by a card, are multiples of one length. */
int64_t tw_full_segment_find(const struct tw_log *log, enum tcpwhy_side from)
{
    struct length length[LENGTHS];
    unsigned n = count_lengths(log, from, length);
    int64_t best = 0, weight = 0, largest;

    for (unsigned i = 0; i < n; i++)
        for (unsigned k = i; k < n; k++) {
            int64_t common = divisor(length[i].bytes, length[k].bytes);

            if (common < LEAST_BYTES || common > JUMBO_BYTES || weigh(length, n, common) <= weight)
                continue;
            best = common;
            weight = weigh(length, n, common);
        }
    if (best > 0)
        return best;
    largest = largest_payload(log, from);
    if (largest >= TINY_BYTES && largest < LEAST_BYTES && is_cut_at(log, from, largest))
        return largest;
    return largest > DEFAULT_BYTES && largest <= DEFAULT_BYTES + 12 ? largest : DEFAULT_BYTES;
}
