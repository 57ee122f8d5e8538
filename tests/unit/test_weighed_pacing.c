/* SPDX-License-Identifier: MIT */
/* A kernel that spreads its segments by a rate of its own: a gap that shows it, changed in one
 * thing. */
#include "tests/unit.h"

#include "tests/unit/made_pause.h"

#define RATE 2e6 /* bytes a second, so that two segments of 1000 bytes take 1 ms */

static void make_pace(struct made_gap *m)
{
    make_pause(m);
    leave_more(m);
    m->round[1].flat.own_clock = true;
    m->round[1].flat.paced = true;
    m->round[1].rate = RATE;
    pause_for(m, TCPWHY_MS(3)); /* as long as three bursts take */
}

GAP_TEST(a_steady_pace_of_full_segments_is_likely_the_kernels, make_pace(m))
{
    assert_claims_but(m, TCPWHY_PACING, TCPWHY_APP_LIMITED);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_SERVER);
}

GAP_TEST(a_partial_segment_ends_what_a_program_wrote, make_pace(m))
{
    m->send[1].is |= TW_SEND_PARTIAL;
    assert_leaves(m, TCPWHY_PACING);
}

GAP_TEST(a_pace_makes_no_silence_longer_than_three_bursts, make_pace(m))
{
    assert_true(claims(m, TCPWHY_PACING));
    pause_for(m, TCPWHY_MS(3) + 1000);
    assert_leaves(m, TCPWHY_PACING);
}

GAP_TEST(a_pace_at_the_rate_of_the_full_path_is_the_paths, make_pace(m))
{
    m->round[1].flat.at_capacity = true;
    assert_leaves(m, TCPWHY_PACING);
}

GAP_TEST(a_pace_below_the_rate_of_the_path_leaves_no_queue, make_pace(m))
{
    m->round[1].queue_ns = CLAIM_RTT;
    assert_leaves(m, TCPWHY_PACING);
}
