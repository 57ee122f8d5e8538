/* SPDX-License-Identifier: MIT */
#include "explain/loss/pmtu_black_hole.h"

#include <glib.h>
#include "explain/thresholds.h"

static const struct tw_record *record_of(const struct tw_sender_timeline *x, uint32_t send)
{
    return &x->record[x->send[send].record];
}

/* Segments of this size passed again in the end: data after the retransmissions was acknowledged
 * whole. */
static bool passed_at_last(const struct tw_sender_timeline *x,
                           struct tw_retransmit_evidence *evidence, uint32_t i)
{
    const struct tw_record *r = record_of(x, i);
    bool never = false;

    tw_retransmit_evidence_ack(evidence, x->send[i].record, tw_record_end(r), &never);
    return !never && (i + 1 == x->n || record_of(x, i + 1)->seq != r->seq ||
                      record_of(x, i + 1)->len >= r->len);
}

/* The same bytes were retransmitted in smaller segments, and arrived. */
static bool cut_passes(const struct tw_sender_timeline *x, struct tw_retransmit_evidence *evidence,
                       uint32_t i)
{
    const struct tw_send *own = &x->send[i];
    bool never = false;

    if (tw_send_seq(own - 1) != tw_send_seq(own))
        return false;
    tw_retransmit_evidence_ack(evidence, own->record, own->end, &never);
    return !never;
}

/* From then on the sender keeps to the size that arrived. */
static bool stays_cut(const struct tw_sender_timeline *x, uint32_t i, uint32_t bytes)
{
    for (; i < x->n; i++)
        if (x->send[i].is & TW_SEND_FRESH && x->send[i].len >= bytes)
            return false;
    return true;
}

/* Segments that may be too big for the path. */
struct large {
    uint32_t bytes;             /* their minimum length */
    const struct tw_send *full; /* no earlier send is one */
    uint32_t heard;             /* the receiver's last record; 0: none */
    uint32_t lesser_in_vain;    /* shorter sends after that, unanswered */
    bool lesser;                /* shorter than full; no longer segment was ever sent */
};

/* The longest segment sent. If the capture began later than the connection, a full one is assumed:
 * earlier segments are unknown. */
static uint32_t longest_of(const struct tw_sender_timeline *x, const struct tw_log *log)
{
    uint32_t bytes = log->record->flags & TW_SYN ? 0 : x->mss_bytes;

    for (uint32_t i = 0; i < x->n && bytes < x->mss_bytes; i++)
        bytes = MAX(bytes, x->send[i].len);
    return bytes;
}

static struct large find_large(const struct tw_sender_timeline *x, const struct tw_log *log)
{
    uint32_t longest = longest_of(x, log);
    struct large large = { .full = x->send, .heard = log->n - 1 };

    large.lesser = longest > TW_SMALLEST_MSS && longest < x->mss_bytes;
    large.bytes = large.lesser ? longest : x->mss_bytes;
    while (large.heard > 0 && log->record[large.heard].from == x->from)
        large.heard--;
    for (uint32_t i = x->n; i-- > 0 && x->send[i].record > large.heard;)
        large.lesser_in_vain += x->send[i].len < large.bytes;
    return large;
}

/* A receiver answers data beyond a hole at once (RFC 5681, 4.2): if shorter segments were sent and
 * it is never heard again, those do not pass either. */
static bool nothing_passes(const struct large *large, const struct tw_send *own)
{
    return own->record > large->heard && large->lesser_in_vain >= TW_TWICE;
}

/* Was a full segment acknowledged before? */
static bool full_passed(const struct tw_sender_timeline *x, struct large *large, uint32_t i)
{
    const struct tw_send *own = &x->send[i];

    while (large->full < own && large->full->len < large->bytes)
        large->full++;
    return large->full->end <= own->acked;
}

/* Has nothing been heard since the first of several retransmissions? The path carried full segments
 * before and may now carry nothing. For shorter ones, a host or firewall may have dropped the
 * connection: a receiver heard later is there and lacks the data. */
static bool fell_silent(const struct tw_sender_timeline *x, struct large *large, uint32_t i,
                        uint32_t repeats)
{
    const struct tw_send *own = &x->send[i];

    if ((large->lesser && large->heard < own->record) || nothing_passes(large, own))
        return true;
    return full_passed(x, large, i) && own->ack_record != TW_NO_RECORD &&
           own->ack_record < own[1 - (int64_t)repeats].record;
}

/* Too few retransmissions of a full-size segment to be sure, but none of that size is known to have
 * passed, and this one does not. A receiver that reports the loss got later data. */
static bool may_be(const struct tw_sender_timeline *x, struct tw_retransmit_evidence *evidence,
                   struct large *large, uint32_t i, const struct tw_recovery_episode *e)
{
    return e->kind != TW_RECOVERY_FAST && !nothing_passes(large, &x->send[i]) &&
           !full_passed(x, large, i) && !passed_at_last(x, evidence, i);
}

/* No full segment had passed and none is tried again: one lost retransmission is enough. */
static bool is_cut_for_good(const struct tw_sender_timeline *x, struct large *large, uint32_t i)
{
    return x->send[i].is & TW_SEND_REPEAT && !full_passed(x, large, i) &&
           stays_cut(x, i, large->bytes);
}

/* Full-size segments are retransmitted and never acknowledged, while the other side still talks, or
 * none ever was. Fewer retransmissions suffice if the sender then sends smaller segments that pass
 * (RFC 4821; Windows' PMTUBHDetect). */
void tw_pmtu_black_hole_find(const struct tw_sender_timeline *x,
                             struct tw_retransmit_evidence *evidence, struct tw_recovery *out)
{
    struct tw_recovery_episode *recovery_episodes = out->episode;
    const struct tw_send *send = x->send;
    uint32_t alike = 0, k = 0, left;
    struct large large;

    if (out->n == 0 || x->repeats == 0)
        return;
    large = find_large(x, evidence->log);
    left = x->repeats - !!(send->is & TW_SEND_REPEAT);
    for (uint32_t i = 1; left > 0; i++) {
        const struct tw_send *own = &send[i];
        bool repeats = own->is & TW_SEND_REPEAT;

        if (alike == 0 && !repeats) /* most are not */
            continue;
        left -= repeats;
        while (k < out->n && recovery_episodes[k].to_ns < record_of(x, i)->time_ns)
            k++;
        if (!repeats || own->len < large.bytes) {
            if (alike > 0 && k < out->n && cut_passes(x, evidence, i))
                recovery_episodes[k].black_hole |=
                    alike >= TW_TWICE || is_cut_for_good(x, &large, i);
            alike = 0;
            continue;
        }
        alike = tw_send_seq(own - 1) == tw_send_seq(own) ? alike + 1 : 1;
        if (k < out->n && may_be(x, evidence, &large, i, &recovery_episodes[k]))
            recovery_episodes[k].too_large = true;
        if (alike >= TW_OFTEN && k < out->n)
            recovery_episodes[k].black_hole =
                !passed_at_last(x, evidence, i) && !fell_silent(x, &large, i, alike);
    }
}
