/* SPDX-License-Identifier: MIT */
#include "explain/vantage/ip_id.h"

#include <glib.h>

#include "app/app.h"
#include "explain/thresholds.h"

/* Minimum number of packets that the frame was on the wire, and how many more it may have been. */
static uint16_t packets_in(const struct tw_record *r, uint32_t full_bytes, uint16_t *more)
{
    uint32_t n = r->len > full_bytes ? (r->len + full_bytes - 1) / full_bytes : 1;

    *more = (uint16_t)(n / TW_QUARTER);
    return (uint16_t)n;
}

bool tw_ip_id_continues(const struct tw_record *before, const struct tw_record *r,
                        uint32_t full_bytes)
{
    uint16_t more, least = packets_in(before, full_bytes, &more);

    return (uint16_t)(r->ip_id - before->ip_id - least) <= more;
}

/* May this many packets have been lost in a silence? The one that ends it is retransmitted each
 * time. */
static bool may_be_lost(unsigned packets, tcpwhy_ns silence_ns)
{
    tcpwhy_ns timer_ns = TW_OLD_INITIAL_RTO_NS;

    for (unsigned copies = MIN(packets, TW_IP_ID_TRIES); copies > 0; copies--) {
        silence_ns -= timer_ns;
        timer_ns *= 2;
    }
    return silence_ns <= 0;
}

/* All packets missing from the newest ID gap were retransmitted, except perhaps the first, which
 * may have been lost again. */
static void settle(struct tw_ip_id *c)
{
    c->shared |= c->owed > c->since + TW_IP_ID_TRIES;
    c->owed = c->since = 0;
}

static void unsay(struct tw_ip_id *c, const struct tw_ip_id_newest *gap)
{
    c->gaps--;
    c->others--;
    c->odd -= gap->odd;
    c->before_acks -= gap->before_ack;
    c->n_lacks--;
}

/* An overtaken packet belongs to the newest gap: it passed here and was not lost. */
static bool fills_gap(struct tw_ip_id *c, uint16_t id)
{
    struct tw_ip_id_newest *gap = &c->newest;
    uint16_t back = (uint16_t)(gap->behind - id);

    if (gap->packets == 0 || back == 0 || back > gap->size)
        return false;
    if (c->owed)
        c->owed--;
    if (--gap->packets == 0)
        unsay(c, gap);
    else
        c->lack[c->n_lacks - 1].packets = gap->packets;
    return true;
}

/* An ID step to other than the next packet. */
static void leap(struct tw_ip_id *c, const struct tw_record *r, uint16_t by, tcpwhy_ns rtt_ns)
{
    tcpwhy_ns silence_ns;

    c->others++;
    settle(c);
    if (!c->last || by == 0 || by > TW_ID_LOST_MAX)
        return;
    silence_ns = r->time_ns - c->last->time_ns;
    c->gaps++;
    if (!may_be_lost(by - 1u, silence_ns)) {
        c->shared = true;
        return;
    }
    c->lacking = by - 1u;
    c->newest = (struct tw_ip_id_newest) { .behind = r->ip_id,
                                           .size = (uint16_t)c->lacking,
                                           .packets = (uint16_t)c->lacking };
    if (r->facts & TW_FACT_HOLE_BEFORE)
        return;
    c->newest.odd = silence_ns < rtt_ns;
    c->newest.before_ack = c->lacking > 1 && !r->len;
    c->odd += c->newest.odd;
    c->before_acks += c->newest.before_ack;
    c->owed = c->lacking;
}

/* The next frame of the side. */
static inline void step(struct tw_ip_id *c, const struct tw_record *r, tcpwhy_ns rtt_ns)
{
    uint16_t by = (uint16_t)(r->ip_id - c->last_id);

    if (!r->usual && ((r->flags & TW_SYN) || r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME))
        return;
    c->lacking = 0;
    if (by > UINT16_MAX / 2 && fills_gap(c, r->ip_id))
        return;
    if (by == 1 || (c->last && by && tw_ip_id_continues(c->last, r, c->full_bytes)))
        c->ones++;
    else
        leap(c, r, by, rtt_ns);
    c->since++;
    c->last = r;
    c->last_id = r->ip_id;
}

static void note_lack(struct tw_ip_id *c, uint32_t record, struct tw_scratch *scratch)
{
    c->lack = tw_scratch_grow(scratch, c->lack, c->n_lacks, &c->lack_capacity, sizeof *c->lack);
    c->lack[c->n_lacks++] = (struct tw_ip_id_gap) { record, c->lacking };
}

void tw_ip_id_count(const struct tw_log *log, enum tcpwhy_side side, uint32_t full_bytes,
                    tcpwhy_ns rtt_ns, struct tw_scratch *scratch, struct tw_ip_id *out)
{
    const struct tw_record *record = log->record, *end = record + log->n;
    struct tw_ip_id c = { .full_bytes = full_bytes };
    const uint8_t from = (uint8_t)side;

    for (const struct tw_record *r = record; r < end && !c.shared; r++) {
        if (r->from != from)
            continue;
        step(&c, r, rtt_ns);
        if (c.lacking)
            note_lack(&c, (uint32_t)(r - record), scratch);
    }
    settle(&c);
    c.lacking = 0;
    note_lack(&c, TW_NO_RECORD, scratch);
    *out = c;
}

/* BSD's IDs are random: their steps show nothing. */
const struct tw_ip_id_gap *tw_ip_id_missing(const struct tw_log *log, enum tcpwhy_side from,
                                            uint32_t full_bytes, tcpwhy_ns rtt_ns,
                                            struct tw_scratch *scratch, uint32_t *n)
{
    struct tw_ip_id all;
    bool counts;

    tw_ip_id_count(log, from, full_bytes, rtt_ns, scratch, &all);
    counts = all.gaps > 0 && !all.shared &&
             tw_ip_id_counts_flow(log->ip_id_scope[from], all.last->ttl) &&
             all.before_acks < TW_OFTEN && all.ones >= TW_OFTEN && all.ones > all.others &&
             (all.odd < TW_OFTEN || all.odd * 10 < all.ones + all.others);
    *n = counts ? all.n_lacks - 1 : 0;
    return counts ? all.lack : NULL;
}
