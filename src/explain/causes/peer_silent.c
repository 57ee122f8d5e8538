/* SPDX-License-Identifier: MIT */
/*
 * One side stops answering, and everything sent to it is retransmitted in vain: its host is gone,
 * or a device on the path has dropped the connection's state. Nothing was repaired.
 */
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
        return "the other side was heard again";
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
