/* SPDX-License-Identifier: MIT */
#include "track/connection.h"

#include <glib.h>

#include "base/memory.h"
#include "track/service_ports.h"
#include "track/wireshark.h"

/* Is the source of a stream's first segment its client? *inferred when no SYN says so. */
static bool source_is_client(const struct tw_segment *s, bool *inferred)
{
    *inferred = !(s->flags & TW_SYN);
    if (s->flags & TW_SYN)
        return !(s->flags & TW_ACK);
    return !tw_is_service_port(s->tuple.port[0], s->tuple.port[1]);
}

bool tw_connection_guesses_roles(const struct tw_connection *c)
{
    return c->roles_inferred &&
           tw_service_port_is_guess(c->tuple.port[TCPWHY_SERVER], c->tuple.port[TCPWHY_CLIENT]);
}

static void turn_round(struct tw_tuple *t)
{
    struct tw_tuple own = *t;

    for (int i = 0; i < 16; i++) {
        t->address[0][i] = own.address[1][i];
        t->address[1][i] = own.address[0][i];
    }
    t->port[0] = own.port[1];
    t->port[1] = own.port[0];
}

void tw_connection_begin(struct tw_connection *c, const struct tw_segment *s, tcpwhy_ns now,
                         uint32_t frame)
{
    c->tuple = s->tuple;
    if (!source_is_client(s, &c->roles_inferred))
        turn_round(&c->tuple);
    c->first_ns = c->last_ns = now;
    c->first_frame = frame;
}

struct tw_connection *tw_connection_open(const struct tw_segment *s, tcpwhy_ns now, uint32_t frame,
                                         size_t room)
{
    struct tw_connection *c = tw_malloc(sizeof *c + room);

    *c = (struct tw_connection) { 0 };
    tw_connection_begin(c, s, now, frame);
    c->handshake_rtt_ns = c->syn_ns = TCPWHY_NS_UNKNOWN;
    for (int i = 0; i < 2; i++) {
        c->side[i].window_bytes = TW_WINDOW_UNKNOWN;
        c->side[i].wscale = c->side[i].wscale_offered = TW_WSCALE_UNKNOWN;
    }
    c->past.row = TW_NO_ROW;
    return c;
}

/* Copies a side without its recent frames. */
static void copy_side(struct tw_side *to, const struct tw_side *from)
{
    tw_ranges_copy(&to->holes, &from->holes);
    to->recent = (struct tw_recent) { 0 };
}

struct tw_connection *tw_connection_copy(const struct tw_connection *c)
{
    struct tw_connection *copy = tw_memdup2(c, sizeof *c);

    for (int i = 0; i < 2; i++)
        copy_side(&copy->side[i], &c->side[i]);
    copy->ws = NULL;
    copy->log = NULL;
    copy->next = copy->previous = NULL;
    return copy;
}

void tw_connection_free(struct tw_connection *c)
{
    for (int i = 0; i < 2; i++) {
        tw_ranges_clear(&c->side[i].holes);
        tw_recent_clear(&c->side[i].recent);
    }
    tw_ws_free(c->ws);
    tw_free(c);
}

size_t tw_connection_bytes(const struct tw_connection *c)
{
    size_t bytes = sizeof *c + tw_ws_bytes(c->ws);

    for (int i = 0; i < 2; i++)
        bytes += sizeof(struct tw_range) * c->side[i].holes.capacity +
                 tw_recent_bytes(&c->side[i].recent);
    return bytes;
}
