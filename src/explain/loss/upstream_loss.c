/* SPDX-License-Identifier: MIT */
#include "explain/loss/upstream_loss.h"

#include <glib.h>
#include "explain/thresholds.h"

/*
 * Where an unseen loss may have happened: after the sender's last frame in order, and not before
 * the data it answers.
 */
static uint32_t last_seen_before(const struct tw_log *log, const struct tw_recovery_episode *e)
{
    const uint32_t record = e->repair_record;
    int64_t seq = log->record[record].seq;
    uint32_t k = record, asked = record;

    for (uint32_t looked = 0; k > 0 && looked < TW_FAR_RECORDS; looked++) {
        const struct tw_record *r = &log->record[--k];

        if (r->from != (uint8_t)e->sender)
            asked = r->len ? k : asked;
        else if (tw_record_end(r) <= seq)
            break;
        else
            asked = record; /* a frame beyond the hole: later requests are unanswered */
    }
    return asked != record ? asked : k;
}

void tw_upstream_loss_origin(const struct tw_log *log, struct tw_recovery_episode *e)
{
    e->first_record = last_seen_before(log, e);
    e->from_ns = log->record[e->first_record].time_ns;
    e->unseen = true;
    for (uint32_t k = e->first_record + 1; k < e->repair_record; k++) {
        const struct tw_record *r = &log->record[k];

        if (r->from == (uint8_t)e->sender && r->seq > log->record[e->repair_record].seq) {
            e->hole_bytes = r->seq - log->record[e->repair_record].seq;
            break;
        }
    }
}

/* Data that the window had no room for, or only for less than a segment, was not sent before: it
 * left when there was room, or when a timer fired (RFC 9293, 3.8.6.2.1). */
static bool waited_for_window(const struct tw_sender_timeline *sends, const struct tw_vantage *v,
                              const struct tw_send *own)
{
    return (own > sends->send && tw_send_was_blocked(own, tw_min_rtt_ns(v))) ||
           tw_send_fills_remainder(own);
}

/* Has the sender had anything to acknowledge since? */
static bool was_told(const struct tw_log *log, const struct tw_recovery_episode *e)
{
    for (uint32_t k = e->first_record; k < e->repair_record; k++)
        if (log->record[k].from != (uint8_t)e->sender &&
            (log->record[k].len > 0 || log->record[k].flags & (TW_SYN | TW_FIN)))
            return true;
    return false;
}

/*
 * The shortest timer that repairs a lost tail is the tail loss probe's, two RTTs (RFC 8985, 7.2)
 * and no less than a tick (TCP_TIMEOUT_MIN), plus a delayed ACK's time if one segment is
 * outstanding (Linux: tcp_rto_min() in tcp_schedule_loss_probe()). A packet missing before that was
 * an ACK, if there was something to acknowledge; otherwise the RTO's floor is lower (rto_min of a
 * route, tcp_rto_min_us).
 */
static tcpwhy_ns shortest_timer(const struct tw_log *log, const struct tw_vantage *v,
                                const struct tw_send *own, unsigned lacking,
                                const struct tw_recovery_episode *e)
{
    tcpwhy_ns probe_ns = MAX(2 * tw_min_rtt_ns(v), TW_HOST_NS);
    bool alone = lacking == 1 && own->acked >= tw_send_seq(own) && was_told(log, e);

    return alone ? MAX(probe_ns, TW_RTO_SEEN_NS) : probe_ns;
}

bool tw_upstream_loss_tail(const struct tw_log *log, const struct tw_sender_timeline *sends,
                           const struct tw_vantage *v, const struct tw_send *own, unsigned lacking,
                           bool probes, struct tw_recovery_episode *e)
{
    tcpwhy_ns silence;

    tw_upstream_loss_origin(log, e);
    silence = log->record[own->record].time_ns - e->from_ns;
    /* of several missing packets, one was the probe (RFC 8985, 7.2) */
    e->kind = probes && lacking == 1 ? TW_RECOVERY_PROBE : TW_RECOVERY_RTO;
    return silence > shortest_timer(log, v, own, lacking, e) && !waited_for_window(sends, v, own);
}
