/* SPDX-License-Identifier: MIT */
#include "explain/black_hole.h"

/* Repeats of one full-size segment before its silence means more than bad luck; as many as that
 * where its sender then cuts it smaller and gets through (RFC 4821; Windows' PMTUBHDetect). */
#define REPEATS 3
#define CUT     2

static const struct tw_record *record_of(const struct tw_sends *x, uint32_t send)
{
    return &x->record[x->send[send].record];
}

/* The path came back for segments of this size: what followed the repeats was acknowledged whole.
 */
static bool passed_at_last(const struct tw_sends *x, struct tw_evidence *evidence, uint32_t i)
{
    const struct tw_record *r = record_of(x, i);
    bool never = false;

    tw_evidence_ack(evidence, x->send[i].record, tw_record_end(r), &never);
    return !never && (i + 1 == x->n || record_of(x, i + 1)->seq != r->seq ||
                      record_of(x, i + 1)->len >= r->len);
}

/* The same bytes again, cut smaller, and those arrive. */
static bool cut_passes(const struct tw_sends *x, struct tw_evidence *evidence, uint32_t i)
{
    const struct tw_send *own = &x->send[i];
    bool never = false;

    if (tw_send_seq(own - 1) != tw_send_seq(own))
        return false;
    tw_evidence_ack(evidence, own->record, own->end, &never);
    return !never;
}

/* Was a full-size segment acknowledged before? *full: no send before it is one. */
static bool full_passed(const struct tw_sends *x, const struct tw_send **full, uint32_t i)
{
    const struct tw_send *own = &x->send[i];

    while (*full < own && (*full)->len < x->mss_bytes)
        (*full)++;
    return (*full)->end <= own->acked;
}

/* And is nothing heard since the first of so many repeats? The path carried such, and now perhaps
 * nothing at all. */
static bool fell_silent(const struct tw_sends *x, const struct tw_send **full, uint32_t i,
                        uint32_t repeats)
{
    const struct tw_send *own = &x->send[i];

    return full_passed(x, full, i) && own->ack_record != TW_NO_RECORD &&
           own->ack_record < own[1 - (int64_t)repeats].record;
}

/* Too few repeats of a full-size segment to tell, but none that large is known to have passed, and
 * this one does not. Receivers that tell of a loss got what was sent behind it. */
static bool may_be(const struct tw_sends *x, struct tw_evidence *evidence,
                   const struct tw_send **full, uint32_t i, const struct tw_episode *e)
{
    return e->kind != TW_RECOVERY_FAST && !full_passed(x, full, i) &&
           !passed_at_last(x, evidence, i);
}

/* Full-size segments sent again and again, nothing of them acknowledged, while the other side still
 * talks, or none ever was. */
void tw_black_hole_find(const struct tw_sends *x, struct tw_evidence *evidence,
                        struct tw_recovery *out)
{
    struct tw_episode *episodes = out->episode;
    const struct tw_send *send = x->send, *full = send;
    uint32_t alike = 0, k = 0, left;

    if (out->n == 0 || x->repeats == 0)
        return;
    left = x->repeats - !!(send->is & TW_SEND_REPEAT);
    for (uint32_t i = 1; left > 0; i++) {
        const struct tw_send *own = &send[i];
        bool repeats = own->is & TW_SEND_REPEAT;

        if (alike == 0 && !repeats) /* as most are */
            continue;
        left -= repeats;
        while (k < out->n && episodes[k].to_ns < record_of(x, i)->time_ns)
            k++;
        if (!repeats || own->len < x->mss_bytes) {
            if (alike >= CUT && cut_passes(x, evidence, i) && k < out->n)
                episodes[k].black_hole = true;
            alike = 0;
            continue;
        }
        alike = tw_send_seq(own - 1) == tw_send_seq(own) ? alike + 1 : 1;
        if (k < out->n && may_be(x, evidence, &full, i, &episodes[k]))
            episodes[k].too_large = true;
        if (alike >= REPEATS && k < out->n)
            episodes[k].black_hole =
                !passed_at_last(x, evidence, i) && !fell_silent(x, &full, i, alike);
    }
}
