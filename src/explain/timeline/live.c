/* SPDX-License-Identifier: MIT */
#include "explain/timeline/live.h"

#include <glib.h>

#include "base/clock_step.h"
#include "base/select.h"
#include "explain/model/rounds_parts.h"
#include "explain/thresholds.h"

struct pieces {
    tcpwhy_ns *every_ns; /* from the beginning of each to that of the next */
    uint32_t n, differ;  /* of the n: in size from the one before */
    uint32_t answers;    /* silences that the other program's data ended */
};

static bool ends_silence(const struct tw_context *context, const struct tw_send *s)
{
    return s->is & TW_SEND_FRESH &&
           s->sent_ns - s[-1].sent_ns >
               MAX(TW_WORTH_NS, tw_min_rtt_ns(&context->vantage) / TW_SHORT_SHARE);
}

static bool is_answer(const struct tw_sender_timeline *x, const struct tw_send *s)
{
    return x->record[s->record].ack > x->record[s[-1].record].ack;
}

static bool is_released(const struct tw_sender_timeline *x, const struct tw_send *s)
{
    return s->moved_record != TW_NO_RECORD && tw_leaves_promptly(x, s, s->sent_ns - s[-1].sent_ns);
}

static void cut(const struct tw_context *context, const struct tw_sender_timeline *x,
                struct pieces *out)
{
    const struct tw_send *begun = NULL;
    int64_t bytes = 0;

    for (const struct tw_send *s = x->send + 1, *end = x->send + x->n; s < end; s++) {
        if (!ends_silence(context, s))
            continue;
        out->answers += is_answer(x, s);
        if (is_answer(x, s) || is_released(x, s))
            continue;
        if (begun) {
            int64_t before = bytes;

            bytes = tw_send_seq(s) - tw_send_seq(begun);
            out->differ += bytes != before;
            out->every_ns[out->n++] = s->sent_ns - begun->sent_ns;
        }
        begun = s;
    }
}

/* Are the intervals between pieces equal, and do pieces come for as long as the sender sends?
 * (Otherwise they are the end of a message.) Timers differ by a tick. An ACK that comes just when a
 * piece begins hides it: the next one is two intervals later. */
static bool are_equal(const struct pieces *p, tcpwhy_ns all_ns, tcpwhy_ns clock_step_ns)
{
    tcpwhy_ns usual_ns = tw_select_ns(p->every_ns, p->n, p->n / 2), rest_ns = all_ns;
    uint32_t unequal = 0, others = 0;

    if (usual_ns < TW_QUARTER * TW_CLOCK_TOLD_STEPS * clock_step_ns)
        return false; /* the steps of the capture's clock are as equal */
    for (uint32_t i = 0; i < p->n; i++) {
        tcpwhy_ns times = (p->every_ns[i] + usual_ns / 2) / usual_ns;
        bool fits = TW_QUARTER * ABS(p->every_ns[i] - times * usual_ns) <= usual_ns;

        unequal += !fits || times != 1;
        others += !fits;
        rest_ns -= fits ? p->every_ns[i] : 0;
    }
    return rest_ns <= all_ns / TW_EXCEPTIONS_SHARE && unequal <= p->n / TW_QUARTER &&
           others <= p->n / TW_EXCEPTIONS_SHARE;
}

enum tw_live tw_live_find(const struct tw_context *context, enum tcpwhy_side side)
{
    const struct tw_sender_timeline *x = &context->sends[side];
    struct pieces pieces = { 0 };
    enum tw_live found = TW_LIVE_NO;

    if (!x->heard || x->n <= TW_MANY)
        return TW_LIVE_NO;
    pieces.every_ns = tw_scratch_get(context->scratch, x->n, sizeof *pieces.every_ns);
    cut(context, x, &pieces);
    if (pieces.n >= TW_MANY && pieces.answers <= pieces.n / TW_EXCEPTIONS_SHARE &&
        are_equal(&pieces, x->send[x->n - 1].sent_ns - x->send[0].sent_ns,
                  context->log->clock_step_ns))
        found = 2 * pieces.differ >= pieces.n ? TW_LIVE_PIECES : TW_LIVE_BLOCKS;
    tw_scratch_return(context->scratch, pieces.every_ns);
    return found;
}
