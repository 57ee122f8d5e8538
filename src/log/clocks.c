/* SPDX-License-Identifier: MIT */
#include "log/clocks.h"

#include <glib.h>

#include "base/memory.h"

/* Jitter of a path without a queue. */
#define WAY_VARIES_NS TCPWHY_US(300)

/* Before a record: data of the other side that had reached the sender's point, and what that
 * side had acknowledged at its own. */
struct before {
    int64_t came, acked;
};

/* A packet of the sender. */
struct passage {
    uint32_t first, second; /* records */
    bool amiss;             /* the sender's point cannot have seen it first */
    bool was[2];            /* best predecessor state if this one is late, or not */
};

struct clocks {
    const struct tw_log *log;
    const struct tw_duplicate_packets *duplicates;
    enum tcpwhy_side sender;
    struct before *before;
    struct passage *passage;
    uint32_t n;
    tcpwhy_ns limit_ns; /* by which a clock is early, beyond the delay without a queue */
};

static bool is_first(const struct clocks *c, uint32_t i)
{
    return c->duplicates->twin[i] == TW_NO_TWIN || i < c->duplicates->twin[i];
}

static void look_at_other(struct clocks *c, const struct tw_connection *connection)
{
    struct before b = { .came = connection->side[!c->sender].first };

    for (uint32_t i = 0; i < c->log->n; i++) {
        const struct tw_record *r = &c->log->record[i];

        c->before[i] = b;
        if (r->from == (uint8_t)c->sender)
            continue;
        if (is_first(c, i))
            b.acked = MAX(b.acked, r->ack);
        else
            b.came = MAX(b.came, tw_record_end(r));
    }
}

/* If it was seen first at its sender's point, would it acknowledge data before its arrival, or
 * be acknowledged before its own? */
static bool is_amiss(const struct clocks *c, uint32_t first, uint32_t second, int64_t sent)
{
    const struct tw_record *r = &c->log->record[first];
    int64_t end = tw_record_end(r);

    return r->ack > c->before[first].came || (end > sent && end <= c->before[second].acked);
}

static void list_passages(struct clocks *c)
{
    int64_t sent = 0;

    for (uint32_t i = 0; i < c->log->n; i++) {
        const struct tw_record *r = &c->log->record[i];
        uint32_t twin = c->duplicates->twin[i];

        if (r->from != (uint8_t)c->sender || twin == TW_NO_TWIN || twin < i)
            continue;
        c->passage[c->n++] = (struct passage) { i, twin, is_amiss(c, i, twin, sent), { 0 } };
        sent = MAX(sent, tw_record_end(r));
    }
}

static tcpwhy_ns apart(const struct clocks *c, const struct passage *p)
{
    return c->log->record[p->second].time_ns - c->log->record[p->first].time_ns;
}

/* @return false: the sightings are consistent. */
static bool find_limit(struct clocks *c)
{
    tcpwhy_ns most = -1;

    for (uint32_t i = 0; i < c->n; i++)
        if (c->passage[i].amiss)
            most = MAX(most, apart(c, &c->passage[i]));
    c->limit_ns = most + WAY_VARIES_NS;
    return most >= 0;
}

/* Cost, as a time, of assuming that a packet is late or not: no clock is early by more than the
 * limit, and inconsistent packets were late. */
static tcpwhy_ns against(const struct clocks *c, const struct passage *p, bool late)
{
    if (late)
        return apart(c, p) > c->limit_ns ? apart(c, p) : 0;
    return p->amiss ? c->limit_ns / 2 : 0;
}

/* Excess of the delay over the clock difference. */
static tcpwhy_ns taken(const struct clocks *c, const struct passage *p, bool late)
{
    return late ? -apart(c, p) : apart(c, p);
}

/* Queues change gradually: find the assignment with the smallest changes of delay from packet to
 * packet (Viterbi). @return whether the last packet is late. */
static bool smooth(struct clocks *c)
{
    tcpwhy_ns cost[2] = { against(c, c->passage, false), against(c, c->passage, true) };

    for (uint32_t i = 1; i < c->n; i++) {
        struct passage *p = &c->passage[i];
        tcpwhy_ns next[2];

        for (int late = 0; late < 2; late++) {
            tcpwhy_ns now = taken(c, p, late), way[2];

            for (int was = 0; was < 2; was++)
                way[was] = cost[was] + ABS(now - taken(c, p - 1, was));
            p->was[late] = way[1] < way[0];
            next[late] = MIN(way[0], way[1]) + against(c, p, late);
        }
        cost[0] = next[0];
        cost[1] = next[1];
    }
    return cost[1] < cost[0];
}

void tw_clocks_compare(const struct tw_connection *connection, const struct tw_log *log,
                       const struct tw_duplicate_packets *duplicates, enum tcpwhy_side sender,
                       bool *late)
{
    struct clocks c = { .log = log, .duplicates = duplicates, .sender = sender };

    c.before = tw_new0(struct before, log->n);
    c.passage = tw_new(struct passage, log->n);
    look_at_other(&c, connection);
    list_passages(&c);
    if (find_limit(&c)) {
        bool is_late = smooth(&c);

        for (uint32_t i = c.n; i-- > 0;) {
            late[c.passage[i].first] = late[c.passage[i].second] = is_late;
            is_late = c.passage[i].was[is_late];
        }
    }
    tw_free(c.before);
    tw_free(c.passage);
}
