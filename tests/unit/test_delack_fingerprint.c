/* SPDX-License-Identifier: MIT */
/*
 * The stacks that are named for an ACK delay and a received TTL.
 */
#include "tests/unit.h"

#include <string.h>

#include "explain/model/delack_fingerprint.h"

static void assert_named(uint8_t ttl, int64_t delay_ms, const char *name)
{
    assert_non_null(strstr(tw_delack_fingerprint(ttl, TCPWHY_MS(delay_ms)), name));
}

static void assert_not_named(uint8_t ttl, int64_t delay_ms, const char *name)
{
    assert_null(strstr(tw_delack_fingerprint(ttl, TCPWHY_MS(delay_ms)), name));
}

TEST(a_delay_that_is_no_timer_s_may_be_one_that_adapted)
{
    assert_named(64, 48, "Linux");
    assert_named(64, 48, "Solaris (50 ms)");
    assert_named(60, 75, "Linux");
    assert_not_named(60, 75, "Solaris");
    assert_not_named(60, 75, "macOS");
}

TEST(a_timer_of_several_stacks_names_them_all)
{
    assert_named(64, 40, "Linux");
    assert_named(64, 40, "FreeBSD (40 ms)");
    assert_named(64, 100, "Linux");
    assert_named(64, 100, "macOS");
}

TEST(the_ttl_tells_windows_from_other_systems)
{
    assert_named(113, 48, "Windows");
    assert_not_named(113, 48, "Linux");
    assert_named(128, 200, "Windows");
    assert_not_named(64, 200, "Windows");
    assert_named(64, 200, "Linux");
    assert_named(65, 40, "Windows");
}

TEST(a_delay_or_a_ttl_of_no_stack_that_we_know_names_none)
{
    assert_named(64, 300, "not known");
    assert_named(128, 300, "not known");
    assert_named(250, 40, "not known");
}
