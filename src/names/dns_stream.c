/* SPDX-License-Identifier: MIT */
/* DNS over TCP: two bytes of length before each message (RFC 1035, 4.2.2; RFC 7766, 8). */
#include "base/array.h"
#include "names/names.h"

#include <string.h>

/* Messages of several segments are put together for so many connections at once. */
#define MOST_PARTIAL 256

#define PREFIX 2

/* One direction of a connection. */
struct partial {
    uint32_t stream;
    unsigned from;
    uint32_t next_seq;    /* of the byte that continues it */
    tw_byte_array *bytes; /* at most PREFIX and 65,535 */
};

static void read_message(struct tw_names *names, const struct tw_segment *s,
                         struct tw_bytes message, tcpwhy_ns at_ns, uint32_t frame)
{
    struct tw_dns_message m;

    if (tw_dns_read(message, &m))
        tw_lookups_take(names->lookups, &s->tuple, &m, true, at_ns, frame);
}

/* Read all complete messages. @return how many bytes they take. */
static size_t read_all(struct tw_names *names, const struct tw_segment *s, struct tw_bytes b,
                       tcpwhy_ns at_ns, uint32_t frame)
{
    size_t at = 0;

    while (tw_bytes_has(b, at, PREFIX)) {
        size_t len = tw_be16(b, at);

        if (!tw_bytes_has(b, at + PREFIX, len))
            break;
        read_message(names, s, tw_bytes_first(tw_bytes_from(b, at + PREFIX), len), at_ns, frame);
        at += PREFIX + len;
    }
    return at;
}

static struct partial *find(const struct tw_names *names, uint32_t stream, unsigned from)
{
    for (guint i = 0; i < names->partial->len; i++) {
        struct partial *p = tw_ptr_array_index(names->partial, i);

        if (p->stream == stream && p->from == from)
            return p;
    }
    return NULL;
}

void tw_partial_free(gpointer partial)
{
    struct partial *p = partial;

    tw_byte_array_free(p->bytes, TRUE);
    tw_free(p);
}

static void keep(struct tw_names *names, const struct tw_segment *s, uint32_t stream, unsigned from,
                 struct tw_bytes rest)
{
    struct partial *p;

    if (names->partial->len >= MOST_PARTIAL)
        tw_ptr_array_remove_index(names->partial, 0);
    p = tw_new(struct partial, 1);
    *p = (struct partial) { stream, from, s->seq + s->len, tw_byte_array_new() };
    tw_byte_array_append(p->bytes, rest.data, (guint)rest.len);
    tw_ptr_array_add(names->partial, p);
}

void tw_names_take_stream(struct tw_names *names, const struct tw_segment *s, uint32_t stream,
                          unsigned from, tcpwhy_ns at_ns, uint32_t frame)
{
    struct partial *p = find(names, stream, from);
    struct tw_bytes b = s->payload;
    size_t read;

    if (s->len == 0 || b.len < s->len || (p && p->next_seq != s->seq))
        return;
    if (p) {
        tw_byte_array_append(p->bytes, b.data, (guint)b.len);
        b = tw_bytes(p->bytes->data, p->bytes->len);
    }
    read = read_all(names, s, b, at_ns, frame);
    if (!p && read < b.len)
        keep(names, s, stream, from, tw_bytes_from(b, read));
    if (!p)
        return;
    p->next_seq += s->len;
    tw_byte_array_remove_range(p->bytes, 0, (guint)read);
    if (p->bytes->len == 0)
        tw_ptr_array_remove(names->partial, p);
}
