/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <string.h>

#include "track/track.h"

#define MANY 100000 /* connections; more than are kept whatever their age */

static struct tw_segment segment_of(uint32_t number, uint16_t flags)
{
    struct tw_segment s = {
        .tuple = { .version = 4, .port = { 40000, 80 } },
        .seq = flags & TW_SYN ? 1000 : 1001,
        .flags = flags,
        .window = 1000,
        .ttl = 64,
    };

    memcpy(s.tuple.address[0], &number, sizeof number);
    s.tuple.address[1][0] = 20;
    return s;
}

static uint32_t push(struct tw_tracker *tracker, uint32_t number, uint16_t flags, tcpwhy_ns at_ns)
{
    const struct tw_segment s = segment_of(number, flags);
    struct tw_tracked tracked;

    tw_tracker_push(tracker, &s, at_ns, 1, &tracked);
    return tracked.connection->stream;
}

static uint32_t n_open(const struct tw_tracker *tracker)
{
    uint32_t n = 0;

    for (const struct tw_connection *c = tw_tracker_first(tracker); c; c = c->next)
        n++;
    return n;
}

/* MANY connections, one after the other, each taken when it is over; the second is never closed. */
static struct tw_tracker *took_many(void)
{
    struct tw_tracker *tracker = tw_tracker_new(false);

    for (uint32_t i = 0; i < MANY; i++) {
        struct tw_connection *c;

        push(tracker, i, TW_SYN, TCPWHY_MS(i));
        if (i != 1)
            push(tracker, i, TW_RST, TCPWHY_MS(i));
        c = tw_tracker_first(tracker);
        tw_tracker_take(tracker, c);
        tw_connection_free(c);
    }
    return tracker;
}

#define TRACKER_TEST(name, make)                                                                   \
    TEST_FROM(name, struct tw_tracker *, tracker, make, tw_tracker_free(tracker))

TRACKER_TEST(a_closed_five_tuple_is_forgotten_after_four_minutes, took_many())
{
    size_t before = tw_tracker_taken_bytes(tracker);

    tw_tracker_expire(tracker, TCPWHY_S(400));
    assert_true(tw_tracker_taken_bytes(tracker) < before * 3 / 4);
    assert_int_equal(push(tracker, 0, TW_ACK, TCPWHY_S(400)), MANY);
}

TRACKER_TEST(within_four_minutes_it_is_known, took_many())
{
    size_t before = tw_tracker_taken_bytes(tracker);

    tw_tracker_expire(tracker, TCPWHY_S(239));
    assert_true(tw_tracker_taken_bytes(tracker) == before);
    assert_int_equal(push(tracker, 0, TW_ACK, TCPWHY_S(239)), 0);
}

TRACKER_TEST(the_last_closed_five_tuples_are_known_however_late, took_many())
{
    tw_tracker_expire(tracker, TCPWHY_S(400000));
    assert_int_equal(push(tracker, MANY - 65536, TW_ACK, TCPWHY_S(400000)), MANY - 65536);
    assert_int_equal(push(tracker, MANY - 1, TW_ACK, TCPWHY_S(400000)), MANY - 1);
}

TRACKER_TEST(an_open_connection_does_not_expire, took_many())
{
    tw_tracker_expire(tracker, TCPWHY_S(400));
    assert_int_equal(push(tracker, 1, TW_ACK, TCPWHY_S(400)), 1);
}

/* However often all were forgotten meanwhile. */
TRACKER_TEST(the_newer_half_is_not_forgotten, took_many())
{
    while (tw_tracker_forget(tracker) > 0)
        continue;
    tw_tracker_forget(tracker);
    for (uint32_t i = 0; i < MANY; i++) {
        struct tw_connection *c;

        push(tracker, i, TW_SYN, TCPWHY_S(200) + TCPWHY_MS(i));
        c = tw_tracker_first(tracker);
        tw_tracker_take(tracker, c);
        tw_connection_free(c);
    }
    assert_in_range(tw_tracker_forget(tracker), MANY / 4, MANY * 3 / 4);
    assert_int_equal(push(tracker, MANY - 1, TW_ACK, TCPWHY_S(400)), 2 * MANY - 1);
}

TRACKER_TEST(nothing_is_kept_after_the_end, tw_tracker_new(false))
{
    for (uint32_t i = 0; i < 3; i++)
        push(tracker, i, TW_SYN, 0);
    struct tw_connection *c = tw_tracker_first(tracker);
    tw_tracker_take(tracker, c);
    tw_connection_free(c);
    assert_true(tw_tracker_taken_bytes(tracker) > 0);
    tw_tracker_close(tracker);
    assert_int_equal(tw_tracker_taken_bytes(tracker), 0);
    c = tw_tracker_first(tracker);
    tw_tracker_take(tracker, c);
    tw_connection_free(c);
    assert_int_equal(tw_tracker_taken_bytes(tracker), 0);
    assert_int_equal(n_open(tracker), 1);
}

static void take(struct tw_tracker *tracker, uint32_t number)
{
    struct tw_segment s = segment_of(number, TW_ACK);
    struct tw_connection *c = tw_tracker_find(tracker, &s.tuple);

    tw_tracker_take(tracker, c);
    tw_connection_free(c);
}

#define SOME 3000

/* Of open ones and of those taken there is a table each, in which entries move up for others. */
TRACKER_TEST(open_and_reopened_connections_keep_their_numbers, tw_tracker_new(false))
{
    for (uint32_t i = 0; i < SOME; i++)
        assert_int_equal(push(tracker, i, TW_SYN, 0), i);
    for (uint32_t i = 0; i < SOME; i += 3)
        take(tracker, i);
    assert_int_equal(n_open(tracker), SOME - SOME / 3);
    for (uint32_t round = 1; round < 3; round++) {
        for (uint32_t i = 0; i < SOME; i++)
            assert_int_equal(push(tracker, i, TW_ACK, TCPWHY_S(round)), i);
        assert_int_equal(n_open(tracker), SOME);
        assert_int_equal(tw_tracker_taken_bytes(tracker), 0);
        for (uint32_t i = round; i < SOME; i += 2)
            take(tracker, i);
    }
}

TRACKER_TEST(a_syn_of_its_own_takes_a_five_tuple_from_one_that_was_taken, tw_tracker_new(false))
{
    struct tw_segment s = segment_of(7, TW_SYN);
    struct tw_tracked t;

    push(tracker, 7, TW_SYN, 0);
    take(tracker, 7);
    s.seq += 5000;
    tw_tracker_push(tracker, &s, TCPWHY_S(1), 2, &t);
    assert_int_equal(t.connection->stream, 1);
    assert_true(t.connection->reused);
    assert_int_equal(t.connection->reused_ns, 0);
    assert_int_equal(tw_tracker_taken_bytes(tracker), 0);
    assert_int_equal(push(tracker, 7, TW_ACK, TCPWHY_S(2)), 1);
}
