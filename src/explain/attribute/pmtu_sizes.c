/* SPDX-License-Identifier: MIT */
#include "explain/attribute/pmtu_sizes.h"

#include <glib.h>

/* The smallest MTU that ICMP errors reported; 0: none did. */
static uint32_t told_mtu(const struct tw_cause_total *c)
{
    const struct tw_log *log = c->context->log;
    uint32_t mtu = 0;

    for (uint32_t i = 0; i < log->n_icmp; i++) {
        const struct tw_log_icmp *icmp = &log->icmp[i];

        if (icmp->kind == TW_ICMP_TOO_BIG && icmp->to == c->from && icmp->mtu > 0)
            mtu = mtu > 0 ? MIN(mtu, icmp->mtu) : icmp->mtu;
    }
    return mtu;
}

/* The least payload that went again and again; 0: that was not seen here. */
static uint32_t vanished_bytes(const struct tw_cause_total *c)
{
    const struct tw_sender_timeline *x = &c->context->sends[c->from];
    const struct tw_recovery *r = &c->context->recovery[c->from];
    uint32_t bytes = UINT32_MAX;

    for (uint32_t i = 0; i < r->n; i++)
        if (r->episode[i].black_hole)
            bytes = MIN(bytes, x->record[r->episode[i].repair_record].len);
    return bytes < UINT32_MAX ? bytes : 0;
}

/* The most payload that got through: of less than that, what was acknowledged, or what came here.
 */
static uint32_t passed_bytes(const struct tw_cause_total *c, uint32_t vanished)
{
    const struct tw_side *side = &c->context->connection->side[c->from];
    const struct tw_sender_timeline *x = &c->context->sends[c->from];
    uint32_t bytes = 0;

    if (vanished == 0)
        return side->largest;
    for (const struct tw_send *s = x->send, *end = s + x->n; s < end; s++)
        if (s->len < vanished && s->end <= side->acked)
            bytes = MAX(bytes, s->len);
    return bytes;
}

static void tell_size(const struct tw_cause_total *c, const char *name, uint32_t bytes)
{
    if (bytes > 0)
        tw_cause_total_add_number(c, name, bytes);
}

void tw_pmtu_sizes_report(const struct tw_cause_total *c)
{
    uint32_t vanished = vanished_bytes(c);

    tell_size(c, "vanished_bytes", vanished);
    tell_size(c, "passed_bytes", passed_bytes(c, vanished));
    tell_size(c, "mtu_bytes", told_mtu(c));
}
