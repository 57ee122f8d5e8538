/* SPDX-License-Identifier: MIT */
/*
 * A RST of the side that sends, or of somebody else in either name, in the midst of an answer.
 */
#include "explain/thresholds.h"
#include "failures/kind.h"
#include "failures/rst_origin.h"

/* One segment that is not full, and pushed, is a whole message as far as can be seen (RFC 9293,
 * 3.9.1.2): its sender closes behind it. */
static bool may_be_whole(const struct tw_cut *cut, const struct tw_exchange *e)
{
    const struct tw_record *r = tw_cut_record(cut, e->response_first);

    return !e->framed && r->flags & TW_PSH && r->len < TW_SMALLEST_MSS &&
           e->response_to - e->response_from == r->len;
}

/* The RST that ends it: one in the server's name, or one of somebody else in the client's. A
 * client's own says that it left. */
static uint32_t reset_of(const struct tw_cut *cut, enum tcpwhy_side client)
{
    const enum tcpwhy_side server = tw_other(client);

    if (cut->fin[server] != TW_NO_RECORD)
        return TW_NO_RECORD;
    if (cut->rst[server] != TW_NO_RECORD && !tw_cut_closed_unasked(cut, client))
        return cut->rst[server];
    return cut->fin[client] > cut->rst[client] && cut->rst[client] < cut->rst[server] &&
                   tw_rst_is_foreign(cut, cut->rst[client])
               ? cut->rst[client]
               : TW_NO_RECORD;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchange *e = cut->part;
    uint32_t reset;
    const struct tw_record *rst;

    if (!e || cut->open || e->at_will || e->response_first >= cut->log->n || may_be_whole(cut, e))
        return false;
    reset = reset_of(cut, e->asker);
    rst = tw_cut_record(cut, reset);
    if (!rst)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_TRANSFER_RESET, TCPWHY_FAILED_TRANSFER, TCPWHY_SEEN_RESET);
    out->confidence = e->framed ? TCPWHY_CERTAIN : TCPWHY_LIKELY;
    out->time_ns = rst->time_ns;
    out->after_ns = tw_cut_between(cut, e->response_first, reset);
    tw_failure_frame(out, cut, e->response_first);
    tw_failure_frame(out, cut, reset);
    tw_failure_clue(out, TW_CLUE_RECEIVED, (double)tw_cut_received(cut, e), e->status);
    tw_rst_origin(cut, reset, TW_NO_RECORD, out);
    return true;
}

const struct tw_failure_detector tw_failure_transfer_reset = {
    .kind = TCPWHY_FAILURE_TRANSFER_RESET,
    .find = find,
};
