/* SPDX-License-Identifier: MIT */
/* Repairs at one time, or one after the other, as episodes. */
#include "tests/unit.h"

#include "explain/loss/recovery_episodes.h"

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

/* Joined episodes of different segments: the longer one decides. Of the same segment: it was lost
 * if any copy shows that. */
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
