/* SPDX-License-Identifier: MIT */
/*
 * Feeds a decoder member by member; gzip, zstd, lz4 and xz allow concatenation. Data after the last
 * member is ignored.
 */
#include "source/unpack.h"

#include <errno.h>

#include <glib.h>

#include "base/memory.h"
#include "source/unpack_ahead.h"

/* Below this size a second thread does not pay off. */
#define ALONE_BYTES (1024 * 1024)

/* Bytes decoded per step. Output of a step in which the decoder fails is lost. */
#define TURN_BYTES (32 * 1024)

/* Bytes needed to recognise a member. */
#define MAGIC_BYTES 8

const struct tw_codec *tw_unpack_codec(struct tw_bytes start)
{
    for (const struct tw_codec *const *codec = tw_codecs; *codec; codec++)
        if ((*codec)->probe(start))
            return *codec;
    return NULL;
}

static void close_decoder(void *user)
{
    const struct tw_unpack *unpack = user;

    if (unpack->decoder)
        unpack->codec->close(unpack->decoder);
}

struct tw_unpack *tw_unpack_new(const struct tw_codec *codec, const struct tw_window *packed)
{
    struct tw_unpack *unpack = tw_new(struct tw_unpack, 1);

    *unpack = (struct tw_unpack) { .packed = *packed, .codec = codec, .decoder = codec->open() };
    tw_undo_add(&unpack->undo, close_decoder, unpack);
    unpack->begun = unpack->decoder != NULL;
    if (!unpack->begun)
        unpack->end = TW_UNPACK_NO_MEMORY;
    return unpack;
}

void tw_unpack_free(struct tw_unpack *unpack)
{
    if (!unpack)
        return;
    tw_unpack_ahead_free(unpack->ahead);
    tw_undo_remove(&unpack->undo);
    close_decoder(unpack);
    tw_window_close(&unpack->packed);
    tw_free(unpack);
}

/* Padding of tapes and of xz. */
static void skip_zeros(struct tw_window *packed)
{
    struct tw_bytes b = tw_window_need(packed, 1);

    while (b.len > 0 && tw_u8(b, 0) == 0) {
        size_t n = 1;

        while (n < b.len && tw_u8(b, n) == 0)
            n++;
        tw_window_take(packed, n);
        b = tw_window_need(packed, 1);
    }
}

/* Between members: is there another one? */
static bool begin_member(struct tw_unpack *unpack)
{
    if (!unpack->codec->unpadded)
        skip_zeros(&unpack->packed);
    if (!unpack->codec->probe(tw_window_need(&unpack->packed, MAGIC_BYTES))) {
        unpack->end = TW_UNPACK_COMPLETE;
        return false;
    }
    unpack->begun = unpack->codec->restart(unpack->decoder);
    if (!unpack->begun)
        unpack->end = TW_UNPACK_NO_MEMORY;
    return unpack->begun;
}

static void take_result(struct tw_unpack *unpack, enum tw_codec_result result)
{
    switch (result) {
    case TW_CODEC_MORE:
        break;
    case TW_CODEC_MEMBER_END:
        unpack->begun = false;
        break;
    case TW_CODEC_DAMAGED:
        unpack->end = TW_UNPACK_DAMAGED;
        break;
    case TW_CODEC_TOO_LARGE:
        unpack->end = TW_UNPACK_TOO_LARGE;
        break;
    case TW_CODEC_NO_MEMORY:
        unpack->end = TW_UNPACK_NO_MEMORY;
        break;
    }
}

/* One step of the decoder, also without input, as it may have buffered output. */
static void turn(struct tw_unpack *unpack, struct tw_room *room)
{
    struct tw_bytes in = tw_window_need(&unpack->packed, 1);
    struct tw_room part = { room->at, MIN(room->left, TURN_BYTES) };
    size_t given = in.len;
    enum tw_codec_result result = unpack->codec->step(unpack->decoder, &in, &part);
    size_t written = (size_t)(part.at - room->at);

    tw_window_take(&unpack->packed, given - in.len);
    tw_room_take(room, written);
    take_result(unpack, result);
    if (result == TW_CODEC_MORE && in.len == given && written == 0)
        unpack->end = given == 0 ? TW_UNPACK_CUT_SHORT : TW_UNPACK_DAMAGED;
}

/* Bound n by what is left of the most. */
static size_t wanted(struct tw_unpack *unpack, size_t n)
{
    uint64_t left = unpack->most - MIN(unpack->given, unpack->most);

    if (unpack->most == 0 || unpack->end != TW_UNPACK_GOES_ON)
        return n;
    if (left == 0)
        unpack->end = TW_UNPACK_ENOUGH;
    return (size_t)MIN(n, left);
}

static ssize_t read_now(struct tw_unpack *unpack, uint8_t *to, size_t n)
{
    struct tw_room room;

    n = wanted(unpack, n);
    room = (struct tw_room) { to, n };
    while (room.left == n && unpack->end == TW_UNPACK_GOES_ON)
        if (unpack->begun || begin_member(unpack))
            turn(unpack, &room);
    unpack->given += n - room.left;
    if (room.left == n && unpack->packed.error != 0) {
        errno = unpack->packed.error;
        return -1;
    }
    return (ssize_t)(n - room.left);
}

static uint64_t taken_now(const struct tw_unpack *unpack)
{
    return tw_window_taken(&unpack->packed);
}

/* The thread that works ahead. */
static const struct tw_feed alone = { .read = read_now, .taken = taken_now };

ssize_t tw_unpack_read(struct tw_unpack *unpack, uint8_t *to, size_t n)
{
    ssize_t got;

    if (unpack->may_hire && unpack->unpacked > ALONE_BYTES) {
        unpack->ahead = tw_unpack_ahead_new(&alone, unpack);
        unpack->may_hire = false;
    }
    if (unpack->ahead)
        return tw_unpack_ahead_read(unpack->ahead, to, n);
    got = read_now(unpack, to, n);
    unpack->unpacked += (uint64_t)MAX(got, 0);
    return got;
}

uint64_t tw_unpack_taken(const struct tw_unpack *unpack)
{
    return unpack->ahead ? tw_unpack_ahead_taken(unpack->ahead) : taken_now(unpack);
}

static const struct tw_window *below(const struct tw_unpack *unpack)
{
    return &unpack->packed;
}

void tw_unpack_window(struct tw_window *window, const struct tw_codec *codec)
{
    static const struct tw_feed feed = {
        .read = tw_unpack_read,
        .taken = tw_unpack_taken,
        .below = below,
        .free = tw_unpack_free,
    };

    tw_window_feed(window, &feed, tw_unpack_new(codec, window));
}
