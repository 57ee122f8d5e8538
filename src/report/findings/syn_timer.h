/* SPDX-License-Identifier: MIT */
/*
 * Gaps before a server's answer that are as long as the SYN timer: the server's own connections to
 * what is behind it wait.
 */
#ifndef TW_REPORT_FINDINGS_SYN_TIMER_H
#define TW_REPORT_FINDINGS_SYN_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

extern const char tw_kind_syn_timer[];

struct tw_syn_timer_waits {
    uint64_t at_timer; /* of 1, 3, 7 or 15 s and little more ... */
    uint64_t at_first; /* ... of these, 1 s */
    uint64_t before;   /* shorter than the first timer by up to half of it */
    uint64_t between;  /* longer, and shorter than twice the first timer */
};

void tw_syn_timer_add(struct tw_syn_timer_waits *waits, tcpwhy_ns wait_ns);
void tw_syn_timer_merge(struct tw_syn_timer_waits *into, const struct tw_syn_timer_waits *from);

/* Do they gather there? */
bool tw_syn_timer_is(const struct tw_syn_timer_waits *waits);

#endif
