/* SPDX-License-Identifier: MIT */
/* The lists of a row grow each time its connection is updated. */
#include "base/text.h"
#include "tests/unit.h"

#include <string.h>

#include <glib.h>

#include "report/rows/row_payload.h"

#define TIMES 100

/* A connection with n exchanges and their texts in one block. */
static struct tw_stream_row asked(unsigned first, unsigned n)
{
    struct tcpwhy_exchange *e = tw_malloc(n * (sizeof *e + 32) + 1);
    char *text = (char *)(e + n);

    for (unsigned i = 0; i < n; i++) {
        e[i] = (struct tcpwhy_exchange) { .request = text, .request_frame = first + i };
        text += g_snprintf(text, 32, "GET /%u", first + i);
        e[i].detail = text++;
    }
    return (struct tw_stream_row) { .exchanges = e, .n_exchanges = n };
}

static void release(const struct tw_stream_row *s)
{
    tw_free((gpointer)(uintptr_t)s->exchanges);
    tw_free((gpointer)(uintptr_t)s->spans);
}

static void assert_asked(const struct tcpwhy_exchange *e, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        tw_autofree char *text = tw_strdup_printf("GET /%zu", i);

        assert_int_equal(e[i].request_frame, i);
        assert_string_equal(e[i].request, text);
    }
}

TEST(exchanges_stand_behind_those_before_with_their_texts)
{
    struct tw_stream_row row = asked(0, 3);

    for (unsigned i = 0; i < TIMES; i++) {
        struct tw_stream_row more = asked(3 + 2 * i, 2);

        assert_int_equal(tw_exchanges_add(&row, &more), 2 * sizeof *row.exchanges +
                                                            strlen(more.exchanges[0].request) +
                                                            strlen(more.exchanges[1].request) + 2);
        release(&more);
    }
    assert_int_equal(row.n_exchanges, 3 + 2 * TIMES);
    assert_asked(row.exchanges, row.n_exchanges);
    release(&row);
}

TEST(a_row_without_exchanges_takes_those_that_come)
{
    struct tw_stream_row row = asked(0, 0), more = asked(0, 5), none = { 0 };

    tw_exchanges_add(&row, &more);
    assert_asked(row.exchanges, 5);
    assert_int_equal(tw_exchanges_add(&none, &more), 0);
    assert_null(none.exchanges);
    release(&row);
    release(&more);
}

TEST(a_copy_is_added_to_as_well)
{
    struct tw_stream_row row = asked(0, 1), more = asked(1, 2), last = asked(3, 1), copy;

    tw_exchanges_add(&row, &more);
    copy = row;
    copy.exchanges = tw_exchanges_copy(row.exchanges, row.n_exchanges);
    release(&row);
    tw_exchanges_add(&copy, &last);
    assert_asked(copy.exchanges, 4);
    release(&copy);
    release(&more);
    release(&last);
}

TEST(spans_follow_each_other_and_one_that_goes_on_is_one)
{
    struct tw_stream_row row = { .spans = tw_spans_new(0) }, copy;

    for (unsigned i = 0; i < TIMES; i++) {
        const struct tcpwhy_span span[2] = {
            { .from_ns = 20 * i, .to_ns = 20 * i + 10, .cause = TCPWHY_WIRE },
            { .from_ns = 20 * i + 10, .to_ns = 20 * i + 20, .cause = TCPWHY_SERVER_THINK },
        };
        const struct tw_stream_row more = { .spans = span, .n_spans = 2 },
                                   goes_on = { .spans = &span[1], .n_spans = 1 };

        assert_int_equal(tw_spans_add(&row, &more), 2 * sizeof *span);
        row.n_spans--;
        assert_int_equal(tw_spans_add(&row, &goes_on), sizeof *span);
    }
    copy = row;
    copy.spans = tw_spans_copy(row.spans, row.n_spans);
    release(&row);
    assert_int_equal(copy.n_spans, 2 * TIMES);
    for (unsigned i = 0; i < copy.n_spans; i++)
        assert_int_equal(copy.spans[i].from_ns, 10 * i);
    release(&copy);

    struct tcpwhy_span first = { .to_ns = 10, .cause = TCPWHY_WIRE },
                       next = { .from_ns = 10, .to_ns = 30, .cause = TCPWHY_WIRE };
    const struct tw_stream_row begins = { .spans = &first, .n_spans = 1 },
                               goes_on = { .spans = &next, .n_spans = 1 };

    row = (struct tw_stream_row) { 0 };
    tw_spans_add(&row, &begins);
    assert_int_equal(tw_spans_add(&row, &goes_on), 0);
    assert_int_equal(row.n_spans, 1);
    assert_int_equal(row.spans[0].to_ns, 30);
    release(&row);
}
