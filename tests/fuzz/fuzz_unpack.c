/* SPDX-License-Identifier: MIT */
/*
 * The decoders alone, behind no magic number: the first byte chooses one, the second how much of
 * its output is asked for at a time. What comes out of a whole input may not depend on that.
 */
#include <assert.h>
#include <stdlib.h>
#include <sys/types.h>

#include "source/unpack.h"
#include "tests/fuzz/input.h"

/* A small input may unpack to gigabytes. */
#define OUTPUT_MAX (256u << 10)

/* Result of one way of reading. */
struct result {
    uint64_t bytes, sum;
    enum tw_unpack_end end;
};

static const struct tw_codec *choose(uint8_t choice)
{
    size_t n = 0;

    while (tw_codecs[n])
        n++;
    return n > 0 ? tw_codecs[choice % n] : NULL;
}

static struct result unpack(const struct tw_codec *codec, struct tw_bytes packed, size_t step)
{
    struct result result = { 0 };
    struct tw_window window;
    struct tw_unpack *unpack;
    uint8_t *room = malloc(step);
    ssize_t got;

    if (!room)
        abort();
    tw_window_open_memory(&window, packed);
    unpack = tw_unpack_new(codec, &window);
    while (result.bytes < OUTPUT_MAX && (got = tw_unpack_read(unpack, room, step)) > 0) {
        assert((size_t)got <= step);
        result.bytes += (uint64_t)got;
        for (ssize_t i = 0; i < got; i++)
            result.sum = result.sum * 31 + room[i];
    }
    result.end = unpack->end;
    tw_unpack_free(unpack);
    free(room);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) };
    const struct tw_codec *codec = choose(input_u8(&in));
    size_t step = 1 + (size_t)input_u8(&in) * 129;
    struct result whole, parts;

    if (!codec)
        return 0;
    whole = unpack(codec, in.rest, OUTPUT_MAX);
    if (whole.bytes >= OUTPUT_MAX)
        return 0;
    parts = unpack(codec, in.rest, step);
    /* Damage holds back what was decoded in its turn, and zstd looks closer with much room. */
    if (whole.end == TW_UNPACK_COMPLETE && parts.end == TW_UNPACK_COMPLETE)
        assert(parts.bytes == whole.bytes && parts.sum == whole.sum);
    return 0;
}
