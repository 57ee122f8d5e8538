/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm (RFC 896; Minshall's variant in Linux, tcp_nagle_check()): a partial segment
 * stays while an earlier partial one is unacknowledged.
 */
#include "explain/causes/nagle.h"

#include <glib.h>

#include "explain/path/cross_traffic.h"
#include "explain/causes/pause.h"
#include "explain/thresholds.h"

static bool fits(const struct tw_gap *w)
{
    const struct tw_send *s = w->send;

    if (!(s->is & TW_SEND_FRESH) ||
        !tw_sender_timeline_may_hold(&w->context->sends[w->sender], s) ||
        w->since_ack_ns == TCPWHY_NS_UNKNOWN || s->sent_ns - w->since_ack_ns <= w->before->sent_ns)
        return false;
    /* The forerunner, too, is among what the capture does not hold. */
    if (w->context->log->record[s->moved_record].facts & TW_FACT_ACKS_UNSEEN)
        return false;
    return !(tw_gap_record(w, w->before)->flags & TW_FIN);
}

/* So few full segments (RFC 6928's initial window) that no congestion window is the reason, as a
 * rule. */
static bool are_few(const struct tw_gap *w)
{
    return tw_send_flight(w->before) <
           (int64_t)TW_INITIAL_SEGMENTS * w->context->sends[w->sender].mss_bytes;
}

/* The newest partial segment that was not acknowledged when the send before went out, or NULL. */
static const struct tw_send *partial_before(const struct tw_gap *w)
{
    const struct tw_send *s = w->before, *first = w->context->sends[w->sender].send;

    while (s > first && s->end > w->before->acked && !(s->is & TW_SEND_PARTIAL))
        s--;
    return s->is & TW_SEND_PARTIAL && s->end > w->before->acked ? s : NULL;
}

/* Did it bring the rest of what was queued? That is pushed (RFC 9293, 3.9.1.2, MUST-61), and
 * nothing follows before its own ACK: whoever had filled the send buffer goes on at each. */
static bool brings_the_rest(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];
    const struct tw_send *s = w->send;

    return (tw_gap_record(w, s)->flags & TW_PSH) &&
           (s + 1 == x->send + x->n || s[1].acked >= s->end);
}

/*
 * Linux: full segments went out behind a partial one, and the rest of what is queued waits for the
 * ACK of that alone (tcp_minshall_check()). So many that the congestion window may have been full
 * are no reason where an ACK that came before it let nothing go.
 */
static bool waits_for_partial(const struct tw_gap *w)
{
    const struct tw_record *record = w->context->log->record, *r = &record[w->send->moved_record];
    const struct tw_send *partial = partial_before(w);
    bool had_room = are_few(w);

    if (!partial || partial->end > w->send->acked || !brings_the_rest(w))
        return false;
    while (--r > &record[w->before->record]) {
        if (r->from == (uint8_t)w->sender)
            continue;
        if (r->ack >= partial->end)
            return false;
        had_room |= r->ack > w->before->acked;
    }
    return had_room;
}

/* The rest of a message that waits for full segments: RFC 896 as written, or MSG_MORE in Linux; or
 * behind them. */
static bool waits_behind_full_segments(const struct tw_gap *w)
{
    return w->ack_clocked && !(w->before->is & TW_SEND_PARTIAL) &&
           ((w->final && w->flight_empty && are_few(w)) || waits_for_partial(w));
}

/* What the other side said last before a record, which acknowledges it; NULL: not seen. */
static const struct tw_record *last_word(const struct tw_log *log, const struct tw_record *to)
{
    const struct tw_record *r = to, *least = to - MIN(to - log->record, TW_NEAR_RECORDS);

    while (r-- > least)
        if (r->from != to->from && r->len > 0)
            return tw_record_end(r) >= to->ack ? r : NULL;
    return NULL;
}

/*
 * The other side spoke since the segment before: this one may be an answer to that. Where that came
 * so long before the ACK as chance makes of it, no answer hits the moment behind the ACK.
 */
static bool may_answer(const struct tw_gap *w)
{
    const struct tw_record *sent = tw_gap_record(w, w->send), *word;
    tcpwhy_ns heard_ns;

    if (sent->ack <= tw_gap_record(w, w->before)->ack)
        return false;
    word = last_word(w->context->log, sent);
    if (!word)
        return true;
    heard_ns = word->time_ns + w->context->vantage.to_side_ns[w->sender];
    return w->since_ack_ns >= (w->send->sent_ns - heard_ns) / TW_RARE_SHARE;
}

/* In Linux the segment before is what was waited for: partial, and not acknowledged when it went
 * out. */
static bool soon_behind_ack_of_partial(const struct tw_gap *w)
{
    return (w->before->is & TW_SEND_PARTIAL) &&
           w->since_ack_ns <= (w->to_ns - w->from_ns) / TW_SOON_SHARE;
}

/* Few of its segments left later than with the ACK of the one before. */
static bool seldom_writes_late(const struct tw_sender_timeline *x)
{
    return x->nagle_held_alone / TW_OFTEN >= x->late;
}

/*
 * Was the moment after the ACK so short that no application hit it by chance? Where a sender holds
 * as a rule and seldom writes late, more is a busy host's or the way's. Where it often does, its
 * pauses may be about as long as the delay of an ACK, so that some end not long after one: no
 * chance is only what a kernel takes.
 */
static bool is_no_chance(const struct tw_gap *w, bool often)
{
    tcpwhy_ns wait_ns = w->to_ns - w->from_ns, chance_ns = wait_ns / TW_RARE_SHARE;

    if (!seldom_writes_late(&w->context->sends[w->sender]))
        return w->since_ack_ns <= MIN(chance_ns, TW_KERNEL_NS);
    return w->since_ack_ns <= (often ? wait_ns / TW_SOON_SHARE : chance_ns);
}

bool tw_held_by_nagle(const struct tw_gap *w, struct tw_claim *c)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];
    bool often = x->held >= TW_OFTEN && x->slips == 0 && x->nagle_held_alone >= x->late;
    bool full;

    if (tw_gap_is_own_pause(w) || !fits(w))
        return false;
    full = waits_behind_full_segments(w);
    if (!full && !(w->flight_empty && ((w->ack_clocked && (w->before->is & TW_SEND_PARTIAL)) ||
                                       (often && soon_behind_ack_of_partial(w)))))
        return false;
    c->party = tw_party_of(w->sender);
    c->key_record = w->send->moved_record;
    if (full || may_answer(w) || !is_no_chance(w, often) || !tw_sender_timeline_hold(x))
        tw_claim_add_rival(c, full ? TCPWHY_SLOW_START : TCPWHY_APP_LIMITED);
    return true;
}

/* As late as the ways are seen to vary, or as what its host says by other connections. */
static bool may_be_late_ack_of_partial(const struct tw_gap *w)
{
    tcpwhy_ns late_ns = MAX(w->context->vantage.jitter_ns[w->sender],
                            tw_cross_traffic_delay_ns(w, tw_other(w->sender)));

    return (w->before->is & TW_SEND_PARTIAL) && tw_pause_lag_is_way(w, late_ns);
}

bool tw_may_be_nagle(const struct tw_gap *w)
{
    return (w->context->vantage.to_side_ns[w->sender] > 0 || w->since_ack_ns <= TW_BUSY_HOST_NS) &&
           fits(w) && (soon_behind_ack_of_partial(w) || may_be_late_ack_of_partial(w));
}
