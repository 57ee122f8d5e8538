/* SPDX-License-Identifier: MIT */
#include "failures/rst_origin.h"

#include <stdlib.h>

#include <glib.h>

/* Initial TTLs of stacks: 32 old Windows, 64 Unix, 128 Windows, 255 network devices. */
static unsigned hops(uint8_t ttl)
{
    static const uint8_t initial[] = { 32, 64, 128, 255 };
    unsigned i = 0;

    while (ttl > initial[i])
        i++;
    return initial[i] - (unsigned)ttl;
}

/* Routes that change by a hop or two while a connection lasts are no other host. */
#define TTL_DIFFERS 3

/* An answer within this share of the RTT came over a shorter path, if the RTT is longer than a
 * host's reaction time: jitter is smaller. */
#define SOON_SHARE    0.7
#define LEAST_ROUND   TCPWHY_MS(2)
#define NEAR_SHARE    0.4 /* of the hops or of the time; a box in the middle is near neither */
#define MS_OF(ns)     ((double)(ns) / 1e6)
#define FAR_OFF_IP_ID 4096

/* A box at this part of the path from the vantage to a side (0 to 1). */
static enum tcpwhy_culprit box_at(const struct tw_cut *cut, enum tcpwhy_side side, double part)
{
    enum tcpwhy_vantage place = cut->vantage->place;
    bool near_vantage = part <= NEAR_SHARE;

    if (part > NEAR_SHARE && part < 1 - NEAR_SHARE)
        return TCPWHY_BY_BOX;
    if (side == TCPWHY_SERVER && place == TCPWHY_VANTAGE_CLIENT)
        return near_vantage ? TCPWHY_BY_BOX_NEAR_CLIENT : TCPWHY_BY_BOX_NEAR_SERVER;
    if (side == TCPWHY_CLIENT && place == TCPWHY_VANTAGE_SERVER)
        return near_vantage ? TCPWHY_BY_BOX_NEAR_SERVER : TCPWHY_BY_BOX_NEAR_CLIENT;
    return TCPWHY_BY_BOX;
}

struct clues {
    bool box;     /* one clue that only a box leaves */
    double part;  /* of the path to the side, by hops or by time */
    bool foreign; /* another stack than the side's, at the same distance */
    bool far;     /* as slow as the side would have been */
};

static void look_at_ttl(const struct tw_cut *cut, const struct tw_record *rst, struct clues *clues,
                        struct tw_failure *out)
{
    uint8_t usual = cut->ttl[rst->from];
    unsigned of_rst = hops(rst->ttl), of_side = hops(usual);

    if (!cut->ttl_steady[rst->from])
        return;
    if (abs((int)rst->ttl - (int)usual) < TTL_DIFFERS) {
        tw_failure_clue(out, TW_CLUE_SAME_TTL, rst->ttl, usual);
        return;
    }
    tw_failure_clue(out, TW_CLUE_TTL, rst->ttl, usual);
    clues->foreign = true;
    if (of_rst < of_side) {
        clues->box = true;
        clues->part = (double)of_rst / (double)of_side;
    }
}

/* The RTT is known only if the side's kernel answered: a program's answers may all take longer. */
static bool is_round_trip_known(const struct tw_cut *cut, uint8_t side)
{
    return cut->vantage->timed[side] && cut->vantage->answered_by[side] >= TW_BY_ACKS;
}

static void look_at_time(const struct tw_cut *cut, const struct tw_record *rst, uint32_t answers,
                         struct clues *clues, struct tw_failure *out)
{
    tcpwhy_ns round_ns = 2 * cut->vantage->to_side_ns[rst->from];
    tcpwhy_ns took_ns;

    if (answers == TW_NO_RECORD || !is_round_trip_known(cut, rst->from) || round_ns < LEAST_ROUND)
        return;
    took_ns = rst->time_ns - cut->log->record[answers].time_ns;
    if ((double)took_ns >= SOON_SHARE * (double)round_ns) {
        tw_failure_clue(out, TW_CLUE_ROUND_TRIP, MS_OF(took_ns), MS_OF(round_ns));
        clues->far = true;
        return;
    }
    tw_failure_clue(out, TW_CLUE_TOO_SOON, MS_OF(took_ns), MS_OF(round_ns));
    clues->part = MIN(clues->part, (double)took_ns / (double)round_ns); /* it is no farther */
    clues->box = true;
}

/* Does the RST take the IP ID after that of its side's last segment? Then one host counted both. */
static bool takes_next_ip_id(const struct tw_cut *cut, const struct tw_record *rst)
{
    const struct tw_record *last = tw_cut_record(cut, cut->heard[rst->from]);

    return last && last->ip_id && rst->ip_id && (uint16_t)(rst->ip_id - last->ip_id) == 1;
}

/* The last segment of the RST's side before it, if that side had not closed. A SYN/ACK alone is no
 * connection yet: SYN cookies and full accept queues keep none. */
static uint32_t last_before(const struct tw_cut *cut, uint32_t rst)
{
    const uint8_t from = cut->log->record[rst].from;

    if (cut->fin[from] < rst)
        return TW_NO_RECORD;
    for (uint32_t i = rst; i-- > 0;) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from == from && !(r->flags & TW_RST))
            return r->flags & TW_SYN ? TW_NO_RECORD : i;
    }
    return TW_NO_RECORD;
}

/* A counter's next IP IDs, that of a whole host too, follow soon. */
static bool follows(const struct tw_record *later, const struct tw_record *earlier)
{
    uint16_t step = (uint16_t)(later->ip_id - earlier->ip_id);

    return later->ip_id != 0 && earlier->ip_id != 0 && step > 0 && step < FAR_OFF_IP_ID;
}

/* Does one counter give the IP IDs of the RST, and of the two segments of its side before it? */
static bool is_counted_with(const struct tw_cut *cut, uint32_t last, const struct tw_record *rst)
{
    for (uint32_t i = last; i-- > 0;)
        if (cut->log->record[i].from == rst->from)
            return follows(&cut->log->record[last], &cut->log->record[i]) &&
                   follows(rst, &cut->log->record[last]);
    return false;
}

/* A host forgets no connection that it has just used: in its name speaks somebody else. Where its
 * counter shows that it is the host, a program aborts, as the RFC has it (9293, 3.10.5). */
static void look_at_state(const struct tw_cut *cut, uint32_t i, struct clues *clues,
                          struct tw_failure *out)
{
    const struct tw_record *rst = &cut->log->record[i];
    const uint32_t last = last_before(cut, i);
    const tcpwhy_ns since_ns = tw_cut_between(cut, last, i);
    bool just = last != TW_NO_RECORD && since_ns < TW_LEAST_IDLE;

    if (just && is_counted_with(cut, last, rst)) {
        tw_failure_clue(out, TW_CLUE_IP_ID_FOLLOWS, rst->ip_id, cut->log->record[last].ip_id);
        return;
    }
    tw_failure_clue(out, TW_CLUE_NO_STATE, 0, 0);
    if (!just)
        return;
    tw_failure_clue(out, TW_CLUE_JUST_SPOKE, MS_OF(since_ns), 0);
    clues->foreign = true;
}

/* A kernel that has the connection resets it with ACK; one that has not, without (RFC 9293,
 * 3.10.7.1). A RST need not have the timestamps of other segments (RFC 7323, 3.2). */
static void look_at_form(const struct tw_cut *cut, uint32_t i, struct clues *clues,
                         struct tw_failure *out)
{
    const struct tw_record *rst = &cut->log->record[i];
    const struct tw_side *side = &cut->connection->side[rst->from];

    if (!(rst->flags & TW_ACK)) {
        look_at_state(cut, i, clues, out);
        return;
    }
    tw_failure_clue(out, TW_CLUE_SOCKET, 0, 0);
    if (side->timestamps && !(rst->options & TW_OPT_TIMESTAMP)) {
        tw_failure_clue(out, TW_CLUE_NO_TIMESTAMPS, 0, 0);
        clues->foreign |= !takes_next_ip_id(cut, rst);
    }
}

/* A host-wide counter continues by small steps; Linux sends 0 without a socket. */
static void look_at_ip_id(const struct tw_cut *cut, const struct tw_record *rst,
                          struct clues *clues, struct tw_failure *out)
{
    const struct tw_side *side = &cut->connection->side[rst->from];
    const struct tw_record *last = tw_cut_record(cut, cut->heard[rst->from]);

    if (rst->ip_id == 0 || side->ids_lack || side->id_steps < 2 || !last || last->ip_id == 0 ||
        (uint16_t)(rst->ip_id - last->ip_id) < FAR_OFF_IP_ID)
        return;
    tw_failure_clue(out, TW_CLUE_IP_ID, rst->ip_id, last->ip_id);
    clues->foreign = true;
}

static void look_at_seq(const struct tw_cut *cut, const struct tw_record *rst,
                        struct tw_failure *out)
{
    int64_t expected = cut->acked[rst->from];

    /* one without ACK takes the number that the segment which it answers acknowledges */
    if (!(rst->flags & TW_ACK) && rst->seq <= cut->sent[rst->from] + 1)
        return;
    if (expected > 0 && rst->seq != expected && rst->seq != cut->sent[rst->from] &&
        rst->seq != cut->sent[rst->from] + 1)
        tw_failure_clue(out, TW_CLUE_OUT_OF_WINDOW, (double)(rst->seq - expected), 0);
}

void tw_rst_origin(const struct tw_cut *cut, uint32_t i, uint32_t answers, struct tw_failure *out)
{
    const struct tw_record *rst = tw_cut_record(cut, i);
    struct clues clues = { .part = 1 };

    if (!rst)
        return;
    look_at_ttl(cut, rst, &clues, out);
    look_at_time(cut, rst, answers, &clues, out);
    look_at_form(cut, i, &clues, out);
    look_at_ip_id(cut, rst, &clues, out);
    look_at_seq(cut, rst, out);
    if (clues.box) {
        /* faster than the path, yet as many hops: one of them misleads */
        if (!clues.foreign)
            out->confidence = TCPWHY_LIKELY;
        out->who = clues.far && clues.part <= NEAR_SHARE /* near by its hops, and not by its time */
                       ? TCPWHY_BY_BOX
                       : box_at(cut, rst->from ? TCPWHY_SERVER : TCPWHY_CLIENT, clues.part);
        return;
    }
    out->who = rst->from ? TCPWHY_BY_SERVER : TCPWHY_BY_CLIENT;
    if (clues.foreign) {
        out->who = TCPWHY_BY_BOX;
        out->confidence = TCPWHY_LIKELY;
    }
}

bool tw_rst_is_foreign(const struct tw_cut *cut, uint32_t i)
{
    struct tw_failure clues = { .n_clues = 0 };

    if (i == TW_NO_RECORD)
        return false;
    tw_rst_origin(cut, i, TW_NO_RECORD, &clues);
    return clues.who != TCPWHY_BY_CLIENT && clues.who != TCPWHY_BY_SERVER;
}
