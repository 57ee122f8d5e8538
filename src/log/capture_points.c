/* SPDX-License-Identifier: MIT */
#include "log/capture_points.h"

#include <string.h>

#include <glib.h>

#include "base/memory.h"
#include "log/clocks.h"
#include "log/duplicate_packets.h"
#include "log/view.h"

/* Minimum number of packets. With fewer, all must have a duplicate, and an IP identification or
 * a timestamp: a SYN refused twice may be identical. */
#define PAIRS_MIN 4

/* Required share of each side's records with a duplicate; the others were lost between the
 * points, or by a capture. */
#define PAIRED(n) ((n) / 4 * 3)

/* Closer points see the same; copies detected by the tracker may remain. */
#define CLOSE_NS TCPWHY_US(300)

/* Up to this share, ACKs of data not yet seen at a point come from frames that a capture lost or
 * wrote late; more come from a wrong assignment of points. */
#define FEW_AMISS(n) (2 + (n) / 50)

/* A host's IP ID rarely advances further while a packet is in flight. */
#define FEW_IDS 1000

/*
 * Assigns a sighting to the point nearer to its sender, or the farther one. Routers in between
 * reduce the TTL; without them the nearer point sees a packet first, unless its clock is late.
 */
struct points {
    const struct tw_connection *connection;
    const struct tw_log *log;
    struct tw_duplicate_packets duplicates;
    bool by_ttl[2];     /* by sender: duplicates differ in TTL ... */
    uint8_t far_ttl[2]; /* ... and this is the farther point's */
    bool *
        late; /* per record: without TTLs, the nearer point sees the packet second, or not at all */
};

static bool is_near(const struct points *p, uint32_t i)
{
    const struct tw_record *r = &p->log->record[i];
    uint32_t twin = p->duplicates.twin[i];

    if (p->by_ttl[r->from] && (twin == TW_NO_TWIN || r->ttl != p->log->record[twin].ttl))
        return r->ttl != p->far_ttl[r->from];
    return (twin == TW_NO_TWIN || i < twin) != p->late[i];
}

/* Was it seen at the point nearer to that side? */
static bool is_seen_at(const struct points *p, uint32_t i, enum tcpwhy_side side)
{
    return is_near(p, i) == (p->log->record[i].from == (uint8_t)side);
}

/* ---- assignment ------------------------------------------------------------------------------ */

/* Routers reduce the TTL of each packet by the same number. */
static void look_at_ttl(struct points *p, enum tcpwhy_side side)
{
    uint32_t lower = 0, n = 0;

    for (uint32_t i = 0; i < p->log->n; i++) {
        const struct tw_record *r = &p->log->record[i];
        uint32_t twin = p->duplicates.twin[i];

        if (r->from != (uint8_t)side || twin == TW_NO_TWIN || r->ttl >= p->log->record[twin].ttl)
            continue;
        if (n++ == 0)
            p->far_ttl[side] = r->ttl;
        lower += r->ttl == p->far_ttl[side];
    }
    p->by_ttl[side] = lower > 0 && lower >= PAIRED(p->duplicates.pairs[side]);
}

/* ACKs seen at the point nearer to a side, of data that had not passed it yet. */
static uint32_t count_amiss(const struct points *p, enum tcpwhy_side viewer)
{
    int64_t passed[2] = { p->connection->side[0].first, p->connection->side[1].first };
    uint32_t amiss = 0;

    for (uint32_t i = 0; i < p->log->n; i++) {
        const struct tw_record *r = &p->log->record[i];

        if (!is_seen_at(p, i, viewer))
            continue;
        amiss += r->ack > passed[!r->from];
        passed[r->from] = MAX(passed[r->from], tw_record_end(r));
    }
    return amiss;
}

static uint32_t weigh(const struct points *p)
{
    return count_amiss(p, TCPWHY_CLIENT) + count_amiss(p, TCPWHY_SERVER);
}

/* If nothing contradicts it, the clocks agree to within the one-way delay. Otherwise packets
 * appear too fast in one direction and too slow in the other. @return the discrepancy. */
static uint32_t compare_clocks(struct points *p)
{
    const tcpwhy_ns *least = p->duplicates.least;
    enum tcpwhy_side side =
        least[TCPWHY_CLIENT] > least[TCPWHY_SERVER] ? TCPWHY_SERVER : TCPWHY_CLIENT;
    uint32_t amiss = weigh(p);

    for (int i = 0; i < 2 && amiss > 0; i++, side = !side) {
        struct points other = *p;
        uint32_t others_amiss;

        other.late = tw_new0(bool, p->log->n);
        tw_clocks_compare(p->connection, p->log, &p->duplicates, side, other.late);
        others_amiss = weigh(&other);
        if (others_amiss < amiss) {
            amiss = others_amiss;
            memcpy(p->late, other.late, p->log->n * sizeof *p->late);
        }
        tw_free(other.late);
    }
    return amiss;
}

/* Was a packet sent before that one, by its sender's IP ID and clock? */
static bool is_older(const struct tw_record *r, const struct tw_record *than)
{
    uint16_t back = (uint16_t)(than->ip_id - r->ip_id);

    if (r->options & than->options & TW_OPT_TIMESTAMP && r->tsval != than->tsval)
        return (int32_t)(r->tsval - than->tsval) < 0;
    return r->ip_id && than->ip_id && back > 0 && back < FEW_IDS;
}

/* A single sighting, after packets that were sent later, is missing at the nearer point. */
static void find_strays(struct points *p)
{
    const struct tw_record *newest[2] = { NULL, NULL };

    for (uint32_t i = 0; i < p->log->n; i++) {
        const struct tw_record *r = &p->log->record[i], **near = &newest[r->from];

        if (p->duplicates.twin[i] == TW_NO_TWIN && *near && is_older(r, *near))
            p->late[i] = true;
        else if (is_near(p, i))
            *near = r;
    }
}

/* If some packets of a side appear at the farther point first and others do not, each may be
 * wrong. @return the largest delay among them; 0: they agree. */
static tcpwhy_ns find_doubt(const struct points *p)
{
    uint32_t late[2] = { 0, 0 };
    tcpwhy_ns most[2] = { 0, 0 };

    for (uint32_t i = 0; i < p->log->n; i++) {
        const struct tw_record *r = &p->log->record[i];

        if (!p->late[i] || p->by_ttl[r->from] || p->duplicates.twin[i] == TW_NO_TWIN)
            continue;
        late[r->from]++;
        most[r->from] =
            MAX(most[r->from], r->time_ns - p->log->record[p->duplicates.twin[i]].time_ns);
    }
    for (int i = 0; i < 2; i++)
        if (late[i] == 2 * p->duplicates.pairs[i])
            most[i] = 0;
    return MAX(most[TCPWHY_CLIENT], most[TCPWHY_SERVER]);
}

/* ---- detection ------------------------------------------------------------------------------- */

/* These fields differ in a retransmission. */
static bool is_one_packet(const struct tw_record *r)
{
    return r->ip_id || (r->options & TW_OPT_TIMESTAMP);
}

static bool are_paired(const struct points *p)
{
    const struct tw_duplicate_packets *t = &p->duplicates;
    uint32_t pairs = t->pairs[0] + t->pairs[1];

    for (int i = 0; i < 2; i++)
        if (t->pairs[i] == 0 || 2 * t->pairs[i] < PAIRED(t->n[i]))
            return false;
    return pairs >= PAIRS_MIN || (2 * pairs == p->log->n && is_one_packet(p->log->record));
}

/* Were all second sightings marked as copies before, right after the first? */
static bool is_settled(const struct points *p)
{
    for (int i = 0; i < 2; i++)
        if (p->duplicates.least[i] > CLOSE_NS)
            return false;
    for (uint32_t i = 0; i < p->log->n; i++)
        if (p->log->record[i].frame_class == TCPWHY_CLASS_RETRANSMISSION &&
            p->duplicates.twin[i] < i)
            return false;
    return true;
}

/* Are SYNs, or half of each side's packets, duplicated, but not nearly all? One of the points
 * may have started later, or stopped earlier. */
static bool has_pairs(const struct points *p)
{
    uint32_t apart[2] = { 0, 0 };

    for (uint32_t i = 0; i < p->log->n; i++) {
        const struct tw_record *r = &p->log->record[i];
        uint32_t twin = p->duplicates.twin[i];

        if (twin == TW_NO_TWIN || twin < i || !r->ip_id ||
            p->log->record[twin].time_ns - r->time_ns <= CLOSE_NS)
            continue;
        if (r->flags & TW_SYN)
            return true;
        apart[r->from]++;
    }
    return 4 * apart[TCPWHY_CLIENT] >= p->duplicates.n[TCPWHY_CLIENT] &&
           4 * apart[TCPWHY_SERVER] >= p->duplicates.n[TCPWHY_SERVER];
}

/* ---- selection ------------------------------------------------------------------------------- */

/* Concatenated files, the second with earlier times: they are unreliable. */
static bool is_appended(const struct points *p)
{
    uint32_t moved = 0;

    for (uint32_t i = 0; i < p->log->n; i++)
        moved += p->log->record[i].moved && p->duplicates.twin[i] < i;
    return moved > 1;
}

/* The side whose data waits knows the cause; if neither sends more, the client is the one that
 * waits. */
static enum tcpwhy_side viewer_of(const struct tw_connection *c)
{
    return c->side[TCPWHY_SERVER].bytes > c->side[TCPWHY_CLIENT].bytes ? TCPWHY_SERVER
                                                                       : TCPWHY_CLIENT;
}

static void find_view(struct points *p, struct tw_log *log, bool *seen)
{
    enum tcpwhy_side viewer = viewer_of(p->connection);
    bool appended = is_appended(p);
    uint32_t amiss = 0;

    if (!appended) {
        look_at_ttl(p, TCPWHY_CLIENT);
        look_at_ttl(p, TCPWHY_SERVER);
        amiss = compare_clocks(p);
        find_strays(p);
    }
    for (uint32_t i = 0; i < p->log->n; i++)
        seen[i] = appended ? i < p->duplicates.twin[i] : is_seen_at(p, i, viewer);
    log->points_unsure = p->duplicates.unsure || amiss > FEW_AMISS(log->n);
    log->points_ns = find_doubt(p);
}

bool tw_capture_points_settle(struct tw_connection *c, struct tw_log *log)
{
    struct points p = { .connection = c, .log = log };
    bool two;

    if (c->past.row != TW_NO_ROW || log->n == 0)
        return false;
    tw_duplicate_packets_find(log, c->hash, &p.duplicates);
    two = are_paired(&p) && !is_settled(&p);
    if (two) {
        bool *seen = tw_new(bool, log->n);

        p.late = tw_new0(bool, log->n);
        find_view(&p, log, seen);
        tw_view_keep(c, log, seen);
        tw_free(p.late);
        tw_free(seen);
    } else {
        log->points_unsure = has_pairs(&p);
    }
    tw_duplicate_packets_clear(&p.duplicates);
    return two;
}
