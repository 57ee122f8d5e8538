/* SPDX-License-Identifier: MIT */
/* Intervals that widen, stretches of time that overlap, ports that are used again. */
#include "base/array.h"
#include "tests/unit.h"

#include "report/rows/intervals.h"
#include "report/facts/port_use.h"
#include "report/facts/ports.h"
#include "report/facts/interval_overlap.h"
#include "report/rows/traffic.h"

static void add_at(struct tw_intervals *s, tcpwhy_ns at_ns)
{
    tw_intervals_at(s, at_ns)->frames++;
}

static uint64_t frames_at(const struct tw_intervals *s, guint i)
{
    return tw_array_index(s->interval, struct tcpwhy_interval, i).frames;
}

static uint64_t total(const struct tw_intervals *s)
{
    uint64_t n = 0;

    for (guint i = 0; i < s->interval->len; i++)
        n += frames_at(s, i);
    return n;
}

TEST(frames_fall_into_their_second)
{
    struct tw_intervals s;

    tw_intervals_init(&s, TCPWHY_S(1), 16);
    add_at(&s, 0);
    add_at(&s, TCPWHY_S(1) - 1);
    add_at(&s, TCPWHY_S(1));
    add_at(&s, TCPWHY_S(3));
    add_at(&s, -5); /* before the first frame: a clock that was set back */
    assert_int_equal(s.interval->len, 4);
    assert_int_equal(frames_at(&s, 0), 3);
    assert_int_equal(frames_at(&s, 1), 1);
    assert_int_equal(frames_at(&s, 2), 0);
    assert_int_equal(frames_at(&s, 3), 1);
    tw_intervals_clear(&s);
}

TEST(frames_of_one_interval_are_counted_together)
{
    struct tw_traffic *t = tw_traffic_new(TCPWHY_S(1));

    assert_false(tw_traffic_frames(t, 0, 0, 1, 10));
    tw_traffic_frame(t, 0, 10);
    assert_true(tw_traffic_frames(t, TCPWHY_MS(1), TCPWHY_S(1) - 1, 3, 100));
    assert_int_equal(frames_at(&t->whole, 0), 4);
    assert_int_equal(tw_array_index(t->whole.interval, struct tcpwhy_interval, 0).bytes, 110);
    assert_false(tw_traffic_frames(t, TCPWHY_MS(1), TCPWHY_S(1), 3, 100));
    assert_false(tw_traffic_frames(t, -1, 0, 3, 100));
    assert_int_equal(frames_at(&t->whole, 0), 4);
    tw_traffic_free(t);
}

TEST(intervals_widen_instead_of_growing)
{
    struct tw_intervals s;

    tw_intervals_init(&s, TCPWHY_S(1), 16);
    for (int i = 0; i < 100; i++)
        add_at(&s, TCPWHY_S(i));
    assert_true(s.interval->len <= 16);
    assert_int_equal(s.width_ns, TCPWHY_S(8));
    assert_int_equal(total(&s), 100);
    assert_int_equal(frames_at(&s, 0), 8);
    tw_intervals_clear(&s);
}

TEST(a_leap_of_the_clock_costs_no_memory)
{
    struct tw_intervals s;

    tw_intervals_init(&s, TCPWHY_MS(1), 4096);
    add_at(&s, 0);
    add_at(&s, INT64_MAX);
    add_at(&s, 1);
    assert_true(s.interval->len <= 4096);
    assert_int_equal(total(&s), 3);
    assert_int_equal(frames_at(&s, 0), 2);
    tw_intervals_clear(&s);
}

TEST(a_series_begins_where_its_first_frame_is)
{
    struct tw_intervals s;

    gpointer block;

    tw_intervals_init(&s, TCPWHY_S(1), 16);
    add_at(&s, TCPWHY_S(1000));
    add_at(&s, TCPWHY_S(998)); /* a connection that is told of later */
    struct tw_interval_series view = tw_intervals_take(&s, &block);
    assert_int_equal(view.first_ns, TCPWHY_S(998));
    assert_int_equal(view.n, 3);
    assert_int_equal(view.interval[2].frames, 1);
    tw_free(block);
}

/* Widened at an odd beginning, pairs still are those of the whole capture. */
TEST(widening_keeps_to_multiples_of_the_width)
{
    struct tw_intervals s;

    tw_intervals_init(&s, TCPWHY_S(1), 4);
    for (int i = 3; i < 9; i++)
        add_at(&s, TCPWHY_S(i));
    assert_int_equal(s.width_ns, TCPWHY_S(2));
    assert_int_equal(s.first * s.width_ns, TCPWHY_S(2));
    assert_int_equal(s.interval->len, 4);
    assert_int_equal(frames_at(&s, 0), 1);
    assert_int_equal(frames_at(&s, 1), 2);
    tw_intervals_clear(&s);
}

TEST(listeners_beyond_the_bound_have_no_series)
{
    struct tw_traffic *t = tw_traffic_new(0);
    tw_ptr_array *blocks = tw_ptr_array_new_with_free_func(tw_free);
    struct tw_traffic_pen pen = tw_traffic_pen(t, 1000000);

    assert_null(pen.own);
    tw_traffic_event(&pen, TW_EVENT_SYN, 0);
    assert_int_equal(tw_traffic_listener(t, 1000000, blocks).n, 0);
    assert_int_equal(tw_traffic_whole(t, blocks).interval[0].syns, 1);
    tw_ptr_array_free(blocks, TRUE);
    tw_traffic_free(t);
}

TEST(overlaps_are_counted)
{
    struct tw_interval_overlap t = { 0 };

    assert_int_equal(tw_interval_overlap_count(&t, 0, 10), 0);
    tw_interval_overlap_add(&t, 0, 10);
    tw_interval_overlap_add(&t, 20, 30);
    tw_interval_overlap_add(&t, 5, 25);
    tw_interval_overlap_sort(&t);
    assert_int_equal(tw_interval_overlap_count(&t, 0, 4), 1);
    assert_int_equal(tw_interval_overlap_count(&t, 10, 20), 3);
    assert_int_equal(tw_interval_overlap_count(&t, 11, 19), 1);
    assert_int_equal(tw_interval_overlap_count(&t, 31, 40), 0);
    tw_interval_overlap_clear(&t);
}

/* ---- ports ----------------------------------------------------------------------------------- */

static tw_array *openings(void)
{
    return tw_array_new(FALSE, FALSE, sizeof(struct tw_opening));
}

/* A connection from a port, open for 10 ms. */
static struct tw_opening *use(tw_array *all, uint16_t port, tcpwhy_ns at_ns)
{
    struct tw_opening o = { .syn_ns = at_ns,
                            .first_ns = at_ns,
                            .last_ns = at_ns + TCPWHY_MS(10),
                            .client = { 10, 9, 0, 1 },
                            .port = port,
                            .version = 4,
                            .outcome = TW_SETUP_OPEN };

    tw_array_append_val(all, o);
    return &tw_array_index(all, struct tw_opening, all->len - 1);
}

static struct tcpwhy_endpoint nobody(gconstpointer user, guint listener)
{
    (void)user;
    return (struct tcpwhy_endpoint) { .port = (uint16_t)listener, .version = 4 };
}

/* The view of the client that outranks the others; releases the openings. */
static struct tcpwhy_ports counted(tw_array *all)
{
    tw_array *views = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ports));
    struct tcpwhy_ports first;

    tw_ports_count((struct tw_opening *)(void *)all->data, all->len, NULL, views, nobody, NULL);
    assert_true(views->len > 0 && views->len <= 32);
    first = tw_array_index(views, struct tcpwhy_ports, 0);
    tw_array_free(views, TRUE);
    tw_array_free(all, TRUE);
    return first;
}

TEST(a_port_is_kept_for_a_minute)
{
    tw_array *all = openings();

    use(all, 40000, 0);
    use(all, 40001, TCPWHY_S(59));
    use(all, 40002, TCPWHY_S(61));
    struct tcpwhy_ports p = counted(all);
    assert_int_equal(p.ports, 3);
    assert_int_equal(p.in_use, 2);
    assert_int_equal(p.connections, 3);
    assert_int_equal(p.lowest, 40000);
    assert_int_equal(p.highest, 40002);
    assert_int_equal(p.range, 28232);
    assert_false(p.exhausted);
}

TEST(a_port_that_is_used_again_is_one_port)
{
    tw_array *all = openings();

    for (int i = 0; i < 5; i++)
        use(all, 40000, TCPWHY_S(i))->reused = i > 0;
    struct tcpwhy_ports p = counted(all);
    assert_int_equal(p.ports, 1);
    assert_int_equal(p.in_use, 1);
    assert_int_equal(p.reused, 4);
    assert_int_equal(p.reuse_failed, 0);
    assert_false(p.exhausted);
}

TEST(ports_counted_in_parts_add_up)
{
    g_autoptr(tw_array) views = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ports));

    for (int part = 0; part < 2; part++) {
        tw_array *all = openings();

        for (int i = 0; i < 3 - part; i++)
            use(all, (uint16_t)(40000 + 10 * part + i), TCPWHY_S(part))->reused = true;
        tw_ports_count((struct tw_opening *)(void *)all->data, all->len, NULL, views, nobody, NULL);
        tw_array_free(all, TRUE);
    }
    assert_int_equal(views->len, 1);
    const struct tcpwhy_ports *p = &tw_array_index(views, struct tcpwhy_ports, 0);
    assert_int_equal(p->connections, 5);
    assert_int_equal(p->reused, 5);
    assert_int_equal(p->in_use, 3);
    assert_int_equal(p->lowest, 40000);
    assert_int_equal(p->highest, 40011);
}

/* Forty clients that differ in nothing: the lowest addresses stand for all, however they came. */
TEST(equal_clients_stand_in_their_order)
{
    tw_array *views = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ports)), *all = openings();

    for (unsigned i = 0; i < 80; i++)
        use(all, (uint16_t)(40000 + i), i < 40 ? TCPWHY_S(2) : 0)->client[3] =
            (uint8_t)(100 + i * 7 % 40);
    tw_ports_count((struct tw_opening *)(void *)all->data, all->len, NULL, views, nobody, NULL);
    assert_int_equal(views->len, 32);
    for (guint i = 0; i < views->len; i++) {
        const struct tcpwhy_ports *p = &tw_array_index(views, struct tcpwhy_ports, i);

        assert_int_equal(p->client.address[3], 100 + i);
        assert_int_equal(p->connections, 2);
        assert_int_equal(p->in_use, 2);
    }
    tw_array_free(views, TRUE);
    tw_array_free(all, TRUE);
}

/* Linux' range holds 28,232 ports. */
static bool exhausted_by(unsigned n, enum tw_setup_outcome outcome)
{
    tw_array *all = openings();

    for (unsigned i = 0; i < n; i++)
        use(all, (uint16_t)(32768 + i), TCPWHY_MS(i))->outcome = (uint8_t)outcome;
    return counted(all).exhausted;
}

TEST(most_of_the_range_within_a_minute_is_too_much)
{
    assert_false(exhausted_by(25000, TW_SETUP_OPEN));
    assert_true(exhausted_by(25500, TW_SETUP_OPEN));
}

TEST(a_flood_of_syns_exhausts_nobody)
{
    assert_false(exhausted_by(28000, TW_SETUP_SILENT));
}

static bool exhausted_by_failures(int failures)
{
    tw_array *all = openings();

    for (int i = 0; i < 10; i++) {
        struct tw_opening *o = use(all, (uint16_t)(50000 + i % 5), TCPWHY_S(i));

        o->reused = i >= 5;
        o->failed = i >= 10 - failures;
    }
    return counted(all).exhausted;
}

TEST(ports_used_again_in_vain_are_a_sign_of_want)
{
    assert_false(exhausted_by_failures(2));
    assert_true(exhausted_by_failures(3));
}

TEST(failures_that_hit_all_alike_say_nothing_of_ports)
{
    tw_array *all = openings();

    for (int i = 0; i < 10; i++) {
        struct tw_opening *o = use(all, (uint16_t)(50000 + i % 5), TCPWHY_S(i));

        o->reused = i >= 5;
        o->failed = i % 5 < 4;
    }
    assert_false(counted(all).exhausted);
}

/* A connection that ended after lived_ns, closed first by the server. */
static struct tw_opening *close_after(struct tw_opening *o, tcpwhy_ns lived_ns)
{
    o->last_ns = o->first_ns + lived_ns;
    o->released = true;
    o->kept_by_server = true;
    return o;
}

TEST(the_side_that_closes_first_keeps_the_port)
{
    tw_array *all = openings();

    for (int i = 0; i < 20; i++)
        close_after(use(all, (uint16_t)(40000 + i), TCPWHY_S(i)), TCPWHY_MS(1));
    struct tcpwhy_ports p = counted(all);
    assert_int_equal(p.in_use, 1);
    assert_int_equal(p.time_wait_server, 20);
    assert_int_equal(p.time_wait_client, 0);
    all = openings();
    for (int i = 0; i < 20; i++) {
        struct tw_opening *o = close_after(use(all, (uint16_t)(40000 + i), TCPWHY_S(i)), 1);

        o->kept_by_server = false;
        o->kept_by_client = true;
    }
    p = counted(all);
    assert_int_equal(p.in_use, 20);
    assert_int_equal(p.time_wait_client, 20);
    assert_int_equal(p.time_wait_server, 0);
}

/* Twenty ports, each taken again as soon as it is free; gap_ns is how long it stays free. */
static struct tcpwhy_ports block(unsigned n, tcpwhy_ns gap_ns)
{
    tw_array *all = openings();

    for (unsigned i = 0; i < n; i++)
        close_after(use(all, (uint16_t)(20000 + i % 20), TCPWHY_MS(i)), TCPWHY_MS(20) - gap_ns);
    return counted(all);
}

TEST(a_block_that_is_always_full_is_used_up)
{
    struct tcpwhy_ports p = block(200, TCPWHY_US(100));

    assert_true(p.used_up);
    assert_true(p.exhausted);
    assert_int_equal(p.in_use, 20);
    assert_int_equal(p.range, 20);
    assert_int_equal(p.full_stream, 0);
    assert_true(p.full_ns > TCPWHY_MS(150) && p.full_ns <= p.asked_ns);
}

TEST(a_block_with_free_ports_is_not_used_up)
{
    assert_false(block(200, TCPWHY_MS(5)).used_up);
    assert_false(block(20, TCPWHY_US(100)).used_up);
}

static struct tcpwhy_endpoint one_host(gconstpointer user, guint listener)
{
    (void)user;
    return (struct tcpwhy_endpoint) { .port = (uint16_t)(listener ? 80 : 9000),
                                      .version = 4,
                                      .address = { 10, 9, 0, 1 } };
}

/* Each port once, and as many errors at port 80 of the same host, from that time on. */
static bool used_up_with_errors(guint errors, tcpwhy_ns from_ns)
{
    tw_array *all = openings(), *views = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ports));
    tw_array *failed = tw_array_new(FALSE, FALSE, sizeof(struct tw_error_answer));
    struct tcpwhy_ports first;

    for (unsigned i = 0; i < 20; i++)
        use(all, (uint16_t)(20000 + i), TCPWHY_MS(i));
    for (guint i = 0; i < errors; i++) {
        struct tw_error_answer e = { from_ns + TCPWHY_MS(i), TCPWHY_MS(2), 1 };

        tw_array_append_val(failed, e);
    }
    tw_ports_count((struct tw_opening *)(void *)all->data, all->len, failed, views, one_host, NULL);
    first = tw_array_index(views, struct tcpwhy_ports, 0);
    tw_array_free(views, TRUE);
    tw_array_free(failed, TRUE);
    tw_array_free(all, TRUE);
    if (first.used_up)
        assert_int_equal(first.errors_median_ns, TCPWHY_MS(2));
    return first.used_up;
}

TEST(errors_while_no_port_is_free_speak_of_ports)
{
    assert_true(used_up_with_errors(3, TCPWHY_S(1)));
    assert_false(used_up_with_errors(2, TCPWHY_S(1)));
    assert_false(used_up_with_errors(3, 0));
}

TEST(a_hundred_thousand_clients_leave_a_short_list)
{
    tw_array *all = openings();

    for (unsigned i = 0; i < 100000; i++) {
        struct tw_opening *o = use(all, 1024, TCPWHY_US(i));

        o->client[1] = (uint8_t)(i >> 16);
        o->client[2] = (uint8_t)(i >> 8);
        o->client[3] = (uint8_t)i;
    }
    struct tcpwhy_ports p = counted(all);
    assert_int_equal(p.connections, 1);
}
