/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm as Linux has it: full segments pass what is held, and what is held waits for
 * the partial segment before them alone.
 */
#include "tests/unit.h"

#include "tests/unit/made_gap.h"

#define NAGLE TCPWHY_NAGLE_HOLD

/* The rest of what is queued leaves at the ACK of a partial segment, behind which a full one is out
 * that nobody acknowledges; ten are out, and an ACK before that let nothing go. */
static void make_minshall(struct made_gap *m)
{
    make_gap(m);
    m->send[0].is |= TW_SEND_PARTIAL;
    m->send[2].is |= TW_SEND_PARTIAL;
    m->record[NOW].flags |= TW_PSH;
    m->send[2].acked = m->record[ACK].ack = m->send[0].end;
    m->send[1].acked = m->send[1].end - 10 * CLAIM_MSS;
    m->record[ACK_BEFORE].ack = m->send[1].acked + 1;
}

GAP_TEST(the_rest_waits_for_the_partial_one_behind_which_full_ones_went_out, make_minshall(m))
{
    assert_claims_but(m, NAGLE, TCPWHY_APP_LIMITED);
    m->gap.ack_clocked = false;
    assert_leaves(m, NAGLE);
    make_minshall(m);
    m->record[NOW].flags = TW_ACK; /* more stood behind it */
    assert_leaves(m, NAGLE);
    make_minshall(m);
    m->context.sends[TCPWHY_SERVER].n = 4; /* more follows at the next ACK */
    m->send[3].acked = m->send[2].end - 1;
    assert_leaves(m, NAGLE);
    m->send[3].acked++;
    assert_claims_but(m, NAGLE, TCPWHY_APP_LIMITED);
    make_minshall(m);
    m->send[0].is = TW_SEND_FRESH;
    assert_leaves(m, NAGLE);
    make_minshall(m);
    m->send[2].acked--; /* not that ACK */
    assert_leaves(m, NAGLE);
    make_minshall(m);
    m->record[ACK_BEFORE].ack = m->send[0].end; /* nor that, but the one before */
    assert_leaves(m, NAGLE);
    make_minshall(m);
    m->send[1].acked = m->send[0].end; /* it held nothing */
    assert_leaves(m, NAGLE);
}

GAP_TEST(a_partial_segment_without_an_ack_may_be_cwnd_limited, make_minshall(m))
{
    m->record[ACK_BEFORE].ack--;
    assert_leaves(m, NAGLE);
    m->send[1].acked++; /* fewer than a first window's */
    assert_claims_but(m, NAGLE, TCPWHY_APP_LIMITED);
}
