/* SPDX-License-Identifier: MIT */
#include "explain/sender/sws_avoidance.h"

#include "explain/sender/ack_index.h"
#include "explain/thresholds.h"

/* The last of the sends that left together with one, all partial. */
static const struct tw_send *last_together(const struct tw_sender_timeline *x,
                                           const struct tw_send *first)
{
    const struct tw_send *s = first, *end = x->send + x->n;

    while (s + 1 < end && s[1].sent_ns - s->sent_ns <= TW_HOST_NS &&
           s[1].end - tw_send_seq(first) < (int64_t)x->mss_bytes)
        s++;
    return s;
}

/* Without the handshake only a window of 0 is known; since windows do not shrink, the earlier one
 * ended there. */
static bool closes_window(const struct tw_log *log, const struct tw_sender_timeline *x,
                          const struct tw_send *s)
{
    uint32_t ack = tw_ack_find_near(log, (enum tcpwhy_side) !x->from, s->record + 1, s->end);

    return ack < log->n && log->record[ack].ack == s->end && log->record[ack].window_bytes == 0;
}

bool tw_sws_remainder_is_filled(const struct tw_log *log, const struct tw_sender_timeline *x,
                                uint32_t send)
{
    const struct tw_send *first = &x->send[send], *last;

    if (tw_send_fills_remainder(first))
        return true;
    if (!(first->is & TW_SEND_FRESH) || first->len == 0 || first->len >= x->mss_bytes)
        return false;
    last = last_together(x, first);
    return first->edge != INT64_MAX ? last->end == first->edge : closes_window(log, x, last);
}
