/* SPDX-License-Identifier: MIT */
#include "report/openings.h"

#include <string.h>

#include "base/tuple.h"
#include "report/endpoints.h"
#include "report/openings_tally.h"

/* As long as a port is kept from being used again where the closing side is Linux
 * (TCP_TIMEWAIT_LEN); RFC 9293 asks for four minutes. */
#define TIME_WAIT_NS TCPWHY_S(60)

static void free_host(gpointer data)
{
    struct tw_opening_host *h = data;

    tw_together_clear(&h->waiting);
    g_free(h);
}

struct tw_openings *tw_openings_new(void)
{
    struct tw_openings *o = g_new0(struct tw_openings, 1);

    o->all = g_array_new(FALSE, FALSE, sizeof(struct tw_opening));
    o->tallies = g_array_new(FALSE, TRUE, sizeof(struct tw_tally));
    o->hosts = g_ptr_array_new_with_free_func(free_host);
    o->by_address = g_hash_table_new(tw_endpoint_hash, tw_endpoint_equal);
    return o;
}

void tw_openings_free(struct tw_openings *o)
{
    g_array_free(o->all, TRUE);
    g_array_free(o->tallies, TRUE);
    g_hash_table_destroy(o->by_address);
    g_ptr_array_free(o->hosts, TRUE);
    g_free(o);
}

/* ---- connection by connection ---------------------------------------------------------------- */

static guint host_number(struct tw_openings *o, struct tcpwhy_endpoint address)
{
    struct tw_opening_host *h;

    address.port = 0;
    h = g_hash_table_lookup(o->by_address, &address);
    if (!h) {
        h = g_new0(struct tw_opening_host, 1);
        h->address = address;
        h->number = o->hosts->len;
        h->from_ns = INT64_MAX;
        h->to_ns = INT64_MIN;
        g_ptr_array_add(o->hosts, h);
        g_hash_table_insert(o->by_address, &h->address, h);
    }
    return h->number;
}

static struct tw_tally *make_tally(struct tw_openings *o, guint listener,
                                   const struct tw_tuple *tuple)
{
    struct tw_tally *t;

    if (listener < o->tallies->len)
        return tw_tally_of(o, listener);
    g_array_set_size(o->tallies, listener + 1);
    t = tw_tally_of(o, listener);
    t->host = host_number(o, tw_tuple_endpoint(tuple, TCPWHY_SERVER));
    t->from_ns = INT64_MAX;
    t->to_ns = INT64_MIN;
    return t;
}

static void add_to_host(struct tw_opening_host *h, const struct tw_connection *c,
                        const struct tw_setup *s)
{
    uint64_t again = c->side[0].retransmissions + c->side[1].retransmissions;
    uint64_t of_setup = s->syns > 1 ? s->syns - 1 : 0;

    h->frames += c->side[TCPWHY_SERVER].frames;
    h->served_frames += c->frames;
    h->retransmissions += again - MIN(again, of_setup);
    h->asked |= s->outcome != TW_SETUP_UNSEEN;
    h->answered |= c->side[TCPWHY_SERVER].frames > 0;
}

static void add_to_tally(struct tw_tally *t, const struct tw_story *story, const struct tw_setup *s)
{
    struct tcpwhy_openings *v = &t->view;
    int reset_by = tw_setup_reset_by(story->connection, story->log, s);

    v->syns += s->syns;
    v->syn_repeats += s->syns > 1 ? s->syns - 1 : 0;
    v->opened += s->outcome == TW_SETUP_OPEN;
    v->half_open += s->outcome == TW_SETUP_HALF_OPEN;
    v->accept_overflows += s->overflow;
    v->answers_lost += s->answer_lost;
    v->refused += s->outcome == TW_SETUP_REFUSED;
    v->rejected += s->outcome == TW_SETUP_REFUSED && s->refusal == TW_REFUSED_FILTER;
    v->unreachable += s->outcome == TW_SETUP_REFUSED && s->refusal == TW_REFUSED_UNREACHABLE;
    v->resets_by_client += reset_by == TCPWHY_CLIENT;
    v->resets_by_server += reset_by == TCPWHY_SERVER;
    t->evidence.answered += s->answer_ns != TCPWHY_NS_UNKNOWN;
    t->evidence.at_server |= story->explanation->vantage.place == TCPWHY_VANTAGE_SERVER &&
                             story->explanation->vantage.confidence >= TCPWHY_LIKELY;
}

/* Was the same five-tuple in use so recently that its end may still be remembered? */
static bool is_reused(const struct tw_connection *c)
{
    return c->older && c->first_ns >= c->older->last_ns &&
           c->first_ns - c->older->last_ns < TIME_WAIT_NS;
}

void tw_openings_add(struct tw_openings *o, guint listener, const struct tw_story *story,
                     const struct tw_setup *s)
{
    const struct tw_connection *c = story->connection;
    struct tw_tally *t = make_tally(o, listener, &c->tuple);
    bool asked = s->outcome != TW_SETUP_UNSEEN;
    struct tw_opening entry = {
        .syn_ns = s->syn_ns,
        .last_syn_ns = s->last_syn_ns,
        .answer_ns = s->answer_ns,
        .first_ns = story->log->record[0].time_ns,
        .last_ns = story->log->record[story->log->n - 1].time_ns,
        .listener = listener,
        .client_frames = (uint32_t)MIN(c->side[TCPWHY_CLIENT].frames, UINT32_MAX),
        .server_frames = (uint32_t)MIN(c->side[TCPWHY_SERVER].frames, UINT32_MAX),
        .unanswered = (uint16_t)MIN(s->unanswered, UINT16_MAX),
        .port = c->tuple.port[TCPWHY_CLIENT],
        .version = c->tuple.version,
        .outcome = (uint8_t)s->outcome,
        .last_open = s->last_open,
        .reused = asked && is_reused(c),
        .failed = s->outcome == TW_SETUP_REFUSED || s->challenged || s->unanswered > 0,
    };

    memcpy(entry.client, c->tuple.address[TCPWHY_CLIENT], sizeof entry.client);
    add_to_host(tw_host_of(o, t), c, s);
    add_to_tally(t, story, s);
    g_array_append_val(o->all, entry);
}
