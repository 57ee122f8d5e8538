/* SPDX-License-Identifier: MIT */
/*
 * Decompressed input in bounded memory: packed data is read through its own window, output goes
 * straight into the reader's.
 */
#ifndef TW_SOURCE_UNPACK_H
#define TW_SOURCE_UNPACK_H

#include <sys/types.h>

#include "base/memory.h"
#include "source/codec.h"
#include "source/window.h"

enum tw_unpack_end {
    TW_UNPACK_GOES_ON,
    TW_UNPACK_COMPLETE,
    TW_UNPACK_CUT_SHORT, /* the input ended within a member */
    TW_UNPACK_DAMAGED,
    TW_UNPACK_TOO_LARGE, /* a member needs more than the decoder limit */
    TW_UNPACK_NO_MEMORY, /* out of memory */
    TW_UNPACK_ENOUGH,    /* as many bytes as were wanted */
};

struct tw_unpack {
    struct tw_window packed;
    const struct tw_codec *codec;
    void *decoder; /* NULL: out of memory */
    struct tw_undo undo;
    bool begun; /* within the current member */
    enum tw_unpack_end end;
    struct tw_unpack_ahead *ahead; /* thread that owns all of the above until it ends, or NULL */
    bool may_hire;                 /* such a thread may be started */
    uint64_t unpacked;             /* bytes so far, without the thread */
    uint64_t given, most;          /* bytes so far, and the most that are wanted; 0: all */
};

/* The compression with this signature, or NULL. */
const struct tw_codec *tw_unpack_codec(struct tw_bytes start);

/* Takes ownership of the packed window: its bytes, and its descriptor. */
struct tw_unpack *tw_unpack_new(const struct tw_codec *codec, const struct tw_window *packed);
void tw_unpack_free(struct tw_unpack *unpack);

/* Like read(): bytes written, 0 at the end (reason in unpack->end), -1 with errno set. */
ssize_t tw_unpack_read(struct tw_unpack *unpack, uint8_t *to, size_t n);

/* Let the window, which this takes, read what its bytes unpack to. */
void tw_unpack_window(struct tw_window *window, const struct tw_codec *codec);

/* Like tw_window_taken(), for the compressed file. */
uint64_t tw_unpack_taken(const struct tw_unpack *unpack);

#endif
