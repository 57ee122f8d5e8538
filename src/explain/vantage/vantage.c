/* SPDX-License-Identifier: MIT */
/*
 * Places the capture by the minimum RTTs from there to both sides, and their jitter; if they do not
 * show it, by what frames look like there.
 */
#include "explain/vantage/vantage.h"

#include <glib.h>

#include "base/select.h"
#include "explain/thresholds.h"
#include "explain/vantage/half_rtt.h"
#include "explain/vantage/vantage_hints.h"

/* The known half RTT is a host's reaction as much as a path's, and the other may be of any
 * length. */
static bool is_host_alone(tcpwhy_ns known, tcpwhy_ns other)
{
    return known < TW_HOST_LATENCY_NS && other == TCPWHY_NS_UNKNOWN;
}

static const struct tw_samples *samples_of(const struct tw_half_rtt *h)
{
    return h->samples.n > 0 ? &h->samples : &h->echoes;
}

static tcpwhy_ns spread(const struct tw_half_rtt *h)
{
    const struct tw_samples *s = samples_of(h);
    tcpwhy_ns longest_ns = h->min_ns;

    for (uint32_t i = 0; i < s->n; i++)
        longest_ns = MAX(longest_ns, s->value[i]);
    return longest_ns - h->min_ns;
}

static int far_side(const struct tw_half_rtts *h, int host)
{
    if (host != TW_NO_HOST)
        return !host;
    return h->half[TCPWHY_SERVER].min_ns >= h->half[TCPWHY_CLIENT].min_ns ? TCPWHY_SERVER
                                                                          : TCPWHY_CLIENT;
}

static void summarize(struct tw_half_rtts *h, int host, struct tw_vantage *v)
{
    const int side = far_side(h, host);
    struct tw_half_rtt *far = &h->half[side], *near = &h->half[!side];
    const struct tw_samples *s = samples_of(far);
    tcpwhy_ns near_ns = host != TW_NO_HOST || near->min_ns == TCPWHY_NS_UNKNOWN ? 0 : near->min_ns;

    v->rtt_min_ns = v->rtt_median_ns = v->rtt_max_ns = TCPWHY_NS_UNKNOWN;
    if (s->n == 0 || (host == TW_NO_HOST && is_host_alone(far->min_ns, near->min_ns)))
        return;
    v->rtt_min_ns = far->min_ns + near_ns;
    v->rtt_median_ns = tw_select_ns(s->value, s->n, s->n / 2) + near_ns;
    v->rtt_max_ns = v->rtt_min_ns + v->spread_ns[side];
}

/* Every ACK seen may have been delayed by a timer. */
static bool may_be_delayed(const struct tw_half_rtt *h)
{
    return h->answered_by < TW_BY_SYN && h->min_ns >= TW_DELAYED_ACK_NS &&
           h->min_ns <= TW_LONGEST_DELAYED_ACK_NS;
}

static void place(const struct tw_half_rtts *h, struct tw_vantage *v)
{
    tcpwhy_ns client = h->half[TCPWHY_CLIENT].min_ns, server = h->half[TCPWHY_SERVER].min_ns;
    tcpwhy_ns low = MIN(client, server), high = MAX(client, server);
    const struct tw_half_rtt *far = &h->half[client < server ? TCPWHY_SERVER : TCPWHY_CLIENT];

    v->place = TCPWHY_VANTAGE_UNKNOWN;
    v->confidence = TCPWHY_AMBIGUOUS;
    if (low == TCPWHY_NS_UNKNOWN)
        return;
    v->place = client < server ? TCPWHY_VANTAGE_CLIENT : TCPWHY_VANTAGE_SERVER;
    if (high < TW_HOST_LATENCY_NS)
        return;
    v->confidence =
        low * TW_AT_HOST_RATIO <= high && far->answered_by != TW_BY_PROGRAM && !may_be_delayed(far)
            ? TCPWHY_CERTAIN
            : TCPWHY_LIKELY;
    if (low * 3 > high && low > TW_HOST_LATENCY_NS)
        v->place = TCPWHY_VANTAGE_MIDDLE;
}

/* One of many ACKs came at once, unless each may have been delayed. */
static enum tw_answerer answerer(const struct tw_half_rtt *h)
{
    bool often =
        h->echoes.n >= TW_MANY || (h->kernel.n >= TW_MANY && h->min_ns < TW_DELAYED_ACK_NS);

    return often ? MAX(h->answered_by, TW_BY_ACKS) : h->answered_by;
}

/* The side at whose host frames are unfinished, or TW_NO_HOST. If that kernel takes long to answer,
 * a path is emulated on the machine (netem), and the capture is behind it. */
static int host_of(const struct tw_connection *c, const struct tw_half_rtts *h)
{
    const int host = tw_vantage_hints_host(c);

    if (host != TW_NO_HOST && answerer(&h->half[host]) >= TW_BY_ACKS &&
        h->half[host].min_ns > TW_BUSY_HOST_NS)
        return TW_NO_HOST;
    return host;
}

/* Unfinished frames prove more than short RTTs: a busy host answers late. */
static void place_by_frames(const struct tw_connection *c, int host, struct tw_vantage *v)
{
    enum tcpwhy_vantage likely = tw_vantage_hints_by_looks(c);

    if (host != TW_NO_HOST) {
        v->place = tw_vantage_hints_at(host);
        v->confidence = TCPWHY_CERTAIN;
    } else if (v->confidence == TCPWHY_AMBIGUOUS && likely != TCPWHY_VANTAGE_UNKNOWN) {
        v->place = likely;
        v->confidence = TCPWHY_LIKELY;
    }
}

/* At the host itself there is no path; what shows is the host's reaction time. */
static tcpwhy_ns one_way(const struct tw_half_rtts *h, int side, int host)
{
    tcpwhy_ns half = h->half[side].min_ns;

    if (half == TCPWHY_NS_UNKNOWN || side == host ||
        (half < TW_HOST_LATENCY_NS && half * TW_AT_HOST_RATIO <= h->half[!side].min_ns))
        return 0;
    return half / 2;
}

/*
 * Three of four answers of the kernel are within this of the fastest. Delayed ACKs are among them:
 * more than an RTT is no jitter.
 */
static tcpwhy_ns jitter(struct tw_half_rtt *h)
{
    const struct tw_samples *s = &h->kernel;
    size_t rank = (size_t)s->n * 3 / 4, close = 0;

    if (s->n < TW_MANY)
        return 0;
    for (uint32_t i = 0; i < s->n; i++)
        close += s->value[i] < 2 * h->min_ns;
    return close > rank ? tw_select_ns(s->value, s->n, rank) - h->min_ns : h->min_ns;
}

/*
 * Without ACKs and timestamps, jitter looks like a program. A program that takes its time always
 * does: if answers spread from the fastest on, so that one in ten comes in half of the median's
 * excess, half an RTT may be the path's; likewise if a program answered too seldom to show it.
 */
static tcpwhy_ns may_vary(struct tw_half_rtt *h)
{
    struct tw_samples *s = &h->samples;
    tcpwhy_ns soon_ns, median_ns;

    if (h->first_stamped || h->kernel.n >= TW_MANY || s->n == 0)
        return 0;
    if (s->n < TW_MANY)
        return h->answered_by == TW_BY_PROGRAM ? h->min_ns / 2 : 0;
    soon_ns = tw_select_ns(s->value, s->n, s->n / 10) - h->min_ns;
    median_ns = tw_select_ns(s->value, s->n, s->n / 2) - h->min_ns;
    return 2 * soon_ns <= median_ns ? h->min_ns / 2 : 0;
}

/* A SYN that took many times as long as anything after it was answered once a host further on had
 * answered: a proxy or NAT that ends connections. */
static tcpwhy_ns behind(const struct tw_half_rtt *h)
{
    return h->min_ns != TCPWHY_NS_UNKNOWN && h->syn_ns > h->min_ns * TW_AT_HOST_RATIO
               ? h->syn_ns - h->min_ns
               : 0;
}

/* Too fast for the distance, no router away by the TTL, from the Internet to a private address: a
 * NAT or proxy answers for that host. */
static bool is_ended_nearby(const struct tw_connection *c, const struct tw_half_rtts *h, int side)
{
    return h->half[side].min_ns < TW_WORTH_NS && h->half[!side].min_ns < TW_WORTH_NS &&
           tw_vantage_hints_answers_for(c, side);
}

void tw_vantage_infer(const struct tw_connection *c, const struct tw_log *log,
                      struct tw_scratch *scratch, struct tw_prescan *prescan, struct tw_vantage *v)
{
    struct tw_half_rtts h;
    int host;

    tw_half_rtts_look(log, scratch, prescan, &h);
    host = host_of(c, &h);
    place(&h, v);
    place_by_frames(c, host, v);
    v->both_ends = tw_tuple_is_one_host(&c->tuple);
    for (int i = 0; i < 2; i++) {
        v->timed[i] = h.half[i].min_ns != TCPWHY_NS_UNKNOWN;
        v->to_side_ns[i] = one_way(&h, i, host);
        v->spread_ns[i] = spread(&h.half[i]);
        v->jitter_ns[i] = jitter(&h.half[i]);
        v->rtt_varies_ns[i] = may_vary(&h.half[i]);
        v->ended_nearby[i] = is_ended_nearby(c, &h, i);
        v->behind_proxy_ns[i] = behind(&h.half[i]);
        v->syn_late_ns[i] = h.half[i].syn_ns > 0 ? h.half[i].syn_ns - h.half[i].min_ns : 0;
        v->answered_by[i] = answerer(&h.half[i]);
    }
    summarize(&h, host, v);
}
