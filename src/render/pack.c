/* SPDX-License-Identifier: MIT */
/*
 * Small differences are small numbers, and small numbers are one byte.
 */
#include "render/pack.h"

void tw_pack_uint(GByteArray *pack, uint64_t value)
{
    do {
        guint8 byte = (guint8)((value & 0x7F) | (value > 0x7F ? 0x80 : 0));

        g_byte_array_append(pack, &byte, 1);
        value >>= 7;
    } while (value > 0);
}

void tw_pack_int(GByteArray *pack, int64_t value)
{
    uint64_t twice = (uint64_t)value << 1;

    tw_pack_uint(pack, value < 0 ? ~twice : twice);
}

void tw_pack_json(struct tw_json *json, const char *key, const GByteArray *pack)
{
    char *text = g_base64_encode(pack->data, pack->len);

    tw_json_string(json, key, text);
    g_free(text);
}
