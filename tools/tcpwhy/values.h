/* SPDX-License-Identifier: MIT */
/*
 * Values of options to numbers; what is not wholly understood is refused.
 */
#ifndef VALUES_H
#define VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

/* "12.5", "12.5s", "900ms" to nanoseconds. */
bool value_time(const char *text, tcpwhy_ns *out);

/* "17", "17-40", "17-", "-40"; 0 is "no limit". */
bool value_range(const char *text, uint32_t *first, uint32_t *last);

/* Is it a list of streams? "4", "0,4-7" */
bool value_streams(const char *text);

/* A whole number from least to most. */
bool value_count(const char *text, uint32_t least, uint32_t most, uint32_t *out);

/* "800M", "4G", "1000000000": from least to most bytes. */
bool value_bytes(const char *text, uint64_t least, uint64_t most, uint64_t *out);

/* "100M", "2.5G", "9600": bits a second, 1 to 1000 T, with decimal multiples as links have. */
bool value_rate(const char *text, double *out);

/* "12.5": digits and a point only. */
bool value_number(const char *text, double *out);

#endif
