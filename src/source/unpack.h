/* SPDX-License-Identifier: MIT */
/*
 * Compressed input as it comes out of its decoder. Memory is bounded: what is packed is read
 * through a window of its own, what comes out goes straight into the reader's.
 */
#ifndef TW_SOURCE_UNPACK_H
#define TW_SOURCE_UNPACK_H

#include <sys/types.h>

#include "source/codec.h"
#include "source/window.h"

enum tw_unpack_end {
    TW_UNPACK_GOES_ON,
    TW_UNPACK_COMPLETE,
    TW_UNPACK_CUT_SHORT, /* the input ended inside a member */
    TW_UNPACK_DAMAGED,
    TW_UNPACK_TOO_LARGE, /* a member wants a larger decoder than we grant */
    TW_UNPACK_NO_MEMORY, /* or one than the system has left */
};

struct tw_unpack {
    struct tw_window packed;
    const struct tw_codec *codec;
    void *decoder; /* NULL: there was no memory for one */
    bool begun;    /* the current member */
    enum tw_unpack_end end;
    struct tw_unpack_ahead *ahead; /* the thread whose all above is until it ends, or NULL */
    bool may_hire;                 /* such a thread, when there is much to unpack */
    uint64_t unpacked;             /* bytes so far, without it */
};

/* The compression that begins so, or NULL. */
const struct tw_codec *tw_unpack_codec(struct tw_bytes start);

/* Takes packed over: its bytes, and its descriptor. */
struct tw_unpack *tw_unpack_new(const struct tw_codec *codec, const struct tw_window *packed);
void tw_unpack_free(struct tw_unpack *unpack);

/* As read(): bytes written to to, 0 at the end (unpack->end says which), -1 with errno set. */
ssize_t tw_unpack_read(struct tw_unpack *unpack, uint8_t *to, size_t n);

/* The same by the thread that calls. */
ssize_t tw_unpack_now(struct tw_unpack *unpack, uint8_t *to, size_t n);

/* As tw_window_taken(), of the file that is unpacked. */
uint64_t tw_unpack_taken(const struct tw_unpack *unpack);

#endif
