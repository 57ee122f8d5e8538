/* SPDX-License-Identifier: MIT */
/*
 * A request and the server's FIN pass each other: the FIN does not acknowledge the request, and the
 * request does not acknowledge the FIN, wherever the capture was taken. Both were under way at
 * once; a request that passed long before the FIN was lost, or swallowed. Or the FIN was in the
 * client's kernel already, and its program had not looked.
 */
#include "failures/kind.h"

/* Since the server's last data, which it closes behind; the ACKs of that come later. */
static tcpwhy_ns idle_before_fin(const struct tw_cut *cut, enum tcpwhy_side server)
{
    tcpwhy_ns last_ns = TCPWHY_NS_UNKNOWN;

    for (uint32_t i = 0; i < cut->fin[server] && i < cut->request; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if ((r->from == (uint8_t)server && r->len > 0) || last_ns == TCPWHY_NS_UNKNOWN)
            last_ns = r->time_ns;
    }
    return last_ns == TCPWHY_NS_UNKNOWN ? 0 : cut->log->record[cut->fin[server]].time_ns - last_ns;
}

/* The program wrote its request behind the FIN, too soon to have seen it, and no farewell. */
static bool overlooked(const struct tw_cut *cut, const struct tw_record *fin,
                       const struct tw_record *request)
{
    return request->ack >= tw_record_end(fin) && request->time_ns >= fin->time_ns &&
           request->time_ns - fin->time_ns < TW_SOON_BEHIND_FIN && cut->open && cut->open->framed;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    enum tcpwhy_side server = tw_other(cut->asker);
    const struct tw_record *fin = tw_cut_record(cut, cut->fin[server]);
    const struct tw_record *request = tw_cut_record(cut, cut->request);
    tcpwhy_ns idle_ns, apart_ns;

    if (!fin || !request || fin->ack > request->seq ||
        (request->ack >= tw_record_end(fin) && !overlooked(cut, fin, request)) ||
        fin->seq > cut->acked[server] || tw_cut_closed_unasked(cut, cut->asker))
        return false;
    idle_ns = idle_before_fin(cut, server);
    if (idle_ns < TW_LEAST_KEEP_ALIVE)
        return false;
    apart_ns = fin->time_ns - request->time_ns;
    if (apart_ns > tw_cut_under_way(cut))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_KEEP_ALIVE_RACE, TCPWHY_FAILED_REQUEST,
                     cut->rst[server] == TW_NO_RECORD ? TCPWHY_SEEN_END_OF_FILE
                                                      : TCPWHY_SEEN_RESET);
    out->who = TCPWHY_BY_SERVER;
    out->time_ns = request->time_ns;
    out->after_ns = idle_ns;
    tw_failure_frame(out, cut, apart_ns < 0 ? cut->fin[server] : cut->request);
    tw_failure_frame(out, cut, apart_ns < 0 ? cut->request : cut->fin[server]);
    tw_failure_frame(out, cut, cut->rst[server]);
    if (overlooked(cut, fin, request))
        tw_failure_clue(out, TW_CLUE_HAD_FIN, -(double)apart_ns / 1e6, 0);
    else
        tw_failure_clue(out, TW_CLUE_CROSSED, (double)apart_ns / 1e6, 0);
    tw_failure_clue(out, TW_CLUE_KNOWN_TIMEOUT, (double)idle_ns / 1e9, 0);
    return true;
}

const struct tw_failure_detector tw_failure_keep_alive_race = {
    .kind = TCPWHY_FAILURE_KEEP_ALIVE_RACE,
    .find = find,
};
