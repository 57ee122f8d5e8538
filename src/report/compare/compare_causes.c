/* SPDX-License-Identifier: MIT */
/*
 * Two ledgers side by side, a line for each cause and party, and which of the differences matter.
 */
#include <string.h>

#include "base/array.h"
#include "base/causes.h"
#include "base/counts.h"
#include "base/ns.h"
#include "report/compare/compare.h"
#include "report/findings/materiality.h"

#define PARTIES 4

/* One refused connection in this many is worth mentioning. */
#define REFUSED_PART 100

#define MEGABYTE 1000000

/* A cause and a party in both ledgers. */
struct line {
    tcpwhy_ns ns[2];
    tcpwhy_ns by_confidence[2][3];
    uint64_t count[2];
};

bool tw_compare_waits(enum tcpwhy_cause cause)
{
    return cause != TCPWHY_CLIENT_IDLE && cause != TCPWHY_CLOSE && cause != TCPWHY_KEEP_ALIVE;
}

bool tw_compare_opens(enum tcpwhy_cause cause)
{
    return cause == TCPWHY_HANDSHAKE || cause == TCPWHY_CONNECT_RETRY ||
           cause == TCPWHY_CONNECT_REFUSED;
}

enum tcpwhy_change tw_compare_values(int64_t before, int64_t after, int64_t least)
{
    int64_t difference = before > after ? before - after : after - before;
    int64_t larger = MAX(before, after);

    if (difference < least || (double)difference < TW_SAME_SHARE * (double)larger)
        return TCPWHY_CHANGE_NONE;
    return after < before ? TCPWHY_CHANGE_BETTER : TCPWHY_CHANGE_WORSE;
}

tcpwhy_ns tw_cause_change_ns(const struct tcpwhy_cause_change *c, enum tcpwhy_when when)
{
    switch (c->by) {
    case TCPWHY_PER_EXCHANGE:
        return c->per_exchange_ns[when];
    case TCPWHY_PER_CONNECTION:
        return c->per_connection_ns[when];
    default:
        return c->per_megabyte_ns[when];
    }
}

static tcpwhy_ns part(tcpwhy_ns ns, uint64_t of)
{
    return of ? ns / (tcpwhy_ns)of : TCPWHY_NS_UNKNOWN;
}

/* ---- gathering ------------------------------------------------------------------------------- */

static void gather(struct line lines[][PARTIES], struct tw_listener_change *l,
                   enum tcpwhy_when when, const struct tcpwhy_ledger_entry *entry, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct tcpwhy_ledger_entry *e = &entry[i];
        struct line *line = &lines[e->cause][e->party];
        tcpwhy_ns *sure = &line->by_confidence[when][e->confidence];

        line->ns[when] = tw_ns_add(line->ns[when], e->ns);
        line->count[when] += e->count;
        *sure = tw_ns_add(*sure, e->ns);
        l->life_ns[when] = tw_ns_add(l->life_ns[when], e->ns);
        if (tw_compare_waits(e->cause))
            l->waited_ns[when] = tw_ns_add(l->waited_ns[when], e->ns);
        if (tw_cause_blames(e->cause))
            l->lost_ns[when] = tw_ns_add(l->lost_ns[when], e->ns);
    }
}

static enum tcpwhy_confidence confidence(const tcpwhy_ns by[3], tcpwhy_ns total_ns)
{
    if (by[TCPWHY_CERTAIN] >= total_ns / 2)
        return TCPWHY_CERTAIN;
    return by[TCPWHY_CERTAIN] + by[TCPWHY_LIKELY] >= total_ns / 2 ? TCPWHY_LIKELY
                                                                  : TCPWHY_AMBIGUOUS;
}

static struct tcpwhy_cause_change change_of(const struct tw_listener_change *l, int cause,
                                            int party, const struct line *line)
{
    struct tcpwhy_cause_change c = { .cause = (enum tcpwhy_cause)cause,
                                     .party = (enum tcpwhy_party)party,
                                     .by = tw_compare_opens((enum tcpwhy_cause)cause)
                                               ? TCPWHY_PER_CONNECTION
                                               : l->per };

    for (int when = 0; when < 2; when++) {
        c.ns[when] = line->ns[when];
        c.count[when] = line->count[when];
        c.confidence[when] = confidence(line->by_confidence[when], line->ns[when]);
        c.per_exchange_ns[when] = part(line->ns[when], l->latency[when].count);
        c.per_connection_ns[when] = part(line->ns[when], l->connections[when]);
        c.per_megabyte_ns[when] = TCPWHY_NS_UNKNOWN;
        if (l->payload_bytes[when] > 0)
            c.per_megabyte_ns[when] =
                tw_ns_from((double)line->ns[when] * MEGABYTE / (double)l->payload_bytes[when]);
        if (l->waited_ns[when] > 0 && tw_compare_waits(c.cause))
            c.share[when] = (double)line->ns[when] / (double)l->waited_ns[when];
    }
    return c;
}

/* ---- judging --------------------------------------------------------------------------------- */

static double units(const struct tw_listener_change *l, int when)
{
    return l->per == TCPWHY_PER_EXCHANGE     ? (double)l->latency[when].count
           : l->per == TCPWHY_PER_CONNECTION ? (double)l->connections[when]
                                             : (double)l->payload_bytes[when] / MEGABYTE;
}

/*
 * The longest that a request, a connection or a megabyte took in either capture. How long
 * connections took to open is no part of it: beside seconds of that nothing would seem to matter.
 */
static double longest_each(const struct tw_listener_change *l, struct line lines[][PARTIES])
{
    double longest = 0;

    for (int when = 0; when < 2; when++) {
        tcpwhy_ns ns = l->waited_ns[when];

        for (int cause = 0; cause < TW_N_CAUSES; cause++)
            for (int party = 0; party < PARTIES; party++)
                if (tw_compare_opens((enum tcpwhy_cause)cause))
                    ns -= lines[cause][party].ns[when];
        if (units(l, when) > 0)
            longest = MAX(longest, (double)ns / units(l, when));
    }
    return longest;
}

/* Is the difference worth a word? */
static bool matters(const struct tcpwhy_cause_change *c, double longest_ns)
{
    double before = (double)tw_cause_change_ns(c, TCPWHY_BEFORE);
    double after = (double)tw_cause_change_ns(c, TCPWHY_AFTER);
    double difference = before > after ? before - after : after - before;

    if (difference < TW_SAME_SHARE * MAX(before, after))
        return false;
    if (tw_compare_opens(c->cause))
        return difference >= (double)TW_MATERIAL_WAIT;
    return difference >= (double)TW_SAME_NS && difference >= TW_MATERIAL_SHARE * longest_ns;
}

static bool refusals_matter(const struct tw_listener_change *l)
{
    double before = (double)l->refused[0] / (double)l->connections[0];
    double after = (double)l->refused[1] / (double)l->connections[1];

    return (before > after ? before - after : after - before) * REFUSED_PART >= 1;
}

static enum tcpwhy_change judge(const struct tw_listener_change *l,
                                const struct tcpwhy_cause_change *c, double longest_ns)
{
    tcpwhy_ns before = tw_cause_change_ns(c, TCPWHY_BEFORE);
    tcpwhy_ns after = tw_cause_change_ns(c, TCPWHY_AFTER);
    bool refused = c->cause == TCPWHY_CONNECT_REFUSED;

    if (before == TCPWHY_NS_UNKNOWN || after == TCPWHY_NS_UNKNOWN)
        return TCPWHY_CHANGE_UNKNOWN;
    if (refused ? !refusals_matter(l) : !matters(c, longest_ns))
        return TCPWHY_CHANGE_NONE;
    if (!tw_cause_blames(c->cause))
        return TCPWHY_CHANGE_OTHER;
    if (after < before)
        return after < TW_SAME_NS && after < before / 100 ? TCPWHY_CHANGE_GONE
                                                          : TCPWHY_CHANGE_BETTER;
    return before < TW_SAME_NS && before < after / 100 ? TCPWHY_CHANGE_NEW : TCPWHY_CHANGE_WORSE;
}

static double distance(const struct tcpwhy_cause_change *c)
{
    double difference = 0;

    if (c->change != TCPWHY_CHANGE_UNKNOWN)
        difference = (double)tw_cause_change_ns(c, TCPWHY_AFTER) -
                     (double)tw_cause_change_ns(c, TCPWHY_BEFORE);
    return difference < 0 ? -difference : difference;
}

/* Better and worse first, then by the size of the change. */
static int by_weight(const void *a, const void *b)
{
    const struct tcpwhy_cause_change *x = a, *y = b;
    bool counts_x = tw_cause_blames(x->cause), counts_y = tw_cause_blames(y->cause);
    double dx = distance(x), dy = distance(y);

    if (counts_x != counts_y)
        return counts_x ? -1 : 1;
    if (dx != dy)
        return dx > dy ? -1 : 1;
    if (x->ns[0] + x->ns[1] != y->ns[0] + y->ns[1])
        return x->ns[0] + x->ns[1] > y->ns[0] + y->ns[1] ? -1 : 1;
    return x->cause != y->cause ? (int)x->cause - (int)y->cause : (int)x->party - (int)y->party;
}

void tw_compare_causes(struct tw_listener_change *l,
                       const struct tcpwhy_ledger_entry *const ledger[2], const size_t n[2],
                       tw_ptr_array *blocks)
{
    struct line lines[TW_N_CAUSES][PARTIES];
    tw_array *causes = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_cause_change));
    double longest_ns;
    gpointer view;

    memset(lines, 0, sizeof lines);
    for (int when = 0; when < 2; when++)
        gather(lines, l, (enum tcpwhy_when)when, ledger[when], n[when]);
    longest_ns = longest_each(l, lines);
    for (int cause = 0; cause < TW_N_CAUSES; cause++) {
        for (int party = 0; party < PARTIES; party++) {
            const struct line *line = &lines[cause][party];
            struct tcpwhy_cause_change c;

            if (line->count[0] + line->count[1] == 0 && line->ns[0] + line->ns[1] == 0)
                continue;
            c = change_of(l, cause, party, line);
            c.change = judge(l, &c, longest_ns);
            tw_array_append_val(causes, c);
        }
    }
    tw_array_sort(causes, by_weight);
    l->n_causes = causes->len;
    view = tw_array_free(causes, FALSE);
    l->causes = view;
    tw_ptr_array_add(blocks, view);
}
