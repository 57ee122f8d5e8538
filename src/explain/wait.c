/* SPDX-License-Identifier: MIT */
#include "explain/wait.h"

/* How far back to look for the data that an ACK answers. */
#define ACK_SEARCH 256

tcpwhy_ns tw_wait_ack_delay(const struct tw_wait *w)
{
    const struct tw_record *record = w->scene->log->record;
    tcpwhy_ns way = 2 * w->scene->vantage.to_side_ns[tw_other(w->sender)];

    if (!w->send || w->send->moved_record == TW_NO_RECORD)
        return TCPWHY_NS_UNKNOWN;

    const struct tw_record *ack = &record[w->send->moved_record];

    if (ack->facts & TW_FACT_ACKS_UNSEEN) /* it may answer what the capture does not hold */
        return TCPWHY_NS_UNKNOWN;
    for (const struct tw_record *r = ack; r-- > record && ack - r < ACK_SEARCH;)
        if (r->from == w->sender && r->len && tw_record_end(r) <= ack->ack &&
            r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
            return ack->time_ns - r->time_ns - way;
    return TCPWHY_NS_UNKNOWN;
}
