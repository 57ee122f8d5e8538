/* SPDX-License-Identifier: MIT */
/* Walks from the link layer to TCP: one loop over the table of protocols. */
#include "dissect/dissect.h"

#include "dissect/layer.h"

/* Deeper than any real encapsulation; bounds hostile frames. */
#define MAX_LAYERS 64

/* Copied to each result: half the cost of clearing it field by field. */
static const struct tw_dissection nothing = { .kind = TW_FRAME_OTHER };

static const struct tw_protocol *find(uint32_t id)
{
    for (const struct tw_protocol *const *p = tw_protocols; *p != NULL; p++)
        for (size_t i = 0; i < (*p)->n_keys; i++)
            if ((*p)->keys[i] == id)
                return *p;
    return NULL;
}

static const struct tw_protocol *find_link(uint32_t link_type)
{
    return link_type <= UINT16_MAX ? find(TW_LINK(link_type)) : NULL;
}

bool tw_layer_known(uint32_t id)
{
    return find(id) != NULL;
}

enum tw_frame_kind tw_dissect(struct tw_defrag *defrag, uint32_t link_type, struct tw_bytes bytes,
                              uint32_t original_len, struct tw_dissection *out)
{
    struct tw_layer at = { .bytes = bytes,
                           .len = tw_wire_len(bytes, original_len),
                           .defrag = defrag };
    const struct tw_protocol *protocol = find_link(link_type);

    *out = nothing;
    if (protocol == NULL) {
        out->kind = TW_FRAME_UNSUPPORTED;
        return out->kind;
    }
    at.id = TW_LINK(link_type);
    for (int i = 0; i < MAX_LAYERS && protocol != NULL; i++) {
        if (!protocol->dissect(&at, out))
            break;
        protocol = find(at.id);
    }
    if (out->kind == TW_FRAME_TCP && link_type == TW_ETHERNET)
        tw_note_unpadded(&out->segment, original_len);
    return out->kind;
}
