/* SPDX-License-Identifier: MIT */
/* Shared by the readers of pcapng blocks: the current section and its interfaces. */
#ifndef TW_SOURCE_PCAPNG_H
#define TW_SOURCE_PCAPNG_H

#include "base/array.h"
#include "base/text.h"
#include "source/internal.h"
#include "source/pcapng_block.h"
#include "source/pcapng_options.h"

struct tw_pcapng {
    bool big_endian;
    tw_array *interfaces;    /* struct tw_interface of this section */
    tw_string *section_text; /* texts of the last section */
};

/* Result of a block, besides 0 (end) and negative error codes. */
enum { TW_PCAPNG_FRAME = 1, TW_PCAPNG_PASSED_OVER = 2 };

/* Read a block's body. frame is used by packet blocks only. */
typedef int tw_pcapng_read_fn(struct tw_source *source, struct tw_bytes body,
                              struct tw_frame *frame);

tw_pcapng_read_fn tw_pcapng_read_section, tw_pcapng_read_interface, tw_pcapng_read_statistics;
tw_pcapng_read_fn tw_pcapng_read_secrets;
tw_pcapng_read_fn tw_pcapng_read_enhanced, tw_pcapng_read_simple, tw_pcapng_read_old;

/*
 * Drops are totals in statistics blocks and increments in packet blocks. The larger count is used,
 * not the sum.
 */
void tw_pcapng_note_drops(struct tw_source *source, struct tw_interface *interface, uint64_t total,
                          uint64_t between);

/* Record the fact if an option list overran its block. */
static inline void tw_pcapng_check_overrun(struct tw_source *source, const struct tw_option *option)
{
    if (option->overrun)
        tw_source_add_fact(source, TW_SOURCE_BAD_OPTION, 1);
}

static inline uint16_t tw_pcapng_half(const struct tw_pcapng *ng, struct tw_bytes b, size_t offset)
{
    return ng->big_endian ? tw_be16(b, offset) : tw_le16(b, offset);
}

static inline uint32_t tw_pcapng_word(const struct tw_pcapng *ng, struct tw_bytes b, size_t offset)
{
    return ng->big_endian ? tw_be32(b, offset) : tw_le32(b, offset);
}

/* An interface of this section, or NULL. */
static inline struct tw_interface *tw_pcapng_interface(const struct tw_pcapng *ng, uint32_t id)
{
    if (id >= ng->interfaces->len)
        return NULL;
    return &tw_array_index(ng->interfaces, struct tw_interface, id);
}

#endif
