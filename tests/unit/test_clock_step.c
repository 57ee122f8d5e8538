/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "base/clock_step.h"

/* The step found for a clock after a number of frames: true times, rounded down to ticks and then
 * to the resolution of the file. */
static tcpwhy_ns step_of(tcpwhy_ns tick_ns, tcpwhy_ns resolution_ns, unsigned frames)
{
    struct tw_clock_step clock = { 0 };
    uint32_t chance = 1;
    tcpwhy_ns time_ns = 0;

    for (unsigned i = 0; i < frames; i++) {
        tcpwhy_ns at = time_ns / tick_ns * tick_ns;

        tw_clock_step_look(&clock, at / resolution_ns * resolution_ns);
        chance = chance * 1664525 + 1013904223;
        time_ns += chance % TCPWHY_MS(40);
    }
    return tw_clock_step_ns(&clock);
}

TEST(a_clock_of_milliseconds_is_known_by_its_times)
{
    assert_int_equal(step_of(TCPWHY_MS(1), TCPWHY_US(1), 200), TCPWHY_MS(1));
    assert_int_equal(step_of(TCPWHY_MS(10), 1, 200), TCPWHY_MS(10));
}

TEST(a_clock_of_fractional_microseconds_is_coarse)
{
    tcpwhy_ns step_ns = step_of(TCPWHY_S(1) / 1024, TCPWHY_US(1), 200);

    assert_in_range(step_ns, TCPWHY_US(976), TCPWHY_US(977));
    step_ns = step_of(15625000, TCPWHY_US(1), 200);
    assert_in_range(step_ns, TCPWHY_US(15624), TCPWHY_US(15626));
}

TEST(a_fine_clock_has_no_step)
{
    assert_int_equal(step_of(1, TCPWHY_US(1), 200), 0);
    assert_int_equal(step_of(TCPWHY_US(100), TCPWHY_US(1), 200), 0);
}

TEST(a_few_times_tell_none)
{
    assert_int_equal(step_of(TCPWHY_MS(10), TCPWHY_US(1), 3), 0);
}

TEST(times_that_go_back_or_stand_still_tell_nothing)
{
    static const int ms[] = { 0, 30, 30, 30, 10, 20, 5, 15, 15, 35, 45, 35, 45, 75 };
    struct tw_clock_step clock = { 0 };

    for (size_t i = 0; i < sizeof ms / sizeof *ms; i++)
        tw_clock_step_look(&clock, TCPWHY_MS(ms[i]));
    assert_int_equal(tw_clock_step_ns(&clock), TCPWHY_MS(10));
}

TEST(forged_times_do_no_harm)
{
    struct tw_clock_step clock = { 0 };

    for (int i = 0; i < 20; i++)
        tw_clock_step_look(&clock, i % 2 ? INT64_MAX / 2 : -INT64_MAX / 2);
    assert_int_equal(tw_clock_step_ns(&clock), 0);
}
