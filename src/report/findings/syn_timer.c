/* SPDX-License-Identifier: MIT */
#include "report/findings/syn_timer.h"

#include <stddef.h>

#include <glib.h>

const char tw_kind_syn_timer[] = "SYN timer behind";

/* RFC 6298, section 2: 1 s, and each repeat waits for twice as long. */
static const tcpwhy_ns timers_ns[] = { TCPWHY_S(1), TCPWHY_S(3), TCPWHY_S(7), TCPWHY_S(15) };

/* Linux fires by ticks, and the server answers then: a wait is longer by up to this part. */
#define LATE_SHARE 0.06

/* At least this many gaps, and three times as many as shorter ones, and as longer ones in the same
 * span of time: delays that grow with load become rarer with length. */
#define LEAST_WAITS 20
#define MORE_OFTEN  3

void tw_syn_timer_add(struct tw_syn_timer_waits *w, tcpwhy_ns wait_ns)
{
    w->before += wait_ns < timers_ns[0] && wait_ns >= timers_ns[0] / 2;
    w->between +=
        (double)wait_ns > (1 + LATE_SHARE) * (double)timers_ns[0] && wait_ns < 2 * timers_ns[0];
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
    into->between += from->between;
}

bool tw_syn_timer_is(const struct tw_syn_timer_waits *w)
{
    /* in as long a time as theirs */
    double before = LATE_SHARE / 0.5 * (double)w->before;
    double behind = LATE_SHARE / (1 - LATE_SHARE) * (double)w->between;

    return w->at_first >= LEAST_WAITS && (double)w->at_first >= MORE_OFTEN * MAX(before, behind);
}
