/* SPDX-License-Identifier: MIT */
#include "explain/rounds.h"

#include <glib.h>

#include "base/select.h"
#include "explain/rounds_parts.h"

/* Linux's lower bound of the retransmission timeout (TCP_RTO_MIN); RFC 6298 says 1 s. */
#define RTO_MIN TCPWHY_MS(200)

/* A sender that pauses for this part of a round trip with nothing to wait for lacks data. */
#define PAUSE_SHARE 4

static tcpwhy_ns shortest_round_trip(const struct tw_vantage *v)
{
    return v->rtt_min_ns == TCPWHY_NS_UNKNOWN ? 0 : v->rtt_min_ns;
}

/* Time in which the sender had nothing to send: gaps that no ACK ended. */
static tcpwhy_ns pauses(const struct tw_sends *x, uint32_t first, uint32_t next, tcpwhy_ns pause)
{
    tcpwhy_ns sum = 0;

    for (uint32_t i = first + 1; i <= next && i < x->n; i++) {
        const struct tw_send *s = &x->send[i];
        tcpwhy_ns gap = s->sent_ns - x->send[i - 1].sent_ns;
        tcpwhy_ns lag = s->moved_ns == TCPWHY_NS_UNKNOWN ? gap : s->sent_ns - s->moved_ns;

        if (gap > pause && lag > pause)
            sum += MIN(gap, lag);
    }
    return sum;
}

static tcpwhy_ns median_round_trip(const struct tw_rounds_view *v, uint32_t first, uint32_t next)
{
    const struct tw_sends *x = v->sends;
    uint32_t n = 0;

    for (uint32_t i = first; i < next; i++)
        if (x->send[i].rtt_ns != TCPWHY_NS_UNKNOWN)
            v->room[n++] = x->send[i].rtt_ns;
    return n > 1 ? tw_select_ns(v->room, n, n / 2) : n ? v->room[0] : 0;
}

/*
 * What passed the path in a round: at the sender what was acknowledged, elsewhere what arrived.
 */
static int64_t passed(const struct tw_sends *x, uint32_t first, uint32_t next, bool remote)
{
    int64_t bytes = 0;

    if (!remote)
        return x->send[MIN(next, x->n - 1)].acked - x->send[first].acked;
    for (uint32_t i = first; i < next; i++)
        bytes += x->send[i].len;
    return bytes;
}

/* No room for one more segment, and that is not because the window is smaller than two. */
static bool reaches_edge(const struct tw_send *s, uint32_t mss)
{
    return s->edge != INT64_MAX && s->edge - s->end < (int64_t)mss &&
           s->flight_bytes * 2 > s->edge - s->acked;
}

static void measure(const struct tw_rounds_view *v, uint32_t first, struct tw_round *r)
{
    const struct tw_sends *x = v->sends;
    int64_t start = tw_send_seq(&x->send[first]);
    tcpwhy_ns rtt = v->rtt_ns;
    uint32_t i = first;

    *r = (struct tw_round) { .first = first, .window_bytes = INT64_MAX };

    for (; i < x->n && (i == first || x->send[i].acked <= start); i++) {
        const struct tw_send *s = &x->send[i];

        r->flight_bytes = MAX(r->flight_bytes, s->flight_bytes);
        if (s->edge != INT64_MAX)
            r->window_bytes = MIN(r->window_bytes, s->edge - s->acked);
        r->window_full |= reaches_edge(s, x->mss_bytes);
        r->repeats += s->repeat && !s->spurious;
        if (i > first)
            r->max_gap_ns = MAX(r->max_gap_ns, s->sent_ns - x->send[i - 1].sent_ns);
    }
    r->last = i - 1;
    if (i < x->n)
        r->max_gap_ns = MAX(r->max_gap_ns, x->send[i].sent_ns - x->send[i - 1].sent_ns);
    r->duration_ns = x->send[MIN(i, x->n - 1)].sent_ns - x->send[first].sent_ns;

    int64_t bytes = passed(x, first, i, v->remote && !x->queues_seen);
    tcpwhy_ns usual = x->queues_seen ? median_round_trip(v, first, i) : 0;
    tcpwhy_ns pause = MAX(rtt, usual) / PAUSE_SHARE;
    tcpwhy_ns paused = r->max_gap_ns > pause ? pauses(x, first, i, pause) : 0;
    tcpwhy_ns busy = r->duration_ns - paused;

    r->starved = paused > pause;
    if (usual)
        r->queue_ns = MAX(usual - rtt, 0);
    else
        r->queue_ns = busy > rtt && i < x->n ? busy - rtt : 0;
    r->rate = busy > 0 ? (double)bytes * 1e9 / (double)MAX(busy, rtt) : 0;
}

static void compare_neighbours(struct tw_round *r, uint32_t n)
{
    r[0].loss_before = r[0].repeats > 0;
    for (uint32_t i = 1; i < n; i++) {
        r[i].growth = (double)r[i].flight_bytes / (double)MAX(r[i - 1].flight_bytes, 1);
        r[i - 1].next_growth = r[i].growth;
        r[i].loss_before = r[i - 1].loss_before || r[i].repeats > 0;
    }
}

static void find_restarts(const struct tw_sends *x, struct tw_round *r, uint32_t n, tcpwhy_ns rtt)
{
    for (uint32_t i = 1; i < n; i++) {
        tcpwhy_ns silence = x->send[r[i].first].sent_ns - x->send[r[i].first - 1].sent_ns;

        r[i].idle_before = silence > rtt + RTO_MIN;
        r[i].restarted = r[i].idle_before ? r[i].flight_bytes * 2 <= r[i - 1].flight_bytes ||
                                                r[i].next_growth > DOUBLING
                                          : r[i - 1].restarted && r[i].growth >= 1;
    }
}

tcpwhy_ns tw_quantile(tcpwhy_ns *values, uint32_t n, unsigned percent)
{
    return tw_select_ns(values, n, (size_t)(n - 1) * percent / 100);
}

void tw_rounds_build(const struct tw_sends *x, const struct tw_vantage *vantage,
                     struct tw_scratch *scratch, struct tw_rounds *out)
{
    uint32_t capacity = 0;
    tcpwhy_ns rtt = shortest_round_trip(vantage);
    struct tw_rounds_view view = { x, out, rtt, vantage->to_side_ns[x->from] > 0, scratch, NULL };

    *out = (struct tw_rounds) { 0 };
    if (x->n == 0)
        return;
    view.room = tw_scratch_get(scratch, x->n, sizeof *view.room);
    for (uint32_t first = 0; first < x->n; first = out->round[out->n++].last + 1) {
        out->round = tw_scratch_grow(scratch, out->round, out->n, &capacity, sizeof *out->round);
        measure(&view, first, &out->round[out->n]);
    }
    compare_neighbours(out->round, out->n);
    find_restarts(x, out->round, out->n, rtt);
    tw_rounds_find_flat(&view);
    tw_rounds_find_queues(&view);
    tw_rounds_find_clocks(&view);
}
