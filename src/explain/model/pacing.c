/* SPDX-License-Identifier: MIT */
/*
 * Decides what releases a sender's segments: ACKs, or a clock of its own.
 */
#include "explain/model/pacing.h"

#include <math.h>

#include <glib.h>
#include "explain/thresholds.h"

/* Successive events, and how much the times between them differ. */
struct rhythm {
    tcpwhy_ns last_ns, step_ns;
    tcpwhy_ns wobble_ns; /* sum of differences between successive steps */
};

/* Starts and ends of the bursts of some rounds. A burst begins after a gap longer than any link
 * makes. */
struct habit {
    uint32_t bursts, partial_ends;
    uint32_t silences, partial_before; /* long ones, however their segments are paced */
    uint32_t ended_by_acks;            /* of them */
    uint32_t prompt;                   /* bursts that an ACK released */
    int64_t filled;          /* the flight at the end of one that ended with a partial segment */
    tcpwhy_ns *since_ack_ns; /* of each burst, since the newest ACK */
    struct rhythm bursts_go, acks_come; /* those ACKs, if each burst has its own */
    uint32_t in_step, wobbles;          /* consecutive bursts that have; differences added */
    tcpwhy_ns begun_ns, took_ns;        /* the last burst, and the one before until it began ... */
    int64_t burst_bytes;                /* ... with what it held */
    uint32_t compared;                  /* bursts of one message with the one before ... */
    uint32_t paced;                     /* ... that left when that had had its time ... */
    uint32_t coincident;                /* ... and others that did so with an ACK */
    bool anew;                          /* the last burst began a message */
};

static void step(struct rhythm *r, tcpwhy_ns at_ns, bool wobbles)
{
    tcpwhy_ns step_ns = at_ns - r->last_ns;

    if (wobbles)
        r->wobble_ns += ABS(step_ns - r->step_ns);
    r->step_ns = step_ns;
    r->last_ns = at_ns;
}

static void compare_rhythms(struct habit *h, tcpwhy_ns sent_ns, tcpwhy_ns moved_ns)
{
    bool wobbles;

    h->in_step = moved_ns > h->acks_come.last_ns ? h->in_step + 1 : 0;
    wobbles = h->in_step > 2; /* two steps between three ACKs */
    h->wobbles += wobbles;
    step(&h->bursts_go, sent_ns, wobbles);
    step(&h->acks_come, moved_ns, wobbles);
}

/* Does a burst end with a partial segment because the writer had no more? Otherwise it fills the
 * available room to the byte, each time before the next ACK: a buffer of 64 KiB. Writes in step
 * with the RTT may do the same; only at the sender do ACKs show which. */
static bool ends_partial(struct habit *h, const struct tw_send *last, bool remote)
{
    int64_t before = h->filled;

    if (!(last->is & TW_SEND_PARTIAL))
        return false;
    h->filled = tw_send_flight(last);
    return remote || h->filled != before || last[1].acked >= last->end;
}

/* A burst of a kernel that paces is what its rate sends in a millisecond, more on a short round
 * trip, or two segments; the next one leaves when it has had its time at that rate. Away from the
 * sender, segments of a burst that a link has not spread show that its rate is not theirs. */
static void compare_paces(struct habit *h, const struct tw_rounds_view *v, const struct tw_send *s,
                          int64_t begun)
{
    const int64_t mss = v->sends->mss_bytes, bytes = s[-1].end - begun;
    tcpwhy_ns took_ns = s->sent_ns - h->begun_ns;
    double paces = (double)took_ns * (double)h->burst_bytes;
    bool fits = took_ns <= TW_JOINED_NS || bytes <= tw_pace_burst_bytes(v->rtt_ns, mss);
    bool spread = v->remote && s[-1].end - s[-1].len == begun, anew = tw_begins_anew(s);

    h->compared += !anew && !h->anew;
    if (!anew && !h->anew && !(s[-1].is & TW_SEND_PARTIAL) && fits && !spread &&
        fabs(paces - (double)h->took_ns * (double)bytes) <= paces / TW_QUARTER) {
        if (tw_leaves_promptly(v->sends, s, s->sent_ns - s[-1].sent_ns))
            h->coincident++;
        else
            h->paced++;
    }
    h->anew = anew;
    h->burst_bytes = bytes;
    h->begun_ns = s->sent_ns;
    h->took_ns = took_ns;
}

/* Time from the first ACK of new data that the sender heard in the silence before this send. */
static tcpwhy_ns behind_acks_ns(const struct tw_sender_timeline *x, const struct tw_send *s)
{
    tcpwhy_ns first_ns = tw_send_moved_ns(x, s);
    uint32_t least = s->moved_record - MIN(s->moved_record, TW_NEAR_RECORDS);

    for (uint32_t i = s->moved_record; i-- > least;) {
        tcpwhy_ns heard_ns = tw_sender_timeline_heard_ns(x, i);

        if (heard_ns <= s[-1].sent_ns)
            break;
        if (x->record[i].from != x->from && x->record[i].ack > s[-1].acked)
            first_ns = MIN(first_ns, heard_ns);
    }
    return s->sent_ns - first_ns;
}

/* Did ACKs end the silence before this send? They came late in it, and it left at once behind the
 * first of them, however many there were: chance rarely does so. Away from the sender the path
 * spreads them as much as it spreads a burst. What the other program said released an answer. */
static bool is_ended_by_acks(const struct tw_rounds_view *v, const struct tw_send *s,
                             tcpwhy_ns pause_ns)
{
    const struct tw_record *record = v->sends->record;
    tcpwhy_ns lag_ns = behind_acks_ns(v->sends, s);

    return record[s->record].ack == record[s[-1].record].ack &&
           lag_ns <= (v->remote ? tw_burst_gap_ns(v) : TW_HOST_NS) &&
           lag_ns * TW_SOON_SHARE <= pause_ns - lag_ns;
}

static struct habit habit_of(const struct tw_rounds_view *v, uint32_t first, uint32_t last,
                             tcpwhy_ns gap_ns)
{
    const struct tw_sender_timeline *x = v->sends;
    tcpwhy_ns silence_ns = v->rtt_ns / TW_PAUSE_SHARE;
    struct habit h = { .since_ack_ns = v->room, .begun_ns = x->send[first].sent_ns };
    int64_t begun = tw_send_seq(&x->send[first]);

    for (const struct tw_send *s = x->send + first + 1, *end = x->send + last; s <= end; s++) {
        tcpwhy_ns pause_ns = s->sent_ns - s[-1].sent_ns, moved_ns;
        bool partial;

        if (pause_ns <= gap_ns || s->moved_record == TW_NO_RECORD)
            continue;
        compare_paces(&h, v, s, begun);
        begun = tw_send_seq(s);
        partial = ends_partial(&h, s - 1, v->remote);
        if (pause_ns >= silence_ns && !tw_begins_anew(s)) {
            h.silences++;
            h.partial_before += partial;
            h.ended_by_acks += is_ended_by_acks(v, s, pause_ns);
        }
        moved_ns = tw_send_moved_ns(x, s);
        compare_rhythms(&h, s->sent_ns, moved_ns);
        h.prompt += tw_leaves_promptly(x, s, pause_ns);
        h.since_ack_ns[h.bursts++] = s->sent_ns - moved_ns;
        h.partial_ends += partial;
    }
    return h;
}

/* Bursts that ACKs release vary as much as the ACKs. */
static bool is_steadier_than_acks(const struct habit *h)
{
    return h->wobbles >= TW_STEADY_BURSTS &&
           h->bursts_go.wobble_ns * TW_FACTOR < h->acks_come.wobble_ns;
}

static bool is_paced(const struct habit *h)
{
    return h->compared >= TW_HABIT &&
           tw_mostly(h->paced + (is_steadier_than_acks(h) ? h->coincident : 0), h->compared);
}

/* Is the median of n values above a limit that n_not_above do not exceed? */
static bool median_is_above(uint32_t n, uint32_t n_not_above)
{
    return n_not_above <= (n - 1) / 2;
}

static bool lags_are_above(const struct habit *h, tcpwhy_ns limit)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->bursts; i++)
        n += h->since_ack_ns[i] <= limit;
    return median_is_above(h->bursts, n);
}

/* One full segment, from a queue of more, that was alone in its round: no queue of this sender's
 * was on the way, so that its ACK was delayed. */
static bool is_alone(const struct tw_rounds_view *v, const struct tw_round *r)
{
    const struct tw_send *s = &v->sends->send[r->first];

    return r->first == r->last && !(s->is & TW_SEND_PARTIAL) &&
           !(v->sends->record[s->record].flags & TW_PSH);
}

static bool queues_are_above(const struct tw_rounds_view *v, const struct tw_round *r,
                             uint32_t n_rounds, tcpwhy_ns limit)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_rounds; i++)
        n += r[i].queue_ns <= limit || is_alone(v, &r[i]);
    return median_is_above(n_rounds, n);
}

static bool is_even(const struct tw_round *r, uint32_t n_rounds, tcpwhy_ns rtt)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < n_rounds; i++)
        n += r[i].max_gap_ns < rtt / TW_PAUSE_SHARE;
    return !median_is_above(n_rounds, n);
}

static bool lags_spread(const struct habit *h)
{
    tcpwhy_ns low = tw_quantile(h->since_ack_ns, h->bursts, 10);

    return low * TW_FACTOR < tw_quantile(h->since_ack_ns, h->bursts, 50);
}

/*
 * A sender that waits for room continues the moment an ACK makes it, with full segments. A sender
 * with a clock of its own (writes, or a pacing rate) leaves at any time after the newest ACK; each
 * write ends with a partial segment, and pacing spaces segments evenly. Pacing has no long
 * silences, so their ends count, not the spacing between them. Away from the sender only the
 * pattern is seen, not the moment.
 */
static bool keeps_own_clock(const struct tw_rounds_view *v, const struct tw_round *r, uint32_t n,
                            bool *paces)
{
    tcpwhy_ns rtt = v->rtt_ns;
    struct habit h;
    bool writes;

    if (queues_are_above(v, r, n, tw_queue_shows_ns(rtt)))
        return false;
    h = habit_of(v, r[0].first, r[n - 1].last, TW_KERNEL_NS);
    if (h.silences >= TW_HABIT && tw_mostly(h.ended_by_acks, h.silences))
        return false;
    *paces = is_paced(&h);
    if (*paces)
        return true;
    h = habit_of(v, r[0].first, r[n - 1].last, tw_burst_gap_ns(v));
    if (h.bursts < TW_HABIT)
        return false;
    *paces = is_paced(&h);
    writes = tw_mostly(h.partial_ends, h.bursts) ||
             (h.silences >= TW_HABIT && tw_mostly(h.partial_before, h.silences));
    if (v->remote)
        return writes || (!r->loss_before && is_even(r, n, rtt)) ||
               lags_are_above(&h, MAX(TW_SHORT_NS, rtt / TW_JITTER_SHARE));
    if (is_steadier_than_acks(&h))
        return true;
    return lags_are_above(&h, TW_KERNEL_NS) && !tw_mostly(h.prompt, h.bursts) &&
           (writes || is_even(r, n, rtt) || lags_are_above(&h, TW_HOST_NS) || lags_spread(&h));
}

/* A queue that stands once may be a host that was busy. */
static bool knows_capacity(const struct tw_rounds_view *v)
{
    uint32_t queues = 0;

    for (uint32_t i = 0; i < v->rounds->n && queues < TW_TWICE; i++)
        queues += v->rounds->round[i].queue.standing;
    return v->rounds->capacity > 0 && v->sends->queues_seen && queues == TW_TWICE;
}

/* The sender sent faster once and lost what exceeded this pace (BBR's STARTUP, and its rate under a
 * policer): the pace is the rate that the path allows. */
static bool lost_what_was_faster(const struct tw_round *r, uint32_t n)
{
    double bytes = 0;

    for (uint32_t i = 0; i < n; i++)
        bytes += (double)r[i].flight_bytes;
    return r->loss_before && !r->starved && (double)r->most_bytes * n >= TW_HALF_AGAIN * bytes;
}

/* The pace is the path's rate, learned while a queue stood, and no program's; a faster one without
 * a queue shows that something else had delayed those segments. */
static bool are_at_capacity(const struct tw_rounds_view *v, const struct tw_round *r, uint32_t n)
{
    double bytes = 0, time = 0;

    for (uint32_t i = 0; i < n; i++) {
        bytes += r[i].rate * (double)r[i].duration_ns;
        time += (double)r[i].duration_ns;
    }
    return bytes >= TW_SAME_RATE * v->rounds->capacity * time &&
           TW_SAME_RATE * bytes <= v->rounds->capacity * time;
}

/* Twice in a row the flight exceeds all earlier ones: slow start, however evenly paced (BBR). */
static bool begins_slow_start(const struct tw_round *r, int64_t most)
{
    return tw_round_next_growth(r) >= TW_SLOW_START_GROWTH &&
           tw_round_next_growth(r + 1) >= TW_SLOW_START_GROWTH && r[2].flight_bytes > most;
}

/* Classify stretches without a loss by their habit, slow start excluded. */
void tw_pacing_find(const struct tw_rounds_view *v)
{
    struct tw_round *r = v->rounds->round;
    uint32_t n = v->rounds->n;
    bool paces, known = knows_capacity(v);
    /* up to the initial window may be all that was written */
    int64_t most = TW_INITIAL_SEGMENTS * (int64_t)v->sends->mss_bytes;

    for (uint32_t i = 0; i < n;) {
        uint32_t end = i + 1;

        most = MAX(most, r[i].flight_bytes);
        for (; end < n && r[end].repeats == 0 && (!r[end].queue.standing || r[end].queue.spread);
             end++) {
            if (begins_slow_start(&r[end], most))
                break;
            most = MAX(most, r[end].flight_bytes);
        }
        while (i < end && tw_round_next_growth(&r[i]) >= TW_SLOW_START_GROWTH)
            i++;
        if (end >= i + TW_HABIT && keeps_own_clock(v, &r[i], end - i, &paces)) {
            bool at_capacity = paces && (lost_what_was_faster(&r[i], end - i) ||
                                         (known && are_at_capacity(v, &r[i], end - i)));

            for (uint32_t k = i; k < end; k++) {
                r[k].flat.own_clock = !r[k].queue.spread;
                r[k].flat.paced = r[k].flat.own_clock && paces;
                r[k].flat.at_capacity = r[k].flat.own_clock && at_capacity;
            }
        }
        i = end;
    }
}
