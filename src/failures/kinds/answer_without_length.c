/* SPDX-License-Identifier: MIT */
/*
 * An answer that ends where its server closes, and the server closes late.
 */
#include "failures/kind.h"

/* A server that means the close as the end closes at once. */
#define LEAST_WAIT TCPWHY_MS(500)

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchanges *all = cut->exchanges;
    const struct tw_exchange *e = all->n > 0 ? &all->exchange[all->n - 1] : NULL;
    enum tcpwhy_side server;
    uint32_t fin, last;

    if (!e || !e->to_close || cut->open)
        return false;
    server = e->asker == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;
    fin = cut->fin[server];
    last = cut->data[server];
    if (fin == TW_NO_RECORD || last == TW_NO_RECORD || cut->fin[e->asker] < fin ||
        cut->rst[e->asker] < fin || cut->data[e->asker] > last ||
        tw_cut_between(cut, last, fin) < LEAST_WAIT)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_ANSWER_WITHOUT_LENGTH, TCPWHY_FAILED_TRANSFER,
                     TCPWHY_SEEN_DELAY);
    out->who = server == TCPWHY_SERVER ? TCPWHY_BY_SERVER : TCPWHY_BY_CLIENT;
    out->confidence = TCPWHY_LIKELY;
    out->time_ns = cut->log->record[last].time_ns;
    tw_failure_waited(out, cut, last, fin);
    return true;
}

const struct tw_failure_detector tw_failure_answer_without_length = {
    .kind = TCPWHY_FAILURE_ANSWER_WITHOUT_LENGTH,
    .find = find,
};
