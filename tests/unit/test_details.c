/* SPDX-License-Identifier: MIT */
/*
 * The numbers that belong to a cause: of a ceiling, of a start, and how long it would have taken
 * without them.
 */
#include "tests/unit.h"

#include "explain/attribute/details.h"
#include "tests/unit/made_gap.h"

#define BUFFER TCPWHY_SEND_BUFFER_LIMITED
#define RESUME TCPWHY_SLOW_START_AFTER_IDLE

/* A wait that a cause has, and the server's thinking before and behind it. */
struct numbers {
    struct made_gap made;
    struct tw_span span[3];
    struct tw_scratch scratch;
    struct tw_explanation out;
    struct tw_exchange exchange;
    struct tw_exchanges exchanges;
    int64_t first_window; /* of the receiver; 0: not heard */
};

static struct tw_span span_of(enum tcpwhy_cause cause, uint32_t first, uint32_t last)
{
    return (struct tw_span) { .from_ns = first * TCPWHY_MS(20),
                              .to_ns = last * TCPWHY_MS(20),
                              .cause = cause,
                              .from = TCPWHY_SERVER,
                              .first_record = first,
                              .last_record = last };
}

static void make(struct numbers *x, enum tcpwhy_cause cause)
{
    *x = (struct numbers) { .span = { span_of(TCPWHY_SERVER_THINK, FIRST_ACK, BEFORE),
                                      span_of(cause, BEFORE, NOW),
                                      span_of(TCPWHY_SERVER_THINK, NOW, LATER) } };
    make_gap(&x->made);
    x->made.context.scratch = &x->scratch;
    x->exchanges.exchange = &x->exchange;
    x->made.context.exchanges = &x->exchanges;
    x->out = (struct tw_explanation) { .span = x->span, .n_spans = 3, .scratch = &x->scratch };
}

/* A detail's number, or -1. */
static double told(struct numbers *x, const char *name)
{
    double number = -1;

    if (x->out.detail)
        tw_scratch_return(&x->scratch, x->out.detail);
    x->out.detail = NULL;
    x->out.n_details = x->out.detail_capacity = 0;
    tw_details_build(&x->made.context, &x->out);
    for (uint32_t i = 0; i < x->out.n_details; i++)
        if (strcmp(x->out.detail[i].name, name) == 0)
            number = x->out.detail[i].number;
    return number;
}

static void set_capacity(struct numbers *x, double bytes_per_s)
{
    x->made.context.rounds[TCPWHY_SERVER].capacity = bytes_per_s;
}

#define NUMBERS_TEST(name, make)                                                                   \
    TEST_WITH(name, struct numbers, x, make, tw_scratch_clear(&x->scratch))

NUMBERS_TEST(a_ceiling_above_the_observed_rate_shows_no_path_rate, make(x, BUFFER))
{
    set_capacity(x, 501e3);
    assert_true(told(x, "rate_bytes_per_s") == 500e3);
    assert_true(told(x, "path_bytes_per_s") == 501e3);
    set_capacity(x, 500e3);
    assert_true(told(x, "rate_bytes_per_s") == 500e3);
    assert_true(told(x, "path_bytes_per_s") == -1);
}

/* 20 ms at 1 MB/s are 20 kB. */
NUMBERS_TEST(a_receive_window_below_what_the_path_needs_is_the_next_limit, make(x, BUFFER))
{
    set_capacity(x, 1e6);
    for (size_t i = 0; i < 3; i++)
        x->made.round[i].window_bytes = 19999;
    assert_true(told(x, "bdp_bytes") == 20000);
    assert_true(told(x, "next_window_bytes") == 19999);
    for (size_t i = 0; i < 3; i++)
        x->made.round[i].window_bytes = 20000;
    assert_true(told(x, "next_window_bytes") == -1);
    for (size_t i = 0; i < 3; i++)
        x->made.round[i].window_bytes = INT64_MAX;
    assert_true(told(x, "next_window_bytes") == -1);
}

/* Estimated saving, in ms, without the cause whose span moved these bytes, on a path of this rate;
 * negative: no estimate is given. */
static double saved_ms(struct numbers *x, int64_t bytes, double bytes_per_s)
{
    set_capacity(x, bytes_per_s);
    x->made.send[1].end = tw_send_seq(&x->made.send[1]) + x->made.send[1].len;
    x->made.send[2].end = x->made.send[1].end + bytes;
    x->made.context.sends[TCPWHY_SERVER].heard = x->first_window > 0;
    x->made.send[0].edge = tw_send_seq(&x->made.send[0]) + x->first_window;
    for (int i = 0; i < 3 && x->first_window > 0; i++)
        x->made.send[i].acked = x->made.send[i].end;
    x->span[1].to_ns = x->span[1].from_ns + TCPWHY_MS(200);
    x->span[2] = span_of(TCPWHY_SERVER_THINK, NOW, LATER);
    x->span[2].from_ns = x->span[1].to_ns;
    x->span[2].to_ns = x->span[2].from_ns + TCPWHY_MS(20);
    return told(x, "would_take_ms") < 0 ? -1 : told(x, "took_ms") - told(x, "would_take_ms");
}

NUMBERS_TEST(without_its_cause_no_connection_takes_longer, make(x, BUFFER))
{
    assert_true(saved_ms(x, 150000, 1e6) > 0);
    assert_true(saved_ms(x, 300000, 1e6) < 0);
}

NUMBERS_TEST(without_a_ceiling_a_flight_doubles_each_round_trip, make(x, BUFFER))
{
    assert_float_equal(saved_ms(x, 10000, 100e9), 200, 0.01);
    assert_float_equal(saved_ms(x, 10001, 100e9), 180, 0.01);
    assert_float_equal(saved_ms(x, 30000, 100e9), 180, 0.01);
    assert_float_equal(saved_ms(x, 30001, 100e9), 160, 0.01);
}

NUMBERS_TEST(an_initial_window_helps_as_far_as_the_first_receive_window_takes_it,
             make(x, TCPWHY_SLOW_START))
{
    x->first_window = 30000;
    assert_float_equal(saved_ms(x, 30000, 100e9), 200, 0.01);
    x->first_window = 20000;
    assert_float_equal(saved_ms(x, 30000, 100e9), 180, 0.01);
}

NUMBERS_TEST(without_a_restart_the_window_is_as_large_as_before_the_pause, make(x, RESUME))
{
    x->made.round[0].flight_bytes = 10000;
    assert_float_equal(saved_ms(x, 30000, 100e9), 180, 0.01);
    x->made.round[0].flight_bytes = 30000;
    assert_float_equal(saved_ms(x, 30000, 100e9), 200, 0.01);
}

NUMBERS_TEST(waits_that_come_of_a_ceiling_end_with_it, make(x, BUFFER))
{
    double thought_ms = (double)(x->span[0].to_ns - x->span[0].from_ns) / 1e6;
    double saved = saved_ms(x, 8000, 100e9);

    assert_float_equal(saved, 200, 0.01);
    x->span[0].cause = TCPWHY_UNKNOWN;
    assert_float_equal(saved_ms(x, 8000, 100e9), saved + thought_ms, 0.01);
}

NUMBERS_TEST(a_window_that_grows_after_losses_is_small_because_of_them,
             make(x, TCPWHY_CONGESTION_WINDOW_LIMITED))
{
    double repaired_ms = (double)(x->span[0].to_ns - x->span[0].from_ns) / 1e6;
    double saved = saved_ms(x, 8000, 100e9);

    x->span[0].cause = TCPWHY_LOSS_RECOVERY;
    assert_float_equal(saved_ms(x, 8000, 100e9), saved + repaired_ms, 0.01);
}

NUMBERS_TEST(pauses_of_a_live_source_take_what_a_larger_buffer_saves, make(x, BUFFER))
{
    assert_true(saved_ms(x, 10000, 100e9) > 0);
    x->span[0].cause = TCPWHY_APP_LIMITED;
    assert_true(saved_ms(x, 10000, 100e9) > 0);
    x->span[0].to_ns = x->span[0].from_ns + TCPWHY_MS(200);
    assert_true(saved_ms(x, 10000, 100e9) < 0);
}

NUMBERS_TEST(a_source_with_a_clock_of_its_own_is_not_made_shorter, make(x, TCPWHY_NAGLE_HOLD))
{
    assert_true(told(x, "would_take_ms") > 0);
    x->made.context.sends[TCPWHY_SERVER].app_timed_pauses = true;
    assert_true(told(x, "would_take_ms") == -1);
}

NUMBERS_TEST(the_duration_of_an_unfinished_message_is_not_known, make(x, TCPWHY_ZERO_WINDOW))
{
    assert_true(saved_ms(x, 10000, 100e9) > 0);
    x->out.n_spans = 2;
    assert_true(saved_ms(x, 10000, 100e9) < 0);
}

/* The reader had paused for 200 ms. */
NUMBERS_TEST(a_reader_that_paused_pauses_once_more_behind_the_last_data,
             make(x, TCPWHY_ZERO_WINDOW))
{
    double saved = saved_ms(x, 80000, 100e9);

    x->span[2].cause = TCPWHY_CLIENT_IDLE;
    x->span[2].from = TCPWHY_CLIENT;
    x->span[2].party = TCPWHY_PARTY_CLIENT;
    assert_float_equal(told(x, "took_ms") - told(x, "would_take_ms"), saved + 20, 0.01);
    x->span[2].to_ns = x->span[2].from_ns + TCPWHY_MS(300);
    assert_float_equal(told(x, "took_ms") - told(x, "would_take_ms"), saved + 200, 0.01);
}

/* The ACKs of a slow reader are late, which looks like a pause of the sender's program. */
NUMBERS_TEST(who_reads_at_once_acknowledges_at_once, make(x, TCPWHY_ZERO_WINDOW))
{
    double saved = saved_ms(x, 8000, 100e9);
    struct tw_span spans[] = { span_of(TCPWHY_SLOW_START, FIRST_ACK, FIRST_ACK),
                               span_of(TCPWHY_APP_LIMITED, FIRST_ACK, BEFORE), x->span[1],
                               x->span[2] };
    double paused_ms = (double)(spans[1].to_ns - spans[1].from_ns) / 1e6;

    x->out.span = spans;
    x->out.n_spans = G_N_ELEMENTS(spans);
    assert_float_equal(told(x, "took_ms") - told(x, "would_take_ms"), saved + paused_ms, 0.01);
    spans[0].cause = TCPWHY_SERVER_THINK;
    assert_float_equal(told(x, "took_ms") - told(x, "would_take_ms"), saved, 0.01);
}

NUMBERS_TEST(a_first_flight_is_that_of_the_first_wait, make(x, RESUME))
{
    x->made.round[0].flight_bytes = 65;
    assert_true(told(x, "first_flight_bytes") == 10 * CLAIM_MSS);
    x->span[1].first_record = OLD_DATA;
    assert_true(told(x, "first_flight_bytes") == 65);
}

/* A full segment, the first, went in vain; what came before it passed. */
static void make_hole(struct numbers *x)
{
    make(x, TCPWHY_MTU_BLACK_HOLE);
    x->made.episode = (struct tw_recovery_episode) { .black_hole = true, .repair_record = BEFORE };
    x->made.context.recovery[TCPWHY_SERVER] =
        (struct tw_recovery) { .episode = &x->made.episode, .n = 1 };
    x->made.record[BEFORE].len = CLAIM_MSS;
    x->made.send[0].len = 100;
    x->made.send[1].len = x->made.send[2].len = CLAIM_MSS;
    x->made.connection.side[TCPWHY_SERVER].acked = x->made.send[0].end;
    x->made.connection.side[TCPWHY_SERVER].largest = CLAIM_MSS;
}

NUMBERS_TEST(an_mtu_black_hole_reports_the_size_that_is_lost_and_the_size_that_passes, make_hole(x))
{
    assert_int_equal((int)told(x, "vanished_bytes"), CLAIM_MSS);
    assert_int_equal((int)told(x, "passed_bytes"), 100);
    assert_int_equal((int)told(x, "mtu_bytes"), -1);
    x->made.connection.side[TCPWHY_SERVER].acked--;
    assert_int_equal((int)told(x, "passed_bytes"), -1);
    /* Where nothing is seen to go in vain it is what came. */
    x->made.episode.black_hole = false;
    assert_int_equal((int)told(x, "vanished_bytes"), -1);
    assert_int_equal((int)told(x, "passed_bytes"), CLAIM_MSS);
}

NUMBERS_TEST(the_smallest_reported_mtu_counts, make_hole(x))
{
    static struct tw_log_icmp icmp[] = {
        { .kind = TW_ICMP_TOO_BIG, .mtu = 1400, .to = TCPWHY_SERVER },
        { .kind = TW_ICMP_TOO_BIG, .mtu = 1280, .to = TCPWHY_SERVER },
        { .kind = TW_ICMP_TOO_BIG, .mtu = 1000, .to = TCPWHY_CLIENT },
        { .kind = TW_ICMP_UNREACHABLE, .mtu = 1000, .to = TCPWHY_SERVER },
        { .kind = TW_ICMP_TOO_BIG, .to = TCPWHY_SERVER },
    };

    x->made.log.icmp = icmp;
    x->made.log.n_icmp = G_N_ELEMENTS(icmp);
    assert_int_equal((int)told(x, "mtu_bytes"), 1280);
}

/* A detail's word, or "". */
static const char *word(struct numbers *x, const char *name)
{
    told(x, name);
    for (uint32_t i = 0; i < x->out.n_details; i++)
        if (strcmp(x->out.detail[i].name, name) == 0)
            return x->out.detail[i].text;
    return "";
}

/* The server thinks from one record to another, and its answer to the first request begins there.
 */
static void make_answered(struct numbers *x, uint16_t status)
{
    make(x, BUFFER);
    x->exchanges.n = 1;
    x->exchange.request_first = FIRST_ACK;
    x->exchange.response_first = BEFORE;
    x->exchange.protocol = "http";
    x->exchange.status = status;
}

NUMBERS_TEST(who_answers_504_waited_for_a_server_behind, make_answered(x, 504))
{
    assert_string_equal(word(x, "kind"), "gateway timeout");
}

NUMBERS_TEST(who_answers_503_waited_for_nobody, make_answered(x, 503))
{
    assert_string_equal(word(x, "kind"), "");
}

/* The answer consists of n events in that protocol. */
static void make_events(struct numbers *x, const char *protocol, uint32_t n)
{
    static struct tw_exchange_more more;

    make_answered(x, 200);
    more = (struct tw_exchange_more) { .messages = { 0, n } };
    x->exchange.protocol = protocol;
    x->exchange.more = 1;
    x->exchanges.more = &more;
}

NUMBERS_TEST(events_that_come_all_at_once_were_held_back, make_events(x, "http", 5))
{
    assert_string_equal(word(x, "kind"), "events at once");
}

NUMBERS_TEST(the_first_events_of_a_stream_come_together, make_events(x, "http", 4))
{
    assert_string_equal(word(x, "kind"), "");
}

NUMBERS_TEST(rows_of_a_database_are_no_events, make_events(x, "pgsql", 500))
{
    assert_string_equal(word(x, "kind"), "");
}
