/* SPDX-License-Identifier: MIT */
/*
 * A RST in the midst of an answer, of the side that sends or of somebody else in either name; or of
 * the side that receives an upload of an unknown protocol.
 */
#include "explain/thresholds.h"
#include "failures/kind.h"
#include "failures/rst_origin.h"

/* A single partial segment with PSH may be a complete message (RFC 9293, 3.9.1.2), after which its
 * sender closes. */
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

static bool find_answer(const struct tw_cut *cut, struct tw_failure *out)
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

/* A test of iperf3 ends by its time, and its server closes while data comes. Each of its
 * connections begins with a cookie (iperf_api.h: COOKIE_SIZE), in a segment of its own. */
#define IPERF3_COOKIE 37

static bool may_be_test(const struct tw_cut *cut)
{
    return cut->log->record[cut->request].len == IPERF3_COOKIE;
}

/* Data was under way that was never acknowledged: who sent it had not come to an end. */
static bool find_upload(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchange *e = cut->open;
    const enum tcpwhy_side receiver = tw_other(cut->asker);
    const struct tw_record *rst = tw_cut_record(cut, cut->rst[receiver]);

    if (!e || !rst || e->framed || cut->fin[receiver] != TW_NO_RECORD ||
        cut->acked[cut->asker] >= cut->sent[cut->asker] ||
        cut->acked[cut->asker] <= e->request_from || cut->rst[receiver] < cut->request ||
        may_be_test(cut) || tw_cut_closed_unasked(cut, cut->asker))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_TRANSFER_RESET, TCPWHY_FAILED_TRANSFER, TCPWHY_SEEN_RESET);
    out->confidence = TCPWHY_LIKELY;
    out->time_ns = rst->time_ns;
    out->after_ns = tw_cut_between(cut, cut->request, cut->rst[receiver]);
    tw_failure_frame(out, cut, cut->request);
    tw_failure_frame(out, cut, cut->rst[receiver]);
    tw_failure_clue(out, TW_CLUE_UPLOADED, (double)(cut->acked[cut->asker] - e->request_from), 0);
    tw_rst_origin(cut, cut->rst[receiver], TW_NO_RECORD, out);
    return true;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    return cut->open ? find_upload(cut, out) : find_answer(cut, out);
}

const struct tw_failure_detector tw_failure_transfer_reset = {
    .kind = TCPWHY_FAILURE_TRANSFER_RESET,
    .find = find,
};
