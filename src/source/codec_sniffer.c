/* SPDX-License-Identifier: MIT */
/*
 * The compression of Sniffer files: blocks of up to 64 KiB, each preceded by its length and
 * independent of the others. Runs and repeated strings are told from plain bytes by 16 flags ahead
 * of every 16 items.
 */
#include <string.h>

#include <glib.h>

#include "base/memory.h"
#include "source/codec.h"

#define LENGTH    2
#define BLOCK_MAX 65536u

struct decoder {
    size_t packed_len; /* of in, with the length field */
    size_t from, to;   /* what is left in out */
    uint8_t in[LENGTH + BLOCK_MAX];
    uint8_t out[BLOCK_MAX];
};

static bool probe(struct tw_bytes start)
{
    return start.len >= LENGTH;
}

static void *open_sniffer(void)
{
    return tw_new0(struct decoder, 1);
}

/* A run of one byte. */
static bool put_run(struct decoder *d, uint8_t byte, size_t n)
{
    if (n > BLOCK_MAX - d->to)
        return false;
    memset(d->out + d->to, byte, n);
    d->to += n;
    return true;
}

/* A string that was written before, and ends before here. */
static bool put_again(struct decoder *d, size_t distance, size_t n)
{
    if (distance > d->to || n > distance || n > BLOCK_MAX - d->to)
        return false;
    memcpy(d->out + d->to, d->out + d->to - distance, n);
    d->to += n;
    return true;
}

/* An item with its flag set; its first four bits are its kind. @return its length, 0: damaged. */
static size_t put_coded(struct decoder *d, struct tw_bytes in)
{
    unsigned kind = tw_u8(in, 0) >> 4, low = tw_u8(in, 0) & 0x0f;
    size_t high = (size_t)tw_u8(in, 1) << 4;
    size_t len = kind == 1 || kind == 2 ? 3 : 2;
    bool good;

    if (!tw_bytes_has(in, 0, len))
        return 0;
    switch (kind) {
    case 0:
        good = put_run(d, tw_u8(in, 1), low + 3);
        break;
    case 1:
        good = put_run(d, tw_u8(in, 2), low + high + 19);
        break;
    case 2:
        good = put_again(d, low + high + 3, tw_u8(in, 2) + (size_t)16);
        break;
    default:
        good = put_again(d, low + high + 3, kind);
        break;
    }
    return good ? len : 0;
}

static bool unpack(struct decoder *d, struct tw_bytes in)
{
    uint16_t flags = 0, flag = 0;

    while (in.len > 0) {
        size_t len = 1;

        flag >>= 1;
        if (flag == 0) {
            flags = tw_le16(in, 0);
            flag = 0x8000;
            in = tw_bytes_from(in, 2);
            if (in.len == 0)
                return false;
        }
        if (flags & flag)
            len = put_coded(d, in);
        else if (!put_run(d, tw_u8(in, 0), 1))
            len = 0;
        if (len == 0)
            return false;
        in = tw_bytes_from(in, len);
    }
    return true;
}

/* Length of the block, whose sign says that it is not compressed. */
static size_t block_len(const struct decoder *d, bool *plain)
{
    int16_t told = (int16_t)tw_le16(tw_bytes(d->in, LENGTH), 0);

    *plain = told < 0;
    return (size_t)(told < 0 ? -told : told);
}

/* Move bytes to in, up to n of them. @return whether they are complete */
static bool gather(struct decoder *d, struct tw_bytes *in, size_t n)
{
    size_t want = MIN(n - MIN(n, d->packed_len), in->len);

    memcpy(d->in + d->packed_len, in->data, want);
    d->packed_len += want;
    *in = tw_bytes_from(*in, want);
    return d->packed_len >= n;
}

static enum tw_codec_result give(struct decoder *d, struct tw_room *room)
{
    size_t n = MIN(d->to - d->from, room->left);

    memcpy(room->at, d->out + d->from, n);
    tw_room_take(room, n);
    d->from += n;
    return d->from == d->to ? TW_CODEC_MEMBER_END : TW_CODEC_MORE;
}

static enum tw_codec_result step(void *decoder, struct tw_bytes *in, struct tw_room *room)
{
    struct decoder *d = decoder;
    struct tw_bytes body;
    bool plain;

    if (d->to > 0)
        return give(d, room);
    if (in->len == 0 || !gather(d, in, LENGTH) || !gather(d, in, LENGTH + block_len(d, &plain)))
        return TW_CODEC_MORE;
    body = tw_bytes(d->in + LENGTH, block_len(d, &plain));
    if (plain) {
        memcpy(d->out, body.data, body.len);
        d->to = body.len;
    } else if (!unpack(d, body)) {
        return TW_CODEC_DAMAGED;
    }
    return give(d, room);
}

static bool restart(void *decoder)
{
    struct decoder *d = decoder;

    d->packed_len = d->from = d->to = 0;
    return true;
}

const struct tw_codec tw_codec_sniffer = {
    .name = "Sniffer",
    .probe = probe,
    .open = open_sniffer,
    .step = step,
    .restart = restart,
    .close = tw_free,
    .unpadded = true,
};
