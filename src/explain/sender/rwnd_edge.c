/* SPDX-License-Identifier: MIT */
#include "explain/sender/rwnd_edge.h"

#include <string.h>

#include <glib.h>

/* A shrinking window takes back what it allowed (RFC 9293, 3.8.6: discouraged, but it happens). */
static void take_back(struct tw_rwnd_edges *e, int64_t edge)
{
    while (e->end > e->step && e->end[-1].edge > edge)
        e->end--;
    e->next = MIN(e->next, e->end);
}

/* Make room for another step by dropping those that no send needs any more. */
static void make_room(struct tw_rwnd_edges *e)
{
    uint32_t n = (uint32_t)(e->end - e->step), next = (uint32_t)(e->next - e->step);

    if (next > n / 2) {
        n -= next;
        memmove(e->step, e->next, n * sizeof *e->step);
        next = 0;
        e->left = true;
    }
    e->step = tw_scratch_grow(e->scratch, e->step, n, &e->capacity, sizeof *e->step);
    e->next = e->step + next;
    e->end = e->step + n;
    e->limit = e->step + e->capacity;
}

static int64_t edge_of(const struct tw_rwnd_edges *e, const struct tw_record *r)
{
    if (tw_record_knows_window(r))
        return r->ack + (int64_t)r->window_bytes;
    return e->wscale < 0 ? INT64_MAX : r->ack + ((int64_t)~r->window_bytes << e->wscale);
}

bool tw_rwnd_edges_hear(struct tw_rwnd_edges *e, const struct tw_record *r, tcpwhy_ns at_ns)
{
    int64_t edge = edge_of(e, r);
    bool was_closed = e->closed, closed = r->window_bytes == 0;

    e->closed = closed;
    if (edge <= e->edge) {
        /* scaling rounds the edge down by less than a segment, which is no shrinking */
        if (edge >= e->edge - (int64_t)e->mss_bytes)
            return false;
        take_back(e, edge);
    }
    e->edge = edge;
    if (e->end == e->step && !e->left) {
        at_ns = TCPWHY_NS_UNKNOWN;
        was_closed = false;
    }
    if (e->end == e->limit)
        make_room(e);
    *e->end++ = (struct tw_rwnd_edge_step) { edge, at_ns, was_closed };
    return !closed;
}

const struct tw_rwnd_edge_step *tw_rwnd_edges_room(struct tw_rwnd_edges *e, int64_t end)
{
    const struct tw_rwnd_edge_step *next = e->next, *last = e->end;

    while (next < last && next->edge < end)
        next++;
    e->next = next;
    return next < last ? next : NULL;
}
