/* SPDX-License-Identifier: MIT */
#include "report/findings/carried.h"

#include <glib.h>

void tw_carried_add(struct tw_carried *c, uint32_t stream, const struct tw_log *log,
                    const struct tw_span *span)
{
    if (c->streams == 0 || c->stream != stream) {
        c->from_ns = c->streams == 0 ? span->from_ns : MIN(c->from_ns, span->from_ns);
        c->to_ns = c->streams == 0 ? span->to_ns : c->to_ns;
        c->stream = stream;
        c->next_record = span->first_record + 1;
        c->streams++;
    }
    c->to_ns = MAX(c->to_ns, span->to_ns);
    for (; c->next_record <= span->last_record; c->next_record++) {
        const struct tw_record *r = &log->record[c->next_record];

        if (r->from == span->from && r->frame_class == TCPWHY_CLASS_DATA)
            c->bytes += r->len;
    }
}

void tw_carried_merge(struct tw_carried *into, const struct tw_carried *from)
{
    if (from->streams == 0)
        return;
    into->from_ns = into->streams ? MIN(into->from_ns, from->from_ns) : from->from_ns;
    into->to_ns = into->streams ? MAX(into->to_ns, from->to_ns) : from->to_ns;
    into->bytes += from->bytes;
    into->streams += from->streams;
}

double tw_carried_rate(const struct tw_carried *c)
{
    return c->streams > 1 && c->to_ns > c->from_ns
               ? (double)c->bytes * 1e9 / (double)(c->to_ns - c->from_ns)
               : 0;
}
