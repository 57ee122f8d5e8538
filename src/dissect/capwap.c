/* SPDX-License-Identifier: MIT */
/* CAPWAP data channel (RFC 5415, 4.3) between access points and their controller. */
#include "dissect/layer.h"

#define LEAST 8

/* The first four bytes. */
#define PREAMBLE(word)   ((word) >> 24) /* version and type: 0 is unencrypted */
#define HEADER_LEN(word) (((word) >> 19 & 0x1f) * 4)
#define BINDING(word)    ((word) >> 9 & 0x1f)
#define NATIVE           0x100u /* native frame of the binding, else IEEE 802.3 */
#define FRAGMENT         0x080u
#define KEEP_ALIVE       0x008u

#define IEEE80211 1

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t word = tw_be32(at->bytes, 0), header = HEADER_LEN(word);

    if (!tw_layer_has(at, LEAST, out))
        return false;
    if (PREAMBLE(word) != 0 || word & (FRAGMENT | KEEP_ALIVE))
        return false;
    if (header < LEAST)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    if (!tw_layer_has(at, header, out))
        return false;
    if (!(word & NATIVE))
        return tw_layer_next(at, header, TW_LINK(1));
    if (BINDING(word) != IEEE80211)
        return false;
    return tw_layer_next(at, header, TW_INNER(TW_INNER_WLAN_CAPWAP));
}

static const uint32_t keys[] = {
    TW_UDP_PORT(5247),
};

TW_PROTOCOL(capwap, dissect, keys);
