/* SPDX-License-Identifier: MIT */
#include "explain/loss/offload_loss.h"

#include <glib.h>

#include "explain/thresholds.h"

/* Frames of a kind that are looked at: a driver loses all of them, or hardly any. */
#define LOOKED (TW_MANY * TW_FEWEST)

/* Was all of it needed again? Of a long frame, any path loses a part now and then. */
static bool is_lost(const struct tw_sender_timeline *x, uint32_t index)
{
    const struct tw_send *s = &x->send[index];
    int64_t bytes = 0;

    for (uint32_t i = index + 1; i < x->n && i - index < TW_NEAR_RECORDS; i++) {
        const struct tw_send *again = &x->send[i];

        if (again->is & TW_SEND_REPEAT && !(again->is & TW_SEND_SPURIOUS))
            bytes += MAX(0, MIN(again->end, s->end) - MAX(tw_send_seq(again), tw_send_seq(s)));
        if (bytes >= s->len)
            return true;
    }
    return false;
}

/* Full frames of one segment, or of several, that were lost; 0: too few were sent. One of several
 * that passed is enough. */
static uint32_t count_lost(const struct tw_sender_timeline *x, bool several, uint32_t *sent)
{
    uint32_t lost = 0;

    *sent = 0;
    for (uint32_t i = 0; i < x->n && i < TW_FAR_RECORDS && *sent < LOOKED; i++) {
        const struct tw_send *s = &x->send[i];

        if (!(s->is & TW_SEND_FRESH) || s->len < x->mss_bytes || (s->len > x->mss_bytes) != several)
            continue;
        ++*sent;
        if (is_lost(x, i))
            lost++;
        else if (several)
            return 0;
    }
    return *sent >= TW_MANY ? lost : 0;
}

uint32_t tw_offload_losses(const struct tw_sender_timeline *x)
{
    uint32_t several, singles, lost = count_lost(x, true, &several), others;

    if (lost == 0)
        return 0;
    others = count_lost(x, false, &singles);
    return singles >= TW_MANY && others * TW_QUARTER <= singles ? lost : 0;
}
