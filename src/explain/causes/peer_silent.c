/* SPDX-License-Identifier: MIT */
/*
 * One side stops answering, and everything sent to it is retransmitted in vain: its host is gone,
 * or a device on the path has dropped the connection's state; or the path, or its host, was down
 * for a while. Nothing was repaired meanwhile.
 */
#include <math.h>

#include <glib.h>

#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"
#include "log/set_aside.h"

/* An unanswered kernel retransmits and sends little else: more records than this are no silence. */
#define MANY_RECORDS 4096

static bool speaks(const struct tw_record *r, enum tcpwhy_side side)
{
    return r->from == side && !(r->flags & TW_RST);
}

/* A side that closes by its own clock says nothing of what its FIN does not acknowledge. */
static bool is_deaf_close(const struct tw_record *r, const struct tw_record *repeated)
{
    return r->flags & TW_FIN && r->len == 0 && r->ack <= repeated->seq;
}

/* Does the side send anything but RSTs, and a FIN that has not heard it, after this record? */
static bool is_heard_behind(const struct tw_log *log, enum tcpwhy_side side, uint32_t record)
{
    if (log->n - record > MANY_RECORDS)
        return true;
    for (uint32_t i = record + 1; i < log->n; i++)
        if (speaks(&log->record[i], side) && !is_deaf_close(&log->record[i], &log->record[record]))
            return true;
    return false;
}

/* The side's last record before another; TW_NO_RECORD if it never sent any, and may not be in the
 * capture. */
static uint32_t last_heard(const struct tw_log *log, enum tcpwhy_side side, uint32_t before)
{
    uint32_t first = before > MANY_RECORDS ? before - MANY_RECORDS : 0;

    for (uint32_t i = before; i-- > first;)
        if (speaks(&log->record[i], side))
            return i;
    return TW_NO_RECORD;
}

/* The side's next segment after a record; TW_NO_RECORD: there is none nearby. */
static uint32_t next_heard(const struct tw_log *log, enum tcpwhy_side side, uint32_t behind)
{
    for (uint32_t i = behind + 1; i < log->n && i - behind <= MANY_RECORDS; i++)
        if (speaks(&log->record[i], side))
            return i;
    return TW_NO_RECORD;
}

/* Retransmissions of a side between two records of one segment: what its timer releases (RFC 6298,
 * 5.4); many segments go again within one round trip. */
static uint32_t repeats_between(const struct tw_log *log, enum tcpwhy_side side, uint32_t from,
                                uint32_t to)
{
    int64_t seq = INT64_MAX;
    uint32_t n = 0;

    for (uint32_t i = from + 1; i < to; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from != side || r->frame_class != TCPWHY_CLASS_RETRANSMISSION || r->seq > seq)
            continue;
        n = r->seq < seq ? 1 : n + 1;
        seq = r->seq;
    }
    return n;
}

/* Are this many lost retransmissions too many for the path's usual loss rate? With each the chance
 * shrinks by that factor. */
static bool exceeds_loss(const struct tw_context *context, enum tcpwhy_side sender, uint32_t vain)
{
    const struct tw_recovery *all = &context->recovery[sender];
    uint32_t repeats = 1, sent = context->sends[sender].n + 1;

    for (uint32_t i = 0; i < all->n; i++)
        repeats += all->episode[i].repeats;
    repeats -= MIN(repeats - 1, vain);
    return vain * log10((double)sent / MIN(repeats, sent)) >= TW_ODDS_SHOWN;
}

/* Can an RTO fire this often within that time? It doubles each time (RFC 6298, 5.5), and is at
 * least an RTT and the floor (Linux: tcp_set_rto()). */
static bool may_fire(const struct tw_vantage *v, uint32_t times, tcpwhy_ns within_ns)
{
    tcpwhy_ns rto_ns = TW_RTO_SEEN_NS + tw_min_rtt_ns(v), in_all_ns = 0;

    for (; times > 0 && in_all_ns <= within_ns; times--, rto_ns += rto_ns)
        in_all_ns += rto_ns;
    return in_all_ns <= within_ns;
}

/* R1 repeats in vain are what TCP itself takes for a bad path, and asks for another (RFC 1122,
 * 4.2.3.5): what lasts longer is no lost packet. */
#define IN_VAIN (TW_R1_REPEATS + 1)

/* Before the vantage: the packets that are missing before one are repeats of it, as many as its
 * timer allows; but for the original, and a tail loss probe. What is lost together takes no such
 * time: that of as many repeats as it takes, the last of which came. Behind a repeat of what was
 * seen, the rest of a flight may be missing, too, and no more of them are asked for. */
static const char *weigh_unseen_outage(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_recovery_episode *e = w->episode;
    const struct tw_record *repair = &w->context->log->record[e->repair_record];
    const bool again = repair->frame_class == TCPWHY_CLASS_RETRANSMISSION;

    if (w->from_ns >= repair->time_ns)
        return "the sender was heard again";
    if (e->lacking < IN_VAIN + 2)
        return "too few repeats went unanswered";
    if (!may_fire(&w->context->vantage, again ? IN_VAIN + 1 : MAX(e->lacking - 2, IN_VAIN + 1),
                  repair->time_ns - e->from_ns))
        return "so many repeats take longer";
    r->party = TCPWHY_PARTY_PATH;
    r->from = e->sender;
    r->key_record = e->repair_record;
    r->odds = TW_ODDS_DOUBTED;
    return NULL;
}

/* The other side was silent for a while and is heard again, usually after the last
 * retransmission. */
static const char *weigh_outage(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_recovery_episode *e = w->episode;
    const enum tcpwhy_side other = tw_other(e->sender);
    const struct tw_log *log = w->context->log;
    const uint32_t from = last_heard(log, other, w->first_record + 1),
                   to = next_heard(log, other, MAX(w->first_record, from));
    uint32_t repeats;

    if (e->unseen && e->lacking > 0)
        return weigh_unseen_outage(w, r);
    if (from == TW_NO_RECORD || to == TW_NO_RECORD)
        return "the other side was heard meanwhile";
    repeats = repeats_between(log, e->sender, from, to);
    if (repeats <= IN_VAIN)
        return "too few repeats went unanswered";
    if (e->first || e->unseen || e->black_hole || e->too_large)
        return "only some segments were lost, or were not accepted yet";
    if (!exceeds_loss(w->context, e->sender, repeats - 1))
        return "the path loses as many at other times";
    r->party = TCPWHY_PARTY_PATH;
    r->from = e->sender;
    r->key_record = to;
    r->from_ns = MAX(w->from_ns, log->record[from].time_ns);
    r->to_ns = MIN(w->to_ns, log->record[to].time_ns);
    r->odds = e->arrived ? TW_ODDS_DOUBTED : TW_ODDS_PROVEN;
    return r->from_ns < r->to_ns ? NULL : "the other side was heard again";
}

static bool is_repeated_behind(const struct tw_log *log, enum tcpwhy_side side, uint32_t heard)
{
    uint32_t n = 0;

    for (uint32_t i = heard + 1; i < log->n && n < TW_R1_REPEATS; i++)
        n += log->record[i].from == side &&
             log->record[i].frame_class == TCPWHY_CLASS_RETRANSMISSION;
    return n == TW_R1_REPEATS;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_recovery_episode *e = w->episode;
    const struct tw_recovery *all = &w->context->recovery[e->sender];
    enum tcpwhy_side other = tw_other(e->sender);
    const struct tw_log *log = w->context->log;
    uint32_t heard;

    if (w->context->vantage.both_ends)
        return "on one host no path lies between the sides";
    if (e != &all->episode[all->n - 1] || is_heard_behind(log, other, e->repair_record))
        return weigh_outage(w, r);
    if (e->unseen)
        return "the lost segment did not pass here";
    if (e->black_hole || e->too_large)
        return "only large segments were lost";
    if (e->first && tw_vantage_is_at(&w->context->vantage, other) && tw_log_is_set_aside(log))
        return "the listener had set the handshake aside";
    heard = last_heard(log, other, e->repair_record);
    if (heard == TW_NO_RECORD)
        return "the other side was never heard";
    if (!is_repeated_behind(log, e->sender, heard))
        return "too few repeats went unanswered";
    r->party = TCPWHY_PARTY_PATH;
    r->from = e->sender;
    r->key_record = e->repair_record;
    /* If the retransmissions may have arrived, the answers may be missing instead. */
    r->odds = e->arrived ? TW_ODDS_DOUBTED : TW_ODDS_PROVEN;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_peer_silent = { TCPWHY_PEER_SILENT, TW_NEEDS_EPISODE,
                                                         weigh };
