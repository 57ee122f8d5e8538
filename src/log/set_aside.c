/* SPDX-License-Identifier: MIT */
#include "log/set_aside.h"

/* A SYN/ACK is sent again after a second (RFC 6298, section 2), with slack for a busy host. */
#define SYN_ACK_TIMER_NS TCPWHY_MS(1500)

/* A client that gets no answer sends little; a longer log is of a connection that was served, and
 * need not be read. */
#define MOST_RECORDS 4096

/* The handshake as the log shows it so far; heard: the server sent more than SYN/ACKs. */
struct reading {
    bool answered, acknowledged, heard;
    tcpwhy_ns asked_ns, again_ns; /* the first data, and the last repeat of it */
};

static void take_client(struct reading *r, const struct tw_record *record)
{
    r->acknowledged |= r->answered && !(record->flags & (TW_SYN | TW_RST));
    if (!r->acknowledged || record->len == 0)
        return;
    if (r->asked_ns == TCPWHY_NS_UNKNOWN)
        r->asked_ns = record->time_ns;
    else if (record->seq == 1)
        r->again_ns = record->time_ns;
}

static void take_server(struct reading *r, const struct tw_record *record)
{
    r->heard |= r->acknowledged || !tw_record_is(record, TW_SYN | TW_ACK);
    r->answered = true;
}

bool tw_log_is_set_aside(const struct tw_log *log)
{
    struct reading r = { .asked_ns = TCPWHY_NS_UNKNOWN, .again_ns = TCPWHY_NS_UNKNOWN };

    if (log->n == 0 || log->n > MOST_RECORDS || !tw_record_is(&log->record[0], TW_SYN))
        return false;
    for (uint32_t i = 0; i < log->n && !r.heard; i++) {
        if (log->record[i].frame_class == TCPWHY_CLASS_DUPLICATE_FRAME)
            continue;
        if (log->record[i].from == TCPWHY_CLIENT)
            take_client(&r, &log->record[i]);
        else
            take_server(&r, &log->record[i]);
    }
    return !r.heard && r.again_ns != TCPWHY_NS_UNKNOWN &&
           r.again_ns - r.asked_ns > SYN_ACK_TIMER_NS;
}
