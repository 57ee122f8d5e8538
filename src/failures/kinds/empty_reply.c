/* SPDX-License-Identifier: MIT */
/*
 * The server closes in order, and has not answered the request that it has: an empty reply.
 */
#include "failures/kind.h"

/* Without message boundaries the last message may be a goodbye. */
static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    enum tcpwhy_side server = tw_other(cut->asker);
    const struct tw_record *fin = tw_cut_record(cut, cut->fin[server]);
    const struct tw_record *request = tw_cut_record(cut, cut->request_end);

    if (!fin || !request || !cut->open->framed || fin->ack < cut->open->request_to ||
        cut->fin[server] < cut->request_end || tw_cut_closed_unasked(cut, cut->asker))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_EMPTY_REPLY, TCPWHY_FAILED_REQUEST,
                     TCPWHY_SEEN_END_OF_FILE);
    out->who = TCPWHY_BY_SERVER;
    out->time_ns = fin->time_ns;
    out->after_ns = fin->time_ns - request->time_ns;
    tw_failure_frame(out, cut, cut->request);
    tw_failure_frame(out, cut, cut->fin[server]);
    tw_failure_clue(out, TW_CLUE_ACKED, 0, 0);
    tw_failure_clue(out, TW_CLUE_KNOWN_TIMEOUT, (double)out->after_ns / 1e9, 0);
    return true;
}

const struct tw_failure_detector tw_failure_empty_reply = {
    .kind = TCPWHY_FAILURE_EMPTY_REPLY,
    .find = find,
};
