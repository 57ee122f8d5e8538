/* SPDX-License-Identifier: MIT */
/* Which records delivered a message, against what a table of each byte says. */
#include "tests/unit.h"

#include <glib.h>

#include "app/app.h"
#include "app/deliveries.h"

#define BYTES    200
#define RECORDS  60
#define MESSAGES 40
#define ROUNDS   500

/* Of each byte, the record that brought it first. */
struct table {
    uint32_t brought[BYTES + 1];
};

/* Records that mostly go on, lose some bytes, and bring some once more. */
static void make_records(GRand *rand, struct tw_record *record, struct table *table)
{
    int64_t next = 1;

    for (int i = 1; i <= BYTES; i++)
        table->brought[i] = TW_NO_RECORD;
    for (uint32_t i = 0; i < RECORDS; i++) {
        uint32_t len = (uint32_t)g_rand_int_range(rand, 0, 9);
        int64_t seq = next;

        if (i == 0)
            len = 1;
        else if (g_rand_int_range(rand, 0, 3) == 0)
            seq = g_rand_int_range(rand, 1, (int)next + 6);
        if (seq + len > BYTES + 1)
            len = 0;
        record[i] = (struct tw_record) { .seq = seq, .len = len, .flags = TW_ACK };
        for (int64_t at = seq; at < seq + len; at++)
            if (table->brought[at] == TW_NO_RECORD)
                table->brought[at] = i;
        if (len > 0)
            next = MAX(next, seq + len);
    }
}

static void check(struct tw_deliveries *d, const struct table *table, int64_t from, int64_t to)
{
    uint32_t first = TW_NO_RECORD, whole = 0, said_first = 0, said_whole = 0;

    for (int64_t at = from; at < to; at++) {
        if (table->brought[at] == TW_NO_RECORD)
            continue;
        if (first == TW_NO_RECORD)
            first = table->brought[at];
        whole = MAX(whole, table->brought[at]);
    }
    assert_int_equal(tw_deliveries_find(d, from, to, &said_first, &said_whole),
                     first != TW_NO_RECORD);
    if (first == TW_NO_RECORD)
        return;
    assert_int_equal(said_first, first);
    assert_int_equal(said_whole, whole);
}

static void each_byte_is_delivered_by_the_record_that_brought_it_first(void **state)
{
    (void)state;
    GRand *rand = g_rand_new_with_seed(7);
    struct tw_record record[RECORDS];
    struct tw_log log = { .record = record, .n = RECORDS };
    struct tw_deliveries d[2];
    struct table table;

    for (int round = 0; round < ROUNDS; round++) {
        make_records(rand, record, &table);
        tw_deliveries_collect(&log, d);
        tw_deliveries_sort_by_offset(&d[0]);
        for (int i = 0; i < MESSAGES; i++) {
            int64_t from = g_rand_int_range(rand, 1, BYTES);

            check(&d[0], &table, from, g_rand_int_range(rand, (int)from, BYTES + 1));
        }
        tw_deliveries_clear(&d[0]);
        tw_deliveries_clear(&d[1]);
    }
    g_rand_free(rand);
}

static void a_direction_ends_with_its_fin_and_is_acknowledged_by_the_other(void **state)
{
    (void)state;
    struct tw_record record[] = {
        { .from = TCPWHY_CLIENT, .seq = 1, .len = 10, .flags = TW_ACK, .ack = 1 },
        { .from = TCPWHY_SERVER, .seq = 1, .ack = 11, .flags = TW_ACK },
        { .from = TCPWHY_CLIENT, .seq = 11, .ack = 1, .flags = TW_FIN | TW_ACK },
        { .from = TCPWHY_SERVER, .seq = 1, .ack = 5, .flags = TW_ACK },
        { .from = TCPWHY_SERVER, .seq = 1, .flags = TW_FIN | TW_RST },
    };
    struct tw_log log = { .record = record, .n = G_N_ELEMENTS(record) };
    struct tw_deliveries d[2];

    tw_deliveries_collect(&log, d);
    assert_int_equal(d[TCPWHY_CLIENT].n, 1);
    assert_int_equal(d[TCPWHY_CLIENT].acked, 11);
    assert_int_equal(d[TCPWHY_CLIENT].fin, 11);
    assert_int_equal(d[TCPWHY_SERVER].acked, 1);
    assert_int_equal(d[TCPWHY_SERVER].fin, TW_NO_FIN);
    tw_deliveries_clear(&d[0]);
    tw_deliveries_clear(&d[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_byte_is_delivered_by_the_record_that_brought_it_first),
        cmocka_unit_test(a_direction_ends_with_its_fin_and_is_acknowledged_by_the_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
