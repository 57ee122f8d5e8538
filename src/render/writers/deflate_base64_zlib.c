/* SPDX-License-Identifier: MIT */
/*
 * A zlib stream (RFC 1950), which browsers open by themselves, as base64.
 */
/* zlib only reads what it is given; without this its type does not say so. */
#define ZLIB_CONST
#include <zlib.h>

#include "base/memory.h"
#include "render/writers/deflate_base64.h"

const char tw_deflate_base64_name[] = "deflate";

#define PIECE 8192

struct tw_deflate_base64 {
    struct tw_writer out; /* what is written here goes through the rest of this */
    struct tw_writer *page;
    z_stream zlib;
    gint state, save; /* of the base64 encoder */
};

static voidpf allocate(voidpf opaque, uInt items, uInt size)
{
    (void)opaque;
    return tw_malloc_n(items, size);
}

static void release(voidpf opaque, voidpf block)
{
    (void)opaque;
    tw_free(block);
}

static void encode(struct tw_deflate_base64 *s, const Bytef *bytes, size_t len)
{
    /* As g_base64_encode_step() asks: 4 for 3, and a few that it still held. */
    char text[PIECE / 3 * 4 + 8];
    gsize n = g_base64_encode_step(bytes, len, FALSE, text, &s->state, &s->save);

    tw_writer_bytes(s->page, text, n);
}

static void run(struct tw_deflate_base64 *s, int flush)
{
    Bytef piece[PIECE];

    do {
        s->zlib.next_out = piece;
        s->zlib.avail_out = PIECE;
        deflate(&s->zlib, flush);
        encode(s, piece, PIECE - s->zlib.avail_out);
    } while (s->zlib.avail_out == 0);
}

static bool take(void *user, const char *bytes, size_t len)
{
    struct tw_deflate_base64 *s = user;

    s->zlib.next_in = (const Bytef *)bytes;
    s->zlib.avail_in = (uInt)len;
    run(s, Z_NO_FLUSH);
    return !s->page->stopped;
}

struct tw_deflate_base64 *tw_deflate_base64_begin(struct tw_writer *page)
{
    struct tw_deflate_base64 *s = tw_new0(struct tw_deflate_base64, 1);
    int done;

    s->page = page;
    s->zlib.zalloc = allocate;
    s->zlib.zfree = release;
    done = deflateInit(&s->zlib, Z_BEST_COMPRESSION);
    g_assert(done == Z_OK);
    tw_writer_init(&s->out, take, s);
    return s;
}

struct tw_writer *tw_deflate_base64_out(struct tw_deflate_base64 *s)
{
    return &s->out;
}

void tw_deflate_base64_flush(struct tw_deflate_base64 *s)
{
    tw_writer_finish(&s->out);
    run(s, Z_SYNC_FLUSH);
}

void tw_deflate_base64_end(struct tw_deflate_base64 *s)
{
    char text[8];

    tw_writer_finish(&s->out);
    run(s, Z_FINISH);
    tw_writer_bytes(s->page, text, g_base64_encode_close(FALSE, text, &s->state, &s->save));
    deflateEnd(&s->zlib);
    tw_free(s);
}
