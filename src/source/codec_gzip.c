/* SPDX-License-Identifier: MIT */
/* gzip (RFC 1952) by zlib, which verifies the checksum of each member. */
#include <glib.h>
#include <zlib.h>

#include "base/memory.h"
#include "source/codec.h"

/* The largest deflate window, plus 16 for "gzip, not zlib". */
#define GZIP_WINDOW (15 + 16)

static bool probe(struct tw_bytes start)
{
    return tw_be16(start, 0) == 0x1f8b && tw_u8(start, 2) == Z_DEFLATED;
}

static void *open_gzip(void)
{
    z_stream *z = tw_new0(z_stream, 1);

    if (inflateInit2(z, GZIP_WINDOW) == Z_OK)
        return z;
    tw_free(z);
    return NULL;
}

static enum tw_codec_result step(void *decoder, struct tw_bytes *in, struct tw_room *room)
{
    z_stream *z = decoder;
    uInt given = (uInt)MIN(in->len, UINT_MAX), space = (uInt)MIN(room->left, UINT_MAX);
    int rc;

    z->next_in = (z_const Bytef *)(uintptr_t)in->data; /* not const in zlib before 1.2.5.2 */
    z->avail_in = given;
    z->next_out = room->at;
    z->avail_out = space;
    rc = inflate(z, Z_NO_FLUSH);
    *in = tw_bytes_from(*in, given - z->avail_in);
    tw_room_take(room, space - z->avail_out);
    if (rc == Z_STREAM_END)
        return TW_CODEC_MEMBER_END;
    if (rc == Z_MEM_ERROR)
        return TW_CODEC_NO_MEMORY;
    return rc == Z_OK || rc == Z_BUF_ERROR ? TW_CODEC_MORE : TW_CODEC_DAMAGED;
}

static bool restart(void *decoder)
{
    return inflateReset(decoder) == Z_OK;
}

static void close_gzip(void *decoder)
{
    inflateEnd(decoder);
    tw_free(decoder);
}

const struct tw_codec tw_codec_gzip = {
    .name = "gzip",
    .probe = probe,
    .open = open_gzip,
    .step = step,
    .restart = restart,
    .close = close_gzip,
};
