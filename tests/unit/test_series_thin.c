/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "tests/unit.h"

#include "report/series/cause_columns.h"
#include "report/series/series_thin.h"

static struct tw_series made_series(tcpwhy_ns to_ns)
{
    return (struct tw_series) { .from_ns = 0, .to_ns = to_ns };
}

static struct tw_curve made_curve(enum tw_mark mark)
{
    return (struct tw_curve) { .mark = mark,
                               .points = tw_array_new(FALSE, FALSE, sizeof(struct tw_point)) };
}

static void add(struct tw_curve *c, tcpwhy_ns at_ns, int64_t low, int64_t high)
{
    struct tw_point p = { at_ns, low, high, c->points->len + 1 };

    tw_array_append_val(c->points, p);
}

static const struct tw_point *at(const tw_array *points, guint i)
{
    assert_true(i < points->len);
    return &tw_array_index(points, struct tw_point, i);
}

TEST(a_line_keeps_first_lowest_highest_and_last_of_a_column)
{
    const struct tw_series s = made_series(1000);
    struct tw_curve c = made_curve(TW_MARK_STEP);
    tw_array *thin;

    for (int i = 0; i < 1000; i++)
        add(&c, i, i == 333 ? 9999 : i == 444 ? -5 : 100, i == 333 ? 9999 : i == 444 ? -5 : 100);
    thin = tw_curve_thin(&s, &c, &(struct tw_thinning) { .columns = 1, .grain = 1 });
    assert_int_equal(thin->len, 4);
    assert_int_equal(at(thin, 0)->time_ns, 0);
    assert_int_equal(at(thin, 1)->high, 9999);
    assert_int_equal(at(thin, 2)->low, -5);
    assert_int_equal(at(thin, 3)->time_ns, 999);
    tw_array_free(thin, TRUE);
    tw_array_free(c.points, TRUE);
}

TEST(a_line_of_few_points_stays_as_it_is)
{
    const struct tw_series s = made_series(1000);
    struct tw_curve c = made_curve(TW_MARK_STEP);
    tw_array *thin;

    for (int i = 0; i < 10; i++)
        add(&c, i * 100, i, i);
    thin = tw_curve_thin(&s, &c, &(struct tw_thinning) { .columns = 1000, .grain = 1 });
    assert_int_equal(thin->len, 10);
    tw_array_free(thin, TRUE);
    tw_array_free(c.points, TRUE);
}

TEST(bars_that_touch_join_and_others_do_not)
{
    const struct tw_series s = made_series(1000);
    struct tw_curve c = made_curve(TW_MARK_BAR);
    tw_array *thin;

    add(&c, 1, 1000, 2000);
    add(&c, 2, 2000, 3000);
    add(&c, 3, 0, 1000);
    add(&c, 4, 9000, 9500);
    thin = tw_curve_thin(&s, &c, &(struct tw_thinning) { .columns = 1, .grain = 10 });
    assert_int_equal(thin->len, 2);
    assert_int_equal(at(thin, 0)->low, 0);
    assert_int_equal(at(thin, 0)->high, 3000);
    assert_int_equal(at(thin, 1)->low, 9000);
    tw_array_free(thin, TRUE);
    tw_array_free(c.points, TRUE);
}

TEST(dots_of_a_cell_become_one_and_extremes_stay)
{
    const struct tw_series s = made_series(1000);
    struct tw_curve c = made_curve(TW_MARK_DOT);
    tw_array *thin;

    for (int i = 0; i < 100; i++)
        add(&c, i, 500 + i % 7, 500 + i % 7);
    add(&c, 101, 3, 3);
    add(&c, 102, 990, 990);
    thin = tw_curve_thin(&s, &c, &(struct tw_thinning) { .columns = 1, .grain = 100 });
    assert_int_equal(thin->len, 3);
    assert_int_equal(at(thin, 0)->low, 3);
    assert_int_equal(at(thin, 2)->low, 990);
    tw_array_free(thin, TRUE);
    tw_array_free(c.points, TRUE);
}

TEST(points_are_bounded_by_what_can_be_seen)
{
    const struct tw_series s = made_series(100000);
    const struct tw_thinning thinning = { .columns = 100, .grain = 1000 };
    enum tw_mark marks[] = { TW_MARK_STEP, TW_MARK_BAR, TW_MARK_DOT };

    for (size_t k = 0; k < G_N_ELEMENTS(marks); k++) {
        struct tw_curve c = made_curve(marks[k]);
        tw_array *thin;

        for (int i = 0; i < 100000; i++)
            add(&c, i, (i * 7919) % 100000, (i * 7919) % 100000);
        thin = tw_curve_thin(&s, &c, &thinning);
        assert_true(thin->len <= 100 * (100000 / 1000 + 2));
        tw_array_free(thin, TRUE);
        tw_array_free(c.points, TRUE);
    }
}

TEST(a_column_has_the_colour_of_most_of_its_time)
{
    /* Columns of 10 ns: wire has 6 of the first, Nagle all the others but the last 4 ns. */
    const struct tcpwhy_span spans[] = {
        { .from_ns = 0, .to_ns = 4, .cause = TCPWHY_NAGLE_HOLD },
        { .from_ns = 4, .to_ns = 10, .cause = TCPWHY_WIRE },
        { .from_ns = 10, .to_ns = 96, .cause = TCPWHY_NAGLE_HOLD },
        { .from_ns = 96, .to_ns = 100, .cause = TCPWHY_CLOSE },
    };
    const struct tw_stream_row stream = { .spans = spans, .n_spans = G_N_ELEMENTS(spans) };
    g_autoptr(tw_array) pieces = tw_cause_columns(&stream, 0, 100, 10);
    const struct tw_cause_piece *p = (const struct tw_cause_piece *)(const void *)pieces->data;

    assert_int_equal(pieces->len, 2);
    assert_int_equal(p[0].cause, TCPWHY_WIRE);
    assert_int_equal(p[0].to, 1);
    assert_int_equal(p[1].cause, TCPWHY_NAGLE_HOLD);
    assert_int_equal(p[1].to, 10);
}

TEST(columns_outside_of_the_life_have_none)
{
    const struct tcpwhy_span spans[] = { { .from_ns = 20, .to_ns = 40, .cause = TCPWHY_WIRE } };
    const struct tw_stream_row stream = { .spans = spans, .n_spans = 1 };
    g_autoptr(tw_array) pieces = tw_cause_columns(&stream, 0, 100, 10);
    const struct tw_cause_piece *p = (const struct tw_cause_piece *)(const void *)pieces->data;

    assert_int_equal(pieces->len, 1);
    assert_int_equal(p[0].from, 2);
    assert_int_equal(p[0].to, 4);
}
