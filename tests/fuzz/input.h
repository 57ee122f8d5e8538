/* SPDX-License-Identifier: MIT */
/* A fuzzer's bytes taken one field after the other; behind the end all is 0. */
#ifndef TW_TESTS_FUZZ_INPUT_H
#define TW_TESTS_FUZZ_INPUT_H

#include "base/bytes.h"

struct input {
    struct tw_bytes rest;
};

static inline struct tw_bytes input_bytes(struct input *in, size_t n)
{
    struct tw_bytes taken = tw_bytes_first(in->rest, n);

    in->rest = tw_bytes_from(in->rest, n);
    return taken;
}

static inline uint8_t input_u8(struct input *in)
{
    return tw_u8(input_bytes(in, 1), 0);
}

static inline uint16_t input_u16(struct input *in)
{
    return tw_be16(input_bytes(in, 2), 0);
}

static inline uint32_t input_u32(struct input *in)
{
    return tw_be32(input_bytes(in, 4), 0);
}

static inline uint64_t input_u64(struct input *in)
{
    return tw_be64(input_bytes(in, 8), 0);
}

/* Called by libFuzzer, and by replay.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
