/* SPDX-License-Identifier: MIT */
/*
 * Numbers of a row as text. They are what printf() makes of them; asked for each of the numbers of
 * a million rows, it would take as long as all the analysis.
 */
#ifndef BATCH_NUMBERS_H
#define BATCH_NUMBERS_H

#include <stdint.h>

#include <glib.h>

void append_integer(int64_t value, GString *out);

/* The shortest decimal that reads back as the same number. */
void append_real(double value, GString *out);

#endif
