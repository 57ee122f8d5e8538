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

static struct habit habit_of(const struct tw_sends *x, uint32_t first, uint32_t last, tcpwhy_ns rtt)
{
    tcpwhy_ns *lag = g_new(tcpwhy_ns, last - first + 1);
    struct habit h = { 0 };

    for (uint32_t i = first + 1; i <= last; i++) {
        const struct tw_send *s = &x->send[i];

        if (s->sent_ns - x->send[i - 1].sent_ns <= MAX(GAP_NS, rtt / GAP_SHARE) ||
            s->moved_ns == TCPWHY_NS_UNKNOWN)
            continue;
        lag[h.bursts++] = s->sent_ns - s->moved_ns;
        h.partial_ends += x->send[i - 1].partial;
    }
    if (h.bursts) {
        h.lag_low_ns = tw_quantile(lag, h.bursts, 10);
        h.lag_median_ns = tw_quantile(lag, h.bursts, 50);
    }
    g_free(lag);
    return h;
}

enum measure { GAP, QUEUE };

static tcpwhy_ns median_round(const struct tw_round *r, uint32_t n, enum measure what)
{
    tcpwhy_ns *values = g_new(tcpwhy_ns, n), median;

    for (uint32_t i = 0; i < n; i++)
        values[i] = what == GAP     ? r[i].max_gap_ns
                    : what == QUEUE ? r[i].queue_ns
                                    : r[i].duration_ns;
    median = tw_quantile(values, n, 50);
    g_free(values);
    return median;
}

/*
 * A sender that waits for room goes on the moment an ACK makes it, with full segments. One that
 * keeps to a clock of its own (an application's writes, a pacing rate) leaves at any time after
 * the newest ACK; each write ends in a partial segment, a pace spreads the segments evenly. Away
 * from the sender the moment is not seen, only the pattern.
 */
static bool keeps_own_clock(const struct tw_sends *x, const struct tw_round *r, uint32_t n,
                            tcpwhy_ns rtt, bool remote)
{
    struct habit h = habit_of(x, r[0].first, r[n - 1].last, rtt);
    bool writes = h.partial_ends * 3 >= h.bursts * 2;
    bool even = median_round(r, n, GAP) < rtt / EVEN_SHARE;
    bool spread = h.lag_low_ns * LAG_SPREAD < h.lag_median_ns;

    if (h.bursts < WRITTEN_BURSTS || median_round(r, n, QUEUE) > MAX(rtt / QUEUE_SHARE, QUEUE_MIN))
        return false;
    if (remote)
        return writes || (even && !r->loss_before) ||
               h.lag_median_ns > MAX(REMOTE_LAG_NS, rtt / REMOTE_LAG_SHARE);
    return h.lag_median_ns > KERNEL_NS && (writes || even || spread || h.lag_median_ns > LATE_NS);
}

/* Stretches without a loss, told by their habit; slow start at their beginning left out. */
static void find_own_clocks(const struct tw_sends *x, struct tw_round *r, uint32_t n, tcpwhy_ns rtt,
                            bool remote)
{
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i + 1;

        while (end < n && r[end].repeats == 0 && !r[end].standing_queue)
            end++;
        while (i < end && r[i].next_growth >= DOUBLING)
            i++;
        if (end >= i + CLOCK_ROUNDS && keeps_own_clock(x, &r[i], end - i, rtt, remote))
            for (uint32_t k = i; k < end; k++)
                r[k].own_clock = true;
        i = end;
    }
}

void tw_rounds_find_clocks(const struct tw_rounds_view *v)
{
    find_own_clocks(v->sends, v->rounds->round, v->rounds->n, v->rtt_ns, v->remote);
}
