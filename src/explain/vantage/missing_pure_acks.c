/* SPDX-License-Identifier: MIT */
#include "explain/vantage/missing_pure_acks.h"

#include "explain/thresholds.h"

/* Data of one side since the last frame of the other. */
struct monologue {
    tcpwhy_ns since_ns;
    int64_t since; /* offset */
    uint8_t from;
    bool begun, repeats;
};

/* ACKs are delayed by at most half a second (RFC 9293, 3.8.6.3): was one due within this? Data that
 * did not arrive may have been retransmitted instead (RFC 6298). */
static bool shows_lack(struct monologue *m, const struct tw_record *r)
{
    if (!m->begun || m->from != r->from)
        *m = (struct monologue) {
            .since_ns = r->time_ns, .since = r->seq, .from = r->from, .begun = true
        };
    m->repeats |= r->frame_class != TCPWHY_CLASS_DATA;
    return tw_record_end(r) - m->since > TW_UNSCALED_WINDOW ||
           (!m->repeats && r->time_ns - m->since_ns > TW_FORBIDDEN_DELAY_NS);
}

/* The ACK that ends a handshake covers only the SYN: a filter drops it with the others, but a
 * capture without pure ACKs may hold it. */
static bool ends_handshake(const struct tw_record *r)
{
    return r->from == TCPWHY_CLIENT && r->seq == 1 && r->ack == 1;
}

enum tw_pure_acks tw_look_for_pure_acks(const struct tw_log *log)
{
    struct monologue m = { 0 };
    uint32_t n_segments = 0;
    bool opened = false, acked = false, lacks = false;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (tw_record_is_pure_ack(r)) {
            if (!opened || acked || !ends_handshake(r))
                return TW_ACKS_THERE;
            acked = true;
            continue;
        }
        opened |= tw_record_is(r, TW_SYN | TW_ACK);
        n_segments += r->len > 0;
        lacks |= shows_lack(&m, r);
    }
    if (lacks || (opened && !acked && n_segments >= TW_MANY))
        return TW_ACKS_LACKING;
    return acked ? TW_ACKS_THERE : TW_ACKS_ABSENT;
}
