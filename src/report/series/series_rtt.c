/* SPDX-License-Identifier: MIT */
/*
 * RTTs at the sender: from a segment to the ACK that first covers it. Retransmitted data gives none
 * (Karn's rule, RFC 6298, 3), nor does an ACK that covers a repair and more, or that fills a hole:
 * the data had waited.
 */
#include "base/array.h"
#include "report/series/series_replay.h"

struct sent {
    int64_t seq, end;
    tcpwhy_ns at_ns;
    bool repeated; /* or was beyond a hole that was filled */
};

struct queue {
    tw_array *sent; /* struct sent, in the order of seq */
    guint head;
    int64_t next;  /* highest offset sent */
    int64_t acked; /* and acknowledged */
};

static struct sent *at(const struct queue *q, guint i)
{
    return &tw_array_index(q->sent, struct sent, i);
}

/* The first that ends after an offset. */
static guint first_after(const struct queue *q, int64_t offset)
{
    guint low = q->head, high = q->sent->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (at(q, middle)->end > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void send(struct queue *q, const struct tw_record *r)
{
    int64_t end = tw_record_end(r);
    bool repeats = q->sent->len > 0 && r->seq < q->next;
    struct sent s = { repeats ? q->next : r->seq, end, r->time_ns, repeats };
    guint behind = first_after(q, r->seq);

    if (end == r->seq)
        return;
    if (behind < q->sent->len && at(q, behind)->seq >= end && end > q->acked)
        at(q, behind)->repeated = true;
    for (guint i = behind; i < q->sent->len && at(q, i)->seq < end; i++)
        at(q, i)->repeated = true;
    if (s.end > s.seq)
        tw_array_append_val(q->sent, s);
    q->next = q->sent->len > 0 ? MAX(q->next, end) : end;
}

/* Remove what an ACK covers. @return the newest of it if it gives an RTT, else NULL. */
static const struct sent *hear(struct queue *q, int64_t ack)
{
    const struct sent *newest = NULL;
    bool repeated = false;

    q->acked = MAX(q->acked, ack);
    for (; q->head < q->sent->len && at(q, q->head)->end <= ack; q->head++) {
        newest = at(q, q->head);
        repeated = repeated || newest->repeated;
    }
    return repeated ? NULL : newest;
}

/* SRTT and RTO, which the sender makes of round trips. */
struct smoothed {
    struct tw_curve *srtt, *rto;
};

static void add(void *user, const struct tw_replay_state *st)
{
    const struct smoothed *c = user;

    if (st->srtt_ns.hi != TW_UNBOUNDED)
        tw_series_level(c->srtt, st, st->srtt_ns.lo + (st->srtt_ns.hi - st->srtt_ns.lo) / 2);
    if (st->rto_likely_ns > 0)
        tw_series_level(c->rto, st, st->rto_likely_ns);
}

void tw_series_rtt(const struct tw_series_scene *scene)
{
    struct tw_series *s = scene->series;
    struct tw_curve *rtt = tw_series_curve(s, TW_ROLE_RTT, TW_MARK_DOT);
    struct smoothed smoothed;
    struct queue q = { .sent = tw_array_new(FALSE, FALSE, sizeof(struct sent)) };
    tcpwhy_ns way_ns = tw_series_way(s);

    for (uint32_t i = 0; i < scene->log->n; i++) {
        const struct tw_record *r = &scene->log->record[i];
        const struct sent *answered;

        if (r->from == s->from) {
            send(&q, r);
        } else if (r->flags & TW_ACK && (answered = hear(&q, r->ack))) {
            tcpwhy_ns ns = r->time_ns - answered->at_ns + 2 * way_ns;

            tw_curve_add(rtt, r->time_ns + way_ns, ns, ns, r->frame);
        }
    }
    tw_array_free(q.sent, TRUE);
    smoothed.srtt = tw_series_curve(s, TW_ROLE_SRTT, TW_MARK_STEP);
    smoothed.rto = tw_series_curve(s, TW_ROLE_RTO, TW_MARK_STEP);
    tw_series_replay(scene, add, &smoothed);
}
