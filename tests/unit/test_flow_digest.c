/* SPDX-License-Identifier: MIT */
/*
 * Thinning of a flow graph's rows, on rows made by hand: frames 1 ms apart, silences between some.
 */
#include "base/array.h"
#include "tests/unit.h"

#include <glib.h>

#include "report/flow/flow.h"
#include "report/flow/flow_digest.h"

#define N_ROWS 100

static struct tw_record records[N_ROWS];
static const struct tcpwhy_span lost = { .cause = TCPWHY_LOSS_RECOVERY };
static const struct tcpwhy_span wire = { .cause = TCPWHY_WIRE };

static tw_array *frames(void)
{
    tw_array *rows = tw_array_new(FALSE, FALSE, sizeof(struct tw_flow_row));

    for (uint32_t i = 0; i < N_ROWS; i++) {
        struct tw_flow_row row = { .kind = TW_FLOW_FRAME, .first = &records[i], .n = 1 };

        records[i] = (struct tw_record) { .frame = i + 1,
                                          .time_ns = i * TCPWHY_MS(1),
                                          .frame_class = TCPWHY_CLASS_DATA };
        row.last = row.first;
        tw_array_append_val(rows, row);
    }
    return rows;
}

/* The row of a frame becomes the silence after it. */
static void silence(tw_array *rows, uint32_t i, const struct tcpwhy_span *span, tcpwhy_ns ns)
{
    struct tw_flow_row *row = &tw_array_index(rows, struct tw_flow_row, i);

    row->kind = TW_FLOW_GAP;
    row->span = span;
    row->last = row->first + 1;
    records[i + 1].time_ns = records[i].time_ns + ns;
}

static bool holds(const tw_array *rows, enum tw_flow_kind kind, uint32_t frame)
{
    for (guint i = 0; i < rows->len; i++) {
        const struct tw_flow_row *row = &tw_array_index(rows, struct tw_flow_row, i);

        if (row->kind == kind && row->first->frame == frame)
            return true;
    }
    return false;
}

static uint32_t frames_in(const tw_array *rows)
{
    uint32_t n = 0;

    for (guint i = 0; i < rows->len; i++)
        n += tw_array_index(rows, struct tw_flow_row, i).kind == TW_FLOW_GAP
                 ? 0
                 : tw_array_index(rows, struct tw_flow_row, i).n;
    return n;
}

TEST(few_rows_stay_as_they_are)
{
    g_autoptr(tw_array) rows = frames();

    tw_flow_thin_rows(NULL, rows, N_ROWS);
    assert_int_equal(rows->len, N_ROWS);
}

TEST(lost_time_stays_before_longer_silence)
{
    g_autoptr(tw_array) rows = frames();

    silence(rows, 30, &lost, TCPWHY_MS(20));
    silence(rows, 60, &wire, TCPWHY_MS(150));
    tw_flow_thin_rows(NULL, rows, 14);
    assert_true(holds(rows, TW_FLOW_GAP, 31));
    assert_false(holds(rows, TW_FLOW_GAP, 61));
}

TEST(both_ends_and_the_neighbours_stay)
{
    g_autoptr(tw_array) rows = frames();

    silence(rows, 50, &lost, TCPWHY_MS(20));
    tw_flow_thin_rows(NULL, rows, 12);
    assert_true(holds(rows, TW_FLOW_FRAME, 1));
    assert_true(holds(rows, TW_FLOW_FRAME, 100));
    assert_true(holds(rows, TW_FLOW_FRAME, 48));
    assert_true(holds(rows, TW_FLOW_FRAME, 54));
    assert_false(holds(rows, TW_FLOW_FRAME, 47));
}

TEST(omitted_rows_are_counted)
{
    g_autoptr(tw_array) rows = frames();

    silence(rows, 50, &lost, TCPWHY_MS(20));
    tw_flow_thin_rows(NULL, rows, 12);
    assert_int_equal(frames_in(rows), N_ROWS - 1);
    assert_true(holds(rows, TW_FLOW_CUT, 5));
    assert_true(rows->len < 12 + 10);
}

TEST(repairs_stay_before_plain_data)
{
    g_autoptr(tw_array) rows = frames();

    records[70].frame_class = TCPWHY_CLASS_RETRANSMISSION;
    tw_flow_thin_rows(NULL, rows, 12);
    assert_true(holds(rows, TW_FLOW_FRAME, 71));
}

/* Short ones among them, that a limit of rows would leave out. */
TEST(every_silence_of_the_verdict_stays)
{
    const struct tw_stream_row stream = { .verdict = { .cause = TCPWHY_LOSS_RECOVERY } };
    const struct tw_flow_source source = { .stream = &stream };
    g_autoptr(tw_array) rows = frames();
    unsigned others = 0; /* of 15 */

    for (uint32_t i = 5; i < N_ROWS - 5; i += 6)
        silence(rows, i, &lost, TCPWHY_MS(2));

    for (uint32_t i = 8; i < N_ROWS - 5; i += 6)
        silence(rows, i, &wire, TCPWHY_MS(500));
    tw_flow_thin_rows(&source, rows, 12);
    for (uint32_t i = 5; i < N_ROWS - 5; i += 6)
        assert_true(holds(rows, TW_FLOW_GAP, i + 1));
    for (uint32_t i = 8; i < N_ROWS - 5; i += 6)
        others += holds(rows, TW_FLOW_GAP, i + 1);
    assert_true(others < 10);
}
