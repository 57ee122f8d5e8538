/* SPDX-License-Identifier: MIT */
/*
 * Conclusions at the end of the capture: the SYNs that stayed unanswered, the connections that were
 * answered at the same time, and the reason.
 */
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "report/facts/connection_attempts.h"
#include "report/facts/connection_attempts_tally.h"
#include "report/facts/open_limit.h"
#include "report/facts/timestamps_behind.h"

/* The last SYN of a connection is unanswered once a second has passed without an answer. */
static void settle_last_syn(struct tw_opening *e, tcpwhy_ns end_ns, tw_unanswered_fn tell,
                            void *user)
{
    if (!e->last_open || e->last_syn_ns > end_ns - TW_SYN_TIMER_NS)
        return;
    e->unanswered += e->unanswered < UINT16_MAX;
    for (int i = 0; i < TW_N_SYN_EXTRAS; i++)
        e->extra_unanswered[i] += e->last_extras >> i & 1 && e->extra_unanswered[i] < UINT16_MAX;
    e->failed = true;
    tell(user, e->listener, e->last_syn_ns);
}

/* The silence lasts up to this SYN: answers since the last one, counted separately, fell into
 * it. */
static void reach(tcpwhy_ns *to_ns, tcpwhy_ns last_syn_ns, uint64_t *since, uint64_t *meanwhile)
{
    if (last_syn_ns <= *to_ns)
        return;
    *to_ns = last_syn_ns;
    *meanwhile += *since;
    *since = 0;
}

static void count_silence(struct tw_connection_attempts *o, const struct tw_opening *e)
{
    struct tw_tally *t = tw_tally_of(o, e->listener);
    struct tw_opening_host *h = tw_host_of(o, t);

    t->view.unanswered_syns += e->unanswered;
    t->view.waited += e->unanswered > 0;
    t->evidence.most_unanswered = MAX(t->evidence.most_unanswered, e->unanswered);
    if (e->unanswered == 0)
        return;
    t->evidence.recovered += e->outcome == TW_SETUP_OPEN;
    for (int i = 0; i < TW_N_SYN_EXTRAS; i++) {
        t->evidence.extra[i].unanswered += e->extra_unanswered[i];
        if (e->extra_unanswered[i] > 0 && e->syn_ns - t->extra_ns[i] >= TW_SYN_TIMER_NS) {
            t->extra_ns[i] = e->syn_ns;
            t->evidence.extra[i].times++;
        }
    }
    t->from_ns = MIN(t->from_ns, e->syn_ns);
    h->silent_ns = MIN(h->silent_ns, e->syn_ns);
    reach(&t->to_ns, e->last_syn_ns, &t->answered_since, &t->evidence.answered_meanwhile);
    reach(&h->until_ns, e->last_syn_ns, &h->since, &h->meanwhile);
}

/* A host is heard as a client too. */
static void hear_client(const struct tw_connection_attempts *o, const struct tw_opening *e)
{
    struct tcpwhy_endpoint address = { .version = e->version };
    struct tw_opening_host *h;

    memcpy(address.address, e->client, sizeof e->client);
    h = tw_hash_table_lookup(o->by_address, &address);
    if (h)
        h->frames += e->client_frames;
}

static void weigh(const struct tw_connection_attempts *o, struct tw_tally *t)
{
    struct tw_opening_host *h = tw_host_of(o, t);
    struct tw_retransmit_evidence *e = &t->evidence;

    e->syns = t->view.syns;
    e->unanswered = t->view.unanswered_syns;
    e->waited = t->view.waited;
    e->overflows = t->view.accept_overflows;
    e->answers_lost = t->view.answers_lost;
    e->host_frames = h->frames;
    e->data_loss = h->served_frames ? (double)h->retransmissions / (double)h->served_frames : 0;
    t->heavy = e->unanswered > 0 && h->frames > 0 && !tw_unanswered_syns_is_sparse(e);
    if (!t->heavy)
        return;
    tw_interval_overlap_add(&h->waiting, t->from_ns, t->to_ns);
    h->from_ns = MIN(h->from_ns, t->from_ns);
    h->to_ns = MAX(h->to_ns, t->to_ns);
}

/* Is it an established connection? A RST alone, for one that the capture does not hold, is none. */
static bool is_established(const struct tw_opening *e)
{
    return e->outcome == TW_SETUP_OPEN ||
           (e->outcome == TW_SETUP_UNSEEN && (e->client_frames > 0 || !e->released));
}

/* Count the connections that were answered while others were not. */
static void look_around(const struct tw_connection_attempts *o, const struct tw_opening *e)
{
    struct tw_tally *t = tw_tally_of(o, e->listener);
    struct tw_opening_host *h = tw_host_of(o, t);

    if (e->unanswered > 0 || e->server_frames == 0)
        return;
    t->evidence.answered_between +=
        e->answer_ns != TCPWHY_NS_UNKNOWN && e->syn_ns > t->from_ns && e->answer_ns < t->to_ns;
    t->evidence.answered_meanwhile += e->answer_ns != TCPWHY_NS_UNKNOWN && t->to_ns >= t->from_ns &&
                                      e->answer_ns >= t->from_ns - TW_SYN_TIMER_NS &&
                                      e->answer_ns <= t->to_ns + TW_SYN_TIMER_NS;
    h->meanwhile += is_established(e) && h->from_ns <= h->to_ns && e->first_ns <= h->to_ns &&
                    e->last_ns >= h->from_ns;
}

/* The same of one that is settled before the end. Silences may still begin, or go on: what may
 * turn out to fall into one is counted apart until reach() knows. */
static void look_back(const struct tw_connection_attempts *o, const struct tw_opening *e)
{
    struct tw_tally *t = tw_tally_of(o, e->listener);
    struct tw_opening_host *h = tw_host_of(o, t);

    if (e->unanswered > 0 || e->server_frames == 0)
        return;
    if (e->answer_ns != TCPWHY_NS_UNKNOWN && e->answer_ns >= t->from_ns - TW_SYN_TIMER_NS) {
        if (e->answer_ns <= t->to_ns + TW_SYN_TIMER_NS)
            t->evidence.answered_meanwhile++;
        else
            t->answered_since++;
    }
    if (is_established(e) && e->last_ns >= h->silent_ns) {
        if (e->first_ns <= h->until_ns)
            h->meanwhile++;
        else
            h->since++;
    }
}

guint tw_connection_attempts_settle(struct tw_connection_attempts *o, tw_unanswered_fn tell,
                                    void *user)
{
    guint n = (o->all->len + 1) / 2;

    for (guint i = 0; i < n; i++) {
        struct tw_opening *e = &tw_array_index(o->all, struct tw_opening, i);

        settle_last_syn(e, INT64_MAX, tell, user);
        count_silence(o, e);
        hear_client(o, e);
    }
    for (guint i = 0; i < n; i++)
        look_back(o, &tw_array_index(o->all, struct tw_opening, i));
    return n;
}

void tw_connection_attempts_drop(struct tw_connection_attempts *o, guint n)
{
    tw_array_remove_range(o->all, 0, n);
    o->settled += n;
}

static void count_hosts(const struct tw_connection_attempts *o, struct tw_retransmit_evidence *all,
                        struct tw_interval_overlap *waiting)
{
    for (guint i = 0; i < o->hosts->len; i++) {
        struct tw_opening_host *h = tw_ptr_array_index(o->hosts, i);

        all->hosts_silent += h->asked && h->frames == 0;
        all->hosts_answering += h->answered;
        tw_interval_overlap_sort(&h->waiting);
        if (h->from_ns <= h->to_ns)
            tw_interval_overlap_add(waiting, h->from_ns, h->to_ns);
    }
    tw_interval_overlap_sort(waiting);
}

/* A filter and a dead host do not care for ports. */
static bool is_host_wide(const struct tw_tally *t)
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

/* All openings sorted by listener, and by time for each: those of listener i from first[i] to
 * first[i + 1]. */
struct by_listener {
    struct tw_opening **opening;
    guint *first;
};

static struct by_listener sort_by_listener(const struct tw_connection_attempts *o)
{
    struct by_listener by = { tw_new(struct tw_opening *, o->all->len + 1),
                              tw_new0(guint, o->tallies->len + 2) };

    for (guint i = 0; i < o->all->len; i++)
        by.first[tw_array_index(o->all, struct tw_opening, i).listener + 2]++;
    for (guint i = 2; i < o->tallies->len + 2; i++)
        by.first[i] += by.first[i - 1];
    for (guint i = 0; i < o->all->len; i++) {
        struct tw_opening *e = &tw_array_index(o->all, struct tw_opening, i);

        by.opening[by.first[e->listener + 1]++] = e;
    }
    return by;
}

/* A SYN/ACK and two repeats: a client that lacks them has repeated its SYN by then (RFC 6298,
 * section 2). */
#define LEAST_SYN_ACKS 3

static bool is_forlorn(const struct tw_opening *e)
{
    return e->outcome == TW_SETUP_HALF_OPEN && e->client_frames == 1;
}

static int by_client(const void *a, const void *b)
{
    const struct tw_opening *x = *(struct tw_opening *const *)a,
                            *y = *(struct tw_opening *const *)b;

    return memcmp(x->client, y->client, sizeof x->client);
}

/* People who wait come back, with another SYN or another connection; invented addresses do not. A
 * few whose SYN/ACKs were repeated twice prove nothing. */
static void count_forlorn(struct tw_opening *const *own, guint n,
                          struct tw_retransmit_evidence *out)
{
    struct tw_opening **sorted = tw_memdup2(own, n * sizeof(struct tw_opening *));
    uint64_t proven = 0;

    qsort(sorted, n, sizeof(struct tw_opening *), by_client);
    for (guint i = 0; i < n; i++) {
        if (!is_forlorn(sorted[i]) || (i > 0 && !by_client(&sorted[i - 1], &sorted[i])) ||
            (i + 1 < n && !by_client(&sorted[i], &sorted[i + 1])))
            continue;
        out->forlorn++;
        out->forlorn_again += sorted[i]->server_frames > 1;
        proven += sorted[i]->server_frames >= LEAST_SYN_ACKS;
    }
    tw_free(sorted);
    if (proven < TW_LEAST_HALF_OPEN)
        out->forlorn = out->forlorn_again = 0;
}

/* A host that asks itself is captured at both ends. */
static bool is_client_there(const struct tw_opening_host *host, const struct tw_opening *opening)
{
    return memcmp(host->address.address, opening->client, sizeof opening->client) == 0;
}

static void decide(const struct tw_connection_attempts *o, guint listener,
                   const struct by_listener *by, const struct tw_retransmit_evidence *all,
                   const struct tw_interval_overlap *waiting)
{
    struct tw_opening *const *own = by->opening + by->first[listener];
    guint n = by->first[listener + 1] - by->first[listener];
    struct tw_tally *t = tw_tally_of(o, listener);
    struct tw_opening_host *h = tw_host_of(o, t);
    struct tw_retransmit_evidence *e = &t->evidence;
    struct tw_unanswered_syns silence;

    e->hosts_silent = all->hosts_silent;
    e->hosts_answering = all->hosts_answering;
    e->host_meanwhile = h->from_ns <= h->to_ns ? h->meanwhile : 0;
    e->alone = ((t->heavy && e->answered > 0) || e->overflows > 0) &&
               tw_open_none(own, n, e->overflows == 0);
    if (t->heavy) {
        if (e->overflows == 0)
            e->limit = tw_open_limit(own, n);
        tw_timestamps_behind(own, n, e);
        e->ports_waiting = tw_interval_overlap_count(&h->waiting, t->from_ns - TW_SYN_TIMER_NS,
                                                     t->to_ns + TW_SYN_TIMER_NS);
        e->hosts_waiting = tw_interval_overlap_count(waiting, t->from_ns - TW_SYN_TIMER_NS,
                                                     t->to_ns + TW_SYN_TIMER_NS);
    }
    if (t->view.half_open >= TW_LEAST_HALF_OPEN)
        count_forlorn(own, n, e);
    silence = tw_unanswered_syns_decide(e);
    if (silence.what == TCPWHY_SILENCE_BACKLOG && t->heavy && o->settled == 0 &&
        (e->at_server || is_client_there(h, own[0])))
        e->queue_most = tw_open_queue(own, n);
    t->view.silence = silence.what;
    t->view.silence_confidence = silence.confidence;
    t->view.silence_rival = silence.rival;
    set_share(&t->view);
    if (is_host_wide(t))
        add_to_sum(&h->sum, &t->view);
}

void tw_connection_attempts_close(struct tw_connection_attempts *o, tcpwhy_ns end_ns,
                                  tw_unanswered_fn tell, void *user)
{
    struct tw_retransmit_evidence all = { 0 };
    struct tw_interval_overlap waiting = { 0 };
    struct by_listener by;

    for (guint i = 0; i < o->all->len; i++) {
        struct tw_opening *e = &tw_array_index(o->all, struct tw_opening, i);

        settle_last_syn(e, end_ns, tell, user);
        count_silence(o, e);
        hear_client(o, e);
    }
    for (guint i = 0; i < o->tallies->len; i++)
        weigh(o, tw_tally_of(o, i));
    for (guint i = 0; i < o->all->len; i++)
        look_around(o, &tw_array_index(o->all, struct tw_opening, i));
    count_hosts(o, &all, &waiting);
    by = sort_by_listener(o);
    for (guint i = 0; i < o->tallies->len; i++)
        decide(o, i, &by, &all, &waiting);
    tw_free(by.opening);
    tw_free(by.first);
    tw_interval_overlap_clear(&waiting);
}

void tw_connection_attempts_view(const struct tw_connection_attempts *o, guint listener,
                                 struct tcpwhy_openings *view)
{
    *view = tw_tally_of(o, listener)->view;
}

bool tw_connection_attempts_host_wide(const struct tw_connection_attempts *o, guint listener)
{
    return is_host_wide(tw_tally_of(o, listener));
}

void tw_connection_attempts_host_view(const struct tw_connection_attempts *o, guint listener,
                                      struct tcpwhy_openings *view)
{
    const struct tw_tally *t = tw_tally_of(o, listener);

    *view = is_host_wide(t) ? tw_host_of(o, t)->sum : t->view;
    view->silence = t->view.silence;
    view->silence_confidence = t->view.silence_confidence;
    view->silence_rival = t->view.silence_rival;
}

const struct tw_retransmit_evidence *
tw_connection_attempts_evidence(const struct tw_connection_attempts *o, guint listener)
{
    return &tw_tally_of(o, listener)->evidence;
}

tw_array *tw_connection_attempts_all(struct tw_connection_attempts *o)
{
    return o->all;
}
