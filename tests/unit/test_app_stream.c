/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <string.h>

#include "app/lines.h"
#include "app/stream.h"

/* Output of a stream as text: bytes as they are, a hole as '-', a cut tail as '~'. */
struct heard {
    char text[256];
    size_t len;
    int64_t next;
    uint64_t bytes;
};

static void hear(void *user, const struct tw_piece *piece)
{
    struct heard *h = user;

    assert_true(h->next == 0 || piece->from == h->next);
    assert_true(piece->to > piece->from);
    h->next = piece->to;
    h->bytes += piece->bytes.len;
    for (size_t i = 0; i < piece->bytes.len && h->len < sizeof h->text - 2; i++)
        h->text[h->len++] = (char)piece->bytes.data[i];
    if (piece->gap && h->len < sizeof h->text - 2)
        h->text[h->len++] = piece->cut ? '~' : '-';
}

static void push(struct tw_stream *s, int64_t from, const char *text)
{
    tw_stream_push(s, from, (uint32_t)strlen(text), tw_bytes((const uint8_t *)text, strlen(text)));
}

#define HEARD_TEST(name) TEST_WITH(name, struct heard, h, *h = (struct heard) { 0 }, (void)h)

HEARD_TEST(data_ahead_of_a_hole_waits)
{
    struct tw_stream s;

    tw_stream_init(&s, hear, h);
    push(&s, 1, "ab");
    push(&s, 5, "ef");
    push(&s, 7, "gh");
    assert_string_equal(h->text, "ab");
    push(&s, 3, "cd");
    assert_string_equal(h->text, "abcdefgh");
    tw_stream_clear(&s);
}

HEARD_TEST(overlaps_are_trimmed)
{
    struct tw_stream s;

    tw_stream_init(&s, hear, h);
    push(&s, 1, "abcd");
    push(&s, 0, "xab");
    push(&s, 3, "cdef");
    push(&s, 9, "ij");
    push(&s, 8, "hijk");
    push(&s, 5, "efgh");
    assert_string_equal(h->text, "abcdefghijk");
    tw_stream_clear(&s);
}

HEARD_TEST(an_acknowledged_hole_is_skipped)
{
    struct tw_stream s;

    tw_stream_init(&s, hear, h);
    push(&s, 1, "ab");
    push(&s, 5, "ef");
    tw_stream_ack(&s, 4);
    assert_string_equal(h->text, "ab");
    tw_stream_ack(&s, 5);
    assert_string_equal(h->text, "ab-ef");
    tw_stream_ack(&s, 20);
    push(&s, 10, "jk");
    assert_string_equal(h->text, "ab-ef-jk");
    tw_stream_clear(&s);
}

HEARD_TEST(a_cut_tail_is_a_gap)
{
    struct tw_stream s;

    tw_stream_init(&s, hear, h);
    tw_stream_push(&s, 1, 100, tw_bytes((const uint8_t *)"ab", 2));
    tw_stream_push(&s, 201, 100, tw_bytes((const uint8_t *)"ef", 2));
    tw_stream_push(&s, 101, 100, tw_bytes((const uint8_t *)"cd", 2));
    assert_string_equal(h->text, "ab~cd~ef~");
    assert_int_equal(h->next, 301);
    tw_stream_clear(&s);
}

HEARD_TEST(the_end_of_a_connection_flushes_waiting_data)
{
    struct tw_stream s;

    tw_stream_init(&s, hear, h);
    push(&s, 1, "a");
    push(&s, 3, "c");
    push(&s, 5, "e");
    tw_stream_flush(&s);
    assert_string_equal(h->text, "a-c-e");
    tw_stream_clear(&s);
}

HEARD_TEST(waiting_data_is_bounded_in_bytes)
{
    static char block[65536];
    struct tw_stream s;

    tw_stream_init(&s, hear, h);
    push(&s, 1, "a");
    for (int64_t i = 0; i < 1000; i++) {
        tw_stream_push(&s, 3 + i * 65537, sizeof block, tw_bytes((uint8_t *)block, sizeof block));
        assert_true(s.held_bytes <= 4u << 20);
    }
    assert_true(h->bytes > 900 * sizeof block);
    tw_stream_clear(&s);
}

HEARD_TEST(waiting_segments_are_bounded_in_number)
{
    struct tw_stream s;

    tw_stream_init(&s, hear, h);
    push(&s, 1, "a");
    for (int64_t i = 0; i < 20000; i++) {
        push(&s, 1000000 - 2 * i, "x");
        assert_true(!s.held || s.held->len <= 4096);
    }
    tw_stream_clear(&s);
}

TEST(lines_come_out_of_pieces)
{
    struct tw_lines lines = { 0 };
    struct tw_bytes rest = tw_bytes((const uint8_t *)"one\r\ntwo\nthr", 12), line;

    assert_true(tw_lines_take(&lines, &rest, &line));
    assert_int_equal(line.len, 3);
    assert_true(tw_lines_take(&lines, &rest, &line));
    assert_int_equal(line.len, 3);
    assert_false(tw_lines_take(&lines, &rest, &line));
    assert_int_equal(rest.len, 0);
    rest = tw_bytes((const uint8_t *)"ee\r", 3);
    assert_false(tw_lines_take(&lines, &rest, &line));
    rest = tw_bytes((const uint8_t *)"\nfour", 5);
    assert_true(tw_lines_take(&lines, &rest, &line));
    assert_int_equal(line.len, 5);
    assert_memory_equal(line.data, "three", 5);
    assert_int_equal(rest.len, 4);
    tw_lines_clear(&lines);
}

TEST(a_line_without_end_is_kept_in_part)
{
    static const uint8_t block[4096] = { 'x' };
    struct tw_lines lines = { 0 };
    struct tw_bytes rest, line;

    for (int i = 0; i < 100; i++) {
        rest = tw_bytes(block, sizeof block);
        assert_false(tw_lines_take(&lines, &rest, &line));
        assert_true(lines.len <= 8192);
    }
    rest = tw_bytes((const uint8_t *)"\n", 1);
    assert_true(tw_lines_take(&lines, &rest, &line));
    assert_int_equal(line.len, 8192);
    tw_lines_clear(&lines);
}
