/* SPDX-License-Identifier: MIT */
#include "explain/model/cubic.h"

#include <math.h>

#include <glib.h>

/* RFC 9438, 4.1 and 4.6, with Linux's 717/1024 for beta. */
#define C    0.4
#define BETA (717.0 / 1024)

/* One segment per this many ACKs is 5 % per RTT, before any loss has set a maximum
 * (bictcp_update()). */
#define FASTEST_UNTOLD 20
#define FASTEST        2
#define STANDSTILL     100

/* The curve is evaluated this often at most, unless cwnd changed (HZ / 32). */
#define LOOK_UP_NS TCPWHY_MS(31)

/* tcp_cubic.c: hystart_low_window, hystart_ack_delta_us, HYSTART_MIN_SAMPLES,
 * HYSTART_DELAY_MIN and _MAX, and what hystart_ack_delay() adds at most. */
#define LOW_WINDOW    16
#define ACK_TRAIN_NS  TCPWHY_MS(2)
#define SAMPLES       8
#define LEAST_RISE_NS TCPWHY_MS(4)
#define MOST_RISE_NS  TCPWHY_MS(16)
#define ACK_DELAY_NS  TCPWHY_MS(1)
#define CLOCKS_NS     TCPWHY_US(200) /* difference between the kernel's clock and the capture's */

static void begin_epoch(struct tw_cubic *c, int64_t cwnd, int64_t acked, tcpwhy_ns now_ns)
{
    c->epoch_ns = now_ns;
    c->acked = (double)acked;
    c->reno = (double)cwnd;
    c->origin = MAX(c->last_max, (double)cwnd);
    c->k_s = cbrt((c->origin - (double)cwnd) / C);
}

static int64_t by_curve(const struct tw_cubic *c, int64_t cwnd, tcpwhy_ns now_ns,
                        tcpwhy_ns rtt_min_ns)
{
    double t = (double)(now_ns - c->epoch_ns + rtt_min_ns) / 1e9 - c->k_s;
    int64_t target = (int64_t)(c->origin + C * t * t * t);
    int64_t n = target > cwnd ? cwnd / (target - cwnd) : STANDSTILL * cwnd;

    return c->last_max == 0 ? MIN(n, FASTEST_UNTOLD) : n;
}

/* RFC 9438, 4.3: not slower than Reno with the same mean. */
static int64_t as_reno(struct tw_cubic *c, int64_t cwnd, int64_t n)
{
    double step = (double)cwnd * (1 + BETA) / 3 / (1 - BETA);

    if (c->acked > step && step > 0) {
        double steps = floor(c->acked / step);

        c->acked -= steps * step;
        c->reno += steps;
    }
    return c->reno > (double)cwnd
               ? MIN(n, MAX((int64_t)((double)cwnd / (c->reno - (double)cwnd)), 1))
               : n;
}

int64_t tw_cubic_acks_per_segment(struct tw_cubic *c, int64_t cwnd, int64_t acked, tcpwhy_ns now_ns,
                                  tcpwhy_ns rtt_min_ns)
{
    c->acked += (double)acked;
    if (c->epoch_ns != TCPWHY_NS_UNKNOWN && c->counted_cwnd == cwnd && c->per_increment > 0 &&
        now_ns - c->counted_ns <= LOOK_UP_NS)
        return c->per_increment;
    if (c->epoch_ns == TCPWHY_NS_UNKNOWN)
        begin_epoch(c, cwnd, acked, now_ns);
    c->counted_cwnd = cwnd;
    c->counted_ns = now_ns;
    c->per_increment =
        MAX(as_reno(c, cwnd, by_curve(c, cwnd, now_ns, rtt_min_ns)), (int64_t)FASTEST);
    return c->per_increment;
}

int64_t tw_cubic_reduce(struct tw_cubic *c, int64_t cwnd)
{
    double w = (double)cwnd;

    c->epoch_ns = TCPWHY_NS_UNKNOWN;
    /* Fast convergence (RFC 9438, 4.7). */
    c->last_max = w < c->last_max ? w * (1 + BETA) / 2 : w;
    return MAX((int64_t)(w * BETA), 2);
}

void tw_cubic_reset(struct tw_cubic *c)
{
    *c = (struct tw_cubic) { .epoch_ns = TCPWHY_NS_UNKNOWN };
}

void tw_cubic_pause(struct tw_cubic *c, tcpwhy_ns for_ns)
{
    if (c->epoch_ns != TCPWHY_NS_UNKNOWN && for_ns > 0)
        c->epoch_ns += for_ns;
}

void tw_hystart_begin_round(struct tw_hystart *h, tcpwhy_ns at_ns, int64_t next)
{
    h->round_ns = h->last_ack_ns = at_ns;
    h->round_end = next;
    h->delay_ns = INT64_MAX;
    h->samples = 0;
}

/* ACKs have come without a pause for about the minimum RTT. */
static bool has_train(struct tw_hystart *h, const struct tw_hystart_ack *a, enum tw_readiness r)
{
    bool readily = r == TW_READILY;
    tcpwhy_ns pause_ns = ACK_TRAIN_NS + (readily ? CLOCKS_NS : -CLOCKS_NS);
    tcpwhy_ns length_ns = h->delay_min_ns + ACK_DELAY_NS;

    if (a->at_ns - h->last_ack_ns > pause_ns)
        return false;
    h->last_ack_ns = a->at_ns;
    if (readily)
        length_ns = h->delay_min_ns / 2;
    return a->at_ns - h->round_ns > length_ns;
}

/* The minimum RTT of this round exceeds the overall minimum. */
static bool has_delay(struct tw_hystart *h, const struct tw_hystart_ack *a, enum tw_readiness r)
{
    tcpwhy_ns rise_ns = CLAMP(h->delay_min_ns / 8, LEAST_RISE_NS, MOST_RISE_NS);
    tcpwhy_ns error_ns = a->rtt_error_ns + CLOCKS_NS;

    h->delay_ns = MIN(h->delay_ns, a->rtt_ns);
    if (h->samples < SAMPLES) {
        h->samples++;
        return false;
    }
    return h->delay_ns > h->delay_min_ns + rise_ns + (r == TW_READILY ? -error_ns : error_ns);
}

bool tw_hystart_hear(struct tw_hystart *h, const struct tw_hystart_ack *a, enum tw_readiness r)
{
    bool train, delay;

    if (h->delay_min_ns == 0 || a->rtt_ns < h->delay_min_ns)
        h->delay_min_ns = a->rtt_ns;
    if (h->found || !a->slow_start)
        return false;
    if (a->una > h->round_end)
        tw_hystart_begin_round(h, a->at_ns, a->next);
    if (a->cwnd < LOW_WINDOW)
        return false;
    train = has_train(h, a, r);
    delay = has_delay(h, a, r);
    h->found = train || delay;
    return h->found;
}
