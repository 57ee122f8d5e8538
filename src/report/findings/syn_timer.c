/* SPDX-License-Identifier: MIT */
#include "report/findings/syn_timer.h"

#include <stddef.h>

const char tw_kind_syn_timer[] = "SYN timer behind";

/* RFC 6298, section 2: 1 s, and each repeat waits for twice as long. */
static const tcpwhy_ns timers_ns[] = { TCPWHY_S(1), TCPWHY_S(3), TCPWHY_S(7), TCPWHY_S(15) };

/* Linux fires by ticks, and the server answers then: a wait is longer by up to this part. */
#define LATE_SHARE 0.06

/* At least this many gaps, three times as many as slightly shorter ones, and a quarter of all
 * longer ones: delays that grow with load become rarer with length. */
#define LEAST_WAITS   20
#define MORE_OFTEN    3
#define OF_ALL_LONGER 4

void tw_syn_timer_add(struct tw_syn_timer_waits *w, tcpwhy_ns wait_ns)
{
    w->before += wait_ns < timers_ns[0] && wait_ns >= timers_ns[0] / 2;
    w->longer += wait_ns >= timers_ns[0];
    for (size_t i = 0; i < sizeof timers_ns / sizeof *timers_ns; i++) {
        bool at = wait_ns >= timers_ns[i] &&
                  (double)(wait_ns - timers_ns[i]) <= LATE_SHARE * (double)timers_ns[i];

        w->at_timer += at;
        w->at_first += at && i == 0;
    }
}

void tw_syn_timer_merge(struct tw_syn_timer_waits *into, const struct tw_syn_timer_waits *from)
{
    into->at_timer += from->at_timer;
    into->at_first += from->at_first;
    into->before += from->before;
    into->longer += from->longer;
}

bool tw_syn_timer_is(const struct tw_syn_timer_waits *w)
{
    return w->at_first >= LEAST_WAITS && w->at_first >= MORE_OFTEN * w->before &&
           w->at_timer * OF_ALL_LONGER >= w->longer;
}
