/* SPDX-License-Identifier: MIT */
#include "report/facts/connection_attempts.h"

#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/tuple.h"
#include "report/endpoints.h"
#include "report/facts/connection_attempts_tally.h"

/* As long as a port is kept from being used again where the closing side is Linux
 * (TCP_TIMEWAIT_LEN); RFC 9293 asks for four minutes. */
#define TIME_WAIT_NS TCPWHY_S(60)

static void free_host(gpointer data)
{
    struct tw_opening_host *h = data;

    tw_interval_overlap_clear(&h->waiting);
    tw_free(h);
}

struct tw_connection_attempts *tw_connection_attempts_new(void)
{
    struct tw_connection_attempts *o = tw_new0(struct tw_connection_attempts, 1);

    o->all = tw_array_new(FALSE, FALSE, sizeof(struct tw_opening));
    o->tallies = tw_array_new(FALSE, TRUE, sizeof(struct tw_tally));
    o->hosts = tw_ptr_array_new_with_free_func(free_host);
    o->by_address = tw_hash_table_new(tw_endpoint_hash, tw_endpoint_equal);
    return o;
}

void tw_connection_attempts_free(struct tw_connection_attempts *o)
{
    tw_array_free(o->all, TRUE);
    tw_array_free(o->tallies, TRUE);
    tw_hash_table_destroy(o->by_address);
    tw_ptr_array_free(o->hosts, TRUE);
    tw_free(o);
}

/* ---- connection by connection ---------------------------------------------------------------- */

static struct tw_opening_host *add_host(struct tw_connection_attempts *o,
                                        const struct tw_opening_host *as)
{
    struct tw_opening_host *h = tw_memdup2(as, sizeof *as);

    tw_ptr_array_add(o->hosts, h);
    tw_hash_table_insert(o->by_address, &h->address, h);
    return h;
}

/* Before the close: nobody waits together yet. */
struct tw_connection_attempts *
tw_connection_attempts_copy(const struct tw_connection_attempts *from)
{
    struct tw_connection_attempts *o = tw_connection_attempts_new();

    tw_array_append_vals(o->all, from->all->data, from->all->len);
    tw_array_append_vals(o->tallies, from->tallies->data, from->tallies->len);
    o->settled = from->settled;
    for (guint i = 0; i < from->hosts->len; i++)
        add_host(o, tw_ptr_array_index(from->hosts, i));
    return o;
}

size_t tw_connection_attempts_bytes(const struct tw_connection_attempts *o)
{
    return o->all->len * sizeof(struct tw_opening) + o->tallies->len * sizeof(struct tw_tally) +
           o->hosts->len * (sizeof(struct tw_opening_host) + TW_ENTRY_BYTES);
}

static guint host_number(struct tw_connection_attempts *o, struct tcpwhy_endpoint address)
{
    struct tw_opening_host *h;

    address.port = 0;
    h = tw_hash_table_lookup(o->by_address, &address);
    if (!h)
        h = add_host(o, &(struct tw_opening_host) { .address = address,
                                                    .number = o->hosts->len,
                                                    .from_ns = INT64_MAX,
                                                    .to_ns = INT64_MIN,
                                                    .silent_ns = INT64_MAX,
                                                    .until_ns = INT64_MIN });
    return h->number;
}

static struct tw_tally *make_tally(struct tw_connection_attempts *o, guint listener,
                                   const struct tw_tuple *tuple)
{
    struct tw_tally *t;

    if (listener >= o->tallies->len)
        tw_array_set_size(o->tallies, listener + 1);
    t = tw_tally_of(o, listener);
    if (t->made)
        return t;
    t->made = true;
    t->host = host_number(o, tw_tuple_endpoint(tuple, TCPWHY_SERVER));
    t->from_ns = INT64_MAX;
    for (int i = 0; i < TW_N_SYN_EXTRAS; i++)
        t->extra_ns[i] = -TW_SYN_TIMER_NS;
    t->to_ns = INT64_MIN;
    return t;
}

static uint64_t frames_of(const struct tw_connection *c, enum tcpwhy_side side)
{
    return c->side[side].frames - c->past.frames[side];
}

static void add_to_host(struct tw_opening_host *h, const struct tw_connection_row *conn)
{
    const struct tw_connection *c = conn->connection;
    const struct tw_setup *s = &conn->setup;
    uint64_t again = conn->stream.retransmissions;
    uint64_t of_setup = s->syns > 1 ? s->syns - 1 : 0;

    h->frames += frames_of(c, TCPWHY_SERVER);
    h->served_frames += conn->stream.frames;
    h->retransmissions += again - MIN(again, of_setup);
    h->asked |= conn->first && s->outcome != TW_SETUP_UNSEEN;
    h->answered |= c->side[TCPWHY_SERVER].frames > 0;
}

static bool is_at_server(const struct tw_connection_row *conn)
{
    return conn->stream.vantage == TCPWHY_VANTAGE_SERVER &&
           conn->stream.vantage_confidence >= TCPWHY_LIKELY;
}

static void add_to_tally(struct tw_tally *t, const struct tw_connection_row *conn)
{
    struct tcpwhy_openings *v = &t->view;
    const struct tw_setup *s = &conn->setup;

    v->syns += s->syns;
    v->syn_repeats += s->syns > 1 ? s->syns - 1 : 0;
    for (int i = 0; i < TW_N_SYN_EXTRAS; i++)
        t->evidence.extra[i].syns += s->extra_syns[i];
    v->opened += s->outcome == TW_SETUP_OPEN;
    v->half_open += s->outcome == TW_SETUP_HALF_OPEN;
    v->accept_overflows += s->overflow || (s->set_aside && is_at_server(conn));
    t->evidence.overflows_idle += s->overflow_idle;
    t->evidence.challenged += s->challenged;
    v->answers_lost += s->answer_lost;
    v->refused += s->outcome == TW_SETUP_REFUSED;
    v->rejected += s->outcome == TW_SETUP_REFUSED && s->refusal == TW_REFUSED_FILTER;
    v->unreachable += s->outcome == TW_SETUP_REFUSED && s->refusal == TW_REFUSED_UNREACHABLE;
    v->resets_by_client += conn->reset_by == TCPWHY_CLIENT;
    v->resets_by_server += conn->reset_by == TCPWHY_SERVER;
    t->evidence.answered += s->answer_ns != TCPWHY_NS_UNKNOWN;
    t->evidence.at_server |= is_at_server(conn);
}

/* Was the same five-tuple in use so recently that its end may still be remembered? */
static bool is_reused(const struct tw_connection *c)
{
    return c->reused && c->first_ns >= c->reused_ns && c->first_ns - c->reused_ns < TIME_WAIT_NS;
}

static void note_close(struct tw_opening *entry, const struct tw_connection_row *conn)
{
    entry->released = conn->released;
    entry->kept_by_client = conn->closed_by == TCPWHY_CLIENT;
    entry->kept_by_server = conn->closed_by == TCPWHY_SERVER;
    entry->served |= conn->connection->side[TCPWHY_SERVER].bytes > 0 ||
                     conn->connection->side[TCPWHY_SERVER].fin;
}

void tw_connection_attempts_add(struct tw_connection_attempts *o, guint listener,
                                const struct tw_connection_row *conn)
{
    const struct tw_connection *c = conn->connection;
    const struct tw_setup *s = &conn->setup;
    struct tw_tally *t = make_tally(o, listener, &c->tuple);
    bool asked = s->outcome != TW_SETUP_UNSEEN;
    struct tw_opening entry = {
        .syn_ns = s->syn_ns,
        .last_syn_ns = s->last_syn_ns,
        .answer_ns = s->answer_ns,
        .first_ns = conn->stream.start_ns,
        .spoke_ns = s->spoke_ns,
        .last_ns = conn->stream.start_ns + conn->stream.duration_ns,
        .listener = listener,
        .stream = c->stream,
        .first_frame = conn->stream.first_frame,
        .client_frames = (uint32_t)MIN(c->side[TCPWHY_CLIENT].frames, UINT32_MAX),
        .server_frames = (uint32_t)MIN(c->side[TCPWHY_SERVER].frames, UINT32_MAX),
        .syn_tsval = s->syn_tsval,
        .unanswered = (uint16_t)MIN(s->unanswered, UINT16_MAX),
        .port = c->tuple.port[TCPWHY_CLIENT],
        .version = c->tuple.version,
        .outcome = (uint8_t)s->outcome,
        .last_open = s->last_open,
        .last_extras = s->last_extras & ((1u << TW_N_SYN_EXTRAS) - 1),
        .stamped = s->stamped,
        .reused = asked && is_reused(c),
        .failed = s->outcome == TW_SETUP_REFUSED || s->challenged || s->unanswered > 0,
        .set_aside = s->overflow || s->set_aside,
    };

    for (int i = 0; i < TW_N_SYN_EXTRAS; i++)
        entry.extra_unanswered[i] = (uint16_t)MIN(s->extra_unanswered[i], UINT16_MAX);
    note_close(&entry, conn);
    memcpy(entry.client, c->tuple.address[TCPWHY_CLIENT], sizeof entry.client);
    add_to_host(tw_host_of(o, t), conn);
    add_to_tally(t, conn);
    tw_array_append_val(o->all, entry);
}

static uint32_t add_frames(uint32_t to, uint64_t frames)
{
    return frames < UINT32_MAX - to ? to + (uint32_t)frames : UINT32_MAX;
}

void tw_connection_attempts_add_late(struct tw_connection_attempts *o,
                                     const struct tw_connection_row *conn)
{
    const struct tw_connection *c = conn->connection;
    uint64_t at = c->past.row - o->settled;
    struct tw_opening *entry;

    if (c->past.row < o->settled || at >= o->all->len)
        return;
    entry = &tw_array_index(o->all, struct tw_opening, at);
    entry->last_ns = conn->stream.start_ns + conn->stream.duration_ns;
    note_close(entry, conn);
    entry->client_frames = add_frames(entry->client_frames, frames_of(c, TCPWHY_CLIENT));
    entry->server_frames = add_frames(entry->server_frames, frames_of(c, TCPWHY_SERVER));
    add_to_host(tw_host_of(o, tw_tally_of(o, entry->listener)), conn);
}
