/* SPDX-License-Identifier: MIT */
/*
 * One side speaks TLS, and the other another protocol: a wrong port, or TLS switched on at one end.
 */
#include "failures/kind.h"

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_app_facts *facts = cut->exchanges->facts;

    if (!facts || facts->plain_frame == 0)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_NOT_TLS, TCPWHY_FAILED_CONNECT, TCPWHY_SEEN_TLS_ERROR);
    out->who = facts->plain_by_asker ? TCPWHY_BY_CLIENT : TCPWHY_BY_SERVER;
    if (facts->plain_by_asker)
        out->seen_as = TCPWHY_SEEN_END_OF_FILE;
    out->time_ns = facts->plain_ns;
    out->after_ns = facts->plain_ns - cut->log->record[0].time_ns;
    tw_failure_frame_number(out, facts->plain_frame);
    return true;
}

const struct tw_failure_detector tw_failure_not_tls = {
    .kind = TCPWHY_FAILURE_NOT_TLS,
    .find = find,
};
