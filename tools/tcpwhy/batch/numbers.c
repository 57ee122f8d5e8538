/* SPDX-License-Identifier: MIT */
#include "numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

void append_integer(int64_t value, GString *out)
{
    char text[24], *end = text + sizeof(text), *digit = end;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do {
        *--digit = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        *--digit = '-';
    g_string_append_len(out, digit, end - digit);
}

/* Decimals without trailing zeros. */
static void append_decimals(unsigned millionths, GString *out)
{
    char text[] = ".000000";
    int len = sizeof(text) - 1;

    for (int i = len - 1; i > 0; i--, millionths /= 10)
        text[i] = (char)('0' + millionths % 10);
    while (text[len - 1] == '0')
        len--;
    if (len > 1)
        g_string_append_len(out, text, len);
}

/*
 * Most reals are times, whole nanoseconds in milliseconds or microseconds: six decimals at most.
 * A double tells decimals of 15 digits apart, so that none is shorter.
 */
static bool append_time(double value, GString *out)
{
    bool zero = value == 0 && !signbit(value);
    int64_t millionths;

    if (!zero && !(value >= 1e-4 && value < 1e9))
        return false;
    millionths = (int64_t)(value * 1e6 + 0.5);
    if ((double)millionths / 1e6 != value)
        return false;
    append_integer(millionths / 1000000, out);
    append_decimals((unsigned)(millionths % 1000000), out);
    return true;
}

void append_real(double value, GString *out)
{
    char text[32];

    if (append_time(value, out))
        return;
    snprintf(text, sizeof(text), "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, sizeof(text), "%.17g", value);
    g_string_append(out, text);
}
