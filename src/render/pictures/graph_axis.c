/* SPDX-License-Identifier: MIT */
/*
 * Steps are 1, 2 or 5 times a power of ten; the unit is the largest that leaves whole numbers
 * before the point.
 */
#include "base/number.h"
#include "render/pictures/graph.h"

/* Far outside of any picture, and far from overflow. */
#define FAR 100000

static int64_t nice_step(int64_t least, unsigned *exponent)
{
    int64_t power = 1;

    for (*exponent = 0; *exponent < 18; ++*exponent, power *= 10) {
        if (power >= least)
            return power;
        if (2 * power >= least)
            return 2 * power;
        if (5 * power >= least)
            return 5 * power;
    }
    return power;
}

static void scale_by(struct tw_axis *axis, unsigned exponent, unsigned scale, const char *unit)
{
    axis->scale = scale;
    axis->unit = unit;
    axis->decimals = exponent < scale ? scale - exponent : 0;
}

struct tw_axis tw_axis_of_values(enum tw_unit unit, int64_t low, int64_t high, unsigned ticks)
{
    static const char *const units[][4] = {
        [TW_UNIT_BYTES] = { "B", "kB", "MB", "GB" },
        [TW_UNIT_BITS_PER_SECOND] = { "bit/s", "kbit/s", "Mbit/s", "Gbit/s" },
        [TW_UNIT_NS] = { "ns", "\u00b5s", "ms", "s" },
    };
    struct tw_axis axis = { .low = low, .high = MAX(high, low + 1) };
    unsigned exponent, k = 0;

    axis.step = nice_step((axis.high - axis.low) / ticks + 1, &exponent);
    for (int64_t power = 1000; k < 3 && axis.high >= power; power *= 1000)
        k++;
    scale_by(&axis, exponent, 3 * k, units[unit][k]);
    return axis;
}

struct tw_axis tw_axis_of_time(tcpwhy_ns from_ns, tcpwhy_ns to_ns, unsigned ticks)
{
    struct tw_axis axis = { .low = from_ns, .high = MAX(to_ns, from_ns + 1) };
    bool in_ms = axis.high - axis.low < TCPWHY_S(1);
    unsigned exponent;

    axis.step = nice_step((axis.high - axis.low) / ticks + 1, &exponent);
    scale_by(&axis, exponent, in_ms ? 6 : 9, in_ms ? "ms" : "s");
    return axis;
}

int tw_axis_at(const struct tw_axis *axis, int64_t value)
{
    double part = (double)(value - axis->low) / (double)(axis->high - axis->low);
    double at = axis->at_low + part * (axis->at_high - axis->at_low);

    return (int)(CLAMP(at, -FAR, FAR) + (at < 0 ? -0.5 : 0.5));
}

int64_t tw_axis_first(const struct tw_axis *axis)
{
    int64_t rest = axis->low % axis->step;

    return axis->low - rest + (rest > 0 ? axis->step : 0);
}

struct tw_short_text tw_axis_label(const struct tw_axis *axis, int64_t value)
{
    return tw_fixed(value, axis->scale, axis->decimals, true);
}

void tw_axis_draw_time(struct tw_writer *svg, const struct tw_axis *x, int top, int bottom, int y)
{
    for (int64_t v = tw_axis_first(x); v <= x->high; v += x->step) {
        int at = tw_axis_at(x, v);

        tw_svg_line(svg, "grid", at, top, at, bottom);
        tw_svg_text(svg, "s mid", at, y, tw_axis_label(x, v).text);
    }
    tw_svg_text(svg, "q s mid", (x->at_low + x->at_high) / 2, y + TW_PX(16),
                x->scale == 9 ? "seconds into the capture" : "milliseconds into the capture");
}

void tw_axis_draw_values(struct tw_writer *svg, const struct tw_axis *y, int left, int right)
{
    int labels = left - TW_PX(6), top = y->at_high, bottom = y->at_low;

    for (int64_t v = tw_axis_first(y); v <= y->high; v += y->step) {
        int at = tw_axis_at(y, v);

        tw_svg_line(svg, "grid", left, at, right, at);
        tw_svg_text(svg, "s e", labels, at + TW_PX(4), tw_axis_label(y, v).text);
    }
    tw_svg_text(svg, "q s e", labels, top - TW_PX(8), y->unit);
    tw_svg_line(svg, "rail", left, top, left, bottom);
    tw_svg_line(svg, "rail", left, bottom, right, bottom);
}
