/* SPDX-License-Identifier: MIT */
#include "explain/loss/offload_loss.h"

#include <glib.h>

#include "explain/thresholds.h"

/* Frames of a kind that are looked at: a driver loses all of them, or hardly any. */
#define LOOKED (TW_MANY * TW_FEWEST)

struct frames {
    uint32_t sent, lost;
};

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

uint32_t tw_offload_losses(const struct tw_sender_timeline *x)
{
    struct frames single = { 0, 0 }, several = { 0, 0 };

    for (uint32_t i = 0; i < x->n && single.sent + several.sent < 2 * LOOKED; i++) {
        const struct tw_send *s = &x->send[i];
        struct frames *f = s->len > x->mss_bytes ? &several : &single;

        if (!(s->is & TW_SEND_FRESH) || s->len < x->mss_bytes || f->sent >= LOOKED)
            continue;
        f->sent++;
        f->lost += is_lost(x, i);
    }
    return several.sent >= TW_MANY && several.lost == several.sent && single.sent >= TW_MANY &&
                   single.lost * TW_QUARTER <= single.sent
               ? several.lost
               : 0;
}
