/* SPDX-License-Identifier: MIT */
#include "explain/model/cwnd_path.h"

#include <glib.h>

/* In slow start cwnd grows while the sender uses at least half of it (tcp_is_cwnd_limited()). */
#define USED_SHARE 2

/* Segments that no ACK released may have waited in the sender's own qdisc: up to two buffers of two
 * segments (tcp_small_queue_check(), net.ipv4.tcp_min_tso_segs). */
#define QUEUED 4

static bool in_slow_start(const struct tw_cwnd_path *p)
{
    return p->cwnd < p->ssthresh;
}

void tw_cwnd_path_begin(struct tw_cwnd_path *p, enum tw_congestion congestion, enum tw_bound bound,
                        int64_t cwnd, tcpwhy_ns at_ns)
{
    *p = (struct tw_cwnd_path) { .congestion = congestion,
                                 .bound = bound,
                                 .cwnd = cwnd,
                                 .ssthresh = TW_NO_SSTHRESH,
                                 .prior_ssthresh = TW_NO_SSTHRESH,
                                 .full_ns = at_ns };
    tw_cubic_reset(&p->cubic);
    tw_hystart_begin_round(&p->hystart, at_ns, 0);
}

static int64_t reduced(struct tw_cwnd_path *p)
{
    if (p->congestion == TW_CONGESTION_CUBIC)
        return tw_cubic_reduce(&p->cubic, p->cwnd);
    return MAX(p->cwnd / 2, 2); /* RFC 5681, 3.1 */
}

/* tcp_init_cwnd_reduction() */
static void begin_reduction(struct tw_cwnd_path *p)
{
    p->prior_cwnd = p->cwnd;
    p->prior_ssthresh = p->ssthresh;
    p->prr_delivered = p->prr_out = 0;
    p->acks = 0;
    p->ssthresh = reduced(p);
}

/* tcp_enter_loss() */
static void time_out(struct tw_cwnd_path *p, const struct tw_cwnd_event *e)
{
    if (e->what & TW_CA_REDUCES_TO) {
        p->prior_cwnd = p->cwnd;
        p->prior_ssthresh = p->ssthresh;
        p->ssthresh = reduced(p);
    }
    p->cwnd = tw_pipe_in_flight(e->pipe).packets + 1;
    p->acks = 0;
    p->full_ns = e->at_ns;
    tw_cubic_reset(&p->cubic);
    p->hystart.found = false;
    tw_hystart_begin_round(&p->hystart, e->at_ns, e->pipe->next);
}

static void undo(struct tw_cwnd_path *p)
{
    p->cwnd = MAX(p->cwnd, p->prior_cwnd);
    p->ssthresh = MAX(p->ssthresh, p->prior_ssthresh);
}

void tw_cwnd_path_change(struct tw_cwnd_path *p, const struct tw_cwnd_event *e)
{
    if (e->what & TW_CA_UNDO)
        undo(p);
    if ((e->what & TW_CA_FINISH) && !(e->what & TW_CA_REDUCE))
        p->cwnd = p->ssthresh;
    if (e->what & TW_CA_REDUCE)
        begin_reduction(p);
    if ((e->what & (TW_CA_FINISH | TW_CA_REDUCE)) == (TW_CA_FINISH | TW_CA_REDUCE))
        p->cwnd = p->ssthresh;
    if (e->what & TW_CA_TIMEOUT)
        time_out(p, e);
    if ((e->what & TW_CA_MAY_TIME_OUT) && p->bound == TW_BOUND_LOW) {
        begin_reduction(p);
        p->cwnd = 1;
    }
}

/* Proportional rate reduction (RFC 6937; tcp_cwnd_reduction()). */
static void reduce(struct tw_cwnd_path *p, const struct tw_cwnd_event *e)
{
    int64_t flight = tw_pipe_in_flight(e->pipe).packets, room = p->ssthresh - flight, send;

    if (e->news->delivered <= 0 || p->prior_cwnd == 0)
        return;
    p->prr_delivered += e->news->delivered;
    if (room < 0) {
        send = (p->ssthresh * p->prr_delivered + p->prior_cwnd - 1) / p->prior_cwnd - p->prr_out;
    } else {
        send = MAX(p->prr_delivered - p->prr_out, e->news->delivered);
        if (e->news->una_moved && e->news->lost == 0)
            send++;
        send = MIN(room, send);
    }
    send = MAX(send, p->prr_out ? 0 : 1);
    p->cwnd = flight + send;
}

/* tcp_cong_avoid_ai() */
static void avoid(struct tw_cwnd_path *p, int64_t acks_each, int64_t acked)
{
    if (p->acks >= acks_each) {
        p->acks = 0;
        p->cwnd++;
    }
    p->acks += acked;
    if (p->acks >= acks_each) {
        p->cwnd += p->acks / acks_each;
        p->acks %= acks_each;
    }
}

/* Clocks and rounding: an ACK more for a segment. A window that is larger than what is out is not
 * full and stays, so that a smaller one passes it by no more than one. */
static void avoid_at_least(struct tw_cwnd_path *p, int64_t acks_each, int64_t acked)
{
    int64_t most = MAX(p->cwnd, p->most_out + 1);

    avoid(p, acks_each + 1, acked);
    p->cwnd = MIN(p->cwnd, most);
}

/* A smaller window than this grows in slow start. */
static int64_t used_up_to(const struct tw_cwnd_path *p)
{
    if (p->bound == TW_BOUND_HIGH)
        return USED_SHARE * MAX(p->most_now, p->most_before) + TW_CWND_DEFERRED;
    return USED_SHARE * p->most_out;
}

static bool is_limited(const struct tw_cwnd_path *p, int64_t cwnd)
{
    return p->limited || (in_slow_start(p) && cwnd < used_up_to(p));
}

/* Slow start with a window that is not full: the ACK that takes it beyond what is used may be any,
 * so that a smaller window may end higher. */
static int64_t grown(const struct tw_cwnd_path *p, int64_t acked)
{
    int64_t used = used_up_to(p);

    if (p->limited)
        return p->cwnd + acked;
    if (p->bound == TW_BOUND_HIGH)
        return MAX(p->cwnd, MIN(p->cwnd, used - 1) + acked);
    return CLAMP(p->cwnd + acked, p->cwnd, MAX(p->cwnd, used));
}

static void grow(struct tw_cwnd_path *p, const struct tw_cwnd_event *e, int64_t least)
{
    int64_t acked = e->news->delivered, n;

    if (!is_limited(p, least))
        return;
    if (in_slow_start(p)) {
        int64_t to = MIN(grown(p, acked), p->ssthresh);

        acked = to < p->ssthresh ? 0 : acked - (to - p->cwnd);
        p->cwnd = to;
        if (acked <= 0)
            return;
    }
    n = p->congestion == TW_CONGESTION_CUBIC
            ? tw_cubic_acks_per_segment(&p->cubic, p->cwnd, acked, e->at_ns, e->rtt_min_ns.hi)
            : p->cwnd;
    if (p->bound == TW_BOUND_LOW)
        avoid_at_least(p, n, acked);
    else
        avoid(p, MAX(n - 1, 1), acked);
}

static void watch_delay(struct tw_cwnd_path *p, const struct tw_cwnd_event *e)
{
    struct tw_hystart_ack ack = {
        .at_ns = e->at_ns,
        .rtt_ns = e->rtt_ns.lo + (e->rtt_ns.hi - e->rtt_ns.lo) / 2,
        .rtt_error_ns = (e->rtt_ns.hi - e->rtt_ns.lo) / 2,
        .una = e->pipe->una,
        .next = e->pipe->next,
        .cwnd = p->cwnd,
        .slow_start = in_slow_start(p),
    };

    /* the handshake's RTT is measured before congestion control is set up */
    if (p->congestion != TW_CONGESTION_CUBIC || e->rtt_ns.hi == TW_UNBOUNDED || e->pipe->una <= 1)
        return;
    if (tw_hystart_hear(&p->hystart, &ack, p->bound == TW_BOUND_LOW ? TW_READILY : TW_RELUCTANTLY))
        p->ssthresh = p->cwnd;
}

void tw_cwnd_path_hear(struct tw_cwnd_path *p, const struct tw_cwnd_event *e, int64_t least)
{
    watch_delay(p, e);
    tw_cwnd_path_change(p, e);
    if (e->state == TW_CA_CWR || e->state == TW_CA_RECOVERY)
        reduce(p, e);
    else if (e->news->data_acked)
        grow(p, e, least);
}

/* This much left, so cwnd is at least that. */
void tw_cwnd_path_raise(struct tw_cwnd_path *p, int64_t flight)
{
    if (flight <= p->cwnd)
        return;
    p->cwnd = flight;
    p->acks = 0;
}

static int64_t initial_of(const struct tw_cwnd_path *p, const struct tw_cwnd_event *e)
{
    return p->bound == TW_BOUND_LOW ? e->initial.lo : e->initial.hi;
}

/* tcp_cwnd_application_limited() */
static void decay(struct tw_cwnd_path *p, const struct tw_cwnd_event *e)
{
    int64_t used = MAX(p->used, initial_of(p, e));

    /* a full send buffer forbids it (SOCK_NOSPACE), and cannot be seen */
    if (e->state == TW_CA_OPEN && used < p->cwnd && p->bound == TW_BOUND_LOW) {
        if (p->ssthresh != TW_NO_SSTHRESH)
            p->ssthresh = MAX(p->ssthresh, p->cwnd / 4 * 3);
        p->cwnd = (p->cwnd + used) / 2;
    }
    p->used = 0;
    p->full_ns = e->at_ns;
}

/* ACKs that arrive during a system call are processed at its end, so usage windows begin at other
 * moments than seen here: all of the last two round trips count. */
static void note_most(struct tw_cwnd_path *p, const struct tw_cwnd_event *e, int64_t out)
{
    if (e->pipe->una >= p->most_end) {
        p->most_before = p->most_now;
        p->most_now = 0;
        p->most_end = e->pipe->next;
    }
    p->most_now = MAX(p->most_now, out);
}

/* tcp_cwnd_validate() */
void tw_cwnd_path_settle(struct tw_cwnd_path *p, const struct tw_cwnd_event *e, bool clocked)
{
    int64_t out = e->pipe->out.packets, slack = 0;
    bool full;

    if (p->bound == TW_BOUND_HIGH) {
        out += clocked ? 0 : QUEUED;
        slack = TW_CWND_DEFERRED;
    }
    full = tw_pipe_in_flight(e->pipe).packets + slack >= p->cwnd;
    note_most(p, e, out);
    if (e->pipe->una >= p->usage_end || full || (!p->limited && out > p->most_out)) {
        p->limited = full;
        p->most_out = out;
        p->usage_end = e->pipe->next;
    }
    if (is_limited(p, p->cwnd)) {
        p->used = 0;
        p->full_ns = e->at_ns;
        return;
    }
    p->used = MAX(p->used, out);
    if (e->at_ns - p->full_ns >= e->rto_ns)
        decay(p, e);
}

/* Halved for each RTO of idle time, down to the initial window (tcp_cwnd_restart()). */
int64_t tw_cwnd_restarted(int64_t cwnd, int64_t initial, tcpwhy_ns rto_ns, tcpwhy_ns idle_ns)
{
    int64_t least = MIN(initial, cwnd);

    for (idle_ns -= rto_ns; idle_ns > 0 && cwnd > least; idle_ns -= rto_ns)
        cwnd /= 2;
    return MAX(cwnd, least);
}

void tw_cwnd_path_restart(struct tw_cwnd_path *p, const struct tw_cwnd_event *e, tcpwhy_ns idle_ns)
{
    tcpwhy_ns rto_ns = p->bound == TW_BOUND_LOW ? e->rto_least_ns : e->rto_ns;

    if (idle_ns <= rto_ns)
        return;
    if (p->ssthresh != TW_NO_SSTHRESH)
        p->ssthresh = MAX(p->ssthresh, p->cwnd / 4 * 3);
    p->cwnd = tw_cwnd_restarted(p->cwnd, initial_of(p, e), rto_ns, idle_ns);
    p->full_ns = e->at_ns;
    p->used = 0;
}
