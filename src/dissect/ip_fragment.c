/* SPDX-License-Identifier: MIT */
/* From an IP fragment of either version to the datagram that it may complete. */
#include "dissect/defrag.h"
#include "dissect/ip.h"

/* Any other fact means that the fragment is incomplete. */
#define WHOLE_FACTS (TW_SEG_TUNNEL)

static bool end(struct tw_dissection *out, uint8_t protocol)
{
    return tw_layer_end(out, protocol == TW_PROTO_TCP ? TW_FRAME_FRAGMENT : TW_FRAME_OTHER);
}

/* Is the fragment complete? One quoted in an ICMP error is not in transit. */
static bool is_usable(const struct tw_layer *at, const struct tw_segment *s)
{
    return at->bytes.len == at->len && (s->facts & ~WHOLE_FACTS) == 0;
}

bool tw_ip_fragment(struct tw_layer *at, uint32_t id, uint32_t offset, bool more, uint8_t protocol,
                    struct tw_dissection *out)
{
    const struct tw_tuple *tuple = &out->segment.tuple;
    struct tw_fragment fragment = { .id = id,
                                    .offset = offset,
                                    .vlan = at->vlan,
                                    .version = tuple->version,
                                    .protocol = protocol,
                                    .more = more,
                                    .bytes = at->bytes };

    if (!at->defrag || (out->segment.facts & TW_SEG_QUOTED))
        return end(out, protocol);
    if (!is_usable(at, &out->segment)) {
        if (protocol == TW_PROTO_TCP)
            tw_defrag_miss(at->defrag);
        return end(out, protocol);
    }
    memcpy(fragment.address, tuple->address, sizeof fragment.address);
    switch (tw_defrag_add(at->defrag, &fragment)) {
    case TW_DEFRAG_WHOLE:
        at->bytes = fragment.bytes;
        at->len = (uint32_t)fragment.bytes.len;
        at->id = TW_IP_PROTO(fragment.protocol);
        return true;
    case TW_DEFRAG_IMPOSSIBLE:
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    default:
        return end(out, protocol);
    }
}
