/* SPDX-License-Identifier: MIT */
/*
 * The server answers and closes before it has read the whole request: its kernel resets what still
 * comes (RFC 2525, section 2.17), and the RST may destroy the answer in the client's buffer.
 */
#include <glib.h>

#include "failures/kind.h"
#include "failures/rst_origin.h"

/* Bytes of the request that the server had not acknowledged when it began to answer. */
static int64_t late_bytes(const struct tw_cut *cut, const struct tw_exchange *e)
{
    int64_t read = 0;

    for (uint32_t i = 0; i <= e->response_first; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from == (uint8_t)tw_other(e->asker) && r->ack > read)
            read = r->ack;
    }
    return (e->framed ? MIN(cut->sent[e->asker], e->request_to) : cut->sent[e->asker]) - read;
}

/* Without message boundaries a goodbye may come late; it is shorter than this. */
#define LEAST_BYTES 1000

/* A client that took all of the answer and then closed had read it. */
static bool was_read(const struct tw_cut *cut, const struct tw_exchange *e)
{
    const struct tw_record *fin = tw_cut_record(cut, cut->fin[e->asker]);
    const struct tw_record *end = tw_cut_record(cut, cut->fin[!e->asker]);

    return fin && end && cut->fin[e->asker] < cut->rst[!e->asker] && fin->ack >= tw_record_end(end);
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchange *e = cut->last;
    enum tcpwhy_side server;
    const struct tw_record *rst;
    int64_t late;

    if (!e || cut->open || e->at_will || e->response_first >= cut->log->n)
        return false;
    server = tw_other(e->asker);
    rst = tw_cut_record(cut, cut->rst[server]);
    late = late_bytes(cut, e);
    if (!rst || late < (e->framed ? 1 : LEAST_BYTES) || tw_cut_closed_unasked(cut, e->asker) ||
        e->request_to <= e->request_from || was_read(cut, e))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_BODY_UNREAD, TCPWHY_FAILED_REQUEST, TCPWHY_SEEN_RESET);
    out->confidence = e->framed ? TCPWHY_CERTAIN : TCPWHY_LIKELY;
    out->time_ns = rst->time_ns;
    out->after_ns = rst->time_ns - cut->log->record[e->response_first].time_ns;
    tw_failure_frame(out, cut, e->response_first);
    tw_failure_frame(out, cut, cut->rst[server]);
    tw_failure_clue(out, TW_CLUE_UNREAD, (double)late, e->status);
    tw_rst_origin(cut, cut->rst[server], TW_NO_RECORD, out);
    return true;
}

const struct tw_failure_detector tw_failure_body_unread = {
    .kind = TCPWHY_FAILURE_BODY_UNREAD,
    .find = find,
};
