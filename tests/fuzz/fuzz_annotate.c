/* SPDX-License-Identifier: MIT */
/* The input is a capture: what 'annotate' writes of it reads back as the same frames. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <glib.h>
#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "source/source.h"
#include "source/unpack.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

static bool keep(void *user, const char *bytes, size_t len)
{
    tw_byte_array_append(user, (const guint8 *)bytes, (guint)len);
    return true;
}

/* pcapng has no time before 1970; a frame without one has none in either. */
static bool same_time(const struct tw_frame *a, const struct tw_frame *b)
{
    return a->time_ns == b->time_ns || (a->time_ns < 0 && b->time_ns == 0);
}

/* pcapng has no number for what no pcap has: LINKTYPE_USER0. */
static bool same_link(const struct tw_frame *a, const struct tw_frame *b)
{
    return a->link_type == b->link_type || (a->link_type >= TW_NO_LINK_TYPE && b->link_type == 147);
}

static void compare(struct tw_source *before, struct tw_source *after)
{
    struct tw_frame a, b;

    while (tw_source_next(before, &a) > 0) {
        int more = tw_source_next(after, &b);

        assert(more == 1);
        assert(a.number == b.number && same_link(&a, &b));
        assert(a.original_len == b.original_len && a.bytes.len == b.bytes.len);
        assert(same_time(&a, &b));
        assert(a.bytes.len == 0 || memcmp(a.bytes.data, b.bytes.data, a.bytes.len) == 0);
    }
    assert(tw_source_next(after, &b) == 0);
}

static void check_whole(struct tw_bytes input, const tw_byte_array *output)
{
    struct tw_source_error error;
    struct tw_source *before = tw_source_open_memory(input, NULL, &error);
    struct tw_source *after =
        tw_source_open_memory(tw_bytes(output->data, output->len), NULL, &error);

    assert(before && after);
    compare(before, after);
    tw_source_close(before);
    tw_source_close(after);
}

static void annotate(const char *path, struct tw_bytes input, bool evidence)
{
    struct tcpwhy_annotate_options how = TCPWHY_ANNOTATE_INIT;
    tw_byte_array *output = tw_byte_array_new();
    struct tcpwhy_annotated done = TCPWHY_ANNOTATED_INIT;
    char error[TCPWHY_ERROR_TEXT];
    int status;

    how.evidence = evidence;
    how.waits = 3;
    how.around = 2;
    status = tcpwhy_annotate_file(path, NULL, &how, keep, output, &done, error, sizeof error);
    if (status == 0 && !evidence)
        check_whole(input, output);
    assert(status == 0 ? done.written <= done.frames : output->len == 0 && *error);
    tw_byte_array_free(output, TRUE);
}

/* As much as a pipe takes without a reader. */
static void annotate_pipe(struct tw_bytes input)
{
    char path[64];
    int end[2];

    if (pipe2(end, O_CLOEXEC | O_NONBLOCK) < 0)
        abort();
    if (write(end[1], input.data, input.len) < 0 && errno != EAGAIN)
        abort();
    close(end[1]);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", end[0]);
    annotate(path, input, true);
    close(end[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tw_bytes input = tw_bytes(data, size);
    char path[64];
    int fd;

    /* Decoders are fuzzed by another target. */
    if (tw_unpack_codec(input))
        return 0;
    fd = memfd_create("capture", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        return 0;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    annotate(path, input, false);
    close(fd);
    annotate_pipe(input);
    return 0;
}

MUTATE_CAPTURE
