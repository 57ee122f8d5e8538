/* SPDX-License-Identifier: MIT */
/*
 * Values of options to numbers.
 */
#include "values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* More seconds than that are a slip of the finger: 100 years. */
#define MAX_SECONDS 3155760000.0

/* Beyond any link: 1000 Tbit/s. */
#define MAX_RATE 1e15

/* Digits and a point only: strtod() alone would also take "inf", "0x10" and blanks. */
static bool decimal(const char *text, const char **rest, double *out)
{
    char *end;

    if (!isdigit((unsigned char)text[0]) || text[strspn(text, "0123456789")] == 'x')
        return false;
    *out = strtod(text, &end);
    *rest = end;
    return true;
}

bool value_time(const char *text, tcpwhy_ns *out)
{
    const char *unit;
    double value;

    if (!decimal(text, &unit, &value))
        return false;
    if (strcmp(unit, "ms") == 0)
        value /= 1000;
    else if (unit[0] && strcmp(unit, "s") != 0)
        return false;
    if (value > MAX_SECONDS)
        return false;
    *out = (tcpwhy_ns)(value * 1e9 + 0.5);
    return true;
}

static bool whole(const char *text, const char **rest, uint32_t *out)
{
    char *end;
    unsigned long long n;

    if (!isdigit((unsigned char)text[0]))
        return false;
    n = strtoull(text, &end, 10);
    *rest = end;
    *out = (uint32_t)n;
    return n <= UINT32_MAX;
}

bool value_range(const char *text, uint32_t *first, uint32_t *last)
{
    *first = *last = 0;
    if (text[0] != '-' && (!whole(text, &text, first) || *first == 0))
        return false;
    if (text[0] == '\0') {
        *last = *first;
        return true;
    }
    if (text[0] != '-')
        return false;
    if (text[1] == '\0')
        return *first > 0;
    return whole(text + 1, &text, last) && text[0] == '\0' && *last > 0 && *last >= *first;
}

bool value_streams(const char *text)
{
    uint32_t from, to;

    do {
        if (!whole(text, &text, &from))
            return false;
        if (text[0] == '-' && (!whole(text + 1, &text, &to) || to < from))
            return false;
    } while (*text++ == ',');
    return text[-1] == '\0';
}

bool value_count(const char *text, uint32_t least, uint32_t most, uint32_t *out)
{
    uint32_t n;

    if (!whole(text, &text, &n) || text[0] || n < least || n > most)
        return false;
    *out = n;
    return true;
}

bool value_bytes(const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
    static const char units[] = "KMGT";
    const char *unit, *found;
    double value;

    if (!decimal(text, &unit, &value))
        return false;
    if (unit[0]) {
        found = strchr(units, toupper((unsigned char)unit[0]));
        if (!found || (unit[1] && strcmp(unit + 1, "B") != 0 && strcmp(unit + 1, "iB") != 0))
            return false;
        for (; found >= units; found--)
            value *= 1024;
    }
    if (value < (double)least || value > (double)most)
        return false;
    *out = (uint64_t)value;
    return true;
}

bool value_number(const char *text, double *out)
{
    const char *rest;

    return decimal(text, &rest, out) && rest[0] == '\0' && *out <= MAX_SECONDS * 1000;
}

bool value_rate(const char *text, double *out)
{
    static const char units[] = "kMGT";
    const char *unit, *found;

    if (!decimal(text, &unit, out))
        return false;
    found = unit[0] ? strchr(units, unit[0]) : NULL;
    if (unit[0] && (!found || unit[1]))
        return false;
    for (; found && found >= units; found--)
        *out *= 1000;
    return *out >= 1 && *out <= MAX_RATE;
}
