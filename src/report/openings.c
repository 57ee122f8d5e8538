/* SPDX-License-Identifier: MIT */
#include "report/openings.h"

#include <string.h>

#include "base/tuple.h"
#include "report/endpoints.h"
#include "report/together.h"

/* As long as a port is kept from being used again where the closing side is Linux
 * (TCP_TIMEWAIT_LEN); RFC 9293 asks for four minutes. */
#define TIME_WAIT_NS TCPWHY_S(60)

/* The first timer of a SYN (RFC 6298, section 2): an answer may take so long, and what happens
 * within it of a silence happens in the same time. */
#define SYN_TIMER_NS TCPWHY_S(1)

/* What the connections to one listener add up to. */
struct tally {
    struct tcpwhy_openings view;
    struct tw_evidence evidence;
    tcpwhy_ns from_ns, to_ns; /* first and last SYN without an answer */
    guint host;
    bool heavy; /* more silence than chance explains */
};

struct host {
    struct tcpwhy_endpoint address; /* port 0 */
    guint number;
    uint64_t frames, served_frames, retransmissions; /* sent by it; of its listeners, both ways */
    uint64_t meanwhile;
    tcpwhy_ns from_ns, to_ns;   /* of its heavy listeners; from > to: none */
    struct tw_together waiting; /* its heavy listeners */
    struct tcpwhy_openings sum; /* of its listeners with a host-wide silence */
    bool asked, answered;
};

struct tw_openings {
    GArray *all;     /* struct tw_opening */
    GArray *tallies; /* struct tally, by listener */
    GPtrArray *hosts;
    GHashTable *by_address;
};

static void free_host(gpointer data)
{
    struct host *h = data;

    tw_together_clear(&h->waiting);
    g_free(h);
}

struct tw_openings *tw_openings_new(void)
{
    struct tw_openings *o = g_new0(struct tw_openings, 1);

    o->all = g_array_new(FALSE, FALSE, sizeof(struct tw_opening));
    o->tallies = g_array_new(FALSE, TRUE, sizeof(struct tally));
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

static struct tally *tally_of(const struct tw_openings *o, guint listener)
{
    return &g_array_index(o->tallies, struct tally, listener);
}

static struct host *host_of(const struct tw_openings *o, const struct tally *t)
{
    return g_ptr_array_index(o->hosts, t->host);
}

/* ---- connection by connection ---------------------------------------------------------------- */

static guint host_number(struct tw_openings *o, struct tcpwhy_endpoint address)
{
    struct host *h;

    address.port = 0;
    h = g_hash_table_lookup(o->by_address, &address);
    if (!h) {
        h = g_new0(struct host, 1);
        h->address = address;
        h->number = o->hosts->len;
        h->from_ns = INT64_MAX;
        h->to_ns = INT64_MIN;
        g_ptr_array_add(o->hosts, h);
        g_hash_table_insert(o->by_address, &h->address, h);
    }
    return h->number;
}

static struct tally *make_tally(struct tw_openings *o, guint listener, const struct tw_tuple *tuple)
{
    struct tally *t;

    if (listener < o->tallies->len)
        return tally_of(o, listener);
    g_array_set_size(o->tallies, listener + 1);
    t = tally_of(o, listener);
    t->host = host_number(o, tw_tuple_endpoint(tuple, TCPWHY_SERVER));
    t->from_ns = INT64_MAX;
    t->to_ns = INT64_MIN;
    return t;
}

static void add_to_host(struct host *h, const struct tw_connection *c, const struct tw_setup *s)
{
    uint64_t again = c->side[0].retransmissions + c->side[1].retransmissions;
    uint64_t of_setup = s->syns > 1 ? s->syns - 1 : 0;

    h->frames += c->side[TCPWHY_SERVER].frames;
    h->served_frames += c->frames;
    h->retransmissions += again - MIN(again, of_setup);
    h->asked |= s->outcome != TW_SETUP_UNSEEN;
    h->answered |= c->side[TCPWHY_SERVER].frames > 0;
}

static void add_to_tally(struct tally *t, const struct tw_story *story, const struct tw_setup *s)
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
    struct tally *t = make_tally(o, listener, &c->tuple);
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
    add_to_host(host_of(o, t), c, s);
    add_to_tally(t, story, s);
    g_array_append_val(o->all, entry);
}

/* ---- at the end ------------------------------------------------------------------------------ */

/* The last SYN of a connection is unanswered once a second has passed without an answer. */
static void settle_last_syn(struct tw_opening *e, tcpwhy_ns end_ns, tw_unanswered_fn tell,
                            void *user)
{
    if (!e->last_open || e->last_syn_ns > end_ns - SYN_TIMER_NS)
        return;
    e->unanswered += e->unanswered < UINT16_MAX;
    e->failed = true;
    tell(user, e->listener, e->last_syn_ns);
}

static void count_silence(struct tally *t, const struct tw_opening *e)
{
    t->view.unanswered_syns += e->unanswered;
    t->view.waited += e->unanswered > 0;
    t->evidence.most_unanswered = MAX(t->evidence.most_unanswered, e->unanswered);
    if (e->unanswered == 0)
        return;
    t->from_ns = MIN(t->from_ns, e->syn_ns);
    t->to_ns = MAX(t->to_ns, e->last_syn_ns);
}

/* A host is heard as a client too. */
static void hear_client(const struct tw_openings *o, const struct tw_opening *e)
{
    struct tcpwhy_endpoint address = { .version = e->version };
    struct host *h;

    memcpy(address.address, e->client, sizeof e->client);
    h = g_hash_table_lookup(o->by_address, &address);
    if (h)
        h->frames += e->client_frames;
}

static void weigh(const struct tw_openings *o, struct tally *t)
{
    struct host *h = host_of(o, t);
    struct tw_evidence *e = &t->evidence;

    e->syns = t->view.syns;
    e->unanswered = t->view.unanswered_syns;
    e->waited = t->view.waited;
    e->overflows = t->view.accept_overflows;
    e->answers_lost = t->view.answers_lost;
    e->host_frames = h->frames;
    e->data_loss = h->served_frames ? (double)h->retransmissions / (double)h->served_frames : 0;
    t->heavy = e->unanswered > 0 && h->frames > 0 && !tw_silence_is_sparse(e);
    if (!t->heavy)
        return;
    tw_together_add(&h->waiting, t->from_ns, t->to_ns);
    h->from_ns = MIN(h->from_ns, t->from_ns);
    h->to_ns = MAX(h->to_ns, t->to_ns);
}

/* Who was answered while others were not? */
static void look_around(const struct tw_openings *o, const struct tw_opening *e)
{
    struct tally *t = tally_of(o, e->listener);
    struct host *h = host_of(o, t);

    if (e->unanswered > 0 || e->server_frames == 0)
        return;
    t->evidence.answered_meanwhile += e->answer_ns != TCPWHY_NS_UNKNOWN && t->to_ns >= t->from_ns &&
                                      e->answer_ns >= t->from_ns - SYN_TIMER_NS &&
                                      e->answer_ns <= t->to_ns + SYN_TIMER_NS;
    h->meanwhile += h->from_ns <= h->to_ns && e->first_ns <= h->to_ns && e->last_ns >= h->from_ns;
}

static void count_hosts(const struct tw_openings *o, struct tw_evidence *all,
                        struct tw_together *waiting)
{
    for (guint i = 0; i < o->hosts->len; i++) {
        struct host *h = g_ptr_array_index(o->hosts, i);

        all->hosts_silent += h->asked && h->frames == 0;
        all->hosts_answering += h->answered;
        tw_together_sort(&h->waiting);
        if (h->from_ns <= h->to_ns)
            tw_together_add(waiting, h->from_ns, h->to_ns);
    }
    tw_together_sort(waiting);
}

/* A filter and a dead host do not care for ports. */
static bool is_host_wide(const struct tally *t)
{
    return t->view.silence == TCPWHY_SILENCE_DEAD_HOST ||
           (t->view.silence == TCPWHY_SILENCE_FILTER && t->evidence.ports_waiting > 1);
}

static void set_share(struct tcpwhy_openings *v)
{
    v->unanswered_share = v->syns ? (double)v->unanswered_syns / (double)v->syns : 0;
}

static void add_to_sum(struct tcpwhy_openings *sum, const struct tcpwhy_openings *v)
{
    sum->syns += v->syns;
    sum->syn_repeats += v->syn_repeats;
    sum->unanswered_syns += v->unanswered_syns;
    sum->waited += v->waited;
    sum->accept_overflows += v->accept_overflows;
    set_share(sum);
}

static void decide(const struct tw_openings *o, struct tally *t, const struct tw_evidence *all,
                   const struct tw_together *waiting)
{
    struct host *h = host_of(o, t);
    struct tw_evidence *e = &t->evidence;
    struct tw_silence silence;

    e->hosts_silent = all->hosts_silent;
    e->hosts_answering = all->hosts_answering;
    e->host_meanwhile = h->meanwhile;
    if (t->heavy) {
        e->ports_waiting =
            tw_together_count(&h->waiting, t->from_ns - SYN_TIMER_NS, t->to_ns + SYN_TIMER_NS);
        e->hosts_waiting =
            tw_together_count(waiting, t->from_ns - SYN_TIMER_NS, t->to_ns + SYN_TIMER_NS);
    }
    silence = tw_silence_decide(e);
    t->view.silence = silence.what;
    t->view.silence_confidence = silence.confidence;
    t->view.silence_rival = silence.rival;
    set_share(&t->view);
    if (is_host_wide(t))
        add_to_sum(&h->sum, &t->view);
}

void tw_openings_close(struct tw_openings *o, tcpwhy_ns end_ns, tw_unanswered_fn tell, void *user)
{
    struct tw_evidence all = { 0 };
    struct tw_together waiting = { 0 };

    for (guint i = 0; i < o->all->len; i++) {
        struct tw_opening *e = &g_array_index(o->all, struct tw_opening, i);

        settle_last_syn(e, end_ns, tell, user);
        count_silence(tally_of(o, e->listener), e);
        hear_client(o, e);
    }
    for (guint i = 0; i < o->tallies->len; i++)
        weigh(o, tally_of(o, i));
    for (guint i = 0; i < o->all->len; i++)
        look_around(o, &g_array_index(o->all, struct tw_opening, i));
    count_hosts(o, &all, &waiting);
    for (guint i = 0; i < o->tallies->len; i++)
        decide(o, tally_of(o, i), &all, &waiting);
    tw_together_clear(&waiting);
}

void tw_openings_view(const struct tw_openings *o, guint listener, struct tcpwhy_openings *view)
{
    *view = tally_of(o, listener)->view;
}

bool tw_openings_host_wide(const struct tw_openings *o, guint listener)
{
    return is_host_wide(tally_of(o, listener));
}

void tw_openings_host_view(const struct tw_openings *o, guint listener,
                           struct tcpwhy_openings *view)
{
    const struct tally *t = tally_of(o, listener);

    *view = is_host_wide(t) ? host_of(o, t)->sum : t->view;
    view->silence = t->view.silence;
    view->silence_confidence = t->view.silence_confidence;
    view->silence_rival = t->view.silence_rival;
}

const struct tw_evidence *tw_openings_evidence(const struct tw_openings *o, guint listener)
{
    return &tally_of(o, listener)->evidence;
}

GArray *tw_openings_all(struct tw_openings *o)
{
    return o->all;
}
