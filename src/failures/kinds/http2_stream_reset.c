/* SPDX-License-Identifier: MIT */
/*
 * RST_STREAM with an error (RFC 9113, 6.4): a request fails, and the connection continues.
 */
#include <string.h>

#include "failures/kind.h"

/* The request on that stream, or NULL. */
static const struct tw_exchange *request_of(const struct tw_exchanges *all, uint32_t stream)
{
    for (uint32_t i = 0; i < all->n; i++) {
        const struct tw_exchange *e = &all->exchange[i];

        if (e->more && all->more[e->more - 1].id == stream)
            return e;
    }
    return NULL;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_stream_resets *resets =
        cut->exchanges->facts ? &cut->exchanges->facts->resets : NULL;
    const struct tw_exchange *e;

    if (!resets || resets->n == 0)
        return false;
    e = request_of(cut->exchanges, resets->stream);
    if (!e)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_HTTP2_STREAM_RESET,
                     e->response_to > e->response_from ? TCPWHY_FAILED_TRANSFER
                                                       : TCPWHY_FAILED_REQUEST,
                     TCPWHY_SEEN_HTTP2_ERROR);
    out->who =
        resets->by_asker == (e->asker == TCPWHY_CLIENT) ? TCPWHY_BY_CLIENT : TCPWHY_BY_SERVER;
    out->name = resets->error;
    out->time_ns = resets->at_ns;
    tw_failure_frame(out, cut, e->request_first);
    if (e->request_first != TW_NO_RECORD)
        out->after_ns = resets->at_ns - cut->log->record[e->request_first].time_ns;
    tw_failure_frame_number(out, resets->frame);
    tw_failure_clue(out, TW_CLUE_STREAMS_RESET, resets->n, cut->exchanges->n);
    if (strcmp(resets->error, "REFUSED_STREAM") == 0)
        tw_failure_clue(out, TW_CLUE_REPEATABLE, 0, 0);
    return true;
}

const struct tw_failure_detector tw_failure_http2_stream_reset = {
    .kind = TCPWHY_FAILURE_HTTP2_STREAM_RESET,
    .find = find,
};
