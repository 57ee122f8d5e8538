/* SPDX-License-Identifier: MIT */
#include "base/counts.h"
#include "report/facts/unanswered_syns.h"

#include <stddef.h>

/* Packet loss that still lets TCP work leaves at most this part of SYNs unanswered. */
#define SPARSE_PART 4

/* Data lost as often as a quarter of the SYNs: the path loses both. */
#define LOSS_PART 4.0

/* Captured at the client, the sign of a full accept queue may be one ACK lost after the vantage:
 * not two. */
#define SURE_OVERFLOWS 2

static const char *const names[TW_N_SILENCES] = {
    [TCPWHY_SILENCE_NONE] = "none",
    [TCPWHY_SILENCE_UNDECIDED] = "undecided",
    [TCPWHY_SILENCE_BACKLOG] = "listen backlog",
    [TCPWHY_SILENCE_FILTER] = "firewall or conntrack",
    [TCPWHY_SILENCE_DEAD_HOST] = "dead host",
    [TCPWHY_SILENCE_LOSS] = "lost packets",
    [TCPWHY_SILENCE_ECN] = "ECN dropped",
    [TCPWHY_SILENCE_LIMIT] = "connection limit",
    [TCPWHY_SILENCE_OLD_CONNECTION] = "old connection",
    [TCPWHY_SILENCE_TIMESTAMPS] = "timestamps behind",
    [TCPWHY_SILENCE_PORTS] = "by ports",
    [TCPWHY_SILENCE_FAST_OPEN] = "Fast Open dropped",
};

size_t tcpwhy_silence_count(void)
{
    return TW_N_SILENCES;
}

const char *tcpwhy_silence_name(enum tcpwhy_silence silence)
{
    return (size_t)silence < TW_N_SILENCES ? names[silence] : names[TCPWHY_SILENCE_UNDECIDED];
}

static struct tw_unanswered_syns say(enum tcpwhy_silence what, enum tcpwhy_confidence confidence,
                                     enum tcpwhy_silence rival)
{
    return (struct tw_unanswered_syns) { what, confidence,
                                         confidence == TCPWHY_CERTAIN ? TCPWHY_SILENCE_NONE
                                                                      : rival };
}

bool tw_unanswered_syns_is_sparse(const struct tw_retransmit_evidence *e)
{
    return !e->at_server && e->most_unanswered <= 1 && e->unanswered * SPARSE_PART <= e->syns;
}

/* If this many SYNs are accepted between dropped ones, a full queue would have dropped one of them;
 * the same number is needed of repeated SYNs. */
#define LEAST_DUE 5

/* A queue is filled by connections that wait in it. Where all are seen, and none is, somebody else
 * drops what the listener would take: a firewall of its own host, behind the capture. The capture
 * of a client lacks those of others, but those that it saw taken would have waited behind them. */
static struct tw_unanswered_syns nobody_queues(const struct tw_retransmit_evidence *e)
{
    return e->at_server || e->answered_between >= LEAST_DUE
               ? say(TCPWHY_SILENCE_FILTER, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG)
               : say(TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_FILTER);
}

/* Each SYN was answered, some by ACKs of older connections: nothing else is known to have been
 * waited for. A SYN/ACK that comes again before there is a request holds up nobody. */
static bool was_challenged(const struct tw_retransmit_evidence *e)
{
    return e->unanswered == 0 && e->challenged > 0;
}

static struct tw_unanswered_syns overflow(const struct tw_retransmit_evidence *e)
{
    bool sure = e->at_server || e->overflows >= SURE_OVERFLOWS;

    /* With TCP_DEFER_ACCEPT the listener does the same on purpose, while there is no data. */
    if (e->overflows == e->overflows_idle)
        return say(TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_UNDECIDED);
    if (e->alone)
        return nobody_queues(e);
    return say(TCPWHY_SILENCE_BACKLOG, sure ? TCPWHY_CERTAIN : TCPWHY_LIKELY, TCPWHY_SILENCE_LOSS);
}

/* A host that is down looks like one behind a filter that drops everything. */
static struct tw_unanswered_syns nothing_from_host(const struct tw_retransmit_evidence *e)
{
    if (e->hosts_silent > 1 && e->hosts_answering == 0)
        return say(TCPWHY_SILENCE_FILTER, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_DEAD_HOST);
    return say(TCPWHY_SILENCE_DEAD_HOST, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
}

static struct tw_unanswered_syns by_chance(const struct tw_retransmit_evidence *e)
{
    bool data_too = e->data_loss * LOSS_PART * (double)e->syns >= (double)e->unanswered;

    return say(TCPWHY_SILENCE_LOSS, data_too ? TCPWHY_LIKELY : TCPWHY_AMBIGUOUS,
               TCPWHY_SILENCE_BACKLOG);
}

/* One program may let the accept queues of two listeners fill: that is the rival if one host is
 * affected. */
static struct tw_unanswered_syns across(const struct tw_retransmit_evidence *e)
{
    bool goes_on = e->host_meanwhile > 0 || e->answered_meanwhile > 0;

    return say(TCPWHY_SILENCE_FILTER, goes_on ? TCPWHY_LIKELY : TCPWHY_AMBIGUOUS,
               e->ports_waiting > 1 ? TCPWHY_SILENCE_BACKLOG : TCPWHY_SILENCE_LOSS);
}

/* SYNs are dropped at one number of connections and not below it, and no finished handshake is set
 * aside, as a full accept queue does: somebody in front of the listener counts. */
static struct tw_unanswered_syns at_a_limit(void)
{
    return say(TCPWHY_SILENCE_LIMIT, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
}

/* One port answers some SYNs and not others, while its host is up. */
static struct tw_unanswered_syns one_port(const struct tw_retransmit_evidence *e)
{
    if (e->alone && (e->at_server || e->answered_meanwhile > 0))
        return nobody_queues(e);
    if (e->answered_meanwhile > 0)
        return say(TCPWHY_SILENCE_BACKLOG, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
    if (e->at_server || e->host_meanwhile > 0)
        return say(TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_FILTER);
    if (e->data_loss > 0)
        return say(TCPWHY_SILENCE_LOSS, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_BACKLOG);
    return say(TCPWHY_SILENCE_BACKLOG, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_LOSS);
}

/* Three SYNs with it and three without: chance and a full queue make no such difference. */
#define LEAST_EXTRA_SYNS 3

/* Does this extra separate answered SYNs from the others? Retransmissions go without (RFC 3168,
 * 6.1.1.1; RFC 7413, 4.1.3), so each connection is its own control. */
static bool is_dropped_for(const struct tw_retransmit_evidence *e, enum tw_syn_extra extra)
{
    uint64_t syns = e->extra[extra].syns, unanswered = e->extra[extra].unanswered;

    return e->extra[extra].times >= LEAST_EXTRA_SYNS && unanswered == syns &&
           e->unanswered == unanswered && e->syns - syns >= LEAST_EXTRA_SYNS;
}

/* Connections with a timestamp behind, and as many not: by chance, 5 and 5 of 10 separate once in
 * 252. */
#define LEAST_BEHIND 5

/* Does the timestamp separate connections answered at once from the others? */
static bool is_behind(const struct tw_retransmit_evidence *e)
{
    return e->behind >= LEAST_BEHIND && e->behind == e->behind_unanswered &&
           e->waited == e->behind_unanswered && e->not_behind >= LEAST_BEHIND;
}

/* Does a connection get its answer at once or never? A full queue, and loss, take a later SYN. Of
 * repeated ones LEAST_DUE would have been answered, as often as first ones were between them: by
 * chance none is once in 150 times (exp(-5)). */
static bool depends_on_ports(const struct tw_retransmit_evidence *e)
{
    uint64_t tried = e->answered_between + e->waited;

    return !e->at_server && e->recovered == 0 && e->unanswered > e->waited &&
           (e->unanswered - e->waited) * e->answered_between >= LEAST_DUE * tried;
}

struct tw_unanswered_syns tw_unanswered_syns_decide(const struct tw_retransmit_evidence *e)
{
    if (e->overflows > e->overflows_idle || (e->overflows > 0 && !was_challenged(e)))
        return overflow(e);
    if (e->unanswered == 0 && e->answers_lost > 0)
        return say(TCPWHY_SILENCE_LOSS, TCPWHY_LIKELY, TCPWHY_SILENCE_FILTER);
    if (was_challenged(e))
        return say(TCPWHY_SILENCE_OLD_CONNECTION, TCPWHY_CERTAIN, TCPWHY_SILENCE_NONE);
    if (e->unanswered == 0)
        return say(TCPWHY_SILENCE_NONE, TCPWHY_CERTAIN, TCPWHY_SILENCE_NONE);
    if (is_dropped_for(e, TW_SYN_ECN))
        return say(TCPWHY_SILENCE_ECN, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
    if (is_dropped_for(e, TW_SYN_DATA))
        return say(TCPWHY_SILENCE_FAST_OPEN, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
    if (is_behind(e))
        return say(TCPWHY_SILENCE_TIMESTAMPS, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
    if (e->host_frames == 0)
        return nothing_from_host(e);
    if (tw_unanswered_syns_is_sparse(e))
        return by_chance(e);
    if (e->limit > 0)
        return at_a_limit();
    if (depends_on_ports(e))
        return say(TCPWHY_SILENCE_PORTS, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
    if (e->ports_waiting > 1 || e->hosts_waiting > 1)
        return across(e);
    if (e->answered == 0)
        return say(TCPWHY_SILENCE_FILTER, TCPWHY_LIKELY, TCPWHY_SILENCE_BACKLOG);
    if (e->waited == 1)
        return say(TCPWHY_SILENCE_UNDECIDED, TCPWHY_AMBIGUOUS, TCPWHY_SILENCE_LOSS);
    return one_port(e);
}
