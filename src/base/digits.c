/* SPDX-License-Identifier: MIT */
#include "base/digits.h"

char *tw_digits_pad(char *to, uint64_t n, unsigned width)
{
    for (unsigned i = width; i > 0; n /= 10)
        to[--i] = (char)('0' + n % 10);
    return to + width;
}

char *tw_digits_put(char *to, uint64_t n)
{
    unsigned width = 1;

    for (uint64_t limit = 10; width < TW_DIGITS && n >= limit; limit *= 10)
        width++;
    return tw_digits_pad(to, n, width);
}

char *tw_digits_grouped(char *to, uint64_t n)
{
    char digits[TW_DIGITS];
    int len = (int)(tw_digits_put(digits, n) - digits);

    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    return to;
}

char *tw_digits_put_signed(char *to, int64_t n)
{
    if (n < 0)
        *to++ = '-';
    return tw_digits_put(to, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}
