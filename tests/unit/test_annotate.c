/* SPDX-License-Identifier: MIT */
/* Comments into pcapng blocks, and the choice of frames for an excerpt. */
#include "base/array.h"
#include "tests/unit.h"

#include <string.h>

#include "annotate/block.h"
#include "annotate/excerpt.h"
#include "annotate/notes.h"
#include "report/report.h"

#define FIXED 4 /* bytes of a made-up block's body before its options */

/* A block with that list of options, commented; what it became, without header and trailer. */
static struct tw_bytes commented(struct tw_block_maker *maker, const char *list, size_t len,
                                 bool big_endian)
{
    struct tw_block_maker before = { .bytes = tw_byte_array_new() };
    struct tw_bytes block;

    tw_block_begin(&before, 6, big_endian);
    tw_block_bytes(&before, "body", FIXED);
    tw_block_bytes(&before, list, len);
    tw_block_u32(&before, before.bytes->len + 4); /* the trailer alone, no end of options */
    tw_block_reopen(maker, tw_bytes(before.bytes->data, before.bytes->len), big_endian, 8 + FIXED);
    tw_block_option(maker, 1, "new", 3);
    block = tw_block_end(maker);
    tw_byte_array_free(before.bytes, TRUE);
    assert_int_equal(big_endian ? tw_be32(block, 4) : tw_le32(block, 4), block.len);
    assert_int_equal(big_endian ? tw_be32(block, block.len - 4) : tw_le32(block, block.len - 4),
                     block.len);
    return tw_bytes_first(tw_bytes_from(block, 8 + FIXED), block.len - 12 - FIXED);
}

static void expect(const char *list, size_t len, const char *result, size_t result_len)
{
    struct tw_block_maker maker = { .bytes = tw_byte_array_new() };
    struct tw_bytes b = commented(&maker, list, len, false);

    assert_int_equal(b.len, result_len);
    assert_memory_equal(b.data, result, result_len);
    tw_byte_array_free(maker.bytes, TRUE);
}

#define NEW "\1\0\3\0new\0\0\0\0\0"
#define OLD "\1\0\2\0ab\0\0"

TEST(a_comment_follows_existing_options)
{
    expect("", 0, NEW, 12);
    expect(OLD, 8, OLD NEW, 20);
}

TEST(the_end_of_options_is_written_once)
{
    expect(OLD "\0\0\0\0", 12, OLD NEW, 20);
    expect("\0\0\0\0", 4, NEW, 12);
}

TEST(an_option_that_overruns_its_block_is_dropped)
{
    expect(OLD "\2\0\xff\xff"
               "abcd",
           16, OLD NEW, 20);
}

TEST(a_big_endian_block_gets_big_endian_options)
{
    struct tw_block_maker maker = { .bytes = tw_byte_array_new() };
    struct tw_bytes b = commented(&maker, "", 0, true);

    assert_memory_equal(b.data, "\0\1\0\3new\0\0\0\0\0", 12);
    tw_byte_array_free(maker.bytes, TRUE);
}

/* A report with one finding that has these waits. */
static void fill(tcpwhy_report *report, struct tw_finding_row *finding,
                 const struct tcpwhy_wait *waits, size_t n)
{
    *finding =
        (struct tw_finding_row) { .cause = TCPWHY_ZERO_WINDOW, .waits = waits, .n_waits = n };
    memset(report, 0, sizeof *report);
    report->findings = tw_array_new(FALSE, FALSE, sizeof *finding);
    tw_array_append_val(report->findings, *finding);
}

TEST(an_excerpt_keeps_handshakes_and_frames_around_evidence)
{
    const struct tcpwhy_wait wait = { .stream = 0, .ns = 1, .frames = { 41, 61 }, .n_frames = 2 };
    struct tw_finding_row finding;
    tcpwhy_report report;

    fill(&report, &finding, &wait, 1);
    struct tw_excerpt *e = tw_excerpt_new(&report, 1, 2);
    for (uint32_t frame = 1; frame <= 100; frame++)
        tw_excerpt_push(e, (frame + 1) % 2, frame); /* odd frames are of stream 0 */
    tw_excerpt_close(e);
    for (uint32_t frame = 1; frame <= 100; frame++) {
        bool opening = frame <= 7, begins = frame >= 37 && frame <= 45,
             ends = frame >= 57 && frame <= 65;

        assert_int_equal(tw_excerpt_has(e, frame), frame % 2 == 1 && (opening || begins || ends));
    }
    assert_int_equal(tw_excerpt_n_streams(e), 1);
    tw_excerpt_free(e);
    tw_array_free(report.findings, TRUE);
}

TEST(a_wait_is_noted_on_each_of_its_frames)
{
    const struct tcpwhy_wait waits[] = {
        { .stream = 0, .ns = TCPWHY_MS(20), .frames = { 4, 7, 9 }, .n_frames = 3 },
        { .stream = 0, .ns = TCPWHY_MS(10), .frames = { 9 }, .n_frames = 1 },
    };
    struct tw_finding_row finding;
    tcpwhy_report report;
    size_t n;

    fill(&report, &finding, waits, 2);
    tw_array_index(report.findings, struct tw_finding_row, 0).remedy = "a\nb\x1b\xff";
    struct tw_notes *notes = tw_notes_new(&report, 1);
    assert_non_null(
        strstr(tw_notes_on(notes, 4, &n)->text, "20.0 ms begins here and ends with frame 9"));
    assert_int_equal(n, 1);
    assert_non_null(strstr(tw_notes_on(notes, 7, &n)->text, "from frame 4 to frame 9"));
    assert_null(tw_notes_on(notes, 8, &n));
    assert_non_null(strstr(tw_notes_on(notes, 9, &n)->text, "Change: a\\nb\\x1b\\xff"));
    assert_int_equal(n, 2);
    tw_notes_free(notes);
    tw_array_free(report.findings, TRUE);
}
