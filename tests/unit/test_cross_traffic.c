/* SPDX-License-Identifier: MIT */
/*
 * A question that stood behind what its host sends by other connections, as the records of a wait
 * for its answer tell.
 */
#include "tests/unit.h"

#include "explain/path/cross_traffic.h"
#include "tests/unit/made_gap.h"

#define WAY   TCPWHY_MS(20)
#define THINK TCPWHY_MS(300)

static uint16_t steps(tcpwhy_ns ns)
{
    return (uint16_t)(ns / TW_HOST_TX_DELAY_STEP_NS);
}

/* The client is here, and waits so long for an answer; at both ends of that its other segments take
 * so long there and back. */
static void make_queue(struct made_gap *m, tcpwhy_ns wait_ns, tcpwhy_ns asked_ns,
                       tcpwhy_ns answered_ns)
{
    make_wait_remote(m);
    m->gap.phase = TW_PHASE_TURN;
    m->gap.round = NULL;
    m->gap.first_record = FIRST_ACK;
    m->gap.from_ns = 0;
    m->gap.to_ns = m->record[NOW].time_ns = wait_ns;
    m->gap.propagation_ns = WAY;
    for (int i = OLD_DATA; i < NOW; i++)
        m->record[i].from = TCPWHY_CLIENT;
    m->record[FIRST_ACK].tx_delay[TCPWHY_CLIENT] = steps(asked_ns);
    m->record[NOW].tx_delay[TCPWHY_CLIENT] = steps(answered_ns);
}

TEST(think_time_explained_by_a_queue_is_cross_traffic)
{
    struct made_gap m;

    make_queue(&m, TCPWHY_MS(100), TCPWHY_MS(95), TCPWHY_MS(90));
    tw_cross_traffic_apply(&m.context, &m.gap);
    assert_true(m.gap.way.cross_traffic);
    assert_int_equal(m.gap.way.cross_traffic_ns, TCPWHY_MS(80));
    assert_int_equal(m.gap.propagation_ns, TCPWHY_MS(100));
}

TEST(think_time_beyond_the_queue_stays_the_servers)
{
    struct made_gap m;

    make_queue(&m, TCPWHY_MS(100) + THINK, TCPWHY_MS(100), TCPWHY_MS(90));
    tw_cross_traffic_apply(&m.context, &m.gap);
    assert_int_equal(m.gap.way.cross_traffic_ns, TCPWHY_MS(70));
    assert_claims_surely(&m, TCPWHY_SERVER_THINK);
    assert_int_equal(m.claim.to_ns - m.claim.from_ns, THINK + TCPWHY_MS(10));
}

/* It stood there when it was asked, and nothing has told of it since. */
TEST(a_queue_that_is_gone_when_it_is_answered_stood_there)
{
    struct made_gap m;

    make_queue(&m, TCPWHY_MS(100) + THINK, TCPWHY_MS(100), 0);
    tw_cross_traffic_apply(&m.context, &m.gap);
    assert_int_equal(m.gap.way.cross_traffic_ns, TCPWHY_MS(80));
}

TEST(the_way_to_another_host_may_only_be_the_same)
{
    struct made_gap m;

    make_queue(&m, TCPWHY_MS(100), TCPWHY_MS(60), TCPWHY_MS(60));
    m.record[FIRST_ACK].tx_delay[TCPWHY_CLIENT] |= TW_HOST_TX_DELAY_ELSEWHERE;
    m.record[NOW].tx_delay[TCPWHY_CLIENT] |= TW_HOST_TX_DELAY_ELSEWHERE;
    tw_cross_traffic_apply(&m.context, &m.gap);
    assert_int_equal(m.gap.way.cross_traffic_ns, 0);
    assert_claims_but(&m, TCPWHY_SERVER_THINK, TCPWHY_BANDWIDTH_LIMITED);
}

TEST(an_acknowledged_request_was_in_no_queue)
{
    struct made_gap m;

    make_queue(&m, TCPWHY_MS(100), TCPWHY_MS(95), TCPWHY_MS(90));
    m.record[BEFORE].from = TCPWHY_SERVER;
    m.record[BEFORE].ack = tw_record_end(&m.record[FIRST_ACK]);
    m.record[BEFORE].time_ns = WAY + TCPWHY_MS(10);
    tw_cross_traffic_apply(&m.context, &m.gap);
    assert_int_equal(m.gap.way.cross_traffic_ns, TCPWHY_MS(10));
    assert_claims_surely(&m, TCPWHY_SERVER_THINK);
}

TEST(nothing_is_told_where_no_others_send)
{
    struct made_gap m;

    make_queue(&m, TCPWHY_MS(100), 0, 0);
    tw_cross_traffic_apply(&m.context, &m.gap);
    assert_false(m.gap.way.cross_traffic);
    assert_int_equal(m.gap.propagation_ns, WAY);
    assert_claims_surely(&m, TCPWHY_SERVER_THINK);
}
