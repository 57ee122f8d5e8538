/* SPDX-License-Identifier: MIT */
#include "explain/loss/repairs.h"

#include <glib.h>
#include <stdlib.h>

#include "explain/loss/spurious_retransmit.h"
#include "explain/thresholds.h"

/* Linux's icsk_ca_state, as far as it decides which timer runs and what a retransmission is. */
enum ca {
    CA_OPEN,     /* nothing is marked as lost */
    CA_RECOVERY, /* fast recovery */
    CA_LOSS,     /* the RTO fired */
};

struct walk {
    const struct tw_sender_timeline *sends;
    const struct tw_vantage *vantage;
    bool sacks;  /* both sides agreed on it */
    bool merges; /* a probe may hold several segments: all that is outstanding */
    struct tw_repairs *out;
    enum ca ca;
    int64_t high;   /* SND.NXT when that state began */
    int64_t again;  /* offset up to which that was retransmitted in it */
    int64_t probed; /* SND.NXT when a tail loss probe was sent; 0: none is outstanding */
    tcpwhy_ns longest_probe_ns; /* silence before one */
};

/* SACK needs both SYNs (RFC 2018, 2); if the capture lacks them, most stacks agree. */
static bool agreed_on_sack(const struct tw_log *log)
{
    for (uint32_t i = 0; i < log->n && log->record[i].flags & TW_SYN; i++)
        if (!(log->record[i].options & TW_OPT_SACK_PERMITTED))
            return false;
    return true;
}

/* ---- facts of each repeat -------------------------------------------------------------------- */

/* The send that first carried this offset or went beyond it. Offsets sent only grow. */
static uint32_t first_carrier(const struct tw_sender_timeline *x, uint32_t first_fresh,
                              int64_t offset, uint32_t repeat)
{
    uint32_t low = first_fresh, high = repeat;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (x->send[middle].end + x->send[middle].behind <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return MIN(low, repeat);
}

/* When the sender last heard of its own data: an ACK of more, a duplicate ACK or SACK; other
 * segments play no part in recovery. Unknown: before all times. */
static tcpwhy_ns heard_before(const struct tw_sender_timeline *x, const struct tw_send *own)
{
    const struct tw_record *r;

    if (own->ack_record == TW_NO_RECORD)
        return TCPWHY_NS_UNKNOWN;
    r = &x->record[own->ack_record];
    if (own->ack_record != own->moved_record && r->n_sack == 0 && !tw_record_is_pure_ack(r))
        return tw_send_moved_ns(x, own);
    return tw_sender_timeline_heard_ns(x, own->ack_record);
}

/* Both timers restart with data sent and with an ACK of more (RFC 6298, 5; RFC 8985, 7.2), not with
 * duplicate ACKs. */
static tcpwhy_ns silence_before(const struct tw_sender_timeline *x, uint32_t i)
{
    const struct tw_send *own = &x->send[i];
    tcpwhy_ns since_ns = i > 0 ? own[-1].sent_ns : own->sent_ns;

    return own->sent_ns - MAX(since_ns, tw_send_moved_ns(x, own));
}

/* An ACK releases it at once, or, if it reports a loss, a timer after the reordering window (RFC
 * 8985, 6.2). */
static bool is_answer(const struct walk *w, const struct tw_send *own, bool told)
{
    tcpwhy_ns heard_ns = heard_before(w->sends, own);
    tcpwhy_ns at_once_ns = tw_sender_timeline_at_once(w->vantage, w->sends->from);

    if (told)
        at_once_ns = MAX(at_once_ns, tw_min_rtt_ns(w->vantage) / 4 + TW_TIMER_TICKS_NS);
    return heard_ns != TCPWHY_NS_UNKNOWN && own->sent_ns - heard_ns <= at_once_ns;
}

/*
 * The same packet seen before and after segmentation by the kernel or the card: its IP ID is one of
 * those that the whole takes (ip_select_ident_segs()); a retransmission has a new one.
 */
static bool is_second_look(const struct walk *w, const struct tw_send *copy,
                           const struct tw_send *own)
{
    const struct tw_record *whole = &w->sends->record[copy->record];
    const struct tw_record *r = &w->sends->record[own->record];
    uint32_t n = (copy->len + w->sends->mss_bytes - 1) / w->sends->mss_bytes;

    return r->ip_id && whole->ip_id && copy->len > own->len &&
           (uint16_t)(r->ip_id - whole->ip_id) < n &&
           own->sent_ns - copy->sent_ns < TW_BUSY_HOST_NS;
}

/* No timer fires this soon after a copy: kernels round timers up to ticks of a millisecond or more
 * (TCP_TIMEOUT_MIN; RFC 6298, 2.4). */
static tcpwhy_ns soonest_repeat(const struct walk *w)
{
    return MAX(tw_min_rtt_ns(w->vantage), TW_HOST_NS);
}

/*
 * No timer is shorter than that of the tail loss probe, two RTTs (RFC 8985, 7.2), and the
 * receiver's report takes one. What is retransmitted sooner and answers nothing shows no loss: the
 * host found a smaller MTU, or the frame is an unmarked copy (IPv6 has no ID). BSD-derived stacks
 * retransmit a lone FIN at any ACK that does not cover it (tcp_output()).
 */
/* An ACK released it. If the RTT is below the host's reaction time, every segment follows an
 * ACK. */
static bool is_let_go(const struct walk *w, const struct tw_send *own,
                      const struct tw_repair *repair)
{
    return own->len > 0 && repair->answers && tw_min_rtt_ns(w->vantage) > TW_HOST_NS;
}

static bool is_unprompted(const struct walk *w, const struct tw_repair *repair)
{
    const struct tw_send *own = &w->sends->send[repair->send];
    int64_t seq = tw_send_seq(own);

    for (uint32_t k = repair->send; k > 0 && repair->send - k < TW_NEAR_RECORDS; k--) {
        const struct tw_send *copy = &w->sends->send[k - 1];

        if (own->sent_ns - copy->sent_ns >= soonest_repeat(w))
            return false;
        if (tw_send_seq(copy) <= seq && copy->end > seq)
            return is_second_look(w, copy, own) || !(repair->told || is_let_go(w, own, repair));
    }
    return false;
}

/* SND.NXT as of a record. The sender's pure ACKs show it, too, and only they do if data was lost
 * before the vantage. Called record by record. */
static int64_t sent_by(const struct tw_sender_timeline *x, uint32_t record, uint32_t *next,
                       int64_t *sent)
{
    for (; *next <= record; (*next)++) {
        const struct tw_record *r = &x->record[*next];

        if (r->from == (uint8_t)x->from && !(r->flags & TW_RST) &&
            r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
            *sent = MAX(*sent, tw_record_end(r));
    }
    return *sent;
}

static void find_facts(struct walk *w, struct tw_retransmit_evidence *evidence)
{
    const struct tw_sender_timeline *x = w->sends;
    struct tw_repair *next = w->out->repair;
    uint32_t first_fresh = 0, seen = 0;
    int64_t sent = 0;

    while (first_fresh < x->n && !(x->send[first_fresh].is & TW_SEND_FRESH))
        first_fresh++;
    for (uint32_t i = 0; next < w->out->repair + x->repeats; i++) {
        const struct tw_send *own = &x->send[i];
        uint32_t origin, record;
        bool told;

        if (!(own->is & TW_SEND_REPEAT))
            continue;
        origin = first_carrier(x, first_fresh, tw_send_seq(own), i);
        record = x->send[origin].record;
        told = tw_retransmit_evidence_of_loss(evidence, record, own->record);
        *next = (struct tw_repair) {
            .silence_ns = silence_before(x, i),
            .send = i,
            .sent = sent_by(x, own->record, &seen, &sent),
            .origin = origin,
            .told = told,
            .answers = is_answer(w, own, told),
            .too_big = own->len < x->send[origin].len &&
                       tw_retransmit_evidence_too_big(evidence, record, own->record),
        };
        next->unprompted = is_unprompted(w, next);
        next++;
    }
}

/* ---- which event ----------------------------------------------------------------------------- */

/* The state ends when everything sent before it began is acknowledged (RFC 6675, 5). */
static void catch_up(struct walk *w, const struct tw_send *own)
{
    if (own->acked >= w->high)
        w->ca = CA_OPEN;
    if (own->acked >= w->probed)
        w->probed = 0;
}

/* The probe timer takes at least two RTTs (RFC 8985, 7.2) and is not set while the receiver reports
 * a loss; the reordering window may take as long then. */
static bool is_by_timer(const struct walk *w, const struct tw_repair *r)
{
    tcpwhy_ns timeout_ns = w->out->timeout_ns;

    return !r->answers && r->send > 0 &&
           r->silence_ns >= (r->told ? timeout_ns : MIN(timeout_ns, 2 * tw_min_rtt_ns(w->vantage)));
}

static bool is_last(const struct walk *w, const struct tw_repair *r)
{
    return w->sends->send[r->send].end >= r->sent;
}

static bool is_first(const struct tw_send *own)
{
    return tw_send_seq(own) <= own->acked;
}

/* The first segment, with those behind it in the same packet (RFC 9293, 3.8.1: repacketization). */
static bool goes_back(const struct walk *w, const struct tw_repair *r)
{
    const struct tw_send *own = &w->sends->send[r->send];

    return is_first(own) && w->sends->send[r->origin].end < own->end;
}

/* The probe timer is set while nothing is marked as lost and no probe is outstanding, and sends the
 * last segment; the RTO sends the first (RFC 8985, 7.2 and 7.3). Windows' probe holds the last MSS
 * bytes. */
static bool may_be_probe(const struct walk *w, const struct tw_repair *r)
{
    return w->ca == CA_OPEN && w->probed == 0 && is_last(w, r) &&
           r->silence_ns <= w->longest_probe_ns && (w->merges || !goes_back(w, r));
}

static enum tw_recovery_kind kind_of(const struct walk *w, const struct tw_repair *r)
{
    const struct tw_send *own = &w->sends->send[r->send];

    if (is_by_timer(w, r))
        return w->out->probes && may_be_probe(w, r) ? TW_RECOVERY_PROBE : TW_RECOVERY_RTO;
    /* a lost retransmission ends the slow start after the timeout (RFC 8985, 6.2) */
    if (w->ca == CA_LOSS && !(r->answers && tw_send_seq(own) < w->again))
        return TW_RECOVERY_AFTER;
    return TW_RECOVERY_FAST;
}

static void enter(struct walk *w, enum ca ca, const struct tw_repair *r)
{
    w->ca = ca;
    w->high = r->sent;
    w->again = w->sends->send[r->send].end;
    w->probed = 0;
}

static void take(struct walk *w, const struct tw_repair *r)
{
    const struct tw_send *own = &w->sends->send[r->send];

    if (r->kind == TW_RECOVERY_PROBE)
        w->probed = r->sent;
    else if (r->kind == TW_RECOVERY_RTO)
        enter(w, CA_LOSS, r);
    else if (r->kind == TW_RECOVERY_FAST && w->ca != CA_RECOVERY)
        enter(w, CA_RECOVERY, r);
    w->again = MAX(w->again, own->end);
}

/* ---- what the side's TCP does, from all that it sent -------------------------------------------
 */

struct votes {
    uint32_t probes, timeouts;
    tcpwhy_ns shortest_ns; /* silence before a timeout */
    tcpwhy_ns lone_ns;     /* the shortest before the first repeat of a lone segment, ... */
    tcpwhy_ns usual_ns;    /* ... and the longest like it; 0: there is none */
};

/* The probe timer takes two SRTT, with one segment in flight the longest delay of an ACK more (RFC
 * 8985, 7.2; RFC 1122, 4.2.3.2); no SRTT exceeds the longest round trip. */
static tcpwhy_ns longest_probe(const struct walk *w)
{
    const struct tw_vantage *v = w->vantage;

    return v->rtt_max_ns == TCPWHY_NS_UNKNOWN ? INT64_MAX
                                              : 2 * v->rtt_max_ns + TW_FORBIDDEN_DELAY_NS;
}

/* Linux adds the least RTO instead, which a route may set (tcp_schedule_loss_probe()): every lone
 * segment waits as long then, but for its SRTT. */
static void see_lone(const struct walk *w, struct votes *v, tcpwhy_ns silence_ns)
{
    tcpwhy_ns spread_ns = 2 * (w->vantage->rtt_max_ns - tw_min_rtt_ns(w->vantage)) +
                          silence_ns / TW_TIMER_COARSE_SHARE;

    if (w->vantage->rtt_max_ns == TCPWHY_NS_UNKNOWN)
        return;
    if (v->lone_ns > 0 && llabs(silence_ns - v->lone_ns) <= spread_ns)
        v->usual_ns = MAX(v->usual_ns, MAX(silence_ns, v->lone_ns));
    else if (silence_ns < v->lone_ns)
        v->usual_ns = 0;
    v->lone_ns = v->lone_ns > 0 ? MIN(v->lone_ns, silence_ns) : silence_ns;
}

/* Does it repeat the previous retransmission, with nothing sent or acknowledged in between? */
static bool goes_again(const struct walk *w, const struct tw_repair *r)
{
    const struct tw_send *own = &w->sends->send[r->send];

    return r > w->out->repair && r[-1].send + 1 == r->send &&
           tw_send_seq(own - 1) == tw_send_seq(own) && own[-1].acked == own->acked;
}

/* Did the previous send end a silence, as a probe with new data does (RFC 8985, 7.3)? */
static bool follows_silence(const struct walk *w, const struct tw_repair *r)
{
    return silence_before(w->sends, r->send - 1) >= 2 * tw_min_rtt_ns(w->vantage);
}

/* With one segment in flight both timers take as long, but only the RTO doubles at once. */
static void vote(const struct walk *w, struct votes *v, const struct tw_repair *r)
{
    const struct tw_send *own = &w->sends->send[r->send];
    bool alone = is_first(own) && is_last(w, r);

    if (!is_by_timer(w, r))
        return;
    if (alone && goes_again(w, r) && is_by_timer(w, r - 1)) {
        if (goes_again(w, r - 1))
            return;
        bool doubled = (double)r->silence_ns > TW_HALF_AGAIN * (double)r[-1].silence_ns;

        v->timeouts += doubled;
        v->probes += !doubled;
        return;
    }
    if (w->ca != CA_OPEN || w->probed)
        return;
    if (alone)
        see_lone(w, v, r->silence_ns);
    v->probes += is_last(w, r) && !alone;
    if (is_first(own) && !is_last(w, r) && !follows_silence(w, r)) {
        v->timeouts++;
        v->shortest_ns = MIN(v->shortest_ns, r->silence_ns);
    }
}

static void learn(struct walk *w)
{
    struct votes v = { .shortest_ns = w->out->timeout_ns };

    for (struct tw_repair *r = w->out->repair, *end = r + w->sends->repeats; r < end; r++) {
        if (r->unprompted || r->too_big)
            continue;
        catch_up(w, &w->sends->send[r->send]);
        vote(w, &v, r);
        r->kind = kind_of(w, r);
        take(w, r);
    }
    w->out->probes = w->sacks && v.timeouts <= v.probes;
    w->merges = v.probes > 0;
    w->out->timeout_ns = v.shortest_ns;
    w->longest_probe_ns = MAX(w->longest_probe_ns, v.usual_ns);
}

/* The sender detects it with the first ACKs and undoes the reduction (RFC 4015; RFC 5682). */
static bool was_spurious(const struct walk *w, struct tw_retransmit_evidence *evidence,
                         const struct tw_repair *r)
{
    const struct tw_send *own = &w->sends->send[r->send];
    bool never = false;
    uint32_t ack = tw_retransmit_evidence_ack(evidence, own->record, own->end, &never);

    return !never && w->sends->record[own->record].facts & TW_FACT_SEEN_BEFORE &&
           tw_retransmit_need_of(w->sends, w->vantage, evidence, r->send, true, ack) >=
               TW_RETRANSMIT_NEED_NONE;
}

static void tell(struct walk *w, struct tw_retransmit_evidence *evidence)
{
    for (struct tw_repair *r = w->out->repair, *end = r + w->sends->repeats; r < end; r++) {
        if (r->unprompted || r->too_big)
            continue;
        catch_up(w, &w->sends->send[r->send]);
        r->overdue = is_by_timer(w, r) && r->silence_ns >= w->out->timeout_ns;
        r->kind = kind_of(w, r);
        take(w, r);
        if (r->kind == TW_RECOVERY_RTO && was_spurious(w, evidence, r))
            w->ca = CA_OPEN;
    }
}

void tw_repairs_find(const struct tw_sender_timeline *x, const struct tw_vantage *vantage,
                     struct tw_retransmit_evidence *evidence, struct tw_repairs *out)
{
    struct walk w = {
        .sends = x,
        .vantage = vantage,
        .sacks = agreed_on_sack(evidence->log),
        .merges = true,
        .out = out,
    };

    /* Probes need SACK (RFC 8985, 7.1). */
    *out = (struct tw_repairs) { .probes = w.sacks, .timeout_ns = TW_RTO_SEEN_NS };
    if (x->repeats == 0)
        return;
    w.longest_probe_ns = longest_probe(&w);
    out->repair = tw_scratch_get(evidence->scratch, x->repeats, sizeof *out->repair);
    find_facts(&w, evidence);
    learn(&w);
    w.ca = CA_OPEN;
    w.high = w.again = w.probed = 0;
    tell(&w, evidence);
}
