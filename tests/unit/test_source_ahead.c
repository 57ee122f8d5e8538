/* SPDX-License-Identifier: MIT */
/* Files that are read ahead: the same frames, whoever reads and however long a frame is. */
#include "tests/unit.h"

#include "tests/unit/capture.h"

#include <pthread.h>
#include <stdatomic.h>

#include <glib/gstdio.h>

#define FRAMES 4000

/* Frames are numbered in their first bytes; some are longer than what a block has in front, or than
 * a block. */
static size_t length_of(uint32_t i)
{
    if (i % 1000 == 999)
        return 260000;
    return i % 500 == 250 ? 90000 : 40 + i * 37 % 1500;
}

static char *make_file(size_t cut)
{
    struct capture c = capture_new(false);
    char *path = g_build_filename(g_get_tmp_dir(), "tcpwhy-ahead-XXXXXX", NULL);

    pcap_header(&c, 0xa1b2c3d4, 1);
    for (uint32_t i = 0; i < FRAMES; i++) {
        put32(&c, i);
        put32(&c, 0);
        put32(&c, (uint32_t)length_of(i));
        put32(&c, (uint32_t)length_of(i));
        put32(&c, i);
        put_zeros(&c, length_of(i) - 5);
        put(&c, "$", 1);
    }
    close(g_mkstemp(path));
    g_file_set_contents(path, (const char *)c.bytes->data, (gssize)(c.bytes->len - cut), NULL);
    capture_free(&c);
    return path;
}

static void expect_whole_frame(struct tw_source *source, uint32_t i)
{
    struct tw_frame frame;

    assert_int_equal(tw_source_next(source, &frame), 1);
    assert_int_equal(frame.number, i + 1);
    assert_int_equal(frame.bytes.len, length_of(i));
    assert_int_equal(tw_le32(frame.bytes, 0), i);
    assert_int_equal(tw_u8(frame.bytes, frame.bytes.len - 1), '$');
}

static struct tw_source *open_ahead(const char *path, struct tw_read_ahead *ahead)
{
    const struct tw_source_options options = { .threads = 2, .ahead = ahead };
    struct tw_source_error error;
    struct tw_source *source = tw_source_open(path, &options, &error);

    assert_non_null(source);
    return source;
}

struct helper {
    struct tw_read_ahead *ahead;
    _Atomic bool quits;
    _Atomic unsigned blocks;
};

static void *help(void *user)
{
    struct helper *helper = user;

    while (!helper->quits)
        if (tw_read_ahead_some(helper->ahead))
            helper->blocks++;
        else
            g_thread_yield();
    return NULL;
}

TEST(all_frames_come_whether_somebody_reads_ahead_or_not)
{
    g_autofree char *path = make_file(0);

    for (int helps = 0; helps < 2; helps++) {
        struct helper helper = { .ahead = tw_read_ahead_new() };
        struct tw_source *source = open_ahead(path, helper.ahead);
        struct tw_frame frame;
        uint64_t done, total;
        pthread_t thread;

        if (helps)
            assert_int_equal(pthread_create(&thread, NULL, help, &helper), 0);
        for (uint32_t i = 0; i < FRAMES; i++)
            expect_whole_frame(source, i);
        assert_int_equal(tw_source_next(source, &frame), 0);
        tw_source_progress(source, &done, &total);
        assert_int_equal(done, total);
        tw_source_close(source);
        helper.quits = true;
        if (helps)
            pthread_join(thread, NULL);
        tw_read_ahead_free(helper.ahead);
    }
    g_remove(path);
}

TEST(read_ahead_is_requested_until_enough_is_read)
{
    g_autofree char *path = make_file(0);
    struct tw_read_ahead *ahead = tw_read_ahead_new();
    struct tw_source *source = open_ahead(path, ahead);
    uint32_t i = 0;
    unsigned blocks = 0;

    assert_false(tw_read_ahead_asks(ahead));
    while (!tw_read_ahead_asks(ahead))
        expect_whole_frame(source, i++);
    assert_false(tw_read_ahead_asks(ahead));
    while (tw_read_ahead_some(ahead))
        blocks++;
    assert_in_range(blocks, 4, 64);
    tw_source_close(source);
    assert_false(tw_read_ahead_some(ahead));
    tw_read_ahead_free(ahead);
    g_remove(path);
}

TEST(a_file_that_is_cut_short_is_read_to_its_last_frame)
{
    g_autofree char *path = make_file(1);
    struct tw_read_ahead *ahead = tw_read_ahead_new();
    struct tw_source *source = open_ahead(path, ahead);
    struct tw_frame frame;

    for (uint32_t i = 0; i < FRAMES - 1; i++)
        expect_whole_frame(source, i);
    assert_int_equal(tw_source_next(source, &frame), 0);
    assert_int_equal(fact_count(source, TW_SOURCE_CUT_SHORT), 1);
    tw_source_close(source);
    tw_read_ahead_free(ahead);
    g_remove(path);
}

TEST(one_reads_file_after_file)
{
    g_autofree char *path = make_file(0);
    const char *const paths[] = { path, path };
    struct tw_read_ahead *ahead = tw_read_ahead_new();
    const struct tw_source_options options = { .threads = 2, .ahead = ahead };
    struct tw_source_error error;
    struct tw_source *source = tw_source_open_chain(paths, 2, &options, &error);
    struct tw_frame frame;
    uint32_t n = 0;

    while (tw_source_next(source, &frame) > 0) {
        assert_int_equal(tw_le32(frame.bytes, 0), n % FRAMES);
        assert_int_equal(frame.number, ++n);
        tw_read_ahead_some(ahead);
    }
    assert_int_equal(n, 2 * FRAMES);
    tw_source_close(source);
    tw_read_ahead_free(ahead);
    g_remove(path);
}
