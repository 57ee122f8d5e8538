/* SPDX-License-Identifier: MIT */
#include "explain/model/full_segment.h"

#include <glib.h>

/* With 1500 bytes of MTU and timestamps: where nothing tells more. */
#define DEFAULT_BYTES 1448

/* No path carries less: 576 bytes (RFC 791) with 40 of headers and 40 of options. */
#define LEAST_BYTES 496

/* An agreed MSS may be less; Linux' least is 88 with options (TCP_MIN_SND_MSS). */
#define TINY_BYTES 36
#define CUTS       3

/* Larger payloads are several segments that a card has not cut up yet. */
#define JUMBO_BYTES 9000

/* Lengths that are told apart; the usual ones are among the first. */
#define LENGTHS 16

struct length {
    int64_t bytes, n;
};

/* What is not pushed was cut off what stood behind it. */
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

/* How much was sent in multiples of it. */
static int64_t weigh(const struct length *length, unsigned n, int64_t bytes)
{
    int64_t weight = 0;

    for (unsigned i = 0; i < n; i++)
        if (length[i].bytes % bytes == 0)
            weight += length[i].bytes * length[i].n;
    return weight;
}

/* Was what stood behind such payloads cut off, more than by chance? */
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

/* Full segments, and what a card has yet to cut into some, are multiples of one length. */
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
