/* SPDX-License-Identifier: MIT */
/*
 * Builds pcapng blocks in either byte order. Existing options are kept, and new ones appended.
 */
#ifndef TW_ANNOTATE_BLOCK_H
#define TW_ANNOTATE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "base/array.h"
#include "base/bytes.h"

struct tw_block_maker {
    tw_byte_array *bytes;
    bool big_endian;
};

/* Start a block, discarding the previous one. */
void tw_block_begin(struct tw_block_maker *maker, uint32_t type, bool big_endian);

/* Start from a complete block of a file, to append options. options: their offset. */
void tw_block_reopen(struct tw_block_maker *maker, struct tw_bytes block, bool big_endian,
                     size_t options);

void tw_block_u16(struct tw_block_maker *maker, uint16_t value);
void tw_block_u32(struct tw_block_maker *maker, uint32_t value);
void tw_block_bytes(struct tw_block_maker *maker, const void *bytes, size_t len); /* with padding */

/* An option; overlong values are truncated. */
void tw_block_option(struct tw_block_maker *maker, uint16_t code, const void *value, size_t len);

/* Finish options and block. @return its bytes, valid until the next one begins. */
struct tw_bytes tw_block_end(struct tw_block_maker *maker);

#endif
