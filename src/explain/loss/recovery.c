/* SPDX-License-Identifier: MIT */
#include "explain/loss/recovery.h"

#include <glib.h>

#include "explain/loss/pmtu_black_hole.h"
#include "explain/loss/recovery_episodes.h"
#include "explain/loss/repairs.h"
#include "explain/loss/retransmit_evidence.h"
#include "explain/loss/spurious_retransmit.h"
#include "explain/vantage/ip_id.h"
#include "explain/loss/upstream_loss.h"
#include "explain/thresholds.h"

/* Offset of a side's first byte, after its SYN. */
#define FIRST_BYTE 1

struct search {
    const struct tw_log *log;
    struct tw_sender_timeline *sends;
    const struct tw_vantage *vantage;
    struct tw_recovery *out;
    struct tw_recovery_episodes recovery_episodes; /* of out */
    struct tw_retransmit_evidence evidence;
    struct tw_repairs repairs;
    const struct tw_repair *next; /* of them */
};

static const struct tw_record *record_of(const struct search *s, uint32_t send)
{
    return &s->log->record[s->sends->send[send].record];
}

/*
 * Injected segments that the receiver took for the side's show another TTL, and lack the timestamp
 * option that every segment must have (RFC 7323, 3.2). The side's own data is no retransmission
 * then.
 */
static bool is_anothers(const struct tw_record *origin, const struct tw_record *repeat)
{
    return origin->ttl != repeat->ttl && ((origin->options ^ repeat->options) & TW_OPT_TIMESTAMP) &&
           !((origin->options | repeat->options) & TW_OPT_CUT);
}

/* Captured at the receiver, a retransmitted segment had arrived; perhaps only its ACK was late, or
 * the receiver is gone or had no room (a full accept queue). */
static bool had_arrived(const struct search *s, const struct tw_record *repeat,
                        const struct tw_recovery_episode *e, bool never)
{
    const struct tw_vantage *v = s->vantage;
    enum tcpwhy_vantage at_receiver =
        e->sender == TCPWHY_SERVER ? TCPWHY_VANTAGE_CLIENT : TCPWHY_VANTAGE_SERVER;

    if (v->both_ends)
        return repeat->facts & TW_FACT_SEEN_BEFORE;
    return (repeat->facts & TW_FACT_SEEN_BEFORE) && v->place == at_receiver &&
           v->confidence != TCPWHY_AMBIGUOUS &&
           (never || e->to_ns - e->from_ns <= TW_FORBIDDEN_DELAY_NS);
}

/*
 * The client's first data is dropped while the accept queue is full (tcp_v4_syn_recv_sock()): on
 * the wire that is a loss, unless the receiver reports a hole. A listener with SYN cookies does not
 * even retransmit its SYN/ACK: it keeps no state (RFC 4987, 3.6). If the capture lacks the
 * handshake, the first data may be such, alone or after the handshake's ACK, if the server accepts
 * it in the end and was not heard before.
 */
static bool may_not_be_accepted(const struct search *s, const struct tw_send *own,
                                const struct tw_recovery_episode *e)
{
    const struct tw_record *r = s->log->record;
    bool opens = r->flags & TW_SYN || (r->from == TCPWHY_CLIENT && e->first_record <= 1 &&
                                       r[e->last_record].from == TCPWHY_SERVER);

    return e->sender == TCPWHY_CLIENT && opens && e->kind != TW_RECOVERY_FAST &&
           own->acked <= FIRST_BYTE && tw_send_seq(own) == FIRST_BYTE;
}

/* Everything sent before the silence had arrived, and the sender did not know. */
static bool ends_outage(const struct search *s, const struct tw_repair *repair, unsigned lacking,
                        struct tw_recovery_episode *e)
{
    const uint32_t i = repair->send;

    if (!repair->overdue || !tw_repeat_ends_outage(s->sends, s->vantage, i, lacking))
        return false;
    e->lacking = lacking;
    e->first_record = s->sends->send[i - 1].record;
    e->from_ns = s->log->record[e->first_record].time_ns;
    return e->unseen = true;
}

/* Had the sender heard that it arrived? Of data sent before the capture, only an ACK shows it. */
static bool was_acknowledged(const struct search *s, const struct tw_send *own)
{
    return own->acked >= FIRST_BYTE && own->acked >= tw_record_end(&s->log->record[own->record]);
}

/* Had the receiver acknowledged, before the copy passed here, all of it that was sent before? Then
 * that had arrived, and its ACKs were late or lost. */
static bool had_been_acknowledged(struct search *s, const struct tw_repair *repair)
{
    const struct tw_send *own = &s->sends->send[repair->send];
    const int64_t sent = repair->send > 0 ? own[-1].end + own[-1].behind : 0;
    bool never;
    uint32_t ack =
        tw_retransmit_evidence_ack(&s->evidence, s->sends->send[repair->origin].record,
                                   MIN(sent, tw_record_end(record_of(s, repair->send))), &never);

    return !never && ack < own->record;
}

/* Was a retransmission needed? */
static enum tw_retransmit_need need_of(struct search *s, const struct tw_repair *repair,
                                       const struct tw_recovery_episode *e, bool never)
{
    const uint32_t i = repair->send;
    const struct tw_record *r = record_of(s, i);
    bool wordless = s->evidence.wordless && e->kind != TW_RECOVERY_FAST;
    enum tw_retransmit_need need;

    if (was_acknowledged(s, &s->sends->send[i]))
        return TW_RETRANSMIT_NEED_NONE;
    /* New bytes that it brings had waited for that ACK until the timer fired. */
    if (r->facts & TW_FACT_NEW_TAIL && repair->overdue && had_been_acknowledged(s, repair))
        return TW_RETRANSMIT_NEED_STALL;
    if (never || !(r->facts & TW_FACT_SEEN_BEFORE))
        return TW_RETRANSMIT_NEED_LOST;
    need = tw_retransmit_need_of(s->sends, s->vantage, &s->evidence, i, repair->overdue,
                                 e->last_record);
    if (need == TW_RETRANSMIT_NEED_LOST && had_been_acknowledged(s, repair))
        return TW_RETRANSMIT_NEED_NONE;
    if (need == TW_RETRANSMIT_NEED_LOST && wordless &&
        tw_repeat_may_meet_held_ack(s->sends, i, e->last_record))
        return TW_RETRANSMIT_NEED_MAY;
    return need;
}

static void mark_needless(struct search *s, uint32_t i, enum tw_recovery_kind kind)
{
    s->sends->send[i].is |=
        kind == TW_RECOVERY_PROBE ? TW_SEND_SPURIOUS : TW_SEND_SPURIOUS | TW_SEND_REDUCED;
    s->out->spurious++;
}

/*
 * The time at which the ACK of a lost segment was due here: one RTT from here to the receiver after
 * the segment passed, and not before all earlier data was acknowledged. Until then the loss delays
 * nothing, and its sender cannot know of it.
 */
static tcpwhy_ns due_at(struct search *s, const struct tw_repair *repair)
{
    const struct tw_send *origin = &s->sends->send[repair->origin];
    const struct tw_send *own = &s->sends->send[repair->send];
    const struct tw_record *record = s->log->record;
    const int64_t ahead = MIN(own->acked, tw_send_seq(own));
    tcpwhy_ns due_ns = record[origin->record].time_ns + 2 * s->vantage->to_side_ns[!s->sends->from];
    bool never;
    uint32_t ack;

    if (origin->acked >= ahead)
        return due_ns;
    ack = tw_retransmit_evidence_ack(&s->evidence, origin->record, ahead, &never);
    return ack < own->record ? MAX(due_ns, record[ack].time_ns) : due_ns;
}

/* Packets of the sender are missing just before it, as its IP ID tells. */
static void take_repeat(struct search *s, uint32_t i, unsigned lacking)
{
    const struct tw_repair *repair = s->next++;
    const struct tw_send *own = &s->sends->send[i];
    const struct tw_record *r = record_of(s, i), *origin = record_of(s, repair->origin);
    enum tw_retransmit_need need;
    bool never = false;
    uint32_t ack = tw_retransmit_evidence_ack(&s->evidence, own->record, tw_record_end(r), &never);
    struct tw_recovery_episode e = {
        .from_ns = origin->time_ns,
        .to_ns = s->log->record[ack].time_ns,
        .sender = s->sends->from,
        .kind = repair->kind,
        .first_record = s->sends->send[repair->origin].record,
        .repair_record = own->record,
        .last_record = ack,
        .repeats = 1,
    };

    if (repair->too_big || repair->unprompted || is_anothers(origin, r)) {
        s->sends->send[i].is |= TW_SEND_SPURIOUS;
        return;
    }
    s->out->repairs[e.kind]++;
    need = need_of(s, repair, &e, never);
    if (need >= TW_RETRANSMIT_NEED_NONE)
        mark_needless(s, i, e.kind);
    if (need == TW_RETRANSMIT_NEED_NONE && !ends_outage(s, repair, lacking, &e))
        return;
    if (r->facts & TW_FACT_FILLS_HOLE)
        tw_upstream_loss_origin(s->log, &e);
    e.arrived = need != TW_RETRANSMIT_NEED_LOST || had_arrived(s, r, &e, never);
    e.first = may_not_be_accepted(s, own, &e);
    if (!e.unseen)
        e.from_ns = MIN(due_at(s, repair), e.to_ns);
    tw_recovery_episodes_add(&s->recovery_episodes, &e);
}

/* The loss itself did not pass here, but the sender's IP ID moved on: what looks like late new data
 * is the retransmission of a lost tail. */
static void take_unseen(struct search *s, uint32_t i, unsigned lacking)
{
    const struct tw_send *own = &s->sends->send[i];
    bool never = false;
    uint32_t ack = tw_retransmit_evidence_ack(&s->evidence, own->record,
                                              tw_record_end(record_of(s, i)), &never);
    struct tw_recovery_episode e = {
        .to_ns = s->log->record[ack].time_ns,
        .sender = s->sends->from,
        .repair_record = own->record,
        .last_record = ack,
        .repeats = 1,
        .lacking = lacking,
    };

    if (!tw_upstream_loss_tail(s->log, s->sends, s->vantage, own, lacking, s->repairs.probes, &e))
        return;
    s->out->repairs[e.kind]++;
    tw_recovery_episodes_add(&s->recovery_episodes, &e);
}

static void search_repeats(struct search *s)
{
    for (uint32_t i = 0, left = s->sends->repeats; left > 0; i++)
        if (s->sends->send[i].is & TW_SEND_REPEAT) {
            take_repeat(s, i, 0);
            left--;
        }
}

/* The same if some of the sender's packets did not pass here. */
static void search_all(struct search *s)
{
    const struct tw_ip_id_gap *lack = s->sends->lacks;

    for (uint32_t i = 0; i < s->sends->n; i++) {
        const struct tw_send *own = &s->sends->send[i];

        while (lack->record < own->record)
            lack++;
        if (own->is & TW_SEND_REPEAT)
            take_repeat(s, i, lack->record == own->record ? lack->packets : 0);
        else if (lack->record == own->record && own->is & TW_SEND_FRESH && own->len &&
                 !(record_of(s, i)->facts & TW_FACT_HOLE_BEFORE))
            take_unseen(s, i, lack->packets);
    }
}

/*
 * The capture ends before the receiver replied: the data may have arrived, and the path or host may
 * only have stalled. After more retransmissions the path is likely gone.
 */
static void doubt_silence(const struct search *s, struct tw_recovery_episode *e)
{
    if (e->repeats >= TW_R1_REPEATS || e->last_record + 1 < s->log->n)
        return;
    for (uint32_t i = s->log->n - 1; i > e->first_record; i--)
        if (s->log->record[i].from != e->sender)
            return;
    e->arrived = true;
}

/*
 * A side sends nothing after its FIN (RFC 9293, 3.6). If the sender acknowledged more than the side
 * had sent by then, somebody injected data: the side drops segments with that ACK (3.10.7.4)
 * although they arrive.
 */
static void doubt_acceptance(const struct search *s)
{
    const struct tw_log *log = s->log;
    const struct tw_record *fin = log->record + log->n;

    while (fin > log->record &&
           (fin[-1].from == (uint8_t)s->sends->from || !(fin[-1].flags & TW_FIN)))
        fin--;
    if (fin == log->record)
        return;
    fin--;
    for (uint32_t i = 0; i < s->out->n; i++) {
        struct tw_recovery_episode *e = &s->out->episode[i];

        e->arrived |= log->record[e->repair_record].ack > tw_record_end(fin);
    }
}

void tw_recovery_build(const struct tw_log *log, struct tw_sender_timeline *sends,
                       const struct tw_vantage *vantage, struct tw_scratch *scratch,
                       struct tw_recovery *out)
{
    *out = (struct tw_recovery) { 0 };
    if (sends->repeats == 0 && !sends->lacks)
        return;

    struct search s = {
        .log = log,
        .sends = sends,
        .vantage = vantage,
        .out = out,
        .recovery_episodes = { .out = out, .scratch = scratch },
    };

    tw_retransmit_evidence_begin(&s.evidence, log, sends->from, scratch);
    tw_repairs_find(sends, vantage, &s.evidence, &s.repairs);
    s.next = s.repairs.repair;
    if (sends->lacks)
        search_all(&s);
    else
        search_repeats(&s);
    if (out->n > 0) {
        doubt_silence(&s, &out->episode[out->n - 1]);
        doubt_acceptance(&s);
    }
    tw_pmtu_black_hole_find(sends, &s.evidence, out);
}
