/* SPDX-License-Identifier: MIT */
/*
 * Numbers in few bytes for a page's script: each in as many 7-bit groups as it needs, lowest first,
 * the bytes as base64.
 */
#ifndef TW_RENDER_PACK_H
#define TW_RENDER_PACK_H

#include <glib.h>
#include <stdint.h>

#include "render/json.h"

void tw_pack_uint(GByteArray *pack, uint64_t value);
/* 0, -1, 1, -2 ... as 0, 1, 2, 3 ... */
void tw_pack_int(GByteArray *pack, int64_t value);

void tw_pack_json(struct tw_json *json, const char *key, const GByteArray *pack);

#endif
