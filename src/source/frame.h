/* SPDX-License-Identifier: MIT */
/* A frame: what a capture is made of. */
#ifndef TW_SOURCE_FRAME_H
#define TW_SOURCE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

/* Of frames in a link layer without a LINKTYPE_ number; no protocol has it. */
#define TW_NO_LINK_TYPE 0xffff

/* A captured frame. Its bytes are borrowed until the next tw_source_next(). */
struct tw_frame {
    uint32_t number;       /* from 1, as in Wireshark */
    uint32_t link_type;    /* LINKTYPE_ value, mapped as in libpcap */
    int64_t time_ns;       /* since the epoch, UTC; INT64_MIN: no timestamp */
    uint32_t original_len; /* length on the wire */
    struct tw_bytes bytes; /* captured bytes */
};

/*
 * A pcapng block, or a piece of one that is too long: pieces are in order, and the first begins the
 * block.
 */
struct tw_block {
    uint32_t type;
    bool big_endian;
    uint32_t number;       /* frame number of a packet block; else 0 */
    struct tw_bytes bytes; /* borrowed for the call */
};

/* A frame that the filter rejected, borrowed for the call. */
typedef void tw_rejected_fn(void *user, const struct tw_frame *frame);

typedef void tw_block_fn(void *user, const struct tw_block *block);

/* A decryption secrets block of pcapng: its secrets type, and the secrets, borrowed for the call.
 */
typedef void tw_secrets_fn(void *user, uint32_t type, struct tw_bytes secrets);

#endif
