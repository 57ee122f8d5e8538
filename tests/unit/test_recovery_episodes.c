/* SPDX-License-Identifier: MIT */
/*
 * Repairs that follow each other: what is only inferred of one does not become sure for the next.
 * And one that was none.
 */
#include "tests/unit.h"

#include "explain/loss/recovery_episodes.h"
#include "tests/unit/verdict.h"

#define ROUND_TRIP 20000
#define BEGIN      (2 * ROUND_TRIP)
#define SILENCE    220000
#define TIMER      1000000

/* An answer at the client: four segments, and one more after a silence; that is repeated by a timer
 * before it is acknowledged. Before it, too, a packet may have been sent. */
static void answer(struct talk *t, bool counter_steps)
{
    int64_t at_us = BEGIN + ROUND_TRIP;

    talk_open(t, C, ROUND_TRIP);
    talk_data(t, BEGIN, C, 100);
    for (int i = 0; i < 4; i++)
        talk(t, at_us + i, S, TALK_MSS, TW_ACK);
    talk_ack(t, at_us + 10, C);
    t->ip_id[S] += counter_steps;
    at_us += SILENCE;
    talk(t, at_us, S, TALK_MSS, TW_ACK);
    talk_again(t, at_us + TIMER, S, 4 * TALK_MSS, TALK_MSS);
    talk_ack(t, at_us + TIMER + 10, C);
    talk_data(t, at_us + TIMER + 20, C, 100);
    talk_explain(t);
    assert_complete(t);
}

static const struct tw_span *second(const struct talk *t, enum tcpwhy_cause cause)
{
    const struct tw_span *span = talk_span(t, cause);

    return span && span[1].cause == cause ? &span[1] : NULL;
}

#define TALK_TEST(name, make) TEST_WITH(name, struct talk, t, make, talk_close(t))

TALK_TEST(a_silence_that_may_be_a_repair_does_not_become_one_by_the_next, answer(t, true))
{
    assert_doubted(t, TCPWHY_LOSS_RECOVERY, TCPWHY_APP_LIMITED);
    assert_non_null(second(t, TCPWHY_LOSS_RECOVERY));
    assert_int_equal(second(t, TCPWHY_LOSS_RECOVERY)->confidence, TCPWHY_CERTAIN);
    assert_in_range(talk_charged(t, TCPWHY_LOSS_RECOVERY), TIMER + SILENCE - 100,
                    TIMER + SILENCE + 100);
}

TALK_TEST(without_a_step_of_the_counter_the_silence_is_no_repair, answer(t, false))
{
    assert_sure(t, TCPWHY_LOSS_RECOVERY);
    assert_in_range(talk_charged(t, TCPWHY_LOSS_RECOVERY), TIMER - 100, TIMER + 100);
}

/* At the server, over 20 ms: the timer repeats the first of four segments after so long, and then
 * the ACK of all comes, sooner than of the repeat, and lets four more go. */
static void stall(struct talk *t, int64_t timer_us)
{
    int64_t at_us = 2 * ROUND_TRIP;

    talk_open_wide(t, S, ROUND_TRIP);
    talk_data(t, at_us, C, 100);
    for (int i = 0; i < 4; i++)
        talk(t, at_us + 100 + i, S, TALK_MSS, TW_ACK);
    at_us += timer_us;
    talk_again(t, at_us, S, 0, TALK_MSS);
    talk_ack(t, at_us + 5000, C);
    for (int i = 0; i < 4; i++)
        talk(t, at_us + 5010 + i, S, TALK_MSS, TW_ACK);
    talk_ack(t, at_us + 5000 + ROUND_TRIP, C);
    talk_explain(t);
}

TALK_TEST(a_timer_that_fired_in_vain_is_no_window_s_wait, stall(t, 250000))
{
    assert_int_equal(t->explanation.repairs.spurious, 1);
    assert_doubted(t, TCPWHY_LOSS_RECOVERY, TCPWHY_CONGESTION_WINDOW_LIMITED);
    assert_in_range(talk_charged(t, TCPWHY_LOSS_RECOVERY), 254000, 256000);
    talk_close(t);
    stall(t, 180000);
    assert_int_equal(t->explanation.repairs.spurious, 1);
    assert_int_equal(talk_charged(t, TCPWHY_LOSS_RECOVERY), 0);
}

/* ---- one after the other ------------------------------------------------------------------- */

struct made {
    struct tw_recovery out;
    struct tw_scratch scratch;
    struct tw_recovery_episodes recovery_episodes;
};

static void begin(struct made *m)
{
    *m = (struct made) { .out.n = 0 };
    m->recovery_episodes = (struct tw_recovery_episodes) { .out = &m->out, .scratch = &m->scratch };
}

static void begin_anew(struct made *m)
{
    tw_scratch_clear(&m->scratch);
    begin(m);
}

/* From one time to another, which are its records, too. */
static struct tw_recovery_episode repair(uint32_t from, uint32_t to)
{
    return (struct tw_recovery_episode) { .from_ns = from,
                                          .to_ns = to,
                                          .kind = TW_RECOVERY_FAST,
                                          .first_record = from,
                                          .repair_record = to - 1,
                                          .last_record = to,
                                          .repeats = 1 };
}

static void add(struct made *m, struct tw_recovery_episode e)
{
    tw_recovery_episodes_add(&m->recovery_episodes, &e);
}

#define assert_episode(m, i, from, to)                                                             \
    do {                                                                                           \
        assert_true((m)->out.n > (i));                                                             \
        assert_int_equal((m)->out.episode[i].from_ns, from);                                       \
        assert_int_equal((m)->out.episode[i].to_ns, to);                                           \
    } while (0)

TEST(repairs_at_one_time_are_one_episode)
{
    struct made m;
    struct tw_recovery_episode slow = repair(15, 40);

    slow.kind = TW_RECOVERY_RTO;
    begin(&m);
    add(&m, repair(10, 20));
    add(&m, slow);
    add(&m, repair(12, 30));
    assert_int_equal(m.out.n, 1);
    assert_episode(&m, 0, 10, 40);
    assert_int_equal(m.out.episode[0].last_record, 40);
    assert_int_equal(m.out.episode[0].kind, TW_RECOVERY_RTO);
    assert_int_equal(m.out.episode[0].repair_record, 39);
    assert_int_equal(m.out.episode[0].repeats, 3);
    add(&m, repair(41, 50));
    assert_int_equal(m.out.n, 2);
    tw_scratch_clear(&m.scratch);
}

TEST(one_that_began_before_the_last_does_not_reach_over_what_was_told)
{
    struct made m;

    begin(&m);
    add(&m, repair(10, 20));
    add(&m, repair(30, 40));
    add(&m, repair(5, 45));
    assert_int_equal(m.out.n, 2);
    assert_episode(&m, 1, 20, 45);
    begin_anew(&m);
    add(&m, repair(10, 20));
    add(&m, repair(5, 15));
    assert_episode(&m, 0, 5, 20);
    tw_scratch_clear(&m.scratch);
}

static struct tw_recovery_episode unseen(uint32_t from, uint32_t to)
{
    struct tw_recovery_episode e = repair(from, to);

    e.unseen = true;
    return e;
}

static struct tw_recovery_episode arrived(uint32_t from, uint32_t to)
{
    struct tw_recovery_episode e = repair(from, to);

    e.arrived = true;
    return e;
}

static struct tw_recovery_episode first(uint32_t from, uint32_t to)
{
    struct tw_recovery_episode e = repair(from, to);

    e.first = true;
    return e;
}

static bool is_doubted(const struct tw_recovery_episode *e)
{
    return e->unseen || e->arrived || e->first;
}

/* Each of the ways in which a repair may be in doubt. */
static void each_doubt(void (*ask)(struct made *m,
                                   struct tw_recovery_episode (*doubted)(uint32_t, uint32_t)))
{
    struct tw_recovery_episode (*const all[])(uint32_t, uint32_t) = { unseen, arrived, first };
    struct made m;

    for (unsigned i = 0; i < 3; i++) {
        begin(&m);
        ask(&m, all[i]);
        tw_scratch_clear(&m.scratch);
    }
}

static void ask_takes_over(struct made *m,
                           struct tw_recovery_episode (*doubted)(uint32_t, uint32_t))
{
    add(m, doubted(10, 30));
    add(m, repair(20, 40));
    assert_int_equal(m->out.n, 2);
    assert_episode(m, 0, 10, 20);
    assert_int_equal(m->out.episode[0].last_record, 20);
    assert_true(is_doubted(&m->out.episode[0]));
    assert_episode(m, 1, 20, 40);
    assert_false(is_doubted(&m->out.episode[1]));
}

TEST(a_certain_episode_replaces_a_doubtful_one)
{
    each_doubt(ask_takes_over);
}

static void ask_same_end(struct made *m, struct tw_recovery_episode (*doubted)(uint32_t, uint32_t))
{
    add(m, doubted(10, 30));
    add(m, repair(20, 30));
    assert_int_equal(m->out.n, 2);
    assert_episode(m, 1, 20, 30);
    begin_anew(m);
    add(m, repair(10, 30));
    add(m, doubted(20, 30));
    assert_int_equal(m->out.n, 1);
    assert_false(is_doubted(&m->out.episode[0]));
}

TEST(joined_episodes_last_to_a_common_end)
{
    each_doubt(ask_same_end);
}

static void ask_behind(struct made *m, struct tw_recovery_episode (*doubted)(uint32_t, uint32_t))
{
    add(m, repair(10, 30));
    add(m, doubted(20, 40));
    assert_int_equal(m->out.n, 2);
    assert_episode(m, 0, 10, 30);
    assert_false(is_doubted(&m->out.episode[0]));
    assert_episode(m, 1, 30, 40);
    assert_int_equal(m->out.episode[1].first_record, 30);
    assert_true(is_doubted(&m->out.episode[1]));
}

TEST(a_doubtful_episode_goes_on_behind_a_certain_one)
{
    each_doubt(ask_behind);
}

/* Of other segments: the longer one decides; of the same one it was lost where any copy says so. */
static void ask_joined(struct made *m, struct tw_recovery_episode (*doubted)(uint32_t, uint32_t))
{
    struct tw_recovery_episode copy = repair(20, 29);

    add(m, doubted(10, 30));
    add(m, repair(20, 29));
    assert_int_equal(m->out.n, 1);
    assert_true(is_doubted(&m->out.episode[0]));
    begin_anew(m);
    add(m, doubted(10, 30));
    copy.first_record = 10;
    add(m, copy);
    assert_int_equal(m->out.n, 1);
    assert_false(is_doubted(&m->out.episode[0]));
    begin_anew(m);
    add(m, repair(10, 20));
    add(m, doubted(5, 20));
    assert_int_equal(m->out.n, 1);
    assert_true(is_doubted(&m->out.episode[0]));
}

TEST(of_joined_ones_the_longer_decides_and_of_copies_any)
{
    each_doubt(ask_joined);
}
