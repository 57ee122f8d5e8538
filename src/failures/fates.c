/* SPDX-License-Identifier: MIT */
#include "failures/fates.h"

/* Records searched after a segment: nothing about it is expected later. */
#define MOST_LOOKED 4096

static int64_t end_of(const struct tw_record *r)
{
    return r->seq + (int64_t)r->len + (r->flags & TW_SYN ? 1 : 0);
}

static bool is_sacked(const struct tw_log *log, const struct tw_record *ack,
                      const struct tw_record *r)
{
    for (uint32_t k = 0; k < ack->n_sack; k++) {
        const struct tw_range *block = &log->sack[ack->sack + k];

        if (block->from <= r->seq && end_of(r) <= block->to)
            return true;
    }
    return false;
}

enum tw_fate tw_fate_of(const struct tw_cut *cut, uint32_t record)
{
    const struct tw_log *log = cut->log;
    const struct tw_record *r = &log->record[record];
    uint32_t end = log->n - record > MOST_LOOKED ? record + MOST_LOOKED : log->n;

    for (uint32_t i = record + 1; i < end; i++) {
        const struct tw_record *next = &log->record[i];

        if (next->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME)
            continue;
        if (next->from != r->from) {
            if (next->flags & TW_ACK && (next->ack >= end_of(r) || is_sacked(log, next, r)))
                return TW_FATE_TAKEN;
        } else if (end_of(next) > next->seq && next->seq <= r->seq && end_of(next) > r->seq) {
            return TW_FATE_LOST;
        }
    }
    return TW_FATE_UNKNOWN;
}

/* Time from each lost segment to the ACK of its end; overlaps count once. */
tcpwhy_ns tw_fate_repairs_ns(const struct tw_cut *cut, enum tcpwhy_side side)
{
    const struct tw_log *log = cut->log;
    tcpwhy_ns in_all_ns = 0, since_ns = 0;
    int64_t hole_end = 0;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME)
            continue;
        if (r->from == (uint8_t)side) {
            if (hole_end == 0 && end_of(r) > r->seq && tw_fate_of(cut, i) == TW_FATE_LOST) {
                hole_end = end_of(r);
                since_ns = r->time_ns;
            }
        } else if (hole_end > 0 && r->flags & TW_ACK && r->ack >= hole_end) {
            in_all_ns += r->time_ns - since_ns;
            hole_end = 0;
        }
    }
    if (hole_end > 0)
        in_all_ns += log->record[log->n - 1].time_ns - since_ns;
    return in_all_ns;
}
