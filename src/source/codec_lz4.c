/* SPDX-License-Identifier: MIT */
/* LZ4 frames by liblz4. The legacy format without a frame header is not supported. */
#include <lz4frame.h>
#include <string.h>

#include "source/codec.h"

#define FRAME 0x184d2204u

static bool probe(struct tw_bytes start)
{
    return tw_le32(start, 0) == FRAME;
}

static void *open_lz4(void)
{
    LZ4F_dctx *z = NULL;

    return LZ4F_isError(LZ4F_createDecompressionContext(&z, LZ4F_VERSION)) ? NULL : z;
}

static enum tw_codec_result step(void *decoder, struct tw_bytes *in, struct tw_room *room)
{
    size_t taken = in->len, written = room->left;
    size_t rc = LZ4F_decompress(decoder, room->at, &written, in->data, &taken, NULL);

    if (LZ4F_isError(rc))
        return strcmp(LZ4F_getErrorName(rc), "ERROR_allocation_failed") == 0 ? TW_CODEC_NO_MEMORY
                                                                             : TW_CODEC_DAMAGED;
    *in = tw_bytes_from(*in, taken);
    tw_room_take(room, written);
    return rc == 0 ? TW_CODEC_MEMBER_END : TW_CODEC_MORE;
}

static bool restart(void *decoder)
{
    LZ4F_resetDecompressionContext(decoder);
    return true;
}

static void close_lz4(void *decoder)
{
    LZ4F_freeDecompressionContext(decoder);
}

const struct tw_codec tw_codec_lz4 = {
    .name = "lz4",
    .probe = probe,
    .open = open_lz4,
    .step = step,
    .restart = restart,
    .close = close_lz4,
};
