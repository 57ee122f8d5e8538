/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "explain/model/pipe.h"

#define MSS 1000

struct made {
    struct tw_scratch scratch;
    struct tw_pipe pipe;
    struct tw_pipe_news news;
};

/* Ten segments, a millisecond apart. */
static void begin(struct made *m, bool sacks)
{
    m->scratch = (struct tw_scratch) { 0 };
    tw_pipe_begin(&m->pipe, &m->scratch, 64, MSS);
    m->pipe.sacks = sacks;
    for (int i = 0; i < 10; i++)
        tw_pipe_send(&m->pipe, 1 + i * MSS, 1 + (i + 1) * MSS, TCPWHY_MS(i));
}

static void end(struct made *m)
{
    tw_scratch_clear(&m->scratch);
}

static void ack(struct made *m, int64_t segments, tcpwhy_ns at_ns)
{
    tw_pipe_ack(&m->pipe, 1 + segments * MSS, at_ns, &m->news);
}

static void sack(struct made *m, int64_t from, int64_t to, tcpwhy_ns at_ns)
{
    struct tw_range block = { 1 + from * MSS, 1 + to * MSS };

    tw_pipe_sack(&m->pipe, &block, at_ns, &m->news);
}

static int64_t in_flight(const struct made *m)
{
    return tw_pipe_in_flight(&m->pipe).packets;
}

#define MADE_TEST(name, make) TEST_WITH(name, struct made, m, make, end(m))

MADE_TEST(pipe_is_what_was_sent_less_what_is_acknowledged, begin(m, true))
{
    assert_int_equal(in_flight(m), 10);
    ack(m, 4, TCPWHY_MS(50));
    assert_int_equal(in_flight(m), 6);
    assert_int_equal(m->news.delivered, 4);
    assert_int_equal(m->news.acked_first_ns, 0);
    assert_int_equal(m->news.acked_last_ns, TCPWHY_MS(3));
}

/* A coarse clock of the sender puts the third segment before the second. */
MADE_TEST(a_segment_whose_clock_is_behind_is_not_lost_when_the_one_before_it_arrives,
          begin(m, true))
{
    ack(m, 10, TCPWHY_MS(40));
    tw_pipe_send(&m->pipe, 1 + 10 * MSS, 1 + 11 * MSS, TCPWHY_MS(43));
    tw_pipe_send(&m->pipe, 1 + 11 * MSS, 1 + 12 * MSS, TCPWHY_MS(41));
    ack(m, 11, TCPWHY_MS(93));
    tw_pipe_find_lost(&m->pipe, TCPWHY_MS(93), 0, &m->news);
    assert_int_equal(m->news.lost, 0);
    tw_pipe_send(&m->pipe, 1 + 12 * MSS, 1 + 13 * MSS, TCPWHY_MS(42));
    sack(m, 12, 13, TCPWHY_MS(94));
    tw_pipe_find_lost(&m->pipe, TCPWHY_MS(94), 0, &m->news);
    assert_int_equal(m->news.lost, 1);
}

/* RFC 6675: neither SACKed nor lost segments are in the pipe; a repeat is. */
MADE_TEST(sacked_and_lost_segments_leave_the_pipe_and_repeats_enter_it, begin(m, true))
{
    ack(m, 0, TCPWHY_MS(50));
    sack(m, 1, 4, TCPWHY_MS(50));
    assert_int_equal(in_flight(m), 7);
    tw_pipe_find_lost(&m->pipe, TCPWHY_MS(53), 0, &m->news);
    assert_int_equal(m->news.lost, 1);
    assert_int_equal(in_flight(m), 6);
    assert_true(tw_pipe_is_lost(&m->pipe, 1));
    assert_int_equal(tw_pipe_resend(&m->pipe, 1, 1 + MSS, TCPWHY_MS(53)), 1);
    assert_int_equal(in_flight(m), 7);
    ack(m, 4, TCPWHY_MS(100));
    assert_int_equal(in_flight(m), 6);
    assert_true(m->news.repeat_acked);
    assert_int_equal(m->news.delivered, 1);
    assert_int_equal(m->news.acked_first_ns, TCPWHY_NS_UNKNOWN);
}

MADE_TEST(same_block_again_delivers_nothing, begin(m, true))
{
    ack(m, 0, TCPWHY_MS(50));
    sack(m, 2, 5, TCPWHY_MS(50));
    assert_int_equal(m->news.delivered, 3);
    ack(m, 0, TCPWHY_MS(51));
    sack(m, 2, 6, TCPWHY_MS(51));
    assert_int_equal(m->news.delivered, 1);
    assert_int_equal(m->pipe.sacked.packets, 4);
}

/* RFC 8985, 6.2: within the window of reordering nothing is lost. */
MADE_TEST(window_of_reordering_spares_what_left_just_before, begin(m, true))
{
    ack(m, 0, TCPWHY_MS(53));
    sack(m, 3, 4, TCPWHY_MS(53));
    tw_pipe_find_lost(&m->pipe, TCPWHY_MS(53), TCPWHY_MS(2) + 1, &m->news);
    assert_int_equal(m->news.lost, 1); /* the first left 3 ms before */
    tw_pipe_find_lost(&m->pipe, TCPWHY_MS(56), TCPWHY_MS(2) + 1, &m->news);
    assert_int_equal(m->pipe.lost.packets, 3);
}

MADE_TEST(late_arrival_below_a_block_shows_reordering, begin(m, true))
{
    ack(m, 0, TCPWHY_MS(50));
    sack(m, 5, 6, TCPWHY_MS(50));
    sack(m, 2, 3, TCPWHY_MS(50)); /* of the same ACK: no order is known */
    assert_false(m->pipe.reorders);
    ack(m, 0, TCPWHY_MS(51));
    sack(m, 1, 2, TCPWHY_MS(51));
    assert_true(m->pipe.reorders);
}

MADE_TEST(without_sack_each_duplicate_stands_for_a_segment, begin(m, false))
{
    ack(m, 0, TCPWHY_MS(50));
    for (int i = 0; i < 3; i++)
        tw_pipe_duplicate(&m->pipe, &m->news);
    assert_int_equal(in_flight(m), 7);
    tw_pipe_lose_head(&m->pipe, &m->news);
    assert_int_equal(in_flight(m), 6);
    ack(m, 4, TCPWHY_MS(100));
    assert_int_equal(m->pipe.dup_acks, 0);
    assert_int_equal(in_flight(m), 6);
}

MADE_TEST(timeout_empties_the_pipe_but_for_what_left_just_now, begin(m, true))
{
    ack(m, 1, TCPWHY_MS(30));
    tw_pipe_send(&m->pipe, 1 + 10 * MSS, 1 + 11 * MSS, TCPWHY_MS(290));
    tw_pipe_lose_all(&m->pipe, TCPWHY_MS(300));
    assert_int_equal(in_flight(m), 1);
    tw_pipe_forgive(&m->pipe);
    assert_int_equal(in_flight(m), 10);
}

MADE_TEST(large_segment_of_a_card_counts_as_its_parts, begin(m, true))
{
    tw_pipe_send(&m->pipe, 1 + 10 * MSS, 1 + 14 * MSS + 1, TCPWHY_MS(20));
    assert_int_equal(in_flight(m), 15);
    ack(m, 12, TCPWHY_MS(60));
    assert_int_equal(in_flight(m), 3);
    assert_int_equal(tw_pipe_in_flight(&m->pipe).bytes, 2 * MSS + 1);
}

MADE_TEST(hole_in_the_capture_is_in_flight, begin(m, true))
{
    tw_pipe_send(&m->pipe, 1 + 13 * MSS, 1 + 14 * MSS, TCPWHY_MS(20));
    assert_int_equal(in_flight(m), 14);
    ack(m, 12, TCPWHY_MS(60));
    assert_int_equal(in_flight(m), 2);
}

TEST(more_than_there_is_room_for_is_left_out)
{
    struct made m = { .scratch = { 0 } };

    tw_pipe_begin(&m.pipe, &m.scratch, 2, MSS);
    tw_pipe_send(&m.pipe, 1, 1 + 5 * MSS, 0);
    assert_int_equal(in_flight(&m), 2);
    ack(&m, 5, TCPWHY_MS(50));
    assert_int_equal(in_flight(&m), 0);
    end(&m);
}
