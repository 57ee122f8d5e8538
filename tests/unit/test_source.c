/* SPDX-License-Identifier: MIT */
/* Common to all formats: sources of bytes, the filter, and refused files. */
#include "base/memory.h"
#include "tests/unit.h"

#include "tests/unit/capture.h"

#include <fcntl.h>
#include <unistd.h>

#include <tcpwhy/tcpwhy.h>

#include "source/window.h"

struct writer {
    const struct capture *capture;
    int fd;
    size_t step;
};

static gpointer write_all(gpointer data)
{
    const struct writer *w = data;
    size_t len = w->capture->bytes->len;

    for (size_t at = 0; at < len;) {
        ssize_t n = write(w->fd, w->capture->bytes->data + at, MIN(w->step, len - at));

        if (n < 0)
            break;
        at += (size_t)n;
    }
    close(w->fd);
    return NULL;
}

/* Frames of many sizes, some larger than the reader's buffer, each filled with its number. */
static void large_capture(struct capture *c, uint32_t n)
{
    pcap_header(c, 0xa1b2c3d4, 1);
    for (uint32_t i = 1; i <= n; i++) {
        uint32_t len = i % 50 == 0 ? 262144 : i * 37 % 1500;
        uint8_t *data = tw_malloc(len + 1);

        memset(data, (int)(i & 0xff), len + 1);
        put32(c, i);
        put32(c, 0);
        put32(c, len);
        put32(c, len);
        put(c, data, len);
        tw_free(data);
    }
}

static void expect_large_capture(struct tw_source *source, uint32_t n)
{
    struct tw_frame frame;

    for (uint32_t i = 1; i <= n; i++) {
        assert_int_equal(tw_source_next(source, &frame), 1);
        assert_int_equal(frame.number, i);
        assert_int_equal(frame.time_ns, i * INT64_C(1000000000));
        assert_int_equal(frame.bytes.len, i % 50 == 0 ? 262144 : i * 37 % 1500);
        for (size_t k = 0; k < frame.bytes.len; k++)
            if (frame.bytes.data[k] != (i & 0xff))
                fail_msg("frame %u differs at byte %zu", i, k);
    }
    expect_end(source);
}

CAPTURE_TEST(standard_input_may_be_a_pipe_that_comes_in_pieces, capture_new(false))
{
    struct tw_source_error error;
    int ends[2], stdin_before = dup(STDIN_FILENO);
    struct writer writer = { .capture = c, .step = 4093 };

    GThread *thread;

    large_capture(c, 400);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    dup2(ends[0], STDIN_FILENO);
    writer.fd = ends[1];
    thread = g_thread_new("writer", write_all, &writer);
    struct tw_source *source = tw_source_open("-", NULL, &error);
    assert_non_null(source);
    expect_large_capture(source, 400);
    tw_source_close(source);
    g_thread_join(thread);
    close(ends[0]);
    dup2(stdin_before, STDIN_FILENO);
    close(stdin_before);
}

static char *write_file(const void *data, size_t len)
{
    char *path;
    int fd = g_file_open_tmp("tcpwhy-XXXXXX", &path, NULL);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, len), len);
    close(fd);
    return path;
}

CAPTURE_TEST(a_file_and_memory_give_the_same_frames, capture_new(true))
{
    struct tw_source_error error;

    large_capture(c, 300);
    char *path = write_file(c->bytes->data, c->bytes->len);
    struct tw_source *source = tw_source_open(path, NULL, &error);
    assert_non_null(source);
    expect_large_capture(source, 300);
    tw_source_close(source);
    source = capture_open(c);
    expect_large_capture(source, 300);
    tw_source_close(source);
    unlink(path);
    g_free(path);
}

TEST(a_claimed_length_allocates_nothing)
{
    struct tw_window window;
    size_t capacity;
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "few", 3), 3);
    close(ends[1]);
    tw_window_open_fd(&window, ends[0], true);
    capacity = window.capacity;
    assert_int_equal(tw_window_need(&window, UINT32_MAX).len, 3);
    assert_int_equal(window.capacity, capacity);
    assert_false(tw_window_skip(&window, UINT32_MAX));
    tw_window_close(&window);
}

#define TO_A "\2\2\2\2\2\1, and more than a header"
#define TO_B "\2\2\2\2\2\2, and more than a header"

static const struct tw_source_options to_b = { .filter = "ether dst 02:02:02:02:02:02" };

CAPTURE_TEST(a_filter_holds_frames_back_but_counts_them, capture_new(false))
{
    struct tw_source_error error;

    pcap_header(c, 0xa1b2c3d4, 1);
    pcap_record(c, 0, 1, TO_A);
    pcap_record(c, 0, 2, TO_B);
    pcap_record(c, 0, 3, "short");
    pcap_record(c, 0, 4, TO_B);
    struct tw_source *source =
        tw_source_open_memory(tw_bytes(c->bytes->data, c->bytes->len), &to_b, &error);
    assert_non_null(source);
    expect_frame(source, 2, 2000, TO_B);
    expect_frame(source, 4, 4000, TO_B);
    expect_end(source);
    tw_source_close(source);
}

CAPTURE_TEST(a_filter_that_fits_the_first_link_type_alone_holds_the_others_back, capture_new(false))
{
    struct tw_source_error error;

    section(c);
    interface(c, 1, 0);
    interface(c, 101, 0);
    packet(c, 0, 1, TO_B);
    packet(c, 1, 2, TO_B);
    packet(c, 0, 3, TO_B);
    struct tw_source *source =
        tw_source_open_memory(tw_bytes(c->bytes->data, c->bytes->len), &to_b, &error);
    assert_non_null(source);
    expect_frame(source, 1, 1000, TO_B);
    expect_frame(source, 3, 3000, TO_B);
    expect_end(source);
    assert_int_equal(fact_count(source, TW_SOURCE_NOT_FILTERED), 1);
    tw_source_close(source);
}

CAPTURE_TEST(a_filter_that_does_not_compile_is_refused_at_once, capture_new(false))
{
    const struct tw_source_options wrong = { .filter = "tcp prot 80" };
    struct tw_source_error error;

    section(c);
    guint at = block_begin(c, 4);
    put_zeros(c, 4);
    block_end(c, at);
    interface(c, 1, 0);
    assert_null(tw_source_open_memory(tw_bytes(c->bytes->data, c->bytes->len), &wrong, &error));
    assert_int_equal(error.code, TCPWHY_ERR_FILTER);
    assert_non_null(strstr(error.text, "syntax error"));
}

static void expect_refused(const char *path, int code, const char *part)
{
    struct tw_source_error error;

    assert_null(tw_source_open(path, NULL, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" lacks \"%s\"", error.text, part);
}

TEST(a_path_that_cannot_be_opened_is_refused_with_advice)
{
    expect_refused("/nonexistent/capture.pcap", TCPWHY_ERR_OPEN, "no such file: check the path");
    expect_refused("/", TCPWHY_ERR_OPEN, "a directory: name a capture file inside it");
}

TEST(an_input_that_cannot_be_read_is_refused)
{
    int stdin_before = dup(STDIN_FILENO), write_only = open("/dev/null", O_WRONLY);

    dup2(write_only, STDIN_FILENO);
    expect_refused("-", TCPWHY_ERR_READ, "cannot be read: ");
    dup2(stdin_before, STDIN_FILENO);
    close(stdin_before);
    close(write_only);
}

TEST(a_file_that_is_no_capture_is_refused_by_name)
{
    static const struct {
        const char *start;
        size_t len;
        const char *part;
    } files[] = {
        { "", 0, "empty" },
        { "GET / HTTP/1.1\r\n", 16, "text, not a capture" },
        { "BZh91AY", 7, "bzip2 compressed: decompress it first (bzcat FILE | tcpwhy -)" },
        { "\x1f\x8b\x08\0", 4, "gzip compressed" },
        { "\x28\xb5\x2f\xfd", 4, "zstd compressed" },
        { "\xfd"
          "7zXZ\0",
          6, "xz compressed" },
        { "\x04\x22\x4d\x18", 4, "lz4 compressed" },
        { "btsnoop\0\0\0\0\1", 12, "editcap -F pcapng FILE OUT.pcapng" },
        { "snoop\0\0\0\0\0\0\2", 12, "cut short inside the snoop file header" },
        { "\n\r\r\n", 4, "cut short inside the pcapng section header" },
        { "\n\r\n\x1c\0\0\0", 7, "spoilt by a transfer in text mode" },
        { "\xd4\x01", 2, "not a capture" },
        { "\0\1\2\3\4\5\6\7", 8, "not a capture that tcpwhy reads" },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        char *path = write_file(files[i].start, files[i].len);

        expect_refused(path, TCPWHY_ERR_FORMAT, files[i].part);
        unlink(path);
        g_free(path);
    }
}
