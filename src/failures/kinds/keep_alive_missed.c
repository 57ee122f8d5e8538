/* SPDX-License-Identifier: MIT */
/*
 * The client sent nothing for longer than the keep-alive that it announced, and the server closed:
 * after one and a half times that, a server of MQTT must (MQTT 3.1.1 and 5, 3.1.2.10).
 */
#include "failures/kind.h"

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_app_facts *facts = cut->exchanges->facts;
    enum tcpwhy_side client =
        cut->exchanges->n > 0 ? cut->exchanges->exchange[0].asker : TCPWHY_CLIENT;
    enum tcpwhy_side server = tw_other(client);
    uint32_t end = MIN(cut->fin[server], cut->rst[server]), last = cut->data[client];
    tcpwhy_ns silence_ns = tw_cut_between(cut, last, end);

    if (!facts || facts->keep_alive_s == 0 || end == TW_NO_RECORD || last == TW_NO_RECORD ||
        2 * silence_ns < 3 * TCPWHY_S(facts->keep_alive_s) || !tw_cut_closed_unasked(cut, server))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_KEEP_ALIVE_MISSED, TCPWHY_FAILED_IDLE,
                     TCPWHY_SEEN_END_OF_FILE);
    out->who = client == TCPWHY_CLIENT ? TCPWHY_BY_CLIENT : TCPWHY_BY_SERVER;
    out->time_ns = cut->log->record[end].time_ns;
    out->after_ns = silence_ns;
    tw_failure_frame(out, cut, last);
    tw_failure_frame(out, cut, end);
    tw_failure_clue(out, TW_CLUE_PROMISED, facts->keep_alive_s, 0);
    return true;
}

const struct tw_failure_detector tw_failure_keep_alive_missed = {
    .kind = TCPWHY_FAILURE_KEEP_ALIVE_MISSED,
    .find = find,
};
