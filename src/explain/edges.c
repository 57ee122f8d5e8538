/* SPDX-License-Identifier: MIT */
#include "explain/edges.h"

#include <string.h>

#include <glib.h>

/* A window that shrinks takes back what it allowed (RFC 9293, 3.8.6: discouraged, but it happens).
 */
static void take_back(struct tw_edges *e, int64_t edge)
{
    while (e->n && e->step[e->n - 1].edge > edge)
        e->n--;
    e->next = MIN(e->next, e->n);
}

/* For one more step. Those that no send is held against any more leave. */
static void make_room(struct tw_edges *e)
{
    if (e->n == e->capacity && e->next > e->n / 2) {
        e->n -= e->next;
        memmove(e->step, e->step + e->next, e->n * sizeof *e->step);
        e->next = 0;
        e->left = true;
    }
    e->step = tw_scratch_grow(e->scratch, e->step, e->n, &e->capacity, sizeof *e->step);
}

static int64_t edge_of(const struct tw_edges *e, const struct tw_record *r)
{
    if (tw_record_knows_window(r))
        return r->ack + (int64_t)r->window_bytes;
    return e->wscale < 0 ? INT64_MAX : r->ack + ((int64_t)~r->window_bytes << e->wscale);
}

bool tw_edges_hear(struct tw_edges *e, const struct tw_record *r, tcpwhy_ns at_ns)
{
    int64_t edge = edge_of(e, r);
    bool was_closed = e->closed;

    e->closed = r->window_bytes == 0;
    /* Scaling rounds the edge down by less than a segment: no step back. */
    if (edge < e->edge - (int64_t)e->mss_bytes)
        take_back(e, edge);
    else if (edge <= e->edge)
        return false;
    make_room(e);
    e->step[e->n++] = (struct tw_edge_step) { edge, at_ns, was_closed };
    e->edge = edge;
    return !e->closed;
}

const struct tw_edge_step *tw_edges_room(struct tw_edges *e, int64_t end)
{
    while (e->next < e->n && e->step[e->next].edge < end)
        e->next++;
    return e->next == e->n || (e->next == 0 && !e->left) ? NULL : &e->step[e->next];
}
