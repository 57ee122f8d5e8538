/* SPDX-License-Identifier: MIT */
/*
 * SYN/ACKs reach the client's host, and its kernel keeps retransmitting SYNs: a reverse path filter
 * or a local firewall drops them after the capture point.
 */
#include "failures/attempt.h"
#include "failures/kind.h"

/* A single SYN/ACK may be lost after the capture point. */
#define LEAST_IGNORED 2

static bool is_fresh(uint8_t ttl)
{
    return ttl == 64 || ttl == 128 || ttl == 255;
}

/* The first hop has taken nothing off that side's TTL yet, and others off the other one's. */
static bool is_at(const struct tw_cut *cut, enum tcpwhy_side side)
{
    if (cut->vantage->place != TCPWHY_VANTAGE_UNKNOWN)
        return cut->vantage->place ==
               (side == TCPWHY_CLIENT ? TCPWHY_VANTAGE_CLIENT : TCPWHY_VANTAGE_SERVER);
    return is_fresh(cut->ttl[side]) && !is_fresh(cut->ttl[!side]);
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    struct tw_attempt a;

    if (!tw_attempt_read(cut, &a) || a.opened || a.syn_acks < LEAST_IGNORED ||
        a.syns_after < LEAST_IGNORED || cut->rst[TCPWHY_CLIENT] != TW_NO_RECORD)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_ANSWER_IGNORED, TCPWHY_FAILED_CONNECT,
                     TCPWHY_SEEN_TIMEOUT);
    out->who = is_at(cut, TCPWHY_SERVER) ? TCPWHY_BY_UNKNOWN : TCPWHY_BY_CLIENT;
    out->confidence = is_at(cut, TCPWHY_CLIENT) ? TCPWHY_LIKELY : TCPWHY_AMBIGUOUS;
    out->time_ns = cut->log->record[a.syn_ack].time_ns;
    out->after_ns = tw_cut_between(cut, a.first, a.last);
    tw_failure_frame(out, cut, a.first);
    tw_failure_frame(out, cut, a.syn_ack);
    tw_failure_frame(out, cut, a.last);
    tw_failure_clue(out, TW_CLUE_SYNS, a.syns, a.syn_acks);
    return true;
}

const struct tw_failure_detector tw_failure_answer_ignored = {
    .kind = TCPWHY_FAILURE_ANSWER_IGNORED,
    .find = find,
};
