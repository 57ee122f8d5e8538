/* SPDX-License-Identifier: MIT */
#include "explain/vantage/tsval_clock.h"

#include <glib.h>

#include "base/seq.h"
#include "explain/thresholds.h"

/* Ticks that stacks use (RFC 7323, 5.4 allows 1 ms to 1 s): Linux 1, 4 and 10 ms, Windows 1 and
 * 10 ms, BSD and macOS 1 ms, old ones 100 and 500 ms. */
static const tcpwhy_ns timer_ticks[] = { TCPWHY_MS(1), TCPWHY_MS(4), TCPWHY_MS(10), TCPWHY_MS(100),
                                         TCPWHY_MS(500) };

/* Three weeks: clocks of longer connections have been set. */
#define MAX_BLOCKS 60480

tcpwhy_ns tw_tsval_clock_tick(double measured_ns)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(timer_ticks); i++)
        if (measured_ns < (double)timer_ticks[i] * TW_HALF_AGAIN &&
            measured_ns > (double)timer_ticks[i] / TW_HALF_AGAIN)
            return timer_ticks[i];
    return 0;
}

static tcpwhy_ns read_tick(const struct tw_record *first, const struct tw_record *last)
{
    int32_t count = tw_seq_diff(last->tsval, first->tsval);

    if (count < TW_CLOCK_MIN_TICKS)
        return 0;
    return tw_tsval_clock_tick((double)(last->time_ns - first->time_ns) / count);
}

/* Arrival minus TSval: the delay, plus a constant, plus up to a tick. */
static tcpwhy_ns offset_of(const struct tw_tsval_clock *c, const struct tw_record *r)
{
    return r->time_ns - c->first_ns - (tcpwhy_ns)tw_seq_diff(r->tsval, c->first_tsval) * c->tick_ns;
}

static uint32_t block_of(const struct tw_tsval_clock *c, const struct tw_record *r)
{
    return c->n_blocks == 1 ? 0 : (uint32_t)((r->time_ns - c->first_ns) / TW_CLOCK_BLOCK_NS);
}

/* A queue that lasts for a whole block does not last through its neighbours as well. */
static void look_beside(struct tw_tsval_clock *c)
{
    tcpwhy_ns before = INT64_MAX;

    for (uint32_t i = 0; i < c->n_blocks; i++) {
        tcpwhy_ns own = c->shortest[i], behind = i + 1 < c->n_blocks ? c->shortest[i + 1] : own;

        c->shortest[i] = MIN(own, MIN(before, behind));
        before = own;
    }
}

void tw_tsval_clock_build(const struct tw_prescan *prescan, enum tcpwhy_side side,
                          struct tw_scratch *scratch, struct tw_tsval_clock *out)
{
    const uint8_t from = (uint8_t)side;
    const struct tw_record *first = prescan->first_stamped[side],
                           *last = prescan->last_stamped[side];
    tcpwhy_ns *least, block_end_ns;

    *out = (struct tw_tsval_clock) { 0 };
    if (first == last)
        return;
    out->tick_ns = read_tick(first, last);
    out->first_ns = first->time_ns;
    out->first_tsval = first->tsval;
    if (last->time_ns - first->time_ns > TW_CLOCK_BLOCK_NS * (MAX_BLOCKS - 1))
        out->tick_ns = 0;
    if (out->tick_ns == 0)
        return;
    out->n_blocks = block_of(out, last) + 1;
    out->shortest = tw_scratch_get(scratch, out->n_blocks, sizeof *out->shortest);
    for (uint32_t i = 0; i < out->n_blocks; i++)
        out->shortest[i] = INT64_MAX;
    least = out->shortest;
    block_end_ns = first->time_ns + TW_CLOCK_BLOCK_NS;
    for (const struct tw_record *r = first; r <= last; r++) {
        if (r->from != from || !tw_record_is_stamped(r))
            continue;
        for (; r->time_ns >= block_end_ns; block_end_ns += TW_CLOCK_BLOCK_NS)
            least++;
        *least = MIN(*least, offset_of(out, r));
    }
    look_beside(out);
}

tcpwhy_ns tw_tsval_clock_delay(const struct tw_tsval_clock *c, const struct tw_record *r)
{
    tcpwhy_ns delay;

    if (c->tick_ns == 0 || !(r->options & TW_OPT_TIMESTAMP))
        return 0;
    delay = offset_of(c, r) - c->shortest[block_of(c, r)] - c->tick_ns;
    return MAX(delay, 0);
}

tcpwhy_ns tw_tsval_clock_error(const struct tw_tsval_clock *c, const struct tw_record *r,
                               tcpwhy_ns round_ns, const struct tw_record **echoed)
{
    const struct tw_record *e = *echoed;

    while (e < r &&
           (e->from == r->from || !tw_record_is_stamped(e) || tw_seq_before(e->tsval, r->tsecr)))
        e++;
    *echoed = e;
    if (e == r || e->tsval != r->tsecr)
        return 0;
    return tw_tsval_clock_delay(c, r) - (r->time_ns - e->time_ns - round_ns);
}
