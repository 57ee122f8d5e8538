/* SPDX-License-Identifier: MIT */
/*
 * Do a sender's held segments leave on the ticks of a kernel timer? Linux's TCP timers fire on
 * jiffies, so their times agree modulo 4 ms (HZ=250) or 10 ms (HZ=100); a program's sleep starts
 * where it was asked for and agrees with nothing.
 */
#ifndef TW_EXPLAIN_TICKS_H
#define TW_EXPLAIN_TICKS_H

#include "explain/explain.h"
#include "explain/rounds.h"

bool tw_ticks_shown(const struct tw_sends *sends, const struct tw_rounds *rounds);

#endif
