/* SPDX-License-Identifier: MIT */
/* Framing of pcapng blocks, independent of their content. */
#include "annotate/block.h"

#include "base/array.h"
#include "source/pcapng_block.h"
#include "source/pcapng_options.h"

#define OPTION_END   0
#define OPTION_BYTES UINT16_MAX

static void put(struct tw_block_maker *maker, uint32_t value, unsigned n)
{
    uint8_t bytes[4];

    for (unsigned i = 0; i < n; i++)
        bytes[i] = (uint8_t)(value >> 8 * (maker->big_endian ? n - 1 - i : i));
    tw_byte_array_append(maker->bytes, bytes, n);
}

void tw_block_u16(struct tw_block_maker *maker, uint16_t value)
{
    put(maker, value, 2);
}

void tw_block_u32(struct tw_block_maker *maker, uint32_t value)
{
    put(maker, value, 4);
}

void tw_block_bytes(struct tw_block_maker *maker, const void *bytes, size_t len)
{
    static const uint8_t zeros[4];

    if (len > 0)
        tw_byte_array_append(maker->bytes, bytes, (guint)len);
    tw_byte_array_append(maker->bytes, zeros, -len & 3);
}

void tw_block_begin(struct tw_block_maker *maker, uint32_t type, bool big_endian)
{
    tw_byte_array_set_size(maker->bytes, 0);
    maker->big_endian = big_endian;
    put(maker, type, 4);
    put(maker, 0, 4); /* patched when the length is known */
}

/* End of an option list, before opt_endofopt or the first invalid option. */
static size_t options_end(struct tw_bytes list, bool big_endian)
{
    struct tw_option option = tw_options(list, big_endian);

    while (tw_option_next(&option)) {
    }
    return list.len - option.rest.len;
}

void tw_block_reopen(struct tw_block_maker *maker, struct tw_bytes block, bool big_endian,
                     size_t options)
{
    struct tw_bytes body = tw_bytes_first(block, block.len - TW_PCAPNG_BLOCK_TRAILER);
    struct tw_bytes list = tw_bytes_from(body, options);
    size_t kept = MIN(options, body.len) + options_end(list, big_endian);

    tw_byte_array_set_size(maker->bytes, 0);
    maker->big_endian = big_endian;
    tw_byte_array_append(maker->bytes, block.data, (guint)kept);
}

void tw_block_option(struct tw_block_maker *maker, uint16_t code, const void *value, size_t len)
{
    len = MIN(len, OPTION_BYTES);
    put(maker, code, 2);
    put(maker, (uint32_t)len, 2);
    tw_block_bytes(maker, value, len);
}

static void set_length(struct tw_block_maker *maker, uint32_t len)
{
    guint end = maker->bytes->len;

    put(maker, len, 4);
    for (guint i = 0; i < 4; i++)
        maker->bytes->data[4 + i] = maker->bytes->data[end + i];
}

struct tw_bytes tw_block_end(struct tw_block_maker *maker)
{
    put(maker, OPTION_END, 2);
    put(maker, 0, 2);
    set_length(maker, maker->bytes->len + TW_PCAPNG_BLOCK_TRAILER);
    return tw_bytes(maker->bytes->data, maker->bytes->len);
}
