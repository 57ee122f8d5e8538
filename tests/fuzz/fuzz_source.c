/* SPDX-License-Identifier: MIT */
/* The file readers and decoders: the input is a capture in memory, compressed or not. */
#include <assert.h>
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

static void read_all(struct tw_source *source, const struct tw_source_error *error)
{
    struct tw_frame frame;
    uint32_t last = 0;
    uint64_t sum = 0;
    size_t n;

    if (!source) {
        assert(error->code < 0 && error->text[0] != '\0');
        return;
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
}

/* With a second thread, what unpacks to much is unpacked ahead. */
static void read_memory(struct tw_bytes bytes, const char *filter)
{
    struct tw_source_options options = { .filter = filter, .threads = 2 };
    struct tw_source_error error = { 0, "" };

    read_all(tw_source_open_memory(bytes, &options, &error), &error);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_memory(tw_bytes(data, size), NULL);
    if (size % 4 == 0)
        read_memory(tw_bytes(data, size), "tcp port 80 or vlan");
    if (size % 4 == 1)
        read_file(tw_bytes(data, size), size % 8 == 1);
    return 0;
}

MUTATE_CAPTURE
