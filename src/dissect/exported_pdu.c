/* SPDX-License-Identifier: MIT */
/* Wireshark's exported PDUs (epan/exported_pdu.h): tags, one of which names the protocol that
 * follows. */
#include "dissect/layer.h"

#include <string.h>

#define TAG_HEADER 4
#define TAG_END    0
#define TAG_NAME   12 /* dissector name, zero-terminated */

static const struct {
    const char *name;
    uint32_t id;
} names[] = {
    { "ip", TW_INNER(TW_INNER_IP) }, { "ipv6", TW_INNER(TW_INNER_IP) }, { "eth", TW_LINK(1) },
    { "eth_maybefcs", TW_LINK(1) },  { "eth_withoutfcs", TW_LINK(1) },
};

static uint32_t find(struct tw_bytes b, uint32_t at, uint32_t len)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i].name);

        if (n <= len && tw_bytes_has(b, at, len) && memcmp(b.data + at, names[i].name, n) == 0 &&
            (n == len || b.data[at + n] == 0))
            return names[i].id;
    }
    return TW_INNER(TW_INNER_NOTHING);
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = 0, next = TW_INNER(TW_INNER_NOTHING);

    for (;;) {
        if (!tw_layer_has(at, header + TAG_HEADER, out))
            return false;

        uint16_t tag = tw_be16(at->bytes, header), len = tw_be16(at->bytes, header + 2);

        header += TAG_HEADER;
        if (tag == TAG_END)
            return tw_layer_next(at, header, next);
        if (tag == TAG_NAME)
            next = find(at->bytes, header, len);
        header += len;
    }
}

static const uint32_t keys[] = {
    TW_LINK(252), /* WIRESHARK_UPPER_PDU */
};

TW_PROTOCOL(exported_pdu, dissect, keys);
