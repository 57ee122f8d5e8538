/* SPDX-License-Identifier: MIT */
/*
 * Numbers to text without the C library's locale: a decimal point is always a point, thousands are
 * parted by commas where people read, and every decimal of a nanosecond survives where programs do.
 *
 *     tw_string_append_printf(to, "%s of %s", tw_duration(lost_ns).text, tw_duration(all_ns).text);
 */
#ifndef TW_BASE_NUMBER_H
#define TW_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "base/short_text.h"

/* "17376", "17,376"; "1 connection", "20 connections" */
struct tw_short_text tw_plain(uint64_t n);
struct tw_short_text tw_count(uint64_t n);
struct tw_short_text tw_plural(uint64_t n, const char *one, const char *many);

/*
 * value / 10^scale with that many decimals, rounded half away from zero: fixed(44012345, 6, 1) is
 * "44.0". decimals is at most scale, scale at most 12. grouped parts thousands by commas.
 */
struct tw_short_text tw_fixed(int64_t value, unsigned scale, unsigned decimals, bool grouped);

/* The shortest form that JSON takes of a double; finite values only. */
struct tw_short_text tw_real(double value);

/* Milliseconds for people, thousands parted: "55,212.3"; "-" when not known. */
struct tw_short_text tw_ms(tcpwhy_ns ns, unsigned decimals);

/* Milliseconds that something cost, to a tenth; smaller costs keep three decimals: "55,212.3",
 * "0.026". */
struct tw_short_text tw_cost(tcpwhy_ns ns);

/* Milliseconds of which several stand in a line with one unit: "0.357", "43.9", "1,390". */
struct tw_short_text tw_comparable_ms(tcpwhy_ns ns);

/* A time among others that are parts of whole_ns, all in one unit: seconds if the whole is 1 s or
 * more, else milliseconds; three digits that say something, of those behind the point three at
 * most. tw_column_unit() is the unit, a column's head; tw_part() has it behind the number, and if
 * the whole is 0, not known, the one that suits the time. */
struct tw_short_text tw_column(tcpwhy_ns ns, tcpwhy_ns whole_ns);
const char *tw_column_unit(tcpwhy_ns whole_ns);
struct tw_short_text tw_part(tcpwhy_ns ns, tcpwhy_ns whole_ns);

/* Seconds, thousands parted: "1,020.453"; "-" when not known. */
struct tw_short_text tw_seconds(tcpwhy_ns ns, unsigned decimals);

/* A time with the unit that suits its size: "30 ns", "0.412 ms", "44.0 ms", "3.21 s", "12 min 5 s".
 */
struct tw_short_text tw_duration(tcpwhy_ns ns);

/* A share of 1 as "92%"; below 10% with a decimal, "<0.1%" for a trace. */
struct tw_short_text tw_percent(double share);

/* "512 bit/s", "29.8 Mbit/s" */
struct tw_short_text tw_bit_rate(int64_t bits_per_s);

/* "237 B", "17.4 kB", "1.23 MB" */
struct tw_short_text tw_byte_size(uint64_t bytes);

/* Nanoseconds since the epoch as "2026-01-31 12:00:05 UTC". */
struct tw_short_text tw_date(int64_t ns);

#endif
