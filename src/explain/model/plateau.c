/* SPDX-License-Identifier: MIT */
/*
 * Flights that stay the same over round trips, and flights that climb by a segment or two.
 */
#include "explain/model/plateau.h"

#include <glib.h>

#include "base/seq.h"
#include "explain/thresholds.h"

static int64_t flat_bytes(const struct tw_sender_timeline *x, bool remote, int64_t flight)
{
    int64_t bytes = (int64_t)TW_FLAT_SEGMENTS * x->mss_bytes;

    return remote ? MAX(2 * bytes, flight / TW_QUARTER) : bytes;
}

static bool small_step_up(const struct tw_round *from, const struct tw_round *to, uint32_t mss)
{
    return to->repeats == 0 && to->flight_bytes >= from->flight_bytes + (int64_t)mss &&
           (double)to->flight_bytes <= (double)from->flight_bytes * TW_HALF_AGAIN;
}

/* A cwnd that grows by at least half a segment per RTT (RFC 5681, 3.1, with ACKs of two; RFC 9438,
 * 4.3) stops looking flat after this many rounds, or twice as many if the path or the writer slows
 * it. */
static bool is_growth(const struct tw_sender_timeline *x, bool remote, const struct tw_round *run)
{
    int64_t rounds = 2 * flat_bytes(x, remote, run->flight_bytes) / x->mss_bytes;

    return run->flat.rounds <= 2 * rounds;
}

/* Runs that climb in small steps are growth: a ceiling is never exceeded. */
static void find_climbs(const struct tw_sender_timeline *x, struct tw_round *r, uint32_t n,
                        bool remote)
{
    uint32_t mss = x->mss_bytes;

    for (uint32_t i = 0; i < n; i += r[i].flat.rounds) {
        uint32_t next = i + r[i].flat.rounds, after = next < n ? next + r[next].flat.rounds : n;

        if (after >= n || !small_step_up(&r[i], &r[next], mss) ||
            !small_step_up(&r[next], &r[after], mss))
            continue;
        for (uint32_t k = i; k < after; k++)
            r[k].flat.climbing |= is_growth(x, remote, &r[k]);
    }
}

/* Slow start doubles a flight; if small, by less than those segments. */
static bool is_doubled(const struct tw_round *r)
{
    return r->flight_bytes >= 2 * r[-1].flight_bytes;
}

/* May this round show the same ceiling as the previous one? Not if something reduced the flight, if
 * the end of the message moved it, or if the receive window limits only one of them. */
static bool goes_on(const struct tw_sender_timeline *x, const struct tw_round *r)
{
    return r->repeats == 0 && !r->reduced && r->misled_before == r[-1].misled_before &&
           r->window_full == r[-1].window_full && !tw_begins_anew(&x->send[r->first]);
}

static bool is_unprompted(const struct tw_rounds_view *v, uint32_t first, uint32_t last)
{
    const struct tw_sender_timeline *x = v->sends;
    tcpwhy_ns gap_ns = tw_burst_gap_ns(v);
    uint32_t bursts = 0, unprompted = 0;

    for (const struct tw_send *s = x->send + first + 1, *end = x->send + last; s <= end; s++) {
        if (s->sent_ns - s[-1].sent_ns <= gap_ns || s->moved_record == TW_NO_RECORD)
            continue;
        bursts++;
        unprompted += s->sent_ns - tw_send_moved_ns(x, s) > v->prompt_ns;
    }
    return unprompted > bursts / TW_EXCEPTIONS_SHARE;
}

/* Was more queued behind this send, since it lacks PSH (RFC 9293, 3.9.1.2, MUST-61), and did that
 * wait for an ACK? It left after a silence, or in one burst with it with a newer TSecr. */
static bool had_to_wait(const struct tw_sender_timeline *x, const struct tw_send *s,
                        tcpwhy_ns gap_ns, tcpwhy_ns silence_ns)
{
    const struct tw_record *sent = &x->record[s->record], *next = &x->record[s[1].record];
    tcpwhy_ns pause_ns = s[1].sent_ns - s->sent_ns;

    if ((s->is & TW_SEND_PARTIAL) || (sent->flags & TW_PSH))
        return false;
    return pause_ns > silence_ns ||
           (pause_ns <= gap_ns && tw_record_is_stamped(sent) && tw_record_is_stamped(next) &&
            tw_seq_after(next->tsecr, sent->tsecr));
}

/* Away from the sender: may a program write this much once per RTT? */
static bool may_be_written(const struct tw_rounds_view *v, uint32_t first, uint32_t last)
{
    const struct tw_sender_timeline *x = v->sends;
    tcpwhy_ns gap_ns = tw_burst_gap_ns(v), silence_ns = MAX(gap_ns, v->rtt_ns / TW_PAUSE_SHARE);
    uint32_t silences = 0, blocked = 0;
    bool waited = false;

    for (const struct tw_send *s = x->send + first, *end = x->send + last; s < end; s++) {
        waited = waited || had_to_wait(x, s, gap_ns, silence_ns);
        if (s[1].sent_ns - s->sent_ns <= silence_ns)
            continue;
        silences++;
        blocked += waited;
        waited = false;
    }
    return blocked <= silences / TW_EXCEPTIONS_SHARE;
}

static void find_flat_runs(const struct tw_rounds_view *v, struct tw_round *r, uint32_t n)
{
    const struct tw_sender_timeline *x = v->sends;

    for (uint32_t i = 0; i < n;) {
        int64_t low = r[i].flight_bytes, high = low;
        uint32_t end = i + 1;

        for (; end < n && goes_on(x, &r[end]); end++) {
            int64_t new_low = MIN(low, r[end].flight_bytes);
            int64_t new_high = MAX(high, r[end].flight_bytes);

            if (new_high - new_low > flat_bytes(x, v->remote, new_high) ||
                (end == i + 1 && is_doubled(&r[end])))
                break;
            low = new_low;
            high = new_high;
        }

        bool unprompted = end - i >= 2 * TW_HABIT && !r[i].window_full &&
                          is_unprompted(v, r[i].first, r[end - 1].last);

        for (uint32_t k = i; k < end; k++) {
            r[k].flat.rounds = end - i;
            r[k].flat.unprompted = unprompted;
        }
        i = end;
    }
}

void tw_plateau_find(const struct tw_rounds_view *v)
{
    find_flat_runs(v, v->rounds->round, v->rounds->n);
    find_climbs(v->sends, v->rounds->round, v->rounds->n, v->remote);
}

/* Does nothing else show what held the sender in this round? */
static bool may_be_ceiling(const struct tw_round *r)
{
    return !r->window_full && !r->flat.unprompted && !r->flat.climbing && !r->flat.own_clock &&
           !r->queue.standing;
}

void tw_plateau_find_app_writes(const struct tw_rounds_view *v)
{
    struct tw_round *r = v->rounds->round;
    uint32_t n = v->remote ? v->rounds->n : 0;

    for (uint32_t i = 0; i < n; i += r[i].flat.rounds) {
        uint32_t k = i, end = i + r[i].flat.rounds;

        if (end - i < 2 * TW_HABIT)
            continue;
        while (k < end && !may_be_ceiling(&r[k]))
            k++;
        if (k == end || !may_be_written(v, r[i].first, r[end - 1].last))
            continue;
        for (; k < end; k++)
            r[k].flat.written = true;
    }
}
