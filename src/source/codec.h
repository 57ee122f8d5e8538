/* SPDX-License-Identifier: MIT */
/* Interface of a decompressor: one file, and one line in this folder's meson.build. */
#ifndef TW_SOURCE_CODEC_H
#define TW_SOURCE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* Memory limit of a decoder; xz -9 and zstd --ultra need less. */
#define TW_CODEC_MEMORY (256u << 20)

enum tw_codec_result {
    TW_CODEC_MORE,       /* input is empty, or the output is full */
    TW_CODEC_MEMBER_END, /* the rest of the input belongs to the next member */
    TW_CODEC_DAMAGED,
    TW_CODEC_TOO_LARGE, /* needs more than TW_CODEC_MEMORY */
    TW_CODEC_NO_MEMORY, /* out of memory */
};

/* Output buffer of a decoder. */
struct tw_room {
    uint8_t *at;
    size_t left;
};

static inline void tw_room_take(struct tw_room *room, size_t n)
{
    room->at += n;
    room->left -= n;
}

struct tw_codec {
    const char *name; /* display name: "gzip" */
    /* Does a member start like this? start may be short. */
    bool (*probe)(struct tw_bytes start);
    /* A decoder at the beginning of a member; NULL if out of memory. */
    void *(*open)(void);
    /* Decode; advances *in and *room. Makes progress unless one of them is empty. */
    enum tw_codec_result (*step)(void *decoder, struct tw_bytes *in, struct tw_room *room);
    /* Continue with the next member. @return false if out of memory. */
    bool (*restart)(void *decoder);
    void (*close)(void *decoder);
    bool unpadded; /* zeros between members mean something */
};

/* Codecs in this build, generated from the list in meson.build; NULL-terminated. */
extern const struct tw_codec *const tw_codecs[];

/* Not of a file as a whole, but of the records of a Sniffer file. */
extern const struct tw_codec tw_codec_sniffer;

#endif
