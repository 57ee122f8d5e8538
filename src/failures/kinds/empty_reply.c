/* SPDX-License-Identifier: MIT */
/*
 * The server closes in order, and has not answered the request that it has: an empty reply.
 */
#include <string.h>

#include "failures/kind.h"

/* The client's FIN follows its HTTP request sooner than any response can come: it has no more to
 * send, but still receives (RFC 9293, 3.6), and proxies take it for leaving. */
static bool half_closes(const struct tw_cut *cut)
{
    const struct tw_record *fin = tw_cut_record(cut, cut->fin[cut->asker]);

    return fin && strcmp(cut->open->protocol, "http") == 0 &&
           cut->rst[cut->asker] == TW_NO_RECORD && cut->fin[cut->asker] >= cut->request_end &&
           fin->time_ns - cut->log->record[cut->request_end].time_ns < cut->vantage->rtt_min_ns;
}

/* Without message boundaries the last message may be a goodbye. A server that sends the request is
 * out of scope. */
static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    enum tcpwhy_side server = tw_other(cut->asker);
    const struct tw_record *fin = tw_cut_record(cut, cut->fin[server]);
    const struct tw_record *request = tw_cut_record(cut, cut->request_end);
    bool left = tw_cut_closed_unasked(cut, cut->asker);

    if (cut->asker != TCPWHY_CLIENT || !fin || !request || !cut->open->framed ||
        fin->ack < cut->open->request_to || cut->fin[server] < cut->request_end ||
        (left && !half_closes(cut)))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_EMPTY_REPLY, TCPWHY_FAILED_REQUEST,
                     TCPWHY_SEEN_END_OF_FILE);
    out->who = TCPWHY_BY_SERVER;
    if (left) {
        out->who = TCPWHY_BY_CLIENT;
        out->confidence = TCPWHY_LIKELY;
    }
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
