/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <string.h>

#include <tcpwhy/render.h>

struct page {
    char text[4096];
    size_t n;
};

static bool keep(void *user, const char *bytes, size_t len)
{
    struct page *page = user;

    if (len >= sizeof(page->text) - page->n)
        return false;
    memcpy(page->text + page->n, bytes, len);
    page->n += len;
    page->text[page->n] = '\0';
    return true;
}

static bool refuse(void *user, const char *bytes, size_t len)
{
    (void)user;
    (void)bytes;
    (void)len;
    return false;
}

static const struct tcpwhy_wireshark labels = {
    .flags = TCPWHY_WS_DUPLICATE_ACK | TCPWHY_WS_KEEP_ALIVE,
    .seq = 4294967295,
    .ack = 7,
    .window_bytes = 64512,
    .bytes_in_flight = -1,
    .push_bytes_sent = 0,
    .ack_rtt_ns = -TCPWHY_US(1),
    .initial_rtt_ns = TCPWHY_S(1) + 1,
    .rto_ns = TCPWHY_NS_UNKNOWN,
    .duplicate_ack_num = 1,
    .completeness = 31,
};

static struct tcpwhy_segment segment(const struct tcpwhy_wireshark *wireshark)
{
    return (struct tcpwhy_segment) {
        .frame = 12,
        .time_ns = 1700000000000000042,
        .relative_ns = TCPWHY_MS(1500),
        .stream = 3,
        .from = TCPWHY_SERVER,
        .source = { .address = { 10, 9, 0, 2 }, .port = 8080, .version = 4 },
        .destination = { .address = { 0x20, 1, 0xd, 0xb8 }, .port = 41000, .version = 6 },
        .flags = 0x010,
        .seq = 5000000000,
        .ack = 7,
        .len = 9,
        .window_bytes = -1,
        .window_raw = 63,
        .frame_class = TCPWHY_CLASS_DATA,
        .wireshark = wireshark,
    };
}

static size_t commas(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == ',';
    return n;
}

static int render(const struct tcpwhy_segment *segment, enum tcpwhy_format format,
                  tcpwhy_write_fn write, struct page *page)
{
    const struct tcpwhy_render_options options = { .struct_size = sizeof(options),
                                                   .columns = 160,
                                                   .segment = segment };

    return tcpwhy_render(NULL, TCPWHY_DOC_SEGMENT, format, &options, write, page);
}

TEST(a_row_is_spelt_as_tshark_spells_it)
{
    struct tcpwhy_segment s = segment(&labels);
    struct page page = { .n = 0 };

    assert_int_equal(render(&s, TCPWHY_FORMAT_CSV, keep, &page), 0);
    assert_string_equal(page.text, "12,1700000000.000000042,3,10.9.0.2,,8080,,2001:db8::,41000,"
                                   "4294967295,7,9,0x0010,64512,,,,,,,1,,,,,,1,,,,0,,"
                                   "-0.000001000,1.000000001,,,1,0,31,"
                                   "server,data,5000000000,7,\n");
}

TEST(a_row_has_as_many_columns_as_the_header)
{
    struct tcpwhy_segment with = segment(&labels), without = segment(NULL);
    struct page header = { .n = 0 }, a = { .n = 0 }, b = { .n = 0 };

    render(NULL, TCPWHY_FORMAT_CSV, keep, &header);
    render(&with, TCPWHY_FORMAT_CSV, keep, &a);
    render(&without, TCPWHY_FORMAT_CSV, keep, &b);
    assert_int_equal(commas(header.text), commas(a.text));
    assert_int_equal(commas(header.text), commas(b.text));
    assert_true(header.text[header.n - 1] == '\n');
}

TEST(without_labels_our_own_numbers_stand_in)
{
    struct tcpwhy_segment s = segment(NULL);
    struct page page = { .n = 0 };

    render(&s, TCPWHY_FORMAT_CSV, keep, &page);
    assert_non_null(strstr(page.text, ",41000,5000000000,7,9,0x0010,63,,,"));
}

TEST(json_tells_labels_by_name_and_what_is_absent_as_null)
{
    struct tcpwhy_segment s = segment(&labels);
    struct page page = { .n = 0 };

    assert_int_equal(render(&s, TCPWHY_FORMAT_JSON, keep, &page), 0);
    assert_non_null(strstr(page.text, "\"analysis\": [\"duplicate_ack\", \"keep_alive\"]"));
    assert_non_null(strstr(page.text, "\"bytes_in_flight\": null"));
    assert_non_null(strstr(page.text, "\"duplicate_ack_frame\": 0"));
    assert_non_null(strstr(page.text, "\"window_bytes\": null"));
    assert_int_equal(page.text[page.n - 1], '\n');
}

TEST(text_names_the_class_and_the_labels)
{
    struct tcpwhy_segment s = segment(&labels);
    struct page page = { .n = 0 };

    assert_int_equal(render(&s, TCPWHY_FORMAT_TEXT, keep, &page), 0);
    assert_non_null(strstr(page.text, "1,500.000"));
    assert_non_null(strstr(page.text, "server data"));
    assert_non_null(strstr(page.text, "[duplicate_ack] [keep_alive]\n"));
}

TEST(a_long_value_stands_apart_from_its_column)
{
    struct tcpwhy_segment s = segment(NULL);
    struct page page = { .n = 0 };

    s.frame = 123456789;
    s.relative_ns = INT64_C(6164071001000000000);
    s.stream = 40000000;
    assert_int_equal(render(&s, TCPWHY_FORMAT_TEXT, keep, &page), 0);
    assert_non_null(strstr(page.text, "123456789 6,164,071,001,000.000 40000000 server data "));
}

TEST(a_reader_that_went_away_stops_it)
{
    struct tcpwhy_segment s = segment(&labels);

    assert_true(render(&s, TCPWHY_FORMAT_CSV, refuse, NULL) < 0);
    assert_true(render(&s, TCPWHY_FORMAT_JSON, refuse, NULL) < 0);
}
