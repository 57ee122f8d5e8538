/* SPDX-License-Identifier: MIT */
/*
 * Data on its way into a page: compressed and as base64 where zlib was built in, as it stands where
 * not.
 */
#ifndef TW_RENDER_WRITERS_DEFLATE_BASE64_H
#define TW_RENDER_WRITERS_DEFLATE_BASE64_H

#include "render/writers/writer.h"

struct tw_deflate_base64;

/* What the page's script is told: "deflate" or "none". */
extern const char tw_deflate_base64_name[];

struct tw_deflate_base64 *tw_deflate_base64_begin(struct tw_writer *page);
/* Where the data is written. */
struct tw_writer *tw_deflate_base64_out(struct tw_deflate_base64 *deflate);
/* All that was written is in the page now, but for two bytes. */
void tw_deflate_base64_flush(struct tw_deflate_base64 *deflate);
void tw_deflate_base64_end(struct tw_deflate_base64 *deflate);

#endif
