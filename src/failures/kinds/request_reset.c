/* SPDX-License-Identifier: MIT */
/*
 * A request is answered by a RST instead of an answer.
 */
#include "failures/kind.h"
#include "failures/rst_origin.h"

/* A longer message of an unknown protocol is an upload: no answer is due. */
#define LONGEST_QUESTION 16384

static bool asks(const struct tw_cut *cut)
{
    return tw_cut_is_dialog(cut, 1) ||
           cut->open->request_to - cut->open->request_from <= LONGEST_QUESTION;
}

/* The end of the request; its beginning if its sender went on behind the RST. */
static const struct tw_record *reset_part(const struct tw_cut *cut, enum tcpwhy_side server)
{
    return tw_cut_record(cut,
                         cut->rst[server] < cut->request_end ? cut->request : cut->request_end);
}

static bool was_acknowledged(const struct tw_cut *cut, const struct tw_record *part)
{
    return cut->acked[cut->asker] >= MIN(cut->open->request_to, tw_record_end(part));
}

/* Did who sent the RST know of the request? With an ACK before its end it may have left unasked. */
static bool answers_it(const struct tw_cut *cut, const struct tw_record *rst)
{
    return !(rst->flags & TW_ACK) || rst->ack >= cut->open->request_to;
}

/* A middlebox resets the connection in the asker's name, too, or only so. */
static bool find_in_askers_name(const struct tw_cut *cut, struct tw_failure *out)
{
    const uint32_t reset = cut->rst[cut->asker];
    const struct tw_record *rst = tw_cut_record(cut, reset);

    if (!rst || reset < cut->request_end || !asks(cut) || cut->fin[cut->asker] < reset ||
        cut->fin[!cut->asker] < reset || cut->rst[!cut->asker] < reset ||
        !tw_rst_is_foreign(cut, reset))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_REQUEST_RESET, TCPWHY_FAILED_REQUEST, TCPWHY_SEEN_RESET);
    out->time_ns = rst->time_ns;
    out->after_ns = tw_cut_between(cut, cut->request_end, reset);
    tw_failure_frame(out, cut, cut->request);
    tw_failure_frame(out, cut, reset);
    tw_rst_origin(cut, reset, TW_NO_RECORD, out);
    if (!cut->open->framed)
        out->confidence = TCPWHY_LIKELY;
    return true;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    enum tcpwhy_side server = tw_other(cut->asker);
    const struct tw_record *request = reset_part(cut, server);
    const struct tw_record *rst = tw_cut_record(cut, cut->rst[server]);

    if (!request || !rst || rst->time_ns < request->time_ns || !asks(cut) ||
        cut->fin[server] < cut->rst[server] || tw_cut_closed_unasked(cut, cut->asker))
        return request && find_in_askers_name(cut, out);
    tw_failure_begin(out, TCPWHY_FAILURE_REQUEST_RESET, TCPWHY_FAILED_REQUEST, TCPWHY_SEEN_RESET);
    out->time_ns = rst->time_ns;
    out->after_ns = rst->time_ns - request->time_ns;
    tw_failure_frame(out, cut, cut->request);
    tw_failure_frame(out, cut, cut->rst[server]);
    tw_failure_clue(out, was_acknowledged(cut, request) ? TW_CLUE_ACKED : TW_CLUE_NOT_ACKED, 0, 0);
    tw_rst_origin(cut, cut->rst[server], answers_it(cut, rst) ? cut->request_end : TW_NO_RECORD,
                  out);
    tw_cut_tell_hello(cut, out);
    if (!cut->open->framed)
        out->confidence = TCPWHY_LIKELY;
    return true;
}

const struct tw_failure_detector tw_failure_request_reset = {
    .kind = TCPWHY_FAILURE_REQUEST_RESET,
    .find = find,
};
