/* SPDX-License-Identifier: MIT */
/*
 * A client host that has no port left for another connection to a listener.
 */
#include "report/failures/failure_entry.h"

static double ms(tcpwhy_ns ns)
{
    return (double)ns / 1e6;
}

bool tw_failure_of_ports(const struct tcpwhy_ports *p, struct tw_failure_entry *e)
{
    if (!p->used_up)
        return false;
    *e = (struct tw_failure_entry) {
        .stream = p->full_stream,
        .client = p->client,
        .server = p->listener,
        .failure = { .kind = TCPWHY_FAILURE_PORTS_USED_UP,
                     .failed = TCPWHY_FAILED_CONNECT,
                     .seen_as = TCPWHY_SEEN_NO_ADDRESS,
                     .who = TCPWHY_BY_CLIENT,
                     .confidence = TCPWHY_LIKELY,
                     .time_ns = p->full_from_ns,
                     .after_ns = p->full_ns },
    };
    tw_failure_entry_clue(e, TW_CLUE_BLOCK, p->lowest, p->highest);
    tw_failure_entry_clue(e, TW_CLUE_AT_ONCE, p->in_use, p->range);
    tw_failure_entry_clue(e, TW_CLUE_USED_AGAIN, (double)p->connections, p->ports);
    tw_failure_entry_clue(e, TW_CLUE_NONE_FREE, ms(p->full_ns), ms(p->asked_ns));
    if (p->errors_while_full > 0) {
        tw_failure_entry_clue(e, TW_CLUE_ERRORS, (double)p->errors_while_full, (double)p->errors);
        tw_failure_entry_clue(e, TW_CLUE_QUICK, ms(p->errors_median_ns), 0);
    }
    tw_failure_entry_clue(e, TW_CLUE_TIME_WAIT, p->time_wait_client, p->time_wait_server);
    return true;
}
