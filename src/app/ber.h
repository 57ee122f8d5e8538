/* SPDX-License-Identifier: MIT */
/* Bounded reader for elements of BER with a definite length (X.690, 8.1). */
#ifndef TW_APP_BER_H
#define TW_APP_BER_H

#include "base/bytes.h"

struct tw_ber {
    uint8_t tag;
    uint32_t len;            /* of the content, as declared */
    uint32_t header;         /* bytes before the content */
    struct tw_bytes content; /* as much of it as there is */
};

/* @return 1 with *out, 0 if the bytes are too few for its header, -1 if they are no such element
 * (long tags, indefinite lengths, more than 2^31 bytes). */
static inline int tw_ber_read(struct tw_bytes b, struct tw_ber *out)
{
    const uint8_t first = tw_u8(b, 1), n = first & 0x80 ? first & 0x7f : 0;

    if ((b.len > 0 && (b.data[0] & 0x1f) == 0x1f) || (b.len > 1 && (first == 0x80 || n > 4)))
        return -1;
    if (!tw_bytes_has(b, 0, 2u + n))
        return 0;
    out->tag = b.data[0];
    out->len = n ? 0 : first;
    for (uint8_t i = 0; i < n; i++)
        out->len = out->len << 8 | b.data[2 + i];
    if (out->len > INT32_MAX)
        return -1;
    out->header = 2u + n;
    out->content = tw_bytes_first(tw_bytes_from(b, out->header), out->len);
    return 1;
}

/* Take the next element off. @return false if its header is not there. */
static inline bool tw_ber_take(struct tw_bytes *rest, struct tw_ber *out)
{
    if (tw_ber_read(*rest, out) != 1)
        return false;
    *rest = tw_bytes_from(*rest, (size_t)out->header + out->len);
    return true;
}

#endif
