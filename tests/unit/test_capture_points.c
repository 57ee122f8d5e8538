/* SPDX-License-Identifier: MIT */
/* Connections whose packets were captured at two points of their way, in one file. */
#include "tests/unit.h"

#include "log/capture_points.h"
#include "tests/unit/verdict.h"

#include <stdlib.h>

#define MOST 600

/* A packet as one point saw it. */
struct sight {
    int64_t at_us;
    int nth;
    struct tw_segment segment;
};

/* Both points, at the ends of the way, and what they saw. */
struct both {
    struct talk talk;
    struct sight sight[MOST];
    int n;
    int64_t now_us;        /* as the client's clock has it */
    int64_t way_us[2];     /* of what each side sends, to the other */
    int64_t ahead_us;      /* of the server's clock */
    int hops;              /* routers in between */
    bool without_id, gone; /* ... the packet is lost on its way */
};

static void see(struct both *b, int64_t at_us, const struct tw_segment *s, int hops)
{
    struct sight *x = &b->sight[b->n];

    assert_true(b->n < MOST);
    *x = (struct sight) { at_us, b->n++, *s };
    x->segment.ttl = (uint8_t)(s->ttl - hops);
}

/* A packet leaves at its sender at that time of the client's clock. */
static void pass(struct both *b, enum tcpwhy_side from, struct tw_segment *s)
{
    int64_t there_us = b->now_us + b->way_us[from];

    if (b->without_id)
        s->ip_id = 0;
    see(b, b->now_us + (from == S ? b->ahead_us : 0), s, 0);
    if (!b->gone)
        see(b, there_us + (from == C ? b->ahead_us : 0), s, b->hops);
}

static void say(struct both *b, enum tcpwhy_side from, uint32_t len, uint16_t flags)
{
    struct tw_segment s;

    b->talk.ip_id[from]++;
    s = talk_segment(&b->talk, from, b->talk.next[from], len, flags);
    b->talk.next[from] += len + !!(flags & TW_SYN);
    pass(b, from, &s);
}

/* Retransmit data that begins 'below' bytes before SND.NXT. */
static void say_again(struct both *b, enum tcpwhy_side from, uint32_t below, uint32_t len)
{
    struct tw_segment s;

    b->talk.ip_id[from]++;
    s = talk_segment(&b->talk, from, b->talk.next[from] - below, len, TW_ACK);
    pass(b, from, &s);
}

/* A way of 10 ms there and 10 ms back. */
static void begin_both(struct both *b, int64_t ahead_us, int hops)
{
    b->n = 0;
    b->now_us = 1000;
    b->way_us[C] = b->way_us[S] = 10000;
    b->ahead_us = ahead_us;
    b->hops = hops;
    b->without_id = b->gone = false;
    talk_init(&b->talk);
}

static void shake_hands(struct both *b)
{
    say(b, C, 0, TW_SYN);
    b->now_us += 10050;
    say(b, S, 0, TW_SYN | TW_ACK);
    b->now_us += 10050;
    say(b, C, 0, TW_ACK);
}

static void open_both(struct both *b, int64_t ahead_us, int hops)
{
    begin_both(b, ahead_us, hops);
    shake_hands(b);
}

/* Requests, each answered after 30 ms of thought. */
static void ask(struct both *b, int times)
{
    for (int i = 0; i < times; i++) {
        say(b, C, 100, TW_ACK | TW_PSH);
        b->now_us += 10050;
        say(b, S, 0, TW_ACK);
        b->now_us += 30000;
        say(b, S, 500, TW_ACK | TW_PSH);
        b->now_us += 10050;
        say(b, C, 0, TW_ACK);
        b->now_us += 100;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct sight *x = a, *y = b;

    if (x->at_us != y->at_us)
        return x->at_us < y->at_us ? -1 : 1;
    return x->nth - y->nth;
}

/* All in the order of time, as mergecap writes them. */
static void merge(struct both *b)
{
    qsort(b->sight, (size_t)b->n, sizeof *b->sight, by_time);
    for (int i = 0; i < b->n; i++)
        talk_push(&b->talk, b->sight[i].at_us, &b->sight[i].segment);
}

static bool settle(struct both *b)
{
    struct talk *t = &b->talk;

    merge(b);
    return tw_capture_points_suspected(t->last.connection, t->log) &&
           tw_capture_points_settle(t->last.connection, t->log);
}

static int count(const struct tw_log *log, enum tcpwhy_class class)
{
    int n = 0;

    for (uint32_t i = 0; i < log->n; i++)
        n += log->record[i].frame_class == (uint8_t) class;
    return n;
}

/* Five requests with 30 ms of thought each, seen at both ends by clocks so far apart. */
static void assert_told_by_the_server(int64_t ahead_us, int hops, bool without_id)
{
    struct both b;
    struct talk *t = &b.talk;

    open_both(&b, ahead_us, hops);
    b.without_id = without_id;
    ask(&b, 5);
    assert_true(settle(&b));
    assert_int_equal(t->log->n, 3 + 5 * 4);
    assert_int_equal(t->log->n_elsewhere, 3 + 5 * 4);
    assert_false(t->log->points_unsure);
    assert_int_equal(t->last.connection->side[S].retransmissions, 0);
    assert_int_equal(count(t->log, TCPWHY_CLASS_DUPLICATE_FRAME), 0);
    talk_explain(t);
    assert_in_range(talk_charged(t, TCPWHY_SERVER_THINK), 150000, 150500);
    assert_int_equal(t->explanation.vantage.place, TCPWHY_VANTAGE_SERVER);
    assert_sure(t, TCPWHY_SERVER_THINK);
    assert_complete(t);
    talk_close(t);
}

TEST(captures_of_both_ends_give_the_verdict_of_one)
{
    assert_told_by_the_server(0, 0, false);
}

TEST(clocks_of_capture_points_may_differ_by_any_time)
{
    static const int64_t ahead_us[] = {
        1000, -1000, 9000, -9000, 15000, -15000, 2000000, -2000000
    };

    for (size_t i = 0; i < G_N_ELEMENTS(ahead_us); i++)
        assert_told_by_the_server(ahead_us[i], 0, false);
}

TEST(routers_in_between_tell_the_points_apart)
{
    assert_told_by_the_server(0, 3, false);
    assert_told_by_the_server(-15000, 3, false);
}

#define BOTH_TEST(name, make) TEST_WITH(name, struct both, b, make, talk_close(&b->talk))

/* The capture at the server missed what left there last. */
BOTH_TEST(the_ttl_identifies_the_capture_point_of_a_packet, open_both(b, 0, 3))
{
    ask(b, 5);
    b->n -= 2;
    b->sight[b->n - 2] = b->sight[b->n - 1];
    b->n--;
    assert_true(settle(b));
    assert_int_equal(b->talk.log->n, 3 + 5 * 4 - 2);
    assert_int_equal(b->talk.log->n_elsewhere, 3 + 5 * 4 - 1);
}

/* A packet that left before another one, and passed the second point after it. */
BOTH_TEST(a_reordered_packet_keeps_its_sending_order, open_both(b, 0, 0))
{
    struct tw_log *log;

    ask(b, 5);
    say(b, S, 500, TW_ACK | TW_PSH);
    b->now_us += 100;
    b->sight[b->n - 2] = b->sight[b->n - 1];
    b->n--;
    say(b, S, 500, TW_ACK | TW_PSH);
    b->now_us += 10050;
    say(b, C, 0, TW_ACK);
    assert_true(settle(b));
    log = b->talk.log;
    assert_int_equal(log->n, 3 + 5 * 4 + 2);
    assert_true(log->record[log->n - 3].facts & TW_FACT_HOLE_BEFORE);
    assert_int_equal(count(log, TCPWHY_CLASS_RETRANSMISSION), 0);
    assert_int_equal(count(log, TCPWHY_CLASS_OUT_OF_ORDER), 0);
}

TEST(duplicate_packets_are_matched_without_ip_id)
{
    assert_told_by_the_server(0, 0, true);
}

BOTH_TEST(the_client_s_point_tells_where_it_sends_more, open_both(b, 0, 0))
{
    say(b, C, 1000, TW_ACK | TW_PSH);
    b->now_us += 10050;
    say(b, S, 0, TW_ACK);
    assert_true(settle(b));
    talk_explain(&b->talk);
    assert_int_equal(b->talk.explanation.vantage.place, TCPWHY_VANTAGE_CLIENT);
}

/* A download of bursts, and the ACKs of it. */
static void load(struct both *b, int bursts, int segments)
{
    say(b, C, 100, TW_ACK | TW_PSH);
    b->now_us += 10050;
    for (int i = 0; i < bursts; i++) {
        for (int k = 0; k < segments; k++) {
            say(b, S, TALK_MSS, TW_ACK);
            b->now_us += 10;
        }
        b->now_us += 10050;
        say(b, C, 0, TW_ACK);
        b->now_us += 10050;
    }
}

BOTH_TEST(bursts_without_identification_are_no_loss, open_both(b, 0, 0))
{
    b->without_id = true;
    load(b, 3, 60);
    assert_true(settle(b));
    assert_int_equal(b->talk.last.connection->side[S].retransmissions, 0);
    assert_int_equal(b->talk.log->n, 3 + 1 + 3 * 61);
}

/* A segment of the server is lost on its way, and sent again. */
static void lose_one(struct both *b)
{
    load(b, 2, 10);
    b->gone = true;
    say(b, S, TALK_MSS, TW_ACK);
    b->gone = false;
    b->now_us += 300000;
    say_again(b, S, TALK_MSS, TALK_MSS);
    b->now_us += 10050;
    say(b, C, 0, TW_ACK);
}

BOTH_TEST(a_packet_lost_between_the_points_was_sent, open_both(b, 0, 0))
{
    lose_one(b);
    assert_true(settle(b));
    assert_int_equal(b->talk.last.connection->side[S].retransmissions, 1);
    assert_int_equal(count(b->talk.log, TCPWHY_CLASS_RETRANSMISSION), 1);
    assert_false(b->talk.log->points_unsure);
}

/* It is unknown which of three identical packets was lost. */
BOTH_TEST(identical_packets_leave_the_points_in_doubt, open_both(b, 0, 0))
{
    b->without_id = true;
    lose_one(b);
    assert_true(settle(b));
    assert_true(b->talk.log->points_unsure);
    talk_explain(&b->talk);
    for (uint32_t i = 0; i < b->talk.explanation.n_spans; i++)
        assert_true(b->talk.explanation.span[i].cause != TCPWHY_LOSS_RECOVERY ||
                    b->talk.explanation.span[i].confidence != TCPWHY_CERTAIN);
}

/* The client's clock is 15 ms late, and a queue fills until the way takes 40 ms more. */
BOTH_TEST(a_queue_may_hide_that_a_clock_is_late, open_both(b, 15000, 0))
{
    tcpwhy_ns last_ns = 0;

    ask(b, 2);
    for (int i = 0; i < 40; i++) {
        b->way_us[S] += 1000;
        say(b, S, TALK_MSS, TW_ACK);
        b->now_us += 500;
    }
    b->now_us += 60000;
    say(b, C, 0, TW_ACK);
    b->way_us[S] = 10000;
    b->now_us += 10000;
    ask(b, 2);
    assert_true(settle(b));
    const struct tw_record *r = b->talk.log->record;
    for (uint32_t i = 0; i < b->talk.log->n; i++)
        if (r[i].len == TALK_MSS) {
            assert_true(last_ns == 0 || r[i].time_ns - last_ns == TCPWHY_US(500));
            last_ns = r[i].time_ns;
        }
}

BOTH_TEST(a_sender_that_sends_all_twice_is_one_point, open_both(b, 0, 0))
{
    for (int i = 0; i < 10; i++) {
        b->gone = true;
        say(b, C, 100, TW_ACK | TW_PSH);
        b->now_us += 200000;
        say_again(b, C, 100, 100);
        b->now_us += 20000;
        say(b, S, 500, TW_ACK | TW_PSH);
        b->now_us += 100;
        say(b, C, 0, TW_ACK);
    }
    assert_false(settle(b));
    assert_int_equal(b->talk.log->n, b->n);
}

BOTH_TEST(copies_a_moment_apart_stay_what_they_are, open_both(b, 0, 0))
{
    b->n = 0;
    b->way_us[C] = b->way_us[S] = 20;
    ask(b, 5);
    assert_false(settle(b));
    assert_int_equal(count(b->talk.log, TCPWHY_CLASS_DUPLICATE_FRAME), b->n / 2);
}

/* The client or the server sends more data. */
static void assert_told_once(enum tcpwhy_side more)
{
    struct both b;
    struct talk *t = &b.talk;

    open_both(&b, 0, 0);
    b.n = 0;
    b.gone = true;
    for (int i = 0; i < 10; i++) {
        say(&b, i % 2 == 0 ? C : S, (i % 2 == 0) == (more == C) ? 900 : 100, TW_ACK | TW_PSH);
        b.now_us += 30000;
    }
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < b.n; i++)
            talk_push(t, b.sight[i].at_us, &b.sight[i].segment);
    assert_true(tw_capture_points_settle(t->last.connection, t->log));
    assert_int_equal(t->log->n, b.n);
    for (int i = 0; i < b.n; i++)
        assert_int_equal(t->log->record[i].frame, i + 1);
    talk_close(t);
}

BOTH_TEST(windows_scale_at_each_point, begin_both(b, 0, 0))
{
    const struct tw_log *log;

    b->talk.wscale = 8;
    shake_hands(b);
    load(b, 4, 4);
    assert_true(settle(b));
    log = b->talk.log;
    for (uint32_t i = 0; i < log->n; i++)
        if (!(log->record[i].flags & TW_SYN))
            assert_int_equal(log->record[i].window_bytes, TALK_WINDOW << 8);
}

/* A number of no window is nothing that its sender sent next, whatever the point. */
BOTH_TEST(data_beyond_the_window_is_dropped_at_each_point, open_both(b, 0, 0))
{
    load(b, 4, 4);
    b->talk.ip_id[S]++;
    struct tw_segment s =
        talk_segment(&b->talk, S, b->talk.next[S] + (UINT32_C(1) << 31), TALK_MSS, TW_ACK);
    pass(b, S, &s);
    b->now_us += 30000;
    load(b, 4, 4);
    assert_true(settle(b));
    assert_int_equal(b->talk.last.connection->side[S].retransmissions, 0);
    assert_int_equal(b->talk.last.connection->side[S].bytes, 32 * TALK_MSS);
}

TEST(a_capture_appended_to_itself_is_reported_once)
{
    assert_told_once(C);
    assert_told_once(S);
}

BOTH_TEST(a_refused_connection_is_reported_by_its_client, open_both(b, 0, 0))
{
    b->n = 0;
    talk_close(&b->talk);
    talk_init(&b->talk);
    say(b, C, 0, TW_SYN);
    b->now_us += 10050;
    say(b, S, 0, TW_RST | TW_ACK);
    assert_true(settle(b));
    assert_int_equal(b->talk.log->record[1].time_ns - b->talk.log->record[0].time_ns,
                     TCPWHY_US(20050));
}
