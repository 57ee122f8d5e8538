/* SPDX-License-Identifier: MIT */
/*
 * Both receive windows are closed, both sides have more to send, and neither window opens: two
 * programs that write before they read.
 */
#include "failures/kind.h"
#include "failures/silence.h"

/* A side's receive window, and the other side's probes of it. */
struct window {
    uint32_t closed; /* the record since which it is 0; TW_NO_RECORD: it is not */
    uint32_t probes; /* since both are */
};

static void take(struct window w[2], const struct tw_record *r, uint32_t i)
{
    struct window *own = &w[r->from];

    if (r->window_bytes > 0) {
        *own = (struct window) { TW_NO_RECORD, 0 };
        w[!r->from].probes = 0;
        return;
    }
    if (own->closed == TW_NO_RECORD)
        own->closed = i;
    w[!r->from].probes += r->frame_class == TCPWHY_CLASS_WINDOW_PROBE &&
                          own->closed != TW_NO_RECORD && w[!r->from].closed != TW_NO_RECORD;
}

/* A program may be busy for a while; a kernel probes more and more slowly. */
static bool is_stuck(const struct tw_cut *cut, const struct window w[2], uint32_t since,
                     uint32_t end)
{
    return w[0].probes > 0 && w[1].probes > 0 && tw_cut_between(cut, since, end) >= TW_SILENCE_NS;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const uint32_t closes = MIN(MIN(cut->fin[0], cut->fin[1]), MIN(cut->rst[0], cut->rst[1])),
                   end = MIN(closes, cut->log->n - 1);
    struct window w[2] = { { TW_NO_RECORD, 0 }, { TW_NO_RECORD, 0 } };
    uint32_t since;

    if (!(cut->classes & 1u << TCPWHY_CLASS_WINDOW_PROBE))
        return false;
    for (uint32_t i = 0; i < cut->log->n && i < closes; i++)
        if (cut->log->record[i].flags & TW_ACK && !(cut->log->record[i].flags & TW_RST))
            take(w, &cut->log->record[i], i);
    if (w[0].closed == TW_NO_RECORD || w[1].closed == TW_NO_RECORD)
        return false;
    since = MAX(w[0].closed, w[1].closed);
    if (!is_stuck(cut, w, since, end))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_WRITE_DEADLOCK, TCPWHY_FAILED_TRANSFER,
                     TCPWHY_SEEN_TIMEOUT);
    out->confidence = closes == TW_NO_RECORD ? TCPWHY_LIKELY : TCPWHY_CERTAIN;
    out->who = TCPWHY_BY_BOTH;
    out->time_ns = cut->log->record[since].time_ns;
    out->after_ns = tw_cut_between(cut, since, end);
    tw_failure_frame(out, cut, w[0].closed);
    tw_failure_frame(out, cut, w[1].closed);
    tw_failure_frame(out, cut, end);
    tw_failure_clue(out, TW_CLUE_BOTH_CLOSED, w[1].probes, w[0].probes);
    return true;
}

const struct tw_failure_detector tw_failure_write_deadlock = {
    .kind = TCPWHY_FAILURE_WRITE_DEADLOCK,
    .find = find,
};
