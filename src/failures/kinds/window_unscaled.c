/* SPDX-License-Identifier: MIT */
/*
 * A box that does not know the window scale drops what lies beyond the unscaled window.
 */
#include "failures/fates.h"
#include "failures/kind.h"

/* Loss that happens to hit only what lies beyond hits that four times by chance one time in 16 at
 * most, and spares as much. */
#define LEAST_SEGMENTS 4

/* ACKs that are under way move the box's edge: a few segments are on the other side of it. */
#define MOST_STRAYS 0.1

/* The first segments show as much as all, and a few of them show that no box dropped the lot. */
#define MOST_SEGMENTS 2000
#define FEW_SEGMENTS  64

struct counts {
    uint32_t beyond, beyond_lost;
    uint32_t within, within_lost;
    uint32_t first; /* record that was lost beyond */
    uint32_t window;
};

static void count_one(struct counts *c, uint32_t record, bool beyond, bool lost)
{
    c->within += !beyond;
    c->within_lost += !beyond && lost;
    c->beyond += beyond;
    c->beyond_lost += beyond && lost;
    if (beyond && lost && c->first == TW_NO_RECORD)
        c->first = record;
}

static bool passes_beyond(const struct counts *c)
{
    return c->beyond >= FEW_SEGMENTS && c->beyond - c->beyond_lost > MOST_STRAYS * c->beyond;
}

/* The box goes by the last window that passed it, as it reads that: a scaled one never shrinks so.
 */
static struct counts count(const struct tw_cut *cut, enum tcpwhy_side sender)
{
    unsigned shift = (uint8_t)cut->connection->side[!sender].wscale; /* of those that scale */
    struct counts c = { .first = TW_NO_RECORD };
    int64_t edge = 0;

    for (uint32_t i = 0;
         i < cut->log->n && c.beyond + c.within < MOST_SEGMENTS && !passes_beyond(&c); i++) {
        const struct tw_record *r = &cut->log->record[i];
        enum tw_fate fate;

        if (r->from != (uint8_t)sender) {
            if (r->flags & TW_ACK && !(r->flags & TW_RST)) {
                c.window = r->flags & TW_SYN ? r->window_bytes : r->window_bytes >> shift;
                edge = r->ack + c.window;
            }
            continue;
        }
        if (r->len == 0 || r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME || edge == 0)
            continue;
        fate = tw_fate_of(cut, i);
        if (fate != TW_FATE_UNKNOWN)
            count_one(&c, i, tw_record_end(r) > edge, fate == TW_FATE_LOST);
    }
    return c;
}

static bool is_unscaled(const struct counts *c)
{
    return c->beyond_lost >= LEAST_SEGMENTS && c->within >= LEAST_SEGMENTS &&
           c->beyond - c->beyond_lost <= MOST_STRAYS * c->beyond &&
           c->within_lost <= MOST_STRAYS * c->within;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    for (int side = 0; side < 2; side++) {
        const struct tw_side *receiver = &cut->connection->side[!side];
        struct counts c;

        if (receiver->wscale <= 0 || cut->connection->side[side].retransmissions < LEAST_SEGMENTS)
            continue;
        c = count(cut, (enum tcpwhy_side)side);
        if (!is_unscaled(&c))
            continue;
        tw_failure_begin(out, TCPWHY_FAILURE_WINDOW_UNSCALED, TCPWHY_FAILED_TRANSFER,
                         TCPWHY_SEEN_DELAY);
        out->who = TCPWHY_BY_BOX;
        out->confidence = TCPWHY_LIKELY;
        out->time_ns = cut->log->record[c.first].time_ns;
        out->after_ns = tw_fate_repairs_ns(cut, (enum tcpwhy_side)side);
        tw_failure_frame(out, cut, c.first);
        tw_failure_clue(out, TW_CLUE_BEYOND, c.beyond, c.beyond_lost);
        tw_failure_clue(out, TW_CLUE_WITHIN, c.within, c.within - c.within_lost);
        tw_failure_clue(out, TW_CLUE_SCALE, receiver->wscale, c.window);
        return true;
    }
    return false;
}

const struct tw_failure_detector tw_failure_window_unscaled = {
    .kind = TCPWHY_FAILURE_WINDOW_UNSCALED,
    .find = find,
};
