/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "tests/unit.h"

#include <string.h>

#include "report/rows/row_pack.h"
#include "report/rows/rows.h"

#define N_LEDGER 3

static struct tcpwhy_ledger_entry *made_ledger(void)
{
    struct tcpwhy_ledger_entry *entry = tw_new0(struct tcpwhy_ledger_entry, N_LEDGER);

    for (uint32_t i = 0; i < N_LEDGER; i++)
        entry[i] = (struct tcpwhy_ledger_entry) {
            .cause = TCPWHY_SERVER_THINK,
            .ns = INT64_MAX - i,
            .count = UINT32_MAX,
            .first_ns = -TCPWHY_S(1),
        };
    return entry;
}

/* A row with a verdict of this cost. */
static struct tw_connection_row made_told(uint32_t stream, tcpwhy_ns cost_ns)
{
    return (struct tw_connection_row) {
        .stream = { .stream = stream,
                    .verdict = { .cause = TCPWHY_SERVER_THINK, .cost_ns = cost_ns, .share = 0.7 },
                    .rtt_min_ns = TCPWHY_NS_UNKNOWN,
                    .ledger = made_ledger(),
                    .n_ledger = N_LEDGER },
        .bytes = N_LEDGER * sizeof(struct tcpwhy_ledger_entry),
    };
}

/* Bytes of struct tw_stream_row between its fields, with pointers of 8 bytes: one behind each
 * endpoint's version, and before two numbers of 8 bytes. */
#define HOLES 12

TEST(every_field_survives_packing)
{
    g_autoptr(tw_array) ledger = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry));
    tw_byte_array *room = tw_byte_array_new();
    struct tw_stream_row row, again;
    int lost = 0;

    memset(&row, 1, sizeof row);
    row.ledger = NULL;
    row.server_name = NULL; /* the report's */
    row.exchanges = NULL;
    row.spans = NULL;
    row.n_ledger = row.n_exchanges = row.n_spans = 0;
    struct tw_packed *packed = tw_row_pack(&row, room);
    tw_row_unpack(packed, &again, ledger);
    for (size_t i = 0; i < sizeof row; i++)
        lost += ((const char *)&row)[i] != ((const char *)&again)[i];
    if (sizeof(void *) == 8)
        assert_int_equal(lost, HOLES);
    tw_free(packed);
    tw_byte_array_free(room, TRUE);
}

TEST(numbers_of_any_size_survive_packing)
{
    const tcpwhy_ns numbers[] = {
        0, 1, -1, 63, 64, -64, -65, TCPWHY_NS_UNKNOWN, INT64_MAX, 127, 128
    };
    g_autoptr(tw_array) ledger = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry));
    tw_byte_array *room = tw_byte_array_new();

    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        struct tcpwhy_ledger_entry entry = { .ns = numbers[i], .count = UINT32_MAX };
        struct tcpwhy_exchange exchange;
        struct tw_stream_row row = { .rtt_min_ns = numbers[i],
                                     .bytes_to_client = UINT64_MAX,
                                     .verdict.share = 0.7,
                                     .exchanges = i % 2 ? &exchange : NULL,
                                     .n_exchanges = i % 2,
                                     .ledger = &entry,
                                     .n_ledger = 1 };
        struct tw_stream_row again;
        struct tw_packed *packed = tw_row_pack(&row, room);

        tw_row_unpack(packed, &again, ledger);
        assert_int_equal(again.rtt_min_ns, numbers[i]);
        assert_true(again.bytes_to_client == UINT64_MAX);
        assert_true(again.verdict.share == row.verdict.share);
        assert_ptr_equal(again.exchanges, row.exchanges);
        assert_int_equal(again.n_exchanges, row.n_exchanges);
        assert_int_equal(again.ledger->ns, numbers[i]);
        assert_int_equal(again.ledger->count, UINT32_MAX);
        tw_free(packed);
    }
    tw_byte_array_free(room, TRUE);
}

static void add(struct tw_rows *rows, uint32_t stream, tcpwhy_ns cost_ns)
{
    struct tw_connection_row told = made_told(stream, cost_ns);

    tw_rows_add(rows, &told, NULL);
    tw_connection_row_clear(&told);
}

static void assert_streams(struct tw_rows *rows, const uint32_t *stream, guint n)
{
    g_autoptr(tw_array) streams = tw_array_new(FALSE, FALSE, sizeof(struct tw_stream_row));

    tw_rows_close(rows);
    tw_rows_give(rows, streams);
    assert_int_equal(streams->len, n);
    for (guint i = 0; i < n; i++) {
        struct tw_stream_row *row = &tw_array_index(streams, struct tw_stream_row, i);

        assert_int_equal(row->stream, stream[i]);
        assert_int_equal(row->ledger[N_LEDGER - 1].ns, INT64_MAX - (N_LEDGER - 1));
        tw_row_clear(row);
    }
}

TEST(all_rows_come_in_the_order_of_streams)
{
    const struct tcpwhy_options options = { 0 };
    struct tw_rows rows;

    tw_rows_init(&rows, &options);
    add(&rows, 7, 1);
    add(&rows, 3, 0);
    add(&rows, 5, 2);
    assert_null(tw_rows_find(&rows, 3));
    assert_int_equal(tw_rows_find(&rows, 1)->stream, 3);
    assert_int_equal(tw_rows_causes(&rows, tw_rows_find(&rows, 2)), 1 << TCPWHY_SERVER_THINK);
    assert_streams(&rows, (const uint32_t[]) { 3, 5, 7 }, 3);
}

TEST(rows_that_lost_most_stay)
{
    const struct tcpwhy_options options = { .keep_streams = 3 };
    struct tw_rows rows;

    tw_rows_init(&rows, &options);
    for (uint32_t i = 0; i < 3000; i++)
        add(&rows, i, i == 2000 ? 9 : i == 2999 ? 8 : i % 2);
    assert_true(rows.top->len < 3000);
    assert_streams(&rows, (const uint32_t[]) { 1, 2000, 2999 }, 3);
}

TEST(the_half_that_lost_least_is_dropped)
{
    const struct tcpwhy_options options = { 0 };
    struct tw_rows rows, copy;

    tw_rows_init(&rows, &options);
    for (uint32_t i = 0; i < 5; i++)
        add(&rows, i, i);
    tw_rows_copy(&copy, &rows);
    tw_rows_drop(&rows);
    assert_int_equal(rows.dropped, 3);
    assert_streams(&rows, (const uint32_t[]) { 3, 4 }, 2);
    assert_streams(&copy, (const uint32_t[]) { 0, 1, 2, 3, 4 }, 5);
}

TEST(dropping_half_of_one_row_leaves_none)
{
    const struct tcpwhy_options options = { 0 };
    struct tw_rows rows;

    tw_rows_init(&rows, &options);
    add(&rows, 0, 1);
    tw_rows_drop(&rows);
    assert_streams(&rows, NULL, 0);
}
