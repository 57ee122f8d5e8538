/* SPDX-License-Identifier: MIT */
/*
 * GOAWAY with an error (RFC 9113, section 6.8): one side ends the connection for a fault of the
 * other, or for one of its own.
 */
#include "failures/kind.h"

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_app_facts *facts = cut->exchanges->facts;
    enum tcpwhy_side asker =
        cut->exchanges->n > 0 ? cut->exchanges->exchange[0].asker : TCPWHY_CLIENT;
    int way;

    if (!facts || (!facts->goaway_error[0] && !facts->goaway_error[1]))
        return false;
    /* the first of two has the reason */
    way = !facts->goaway_error[0] ||
          (facts->goaway_error[1] && facts->goaway_frame[1] < facts->goaway_frame[0]);
    tw_failure_begin(out, TCPWHY_FAILURE_HTTP2_GOAWAY,
                     cut->open || cut->part ? TCPWHY_FAILED_REQUEST : TCPWHY_FAILED_CLOSE,
                     TCPWHY_SEEN_HTTP2_ERROR);
    out->who = (way == 0) == (asker == TCPWHY_CLIENT) ? TCPWHY_BY_CLIENT : TCPWHY_BY_SERVER;
    out->name = facts->goaway_name[way];
    out->time_ns = facts->goaway_ns[way];
    out->after_ns = out->time_ns - cut->log->record[0].time_ns;
    tw_failure_frame_number(out, facts->goaway_frame[way]);
    if (facts->unserved > 0)
        tw_failure_clue(out, TW_CLUE_UNSERVED, facts->unserved, 0);
    return true;
}

const struct tw_failure_detector tw_failure_http2_goaway = {
    .kind = TCPWHY_FAILURE_HTTP2_GOAWAY,
    .find = find,
};
