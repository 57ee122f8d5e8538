/* SPDX-License-Identifier: MIT */
/* Zstandard (RFC 8878) by libzstd: frames and skippable frames. */
#include <zstd.h>
#include <zstd_errors.h>

#include "source/codec.h"

/* log2 of the largest window: half of TW_CODEC_MEMORY, zstd's own limit without --long. */
#define WINDOW_LOG 27

#define FRAME      0xfd2fb528u
#define SKIPPABLE  0x184d2a50u /* pzstd starts with one */
#define SKIPS_MASK 0xfffffff0u

static bool probe(struct tw_bytes start)
{
    uint32_t magic = tw_le32(start, 0);

    return magic == FRAME || (magic & SKIPS_MASK) == SKIPPABLE;
}

static void *open_zstd(void)
{
    ZSTD_DCtx *z = ZSTD_createDCtx();

    if (z)
        ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, WINDOW_LOG);
    return z;
}

static enum tw_codec_result step(void *decoder, struct tw_bytes *in, struct tw_room *room)
{
    ZSTD_inBuffer from = { in->data, in->len, 0 };
    ZSTD_outBuffer to = { room->at, room->left, 0 };
    size_t rc = ZSTD_decompressStream(decoder, &to, &from);

    *in = tw_bytes_from(*in, from.pos);
    tw_room_take(room, to.pos);
    if (ZSTD_isError(rc)) {
        ZSTD_ErrorCode why = ZSTD_getErrorCode(rc);

        if (why == ZSTD_error_memory_allocation)
            return TW_CODEC_NO_MEMORY;
        return why == ZSTD_error_frameParameter_windowTooLarge ? TW_CODEC_TOO_LARGE
                                                               : TW_CODEC_DAMAGED;
    }
    return rc == 0 ? TW_CODEC_MEMBER_END : TW_CODEC_MORE;
}

static bool restart(void *decoder)
{
    return !ZSTD_isError(ZSTD_DCtx_reset(decoder, ZSTD_reset_session_only));
}

static void close_zstd(void *decoder)
{
    ZSTD_freeDCtx(decoder);
}

const struct tw_codec tw_codec_zstd = {
    .name = "zstd",
    .probe = probe,
    .open = open_zstd,
    .step = step,
    .restart = restart,
    .close = close_zstd,
};
