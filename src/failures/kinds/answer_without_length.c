/* SPDX-License-Identifier: MIT */
/*
 * An answer that ends where its server closes, and the server closes late, or never: then its
 * client leaves.
 */
#include <glib.h>

#include "failures/kind.h"

/* A server that means the close as the end closes at once. */
#define LEAST_WAIT TCPWHY_MS(500)

/* The close that ended the wait: the server's FIN, or that of a client that stopped waiting for the
 * end of an answer of a known protocol. */
static uint32_t end_of_wait(const struct tw_cut *cut, enum tcpwhy_side server, bool known)
{
    enum tcpwhy_side client = tw_other(server);
    uint32_t left = MIN(cut->fin[client], cut->rst[client]);

    if (left < cut->fin[server] || tw_cut_closed_unasked(cut, client))
        return known ? left : TW_NO_RECORD;
    return cut->fin[server];
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchanges *all = cut->exchanges;
    const struct tw_exchange *e = all->n > 0 ? &all->exchange[all->n - 1] : NULL;
    enum tcpwhy_side server;
    uint32_t end, last;

    if (!e || !e->to_close || e->at_will || e->stands || cut->open)
        return false;
    server = e->asker == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;
    end = end_of_wait(cut, server, e->status > 0);
    last = cut->data[server];
    if (end == TW_NO_RECORD || last == TW_NO_RECORD || last > end ||
        (cut->data[e->asker] != TW_NO_RECORD && cut->data[e->asker] > last) ||
        tw_cut_between(cut, last, end) < LEAST_WAIT)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_ANSWER_WITHOUT_LENGTH, TCPWHY_FAILED_TRANSFER,
                     end == cut->fin[server] ? TCPWHY_SEEN_DELAY : TCPWHY_SEEN_TIMEOUT);
    out->who = server == TCPWHY_SERVER ? TCPWHY_BY_SERVER : TCPWHY_BY_CLIENT;
    out->confidence = TCPWHY_LIKELY;
    out->time_ns = cut->log->record[last].time_ns;
    tw_failure_waited(out, cut, last, end);
    return true;
}

const struct tw_failure_detector tw_failure_answer_without_length = {
    .kind = TCPWHY_FAILURE_ANSWER_WITHOUT_LENGTH,
    .find = find,
};
