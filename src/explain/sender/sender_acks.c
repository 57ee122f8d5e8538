/* SPDX-License-Identifier: MIT */
#include "explain/sender/sender_acks.h"

#include <glib.h>

#include "base/seq.h"
#include "explain/sender/rwnd_edge.h"
#include "explain/thresholds.h"

/* New bytes and no repeat, of what a send is. */
#define FRESH_ONCE (TW_SEND_FRESH | TW_SEND_REPEAT)

/* What is believed of when a sender sent and what it had heard by then, and how that is refuted. */
#define BY_CLOCK  0x1 /* its clock: that does not keep time */
#define BY_ECHOES 0x2 /* its echoes: it sent more than what they tell allowed */
#define BY_SYNS   0x4 /* windows that SYNs tell: more was sent before another was heard */

/* What the sender has heard by a moment of the walk. */
struct heard {
    int64_t acked;
    uint32_t ack_record, moved_record;
    int64_t window;               /* of the newest that told one; -1 before */
    uint16_t late_ms;             /* of moved_record: ack_late_ms of struct tw_send */
    const struct tw_record *next; /* from here on the peer's are still to be heard */
};

/* What lies between two partial segments, and how long the first took to be acknowledged: by how
 * much each differs from one such pair to the next, added up. */
struct pauses {
    tcpwhy_ns pause_ns, ack_ns; /* of the newest pair */
    tcpwhy_ns pause_wobble_ns, ack_wobble_ns;
    uint32_t n;
};

/* Goes from send to send. */
struct walk {
    const struct tw_record *record, *record_end; /* of the log */
    struct tw_sender_timeline *out;
    const struct tw_send *send_end; /* of out's */
    struct heard heard;
    struct tw_rwnd_edges rwnd_edges; /* of the peer's window */
    tcpwhy_ns to_sender;             /* one way */
    tcpwhy_ns soonest_ns; /* to the sender, of what the peer says: less than that by some slack */
    tcpwhy_ns prompt_ns;  /* tw_sender_timeline_at_once() */
    tcpwhy_ns held_ns;    /* tw_sender_timeline_lag_of_way() */
    const struct tw_tsval_clock *clock; /* the sender's; NULL: it is here, or tells none */
    const struct tw_record *echoed;     /* as tw_tsval_clock_error() has it; with the clock */
    tcpwhy_ns left_ns;            /* when the send at hand left; with the clock, else not known */
    tcpwhy_ns before_ns;          /* likewise the one before */
    tcpwhy_ns error_ns;           /* by so much the clock may be wrong */
    tcpwhy_ns most_ns;            /* the longest delay that it told, or that */
    unsigned believed;            /* BY_* */
    unsigned refuted;             /* of these */
    int64_t syn_edge;             /* of such a window, while none else was heard; else unknown */
    int64_t partial_end;          /* end of the newest partial segment */
    struct pauses pauses;         /* that nothing of the receiver's ended but an ACK */
    const struct tw_record *told; /* first that acknowledged partial_end, as far as looked for */
    const struct tw_send *open;   /* first send whose round trip is asked for and not over */
    int64_t open_end;             /* its end; INT64_MAX: none is */
    tcpwhy_ns *rtt_ns;            /* where its round trip goes */
};

static bool acknowledges(const struct tw_record *r)
{
    return r->usual || ((r->flags & (TW_ACK | TW_RST)) == TW_ACK &&
                        r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME);
}

/* ---- round trips --------------------------------------------------------------------------- */

static void void_round_trip(struct tw_sender_timeline *x, tcpwhy_ns *rtt_ns)
{
    *rtt_ns = TCPWHY_NS_UNKNOWN;
    x->first_unknown = MIN(x->first_unknown, (uint32_t)(rtt_ns - x->rtt_ns));
}

/* Note the round trip of each send that this record of the peer is the first to cover; repeats void
 * it (Karn). Those that left after it was made are not in question. */
static inline void end_round_trips(struct walk *w, const struct tw_record *r, tcpwhy_ns heard_ns)
{
    const struct tw_send *s = w->open, *end = w->send_end;
    const uint32_t index = (uint32_t)(r - w->record);
    const int64_t ack = r->ack;
    tcpwhy_ns *rtt_ns = w->rtt_ns;

    for (; s < end && s->end <= ack && s->record < index; s++, rtt_ns++) {
        *rtt_ns = heard_ns - s->sent_ns;
        if ((s->is & FRESH_ONCE) != TW_SEND_FRESH)
            void_round_trip(w->out, rtt_ns);
    }
    w->open = s;
    w->open_end = s < end ? s->end : INT64_MAX;
    w->rtt_ns = rtt_ns;
}

/* ---- what the sender hears ----------------------------------------------------------------- */

/* Had all before a record of the receiver been acknowledged when it left? What stands behind data
 * that was not is not echoed (RFC 7323, 4.3: SEG.SEQ <= Last.ACK.sent). */
static bool is_echoed(const struct walk *w, const struct tw_record *r)
{
    const struct tw_record *told = r, *least = r - MIN(r - w->record, TW_NEAR_RECORDS);

    if (!(w->believed & BY_ECHOES))
        return false;
    while (told > least && told->from == r->from)
        told--;
    return told->from != r->from && told->ack >= r->seq && r->len == 0 &&
           (r->options & TW_OPT_TIMESTAMP);
}

/* By how much later than over the shortest way came what surely was so late, at most: a way that
 * has grown by so much may have grown by as much again. */
static uint16_t lateness_ms(tcpwhy_ns late_ns)
{
    return (uint16_t)MIN(2 * late_ns / TCPWHY_MS(1) + 1, UINT16_MAX);
}

static void hear(struct walk *w, const struct tw_record *r)
{
    struct heard *h = &w->heard;
    tcpwhy_ns at_ns = r->time_ns + w->to_sender;
    uint16_t late_ms = 0;
    bool moves = r->ack > h->acked;

    /* The send before did not echo it, though it left when this had come over the shortest way. */
    if (at_ns < w->before_ns && is_echoed(w, r)) {
        late_ms = lateness_ms(w->before_ns - at_ns);
        at_ns = w->before_ns + 1;
    }
    if (r->ack >= w->open_end)
        end_round_trips(w, r, at_ns);
    if (!moves && (r->ack < h->acked || r->window_bytes == h->window))
        return;
    h->acked = r->ack;
    if (!(r->flags & TW_SYN) || w->believed & BY_SYNS) {
        h->window = r->window_bytes;
        moves |= tw_rwnd_edges_hear(&w->rwnd_edges, r, at_ns);
        w->syn_edge = r->flags & TW_SYN ? w->rwnd_edges.edge : INT64_MAX;
    }
    if (moves) {
        h->moved_record = (uint32_t)(r - w->record);
        h->late_ms = late_ms;
    }
}

/* Is this the echo of a timestamp that is older than the ACK's? RFC 7323, 4.3: a pure ACK in
 * sequence is echoed at once; data may be echoed late. */
static bool echoes_older(const struct tw_record *send, const struct tw_record *ack)
{
    return tw_seq_after(ack->tsval, send->tsecr) && !ack->len &&
           (ack->options & send->options & TW_OPT_TIMESTAMP);
}

/* Did the data of a record of the peer's come to who sent another one, behind that? What was lost
 * goes again before it is acknowledged. */
static bool comes_later(const struct walk *w, const struct tw_record *send,
                        const struct tw_record *data)
{
    const struct tw_record *end = send + MIN(w->record_end - send, TW_NEAR_RECORDS);

    for (const struct tw_record *r = send + 1; r < end; r++) {
        if (r->from == send->from && r->ack >= tw_record_end(data))
            return true;
        if (r->from == data->from && r->seq <= data->seq && tw_record_end(r) > data->seq)
            return false;
    }
    return false;
}

/*
 * What a side says acknowledges all that it has (RFC 9293, 3.10.7.4): it did not have the data of
 * this ACK of the peer's, which goes on where that stood, and so not the ACK, which came with them.
 * Who has no room for data takes the ACK alone. Of repeats it is not asked: what they bring had
 * come, all the same.
 */
static bool lacks_data(const struct walk *w, const struct tw_record *send,
                       const struct tw_record *ack)
{
    return ack->len > 0 && ack->seq <= send->ack && send->ack < tw_record_end(ack) &&
           send->window_bytes != 0 && send->frame_class != TCPWHY_CLASS_RETRANSMISSION &&
           comes_later(w, send, ack);
}

/* By its echo the sender had not heard a record that would have reached it in time. */
static void note_unheard(struct walk *w, const struct tw_record *unheard, const struct tw_send *s)
{
    if (s->end > w->rwnd_edges.edge && w->syn_edge == INT64_MAX)
        w->refuted |= BY_ECHOES;
    if (w->to_sender == 0)
        w->out->outdated += s->sent_ns - unheard->time_ns > TW_SHORT_NS;
}

/* Of the peer's records before the send, those that acknowledge and that the sender had heard when
 * it sent: by time, and by the echoed timestamp. */
static void hear_until(struct walk *w, const struct tw_record *send, const struct tw_send *s)
{
    const struct tw_record *r = w->heard.next, *newest = NULL;
    const tcpwhy_ns until_ns = s->sent_ns - w->soonest_ns;
    const uint8_t own = send->from;

    for (; r < send; r++) {
        if (r->from == own || !acknowledges(r))
            continue;
        if (r->time_ns > until_ns)
            break;
        if (echoes_older(send, r) && w->believed & BY_ECHOES) {
            note_unheard(w, r, s);
            break;
        }
        if (lacks_data(w, send, r))
            break;
        hear(w, r);
        newest = r;
    }
    w->heard.next = r < send ? r : send + 1; /* what it sends itself it does not hear */
    if (newest)
        w->heard.ack_record = (uint32_t)(newest - w->record);
}

/* Of what was not heard before the last send, too. */
static void end_all_round_trips(struct walk *w)
{
    for (const struct tw_record *r = w->heard.next; r < w->record_end && w->open < w->send_end; r++)
        if (r->from != w->out->from && acknowledges(r) && r->ack >= w->open_end)
            end_round_trips(w, r, r->time_ns + w->to_sender);
    for (; w->open < w->send_end; w->open++)
        void_round_trip(w->out, w->rtt_ns++);
}

/* ---- Nagle's algorithm --------------------------------------------------------------------- */

/* Not even an ACK that came half as fast as any we saw could have told the sender that the newest
 * partial segment arrived. Its end only grows, so the search goes on where it stopped. */
static bool surely_unheard(struct walk *w, const struct tw_record *own)
{
    const struct tw_record *told = w->told;

    while (told < own && (told->from == own->from || told->ack < w->partial_end))
        told++;
    w->told = told;
    return told == own || told->time_ns + w->to_sender > own->time_ns;
}

static void note_pause(struct pauses *p, tcpwhy_ns pause_ns, tcpwhy_ns ack_ns)
{
    if (pause_ns >= TW_FORBIDDEN_DELAY_NS)
        return;
    if (p->n++ > 0) {
        p->pause_wobble_ns += ABS(pause_ns - p->pause_ns);
        p->ack_wobble_ns += ABS(ack_ns - p->ack_ns);
    }
    p->pause_ns = pause_ns;
    p->ack_ns = ack_ns;
}

static bool are_steadier_than_acks(const struct pauses *p)
{
    return p->n > TW_OFTEN && p->ack_wobble_ns > (p->n - 1) * TW_BUSY_HOST_NS &&
           p->pause_wobble_ns < p->ack_wobble_ns / TW_QUARTER;
}

/* The pattern of Nagle's algorithm: once may be chance, three times is not, unless there are others
 * that left any time after the ACK, in as long again as that took: a pause of the program's own
 * then is about as long. Of a partial segment of new bytes, the newest send. */
static void note_release(struct walk *w, const struct tw_record *r, const struct tw_send *s)
{
    const struct tw_send *before = s - 1;
    tcpwhy_ns moved_ns;
    bool answers;

    if (s == w->out->send || !tw_send_is_small(before) || s->acked < tw_send_seq(s))
        return;
    moved_ns = tw_send_moved_ns(w->out, s);
    if (moved_ns <= before->sent_ns || w->record[s->moved_record].len > 0)
        return;
    answers = r->ack != w->record[before->record].ack;
    if (!answers)
        note_pause(&w->pauses, s->sent_ns - before->sent_ns, moved_ns - before->sent_ns);
    if (s->sent_ns - moved_ns <= w->held_ns) {
        w->out->held++;
        w->out->nagle_held_alone += !answers;
    } else {
        w->out->late += !answers && s->sent_ns - moved_ns <= moved_ns - before->sent_ns;
    }
}

/* What a partial segment of new bytes tells of Nagle's algorithm. */
static void note_partial(struct walk *w, const struct tw_record *r, const struct tw_send *s)
{
    /* Minshall's rule broken: no Nagle here, as a rule. FIN and RST are exempt from it. */
    if (!(r->flags & (TW_FIN | TW_URG)) && w->partial_end > s->acked && r->seq >= w->partial_end &&
        surely_unheard(w, r) && w->out->slips++ == 0)
        w->out->first_slip = (uint32_t)(s - w->out->send);
    w->partial_end = s->end;
    note_release(w, r, s);
}

/* ---- what a send tells --------------------------------------------------------------------- */

/* When the window first had room for the segment, where that is known. */
static void set_allowance(struct walk *w, struct tw_send *s)
{
    const struct tw_rwnd_edge_step *step = tw_rwnd_edges_room(&w->rwnd_edges, s->end);

    if (!step) {
        if (s->end > w->syn_edge)
            w->refuted |= BY_SYNS;
        return;
    }
    s->allowed_ns = step->at_ns;
    if (step->was_closed)
        s->is |= TW_SEND_CLOSED;
}

/* A clock that loses time shows ever longer delays: the longest so far are looked at. */
static void check_clock(struct walk *w, const struct tw_record *r, tcpwhy_ns delay)
{
    w->most_ns = delay;
    if (tw_tsval_clock_error(w->clock, r, 2 * w->to_sender, &w->echoed) > w->error_ns)
        w->refuted |= BY_CLOCK;
}

/* When a frame left its sender: the shortest way ago, and what its own clock says beyond that. */
static tcpwhy_ns left_at(struct walk *w, const struct tw_record *r)
{
    tcpwhy_ns left_ns = r->time_ns - w->to_sender, delay;

    if (!w->clock)
        return left_ns;
    delay = tw_tsval_clock_delay(w->clock, r);
    if (delay > w->most_ns)
        check_clock(w, r, delay);
    left_ns -= delay;
    w->before_ns = w->left_ns;
    w->left_ns = left_ns;
    return left_ns;
}

static void take_send(struct walk *w, struct tw_send *s)
{
    const struct tw_record *r = &w->record[s->record];

    s->sent_ns = left_at(w, r);
    hear_until(w, r, s);
    s->acked = w->heard.acked;
    s->edge = w->rwnd_edges.edge;
    s->ack_record = w->heard.ack_record;
    s->moved_record = w->heard.moved_record;
    s->allowed_ns = TCPWHY_NS_UNKNOWN;
    s->ack_late_ms = w->heard.late_ms;
    if (!(s->is & TW_SEND_FRESH))
        return;
    if (!(s->is & TW_SEND_REPEAT))
        set_allowance(w, s);
    if (s->is & TW_SEND_PARTIAL)
        note_partial(w, r, s);
}

/* No window holds more (RFC 7323, section 2.3). */
#define LARGEST_WINDOW (INT64_C(1) << 30)

/* What a sender had been acknowledged before it heard anything: what was under way when a capture
 * began in the middle, the first ACK tells. */
static int64_t acked_before(const struct tw_log *log, enum tcpwhy_side sender)
{
    const struct tw_record *r = log->record, *end = r + log->n;

    while (r < end && (r->from == (uint8_t)sender || (r->flags & (TW_ACK | TW_RST)) != TW_ACK))
        r++;
    return r < end && r->ack < 0 && r->ack > -LARGEST_WINDOW ? r->ack : 0;
}

static void begin(struct walk *w, const struct tw_log *log, const struct tw_vantage *vantage,
                  struct tw_scratch *scratch, struct tw_sender_timeline *out, unsigned believed)
{
    tcpwhy_ns to_sender = out->to_sender;

    *w = (struct walk) {
        .record = log->record,
        .record_end = log->record + log->n,
        .told = log->record,
        .out = out,
        .send_end = out->send + out->n,
        .heard = { .acked = acked_before(log, out->from),
                   .ack_record = TW_NO_RECORD,
                   .moved_record = TW_NO_RECORD,
                   .window = -1,
                   .next = log->record },
        .rwnd_edges = tw_rwnd_edges_none(scratch, out->mss_bytes,
                                         out->wscale_inferred ? out->wscale : TW_WSCALE_UNKNOWN),
        .to_sender = to_sender,
        .soonest_ns = tw_sender_timeline_soonest_ns(out),
        .prompt_ns = tw_sender_timeline_at_once(vantage, out->from),
        .held_ns = tw_sender_timeline_lag_of_way(vantage, out->from),
        .left_ns = TCPWHY_NS_UNKNOWN,
        .before_ns = TCPWHY_NS_UNKNOWN,
        .believed = believed,
        .syn_edge = INT64_MAX,
        .open = out->send + out->n,
        .open_end = INT64_MAX,
    };
}

/* Somebody asks for the round trips. */
static void begin_round_trips(struct walk *w, struct tw_scratch *scratch)
{
    struct tw_sender_timeline *out = w->out;

    out->rtt_ns = w->rtt_ns = tw_scratch_get(scratch, out->n, sizeof *out->rtt_ns);
    out->first_unknown = out->n;
    if (!out->queues_seen || out->n == 0)
        return;
    w->open = out->send;
    w->open_end = out->send->end;
}

static void hear_all(struct walk *w, const struct tw_prescan *prescan, struct tw_scratch *scratch)
{
    struct tw_sender_timeline *out = w->out;
    struct tw_send *end = out->send + out->n;

    out->queues_seen = w->to_sender == 0 || w->clock;
    out->held = out->nagle_held_alone = out->late = out->slips = out->outdated = 0;
    if (prescan->long_messages[out->from])
        begin_round_trips(w, scratch);
    for (struct tw_send *s = out->send; s < end && !w->refuted; s++)
        take_send(w, s);
    out->app_timed_pauses = are_steadier_than_acks(&w->pauses);
    if (!w->refuted)
        end_all_round_trips(w);
}

/* A clock that is wrong by more than a tick, and by more than what tells one thing from the next,
 * says nothing of when a segment left. */
static void begin_clock(struct walk *w, const struct tw_prescan *prescan,
                        const struct tw_vantage *vantage)
{
    const struct tw_record *echoed = prescan->first_stamped[!w->out->from];

    w->clock = &w->out->clock;
    w->error_ns = echoed && vantage->rtt_min_ns != TCPWHY_NS_UNKNOWN
                      ? MAX(w->clock->tick_ns, w->prompt_ns)
                      : INT64_MAX;
    w->most_ns = w->error_ns;
    w->echoed = echoed;
}

void tw_sender_acks_apply(struct tw_sender_timeline *out, const struct tw_log *log,
                          const struct tw_prescan *prescan, const struct tw_vantage *vantage,
                          struct tw_scratch *scratch)
{
    bool by_clock =
        out->to_sender > 0 && tw_sender_timeline_clock(out, prescan, scratch)->tick_ns > 0;
    unsigned believed = BY_ECHOES | BY_SYNS | (by_clock ? BY_CLOCK : 0);
    struct walk w;

    out->heard = true;
    for (;;) {
        begin(&w, log, vantage, scratch, out, believed);
        if (believed & BY_CLOCK)
            begin_clock(&w, prescan, vantage);
        hear_all(&w, prescan, scratch);
        if (!w.refuted)
            return;
        believed &= ~w.refuted;
        for (uint32_t i = 0; i < out->n; i++)
            out->send[i].is &= (uint8_t)~TW_SEND_CLOSED;
    }
}
