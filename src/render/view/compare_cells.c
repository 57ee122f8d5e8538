/* SPDX-License-Identifier: MIT */
/* Cells of the tables of a comparison, with their tone. */
#include "base/number.h"
#include "base/text.h"
#include "render/view/compare.h"
#include "report/compare/compare.h"

/* Beyond twice as much, a factor reads better than percents. */
#define FACTOR_FROM 2.0

void tw_compare_ratio(tw_string *to, double before, double after)
{
    if (before == after)
        tw_string_append(to, "=");
    else if (before <= 0 || after <= 0)
        tw_string_append(to, "");
    else if (after >= FACTOR_FROM * before)
        tw_string_append_printf(
            to, "\u00D7 %s",
            after < 10 * before ? tw_fixed((int64_t)(after / before * 10 + 0.5), 1, 1, true).text
                                : tw_count((uint64_t)(after / before + 0.5)).text);
    else
        tw_string_append_printf(
            to, "%s%s", after > before ? "+" : "-",
            tw_percent((after > before ? after - before : before - after) / before).text);
}

enum tw_tone tw_compare_tone(enum tcpwhy_change change)
{
    switch (change) {
    case TCPWHY_CHANGE_BETTER:
    case TCPWHY_CHANGE_GONE:
        return TW_TONE_GOOD;
    case TCPWHY_CHANGE_WORSE:
    case TCPWHY_CHANGE_NEW:
        return TW_TONE_BAD;
    default:
        return TW_TONE_QUIET;
    }
}

void tw_compare_put_ms(tw_string *text, tcpwhy_ns ns, tcpwhy_ns largest_ns)
{
    unsigned decimals = largest_ns < TCPWHY_US(100) ? 3 : largest_ns < TCPWHY_MS(100) ? 2 : 1;

    if (ns == 0 || ns == TCPWHY_NS_UNKNOWN)
        tw_string_append_c(text, '-');
    else
        tw_string_append(text, tw_ms(ns, decimals).text);
}

tcpwhy_ns tw_compare_lost_each(const struct tw_listener_change *l, enum tcpwhy_when when)
{
    uint64_t n = l->per == TCPWHY_PER_EXCHANGE ? l->latency[when].count : l->connections[when];

    return n ? l->lost_ns[when] / (tcpwhy_ns)n : TCPWHY_NS_UNKNOWN;
}
