/* SPDX-License-Identifier: MIT */
/*
 * What a sender goes by: the ACKs that come in, or a clock of its own.
 */
#include "explain/rounds_parts.h"

#include <glib.h>

/* Fewer bursts or rounds than this show no habit. */
#define WRITTEN_BURSTS 5
#define CLOCK_ROUNDS   5

/* Segments further apart than this are not of one burst. */
#define GAP_NS    TCPWHY_US(100)
#define GAP_SHARE 64

/* The kernel sends in the softirq of an ACK, or wakes the writer: within this. A lag that varies by
 * more than this factor follows something else than the ACKs. */
#define KERNEL_NS  TCPWHY_US(100)
#define LAG_SPREAD 2

/* No kernel takes this long; away from the sender the path's jitter comes on top. */
#define LATE_NS          TCPWHY_US(500)
#define REMOTE_LAG_NS    TCPWHY_MS(1)
#define REMOTE_LAG_SHARE 16

/* Segments without a silence of this part of a round trip are spread evenly over it. */
#define EVEN_SHARE 4

/* How the bursts of some rounds begin and end. A burst begins after a gap that no link makes. */
struct habit {
    uint32_t bursts, partial_ends;
    tcpwhy_ns lag_low_ns, lag_median_ns; /* from the newest ACK to the burst */
};

static struct habit habit_of(const struct tw_rounds_view *v, uint32_t first, uint32_t last)
{
    const struct tw_sends *x = v->sends;
    tcpwhy_ns *lag = v->room, gap_ns = MAX(GAP_NS, v->rtt_ns / GAP_SHARE);
    struct habit h = { 0 };

    for (uint32_t i = first + 1; i <= last; i++) {
        const struct tw_send *s = &x->send[i];

        if (s->sent_ns - x->send[i - 1].sent_ns <= gap_ns || s->moved_ns == TCPWHY_NS_UNKNOWN)
            continue;
        lag[h.bursts++] = s->sent_ns - s->moved_ns;
        h.partial_ends += x->send[i - 1].partial;
    }
    if (h.bursts >= WRITTEN_BURSTS) {
        h.lag_low_ns = tw_quantile(lag, h.bursts, 10);
        h.lag_median_ns = tw_quantile(lag, h.bursts, 50);
    }
    return h;
}

enum measure { GAP, QUEUE };

static tcpwhy_ns median_round(tcpwhy_ns *room, const struct tw_round *r, uint32_t n,
                              enum measure what)
{
    for (uint32_t i = 0; i < n; i++)
        room[i] = what == GAP ? r[i].max_gap_ns : r[i].queue_ns;
    return tw_quantile(room, n, 50);
}

/*
 * A sender that waits for room goes on the moment an ACK makes it, with full segments. One that
 * keeps to a clock of its own (an application's writes, a pacing rate) leaves at any time after
 * the newest ACK; each write ends in a partial segment, a pace spreads the segments evenly. Away
 * from the sender the moment is not seen, only the pattern.
 */
static bool keeps_own_clock(const struct tw_rounds_view *v, const struct tw_round *r, uint32_t n)
{
    tcpwhy_ns rtt = v->rtt_ns;
    struct habit h = habit_of(v, r[0].first, r[n - 1].last);
    bool writes = h.partial_ends * 3 >= h.bursts * 2;
    bool spread = h.lag_low_ns * LAG_SPREAD < h.lag_median_ns, even;

    if (h.bursts < WRITTEN_BURSTS ||
        median_round(v->room, r, n, QUEUE) > MAX(rtt / QUEUE_SHARE, QUEUE_MIN))
        return false;
    even = median_round(v->room, r, n, GAP) < rtt / EVEN_SHARE;
    if (v->remote)
        return writes || (even && !r->loss_before) ||
               h.lag_median_ns > MAX(REMOTE_LAG_NS, rtt / REMOTE_LAG_SHARE);
    return h.lag_median_ns > KERNEL_NS && (writes || even || spread || h.lag_median_ns > LATE_NS);
}

/* Stretches without a loss, told by their habit; slow start at their beginning left out. */
void tw_rounds_find_clocks(const struct tw_rounds_view *v)
{
    struct tw_round *r = v->rounds->round;
    uint32_t n = v->rounds->n;

    for (uint32_t i = 0; i < n;) {
        uint32_t end = i + 1;

        while (end < n && r[end].repeats == 0 && !r[end].standing_queue)
            end++;
        while (i < end && r[i].next_growth >= DOUBLING)
            i++;
        if (end >= i + CLOCK_ROUNDS && keeps_own_clock(v, &r[i], end - i))
            for (uint32_t k = i; k < end; k++)
                r[k].own_clock = true;
        i = end;
    }
}
