/* SPDX-License-Identifier: MIT */
/* When there was room in a receive window, as its sender heard of its edge step by step. */
#include "tests/unit.h"

#include "explain/sender/rwnd_edge.h"

#define MSS 100

/* The receiver sends an ACK with this window. */
static bool hear(struct tw_rwnd_edges *e, int64_t ack, uint32_t window_bytes, tcpwhy_ns at_ns)
{
    const struct tw_record r = { .ack = ack, .window_bytes = window_bytes };

    return tw_rwnd_edges_hear(e, &r, at_ns);
}

/* When there was room; -1: there is none. */
static tcpwhy_ns room(struct tw_rwnd_edges *e, int64_t end)
{
    const struct tw_rwnd_edge_step *step = tw_rwnd_edges_room(e, end);

    return step ? step->at_ns : -1;
}

/* Room for the steps of one window. */
struct edges {
    struct tw_scratch scratch;
    struct tw_rwnd_edges e;
};

static void begin(struct edges *w)
{
    w->scratch = (struct tw_scratch) { 0 };
    w->e = tw_rwnd_edges_none(&w->scratch, MSS, TW_WSCALE_UNKNOWN);
}

#define EDGES_TEST(name) TEST_WITH(name, struct edges, w, begin(w), tw_scratch_clear(&w->scratch))

EDGES_TEST(room_is_from_the_first_step_that_reaches_so_far)
{
    assert_int_equal(room(&w->e, 1), -1);
    assert_true(hear(&w->e, 1, 1000, 10));
    assert_true(hear(&w->e, 501, 1000, 20));
    assert_false(hear(&w->e, 1001, 500, 30)); /* the edge stays */
    assert_true(hear(&w->e, 1001, 1000, 40));
    assert_int_equal(room(&w->e, 1001), TCPWHY_NS_UNKNOWN); /* perhaps before it was heard */
    assert_int_equal(room(&w->e, 1002), 20);
    assert_int_equal(room(&w->e, 1501), 20);
    assert_int_equal(room(&w->e, 1502), 40);
    assert_int_equal(room(&w->e, 2002), -1);
}

EDGES_TEST(a_window_that_shrinks_takes_back_what_it_allowed)
{
    hear(&w->e, 1, 1000, 10);
    hear(&w->e, 1, 2000, 20);
    hear(&w->e, 1, 3000, 30);
    assert_true(hear(&w->e, 1, 1500, 40));
    assert_int_equal(room(&w->e, 1200), 40);
    hear(&w->e, 1, 2000, 50);
    assert_int_equal(room(&w->e, 1800), 50);
}

EDGES_TEST(scaling_takes_nothing_back)
{
    hear(&w->e, 1, 1000, 10);
    hear(&w->e, 1, 2000, 20);
    assert_false(hear(&w->e, 1, 2000 - MSS, 30));
    assert_int_equal(room(&w->e, 2001), 20);
    assert_true(hear(&w->e, 1, 2000 - MSS - 1, 40));
    assert_int_equal(room(&w->e, 1901 - 1), 40);
}

EDGES_TEST(a_window_that_closes_makes_no_room_and_is_told_when_it_opens)
{
    hear(&w->e, 1, 1000, 10);
    assert_false(hear(&w->e, 2001, 0, 20));
    assert_true(hear(&w->e, 2001, 1000, 30));
    assert_int_equal(room(&w->e, 2001), 20);
    assert_false(tw_rwnd_edges_room(&w->e, 2001)->was_closed);
    assert_int_equal(room(&w->e, 3001), 30);
    assert_true(tw_rwnd_edges_room(&w->e, 3001)->was_closed);
}

/* Without the handshake only windows of 0 are known. */
EDGES_TEST(a_window_that_is_not_known_has_room)
{
    assert_false(hear(&w->e, 1, (uint32_t)TW_WINDOW_UNKNOWN, 10));
    assert_false(hear(&w->e, 1001, 0, 20));
    assert_true(hear(&w->e, 1001, (uint32_t)TW_WINDOW_UNKNOWN, 30));
    assert_int_equal(room(&w->e, 1001), TCPWHY_NS_UNKNOWN);
    assert_int_equal(room(&w->e, 5000), 30);
}

/* Steps that no send is held against any more leave room for others. */
EDGES_TEST(room_is_known_over_many_steps)
{
    hear(&w->e, 1, 1000, 0);
    for (int i = 1; i < 5000; i++) {
        assert_true(hear(&w->e, 1 + 1000 * i, 1000, i));
        if (i % 3 == 0)
            for (int k = i - 2; k <= i; k++)
                assert_int_equal(room(&w->e, 1001 + 1000 * k), k);
    }
    assert_true(w->e.capacity < 100);
}
