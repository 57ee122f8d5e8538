/* SPDX-License-Identifier: MIT */
/*
 * The client sent nothing for longer than the keep-alive that it announced, and the server closed:
 * after one and a half times that, a server of MQTT must (MQTT 3.1.1 and 5, 3.1.2.10), after twice
 * that, a server of AMQP should (0-9-1, 4.2.7). The client may have asked when it was closed.
 */
#include "failures/kind.h"

/* The last data of a side before that record. */
static uint32_t said_before(const struct tw_cut *cut, enum tcpwhy_side side, uint32_t end)
{
    uint32_t i = MIN(end, cut->log->n);

    while (i > 0 &&
           (cut->log->record[i - 1].from != (uint8_t)side || cut->log->record[i - 1].len == 0))
        i--;
    return i > 0 ? i - 1 : TW_NO_RECORD;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_app_facts *facts = cut->exchanges->facts;
    enum tcpwhy_side client =
        cut->exchanges->n > 0 ? cut->exchanges->exchange[0].asker : TCPWHY_CLIENT;
    enum tcpwhy_side server = tw_other(client);
    uint32_t end = MIN(cut->fin[server], cut->rst[server]), last;
    tcpwhy_ns silence_ns;

    if (!facts || facts->keep_alive_s == 0 || end == TW_NO_RECORD ||
        !tw_cut_closed_unasked(cut, server))
        return false;
    last = said_before(cut, client, end);
    silence_ns = tw_cut_between(cut, last, end);
    if (silence_ns == TCPWHY_NS_UNKNOWN || silence_ns < facts->keep_alive_limit_ns)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_KEEP_ALIVE_MISSED, TCPWHY_FAILED_IDLE,
                     TCPWHY_SEEN_END_OF_FILE);
    out->who = client == TCPWHY_CLIENT ? TCPWHY_BY_CLIENT : TCPWHY_BY_SERVER;
    out->time_ns = cut->log->record[end].time_ns;
    out->after_ns = silence_ns;
    tw_failure_frame(out, cut, last);
    tw_failure_frame(out, cut, end);
    tw_failure_clue(out, TW_CLUE_PROMISED, facts->keep_alive_s,
                    (double)facts->keep_alive_limit_ns / 1e9);
    return true;
}

const struct tw_failure_detector tw_failure_keep_alive_missed = {
    .kind = TCPWHY_FAILURE_KEEP_ALIVE_MISSED,
    .find = find,
};
