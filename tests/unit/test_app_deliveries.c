/* SPDX-License-Identifier: MIT */
/* The records that delivered a message, checked against a table of all bytes. */
#include "tests/unit.h"

#include <glib.h>

#include "app/app.h"
#include "app/messages.h"

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

/* Compare a message's records with the table. */
static void check(const struct tw_exchange *e, const struct table *table)
{
    uint32_t first = TW_NO_RECORD, last = TW_NO_RECORD;

    for (int64_t at = e->request_from; at < e->request_to; at++) {
        if (table->brought[at] == TW_NO_RECORD)
            continue;
        if (first == TW_NO_RECORD)
            first = last = table->brought[at];
        last = MAX(last, table->brought[at]);
    }
    assert_int_equal(e->request_first, first);
    assert_int_equal(e->request_last, last);
}

/* Messages behind one another, some of them empty; some that were never ended reach to the end. */
static void make_messages(GRand *rand, struct tw_exchanges *all)
{
    int64_t at = g_rand_int_range(rand, 1, 5);

    for (all->n = 0; all->n < MESSAGES; all->n++) {
        int64_t len = g_rand_int_range(rand, 0, 12), to = MIN(at + len, BYTES + 1);
        bool ends = g_rand_int_range(rand, 0, 8) > 0;

        all->exchange[all->n] = (struct tw_exchange) {
            .request_from = at,
            .request_to = ends || at == to ? to : BYTES + 1,
            .request_first = TW_NO_RECORD,
            .request_last = TW_NO_RECORD,
            .response_first = TW_NO_RECORD,
            .response_last = TW_NO_RECORD,
        };
        at = to == BYTES + 1 ? to : to + g_rand_int_range(rand, 0, 2);
    }
}

TEST(each_byte_is_delivered_by_the_record_that_brought_it_first)
{
    GRand *rand = g_rand_new_with_seed(7);
    struct tw_record record[RECORDS];
    struct tw_log log = { .record = record, .n = RECORDS };
    struct tw_exchange exchange[MESSAGES];
    struct tw_exchanges all = { .exchange = exchange, .capacity = MESSAGES };
    struct tw_byte_to_frame d;
    struct tw_messages m;
    struct table table;

    for (int round = 0; round < ROUNDS; round++) {
        make_records(rand, record, &table);
        make_messages(rand, &all);
        tw_byte_to_frame_begin(&d);
        tw_messages_begin(&m, &all, true, BYTES + 1);
        for (uint32_t i = 0; i < RECORDS; i++)
            if (tw_record_may_deliver(&record[i]) && tw_byte_to_frame_take(&d, &record[i], i))
                tw_messages_take(&m, d.ahead, d.next, i);
        for (uint32_t i = 0; i < all.n; i++) {
            tw_messages_settle(&m, &exchange[i], &log, &d);
            check(&exchange[i], &table);
        }
        tw_byte_to_frame_clear(&d);
    }
    g_rand_free(rand);
}

TEST(a_direction_begins_after_its_syn_or_with_its_first_bytes)
{
    static const struct {
        struct tw_record record[2];
        int64_t first;
    } cases[] = {
        { { { .seq = 0, .flags = TW_SYN }, { .seq = 1, .flags = TW_ACK } }, TW_FIRST_BYTE },
        { { { .seq = 0, .flags = TW_SYN }, { .seq = 1, .len = 5 } }, TW_FIRST_BYTE },
        { { { .seq = 0, .flags = TW_SYN }, { .seq = 4, .len = 5 } }, 4 },
        { { { .seq = 7, .len = 5 }, { .seq = 2, .len = 5 } }, 7 },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        struct tw_byte_to_frame d;

        tw_byte_to_frame_begin(&d);
        for (uint32_t k = 0; k < 2; k++)
            if (tw_record_may_deliver(&cases[i].record[k]))
                tw_byte_to_frame_take(&d, &cases[i].record[k], k);
        assert_int_equal(tw_byte_to_frame_first(&d), cases[i].first);
        tw_byte_to_frame_clear(&d);
    }
}

TEST(a_syn_far_ahead_delivers_nothing)
{
    const struct tw_record record[] = {
        { .seq = 1, .len = 10 },
        { .seq = 100, .flags = TW_SYN },
        { .seq = 11, .len = 5 },
    };
    struct tw_byte_to_frame d;

    tw_byte_to_frame_begin(&d);
    assert_true(tw_byte_to_frame_take(&d, &record[0], 0));
    assert_false(tw_byte_to_frame_take(&d, &record[1], 1));
    assert_false(tw_byte_to_frame_take(&d, &record[2], 2));
    assert_int_equal(d.n_late, 1);
    tw_byte_to_frame_clear(&d);
}

TEST(a_direction_ends_with_its_fin_and_is_acknowledged_by_the_other)
{
    struct tw_record record[] = {
        { .from = TCPWHY_CLIENT, .seq = 1, .len = 10, .flags = TW_ACK, .ack = 1 },
        { .from = TCPWHY_SERVER, .seq = 1, .ack = 11, .flags = TW_ACK },
        { .from = TCPWHY_CLIENT, .seq = 11, .ack = 1, .flags = TW_FIN | TW_ACK },
        { .from = TCPWHY_SERVER, .seq = 1, .ack = 5, .flags = TW_ACK },
        { .from = TCPWHY_SERVER, .seq = 1, .flags = TW_FIN | TW_RST },
    };
    struct tw_log log = { .record = record, .n = G_N_ELEMENTS(record) };

    assert_true(tw_is_acknowledged(&log, TCPWHY_CLIENT, 11));
    assert_false(tw_is_acknowledged(&log, TCPWHY_CLIENT, 12));
    assert_true(tw_is_acknowledged(&log, TCPWHY_SERVER, 1));
    assert_false(tw_is_acknowledged(&log, TCPWHY_SERVER, 2));
    assert_int_equal(tw_fin_of(&log, TCPWHY_CLIENT), 11);
    assert_int_equal(tw_fin_of(&log, TCPWHY_SERVER), TW_NO_FIN);
}
