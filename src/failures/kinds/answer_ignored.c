/* SPDX-License-Identifier: MIT */
/*
 * SYN/ACKs reach the client's host, and its kernel goes on asking: a reverse path filter or a local
 * firewall drops them behind the capture.
 */
#include "failures/attempt.h"
#include "failures/kind.h"

/* One SYN/ACK may be lost behind the capture. */
#define LEAST_IGNORED 2

/* The first hop has taken nothing off the client's TTL yet. */
static bool is_at_client(const struct tw_cut *cut)
{
    uint8_t client = cut->ttl[TCPWHY_CLIENT], server = cut->ttl[TCPWHY_SERVER];
    bool fresh = client == 64 || client == 128 || client == 255;

    if (cut->vantage->place != TCPWHY_VANTAGE_UNKNOWN)
        return cut->vantage->place == TCPWHY_VANTAGE_CLIENT;
    return fresh && server != 64 && server != 128 && server != 255;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    struct tw_attempt a;

    if (!tw_attempt_read(cut, &a) || a.opened || a.syn_acks < LEAST_IGNORED ||
        a.syns_after < LEAST_IGNORED || cut->rst[TCPWHY_CLIENT] != TW_NO_RECORD)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_ANSWER_IGNORED, TCPWHY_FAILED_CONNECT,
                     TCPWHY_SEEN_TIMEOUT);
    out->who = TCPWHY_BY_CLIENT;
    out->confidence = is_at_client(cut) ? TCPWHY_LIKELY : TCPWHY_AMBIGUOUS;
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
