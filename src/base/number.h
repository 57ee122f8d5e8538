/* SPDX-License-Identifier: MIT */
/*
 * Numbers to text without the C library's locale: a decimal point is always a point, thousands are
 * parted by commas where people read, and every decimal of a nanosecond survives where programs do.
 */
#ifndef TW_BASE_NUMBER_H
#define TW_BASE_NUMBER_H

#include <stdint.h>

#include <tcpwhy/types.h>

/* Holds every text made here. */
#define TW_NUMBER_TEXT 64

/* "17,376" */
char *tw_number_count(uint64_t n, char *text);

/*
 * value / 10^scale with that many decimals, rounded half away from zero: fixed(44012345, 6, 1) is
 * "44.0". decimals is at most scale, scale at most 12. grouped parts thousands by commas.
 */
char *tw_number_fixed(int64_t value, unsigned scale, unsigned decimals, bool grouped, char *text);

/* Milliseconds for people, thousands parted: "55,212.3"; "-" when not known. */
char *tw_number_ms(tcpwhy_ns ns, unsigned decimals, char *text);

/* Milliseconds that something cost, to a tenth; smaller costs keep three decimals: "55,212.3",
 * "0.026". */
char *tw_number_cost(tcpwhy_ns ns, char *text);

/* Milliseconds of which several stand in a line with one unit: "0.357", "43.9", "1,390". */
char *tw_number_comparable_ms(tcpwhy_ns ns, char *text);

/* A time among others that are parts of whole_ns, all in one unit: seconds if the whole is 1 s or
 * more, else milliseconds; three digits that say something, of those behind the point three at
 * most. tw_number_column_unit() is the unit, a column's head; tw_number_part() has it behind the
 * number, and if the whole is 0, not known, the one that suits the time. */
char *tw_number_column(tcpwhy_ns ns, tcpwhy_ns whole_ns, char *text);
const char *tw_number_column_unit(tcpwhy_ns whole_ns);
char *tw_number_part(tcpwhy_ns ns, tcpwhy_ns whole_ns, char *text);

/* Seconds, thousands parted: "1,020.453"; "-" when not known. */
char *tw_number_seconds(tcpwhy_ns ns, unsigned decimals, char *text);

/* A time with the unit that suits its size: "30 ns", "0.412 ms", "44.0 ms", "3.21 s", "12 min 5 s".
 */
char *tw_number_duration(tcpwhy_ns ns, char *text);

/* A share of 1 as "92%"; below 10% with a decimal, "<0.1%" for a trace. */
char *tw_number_percent(double share, char *text);

/* "512 bit/s", "29.8 Mbit/s" */
char *tw_number_bit_rate(int64_t bits_per_s, char *text);

/* "237 B", "17.4 kB", "1.23 MB" */
char *tw_number_bytes(uint64_t bytes, char *text);

/* A double in the shortest form that JSON takes; finite values only. */
char *tw_number_real(double value, char *text);

/* Nanoseconds since the epoch as "2026-01-31 12:00:05 UTC". */
char *tw_number_date(int64_t ns, char *text);

#endif
