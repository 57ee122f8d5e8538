/* SPDX-License-Identifier: MIT */
/*
 * pcapng blocks in the making, in either byte order. Options that are there stay as they are; what
 * is added stands behind them.
 */
#ifndef TW_ANNOTATE_BLOCK_H
#define TW_ANNOTATE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "base/bytes.h"

struct tw_block_maker {
    GByteArray *bytes;
    bool big_endian;
};

/* Start a block; what was made before is dropped. */
void tw_block_begin(struct tw_block_maker *maker, uint32_t type, bool big_endian);

/* Start from a whole block of a file: its options are open for more. options: where they begin. */
void tw_block_reopen(struct tw_block_maker *maker, struct tw_bytes block, bool big_endian,
                     size_t options);

void tw_block_u16(struct tw_block_maker *maker, uint16_t value);
void tw_block_u32(struct tw_block_maker *maker, uint32_t value);
void tw_block_bytes(struct tw_block_maker *maker, const void *bytes, size_t len); /* and padding */

/* An option; what is longer than one can be is cut. */
void tw_block_option(struct tw_block_maker *maker, uint16_t code, const void *value, size_t len);

/* Close the options and the block. @return its bytes, until the next one begins. */
struct tw_bytes tw_block_end(struct tw_block_maker *maker);

#endif
