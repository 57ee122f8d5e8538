/* SPDX-License-Identifier: MIT */
/*
 * The server says in clear why it ends the connection, and ends it.
 */
#include "failures/kind.h"

/* More than a login was answered. */
#define LEAST_TURNS 2

#define BAD_REQUEST 400 /* RFC 9110, 15.5.1 */

/* A client that goes on to ask was not turned away by it. */
static bool asks_on(const struct tw_cut *cut, enum tcpwhy_side client, uint32_t frame)
{
    const struct tw_record *last = tw_cut_record(cut, cut->data[client]);

    return last && last->frame > frame;
}

/* A server that does not expect the PROXY protocol takes its header for a bad request. */
static bool dislikes_header(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchanges *all = cut->exchanges;
    const struct tw_exchange *e = all->exchange;
    uint32_t end;

    if (all->facts->proxy_frame == 0 || all->n != 1 || e->status != BAD_REQUEST ||
        e->request_first == TW_NO_RECORD || e->response_first == TW_NO_RECORD)
        return false;
    end = MIN(cut->fin[!e->asker], cut->rst[!e->asker]);
    if (end == TW_NO_RECORD || !tw_cut_closed_unasked(cut, tw_other(e->asker)))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_DISMISSED, TCPWHY_FAILED_REQUEST,
                     TCPWHY_SEEN_SERVER_ERROR);
    out->confidence = TCPWHY_LIKELY;
    out->who = e->asker == TCPWHY_CLIENT ? TCPWHY_BY_SERVER : TCPWHY_BY_CLIENT;
    out->name = "400 Bad Request";
    out->time_ns = cut->log->record[e->response_first].time_ns;
    out->after_ns = tw_cut_between(cut, e->request_first, e->response_first);
    tw_failure_frame(out, cut, e->request_first);
    tw_failure_frame(out, cut, e->response_first);
    tw_failure_frame(out, cut, end);
    return true;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_app_facts *facts = cut->exchanges->facts;
    enum tcpwhy_side server =
        tw_other(cut->exchanges->n > 0 ? cut->exchanges->exchange[0].asker : TCPWHY_CLIENT);
    const struct tw_record *last = tw_cut_record(cut, cut->data[server]);
    uint32_t end = cut->fin[server] < cut->rst[server] ? cut->fin[server] : cut->rst[server];

    if (facts && dislikes_header(cut, out))
        return true;
    if (!facts || !facts->parting || !last || last->frame > facts->parting_frame ||
        end == TW_NO_RECORD || cut->log->record[end].time_ns - facts->parting_ns >= TW_LEAST_IDLE ||
        asks_on(cut, tw_other(server), facts->parting_frame) ||
        tw_cut_closed_unasked(cut, tw_other(server)))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_DISMISSED,
                     cut->open                       ? TCPWHY_FAILED_REQUEST
                     : cut->n_answered < LEAST_TURNS ? TCPWHY_FAILED_CONNECT
                                                     : TCPWHY_FAILED_IDLE,
                     TCPWHY_SEEN_SERVER_ERROR);
    out->who = server == TCPWHY_SERVER ? TCPWHY_BY_SERVER : TCPWHY_BY_CLIENT;
    out->name = facts->parting;
    out->time_ns = facts->parting_ns;
    out->after_ns = out->time_ns - cut->log->record[0].time_ns;
    tw_failure_frame_number(out, facts->parting_frame);
    tw_failure_frame(out, cut, end);
    return true;
}

const struct tw_failure_detector tw_failure_dismissed = {
    .kind = TCPWHY_FAILURE_DISMISSED,
    .find = find,
};
