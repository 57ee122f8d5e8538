/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm (RFC 896; Minshall's variant in Linux, tcp_nagle_check()): a partial segment
 * stays while an earlier partial one is unacknowledged.
 */
#include "explain/causes/nagle.h"

bool tw_held_by_nagle(const struct tw_wait *w)
{
    const struct tw_send *s = w->send;

    if (!s || !w->before || w->phase != TW_PHASE_MESSAGE || !s->fresh || !s->partial)
        return false;
    if (w->scene->sends[w->sender].nagle_off || !w->ack_released || !w->drained)
        return false;
    /* The segment before is what was waited for: partial, and not acknowledged when it went out. */
    return w->before->partial && !(tw_wait_record(w, w->before)->flags & TW_FIN);
}
