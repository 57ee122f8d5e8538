/* SPDX-License-Identifier: MIT */
/*
 * Messages of gRPC in the DATA frames of a stream: a byte that tells whether they are compressed,
 * and four of length ("gRPC over HTTP2", Length-Prefixed-Message).
 */
#include "app/http2.h"

#include <string.h>

#define COMPRESSED 1

static bool begins(struct tw_grpc *m)
{
    struct tw_bytes prefix = tw_bytes(m->prefix, sizeof m->prefix);

    m->prefix_len = 0;
    m->lost = prefix.data[0] > COMPRESSED;
    m->left = tw_be32(prefix, 1);
    return !m->lost;
}

void tw_grpc_find(struct tw_http2 *http2, struct tw_http2_stream *stream,
                  const struct tw_http2_frame *frame, struct tw_bytes bytes)
{
    static const char verb[] = "POST ";
    struct tw_exchange *e = tw_transactions_at(http2->transactions, stream->exchange);

    stream->untyped = false;
    if (tw_u8(bytes, 0) > COMPRESSED || bytes.len != frame->len ||
        tw_be32(bytes, 1) + sizeof stream->messages[0].prefix != frame->len ||
        !g_str_has_prefix(e->request, verb))
        return;
    stream->grpc = true;
    e->protocol = "grpc";
    e->request += strlen(verb);
}

void tw_grpc_take(struct tw_http2 *http2, int way, struct tw_http2_stream *stream,
                  struct tw_bytes bytes)
{
    struct tw_grpc *m = &stream->messages[way];

    while (bytes.len > 0 && !m->lost) {
        struct tw_bytes part;

        if (m->left > 0) {
            part = tw_bytes_first(bytes, m->left);
            m->left -= part.len;
            bytes = tw_bytes_from(bytes, part.len);
            continue;
        }
        part = tw_bytes_first(bytes, sizeof m->prefix - m->prefix_len);
        memcpy(m->prefix + m->prefix_len, part.data, part.len);
        m->prefix_len = (uint8_t)(m->prefix_len + part.len);
        bytes = tw_bytes_from(bytes, part.len);
        if (m->prefix_len == sizeof m->prefix && begins(m))
            tw_transactions_more(http2->transactions, stream->exchange)->messages[way]++;
    }
}

void tw_grpc_lose(struct tw_http2_stream *stream, int way)
{
    stream->messages[way].lost = true;
}
