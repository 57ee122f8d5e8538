/* SPDX-License-Identifier: MIT */
#include "explain/sender/sender_acks.h"

#include <glib.h>

#include "base/seq.h"
#include "explain/sender/rwnd_edge.h"
#include "explain/thresholds.h"

/* Mask of a send: new bytes only. */
#define FRESH_ONCE (TW_SEND_FRESH | TW_SEND_REPEAT)

/* Assumptions about when a sender sent and what it had heard, with what refutes each. */
#define BY_CLOCK  0x1 /* TSval clock: refuted if it does not keep time */
#define BY_ECHOES 0x2 /* TSecr: refuted if it sent more than the echoed ACKs allowed */
#define BY_SYNS   0x4 /* windows of SYNs: refuted if more was sent before another was heard */

/* State of the ACKs that the sender has received so far. */
struct heard {
    int64_t acked;
    uint32_t ack_record, moved_record;
    int64_t window;               /* of the newest segment with TSval; -1: none */
    uint16_t late_ms;             /* ack_late_ms (struct tw_send) of moved_record */
    const struct tw_record *next; /* the peer's segments from here on are still to be heard */
};

/* Sums of differences, from one pair of partial segments to the next: of the pause between them,
 * and of the time until the first was acknowledged. */
struct pauses {
    tcpwhy_ns pause_ns, ack_ns; /* of the newest pair */
    tcpwhy_ns pause_wobble_ns, ack_wobble_ns;
    uint32_t n;
};

/* State of the walk from send to send. */
struct walk {
    const struct tw_record *record, *record_end; /* of the log */
    struct tw_sender_timeline *out;
    const struct tw_send *send_end; /* of out's */
    struct heard heard;
    struct tw_rwnd_edges rwnd_edges; /* of the peer's window */
    tcpwhy_ns to_sender;             /* one way */
    tcpwhy_ns soonest_ns; /* minimum delay of the peer's segments to the sender, less some slack */
    tcpwhy_ns prompt_ns;  /* tw_sender_timeline_at_once() */
    tcpwhy_ns held_ns;    /* tw_sender_timeline_lag_of_way() */
    tcpwhy_ns rtt_min_ns;
    const struct tw_tsval_clock *clock; /* the sender's; NULL: it is here, or has none */
    const struct tw_record *echoed;     /* state of tw_tsval_clock_error(), with the clock */
    tcpwhy_ns left_ns;                  /* when the current send left; unknown without the clock */
    tcpwhy_ns before_ns;                /* likewise, the previous send */
    tcpwhy_ns error_ns;                 /* error of the clock */
    tcpwhy_ns most_ns;                  /* the longest delay it showed, or that */
    unsigned believed;                  /* BY_* */
    unsigned refuted;                   /* of these */
    int64_t syn_edge;     /* edge of the SYN's window while no other was heard; else unknown */
    int64_t partial_end;  /* end of the newest partial segment */
    struct pauses pauses; /* pauses that only an ACK ended */
    const struct tw_record *told; /* first that acknowledged partial_end, so far */
    const struct tw_send *open;   /* first send whose RTT is still open */
    int64_t open_end;             /* its end; INT64_MAX: none */
    tcpwhy_ns *rtt_ns;            /* where its RTT is stored */
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

/* Record the RTT of each send that this record of the peer is the first to cover; retransmissions
 * void it (Karn). Sends that left after the record was made are not covered. */
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

/* Was all data before this record acknowledged when it left? TSval of a segment behind
 * unacknowledged data is not echoed (RFC 7323, 4.3: SEG.SEQ <= Last.ACK.sent). */
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

/* Upper bound of a delay's excess over the minimum, given that it was at least late_ns: a delay
 * that has grown by this much may have grown by as much again. */
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

    /* the previous send did not echo it, although it left after this could have arrived */
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

/* Is TSecr older than the ACK's TSval? RFC 7323, 4.3: a pure ACK in sequence is echoed at once;
 * data may be echoed late. */
static bool echoes_older(const struct tw_record *send, const struct tw_record *ack)
{
    return tw_seq_after(ack->tsval, send->tsecr) && !ack->len &&
           (ack->options & send->options & TW_OPT_TIMESTAMP);
}

/* Did the data of a peer's record arrive after that of a later one? Lost data is retransmitted
 * before it is acknowledged. */
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
 * A segment acknowledges all that its side has (RFC 9293, 3.10.7.4). This one does not cover the
 * data in the peer's ACK, which continues at that point, so its sender had not received that ACK
 * either. A receiver without room takes the ACK alone. Retransmissions are not tested: their data
 * had arrived anyway.
 */
static bool lacks_data(const struct walk *w, const struct tw_record *send,
                       const struct tw_record *ack)
{
    return ack->len > 0 && ack->seq <= send->ack && send->ack < tw_record_end(ack) &&
           send->window_bytes != 0 && send->frame_class != TCPWHY_CLASS_RETRANSMISSION &&
           comes_later(w, send, ack);
}

/* TSecr shows that the sender had not heard a record that should have reached it. */
static void note_unheard(struct walk *w, const struct tw_record *unheard, const struct tw_send *s)
{
    if (s->end > w->rwnd_edges.edge && w->syn_edge == INT64_MAX)
        w->refuted |= BY_ECHOES;
    if (w->to_sender == 0)
        w->out->outdated += s->sent_ns - unheard->time_ns > TW_SHORT_NS;
}

/* The peer's records that the sender had heard when it sent: by time, and by TSecr. */
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
    w->heard.next = r < send ? r : send + 1; /* its own segments are not heard */
    if (newest)
        w->heard.ack_record = (uint32_t)(newest - w->record);
}

/* End the round trips whose ACK came after the last send, and void the others. */
static void end_all_round_trips(struct walk *w)
{
    for (const struct tw_record *r = w->heard.next; r < w->record_end && w->open < w->send_end; r++)
        if (r->from != w->out->from && acknowledges(r) && r->ack >= w->open_end)
            end_round_trips(w, r, r->time_ns + w->to_sender);
    for (; w->open < w->send_end; w->open++)
        void_round_trip(w->out, w->rtt_ns++);
}

/* ---- Nagle's algorithm --------------------------------------------------------------------- */

/* Even an ACK in half of the fastest time seen could not have told the sender that the newest
 * partial segment arrived. Its end only grows, so the search continues where it stopped. */
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

/* The pattern of Nagle's algorithm. Once may be chance, three times is not, unless other partial
 * segments left later after the ACK, within twice that time: the program's own pauses are about as
 * long then. Asked of partial segments of new bytes, the newest send. */
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

/* New data left long after the ACK of a partial segment behind which nothing was queued, and
 * answers nothing: its program wrote it then. After a pause so long that chance rarely ends one
 * like it before the ACK, it begins something new. */
static void note_own_pause(struct walk *w, const struct tw_record *r, const struct tw_send *s)
{
    const struct tw_send *before = s - 1;
    tcpwhy_ns moved_ns;

    if (s == w->out->send || !tw_send_is_small(before) || s->acked < tw_send_seq(s) ||
        r->ack != w->record[before->record].ack || s->allowed_ns > before->sent_ns)
        return;
    moved_ns = tw_send_moved_ns(w->out, s);
    w->out->own_pauses +=
        moved_ns > before->sent_ns && s->sent_ns - moved_ns > w->held_ns &&
        s->sent_ns - before->sent_ns < TW_SOON_SHARE * (moved_ns - before->sent_ns);
}

/* Look for signs of Nagle's algorithm in a partial segment of new bytes. */
static void note_partial(struct walk *w, const struct tw_record *r, const struct tw_send *s)
{
    /* Minshall's rule is broken: Nagle's algorithm is off. FIN, RST and probes are exempt. */
    if (!(r->flags & (TW_FIN | TW_URG)) && w->partial_end > s->acked && r->seq >= w->partial_end &&
        surely_unheard(w, r) && !tw_send_is_probe(w->out, s, w->rtt_min_ns) && w->out->slips++ == 0)
        w->out->first_slip = (uint32_t)(s - w->out->send);
    w->partial_end = s->end;
    note_release(w, r, s);
}

/* ---- what a send tells --------------------------------------------------------------------- */

/* When the window first had room for the segment, if known. */
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

/* A clock that loses time shows growing delays: check the longest so far. */
static void check_clock(struct walk *w, const struct tw_record *r, tcpwhy_ns delay)
{
    w->most_ns = delay;
    if (tw_tsval_clock_error(w->clock, r, 2 * w->to_sender, &w->echoed) > w->error_ns)
        w->refuted |= BY_CLOCK;
}

/* When a frame left its sender: the minimum delay before it passed, and earlier by what its clock
 * says. */
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
    note_own_pause(w, r, s);
    if (s->is & TW_SEND_PARTIAL)
        note_partial(w, r, s);
}

/* The largest window (RFC 7323, 2.3). */
#define LARGEST_WINDOW (INT64_C(1) << 30)

/* SND.UNA before the sender heard anything: the first ACK shows the data that was in transit when
 * the capture began. */
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
        .rtt_min_ns = vantage->rtt_min_ns,
        .left_ns = TCPWHY_NS_UNKNOWN,
        .before_ns = TCPWHY_NS_UNKNOWN,
        .believed = believed,
        .syn_edge = INT64_MAX,
        .open = out->send + out->n,
        .open_end = INT64_MAX,
    };
}

/* RTTs are wanted. */
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
    out->held = out->nagle_held_alone = out->late = out->own_pauses = 0;
    out->slips = out->outdated = 0;
    if (prescan->long_messages[out->from])
        begin_round_trips(w, scratch);
    for (struct tw_send *s = out->send; s < end && !w->refuted; s++)
        take_send(w, s);
    out->app_timed_pauses = are_steadier_than_acks(&w->pauses);
    if (!w->refuted)
        end_all_round_trips(w);
}

/* A clock with an error above a tick, and above what separates two events, does not show when
 * segments left. */
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
