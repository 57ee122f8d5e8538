/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <stdlib.h>

#include "app/app.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

/* One way to the asker; a round trip is twice that. */
#define WAY TCPWHY_MS(10)

/* A frame of a request at offset 1 and a response of 300 bytes. */
struct row {
    int64_t us;
    enum tcpwhy_side from;
    int64_t seq, ack;
    uint32_t len;
    uint16_t flags;
};

/* The arrival in microseconds of what the rows hold. */
static int64_t arrival(const struct row *rows, uint32_t n, tcpwhy_ns way)
{
    struct tw_record *record = calloc(n, sizeof *record);
    struct tw_log log = { .record = record, .n = n };
    struct tw_exchanges exchanges;
    tcpwhy_ns ns;

    for (uint32_t i = 0; i < n; i++)
        record[i] = (struct tw_record) {
            .time_ns = TCPWHY_US(rows[i].us),
            .from = (uint8_t)rows[i].from,
            .seq = rows[i].seq,
            .ack = rows[i].ack,
            .len = rows[i].len,
            .flags = rows[i].flags ? rows[i].flags : TW_ACK,
            .frame_class = rows[i].len ? TCPWHY_CLASS_DATA : TCPWHY_CLASS_ACK,
        };
    tw_exchanges_build(&log, NULL, &exchanges);
    ns = tw_exchange_arrival(&log, exchanges.exchange, way);
    tw_exchanges_clear(&exchanges);
    free(record);
    return ns == TCPWHY_NS_UNKNOWN ? -1 : ns / 1000;
}

#define ARRIVAL(rows) arrival(rows, sizeof(rows) / sizeof *(rows), WAY)

TEST(without_a_response_nothing_arrives)
{
    const struct row rows[] = { { 0, C, 1, 1, 10, 0 } };

    assert_int_equal(ARRIVAL(rows), -1);
}

TEST(without_an_ack_a_response_arrives_one_way_delay_later)
{
    const struct row rows[] = { { 0, C, 1, 1, 10, 0 }, { 500, S, 1, 11, 300, 0 } };

    assert_int_equal(ARRIVAL(rows), 10500);
}

TEST(a_prompt_ack_times_the_arrival_of_a_response)
{
    const struct row rows[] = {
        { 0, C, 1, 1, 10, 0 },
        { 500, S, 1, 11, 300, 0 },
        { 20700, C, 11, 301, 0, 0 },
    };

    assert_int_equal(ARRIVAL(rows), 10700);
}

TEST(a_delayed_ack_does_not_time_the_arrival)
{
    const struct row rows[] = {
        { 0, C, 1, 1, 10, 0 },
        { 500, S, 1, 11, 300, 0 },
        { 60500, C, 11, 301, 0, 0 },
    };

    assert_int_equal(ARRIVAL(rows), 10500);
}

TEST(an_ack_on_the_next_request_does_not_time_the_arrival)
{
    const struct row rows[] = {
        { 0, C, 1, 1, 10, 0 },
        { 500, S, 1, 11, 300, 0 },
        { 22000, C, 11, 301, 10, 0 },
    };

    assert_int_equal(ARRIVAL(rows), 10500);
}

TEST(an_ack_on_an_immediate_next_request_times_the_arrival)
{
    const struct row rows[] = {
        { 0, C, 1, 1, 10, 0 },
        { 500, S, 1, 11, 300, 0 },
        { 21500, C, 11, 301, 10, 0 },
    };

    assert_int_equal(ARRIVAL(rows), 11500);
}

/* A queue behind the vantage: the ACK of the part before says that the rest was not there yet. */
TEST(bytes_that_queue_arrive_by_their_acks)
{
    const struct row rows[] = {
        { 0, C, 1, 1, 10, 0 },        { 500, S, 1, 11, 200, 0 },    { 510, S, 201, 11, 100, 0 },
        { 320000, C, 11, 201, 0, 0 }, { 320400, C, 11, 301, 0, 0 },
    };

    assert_int_equal(ARRIVAL(rows), 310400);
}

TEST(data_lost_after_the_vantage_arrives_with_its_retransmission)
{
    const struct row rows[] = {
        { 0, C, 1, 1, 10, 0 },
        { 500, S, 1, 11, 300, 0 },
        { 220500, S, 1, 11, 300, 0 },
        { 281000, C, 11, 301, 0, 0 },
    };

    assert_int_equal(ARRIVAL(rows), 230500);
}

TEST(at_the_client_captured_times_are_arrival_times)
{
    const struct row rows[] = {
        { 0, C, 1, 1, 10, 0 },
        { 500, S, 1, 11, 300, 0 },
        { 513, C, 11, 301, 0, 0 },
    };

    assert_int_equal(arrival(rows, 3, 0), 513);
}
