/* SPDX-License-Identifier: MIT */
/*
 * A SYN is answered by a RST, or by an ICMP error.
 */
#include "failures/attempt.h"
#include "failures/kind.h"

/* A kernel without a listener refuses at once. Who takes longer has asked elsewhere first. */
#define LATE_REFUSAL TCPWHY_S(1)

/* Codes of "destination unreachable" that mean no host and no network, but a filter: RFC 1812,
 * 5.2.7.1 (3, 9, 10, 13); RFC 4443, 3.1 (1, 4, 5, 6). */
static bool is_filter(uint8_t version, uint16_t code)
{
    const uint32_t filter = version == 6 ? 1u << 1 | 1u << 4 | 1u << 5 | 1u << 6
                                         : 1u << 3 | 1u << 9 | 1u << 10 | 1u << 13;

    return code < 32 && filter >> code & 1;
}

/* Initial TTLs are 64 and more; a smaller one is chosen, to ask each router on the way. */
#define LARGEST_CHOSEN_TTL 32

/* The SYN used up its hop limit: routers forward it in a loop. */
static bool is_lost_in_loop(const struct tw_cut *cut, const struct tw_record *syn)
{
    return cut->log->icmp->kind == TW_ICMP_TIME_EXCEEDED && syn->ttl > LARGEST_CHOSEN_TTL;
}

static bool by_icmp(const struct tw_cut *cut, const struct tw_attempt *a, struct tw_failure *out)
{
    const struct tw_log_icmp *icmp = cut->log->icmp;
    const struct tw_record *first = tw_cut_record(cut, a->first);
    bool filter, lost;

    if (!first || cut->log->n_icmp == 0 || icmp->to != TCPWHY_CLIENT || a->syn_ack != TW_NO_RECORD)
        return false;
    lost = is_lost_in_loop(cut, first);
    if (icmp->kind != TW_ICMP_UNREACHABLE && !lost)
        return false;
    filter = !lost && is_filter(cut->connection->tuple.version, icmp->code);
    tw_failure_begin(out, TCPWHY_FAILURE_CONNECT_REFUSED, TCPWHY_FAILED_CONNECT,
                     filter ? TCPWHY_SEEN_REFUSED : TCPWHY_SEEN_UNREACHABLE);
    out->who = TCPWHY_BY_BOX;
    out->time_ns = icmp->time_ns;
    out->after_ns = icmp->time_ns - first->time_ns;
    tw_failure_frame(out, cut, a->last);
    out->frames[out->n_frames++] = icmp->frame;
    if (lost)
        tw_failure_clue(out, TW_CLUE_NO_HOPS_LEFT, first->ttl, 0);
    else
        tw_failure_clue(out, TW_CLUE_ICMP, icmp->code, filter);
    return true;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_record *rst;
    struct tw_attempt a;
    tcpwhy_ns took_ns;

    if (!tw_attempt_read(cut, &a) || a.opened)
        return false;
    rst = tw_cut_record(cut, a.refusal);
    if (!rst)
        return by_icmp(cut, &a, out);
    if (a.n_challenges > 0)
        return false;
    took_ns = tw_cut_between(cut, a.last, a.refusal);
    tw_failure_begin(out, TCPWHY_FAILURE_CONNECT_REFUSED, TCPWHY_FAILED_CONNECT,
                     TCPWHY_SEEN_REFUSED);
    out->who = TCPWHY_BY_SERVER;
    out->time_ns = rst->time_ns;
    out->after_ns = tw_cut_between(cut, a.first, a.refusal);
    tw_failure_frame(out, cut, a.last);
    tw_failure_frame(out, cut, a.refusal);
    if (took_ns < LATE_REFUSAL)
        return true;
    out->who = TCPWHY_BY_BOX;
    out->confidence = TCPWHY_LIKELY;
    tw_failure_clue(out, TW_CLUE_LATE_REFUSAL, (double)took_ns / 1e6, 0);
    return true;
}

const struct tw_failure_detector tw_failure_connect_refused = {
    .kind = TCPWHY_FAILURE_CONNECT_REFUSED,
    .find = find,
};
