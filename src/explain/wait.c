/* SPDX-License-Identifier: MIT */
#include "explain/wait.h"

/* How far back to look for the data that an ACK answers. */
#define ACK_SEARCH 256

tcpwhy_ns tw_ack_delay(const struct tw_scene *scene, enum tcpwhy_side sender, uint32_t ack_record)
{
    const struct tw_record *record = scene->log->record, *ack = &record[ack_record];
    tcpwhy_ns way = 2 * scene->vantage.to_side_ns[tw_other(sender)];

    if (ack->facts & TW_FACT_ACKS_UNSEEN) /* it may answer what the capture does not hold */
        return TCPWHY_NS_UNKNOWN;
    for (const struct tw_record *r = ack; r-- > record && ack - r < ACK_SEARCH;)
        if (r->from == sender && r->len && tw_record_end(r) <= ack->ack &&
            r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
            return ack->time_ns - r->time_ns - way;
    return TCPWHY_NS_UNKNOWN;
}

tcpwhy_ns tw_wait_ack_delay(const struct tw_wait *w)
{
    if (w->send->moved_record == TW_NO_RECORD)
        return TCPWHY_NS_UNKNOWN;
    return tw_ack_delay(w->scene, w->sender, w->send->moved_record);
}
