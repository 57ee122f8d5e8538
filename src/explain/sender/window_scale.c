/* SPDX-License-Identifier: MIT */
#include "explain/sender/window_scale.h"

#include <glib.h>
#include "explain/thresholds.h"

/* RFC 7323, section 2.3: 0 to 14. */
#define SHIFTS 15

/* The right edge of the receive window, for each possible shift. */
struct reach {
    int64_t ack;
    uint32_t raw;         /* the newest window */
    int64_t past[SHIFTS]; /* the furthest edge of larger windows, which may still be the furthest */
};

/* The windows that the sender has received, and the highest offset that it sent. */
struct fit {
    const struct tw_sender_timeline *sends;
    const struct tw_record *next; /* not looked at yet */
    tcpwhy_ns soonest_ns;         /* see fit() */
    int64_t sent;                 /* highest offset sent since it last heard; 0: none */
    struct reach reach;
    uint32_t beyond[SHIFTS]; /* sends that go beyond it */
    uint32_t filled[SHIFTS]; /* flights that leave no room for another segment */
    uint32_t flights;
    tcpwhy_ns last_ns; /* of a send */
    bool paused;       /* before the current send */
    bool heard;
};

/* Does a record of the receiver carry a window? */
static bool tells(const struct tw_record *r, enum tcpwhy_side sender)
{
    return r->from != (uint8_t)sender && (r->flags & TW_ACK) && !(r->flags & (TW_SYN | TW_RST));
}

static uint32_t raw_window(const struct tw_record *r)
{
    return tw_record_knows_window(r) ? r->window_bytes : ~r->window_bytes;
}

static int64_t newest_edge(const struct reach *x, int shift)
{
    return x->ack + ((int64_t)x->raw << shift);
}

static int64_t edge_of(const struct reach *x, int shift)
{
    return MAX(x->past[shift], newest_edge(x, shift));
}

/* @return true if the window is smaller than the previous one: only then can an edge move back,
 * whatever the scale. */
static bool move(struct reach *x, const struct tw_record *r)
{
    bool smaller = raw_window(r) < x->raw;

    for (int i = 0; smaller && i < SHIFTS; i++)
        x->past[i] = edge_of(x, i);
    x->ack = MAX(x->ack, r->ack);
    x->raw = raw_window(r);
    return smaller;
}

/* ---- the largest ----------------------------------------------------------------------------- */

/* The largest shift with which the edge never moves back; -1: none. Rounding by the scale is no
 * move back. */
static int largest(const struct tw_log *log, enum tcpwhy_side sender)
{
    struct reach reach = { 0 };
    uint32_t back[SHIFTS] = { 0 };
    int shift = SHIFTS - 1;

    for (const struct tw_record *r = log->record, *end = r + log->n; r < end; r++) {
        if (!tells(r, sender) || r->ack < reach.ack || !move(&reach, r))
            continue;
        for (int i = 0; i < SHIFTS; i++)
            back[i] += newest_edge(&reach, i) < reach.past[i] - (INT64_C(1) << i);
    }
    while (shift >= 0 && back[shift] >= TW_TWICE)
        shift--;
    return shift;
}

/* ---- the least ------------------------------------------------------------------------------- */

/* A flight ended: only the smallest shift that allows it can make it fill the window, since the
 * next one allows twice as much. */
static void end_flight(struct fit *f)
{
    int64_t segment = f->sends->mss_bytes;
    int shift = 0;

    while (shift < SHIFTS && edge_of(&f->reach, shift) < f->sent)
        shift++;
    if (shift < SHIFTS)
        f->filled[shift] += edge_of(&f->reach, shift) - f->sent < segment &&
                            (int64_t)f->reach.raw << shift >= TW_MANY * segment;
    f->flights++;
    f->sent = 0;
}

static void hear(struct fit *f, const struct tw_record *r)
{
    if (f->sent > 0 && f->paused)
        end_flight(f);
    move(&f->reach, r);
    f->heard = true;
}

/* Away from the sender, an ACK may have arrived before or after the send; not if it came long after
 * the previous one. */
static void hear_until(struct fit *f, const struct tw_record *send)
{
    tcpwhy_ns blurred_ns = f->sends->to_sender > 0 ? 2 * f->sends->to_sender - f->soonest_ns : 0;

    f->paused = send->time_ns - f->last_ns >= blurred_ns;
    f->last_ns = send->time_ns;
    for (; f->next < send && f->next->time_ns <= send->time_ns - f->soonest_ns; f->next++)
        if (tells(f->next, f->sends->from))
            hear(f, f->next);
}

static void take(struct fit *f, const struct tw_send *s)
{
    hear_until(f, &f->sends->record[s->record]);
    /* A window probe exceeds any window. */
    if (!(s->is & TW_SEND_FRESH) || !f->heard || f->reach.raw == 0)
        return;
    f->sent = s->end;
    for (int i = 0; i < SHIFTS && s->end > edge_of(&f->reach, i); i++)
        f->beyond[i]++;
}

/* The smallest shift whose windows nobody exceeded; SHIFTS if none. */
static int least(const struct fit *f)
{
    uint32_t against = MAX(TW_TWICE, f->sends->n / TW_RARE_SHARE);
    int shift = 0;

    while (shift < SHIFTS && f->beyond[shift] >= against)
        shift++;
    return shift;
}

static bool is_filled(const struct fit *f, int shift)
{
    return f->flights >= TW_MANY && 2 * f->filled[shift] >= f->flights;
}

/* @param soonest_ns  minimum time from an ACK at the vantage to the data it releases */
static struct fit fit(const struct tw_sender_timeline *x, const struct tw_log *log,
                      tcpwhy_ns soonest_ns)
{
    struct fit f = { .sends = x, .next = log->record, .soonest_ns = soonest_ns };

    for (uint32_t i = 0; i < x->n; i++)
        take(&f, &x->send[i]);
    return f;
}

/* Away from the sender, the delay of ACKs to it is inferred as well; it surely had not heard any
 * that the capture does not hold yet. */
static bool is_sure(const struct tw_sender_timeline *x, const struct tw_log *log, int shift)
{
    struct fit captured;

    if (x->to_sender == 0)
        return true;
    captured = fit(x, log, 0);
    return least(&captured) == shift;
}

void tw_window_scale_infer(struct tw_sender_timeline *x, const struct tw_log *log)
{
    const struct fit heard = fit(x, log, x->to_sender + tw_sender_timeline_soonest_ns(x));
    int shift = least(&heard), most = largest(log, x->from);

    if (shift > most || (shift < most && !is_filled(&heard, shift)))
        return;
    x->wscale = (uint8_t)shift;
    x->wscale_inferred =
        shift == most && is_sure(x, log, shift) ? TW_INFERRED_SURELY : TW_INFERRED_LIKELY;
}
