/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include "explain/model/cwnd.h"

#define MSS 1000
#define RTT TCPWHY_MS(50)

/* A sender that always has data, and a receiver that acknowledges each segment. */
struct made {
    struct tw_scratch scratch;
    struct tw_pipe pipe;
    struct tw_pipe_news news;
    struct tw_cwnd cwnd;
    struct tw_cwnd_event event;
};

static void begin(struct made *m, int64_t initial)
{
    *m = (struct made) { 0 };
    tw_pipe_begin(&m->pipe, &m->scratch, 4096, MSS);
    m->pipe.sacks = true;
    m->pipe.una = m->pipe.next = 1;
    tw_cwnd_begin(&m->cwnd, (struct tw_interval) { initial, initial }, 0);
    m->event = (struct tw_cwnd_event) { .pipe = &m->pipe,
                                        .news = &m->news,
                                        .rtt_ns = { RTT, RTT },
                                        .rtt_min_ns = { RTT, RTT },
                                        .rto_ns = TCPWHY_MS(250),
                                        .rto_least_ns = TCPWHY_MS(250),
                                        .initial = { initial, initial } };
}

static void end(struct made *m)
{
    tw_scratch_clear(&m->scratch);
}

static void leave(struct made *m, int64_t n, bool clocked)
{
    for (int64_t i = 0; i < n; i++) {
        tw_pipe_send(&m->pipe, m->pipe.next, m->pipe.next + MSS, m->event.at_ns);
        tw_cwnd_send(&m->cwnd, &m->event, 1, true);
    }
    tw_cwnd_settle(&m->cwnd, &m->event, true, clocked);
}

static void send(struct made *m, int64_t n)
{
    leave(m, n, true);
}

static void hear(struct made *m, int64_t n, unsigned what)
{
    tw_pipe_ack(&m->pipe, m->pipe.una + n * MSS, m->event.at_ns, &m->news);
    m->event.what = what;
    tw_cwnd_hear(&m->cwnd, &m->event);
    m->event.what = 0;
}

static int64_t low(const struct made *m)
{
    return tw_cwnd_bounds(&m->cwnd).lo;
}

static int64_t high(const struct made *m)
{
    return tw_cwnd_bounds(&m->cwnd).hi;
}

static void round_trip(struct made *m)
{
    int64_t flight = tw_pipe_in_flight(&m->pipe).packets;

    m->event.at_ns += RTT;
    for (int64_t i = 0; i < flight; i++) {
        hear(m, 1, 0);
        send(m, high(m) - tw_pipe_in_flight(&m->pipe).packets);
    }
}

#define MADE_TEST(name, make) TEST_WITH(name, struct made, m, make, end(m))

MADE_TEST(slow_start_doubles_it_each_round_trip, begin(m, 10))
{
    send(m, 10);
    round_trip(m);
    assert_int_equal(low(m), 20);
    assert_int_equal(high(m), 20);
    round_trip(m);
    assert_int_equal(high(m), 40);
}

/* tcp_is_cwnd_limited(): less than half of it is used. */
MADE_TEST(window_that_is_not_used_does_not_grow, begin(m, 10))
{
    for (int i = 0; i < 20; i++) {
        send(m, 2);
        m->event.at_ns += RTT;
        hear(m, 2, 0);
    }
    assert_int_equal(high(m), 10);
}

/* The receive window leaves room for 14 of 20 to 27: a window of 27 grows with all that the next
 * ACK covers, and one of 28 does not. */
MADE_TEST(window_that_is_little_used_may_pass_a_larger_one, begin(m, 10))
{
    send(m, 10);
    hear(m, 10, 0);
    send(m, 14);
    hear(m, 7, 0);
    send(m, 7);
    hear(m, 7, 0);
    send(m, 7);
    hear(m, 14, 0);
    assert_int_equal(low(m), 28);
    assert_true(high(m) >= 27 + 14);
}

/* Less than half of it is out, but with 4 in a queue of the sender's own host more than that. */
MADE_TEST(data_that_no_ack_released_may_be_part_of_more, begin(m, 10))
{
    int64_t before;

    for (int i = 0; i < 4; i++) {
        send(m, 2);
        hear(m, 2, 0);
    }
    before = high(m);
    send(m, before / 2 - 2);
    hear(m, before / 2 - 2, 0);
    assert_int_equal(high(m), before);
    leave(m, before / 2 - 2, false);
    hear(m, before / 2 - 2, 0);
    assert_true(high(m) > before);
}

/* Of 10 to 40 segments, what is more than what is out is not full, and does not grow. */
MADE_TEST(window_grows_by_one_beyond_what_is_out_at_least, begin(m, 10))
{
    tw_cwnd_begin(&m->cwnd, (struct tw_interval) { 10, 40 }, 0);
    m->cwnd.known = true;
    m->cwnd.congestion = TW_CONGESTION_CUBIC;
    m->event.at_ns = RTT;
    send(m, 10);
    hear(m, 10, TW_CA_REDUCE | TW_CA_FINISH);
    for (int i = 0; i < 40; i++) {
        int64_t out = low(m);

        send(m, out);
        m->event.at_ns += 4 * RTT;
        hear(m, out, 0);
        assert_true(low(m) <= out + 1);
    }
}

MADE_TEST(initial_window_that_is_not_known_is_what_left_to_ten, begin(m, 10))
{
    tw_cwnd_begin(&m->cwnd, (struct tw_interval) { 1, 10 }, 0);
    send(m, 4);
    assert_int_equal(low(m), 4);
    assert_int_equal(high(m), 10);
}

/* Seven tenths of CUBIC, half of Reno. */
MADE_TEST(reduction_spans_what_congestion_controls_do, begin(m, 100))
{
    send(m, 100);
    m->event.at_ns += RTT;
    m->event.state = TW_CA_OPEN;
    hear(m, 50, TW_CA_REDUCE | TW_CA_FINISH);
    assert_int_equal(tw_cwnd_ssthresh(&m->cwnd).lo, 50);
    assert_int_equal(tw_cwnd_ssthresh(&m->cwnd).hi, 70);
    assert_true(low(m) >= 50 && high(m) <= 71);
}

/* RFC 6937: what leaves in recovery is in proportion to what arrives, until all is at ssthresh. */
MADE_TEST(proportional_rate_reduction_ends_at_ssthresh, begin(m, 20))
{
    struct tw_range block;

    send(m, 20);
    m->event.at_ns += RTT;
    m->event.state = TW_CA_RECOVERY;
    for (int i = 1; i < 20; i++) {
        tw_pipe_ack(&m->pipe, 1, m->event.at_ns, &m->news);
        block = (struct tw_range) { 1 + i * MSS, 1 + (i + 1) * MSS };
        tw_pipe_sack(&m->pipe, &block, m->event.at_ns, &m->news);
        m->event.what = i == 1 ? TW_CA_REDUCE : 0;
        tw_cwnd_hear(&m->cwnd, &m->event);
        assert_true(low(m) >= tw_pipe_in_flight(&m->pipe).packets);
        assert_true(high(m) <= 20);
    }
    m->event.state = TW_CA_OPEN;
    hear(m, 20, TW_CA_FINISH);
    assert_int_equal(low(m), 10);
    assert_int_equal(high(m), 14);
}

MADE_TEST(timeout_leaves_one_segment, begin(m, 20))
{
    send(m, 20);
    tw_pipe_lose_all(&m->pipe, TCPWHY_S(1));
    m->event.state = TW_CA_LOSS;
    m->event.what = TW_CA_TIMEOUT | TW_CA_REDUCES_TO;
    tw_cwnd_change(&m->cwnd, &m->event);
    assert_int_equal(high(m), 1);
    assert_int_equal(tw_cwnd_ssthresh(&m->cwnd).lo, 10);
}

MADE_TEST(undone_reduction_gives_it_back, begin(m, 20))
{
    send(m, 20);
    hear(m, 1, TW_CA_REDUCE | TW_CA_FINISH);
    assert_true(high(m) < 16);
    hear(m, 1, TW_CA_UNDO);
    assert_true(low(m) >= 20);
    assert_int_equal(tw_cwnd_ssthresh(&m->cwnd).lo, TW_NO_SSTHRESH);
}

/* RFC 2861 halves for each RTO; whether the sender does is not known before it shows. */
MADE_TEST(idle_time_lowers_the_lower_bound_and_the_flight_after_it_tells, begin(m, 10))
{
    send(m, 10);
    round_trip(m);
    round_trip(m);
    hear(m, 40, 0);
    assert_true(low(m) >= 40);
    m->event.at_ns += TCPWHY_S(2);
    tw_cwnd_restart(&m->cwnd, &m->event, TCPWHY_S(2));
    assert_int_equal(low(m), 10);
    assert_true(high(m) >= 40);
    send(m, 10);
    hear(m, 1, 0);
    assert_int_equal(tw_cwnd_tell_restart(&m->cwnd), TW_RESTARTS);
}

MADE_TEST(full_window_after_an_idle_time_shows_a_sender_that_keeps_it, begin(m, 10))
{
    send(m, 10);
    round_trip(m);
    round_trip(m);
    hear(m, 40, 0);
    m->event.at_ns += TCPWHY_S(2);
    tw_cwnd_restart(&m->cwnd, &m->event, TCPWHY_S(2));
    send(m, 80);
    hear(m, 1, 0);
    assert_int_equal(tw_cwnd_tell_restart(&m->cwnd), TW_KEEPS);
}

MADE_TEST(idle_time_shorter_than_rto_changes_nothing, begin(m, 20))
{
    tw_cwnd_restart(&m->cwnd, &m->event, TCPWHY_MS(250));
    assert_int_equal(low(m), 20);
}

MADE_TEST(sender_that_fills_sixty_of_a_hundred_after_a_loss_is_not_cubic, begin(m, 100))
{
    enum tw_congestion found = TW_N_CONGESTIONS;

    send(m, 100);
    m->event.at_ns += RTT;
    hear(m, 100, TW_CA_REDUCE | TW_CA_FINISH);
    assert_false(tw_cwnd_tell(&m->cwnd, true, &found));
    for (int i = 0; i < 20; i++) {
        send(m, 44 - tw_pipe_in_flight(&m->pipe).packets);
        hear(m, 1, 0);
    }
    assert_true(tw_cwnd_tell(&m->cwnd, true, &found));
    assert_int_equal(found, TW_CONGESTION_RENO);
}

MADE_TEST(sender_that_sends_more_than_any_loss_based_one_is_another, begin(m, 100))
{
    enum tw_congestion found = TW_CONGESTION_CUBIC;

    send(m, 100);
    for (int i = 0; i < 2; i++) {
        hear(m, 20, TW_CA_REDUCE | TW_CA_FINISH);
        tw_pipe_send(&m->pipe, m->pipe.next, m->pipe.next + 40 * MSS, m->event.at_ns);
        tw_cwnd_send(&m->cwnd, &m->event, 40, true);
    }
    assert_true(tw_cwnd_tell(&m->cwnd, true, &found));
    assert_int_equal(found, TW_N_CONGESTIONS);
    m->cwnd.known = true;
    m->cwnd.congestion = found;
    assert_int_equal(high(m), TW_NO_SSTHRESH);
    assert_int_equal(low(m), tw_pipe_in_flight(&m->pipe).packets);
}
