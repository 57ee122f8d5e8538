/* SPDX-License-Identifier: MIT */
/* Netlink messages of an nlmon device; only netfilter's log contains packets. */
#include "dissect/layer.h"

#define COOKED         16 /* Linux's cooked header: hardware type, netlink family ... */
#define MESSAGE        16 /* length, type, flags, sequence, port, in host byte order */
#define FAMILY_AT      14
#define NETFILTER      12
#define NFLOG_PACKET   0x0400 /* subsystem 4, message 0 */
#define LONGEST_LENGTH 0x00ffffff

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t len;
    bool big;

    if (!tw_layer_has(at, COOKED + MESSAGE, out))
        return false;
    if (tw_be16(at->bytes, FAMILY_AT) != NETFILTER)
        return tw_layer_end(out, TW_FRAME_OTHER);
    /* Messages are short: in the wrong byte order the length is huge. */
    big = tw_le32(at->bytes, COOKED) > LONGEST_LENGTH;
    len = big ? tw_be32(at->bytes, COOKED) : tw_le32(at->bytes, COOKED);
    if ((big ? tw_be16(at->bytes, COOKED + 4) : tw_le16(at->bytes, COOKED + 4)) != NFLOG_PACKET)
        return tw_layer_end(out, TW_FRAME_OTHER);
    if (len < MESSAGE)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    tw_layer_next(at, COOKED + MESSAGE, TW_LINK(239));
    tw_layer_clip(at, len - MESSAGE);
    return true;
}

static const uint32_t keys[] = {
    TW_LINK(253), /* NETLINK */
};

TW_PROTOCOL(netlink, dissect, keys);
