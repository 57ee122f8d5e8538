/* SPDX-License-Identifier: MIT */
/*
 * Without zlib: the page itself is where the data goes.
 */
#include "base/memory.h"
#include "render/writers/deflate_base64.h"

const char tw_deflate_base64_name[] = "none";

struct tw_deflate_base64 {
    struct tw_writer *page;
};

struct tw_deflate_base64 *tw_deflate_base64_begin(struct tw_writer *page)
{
    struct tw_deflate_base64 *s = tw_new(struct tw_deflate_base64, 1);

    s->page = page;
    return s;
}

struct tw_writer *tw_deflate_base64_out(struct tw_deflate_base64 *s)
{
    return s->page;
}

void tw_deflate_base64_flush(struct tw_deflate_base64 *s)
{
    (void)s;
}

void tw_deflate_base64_end(struct tw_deflate_base64 *s)
{
    tw_free(s);
}
