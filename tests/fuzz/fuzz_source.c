/* SPDX-License-Identifier: MIT */
/* The file readers and decoders: the input is a capture in memory, compressed or not. */
#include <assert.h>
#include <string.h>

#include "source/source.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

/* A small input may unpack to gigabytes of empty frames. */
#define FRAMES_MAX 20000

static void read_all(struct tw_bytes bytes, const char *filter)
{
    /* With a second one, what unpacks to much is unpacked ahead. */
    struct tw_source_options options = { .filter = filter, .threads = 2 };
    struct tw_source_error error = { 0, "" };
    struct tw_source *source = tw_source_open_memory(bytes, &options, &error);
    struct tw_frame frame;
    uint32_t last = 0;
    uint64_t sum = 0;
    size_t n;

    if (!source) {
        assert(error.code < 0 && error.text[0] != '\0');
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_all(tw_bytes(data, size), NULL);
    if (size % 4 == 0)
        read_all(tw_bytes(data, size), "tcp port 80 or vlan");
    return 0;
}

MUTATE_CAPTURE
