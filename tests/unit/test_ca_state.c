/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "explain/model/ca_state.h"

#define MSS 1000

struct made {
    struct tw_scratch scratch;
    struct tw_pipe pipe;
    struct tw_pipe_news news;
    struct tw_ca_state ca;
    struct tw_ca_ack ack;
};

static void begin(struct made *m, bool sacks)
{
    *m = (struct made) { .ack = { .news = &m->news } };
    tw_pipe_begin(&m->pipe, &m->scratch, 64, MSS);
    tw_ca_begin(&m->ca);
    m->pipe.sacks = sacks;
    for (int i = 0; i < 10; i++)
        tw_pipe_send(&m->pipe, 1 + i * MSS, 1 + (i + 1) * MSS, 0);
}

static void end(struct made *m)
{
    tw_scratch_clear(&m->scratch);
}

/* An ACK of this many segments, with a SACK block unless it is empty. */
static unsigned hear(struct made *m, int64_t segments, int64_t from, int64_t to)
{
    struct tw_range block = { 1 + from * MSS, 1 + to * MSS };

    m->ack.ack = 1 + segments * MSS;
    m->ack.duplicate = m->ack.ack == m->pipe.una;
    tw_pipe_ack(&m->pipe, m->ack.ack, TCPWHY_MS(50), &m->news);
    if (to > from)
        tw_pipe_sack(&m->pipe, &block, TCPWHY_MS(50), &m->news);
    if (!m->pipe.sacks && m->ack.duplicate)
        tw_pipe_duplicate(&m->pipe, &m->news);
    return tw_ca_hear(&m->ca, &m->pipe, &m->ack, TCPWHY_MS(50), TCPWHY_MS(5), &m->news);
}

static unsigned repeat(struct made *m, int64_t segment, enum tw_ca_trigger trigger, uint32_t tsval)
{
    struct tw_ca_repeat r = {
        .trigger = trigger, .packets = 1, .tsval = tsval, .stamped = tsval != 0
    };
    unsigned what = tw_ca_repeat(&m->ca, &m->pipe, &r, TCPWHY_MS(60));

    tw_pipe_resend(&m->pipe, 1 + segment * MSS, 1 + (segment + 1) * MSS, TCPWHY_MS(60));
    return what;
}

#define MADE_TEST(name, make) TEST_WITH(name, struct made, m, make, end(m))

MADE_TEST(third_segment_sacked_begins_recovery_and_its_end_finishes_it, begin(m, true))
{
    assert_int_equal(hear(m, 1, 2, 4), 0);
    assert_int_equal(m->ca.state, TW_CA_DISORDER);
    assert_int_equal(hear(m, 1, 2, 5), TW_CA_REDUCE);
    assert_int_equal(m->ca.state, TW_CA_RECOVERY);
    assert_int_equal(repeat(m, 1, TW_CA_BY_ACKS, 0), 0);
    assert_int_equal(hear(m, 6, 0, 0), 0);
    assert_int_equal(hear(m, 10, 0, 0), TW_CA_FINISH);
    assert_int_equal(m->ca.state, TW_CA_OPEN);
}

MADE_TEST(third_duplicate_without_sack_begins_recovery, begin(m, false))
{
    assert_int_equal(hear(m, 1, 0, 0), 0);
    assert_int_equal(hear(m, 1, 0, 0), 0);
    assert_int_equal(hear(m, 1, 0, 0), 0);
    assert_int_equal(hear(m, 1, 0, 0), TW_CA_REDUCE);
}

MADE_TEST(repeat_that_acks_let_go_shows_recovery_that_was_not_seen, begin(m, true))
{
    assert_int_equal(repeat(m, 0, TW_CA_BY_ACKS, 0), TW_CA_REDUCE);
    assert_int_equal(m->ca.state, TW_CA_RECOVERY);
}

MADE_TEST(timeout_reduces_ssthresh_once, begin(m, true))
{
    assert_int_equal(repeat(m, 0, TW_CA_BY_RTO, 0), TW_CA_TIMEOUT | TW_CA_REDUCES_TO);
    assert_int_equal(m->ca.state, TW_CA_LOSS);
    assert_int_equal(repeat(m, 0, TW_CA_BY_RTO, 0), TW_CA_TIMEOUT);
}

/* RFC 3522: the ACK echoes a timestamp from before the repeat. */
MADE_TEST(timestamp_of_the_first_copy_undoes_a_timeout, begin(m, true))
{
    repeat(m, 0, TW_CA_BY_RTO, 1000);
    m->ack.stamped = true;
    m->ack.tsecr = 990;
    assert_int_equal(hear(m, 1, 0, 0), TW_CA_UNDO);
    assert_int_equal(m->ca.state, TW_CA_OPEN);
}

MADE_TEST(timestamp_of_the_repeat_undoes_nothing, begin(m, true))
{
    repeat(m, 0, TW_CA_BY_RTO, 1000);
    m->ack.stamped = true;
    m->ack.tsecr = 1000;
    assert_int_equal(hear(m, 1, 0, 0), 0);
    assert_int_equal(m->ca.state, TW_CA_LOSS);
}

MADE_TEST(dsack_of_all_repeats_undoes_a_recovery, begin(m, true))
{
    hear(m, 1, 2, 5);
    repeat(m, 1, TW_CA_BY_ACKS, 0);
    m->ack.dsack = true;
    assert_int_equal(hear(m, 10, 0, 0), TW_CA_UNDO);
}

/* RFC 8985, 7.4.2. */
MADE_TEST(tail_probe_that_was_needed_is_a_loss_once_more_is_acknowledged, begin(m, true))
{
    hear(m, 9, 0, 0);
    assert_int_equal(repeat(m, 9, TW_CA_BY_PROBE_TIMER, 0), 0);
    assert_int_equal(hear(m, 10, 0, 0), 0);
    tw_pipe_send(&m->pipe, 1 + 10 * MSS, 1 + 11 * MSS, TCPWHY_MS(90));
    assert_int_equal(hear(m, 11, 0, 0), TW_CA_REDUCE | TW_CA_FINISH);
}

MADE_TEST(tail_probe_that_was_not_needed_is_none, begin(m, true))
{
    hear(m, 9, 0, 0);
    repeat(m, 9, TW_CA_BY_PROBE_TIMER, 0);
    m->ack.dsack = true;
    hear(m, 10, 0, 0);
    m->ack.dsack = false;
    tw_pipe_send(&m->pipe, 1 + 10 * MSS, 1 + 11 * MSS, TCPWHY_MS(90));
    assert_int_equal(hear(m, 11, 0, 0), 0);
}

MADE_TEST(ecn_echo_reduces_once_a_window, begin(m, true))
{
    m->ack.ece = true;
    assert_int_equal(hear(m, 1, 0, 0), TW_CA_REDUCE);
    assert_int_equal(m->ca.state, TW_CA_CWR);
    assert_int_equal(hear(m, 2, 0, 0), 0);
    m->ack.ece = false;
    tw_pipe_send(&m->pipe, 1 + 10 * MSS, 1 + 11 * MSS, TCPWHY_MS(55));
    assert_int_equal(hear(m, 11, 0, 0), TW_CA_FINISH);
}
