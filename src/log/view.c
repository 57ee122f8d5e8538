/* SPDX-License-Identifier: MIT */
#include "log/view.h"

#include <glib.h>

/* The tracker's state of a connection, to track its frames again. */
struct again {
    struct tw_connection *connection;
    struct tw_side before[2]; /* SYN options, and initial sequence numbers */
    const struct tw_range *sack;
};

static uint16_t raw_window(const struct tw_side *side, const struct tw_record *r)
{
    if (!tw_record_knows_window(r))
        return (uint16_t)~r->window_bytes;
    if (r->flags & TW_SYN || side->wscale <= 0)
        return (uint16_t)r->window_bytes;
    return (uint16_t)(r->window_bytes >> side->wscale);
}

/* Outside of any window (2^30 at most: RFC 7323) around the current sequence numbers. */
#define FAR_AWAY (UINT32_C(1) << 31)

/* Frames outside the sequence space are logged as ACKs at the sender's position; with that
 * number they would be its next data. */
static bool is_foreign(const struct again *a, const struct tw_record *r)
{
    return r->frame_class == TCPWHY_CLASS_ACK && (r->len > 0 || (r->flags & TW_FIN)) &&
           a->connection->side[r->from].started;
}

/* Rebuild the segment of a record. */
static struct tw_segment segment_of(const struct again *a, const struct tw_record *r)
{
    const struct tw_side *own = &a->before[r->from], *peer = &a->before[!r->from];
    struct tw_segment s = {
        .tuple = a->connection->tuple,
        .seq = own->isn + (uint32_t)r->seq + (is_foreign(a, r) ? FAR_AWAY : 0),
        .ack = r->flags & TW_ACK ? peer->isn + (uint32_t)r->ack : 0,
        .options = r->options,
        .ttl = r->ttl,
        .len = r->len,
        .flags = r->flags,
        .ip_id = r->ip_id,
        .window = raw_window(own, r),
        .facts = r->facts & TW_FACT_PAYLOAD_CUT ? TW_SEG_PAYLOAD_CUT : 0,
        .n_sack = r->n_sack,
    };

    if (r->options & TW_OPT_TIMESTAMP) {
        s.tsval = r->tsval;
        s.tsecr = r->tsecr;
    }
    if (r->flags & TW_SYN) {
        s.mss = own->mss;
        s.wscale = (uint8_t)MAX(own->wscale_offered, 0);
    }
    for (int i = 0; i < r->n_sack; i++) {
        s.sack[i][0] = peer->isn + (uint32_t)a->sack[r->sack + (uint32_t)i].from;
        s.sack[i][1] = peer->isn + (uint32_t)a->sack[r->sack + (uint32_t)i].to;
    }
    return s;
}

/* Position of a side at its first record, or at the other's first ACK if that is earlier. */
static int64_t start_of(const struct tw_log *log, const bool *keep, enum tcpwhy_side side)
{
    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (keep[i] && r->from == (uint8_t)side)
            return r->seq;
        if (keep[i] && r->flags & TW_ACK)
            return r->ack;
    }
    return 0;
}

/* No record is marked as usual: that is an optimisation only, and few connections get here. */
static void push(const struct again *a, struct tw_log *log, const struct tw_record *record)
{
    struct tw_segment s = segment_of(a, record);
    struct tw_record *r = &log->record[log->n++];
    struct tw_tracked t;

    tw_connection_push(a->connection, &s, (enum tcpwhy_side)record->from, record->time_ns,
                       record->frame, &t);
    *r = *record;
    r->seq = t.seq;
    r->ack = t.ack;
    r->window_bytes = (uint32_t)t.window_bytes;
    r->fresh = t.fresh;
    r->frame_class = t.frame_class;
    r->facts = t.facts;
    r->usual = false;
    log->last_ns = r->time_ns;
    if (s.flags & (TW_FIN | TW_RST) || log->ends)
        tw_log_note_end(log, &t);
}

void tw_view_keep(struct tw_connection *c, struct tw_log *log, const bool *keep)
{
    const struct again a = { c, { c->side[0], c->side[1] }, log->sack };
    const int64_t start[2] = { start_of(log, keep, TCPWHY_CLIENT),
                               start_of(log, keep, TCPWHY_SERVER) };
    uint32_t n = log->n;

    tw_connection_rewind(c, start);
    log->ends = false;
    log->n = 0;
    for (uint32_t i = 0; i < n; i++)
        if (keep[i])
            push(&a, log, &log->record[i]);
    log->n_elsewhere = n - log->n;
}
