/* SPDX-License-Identifier: MIT */
/*
 * Integers, fixed-point numbers, times and byte counts as text. printf is only used for integers,
 * which no locale changes, and for what a double's digits are where that is not seen at once.
 */
#include "base/number.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <glib.h>

#include "base/digits.h"

#define NS_PER_S INT64_C(1000000000)

/* Integers up to this are exact in a double. */
#define MAX_EXACT 9007199254740992.0

static const uint64_t power_of_ten[] = {
    1,        10,        100,        1000,        10000,        100000,        1000000,
    10000000, 100000000, 1000000000, 10000000000, 100000000000, 1000000000000,
};

struct tw_short_text tw_count(uint64_t n)
{
    struct tw_short_text own;

    *tw_digits_grouped(own.text, n) = '\0';
    return own;
}

/* A number with its unit behind it, as much of it as there is room for. */
static struct tw_short_text with_unit(struct tw_short_text number, const char *unit)
{
    g_strlcat(number.text, unit, sizeof number.text);
    return number;
}

struct tw_short_text tw_plain(uint64_t n)
{
    struct tw_short_text own;

    *tw_digits_put(own.text, n) = '\0';
    return own;
}

struct tw_short_text tw_plural(uint64_t n, const char *one, const char *many)
{
    return with_unit(with_unit(tw_count(n), " "), n == 1 ? one : many);
}

struct tw_short_text tw_fixed(int64_t value, unsigned scale, unsigned decimals, bool grouped)
{
    struct tw_short_text own;
    char *to = own.text;
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    uint64_t step, whole;

    assert(scale < G_N_ELEMENTS(power_of_ten) && decimals <= scale);
    step = power_of_ten[scale - decimals];
    if (step > 1)
        size = size / step + (size % step >= (step + 1) / 2);
    if (value < 0 && size > 0)
        *to++ = '-';
    whole = size / power_of_ten[decimals];
    to = grouped ? tw_digits_grouped(to, whole) : tw_digits_put(to, whole);
    if (decimals > 0) {
        *to++ = '.';
        to = tw_digits_pad(to, size % power_of_ten[decimals], decimals);
    }
    *to = '\0';
    return own;
}

static struct tw_short_text time_of(tcpwhy_ns ns, unsigned scale, unsigned decimals)
{
    return ns == TCPWHY_NS_UNKNOWN ? (struct tw_short_text) { "-" }
                                   : tw_fixed(ns, scale, decimals, true);
}

struct tw_short_text tw_ms(tcpwhy_ns ns, unsigned decimals)
{
    return time_of(ns, 6, decimals);
}

struct tw_short_text tw_cost(tcpwhy_ns ns)
{
    return tw_ms(ns, ns > 0 && ns < TCPWHY_US(100) ? 3 : 1);
}

struct tw_short_text tw_comparable_ms(tcpwhy_ns ns)
{
    return tw_ms(ns, ns < TCPWHY_US(100) ? 3 : ns < TCPWHY_MS(10) ? 2 : ns < TCPWHY_S(1) ? 1 : 0);
}

struct tw_short_text tw_seconds(tcpwhy_ns ns, unsigned decimals)
{
    return time_of(ns, 9, decimals);
}

/* Three digits that say something: 0.412, 4.12, 44.0, 860; of what they would be rounded to. */
static unsigned decimals_for(int64_t value, int64_t unit)
{
    if (value < unit - unit / 2000)
        return 3;
    if (value < 10 * unit - unit / 200)
        return 2;
    return value < 100 * unit - unit / 20 ? 1 : 0;
}

/* Is it a second, as it is written? */
static bool in_seconds(tcpwhy_ns ns)
{
    return ns >= NS_PER_S - 500000;
}

static struct tw_short_text long_duration(tcpwhy_ns ns)
{
    struct tw_short_text own;
    int64_t s = ns / NS_PER_S;

    if (s >= 86400)
        snprintf(own.text, sizeof own.text, "%" PRId64 " d %" PRId64 " h", s / 86400,
                 s % 86400 / 3600);
    else if (s >= 3600)
        snprintf(own.text, sizeof own.text, "%" PRId64 " h %" PRId64 " min", s / 3600,
                 s % 3600 / 60);
    else
        snprintf(own.text, sizeof own.text, "%" PRId64 " min %" PRId64 " s", s / 60, s % 60);
    return own;
}

struct tw_short_text tw_duration(tcpwhy_ns ns)
{
    if (ns == TCPWHY_NS_UNKNOWN)
        return time_of(ns, 9, 0);
    if (ns > 0 && ns < 1000)
        return with_unit(tw_count((uint64_t)ns), " ns");
    if (ns >= 600 * NS_PER_S)
        return long_duration(ns);
    if (in_seconds(ns))
        return with_unit(tw_seconds(ns, decimals_for(ns, NS_PER_S)), " s");
    return with_unit(tw_ms(ns, decimals_for(ns < 0 ? -ns : ns, 1000000)), " ms");
}

struct tw_short_text tw_column(tcpwhy_ns ns, tcpwhy_ns whole_ns)
{
    const unsigned digits = in_seconds(whole_ns) ? 9 : 6;
    const int64_t unit = (int64_t)power_of_ten[digits];

    if (ns != TCPWHY_NS_UNKNOWN && ns > 0 && ns < unit / 2000)
        return (struct tw_short_text) { "<0.001" };
    return time_of(ns, digits, decimals_for(ns < 0 ? -ns : ns, unit));
}

const char *tw_column_unit(tcpwhy_ns whole_ns)
{
    return in_seconds(whole_ns) ? "s" : "ms";
}

struct tw_short_text tw_part(tcpwhy_ns ns, tcpwhy_ns whole_ns)
{
    if (whole_ns == 0 || ns == TCPWHY_NS_UNKNOWN)
        return tw_duration(ns);
    return with_unit(tw_column(ns, whole_ns), in_seconds(whole_ns) ? " s" : " ms");
}

struct tw_short_text tw_percent(double share)
{
    int64_t tenths = (int64_t)(share * 1000 + 0.5);

    if (tenths == 0 && share > 0)
        return (struct tw_short_text) { "<0.1%" };
    if (tenths > 0 && tenths < 100)
        return with_unit(tw_fixed(tenths, 1, 1, false), "%");
    /* of the share: what was rounded is not rounded again */
    return with_unit(tw_fixed((int64_t)(share * 100 + 0.5), 0, 0, false), "%");
}

struct tw_short_text tw_bit_rate(int64_t bits_per_s)
{
    static const struct {
        int64_t unit;
        unsigned digits;
        const char *name;
    } units[] = { { 1000000000, 9, " Gbit/s" }, { 1000000, 6, " Mbit/s" }, { 1000, 3, " kbit/s" } };

    for (size_t i = 0; i < G_N_ELEMENTS(units); i++)
        if (bits_per_s >= units[i].unit)
            return with_unit(tw_fixed(bits_per_s, units[i].digits,
                                      decimals_for(bits_per_s, units[i].unit), true),
                             units[i].name);
    return with_unit(tw_fixed(bits_per_s, 0, 0, true), " bit/s");
}

struct tw_short_text tw_byte_size(uint64_t bytes)
{
    static const struct {
        uint64_t unit;
        const char *name;
    } units[] = {
        { 1000000000000, " TB" }, { 1000000000, " GB" }, { 1000000, " MB" }, { 1000, " kB" }
    };

    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        if (bytes >= units[i].unit) {
            int64_t thousandths = (int64_t)(bytes / (units[i].unit / 1000));

            return with_unit(tw_fixed(thousandths, 3, decimals_for(thousandths, 1000), true),
                             units[i].name);
        }
    }
    return with_unit(tw_count(bytes), " B");
}

/*
 * Nine digits of a number that is written without an exponent, as "%.9g" gives them: where it is
 * clear how the tenth rounds them, which one multiplication by a power of ten cannot hide.
 *
 * @return false when printf has to look.
 */
static bool nine_digits(double value, struct tw_short_text *text)
{
    double scaled = value, rest;
    uint64_t digits;
    unsigned decimals = 0;

    if (!(value >= 1e-4 && value < 1e8))
        return false;
    while (scaled < 1e8)
        scaled = value * (double)power_of_ten[++decimals];
    digits = (uint64_t)scaled;
    rest = scaled - (double)digits;
    if (rest > 0.499999 && rest < 0.500001)
        return false;
    digits += rest > 0.5;
    for (; decimals > 0 && digits % 10 == 0; decimals--)
        digits /= 10;
    *text = tw_fixed((int64_t)digits, decimals, decimals, false);
    return true;
}

struct tw_short_text tw_real(double value)
{
    struct tw_short_text own;

    assert(value == value && value - value == 0);
    if (value == (double)(int64_t)CLAMP(value, -MAX_EXACT, MAX_EXACT))
        own = tw_fixed((int64_t)value, 0, 0, false);
    else if (!nine_digits(value, &own))
        g_ascii_formatd(own.text, sizeof own.text, "%.9g", value);
    return own;
}

struct tw_short_text tw_date(int64_t ns)
{
    int64_t s = ns / NS_PER_S - (ns % NS_PER_S < 0);
    time_t when = (time_t)s;
    struct tw_short_text own = { "-" };
    struct tm t;

    if (ns != TCPWHY_NS_UNKNOWN && gmtime_r(&when, &t))
        snprintf(own.text, sizeof own.text, "%04d-%02d-%02d %02d:%02d:%02d UTC", t.tm_year + 1900,
                 t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec);
    return own;
}
