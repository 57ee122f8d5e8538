/* SPDX-License-Identifier: MIT */
/*
 * A request that holds its body until the server asks for it, and the server never does.
 */
#include "failures/kind.h"

/* Clients that wait at all wait longer: .NET 350 ms, curl and libcurl 1 s. */
#define LEAST_WAIT TCPWHY_MS(300)

struct held {
    uint32_t before, after; /* records around the pause; TW_NO_RECORD: none */
    tcpwhy_ns ns;
};

/* The first pause between new data of the asker, before any of the answerer. */
static struct held find_held(const struct tw_cut *cut, const struct tw_exchange *e)
{
    struct held held = { e->request_first, TW_NO_RECORD, 0 };

    for (uint32_t i = e->request_first + 1; i < cut->log->n; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME || r->len == 0)
            continue;
        if (r->from != (uint8_t)e->asker || r->seq >= e->request_to)
            return held;
        held.ns = tw_cut_between(cut, held.before, i);
        if (r->fresh > 0 && held.ns >= LEAST_WAIT) {
            held.after = i;
            return held;
        }
        held.before = i;
    }
    return held;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    struct held first = { TW_NO_RECORD, TW_NO_RECORD, 0 };
    tcpwhy_ns in_all_ns = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < cut->exchanges->n; i++) {
        const struct tw_exchange *e = &cut->exchanges->exchange[i];
        struct held held;

        if (!e->expects || e->request_first >= cut->log->n)
            continue;
        held = find_held(cut, e);
        if (held.after == TW_NO_RECORD)
            continue;
        in_all_ns += held.ns;
        if (n++ == 0)
            first = held;
    }
    if (n == 0)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_CONTINUE_AWAITED, TCPWHY_FAILED_REQUEST,
                     TCPWHY_SEEN_DELAY);
    out->who = TCPWHY_BY_SERVER;
    out->time_ns = cut->log->record[first.before].time_ns;
    out->after_ns = in_all_ns;
    tw_failure_frame(out, cut, first.before);
    tw_failure_frame(out, cut, first.after);
    tw_failure_clue(out, TW_CLUE_KNOWN_TIMEOUT, (double)first.ns / 1e9, 0);
    return true;
}

const struct tw_failure_detector tw_failure_continue_awaited = {
    .kind = TCPWHY_FAILURE_CONTINUE_AWAITED,
    .find = find,
};
