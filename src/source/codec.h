/* SPDX-License-Identifier: MIT */
/* The shape of a compression: one file, and one line in this folder's meson.build. */
#ifndef TW_SOURCE_CODEC_H
#define TW_SOURCE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* What a decoder may keep of what it wrote. xz -9 and zstd --ultra ask for less. */
#define TW_CODEC_MEMORY (256u << 20)

enum tw_codec_result {
    TW_CODEC_MORE,       /* in is used up, or room is full */
    TW_CODEC_MEMBER_END, /* the rest of in belongs to the next member */
    TW_CODEC_DAMAGED,
    TW_CODEC_TOO_LARGE, /* it would need more than TW_CODEC_MEMORY */
    TW_CODEC_NO_MEMORY, /* the system has none left */
};

/* Where a decoder writes. */
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
    const char *name; /* as people call it: "gzip" */
    /* Does a member begin so? start may be short. */
    bool (*probe)(struct tw_bytes start);
    /* A decoder at the beginning of a member; NULL when there is no memory for it. */
    void *(*open)(void);
    /* Decode; *in and *room move on. Progress is made unless one of them is empty. */
    enum tw_codec_result (*step)(void *decoder, struct tw_bytes *in, struct tw_room *room);
    /* Stand at the beginning of the next member. @return false when there is no memory. */
    bool (*restart)(void *decoder);
    void (*close)(void *decoder);
};

/* Those that were built in, generated from the list in meson.build; NULL ends it. */
extern const struct tw_codec *const tw_codecs[];

#endif
