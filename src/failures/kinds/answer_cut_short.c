/* SPDX-License-Identifier: MIT */
/*
 * The server closes before the answer has the length that it announced, or its last chunk.
 */
#include "failures/kind.h"

/* Bytes missing from the capture were not withheld by the server. */
static bool has_holes(const struct tw_cut *cut, enum tcpwhy_side server)
{
    return cut->connection->side[server].holes.n > 0;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchange *e = cut->part;
    enum tcpwhy_side server;
    const struct tw_record *fin;

    if (!e || !e->framed || e->at_will || cut->open)
        return false;
    server = tw_other(e->asker);
    fin = tw_cut_record(cut, cut->fin[server]);
    if (!fin || has_holes(cut, server) || fin->seq > e->response_to ||
        e->response_first >= cut->fin[server] || tw_cut_closed_unasked(cut, e->asker))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_ANSWER_CUT_SHORT, TCPWHY_FAILED_TRANSFER,
                     TCPWHY_SEEN_SHORT_READ);
    out->who = TCPWHY_BY_SERVER;
    out->time_ns = fin->time_ns;
    out->after_ns = tw_cut_between(cut, e->response_first, cut->fin[server]);
    tw_failure_frame(out, cut, e->response_first);
    tw_failure_frame(out, cut, cut->fin[server]);
    tw_failure_clue(out, TW_CLUE_RECEIVED, (double)tw_cut_received(cut, e), e->status);
    return true;
}

const struct tw_failure_detector tw_failure_answer_cut_short = {
    .kind = TCPWHY_FAILURE_ANSWER_CUT_SHORT,
    .find = find,
};
