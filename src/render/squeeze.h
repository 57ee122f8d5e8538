/* SPDX-License-Identifier: MIT */
/*
 * Data on its way into a page: compressed and as base64 where zlib was built in, as it stands where
 * not.
 */
#ifndef TW_RENDER_SQUEEZE_H
#define TW_RENDER_SQUEEZE_H

#include "render/out.h"

struct tw_squeeze;

/* What the page's script is told: "deflate" or "none". */
extern const char tw_squeeze_name[];

struct tw_squeeze *tw_squeeze_begin(struct tw_out *page);
/* Where the data is written. */
struct tw_out *tw_squeeze_out(struct tw_squeeze *squeeze);
/* All that was written is in the page now, but for two bytes. */
void tw_squeeze_flush(struct tw_squeeze *squeeze);
void tw_squeeze_end(struct tw_squeeze *squeeze);

#endif
