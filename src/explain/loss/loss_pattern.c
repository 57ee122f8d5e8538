/* SPDX-License-Identifier: MIT */
#include "explain/loss/loss_pattern.h"

#include <math.h>
#include <stdlib.h>

#include <glib.h>

#include "base/select.h"
#include "explain/thresholds.h"

/* A segment of the stream. */
struct segment {
    int64_t seq;
    tcpwhy_ns sent_ns; /* of the copy that passed here first */
    bool lost;
    bool seen; /* before its repair */
};

/* Lost segments that follow each other. */
struct group {
    uint32_t first, n;
};

static bool is_repair(const struct tw_sender_timeline *x, const struct tw_send *s)
{
    return (s->is & TW_SEND_REPEAT && !(s->is & TW_SEND_SPURIOUS)) ||
           x->record[s->record].facts & TW_FACT_FILLS_HOLE;
}

static int by_seq(const void *a, const void *b)
{
    const struct segment *x = a, *y = b;

    if (x->seq != y->seq)
        return x->seq < y->seq ? -1 : 1;
    return (x->sent_ns > y->sent_ns) - (x->sent_ns < y->sent_ns);
}

/* The stream in the order of its bytes. Of a loss before the vantage only the repair passes here.
 * @return how many segments. */
static uint32_t segments_of(const struct tw_sender_timeline *x, struct segment *all)
{
    uint32_t n = 0, kept = 0;

    for (const struct tw_send *s = x->send, *end = s + x->n; s < end; s++) {
        bool repair = is_repair(x, s);

        if (s->len > 0 && (repair || s->is & TW_SEND_FRESH))
            all[n++] = (struct segment) { tw_send_seq(s), s->sent_ns, repair, !repair };
    }
    qsort(all, n, sizeof *all, by_seq);
    for (uint32_t i = 0; i < n; i++)
        if (kept == 0 || all[i].seq != all[kept - 1].seq)
            all[kept++] = all[i];
        else
            all[kept - 1].lost |= all[i].lost;
    return kept;
}

static uint32_t groups_of(const struct segment *all, uint32_t n, struct group *groups)
{
    uint32_t n_groups = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (!all[i].lost)
            continue;
        if (i > 0 && all[i - 1].lost)
            groups[n_groups - 1].n++;
        else
            groups[n_groups++] = (struct group) { i, 1 };
    }
    return n_groups;
}

/* Neighbours are lost together more often than by chance (three standard deviations of a Poisson
 * count), two of them or more at a time. */
static bool is_in_bursts(const struct tw_loss_pattern *p)
{
    double pairs = p->lost - p->groups, expected = (double)p->lost * p->lost / p->segments;

    return p->groups >= TW_OFTEN && p->lost >= 2 * p->groups &&
           pairs > expected + 3 * sqrt(expected);
}

/* Behind the lost segment its sender was silent for longer than the segments before it took. */
static bool ends_burst(const struct segment *all, uint32_t n, const struct group *g)
{
    uint32_t last = g->first + g->n - 1;

    return last + 1 < n && last >= TW_FEWEST && all[last].seen && all[last + 1].seen &&
           all[last + 1].sent_ns - all[last].sent_ns >
               TW_FACTOR * (all[last].sent_ns - all[last - TW_FEWEST].sent_ns);
}

static bool is_behind_bursts(const struct segment *all, uint32_t n, const struct group *groups,
                             uint32_t n_groups)
{
    uint32_t others = 0;

    for (uint32_t i = 0; i < n_groups; i++)
        others += !ends_burst(all, n, &groups[i]);
    return n_groups >= TW_FEWEST && TW_QUARTER * others <= n_groups;
}

static tcpwhy_ns lost_ns(const struct segment *all, const struct group *g)
{
    return all[g->first].seen || g->first == 0 ? all[g->first].sent_ns : all[g->first - 1].sent_ns;
}

/* The usual one of the times between groups, if most differ from it by less than a quarter; else
 * 0. */
static tcpwhy_ns beat_of(const struct segment *all, const struct group *groups, uint32_t n_groups,
                         tcpwhy_ns *every_ns)
{
    uint32_t n = n_groups - 1, others = 0;
    tcpwhy_ns usual_ns;

    for (uint32_t i = 0; i < n; i++)
        every_ns[i] = lost_ns(all, &groups[i + 1]) - lost_ns(all, &groups[i]);
    usual_ns = tw_select_ns(every_ns, n, n / 2);
    for (uint32_t i = 0; i < n; i++)
        others += TW_QUARTER * ABS(every_ns[i] - usual_ns) > usual_ns;
    return TW_QUARTER * others <= n ? usual_ns : 0;
}

/* The distances of losses that are independent have a standard deviation of their mean. */
static bool is_random(const struct tw_loss_pattern *p, const struct group *groups)
{
    double sum = 0, squares = 0, n = p->groups - 1, mean;

    for (uint32_t i = 0; i + 1 < p->groups; i++) {
        double distance = groups[i + 1].first - groups[i].first;

        sum += distance;
        squares += distance * distance;
    }
    mean = sum / n;
    squares = squares / n - mean * mean;
    return TW_QUARTER * squares >= mean * mean && squares <= TW_QUARTER * mean * mean;
}

static enum tw_loss_order order_of(const struct tw_loss_pattern *p, const struct segment *all,
                                   const struct group *groups)
{
    if (p->lost < TW_MANY)
        return TW_LOSS_NO_ORDER;
    if (is_behind_bursts(all, p->segments, groups, p->groups))
        return TW_LOSS_BEHIND_BURST;
    if (p->every_ns > 0)
        return TW_LOSS_REGULAR;
    if (is_in_bursts(p))
        return TW_LOSS_IN_BURSTS;
    return p->groups >= TW_MANY && is_random(p, groups) ? TW_LOSS_AT_RANDOM : TW_LOSS_NO_ORDER;
}

struct tw_loss_pattern tw_loss_pattern_find(const struct tw_sender_timeline *x, tcpwhy_ns rtt_ns,
                                            struct tw_scratch *scratch)
{
    /* one piece: of several only the last may be returned */
    struct segment *all =
        tw_scratch_get(scratch, x->n, sizeof *all + sizeof(struct group) + sizeof(tcpwhy_ns));
    tcpwhy_ns *every_ns = (tcpwhy_ns *)(void *)(all + x->n);
    struct group *groups = (struct group *)(void *)(every_ns + x->n);
    struct tw_loss_pattern p = { .segments = segments_of(x, all) };

    p.groups = groups_of(all, p.segments, groups);
    for (uint32_t i = 0; i < p.groups; i++)
        p.lost += groups[i].n;
    if (p.groups > TW_FEWEST)
        p.every_ns = beat_of(all, groups, p.groups, every_ns);
    if (p.every_ns <= rtt_ns)
        p.every_ns = 0;
    p.order = order_of(&p, all, groups);
    tw_scratch_return(scratch, all);
    return p;
}
