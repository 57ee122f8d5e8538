/* SPDX-License-Identifier: MIT */
#include "names/neighbours.h"

#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "names/host.h"

/* A host asks again after a second, three times (RFC 4861, 10: RETRANS_TIMER,
 * MAX_MULTICAST_SOLICIT; Linux does the same for ARP). What it asks later is asked anew. */
#define AGAIN_NS TCPWHY_S(3)

/* The packet that waits for an answer is sent by whatever takes the answer in. */
#define RELEASED_NS TCPWHY_MS(10)

struct pair {
    struct tcpwhy_endpoint asker, target;
};

struct tw_neighbours {
    tw_array *all;        /* struct tw_neighbour */
    tw_hash_table *pairs; /* struct pair to the number of its newest */
    tw_hash_table *last;  /* struct tcpwhy_endpoint of an asker to the one that answered last */
    tw_hash_table *speak; /* struct tcpwhy_endpoint: hosts that were heard */
    guint most;
};

static uint64_t hash_pair(gconstpointer key, uint64_t seed)
{
    const struct pair *p = key;

    return tw_host_hash(&p->asker, tw_host_hash(&p->target, seed));
}

static gboolean same_pair(gconstpointer a, gconstpointer b)
{
    const struct pair *x = a, *y = b;

    return tw_host_equal(&x->asker, &y->asker) && tw_host_equal(&x->target, &y->target);
}

struct tw_neighbours *tw_neighbours_new(guint most)
{
    struct tw_neighbours *n = tw_new0(struct tw_neighbours, 1);

    n->all = tw_array_new(FALSE, FALSE, sizeof(struct tw_neighbour));
    n->pairs = tw_hash_table_new_full(hash_pair, same_pair, tw_free, NULL);
    n->last = tw_hash_table_new_full(tw_host_hash, tw_host_equal, tw_free, NULL);
    n->speak = tw_hash_table_new_full(tw_host_hash, tw_host_equal, tw_free, NULL);
    n->most = most;
    return n;
}

void tw_neighbours_free(struct tw_neighbours *n)
{
    if (!n)
        return;
    tw_array_free(n->all, TRUE);
    tw_hash_table_destroy(n->pairs);
    tw_hash_table_destroy(n->last);
    tw_hash_table_destroy(n->speak);
    tw_free(n);
}

struct tw_neighbour *tw_neighbours_at(const struct tw_neighbours *n, guint i)
{
    return &tw_array_index(n->all, struct tw_neighbour, i);
}

guint tw_neighbours_n(const struct tw_neighbours *n)
{
    return n->all->len;
}

static bool is_nobody(const struct tcpwhy_endpoint *e)
{
    static const uint8_t zero[16];

    return memcmp(e->address, zero, sizeof zero) == 0;
}

static void hear(struct tw_neighbours *n, const struct tcpwhy_endpoint *host)
{
    if (tw_hash_table_size(n->speak) < n->most && !tw_hash_table_contains(n->speak, host))
        tw_hash_table_add(n->speak, tw_memdup2(host, sizeof *host));
}

static void ask(struct tw_neighbours *n, const struct pair *p, tcpwhy_ns at_ns, uint32_t frame)
{
    guint i = tw_host_number(n->pairs, p, TW_NO_NEIGHBOUR);
    struct tw_neighbour *known = i == TW_NO_NEIGHBOUR ? NULL : tw_neighbours_at(n, i);
    struct tw_neighbour new = { .asker = p->asker,
                                .target = p->target,
                                .n_requests = 1,
                                .first_frame = frame,
                                .last_frame = frame,
                                .first_ns = at_ns,
                                .last_ns = at_ns,
                                .answered_ns = TCPWHY_NS_UNKNOWN };

    if (known && known->answered_ns == TCPWHY_NS_UNKNOWN && at_ns - known->last_ns <= AGAIN_NS) {
        known->n_requests++;
        known->last_ns = at_ns;
        known->last_frame = frame;
        return;
    }
    if (n->all->len >= n->most)
        return;
    tw_array_append_val(n->all, new);
    tw_hash_table_replace(n->pairs, tw_memdup2(p, sizeof *p), GUINT_TO_POINTER(n->all->len - 1));
}

/* Another host answers the same question: both claim the address (RFC 5227, 2.4). */
static void note_claim(struct tw_neighbour *known, const struct tw_dissection *m, tcpwhy_ns at_ns)
{
    static const uint8_t none[sizeof m->hardware];

    if (at_ns - known->last_ns <= AGAIN_NS && memcmp(known->hardware[0], none, sizeof none) != 0 &&
        memcmp(known->hardware[0], m->hardware, sizeof none) != 0)
        memcpy(known->hardware[1], m->hardware, sizeof none);
}

static void answer(struct tw_neighbours *n, const struct pair *p, const struct tw_dissection *m,
                   tcpwhy_ns at_ns, uint32_t frame)
{
    guint i = tw_host_number(n->pairs, p, TW_NO_NEIGHBOUR);
    struct tw_neighbour *known = i == TW_NO_NEIGHBOUR ? NULL : tw_neighbours_at(n, i);

    if (!known)
        return;
    if (known->answered_ns != TCPWHY_NS_UNKNOWN) {
        note_claim(known, m, at_ns);
        return;
    }
    memcpy(known->hardware[0], m->hardware, sizeof m->hardware);
    known->answered_ns = at_ns;
    known->answer_frame = frame;
    tw_hash_table_replace(n->last, tw_memdup2(&p->asker, sizeof p->asker), GUINT_TO_POINTER(i));
}

void tw_neighbours_take(struct tw_neighbours *n, const struct tw_dissection *m, tcpwhy_ns at_ns,
                        uint32_t frame)
{
    struct tcpwhy_endpoint from = tw_tuple_endpoint(&m->segment.tuple, 0);
    struct tcpwhy_endpoint to = tw_tuple_endpoint(&m->segment.tuple, 1);

    if (is_nobody(&from) || tw_host_equal(&from, &to)) /* a probe, an announcement (RFC 5227) */
        return;
    hear(n, &from);
    if (m->neighbour_answers)
        answer(n, &(struct pair) { to, from }, m, at_ns, frame);
    else
        ask(n, &(struct pair) { from, to }, at_ns, frame);
}

guint tw_neighbours_before(const struct tw_neighbours *n, const struct tcpwhy_endpoint *host,
                           tcpwhy_ns at_ns)
{
    guint i = tw_host_number(n->last, host, TW_NO_NEIGHBOUR);

    if (i == TW_NO_NEIGHBOUR || tw_neighbours_at(n, i)->taken ||
        at_ns - tw_neighbours_at(n, i)->answered_ns > RELEASED_NS)
        return TW_NO_NEIGHBOUR;
    return i;
}

bool tw_neighbours_speaks(const struct tw_neighbours *n, const struct tcpwhy_endpoint *host)
{
    return tw_hash_table_contains(n->speak, host);
}
