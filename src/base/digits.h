/* SPDX-License-Identifier: MIT */
/*
 * Decimal digits of whole numbers. printf() gives the same and reads its format for each: most of
 * what a row of fifty numbers costs, and of a million connections there are a million rows.
 */
#ifndef TW_BASE_DIGITS_H
#define TW_BASE_DIGITS_H

#include <stdint.h>

/* Holds the digits of every number, and its sign. */
#define TW_DIGITS 20

/* No NUL is written; returned is where the digits end. */
char *tw_digits_put(char *to, uint64_t n);
char *tw_digits_put_signed(char *to, int64_t n);
/* Thousands parted by commas, as people read them: "17,376". */
#define TW_DIGITS_GROUPED 26
char *tw_digits_grouped(char *to, uint64_t n);
/* The last so many digits of n, zeros first. */
char *tw_digits_pad(char *to, uint64_t n, unsigned width);

#endif
