/* SPDX-License-Identifier: MIT */
/* Meaning of unanswered SYNs, on hand-made numbers. */
#include "base/array.h"
#include "tests/unit.h"

#include "report/facts/open_limit.h"
#include "report/facts/timestamps_behind.h"
#include "report/facts/unanswered_syns.h"
#include "report/findings/syn_timer.h"

/* A port that left 20 of 40 SYNs unanswered, up to 3 of one connection, and answered 10 at once. */
static struct tw_retransmit_evidence busy(void)
{
    return (struct tw_retransmit_evidence) { .syns = 40,
                                             .unanswered = 20,
                                             .waited = 8,
                                             .most_unanswered = 3,
                                             .answered = 18,
                                             .answered_meanwhile = 10,
                                             .host_frames = 500,
                                             .host_meanwhile = 10,
                                             .ports_waiting = 1,
                                             .hosts_waiting = 1,
                                             .hosts_answering = 1 };
}

static void assert_decided(const struct tw_retransmit_evidence *e, enum tcpwhy_silence what,
                           enum tcpwhy_confidence confidence, enum tcpwhy_silence rival)
{
    struct tw_unanswered_syns s = tw_unanswered_syns_decide(e);

    assert_string_equal(tcpwhy_silence_name(s.what), tcpwhy_silence_name(what));
    assert_string_equal(tcpwhy_confidence_name(s.confidence), tcpwhy_confidence_name(confidence));
    assert_string_equal(tcpwhy_silence_name(s.rival), tcpwhy_silence_name(rival));
}

#define BUSY_TEST(name) TEST_WITH(name, struct tw_retransmit_evidence, e, *e = busy(), (void)e)

BUSY_TEST(one_port_that_answers_others_has_a_full_queue)
{
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
    e->answered_meanwhile = 0;
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_FILTER);
}

BUSY_TEST(handshakes_set_aside_make_it_certain)
{
    e->overflows = 2;
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_CERTAIN, TCPWHY_SILENCE_NONE);
    e->overflows = 1;
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_LIKELY, TCPWHY_SILENCE_LOSS);
    e->at_server = true;
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_CERTAIN, TCPWHY_SILENCE_NONE);
}

BUSY_TEST(handshakes_set_aside_before_any_request_leave_it_open)
{
    e->overflows = e->overflows_idle = 2;
    e->at_server = true;
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_UNDECIDED);
    e->overflows = 3;
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_CERTAIN, TCPWHY_SILENCE_NONE);
}

TEST(connections_that_are_answered_at_once_or_never_depend_on_their_ports)
{
    struct tw_retransmit_evidence e = busy();

    /* 12 repeats in vain where 8 of 16 first SYNs were answered: 6 answers were due. */
    e.answered_between = 8;
    assert_decided(&e, TCPWHY_SILENCE_PORTS, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
    e.recovered = 1;
    assert_decided(&e, TCPWHY_SILENCE_BACKLOG, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
    e.recovered = 0;
    e.answered_between = 5;
    assert_decided(&e, TCPWHY_SILENCE_BACKLOG, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
}

TEST(what_reached_the_server_was_dropped_by_no_nat)
{
    struct tw_retransmit_evidence e = busy();

    e.answered_between = 8;
    e.at_server = true;
    assert_decided(&e, TCPWHY_SILENCE_BACKLOG, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
}

/* Five connections, one after the other: each SYN with ECN in vain, each without answered. */
static struct tw_retransmit_evidence swallows_ecn(void)
{
    struct tw_retransmit_evidence e = busy();

    e.syns = 10;
    e.unanswered = e.waited = 5;
    e.most_unanswered = 1;
    e.extra[TW_SYN_ECN].syns = e.extra[TW_SYN_ECN].unanswered = e.extra[TW_SYN_ECN].times = 5;
    return e;
}

#define ECN_TEST(name)                                                                             \
    TEST_WITH(name, struct tw_retransmit_evidence, e, *e = swallows_ecn(), (void)e)

ECN_TEST(syns_that_fail_with_ecn_alone_are_dropped_for_it)
{
    assert_decided(e, TCPWHY_SILENCE_ECN, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
}

ECN_TEST(one_answer_to_a_syn_with_ecn_acquits_the_path)
{
    e->extra[TW_SYN_ECN].syns = 6;
    e->syns = 11;
    assert_int_not_equal(tw_unanswered_syns_decide(e).what, TCPWHY_SILENCE_ECN);
}

ECN_TEST(a_syn_without_ecn_in_vain_acquits_the_path)
{
    e->unanswered = 6;
    assert_int_not_equal(tw_unanswered_syns_decide(e).what, TCPWHY_SILENCE_ECN);
}

ECN_TEST(connections_that_begin_together_may_meet_a_full_queue)
{
    e->extra[TW_SYN_ECN].times = 1;
    assert_int_not_equal(tw_unanswered_syns_decide(e).what, TCPWHY_SILENCE_ECN);
}

/* Five connections that ask with Fast Open: likewise. */
#define FAST_OPEN_TEST(name)                                                                       \
    TEST_WITH(name, struct tw_retransmit_evidence, e,                                              \
              (*e = swallows_ecn(), e->extra[TW_SYN_DATA] = e->extra[TW_SYN_ECN],                  \
               e->extra[TW_SYN_ECN].syns = 0),                                                     \
              (void)e)

FAST_OPEN_TEST(syns_that_fail_with_data_alone_are_dropped_for_it)
{
    assert_decided(e, TCPWHY_SILENCE_FAST_OPEN, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
}

FAST_OPEN_TEST(one_answer_to_a_syn_with_data_acquits_the_path)
{
    e->extra[TW_SYN_DATA].syns = 6;
    e->syns = 11;
    assert_int_not_equal(tw_unanswered_syns_decide(e).what, TCPWHY_SILENCE_FAST_OPEN);
}

/* At the client: others may fill the queue, but whoever is let in would wait behind them. */
TEST(a_queue_that_lets_nobody_wait_is_not_full)
{
    struct tw_retransmit_evidence e = busy();

    e.alone = true;
    e.answered_meanwhile = 9;
    e.recovered = 3;
    e.answered_between = 4;
    assert_decided(&e, TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_FILTER);
    e.answered_between = 5;
    assert_decided(&e, TCPWHY_SILENCE_FILTER, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
}

BUSY_TEST(several_ports_at_once_are_filtered)
{
    e->ports_waiting = 2;
    assert_decided(e, TCPWHY_SILENCE_FILTER, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
}

BUSY_TEST(several_hosts_at_once_are_filtered)
{
    e->hosts_waiting = 2;
    assert_decided(e, TCPWHY_SILENCE_FILTER, TCPWHY_LIKELY, TCPWHY_SILENCE_LOSS);
    e->host_meanwhile = e->answered_meanwhile = 0;
    assert_decided(e, TCPWHY_SILENCE_FILTER, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_LOSS);
}

BUSY_TEST(a_port_that_never_answers_on_a_living_host_is_filtered)
{
    e->answered = e->answered_meanwhile = 0;
    e->waited = 1;
    assert_decided(e, TCPWHY_SILENCE_FILTER, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
}

TEST(a_host_that_is_not_heard_is_dead)
{
    struct tw_retransmit_evidence e = { .syns = 4,
                                        .unanswered = 4,
                                        .waited = 1,
                                        .most_unanswered = 4,
                                        .hosts_silent = 1,
                                        .hosts_answering = 3 };

    assert_decided(&e, TCPWHY_SILENCE_DEAD_HOST, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
    e.hosts_answering = 0;
    assert_decided(&e, TCPWHY_SILENCE_DEAD_HOST, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
    e.hosts_silent = 2; /* nobody answers anywhere: the trouble is nearer than those hosts */
    assert_decided(&e, TCPWHY_SILENCE_FILTER, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_DEAD_HOST);
}

BUSY_TEST(a_few_lone_syns_are_lost_on_the_way)
{
    e->unanswered = 10;
    e->most_unanswered = 1;
    assert_decided(e, TCPWHY_SILENCE_LOSS, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_BACKLOG);
    e->data_loss = 0.07;
    assert_decided(e, TCPWHY_SILENCE_LOSS, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
    e->unanswered = 11; /* more than one in four */
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
}

TEST(where_data_is_lost_too_the_queue_is_the_rival)
{
    struct tw_retransmit_evidence e = {
        .syns = 6, .unanswered = 4, .most_unanswered = 3, .waited = 2, .answered = 2
    };

    e.host_frames = 20;
    assert_decided(&e, TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_LOSS);
    e.data_loss = 0.1;
    assert_decided(&e, TCPWHY_SILENCE_LOSS, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_BACKLOG);
    e.host_meanwhile = 1; /* its other connections go on */
    assert_decided(&e, TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_FILTER);
}

BUSY_TEST(a_syn_seen_at_the_server_was_not_lost_on_the_path)
{
    e->unanswered = 10;
    e->most_unanswered = 1;
    e->at_server = true;
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
}

TEST(one_connection_alone_does_not_tell)
{
    struct tw_retransmit_evidence e = { .syns = 2,
                                        .unanswered = 1,
                                        .waited = 1,
                                        .most_unanswered = 1,
                                        .answered = 1,
                                        .host_frames = 20,
                                        .ports_waiting = 1,
                                        .hosts_waiting = 1,
                                        .hosts_answering = 1 };

    assert_decided(&e, TCPWHY_SILENCE_UNDECIDED, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_LOSS);
}

TEST(answers_that_are_not_heard_are_lost)
{
    struct tw_retransmit_evidence e = {
        .syns = 4, .answered = 2, .answers_lost = 2, .host_frames = 20
    };

    assert_decided(&e, TCPWHY_SILENCE_LOSS, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
    e.answers_lost = 0;
    assert_decided(&e, TCPWHY_SILENCE_NONE, TCPWHY_CERTAIN, TCPWHY_SILENCE_NONE);
}

#define MOST_OPENINGS 300

/* Pointers to the openings, valid until the next call. */
static struct tw_opening *const *places(const tw_array *all)
{
    static struct tw_opening *place[MOST_OPENINGS];

    assert_in_range(all->len, 0, MOST_OPENINGS);
    for (guint i = 0; i < all->len; i++)
        place[i] = &tw_array_index(all, struct tw_opening, i);
    return place;
}

/* A SYN, its retransmission again_ns later, and the last segment life_ns after the SYN. */
static struct tw_opening asked_at(tcpwhy_ns at_ns, tcpwhy_ns again_ns, tcpwhy_ns life_ns)
{
    return (struct tw_opening) { .syn_ns = at_ns,
                                 .last_syn_ns = at_ns + again_ns,
                                 .first_ns = at_ns,
                                 .last_ns = at_ns + life_ns,
                                 .spoke_ns = TCPWHY_NS_UNKNOWN };
}

/* Of 300 connections, one a millisecond, those beyond `limit` are dropped, and one of `chance`. */
static uint32_t limit_of(unsigned limit, unsigned chance)
{
    tw_array *all = tw_array_new(FALSE, FALSE, sizeof(struct tw_opening));
    uint32_t found;

    for (unsigned i = 0; i < 300; i++) {
        tcpwhy_ns at_ns = TCPWHY_MS(i);
        bool dropped = i >= limit || (chance && i % chance == 0);
        struct tw_opening o = asked_at(at_ns, dropped ? TCPWHY_S(9) : 0, TCPWHY_S(5));

        o.unanswered = dropped ? 3 : 0;
        o.outcome = dropped ? TW_SETUP_SILENT : TW_SETUP_OPEN;
        o.released = !dropped;
        tw_array_append_val(all, o);
    }
    found = tw_open_limit(places(all), all->len);
    assert_int_equal(tw_open_limit(places(all), 0), 0);
    tw_array_free(all, TRUE);
    return found;
}

TEST(syns_dropped_at_one_number_of_connections_meet_a_limit)
{
    assert_int_equal(limit_of(200, 0), 200);
    assert_int_equal(limit_of(290, 0), 0);
    assert_int_equal(limit_of(20, 0), 0);
    /* A fifth of them below it: others that are lost, or closes that the counter learnt late. */
    assert_int_equal(limit_of(200, 8), 175);
}

TEST(syns_dropped_below_it_too_meet_none)
{
    assert_int_equal(limit_of(200, 4), 0);
}

/* Of five connections, 3 s apart and each 10 ms long, or open to the end, the third is dropped. */
static bool is_empty_queue(bool stays, bool set_aside)
{
    tw_array *all = tw_array_new(FALSE, FALSE, sizeof(struct tw_opening));
    bool empty;

    for (unsigned i = 0; i < 5; i++) {
        tcpwhy_ns at_ns = TCPWHY_S(3 * i);
        bool dropped = i == 2;
        struct tw_opening o = { .syn_ns = at_ns,
                                .last_syn_ns = dropped && !set_aside ? at_ns + TCPWHY_S(1) : at_ns,
                                .first_ns = at_ns,
                                .last_ns = at_ns + TCPWHY_MS(10),
                                .spoke_ns = TCPWHY_NS_UNKNOWN,
                                .unanswered = dropped && !set_aside,
                                .set_aside = dropped && set_aside,
                                .outcome = TW_SETUP_OPEN,
                                .released = !dropped,
                                .served = !dropped && !stays };

        tw_array_append_val(all, o);
    }
    empty = tw_open_none(places(all), all->len, false);
    assert_false(tw_open_none(places(all), 0, false));
    tw_array_free(all, TRUE);
    return empty;
}

TEST(a_queue_that_every_connection_has_left_is_empty)
{
    assert_true(is_empty_queue(false, false));
    assert_true(is_empty_queue(false, true));
}

/* A client that gives up leaves its connection in the queue. */
TEST(connections_that_no_program_took_are_in_the_queue)
{
    assert_false(is_empty_queue(true, false));
    assert_false(is_empty_queue(true, true));
}

/* Of 100 connections, 10 ms apart and open for 80, each third one is dropped. A round trip takes 4
 * ms, and the program answers `wait` after it got the connection. */
static bool lets_wait(tcpwhy_ns wait_ns)
{
    tw_array *all = tw_array_new(FALSE, FALSE, sizeof(struct tw_opening));
    bool none;

    for (unsigned i = 0; i < 100; i++) {
        tcpwhy_ns at_ns = TCPWHY_MS(10 * i);
        struct tw_opening o = asked_at(at_ns, 0, TCPWHY_MS(80));

        o.unanswered = i % 3 == 2;
        o.answer_ns = at_ns + TCPWHY_MS(4);
        o.outcome = o.unanswered ? TW_SETUP_SILENT : TW_SETUP_OPEN;
        o.spoke_ns = o.unanswered ? TCPWHY_NS_UNKNOWN : o.answer_ns + TCPWHY_MS(4) + wait_ns;
        o.released = o.served = true;
        tw_array_append_val(all, o);
    }
    none = tw_open_none(places(all), all->len, true);
    tw_array_free(all, TRUE);
    return !none;
}

TEST(whoever_is_answered_a_round_trip_later_had_not_waited)
{
    assert_false(lets_wait(TCPWHY_MS(1)));
    assert_true(lets_wait(TCPWHY_MS(40)));
}

/* Of 300 connections, one a millisecond, each second one is dropped once as many as its life allows
 * are open; one more is dropped while 5 are. */
static uint32_t queue_of(unsigned life_ms, bool one_below)
{
    tw_array *all = tw_array_new(FALSE, FALSE, sizeof(struct tw_opening));
    uint32_t found;

    for (unsigned i = 0; i < 300; i++) {
        tcpwhy_ns at_ns = TCPWHY_MS(i);
        bool below = one_below && i == 5, full = i % 2 == 1 && i > 2 * life_ms;
        bool dropped = below || full;
        tcpwhy_ns again_ns = dropped ? TCPWHY_S(1) : 0;
        struct tw_opening o =
            asked_at(at_ns, again_ns, TCPWHY_MS(2 * life_ms) + (dropped ? again_ns : -1));

        o.unanswered = dropped;
        o.outcome = TW_SETUP_OPEN;
        o.released = o.served = true;
        tw_array_append_val(all, o);
    }
    found = tw_open_queue(places(all), all->len);
    assert_int_equal(tw_open_queue(places(all), 40), 0);
    tw_array_free(all, TRUE);
    return found;
}

TEST(a_queue_held_no_more_than_were_there_at_any_dropped_syn)
{
    assert_int_equal(queue_of(11, false), 11);
    assert_int_equal(queue_of(30, false), 30);
    assert_int_equal(queue_of(11, true), 5);
}

BUSY_TEST(an_empty_queue_of_a_server_is_not_full)
{
    e->alone = e->at_server = true;
    assert_decided(e, TCPWHY_SILENCE_FILTER, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
    e->overflows = 2;
    assert_decided(e, TCPWHY_SILENCE_FILTER, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
}

BUSY_TEST(a_client_does_not_see_who_else_queues)
{
    e->alone = true;
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_FILTER);
    e->overflows = 2;
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_FILTER);
}

BUSY_TEST(a_limit_is_told_where_no_handshake_was_set_aside)
{
    e->limit = 200;
    assert_decided(e, TCPWHY_SILENCE_LIMIT, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
    e->overflows = 2;
    assert_decided(e, TCPWHY_SILENCE_BACKLOG, TCPWHY_CERTAIN, TCPWHY_SILENCE_NONE);
}

TEST(answers_of_an_older_connection_are_no_silence)
{
    struct tw_retransmit_evidence e = {
        .syns = 4, .answered = 2, .challenged = 2, .host_frames = 20
    };

    assert_decided(&e, TCPWHY_SILENCE_OLD_CONNECTION, TCPWHY_CERTAIN, TCPWHY_SILENCE_NONE);
    e.overflows = e.overflows_idle = 1;
    assert_decided(&e, TCPWHY_SILENCE_OLD_CONNECTION, TCPWHY_CERTAIN, TCPWHY_SILENCE_NONE);
    e.overflows = 2;
    assert_decided(&e, TCPWHY_SILENCE_BACKLOG, TCPWHY_CERTAIN, TCPWHY_SILENCE_NONE);
}

/* Twelve connections of one address, by turns from two hosts behind it: one clock is an hour
 * ahead. Those of the other are answered or not; every `late`-th of the first is not. */
static struct tw_retransmit_evidence of_two_clocks(bool answers_all, unsigned late)
{
    tw_array *all = tw_array_new(FALSE, FALSE, sizeof(struct tw_opening));
    struct tw_retransmit_evidence e = busy();

    e.waited = 0;
    for (unsigned i = 0; i < 12; i++) {
        bool second = i % 2 == 1;
        bool dropped = second ? !answers_all : late && i / 2 % late == late - 1;
        struct tw_opening o = { .syn_ns = TCPWHY_S(i),
                                .syn_tsval = 1000 * i + (second ? 0 : 3600000),
                                .stamped = true,
                                .unanswered = dropped,
                                .outcome = dropped ? TW_SETUP_SILENT : TW_SETUP_OPEN };

        e.waited += dropped;
        tw_array_append_val(all, o);
    }
    tw_timestamps_behind(places(all), all->len, &e);
    tw_array_free(all, TRUE);
    return e;
}

TEST(syns_with_older_timestamps_alone_are_dropped_for_them)
{
    struct tw_retransmit_evidence e = of_two_clocks(false, 0);

    assert_decided(&e, TCPWHY_SILENCE_TIMESTAMPS, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
}

TEST(one_of_the_other_clock_in_vain_acquits_the_timestamps)
{
    struct tw_retransmit_evidence e = of_two_clocks(false, 3), answered = of_two_clocks(true, 0);

    assert_int_not_equal(tw_unanswered_syns_decide(&e).what, TCPWHY_SILENCE_TIMESTAMPS);
    assert_int_not_equal(tw_unanswered_syns_decide(&answered).what, TCPWHY_SILENCE_TIMESTAMPS);
}

TEST(waits_that_gather_at_the_syn_timer_are_told)
{
    struct tw_syn_timer_waits gather = { 0 };

    for (int i = 0; i < 20; i++)
        tw_syn_timer_add(&gather, TCPWHY_MS(1000 + i));
    tw_syn_timer_add(&gather, TCPWHY_MS(3050));
    assert_int_equal(gather.at_timer, 21);
    assert_true(tw_syn_timer_is(&gather));
    /* Behind the timer many waited for their turn as well. */
    for (int i = 0; i < 80; i++)
        tw_syn_timer_add(&gather, TCPWHY_MS(1100 + 11 * i));
    assert_true(tw_syn_timer_is(&gather));
}

TEST(a_server_that_is_slow_by_all_times_waits_for_no_syn_timer)
{
    struct tw_syn_timer_waits even = { 0 }, slower = { 0 };

    for (int i = 0; i < 400; i++)
        tw_syn_timer_add(&even, TCPWHY_MS(1000 + 2 * i));
    assert_false(tw_syn_timer_is(&even));
    for (int i = 0; i < 20; i++)
        tw_syn_timer_add(&slower, TCPWHY_MS(1000 + i));
    for (int i = 0; i < 100; i++)
        tw_syn_timer_add(&slower, TCPWHY_MS(500 + 5 * i));
    assert_false(tw_syn_timer_is(&slower));
}
