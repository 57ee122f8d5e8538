/* SPDX-License-Identifier: MIT */
#include "explain/packet_counter.h"

/* Fewer steps of one than this are chance. */
#define ID_ONES_TRUSTED 3

/* Larger steps between close frames that may be lost ACKs; more of them, and the counter is shared.
 */
#define ID_ODD_FEW 3

void tw_packets_count(struct tw_packet_counter *c, const struct tw_log *log, enum tcpwhy_side from,
                      uint32_t record, tcpwhy_ns rtt_ns)
{
    for (; c->next_record <= record; c->next_record++)
        if (log->record[c->next_record].from == from)
            tw_packets_step(c, &log->record[c->next_record], rtt_ns);
}

/* BSD draws the identification, Windows counts all packets of a host in one: then its steps tell
 * nothing of one connection. */
bool tw_packets_lack(const struct tw_packet_counter *all)
{
    return all->gaps > 0 && all->ones >= ID_ONES_TRUSTED && all->ones * 2 > all->all &&
           (all->odd < ID_ODD_FEW || all->odd * 10 < all->all);
}
