/* SPDX-License-Identifier: MIT */
#include "report/rows/connection_counters.h"

#include <string.h>

#include <glib.h>

#include "base/memory.h"

/* A larger payload than any link of the Internet carries whole: the sender's card cut it up. */
#define OFFLOAD_BYTES 9000

/* Rare record flags: checked together first so that the common case is one test. Truncated payload
 * is not among them: all records of a capture have it, or none. */
#define SELDOM_FACTS (TW_FACT_ACKS_UNSEEN | TW_FACT_CLOCK_BACK)
#define SELDOM_CLASSES                                                                             \
    (1u << TCPWHY_CLASS_RETRANSMISSION | 1u << TCPWHY_CLASS_OUT_OF_ORDER |                         \
     1u << TCPWHY_CLASS_DUPLICATE_FRAME)

static bool is_seldom(const struct tw_record *r)
{
    return (!r->usual && ((r->facts & SELDOM_FACTS) || (1u << r->frame_class & SELDOM_CLASSES))) ||
           r->len > OFFLOAD_BYTES;
}

/* The flaws of the connection, none of them before the first is noted. */
static struct tw_flaws *flaws_of(struct tw_connection_counters *counters)
{
    if (!counters->has_flaws)
        counters->flaws = (struct tw_flaws) { 0 };
    counters->has_flaws = true;
    return &counters->flaws;
}

static void note(struct tw_connection_counters *counters, enum tw_flaw flaw, bool shown,
                 uint32_t frame)
{
    struct tw_flaws *flaws;

    if (!shown)
        return;
    flaws = flaws_of(counters);
    if (flaws->count[flaw] < TW_FLAW_FRAMES)
        flaws->frame[flaw][flaws->count[flaw]] = frame;
    flaws->count[flaw]++;
}

static void note_seldom(struct tw_connection_counters *counters, const struct tw_record *r)
{
    note(counters, TW_FLAW_FRAMES_MISSING, r->facts & TW_FACT_ACKS_UNSEEN, r->frame);
    note(counters, TW_FLAW_CLOCK_STEP_BACK, r->facts & TW_FACT_CLOCK_BACK, r->frame);
    note(counters, TW_FLAW_DUPLICATED_FRAME, r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME,
         r->frame);
    note(counters, TW_FLAW_REORDERING, r->frame_class == TCPWHY_CLASS_OUT_OF_ORDER, r->frame);
    note(counters, TW_FLAW_OFFLOAD, r->len > OFFLOAD_BYTES, r->frame);
}

/* Few, and from then on twice as many as before, have room. */
static void append(struct tw_connection_counters *counters,
                   const struct tw_connection_counters_part *part)
{
    if (counters->n >= TW_CONNECTION_COUNTERS_FEW && (counters->n & (counters->n - 1)) == 0) {
        struct tw_connection_counters_part *more =
            tw_renew(struct tw_connection_counters_part, counters->more, counters->n * 2);

        if (!counters->more)
            memcpy(more, counters->few, sizeof counters->few);
        counters->more = more;
    }
    (counters->more ? counters->more : counters->few)[counters->n++] = *part;
}

/* A width with which the number of intervals stays within its limit. */
static tcpwhy_ns widened(const struct tw_log *log, tcpwhy_ns width_ns)
{
    tcpwhy_ns first_ns = MAX(log->record[0].time_ns, 0);
    tcpwhy_ns last_ns = MAX(log->record[log->n - 1].time_ns, 0);

    if (last_ns - first_ns < width_ns) /* as most are: no need to divide */
        return width_ns;
    while (last_ns / width_ns - first_ns / width_ns >= TW_CONNECTION_COUNTERS_MOST)
        width_ns *= 2;
    return width_ns;
}

/* The end of the interval that a time is in; times before 0 are in the first. */
static tcpwhy_ns end_of_interval(tcpwhy_ns at_ns, tcpwhy_ns width_ns)
{
    at_ns = MAX(at_ns, 0);
    return at_ns - at_ns % width_ns + width_ns;
}

/* The first record at or after a time. */
static const struct tw_record *behind(const struct tw_record *first, const struct tw_record *end,
                                      tcpwhy_ns end_ns)
{
    if (end[-1].time_ns < end_ns) /* as a rule */
        return end;
    while (end - first > 1) {
        const struct tw_record *middle = first + (end - first) / 2;

        if (middle->time_ns < end_ns)
            first = middle;
        else
            end = middle;
    }
    return end;
}

/* The records of one interval. @return how many of them have payload that was cut. */
static uint32_t add_interval(struct tw_connection_counters *counters, const struct tw_record *first,
                             const struct tw_record *end)
{
    struct tw_connection_counters_part part = { .at_ns = first->time_ns,
                                                .frames = (uint32_t)(end - first) };
    uint32_t n_cut = 0;

    for (const struct tw_record *r = first; r < end; r++) {
        part.payload_bytes[r->from] += r->fresh;
        n_cut += !!(r->facts & TW_FACT_PAYLOAD_CUT);
        if (!is_seldom(r))
            continue;
        part.retransmissions += r->frame_class == TCPWHY_CLASS_RETRANSMISSION;
        note_seldom(counters, r);
    }
    append(counters, &part);
    return n_cut;
}

/* In most captures either all records with payload are truncated, or none is: the first ones come
 * soon. */
static void note_cut(struct tw_connection_counters *counters, const struct tw_record *r,
                     uint32_t n_cut)
{
    struct tw_flaws *flaws = flaws_of(counters);

    for (; flaws->count[TW_FLAW_PAYLOAD_CUT] < MIN(n_cut, TW_FLAW_FRAMES); r++)
        note(counters, TW_FLAW_PAYLOAD_CUT, r->facts & TW_FACT_PAYLOAD_CUT, r->frame);
    flaws->count[TW_FLAW_PAYLOAD_CUT] = n_cut;
}

void tw_connection_counters_make(struct tw_connection_counters *counters, const struct tw_log *log,
                                 tcpwhy_ns width_ns)
{
    const struct tw_record *r = log->record, *end = r + log->n, *next;
    uint32_t n_cut = 0;

    counters->more = NULL;
    counters->n = 0;
    counters->has_flaws = false;
    if (log->n > 0)
        width_ns = widened(log, width_ns);
    for (; r < end; r = next) {
        next = behind(r, end, end_of_interval(r->time_ns, width_ns));
        n_cut += add_interval(counters, r, next);
    }
    if (n_cut > 0)
        note_cut(counters, log->record, n_cut);
}

void tw_connection_counters_clear(struct tw_connection_counters *counters)
{
    tw_free(counters->more);
}
