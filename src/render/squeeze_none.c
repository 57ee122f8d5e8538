/* SPDX-License-Identifier: MIT */
/*
 * Without zlib: the page itself is where the data goes.
 */
#include "render/squeeze.h"

const char tw_squeeze_name[] = "none";

struct tw_squeeze {
    struct tw_out *page;
};

struct tw_squeeze *tw_squeeze_begin(struct tw_out *page)
{
    struct tw_squeeze *s = g_new(struct tw_squeeze, 1);

    s->page = page;
    return s;
}

struct tw_out *tw_squeeze_out(struct tw_squeeze *s)
{
    return s->page;
}

void tw_squeeze_flush(struct tw_squeeze *s)
{
    (void)s;
}

void tw_squeeze_end(struct tw_squeeze *s)
{
    g_free(s);
}
