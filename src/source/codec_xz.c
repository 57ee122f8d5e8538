/* SPDX-License-Identifier: MIT */
/* The .xz format by liblzma: streams, with optional zero padding between them. */
#include <glib.h>
#include <lzma.h>
#include <string.h>

#include "base/memory.h"
#include "source/codec.h"

static bool probe(struct tw_bytes start)
{
    return start.len >= 6 && memcmp(start.data,
                                    "\xfd"
                                    "7zXZ",
                                    6) == 0;
}

static bool restart(void *decoder)
{
    return lzma_stream_decoder(decoder, TW_CODEC_MEMORY, 0) == LZMA_OK;
}

static void close_xz(void *decoder)
{
    lzma_end(decoder);
    tw_free(decoder);
}

static void *open_xz(void)
{
    lzma_stream *z = tw_new(lzma_stream, 1);

    *z = (lzma_stream)LZMA_STREAM_INIT;
    if (restart(z))
        return z;
    close_xz(z);
    return NULL;
}

static enum tw_codec_result step(void *decoder, struct tw_bytes *in, struct tw_room *room)
{
    lzma_stream *z = decoder;
    lzma_ret rc;

    z->next_in = in->data;
    z->avail_in = in->len;
    z->next_out = room->at;
    z->avail_out = room->left;
    rc = lzma_code(z, LZMA_RUN);
    *in = tw_bytes_from(*in, in->len - z->avail_in);
    tw_room_take(room, room->left - z->avail_out);
    switch (rc) {
    case LZMA_STREAM_END:
        return TW_CODEC_MEMBER_END;
    case LZMA_OK:
    case LZMA_BUF_ERROR:
        return TW_CODEC_MORE;
    case LZMA_MEMLIMIT_ERROR:
        return TW_CODEC_TOO_LARGE;
    case LZMA_MEM_ERROR:
        return TW_CODEC_NO_MEMORY;
    default:
        return TW_CODEC_DAMAGED;
    }
}

const struct tw_codec tw_codec_xz = {
    .name = "xz",
    .probe = probe,
    .open = open_xz,
    .step = step,
    .restart = restart,
    .close = close_xz,
};
