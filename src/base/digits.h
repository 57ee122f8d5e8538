/* SPDX-License-Identifier: MIT */
/*
 * Decimal digits of integers without printf(), whose format parsing dominates the cost of rows with
 * many numbers.
 */
#ifndef TW_BASE_DIGITS_H
#define TW_BASE_DIGITS_H

#include <stdint.h>

/* Fits any number with its sign. */
#define TW_DIGITS 20

/* Writes no NUL. @return the end of the digits. */
char *tw_digits_put(char *to, uint64_t n);
char *tw_digits_put_signed(char *to, int64_t n);
/* With thousands separators: "17,376". */
#define TW_DIGITS_GROUPED 26
char *tw_digits_grouped(char *to, uint64_t n);
/* The last digits of n, zero-padded. */
char *tw_digits_pad(char *to, uint64_t n, unsigned width);

#endif
