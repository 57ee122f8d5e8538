/* SPDX-License-Identifier: MIT */
#include "explain/packet_counter.h"

/* How far back the IP identification may step over lost segments. */
#define ID_LOST_MAX 1000

/* Fewer steps of one than this are chance. */
#define ID_ONES_TRUSTED 3

/* Larger steps between close frames that may be lost ACKs; more of them, and the counter is shared.
 */
#define ID_ODD_FEW 3

static void count_id(struct tw_packet_counter *c, const struct tw_record *r, tcpwhy_ns rtt)
{
    uint16_t step = (uint16_t)(r->ip_id - c->last_id);

    c->lacking = c->all && step > 1 && step <= ID_LOST_MAX ? step - 1u : 0;
    c->odd += c->lacking && r->time_ns - c->last_ns < rtt && !(r->facts & TW_FACT_HOLE_BEFORE);
    c->ones += step == 1;
    c->all++;
    c->last_id = r->ip_id;
    c->last_ns = r->time_ns;
}

void tw_packets_count(struct tw_packet_counter *c, const struct tw_log *log, enum tcpwhy_side from,
                      uint32_t record, tcpwhy_ns rtt_ns)
{
    for (; c->next_record <= record; c->next_record++) {
        const struct tw_record *r = &log->record[c->next_record];

        if (r->from == from && !(r->flags & TW_SYN) &&
            r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
            count_id(c, r, rtt_ns);
    }
}

/* Does the identification count this connection's packets? BSD draws it, Windows counts all packets
 * of a host in one: then its steps tell nothing of one connection. */
bool tw_packets_counted(const struct tw_log *log, enum tcpwhy_side from, tcpwhy_ns rtt_ns)
{
    struct tw_packet_counter all = { 0 };

    tw_packets_count(&all, log, from, log->n - 1, rtt_ns);
    return all.ones >= ID_ONES_TRUSTED && all.ones * 2 > all.all &&
           (all.odd < ID_ODD_FEW || all.odd * 10 < all.all);
}
