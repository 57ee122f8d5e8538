/* SPDX-License-Identifier: MIT */
#include "report/facts/open_limit.h"

#include <stdlib.h>

#include "base/array.h"

/* Fewer dropped SYNs may meet the same number by chance. */
#define LEAST_DROPS 50

/* A limit of so few is a queue's: a program that accepts nothing drops at its backlog plus one. */
#define LEAST_LIMIT 32

/* A limit is a ceiling: the counts at dropped SYNs, from the median to the last tenth, are the same
 * but for this share. */
#define CEILING_SHARE 0.01

/* A counter may learn of a close late (nf_conncount looks for closed connections by and by): but
 * for the first quarter, the counts at dropped SYNs are not below this share of the limit. */
#define LATE_SHARE 0.85

/* One SYN of 20 may be answered at the limit, by frames that are under way. */
#define ANSWERED_PART 20

/* Time for which a closed connection still counts: 0 for a limit on open connections
 * (nf_conncount); for a connection table until its timer has run out
 * (nf_conntrack_tcp_timeout_time_wait). */
static const tcpwhy_ns kept_ns[] = { 0, TCPWHY_S(120) };

struct moments {
    tw_array *begun, *ended;      /* tcpwhy_ns, of connections that got past the limit */
    tw_array *dropped, *answered; /* of SYNs */
};

static int by_value(const void *a, const void *b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

static const tcpwhy_ns *sorted(tw_array *times)
{
    tw_array_sort(times, by_value);
    return (const tcpwhy_ns *)(const void *)times->data;
}

static void put(tw_array *times, tcpwhy_ns at_ns)
{
    tw_array_append_val(times, at_ns);
}

/* A connection without an end is still open; its first SYN is known to be dropped if more
 * followed. */
static void take(struct moments *m, const struct tw_opening *o, tcpwhy_ns kept)
{
    bool opened = o->outcome == TW_SETUP_OPEN || o->outcome == TW_SETUP_HALF_OPEN;

    if (o->outcome != TW_SETUP_UNSEEN && o->unanswered > 0)
        put(m->dropped, o->syn_ns);
    if (o->outcome == TW_SETUP_UNSEEN)
        put(m->begun, o->first_ns);
    else if (opened)
        put(m->begun, o->last_syn_ns);
    else
        return;
    if (opened)
        put(m->answered, o->last_syn_ns);
    if (o->released)
        put(m->ended, o->last_ns > INT64_MAX - kept ? INT64_MAX : o->last_ns + kept);
}

/* Replace each of these times by the number of connections then. */
static void count_at(const struct moments *m, tw_array *moments)
{
    tcpwhy_ns *at = (tcpwhy_ns *)(void *)moments->data;
    const tcpwhy_ns *begun = (const tcpwhy_ns *)(const void *)m->begun->data;
    const tcpwhy_ns *ended = (const tcpwhy_ns *)(const void *)m->ended->data;
    guint b = 0, e = 0;

    for (guint i = 0; i < moments->len; i++) {
        while (b < m->begun->len && begun[b] < at[i])
            b++;
        while (e < m->ended->len && ended[e] < at[i])
            e++;
        at[i] = b > e ? (tcpwhy_ns)(b - e) : 0;
    }
}

/* A queue holds what is opened and not accepted. A connection leaves it before its program speaks,
 * of which we hear a round trip later than of a SYN that is dropped meanwhile. aside: handshakes
 * that were set aside met a full one, too, some time after their SYN. */
static void take_queued(struct moments *m, const struct tw_opening *o, bool aside)
{
    bool unseen = o->outcome == TW_SETUP_UNSEEN;

    if (o->unanswered > 0 || (aside && o->set_aside))
        put(m->dropped, o->syn_ns);
    if (o->set_aside || (o->outcome != TW_SETUP_OPEN && !unseen))
        return;
    if (o->spoke_ns != TCPWHY_NS_UNKNOWN) {
        put(m->begun, o->answer_ns);
        put(m->ended, MAX(o->answer_ns, o->spoke_ns - (o->answer_ns - o->last_syn_ns)));
        return;
    }
    put(m->begun, unseen ? o->first_ns : o->last_syn_ns);
    if (o->released && o->served)
        put(m->ended, o->last_ns);
}

static uint32_t limit_of(struct moments *m)
{
    const tcpwhy_ns *dropped;
    tcpwhy_ns limit, above;
    guint n = m->dropped->len, quarter = n / 4, tenth = n / 10, at_limit = 0;

    sorted(m->begun);
    sorted(m->ended);
    sorted(m->dropped);
    sorted(m->answered);
    count_at(m, m->dropped);
    count_at(m, m->answered);
    dropped = sorted(m->dropped);
    limit = dropped[n / 2];
    above = dropped[n - 1 - tenth] - limit;
    if (limit < LEAST_LIMIT || (double)above > CEILING_SHARE * (double)limit ||
        (double)dropped[quarter] < LATE_SHARE * (double)limit)
        return 0;
    for (guint i = 0; i < m->answered->len; i++)
        at_limit += tw_array_index(m->answered, tcpwhy_ns, i) >= limit;
    return at_limit * ANSWERED_PART <= m->answered->len ? (uint32_t)MIN(limit, UINT32_MAX) : 0;
}

static struct moments new_moments(void)
{
    return (struct moments) { tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns)),
                              tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns)),
                              tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns)),
                              tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns)) };
}

static void free_moments(struct moments *m)
{
    tw_array_free(m->begun, TRUE);
    tw_array_free(m->ended, TRUE);
    tw_array_free(m->dropped, TRUE);
    tw_array_free(m->answered, TRUE);
}

static uint32_t find(struct tw_opening *const *attempts, guint n, tcpwhy_ns kept)
{
    struct moments m = new_moments();
    uint32_t limit = 0;

    for (guint i = 0; i < n; i++)
        take(&m, attempts[i], kept);
    if (m.dropped->len >= LEAST_DROPS)
        limit = limit_of(&m);
    free_moments(&m);
    return limit;
}

uint32_t tw_open_limit(struct tw_opening *const *attempts, guint n)
{
    uint32_t limit = 0;

    for (size_t i = 0; i < sizeof kept_ns / sizeof *kept_ns && !limit; i++)
        limit = find(attempts, n, kept_ns[i]);
    return limit;
}

/* Count the connections that may have waited in the queue at each drop. @return the counts, the
 * fewest first; to be released by tw_array_free(). */
static tw_array *queued(struct tw_opening *const *attempts, guint n, bool aside)
{
    struct moments m = new_moments();
    tw_array *counts = m.dropped;

    for (guint i = 0; i < n; i++)
        take_queued(&m, attempts[i], aside);
    sorted(m.begun);
    sorted(m.ended);
    sorted(m.dropped);
    count_at(&m, m.dropped);
    sorted(m.dropped);
    m.dropped = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    free_moments(&m);
    return counts;
}

bool tw_open_none(struct tw_opening *const *attempts, guint n, bool mostly)
{
    tw_array *counts = queued(attempts, n, true);
    guint place = mostly ? counts->len / 2 : counts->len - 1;
    bool none = counts->len > 0 && tw_array_index(counts, tcpwhy_ns, place) == 0;

    tw_array_free(counts, TRUE);
    return none;
}

uint32_t tw_open_queue(struct tw_opening *const *attempts, guint n)
{
    tw_array *counts = queued(attempts, n, false);
    tcpwhy_ns least = counts->len < LEAST_DROPS ? 0 : tw_array_index(counts, tcpwhy_ns, 0);

    tw_array_free(counts, TRUE);
    return (uint32_t)MIN(least, UINT32_MAX);
}
