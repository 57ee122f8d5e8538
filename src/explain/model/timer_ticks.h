/* SPDX-License-Identifier: MIT */
/*
 * Do a sender's held segments leave on the ticks of a kernel timer? Linux's TCP timers fire on
 * jiffies, so their times agree modulo 4 ms (HZ=250), 8 ms (HZ=1000) or 10 ms (HZ=100); a program's
 * sleep starts where it was asked for and agrees with nothing.
 */
#ifndef TW_EXPLAIN_MODEL_TIMER_TICKS_H
#define TW_EXPLAIN_MODEL_TIMER_TICKS_H

#include "explain/explanation.h"
#include "explain/model/rounds.h"

/* Timer ticks in the send times of held segments. */
enum tw_timer_ticks {
    TW_TIMER_TICKS_UNASKED,
    TW_TIMER_TICKS_NONE,
    TW_TIMER_TICKS_SHOWN, /* on ticks of a kernel timer, but few, or on a program's beat */
    TW_TIMER_TICKS_SURE,  /* too many for chance, and on no such beat */
};

/* rtt_min_ns is the path's; a capture clock with coarse steps (struct tw_log) lies on ticks
 * itself. */
enum tw_timer_ticks tw_timer_ticks_find(const struct tw_sender_timeline *sends,
                                        const struct tw_rounds *rounds, tcpwhy_ns rtt_ns,
                                        tcpwhy_ns step_ns);

#endif
