/* SPDX-License-Identifier: MIT */
/*
 * Requests that the server's host took and nobody answered, each until its client asked again on
 * the same connection.
 */
#include "failures/kind.h"

struct waits {
    tcpwhy_ns shortest_ns, longest_ns, in_all_ns;
    uint32_t n;
};

static void add(struct waits *w, tcpwhy_ns ns)
{
    w->shortest_ns = MIN(w->shortest_ns, ns);
    w->longest_ns = MAX(w->longest_ns, ns);
    w->in_all_ns += ns;
    w->n++;
}

/* The last request, too, if the client closed without an answer. */
static uint32_t closed_behind(const struct tw_cut *cut)
{
    const uint32_t end = MIN(cut->fin[cut->asker], cut->rst[cut->asker]);

    return cut->open && end != TW_NO_RECORD && end > cut->request_end &&
                   tw_cut_closed_unasked(cut, cut->asker)
               ? end
               : TW_NO_RECORD;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchange *e = cut->exchanges->exchange, *first = NULL;
    const uint32_t closed = closed_behind(cut);
    struct waits waits = { .shortest_ns = INT64_MAX };

    for (uint32_t i = 0; i + 1 < cut->exchanges->n; i++) {
        if (!e[i].lapsed)
            continue;
        if (!first)
            first = &e[i];
        add(&waits, tw_cut_between(cut, e[i].request_last, e[i + 1].request_first));
    }
    if (!first)
        return false;
    if (closed != TW_NO_RECORD)
        add(&waits, tw_cut_between(cut, cut->request_end, closed));
    tw_failure_begin(out, TCPWHY_FAILURE_REQUEST_UNANSWERED, TCPWHY_FAILED_REQUEST,
                     TCPWHY_SEEN_TIMEOUT);
    out->confidence = first->framed ? TCPWHY_CERTAIN : TCPWHY_LIKELY;
    out->who = first->asker == TCPWHY_CLIENT ? TCPWHY_BY_SERVER : TCPWHY_BY_CLIENT;
    out->time_ns = cut->log->record[first->request_last].time_ns;
    out->after_ns = waits.in_all_ns;
    tw_failure_frame(out, cut, first->request_last);
    tw_failure_frame(out, cut, first[1].request_first);
    tw_failure_frame(out, cut, closed);
    tw_failure_clue(out, TW_CLUE_UNANSWERED, waits.n, cut->exchanges->n);
    tw_failure_clue(out, TW_CLUE_ASKED_AGAIN, (double)waits.shortest_ns / 1e6,
                    (double)waits.longest_ns / 1e6);
    tw_failure_clue(out, TW_CLUE_ACKED, 0, 0);
    return true;
}

const struct tw_failure_detector tw_failure_request_unanswered = {
    .kind = TCPWHY_FAILURE_REQUEST_UNANSWERED,
    .find = find,
};
