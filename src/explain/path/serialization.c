/* SPDX-License-Identifier: MIT */
#include "explain/path/serialization.h"

#include <glib.h>
#include "explain/thresholds.h"

/* The segment with the least time per byte; ACKs released by a timer do not count. */
static void look(const struct tw_log *log, const struct tw_vantage *vantage, uint8_t to,
                 struct tw_link_time *link)
{
    const struct tw_record *said = NULL;

    link->looked_at = true;
    for (const struct tw_record *r = log->record, *end = r + log->n; r < end; r++) {
        if (r->from != to) {
            said = r->len && r->frame_class == TCPWHY_CLASS_DATA ? r : said;
            continue;
        }
        if (said && tw_record_is_pure_ack(r) && r->ack == tw_record_end(said)) {
            tcpwhy_ns longer_ns = r->time_ns - said->time_ns - 2 * vantage->to_side_ns[to];
            double byte_ns = (double)MAX(longer_ns, 0) / said->len;

            if (longer_ns < TW_DELAYED_ACK_NS && (!link->bytes || byte_ns < link->byte_ns)) {
                link->byte_ns = byte_ns;
                link->bytes = said->len;
            }
        }
        said = NULL;
    }
}

tcpwhy_ns tw_serialization_ns(struct tw_context *context, enum tcpwhy_side to, uint32_t bytes)
{
    struct tw_link_time *link = &context->link_time[to];

    if (!link->looked_at)
        look(context->log, &context->vantage, to, link);
    return (tcpwhy_ns)(link->byte_ns * MIN(bytes, TW_FACTOR * (double)link->bytes));
}

/* The segment of a burst with the least time per byte: more was queued behind the full one before
 * it, which lacks PSH (RFC 9293, 3.9.1.2, MUST-61), and both left together. An ACK in between may
 * have let it go (Nagle). */
static void look_at_pairs(const struct tw_context *context, uint8_t from, struct tw_link_time *link)
{
    const struct tw_log *log = context->log;
    const struct tw_record *full = NULL;
    double least_ns = TW_DELAYED_ACK_NS;

    link->pairs_looked_at = true;
    for (const struct tw_record *r = log->record, *end = r + log->n; r < end; r++) {
        if (r->from != from || r->len == 0)
            continue;
        if (full && r == full + 1 && r->seq == tw_record_end(full))
            least_ns = MIN(least_ns, (double)MAX(r->time_ns - full->time_ns, 0) / r->len);
        full = r->len >= context->sends[from].mss_bytes && !(r->flags & TW_PSH) ? r : NULL;
    }
    link->pair_byte_ns = least_ns < TW_DELAYED_ACK_NS ? least_ns : 0;
}

tcpwhy_ns tw_serialization_from_ns(struct tw_context *context, enum tcpwhy_side from,
                                   uint32_t bytes)
{
    struct tw_link_time *link = &context->link_time[from];

    if (!link->pairs_looked_at)
        look_at_pairs(context, (uint8_t)from, link);
    return (tcpwhy_ns)(link->pair_byte_ns * bytes);
}
