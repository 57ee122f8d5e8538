/* SPDX-License-Identifier: MIT */
/*
 * Data for a page: deflated and base64-coded if zlib was built in, otherwise unchanged.
 */
#ifndef TW_RENDER_WRITERS_DEFLATE_BASE64_H
#define TW_RENDER_WRITERS_DEFLATE_BASE64_H

#include "render/writers/writer.h"

struct tw_deflate_base64;

/* The value for the script of the page: "deflate" or "none". */
extern const char tw_deflate_base64_name[];

struct tw_deflate_base64 *tw_deflate_base64_begin(struct tw_writer *page);
/* The writer that gets the data. */
struct tw_writer *tw_deflate_base64_out(struct tw_deflate_base64 *deflate);
/* All that was written is in the page now, but for two bytes. */
void tw_deflate_base64_flush(struct tw_deflate_base64 *deflate);
void tw_deflate_base64_end(struct tw_deflate_base64 *deflate);

#endif
