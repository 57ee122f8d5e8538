/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm (RFC 896; Minshall's variant in Linux, tcp_nagle_check()) holds a partial
 * segment while an earlier partial one is unacknowledged.
 */
#include "explain/causes/nagle.h"

#include <math.h>

#include <glib.h>

#include "explain/path/cross_traffic.h"
#include "explain/thresholds.h"

static const char *what_contradicts(const struct tw_gap *w)
{
    const struct tw_send *s = w->send;

    if (!(s->is & TW_SEND_FRESH))
        return "its data was sent before";
    if (!tw_sender_timeline_may_hold(&w->context->sends[w->sender], s))
        return "a partial segment of its sender left while another was unacknowledged";
    if (w->since_ack_ns == TCPWHY_NS_UNKNOWN || s->sent_ns - w->since_ack_ns <= w->before->sent_ns)
        return "no ACK came between it and the segment before";
    /* The partial segment before it is missing from the capture, too. */
    if (w->context->log->record[s->moved_record].facts & TW_FACT_ACKS_UNSEEN)
        return "the ACK before it covers data that is not in the capture";
    if (tw_gap_record(w, w->before)->flags & TW_FIN)
        return "the segment before was a FIN";
    return NULL;
}

/* The flight is within the initial window (RFC 6928), so cwnd is hardly the reason. */
static bool are_few(const struct tw_gap *w)
{
    return tw_send_flight(w->before) <
           (int64_t)TW_INITIAL_SEGMENTS * w->context->sends[w->sender].mss_bytes;
}

const struct tw_send *tw_nagle_partial_before(const struct tw_gap *w)
{
    const struct tw_send *s = w->before, *first = w->context->sends[w->sender].send;

    while (s > first && s->end > w->before->acked && !(s->is & TW_SEND_PARTIAL))
        s--;
    return s->is & TW_SEND_PARTIAL && s->end > w->before->acked ? s : NULL;
}

/* Did it carry the last of what was queued? Then it has PSH (RFC 9293, 3.9.1.2, MUST-61), and
 * nothing follows before its own ACK. A writer that had filled the send buffer continues at every
 * ACK. */
static bool brings_the_rest(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];
    const struct tw_send *s = w->send;

    return (tw_gap_record(w, s)->flags & TW_PSH) &&
           (s + 1 == x->send + x->n || s[1].acked >= s->end);
}

/*
 * Linux: after full segments that followed a partial one, the rest waits for the ACK of the partial
 * one alone (tcp_minshall_check()). Even a flight large enough to fill cwnd is not the cause if an
 * earlier ACK opened room and nothing was sent.
 */
static bool waits_for_partial(const struct tw_gap *w)
{
    const struct tw_record *record = w->context->log->record, *r = &record[w->send->moved_record];
    const struct tw_send *partial = tw_nagle_partial_before(w);
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

/* The rest of a message waits behind full segments: RFC 896 as written, MSG_MORE in Linux, or
 * Minshall's variant. */
static bool waits_behind_full_segments(const struct tw_gap *w)
{
    return w->ack_clocked && !(w->before->is & TW_SEND_PARTIAL) &&
           ((w->final && w->flight_empty && are_few(w)) || waits_for_partial(w));
}

/* The peer's last data before a record that acknowledges it; NULL: not seen. */
static const struct tw_record *last_word(const struct tw_log *log, const struct tw_record *to)
{
    const struct tw_record *r = to, *least = to - MIN(to - log->record, TW_NEAR_RECORDS);

    while (r-- > least)
        if (r->from != to->from && r->len > 0)
            return tw_record_end(r) >= to->ack ? r : NULL;
    return NULL;
}

/*
 * The peer has sent data since the previous segment: this one may be an answer to it. If that data
 * came long before the ACK, an answer would follow the ACK this closely only by chance.
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

/* A segment may seem to leave this late: the kernel's reaction, and the path's jitter. */
static tcpwhy_ns reaction_ns(const struct tw_gap *w)
{
    const struct tw_vantage *v = &w->context->vantage;

    if (v->to_side_ns[w->sender] == 0)
        return TW_KERNEL_NS;
    return MAX(TW_KERNEL_NS, v->jitter_ns[w->sender]);
}

/* The side's other partial segments count: those that left with the ACK of the one before, against
 * those that left later. */
static double odds_of_side(const struct tw_sender_timeline *x)
{
    double odds = log10(TW_OFTEN) * ((double)x->nagle_held_alone - x->late);

    return CLAMP(odds, -TW_ODDS_DOUBTED, TW_ODDS_DOUBTED);
}

/* The time at which a held segment was written is unknown: a program that often pauses between the
 * writes of a message may have been at work for much of the time. */
static bool may_be_written_late(const struct tw_sender_timeline *x)
{
    return TW_OFTEN * x->own_pauses > x->nagle_held_alone;
}

const char *tw_nagle_weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];
    const char *refuted =
        tw_gap_is_own_pause(w) ? "its sender paused on its own" : what_contradicts(w);
    bool behind_full;

    if (refuted)
        return refuted;
    behind_full = waits_behind_full_segments(w);
    if (!behind_full && !(w->flight_empty && (w->before->is & TW_SEND_PARTIAL)))
        return "no partial segment before it was unacknowledged";
    r->party = tw_party_of(w->sender);
    r->key_record = w->send->moved_record;
    r->odds =
        tw_odds_of_moment(w->since_ack_ns, w->to_ns - w->from_ns, reaction_ns(w)) + odds_of_side(x);
    /* Linux holds nothing behind full segments; an answer may have been written at that moment; and
     * a side that later shows Nagle's algorithm to be off may have switched it off before. */
    if (behind_full || may_answer(w) || !tw_sender_timeline_hold(x) || may_be_written_late(x))
        r->odds = MIN(r->odds, TW_ODDS_DOUBTED);
    return r->odds > TW_ODDS_POSSIBLE ? NULL : "it left too long after the ACK";
}

/* The lag is within the path's jitter, or within what its host sends on other connections. */
static bool may_be_late_ack_of_partial(const struct tw_gap *w)
{
    tcpwhy_ns late_ns = MAX(w->context->vantage.jitter_ns[w->sender],
                            tw_cross_traffic_delay_ns(w, tw_other(w->sender)));

    return (w->before->is & TW_SEND_PARTIAL) && tw_pause_lag_is_way(w, late_ns);
}

bool tw_nagle_is_possible(const struct tw_gap *w)
{
    if (!w->paused || tw_gap_is_own_pause(w))
        return false;
    if (tw_pause_may_be_held(w) || tw_pause_may_have_heard_all(w) ||
        ((w->before->is & TW_SEND_PARTIAL) && tw_pause_echoes_what_follows(w)))
        return true;
    return (w->context->vantage.to_side_ns[w->sender] > 0 || w->since_ack_ns <= TW_BUSY_HOST_NS) &&
           !what_contradicts(w) && may_be_late_ack_of_partial(w);
}
