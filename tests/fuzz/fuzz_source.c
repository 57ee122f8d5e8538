/* SPDX-License-Identifier: MIT */
/* The file readers and decoders: the input is a capture in memory, compressed or not. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/read_ahead.h"
#include "source/source.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

/* A small input may unpack to gigabytes of empty frames. */
#define FRAMES_MAX 20000

/* A file of that length is read ahead. */
#define LONG_FILE ((1 << 20) + (1 << 18))

#define PIPE_BYTES 65536 /* what Linux keeps for a reader */

/* @return number of the last frame. */
static uint32_t read_all(struct tw_source *source, const struct tw_source_error *error)
{
    struct tw_frame frame;
    uint32_t last = 0;
    uint64_t sum = 0;
    size_t n;

    if (!source) {
        assert(error->code < 0 && error->text[0] != '\0');
        return 0;
    }
    for (int i = 0; i < FRAMES_MAX && tw_source_next(source, &frame) > 0; i++) {
        assert(frame.number > last);
        last = frame.number;
        for (size_t k = 0; k < frame.bytes.len; k++)
            sum += frame.bytes.data[k];
    }
    sum += strlen(tw_source_comment(source));
    assert(tw_source_facts(source, &n) || n == 0);
    tw_source_close(source);
    __asm__ volatile("" : : "r"(sum)); /* what was read counts as used */
    return last;
}

/* With a second thread, what unpacks to much is unpacked ahead. */
static uint32_t read_memory(struct tw_bytes bytes, const char *filter)
{
    struct tw_source_options options = { .filter = filter, .threads = 2 };
    struct tw_source_error error = { 0, "" };

    return read_all(tw_source_open_memory(bytes, &options, &error), &error);
}

/* The file ends with the input, or goes on with zeros. */
static void read_file(struct tw_bytes bytes, bool is_long)
{
    struct tw_read_ahead *ahead = tw_read_ahead_new();
    struct tw_source_options options = { .threads = 2, .ahead = ahead };
    struct tw_source_error error = { 0, "" };
    int fd = memfd_create("capture", MFD_CLOEXEC);

    if (fd >= 0 && write(fd, bytes.data, bytes.len) == (ssize_t)bytes.len &&
        lseek(fd, 0, SEEK_SET) == 0 && (!is_long || ftruncate(fd, LONG_FILE) == 0))
        read_all(tw_source_open_fd(fd, &options, &error), &error);
    if (fd >= 0)
        close(fd);
    tw_read_ahead_free(ahead);
}

struct writer {
    struct tw_bytes bytes;
    int fd;
};

static void *write_slowly(void *user)
{
    const struct writer *writer = user;
    size_t half = writer->bytes.len / 2;
    struct tw_bytes parts[2] = { tw_bytes_first(writer->bytes, half),
                                 tw_bytes_from(writer->bytes, half) };

    for (int i = 0; i < 2; i++) {
        usleep(200); /* the reader is there first, and waits */
        if (write(writer->fd, parts[i].data, parts[i].len) != (ssize_t)parts[i].len)
            break; /* more than a pipe holds, and the reader has gone */
    }
    close(writer->fd);
    return NULL;
}

/* Network Monitor's frames are read by a table, netxray's from a place that the header names: where
 * only what comes next can be read, frames are others. */
static bool is_read_by_place(struct tw_bytes bytes)
{
    switch (tw_be32(bytes, 0)) {
    case 0x474d4255: /* "GMBU" */
    case 0x52545353: /* "RTSS" */
    case 0x58435000: /* "XCP" */
    case 0x564c0000: /* "VL" */
        return true;
    default:
        return false;
    }
}

/* A pipe whose reading end does not block holds the same frames. What is longer than a pipe holds
 * is no input for it. */
static void read_pipe(struct tw_bytes bytes, uint32_t frames)
{
    const struct tw_source_options options = { .threads = 2 };
    struct tw_source_error error = { 0, "" };
    struct writer writer = { bytes, -1 };
    uint32_t piped = 0;
    pthread_t thread;
    int ends[2];

    if (bytes.len > PIPE_BYTES || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    writer.fd = ends[1];
    if (pthread_create(&thread, NULL, write_slowly, &writer) == 0) {
        piped = read_all(tw_source_open_fd(ends[0], &options, &error), &error);
        pthread_join(thread, NULL);
        assert(piped == frames || is_read_by_place(bytes));
    }
    close(ends[0]);
}

/* Nothing can be read where nothing may be. */
static void read_refused(void)
{
    struct tw_source_error error = { 0, "" };
    int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    read_all(tw_source_open_fd(fd, &(struct tw_source_options) { 0 }, &error), &error);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t frames = read_memory(tw_bytes(data, size), NULL);

    if (size % 4 == 0)
        read_memory(tw_bytes(data, size), "tcp port 80 or vlan");
    if (size % 4 == 1)
        read_file(tw_bytes(data, size), size % 8 == 1);
    if (size % 8 == 3)
        read_pipe(tw_bytes(data, size), frames);
    if (size == 0)
        read_refused();
    return 0;
}

MUTATE_CAPTURE
