/* SPDX-License-Identifier: MIT */
/*
 * A link that is full of what others asked for, as a host without TCP timestamps sees it.
 */
#include "tests/unit.h"

#include "tests/unit/made_gap.h"

#define LINK TCPWHY_BANDWIDTH_LIMITED

/* Bytes that the link carries in the wait, and how many of them came. */
#define CARRIED 20000u
#define CAME    18000u

/* The client waits here for 20 ms, while others' segments come. */
static void make_load(struct made_gap *m, uint32_t came)
{
    make_wait_remote(m);
    m->gap.phase = TW_PHASE_TURN;
    m->gap.round = NULL;
    m->gap.first_record = FIRST_ACK;
    m->gap.from_ns = 0;
    m->gap.to_ns = m->record[NOW].time_ns = TCPWHY_MS(20);
    m->record[OLD_DATA].from = m->record[BEFORE].from = TCPWHY_CLIENT;
    m->record[FIRST_ACK].to_client = UINT32_MAX - 99;
    m->record[NOW].to_client = came - 100;
    m->log.inflow_rate[TCPWHY_CLIENT] = CARRIED / 20e-3;
    m->context.link_rate_known[TCPWHY_SERVER] = true;
}

GAP_TEST(a_wait_beside_a_full_link_is_bandwidth_limited, make_load(m, CAME))
{
    m->gap.propagation_ns = TCPWHY_MS(5);
    assert_claims_but(m, LINK, TCPWHY_SERVER_THINK);
    assert_int_equal(m->claim.party, TCPWHY_PARTY_PATH);
    assert_int_equal(m->claim.from_ns, TCPWHY_MS(5));
    m->gap.phase = TW_PHASE_MESSAGE;
    assert_claims_but(m, LINK, TCPWHY_APP_LIMITED);
}

GAP_TEST(a_link_with_spare_capacity_causes_no_wait, make_load(m, CAME - 1))
{
    assert_leaves(m, LINK);
}

/* The answer itself, and less than a segment of others. */
GAP_TEST(a_link_filled_by_the_answer_alone_is_no_cause, make_load(m, 2 * CLAIM_MSS - 1))
{
    m->log.inflow_rate[TCPWHY_CLIENT] = 1;
    assert_leaves(m, LINK);
    m->record[NOW].to_client++;
    assert_claims_but(m, LINK, TCPWHY_SERVER_THINK);
}

GAP_TEST(data_acknowledged_early_was_not_on_the_wire, make_load(m, CAME))
{
    m->record[BEFORE].from = TCPWHY_SERVER;
    m->record[BEFORE].ack = tw_record_end(&m->record[FIRST_ACK]);
    m->record[BEFORE].time_ns = TCPWHY_MS(10) - 1;
    assert_leaves(m, LINK);
    m->record[BEFORE].time_ns = TCPWHY_MS(10);
    assert_claims_but(m, LINK, TCPWHY_SERVER_THINK);
    m->record[BEFORE].time_ns = TCPWHY_MS(1);
    m->record[BEFORE].ack--;
    assert_claims_but(m, LINK, TCPWHY_SERVER_THINK);
}
