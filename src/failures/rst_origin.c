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
#define NEAR_SHARE    0.5
#define MS_OF(ns)     ((double)(ns) / 1e6)
#define FAR_OFF_IP_ID 4096

/* A box at this part of the path from the vantage to a side (0 to 1). */
static enum tcpwhy_culprit box_at(const struct tw_cut *cut, enum tcpwhy_side side, double part)
{
    enum tcpwhy_vantage place = cut->vantage->place;
    bool near_vantage = part <= NEAR_SHARE;

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

/* Only if the side's kernel answered: a program's answers may all take longer than the RTT. */
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

/* A kernel that has the connection resets it with ACK; one that has not, without (RFC 9293,
 * 3.10.7.1). A RST need not have the timestamps of other segments (RFC 7323, 3.2). */
static void look_at_form(const struct tw_cut *cut, const struct tw_record *rst, struct clues *clues,
                         struct tw_failure *out)
{
    const struct tw_side *side = &cut->connection->side[rst->from];

    if (!(rst->flags & TW_ACK)) {
        tw_failure_clue(out, TW_CLUE_NO_STATE, 0, 0);
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
    uint16_t step;

    if (rst->ip_id == 0 || side->ids_lack || side->id_steps < 2 || !last || last->ip_id == 0)
        return;
    step = (uint16_t)(rst->ip_id - last->ip_id);
    if (step < FAR_OFF_IP_ID)
        return;
    tw_failure_clue(out, TW_CLUE_IP_ID, rst->ip_id, last->ip_id);
    clues->foreign = true;
}

static void look_at_seq(const struct tw_cut *cut, const struct tw_record *rst,
                        struct tw_failure *out)
{
    int64_t expected = cut->acked[rst->from];

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
    look_at_form(cut, rst, &clues, out);
    look_at_ip_id(cut, rst, &clues, out);
    look_at_seq(cut, rst, out);
    if (clues.box) {
        /* faster than the path, yet as many hops: one of them misleads */
        if (!clues.foreign)
            out->confidence = TCPWHY_LIKELY;
        out->who = box_at(cut, rst->from ? TCPWHY_SERVER : TCPWHY_CLIENT, clues.part);
        return;
    }
    out->who = rst->from ? TCPWHY_BY_SERVER : TCPWHY_BY_CLIENT;
    if (clues.foreign) {
        out->who = TCPWHY_BY_BOX;
        out->confidence = TCPWHY_LIKELY;
    }
}
