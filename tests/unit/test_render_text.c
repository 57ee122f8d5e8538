/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "tests/unit.h"

#include <string.h>

#include "render/writers/terminal_layout.h"
#include "render/writers/table.h"
#include "render/writers/text.h"
#include "render/view/view.h"

static bool append(void *user, const char *bytes, size_t len)
{
    tw_string_append_len(user, bytes, (gssize)len);
    return true;
}

struct drawing {
    tw_string *text;
    struct tw_writer out;
    struct tw_layout page;
};

static void begin(struct drawing *d, unsigned columns, bool color, bool ascii)
{
    struct tcpwhy_render_options style = {
        .struct_size = sizeof(style), .columns = columns, .color = color, .ascii = ascii
    };

    d->text = tw_string_new(NULL);
    tw_writer_init(&d->out, append, d->text);
    tw_layout_init(&d->page, &d->out, &style);
}

static void assert_drawn(struct drawing *d, const char *expected)
{
    assert_int_equal(tw_writer_finish(&d->out), 0);
    assert_string_equal(d->text->str, expected);
    tw_string_free(d->text, TRUE);
}

static void assert_fitted(const char *text, unsigned width, bool ascii, const char *expected)
{
    g_autoptr(tw_string) to = tw_string_new(NULL);

    tw_text_fit(to, text, width, ascii);
    assert_string_equal(to->str, expected);
    assert_true(tw_text_width(to->str, ascii) <= width);
}

TEST(control_characters_are_written_out)
{
    assert_fitted("GET /\x1b[2J\r\n", 40, false, "GET /\\x1b[2J\\r\\n");
    assert_fitted("a\xc2\x9b"
                  "b\x7f",
                  40, false, "a\\u009bb\\x7f");
    assert_fitted("\u202eexe.txt", 40, false, "\\u202eexe.txt");
    assert_fitted("\xff\xfe", 40, false, "\\xff\\xfe");
}

TEST(beyond_ascii_is_written_out_where_only_ascii_is_shown)
{
    assert_fitted("caf\u00e9 \u2265 \u2026", 40, true, "caf\\u00e9 >= ...");
    assert_fitted("caf\u00e9 \u2265 \u2026", 40, false, "caf\u00e9 \u2265 \u2026");
}

TEST(long_text_loses_its_middle)
{
    assert_fitted("/a/long/path/to/index.html", 26, false, "/a/long/path/to/index.html");
    assert_fitted("/a/long/path/to/index.html", 11, false, "/a/lo\u2026.html");
    assert_fitted("/a/long/path/to/index.html", 11, true, "/a/l...html");
    assert_fitted("\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587", 7, false, "\u4e2d\u2026\u4e2d\u6587");
    assert_fitted("abc", 0, false, "");
}

#define DRAWING_TEST(name, make) TEST_WITH(name, struct drawing, d, make, (void)d)

DRAWING_TEST(no_line_grows_beyond_the_width, begin(d, 60, false, false))
{
    char expected[62];

    for (int i = 0; i < 100; i++)
        tw_layout_put(&d->page, TW_TONE_PLAIN, "x");
    tw_layout_end_line(&d->page);
    memset(expected, 'x', 60);
    strcpy(expected + 60, "\n");
    assert_drawn(d, expected);
}

DRAWING_TEST(paragraphs_wrap_and_hang, begin(d, 60, false, false))
{
    tw_layout_entry(&d->page, 8, "change", TW_TONE_PLAIN,
                    "At 10.9.0.2:8080 set TCP_NODELAY, or hand header and body over in one.");
    assert_drawn(d, "change  At 10.9.0.2:8080 set TCP_NODELAY, or hand header and\n"
                    "        body over in one.\n");
}

DRAWING_TEST(a_number_is_not_parted_from_its_unit, begin(d, 60, false, false))
{
    tw_layout_paragraph(&d->page, 0, TW_TONE_PLAIN,
                        "one two three four five six seven eight nine ten elev 44.0 ms, is 5 more");
    assert_drawn(d, "one two three four five six seven eight nine ten elev\n"
                    "44.0 ms, is 5 more\n");
    begin(d, 60, false, false);
    tw_layout_paragraph(
        &d->page, 0, TW_TONE_PLAIN,
        "one two three four five six seven eight nine ten eleven 12 MB/s of 64 KiB");
    assert_drawn(d, "one two three four five six seven eight nine ten eleven\n"
                    "12 MB/s of 64 KiB\n");
}

DRAWING_TEST(lines_do_not_end_in_blanks, begin(d, 60, false, false))
{
    tw_layout_put(&d->page, TW_TONE_PLAIN, "a");
    tw_layout_tab(&d->page, 20);
    tw_layout_put(&d->page, TW_TONE_PLAIN, "");
    tw_layout_end_line(&d->page);
    assert_drawn(d, "a\n");
}

DRAWING_TEST(colour_is_only_used_when_asked_for, begin(d, 60, true, false))
{
    tw_layout_line(&d->page, TW_TONE_BAD, "lost");
    assert_drawn(d, "\033[1;31mlost\033[0m\n");
    begin(d, 60, false, false);
    tw_layout_line(&d->page, TW_TONE_BAD, "lost");
    assert_drawn(d, "lost\n");
}

DRAWING_TEST(a_bar_shows_even_a_trace, begin(d, 60, false, false))
{
    tw_string *bar = tw_string_new(NULL);

    tw_layout_bar(&d->page, bar, 0.5, 3);
    assert_string_equal(bar->str, "\u2588\u258c");
    tw_string_truncate(bar, 0);
    tw_layout_bar(&d->page, bar, 0.00001, 3);
    assert_string_equal(bar->str, "\u258f");
    tw_string_truncate(bar, 0);
    tw_layout_bar(&d->page, bar, 7, 3);
    assert_string_equal(bar->str, "\u2588\u2588\u2588");
    tw_string_free(bar, TRUE);
    assert_drawn(d, "");
}

/* The page shows no rival: two rows of one cause that differ by it alone would be a riddle. */
DRAWING_TEST(rows_of_a_ledger_that_look_alike_are_one, begin(d, 60, false, true))
{
    const struct tcpwhy_ledger_entry entries[] = {
        { .cause = TCPWHY_CLOSE, .confidence = TCPWHY_CERTAIN, .ns = TCPWHY_MS(50), .count = 1 },
        { .cause = TCPWHY_CLIENT_IDLE,
          .confidence = TCPWHY_LIKELY,
          .rival = TCPWHY_APP_LIMITED,
          .ns = TCPWHY_MS(30),
          .count = 2 },
        { .cause = TCPWHY_CLIENT_IDLE,
          .confidence = TCPWHY_LIKELY,
          .rival = TCPWHY_SERVER_THINK,
          .ns = TCPWHY_MS(30),
          .count = 3 },
    };

    tw_ledger_table(&tw_form_text, &d->page, entries, G_N_ELEMENTS(entries), 0);
    assert_drawn(d, "  cause        owner       ms  share  count\n"
                    "  client_idle  -       60.000    55%      5  ######\n"
                    "  close        -       50.000    45%      1  #####\n"
                    "  total               110.000   100%\n");
}

static void cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                 tw_string *text, enum tw_tone *tone)
{
    const char *const *cells = data;

    (void)page;
    (void)tone;
    tw_string_append(text, cells[row * 3 + column]);
}

static void draw(struct drawing *d, const struct tw_column *columns, const char *const *cells)
{
    tw_table_draw(
        &d->page,
        &(struct tw_table) {
            .columns = columns, .n_columns = 3, .n_rows = 2, .data = cells, .cell = cell });
}

static void assert_answered(tcpwhy_ns lasted, const char *expected)
{
    const struct tcpwhy_percentiles latency = { .count = 12, .first_ns = 0, .last_ns = lasted };
    const struct tcpwhy_status_classes none = { { 0 } };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_text_answered(text, &latency, &none);
    assert_non_null(strstr(text->str, expected));
}

TEST(a_rate_is_told_from_one_a_second_on)
{
    assert_answered(TCPWHY_S(1), "12 requests, 12/s; response time median");
    assert_answered(TCPWHY_S(12), "12 requests, 1/s; response time median");
    assert_answered(TCPWHY_S(13), "12 requests; response time median");
}

TEST(percentiles_that_are_the_longest_are_told_once)
{
    const struct tcpwhy_percentiles latency = { .count = 5,
                                                .first_ns = TCPWHY_NS_UNKNOWN,
                                                .p50_ns = TCPWHY_MS(10),
                                                .p75_ns = TCPWHY_MS(11),
                                                .p90_ns = TCPWHY_MS(12),
                                                .p99_ns = TCPWHY_MS(12),
                                                .max_ns = TCPWHY_MS(12) };
    const struct tcpwhy_status_classes none = { { 0 } };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_text_answered(text, &latency, &none);
    assert_string_equal(text->str, "5 requests; response time median 10.0, p75 11.0, max 12.0 ms");
}

DRAWING_TEST(columns_are_as_wide_as_their_widest_cell, begin(d, 60, false, false))
{
    static const struct tw_column columns[] = { { .title = "name" },
                                                { .title = "ms", .right = true },
                                                { .title = "to" } };
    static const char *const cells[] = { "a", "44.0", "x", "abcdef", "1,360.5", "y" };

    draw(d, columns, cells);
    assert_drawn(d, "name         ms  to\n"
                    "a          44.0  x\n"
                    "abcdef  1,360.5  y\n");
}

DRAWING_TEST(a_table_that_is_too_wide_shrinks_then_loses_columns, begin(d, 60, false, false))
{
    static const struct tw_column columns[] = { { .title = "a", .min = 10 },
                                                { .title = "b", .leaves = 1 },
                                                { .title = "c", .leaves = 2 } };
    static const char *const cells[] = {
        "0123456789012345678901234567890123456789",
        "0123456789012345678901234567890123456789",
        "0123456789",
        "x",
        "y",
        "z",
    };

    draw(d, columns, cells);
    assert_drawn(d, "a                   b\n"
                    "012345678\u202623456789"
                    "  0123456789012345678901234567890123456789\n"
                    "x                   y\n");
}

DRAWING_TEST(optional_columns_go_before_others_shrink, begin(d, 60, false, false))
{
    static const struct tw_column columns[] = { { .title = "a", .min = 12 },
                                                { .title = "b", .spare = true },
                                                { .title = "c" } };
    static const char *const cells[] = {
        "0123456789012345678901234567890123456789", "x", "012345678901234567", "x", "y", "z"
    };

    draw(d, columns, cells);
    assert_drawn(d, "a                                         c\n"
                    "0123456789012345678901234567890123456789  012345678901234567\n"
                    "x                                         z\n");
}

TEST(prose_loses_its_end)
{
    g_autoptr(tw_string) to = tw_string_new(NULL);

    tw_text_begin(to, "An excerpt", 10, false);
    tw_text_begin(to, "; An excerpt", 6, false);
    assert_string_equal(to->str, "An excerpt; An \u2026");
    tw_string_truncate(to, 0);
    tw_text_begin(to, "An excerpt", 6, true);
    assert_string_equal(to->str, "An ...");
}
