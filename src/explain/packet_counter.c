/* SPDX-License-Identifier: MIT */
#include "explain/packet_counter.h"

/* How far back the IP identification may step over lost segments. */
#define LOST_MAX 1000

/* Fewer steps of one than this are chance. */
#define ID_ONES_TRUSTED 3

/* Larger steps between close frames that may be lost ACKs; more of them, and the counter is shared.
 */
#define ID_ODD_FEW 3

/* A step that is not of one. */
static void leap(struct tw_packet_counter *c, const struct tw_record *r, uint16_t by,
                 tcpwhy_ns rtt_ns)
{
    c->others++;
    if (!c->last || by == 0 || by > LOST_MAX)
        return;
    c->lacking = by - 1u;
    c->gaps++;
    c->odd += r->time_ns - c->last->time_ns < rtt_ns && !(r->facts & TW_FACT_HOLE_BEFORE);
}

/* The next frame of the side. */
static inline void step(struct tw_packet_counter *c, const struct tw_record *r, tcpwhy_ns rtt_ns)
{
    uint16_t by = (uint16_t)(r->ip_id - c->last_id);

    if (!r->usual && ((r->flags & TW_SYN) || r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME))
        return;
    c->lacking = 0;
    if (by == 1)
        c->ones++;
    else
        leap(c, r, by, rtt_ns);
    c->last = r;
    c->last_id = r->ip_id;
}

static inline void count(struct tw_packet_counter *c, const struct tw_record *end, uint8_t from,
                         tcpwhy_ns rtt_ns)
{
    for (; c->next < end; c->next++)
        if (c->next->from == from)
            step(c, c->next, rtt_ns);
}

void tw_packets_count(struct tw_packet_counter *c, const struct tw_record *end,
                      enum tcpwhy_side from, tcpwhy_ns rtt_ns)
{
    count(c, end, (uint8_t)from, rtt_ns);
}

/* BSD draws the identification, Windows counts all packets of a host in one: then its steps tell
 * nothing of one connection. */
bool tw_packets_lack(const struct tw_log *log, enum tcpwhy_side from, tcpwhy_ns rtt_ns)
{
    struct tw_packet_counter all = { .next = log->record };

    count(&all, log->record + log->n, (uint8_t)from, rtt_ns);
    return all.gaps > 0 && all.ones >= ID_ONES_TRUSTED && all.ones > all.others &&
           (all.odd < ID_ODD_FEW || all.odd * 10 < all.ones + all.others);
}
