/* SPDX-License-Identifier: MIT */
/* OpenBSD packet filter log: a header with its length, padded to words. */
#include "dissect/layer.h"

#define LEAST 4

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header;

    if (!tw_layer_has(at, LEAST, out))
        return false;
    header = (tw_u8(at->bytes, 0) + 3u) & ~3u;
    if (header < LEAST)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    return tw_layer_has(at, header + 1, out) && tw_layer_next(at, header, TW_INNER(TW_INNER_IP));
}

static const uint32_t keys[] = {
    TW_LINK(117), /* PFLOG */
};

TW_PROTOCOL(pflog, dissect, keys);
