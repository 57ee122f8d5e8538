/* SPDX-License-Identifier: MIT */
/* The place of a pipe that is slow: its rate, which may change with time, and what waits before
 * it. The queue is not kept as a list: what waits in it follows from the time at which the
 * bottleneck will have sent it all. */
#include "bottleneck.h"

#include <math.h>

/* CoDel's interval: a queue may stand this long before CoDel acts (RFC 8289, 4.3). */
#define CODEL_INTERVAL_NS 100000000.0

/* The same number gives the same weather: splitmix64. */
static double weather(uint64_t number)
{
    number = (number + 1) * 0x9e3779b97f4a7c15u;
    number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
    number = (number ^ number >> 27) * 0x94d049bb133111ebu;
    return (double)((number ^ number >> 31) >> 11) / 9007199254740992.0;
}

/* Bits a second at a moment, and until when that holds. Between the lowest and the highest rate,
 * small ones as often as large ones. */
static double rate_at(const struct pipe *pipe, int64_t t_ns, int64_t *until_ns)
{
    const struct pipe_settings *set = &pipe->set;

    *until_ns = INT64_MAX;
    if (!set->change_ns || set->low_bps <= 0)
        return set->rate_bps;
    int64_t step = (t_ns - pipe->start_ns) / set->change_ns;
    *until_ns = pipe->start_ns + (step + 1) * set->change_ns;
    return set->low_bps * pow(set->rate_bps / set->low_bps, weather((uint64_t)step));
}

double bottleneck_bytes(const struct pipe *pipe, int64_t now_ns)
{
    double bytes = 0;

    if (pipe->set.rate_bps <= 0)
        return 0;
    for (int64_t t = now_ns, until; t < pipe->busy_until_ns; t = until) {
        double rate_bps = rate_at(pipe, t, &until);
        int64_t end_ns = until < pipe->busy_until_ns ? until : pipe->busy_until_ns;
        bytes += (double)(end_ns - t) * rate_bps / 8e9;
    }
    return bytes;
}

static int64_t sent_after(const struct pipe *pipe, int64_t begin_ns, double bytes)
{
    for (;;) {
        int64_t until;
        double byte_ns = 8e9 / rate_at(pipe, begin_ns, &until);
        double left_ns = bytes * byte_ns;

        if (left_ns <= (double)(until - begin_ns))
            return begin_ns + (int64_t)left_ns;
        bytes -= (double)(until - begin_ns) / byte_ns;
        begin_ns = until;
    }
}

/* A policer's queue is one of tokens: nothing waits in it. */
int64_t bottleneck_pass(struct pipe *pipe, int64_t now_ns, size_t length)
{
    int64_t begin_ns = pipe->busy_until_ns > now_ns ? pipe->busy_until_ns : now_ns;
    double room = pipe->set.police_bytes > 0 ? pipe->set.police_bytes : pipe->set.queue_bytes;

    if (pipe->set.rate_bps <= 0)
        return now_ns;
    if (room > 0 && bottleneck_bytes(pipe, now_ns) + (double)length > room)
        return -1;
    pipe->busy_until_ns = sent_after(pipe, begin_ns, (double)length);
    return pipe->set.police_bytes > 0 ? now_ns : pipe->busy_until_ns;
}

/* Judged where a frame enters, as its wait is known there already. */
bool bottleneck_codel_hits(struct pipe *pipe, int64_t now_ns)
{
    struct codel *codel = &pipe->codel;

    if (!pipe->set.codel_ns || pipe->busy_until_ns - now_ns < pipe->set.codel_ns) {
        codel->next_ns = 0;
        codel->dropping = false;
        return false;
    }
    if (!codel->next_ns)
        codel->next_ns = now_ns + (int64_t)CODEL_INTERVAL_NS;
    if (now_ns < codel->next_ns)
        return false;
    /* Where the last spell left off, if that was not long ago: section 5.4. */
    if (!codel->dropping && (double)(now_ns - codel->last_ns) > 16 * CODEL_INTERVAL_NS)
        codel->count = 0;
    else if (!codel->dropping)
        codel->count = codel->count > 2 ? codel->count - 2 : 0;
    codel->dropping = true;
    codel->count++;
    codel->last_ns = now_ns;
    codel->next_ns = now_ns + (int64_t)(CODEL_INTERVAL_NS / sqrt(codel->count));
    return true;
}
