/* SPDX-License-Identifier: MIT */
#include "base/counts.h"
#include "base/text.h"
#include "tests/unit.h"

#include "render/view/flow_words.h"

static const struct tw_record data = { .frame_class = TCPWHY_CLASS_DATA, .len = 1448 };
static const struct tw_record repeat = { .frame_class = TCPWHY_CLASS_DUPLICATE_ACK };

static void assert_run(const struct tw_flow_row *row, unsigned parts, const char *words)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_flow_run(text, row, parts);
    assert_string_equal(text->str, words);
}

TEST(a_run_tells_its_bytes_and_the_acks_inside)
{
    const struct tw_flow_row row = {
        .kind = TW_FLOW_RUN, .first = &data, .n = 12, .bytes = 17376, .n_acks = 1
    };

    assert_run(&row, TW_FLOW_RUN_ALL, "12 segments, 17,376 bytes, 1 ACK");
    assert_run(&row, TW_FLOW_RUN_BYTES, "12 segments, 17,376 bytes");
}

TEST(duplicate_acks_inside_a_run_keep_their_numbers)
{
    const struct tw_flow_row row = { .kind = TW_FLOW_RUN,
                                     .first = &data,
                                     .n = 40,
                                     .bytes = 57920,
                                     .n_acks = 39,
                                     .n_duplicates = 39,
                                     .nth_duplicate = 2 };

    assert_run(&row, TW_FLOW_RUN_ALL, "40 segments, 57,920 bytes, 39 duplicate ACKs #2-#40");
    assert_run(&row, TW_FLOW_RUN_ACKS, "40 segments, 39 duplicate ACKs");
}

TEST(among_repairs_both_kinds_of_acks_are_told)
{
    const struct tw_flow_row row = {
        .kind = TW_FLOW_RUN, .first = &data, .n = 6, .bytes = 8688, .n_acks = 5, .n_duplicates = 1
    };

    assert_run(&row, TW_FLOW_RUN_ALL, "6 segments, 8,688 bytes, 4 ACKs, 1 duplicate ACK");
}

TEST(folded_duplicate_acks_are_named_first_and_last)
{
    const struct tw_flow_row row = { .kind = TW_FLOW_RUN, .first = &repeat, .n = 7, .nth = 4 };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_flow_what(text, &row);
    assert_string_equal(text->str, "duplicate ACK #4-#10");
}

/* The text beside an arrow has 22 cells at 120 columns, 15 at 80. */
TEST(the_class_of_a_frame_fits_beside_it)
{
    struct tw_record r = { .flags = TW_ACK };
    const struct tw_flow_row row = { .kind = TW_FLOW_FRAME, .first = &r };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    for (r.frame_class = 0; r.frame_class < TW_N_CLASSES; r.frame_class++) {
        r.window_bytes = 65536;
        tw_string_truncate(text, 0);
        tw_flow_what(text, &row);
        assert_in_range(text->len, 1, 15);
        if (r.frame_class == TCPWHY_CLASS_WINDOW_PROBE_ACK) {
            r.window_bytes = 0;
            tw_string_truncate(text, 0);
            tw_flow_what(text, &row);
            assert_string_equal(text->str, "probe ACK, win 0");
        }
    }
}

static void assert_title(const struct tcpwhy_exchange *exchange, const char *words)
{
    const struct tw_stream_row stream = { .stream = 3, .n_exchanges = 7 };
    const struct tw_flow_source source = { &stream, NULL };
    const struct tw_flow flow = { .part = TW_FLOW_EXCHANGE, .exchange = exchange, .n_frames = 1 };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_flow_title(text, &source, 1, &flow);
    assert_string_equal(text->str, words);
}

TEST(an_exchange_that_never_ended_has_no_length)
{
    struct tcpwhy_exchange exchange = { .total_ns = TCPWHY_MS(40),
                                        .request = "GET /",
                                        .detail = "" };

    assert_title(&exchange, "Stream 3, costliest request (1 of 7): GET /, 40.0 ms; 0 ms is "
                            "0.000000 s into the capture");
    exchange.request = "";
    exchange.total_ns = TCPWHY_NS_UNKNOWN;
    assert_title(&exchange,
                 "Stream 3, costliest request (1 of 7); 0 ms is 0.000000 s into the capture");
}

TEST(a_gap_tells_the_part_of_its_main_cause)
{
    const struct tw_record from = { .time_ns = TCPWHY_MS(5) }, to = { .time_ns = TCPWHY_MS(95) };
    const struct tcpwhy_span span = { .cause = TCPWHY_WIRE };
    struct tw_flow_row row = {
        .kind = TW_FLOW_GAP, .first = &from, .last = &to, .span = &span, .charged_ns = TCPWHY_MS(60)
    };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_flow_gap_part(text, &row);
    assert_string_equal(text->str, ", 60.000 ms of it");
    tw_string_truncate(text, 0);
    row.charged_ns = TCPWHY_MS(89);
    tw_flow_gap_part(text, &row);
    assert_string_equal(text->str, "");
}
