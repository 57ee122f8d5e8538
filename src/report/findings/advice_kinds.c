/* SPDX-License-Identifier: MIT */
/*
 * Texts for kinds of a cause: unanswered SYNs, evidence of a full path, pacing. The placeholders
 * are those of advice.c.
 */
#include <string.h>

#include <tcpwhy/facts.h>

#include "base/counts.h"
#include "explain/attribute/details.h"
#include "report/findings/advice.h"
#include "report/facts/setups.h"

static const struct tw_advice silences[TW_N_SILENCES] = {
    [TCPWHY_SILENCE_BACKLOG] = { "The accept queue of {e} was full: {unanswered_syns} of {syns} "
                                 "SYNs unanswered, final ACK of the handshake ignored "
                                 "{accept_overflows} times, {t} lost.",
                                 "At {e}: let the application accept faster, and raise its "
                                 "listen() backlog together with net.core.somaxconn. Confirm: ss "
                                 "-ltn (Recv-Q equals Send-Q), nstat TcpExtListenOverflows." },
    [TCPWHY_SILENCE_FILTER] = { "New connections to {e} are dropped: {unanswered_syns} of {syns} "
                                "SYNs unanswered, {t} lost. Ports without answers at that time: "
                                "{ports_waiting}; established connections of that host that "
                                "continued: {host_connections_meanwhile}.",
                                "On {e} and the path to it: check conntrack (dmesg: nf_conntrack: "
                                "table full; nf_conntrack_count against nf_conntrack_max), "
                                "firewalls and security groups that drop or rate-limit SYNs. It is "
                                "not the backlog of one listener." },
    [TCPWHY_SILENCE_DEAD_HOST] = { "No packet at all came from {e}: {unanswered_syns} of {syns} "
                                   "SYNs unanswered, {t} lost.",
                                   "Check that {e} is up and the address is right (ping, ip neigh, "
                                   "traceroute); a firewall that drops everything looks the "
                                   "same." },
    [TCPWHY_SILENCE_LOSS] = { "SYNs to {e} or their SYN/ACKs were lost on the path: {syn_repeats} "
                              "of {syns} SYNs were retransmissions, {t} lost.",
                              "Find where the path to {e} drops packets: interface counters, "
                              "queues, Wi-Fi. If there is no loss, check the listen backlog "
                              "(nstat TcpExtListenOverflows)." },
};

static const struct tw_advice rejected = {
    "A firewall rejected connections to {e} by ICMP: {refused}.",
    "Allow {p} to reach {e} in the firewall on the path or on that host, or point {p} elsewhere."
};

static const struct tw_advice unreachable = {
    "A router reported {e} unreachable for {refused} connections.",
    "Check that the host of {e} is up at that address, the route to it (ip route get, "
    "traceroute), and ip neigh on the last router."
};

static const struct tw_advice unanswered = {
    "{e} retransmitted its data, but {p} no longer answered: {t}.",
    "Check that {p} is up, and that NATs and firewalls on the path still have the connection in "
    "their tables; otherwise find where the path between {e} and {p} drops packets."
};

static const struct tw_advice arrived = {
    "Spurious retransmissions from {e} to {p}: its ACKs were late or lost, {x}, {t}.",
    "No data was lost: find what delays {p} or the path in either direction (a queue, Wi-Fi or "
    "mobile pauses, a suspended or overloaded host)."
};

static const struct tw_advice policer = {
    "Packets from {e} to {p} were dropped as a policer does: from loss to loss {rate_bytes_per_s} "
    "passed, and no queue formed before a loss, {t}.",
    "Raise the policer's rate or burst, or shape below it at {e} (tc qdisc: cake bandwidth, fq "
    "maxrate), so that packets wait instead of being dropped."
};

static const struct tw_advice one_host = {
    "{e} sent data again to {p} on the same host, where no path loses packets: {p} did not take "
    "it, "
    "{x}, {t}.",
    "At {p}: ss -ltn (Recv-Q equals Send-Q: a full accept queue), nstat TcpExtListenOverflows "
    "TcpExtTCPRcvQDrop TcpExtTCPBacklogDrop, and tc -s qdisc show dev lo."
};

static const struct tw_advice marked = {
    "The congestion window of {e} was small after ECN marks: {t}.",
    "The bottleneck between {e} and {p} marks at a short queue: let it mark later (fq_codel and "
    "codel: ce_threshold, target; RED: min), or widen it; CUBIC recovers faster than Reno."
};

static const struct tw_advice spread = {
    "The path from {e} to {p} was full, as the even spacing of arrivals shows: {t}. It carried "
    "{rate_bytes_per_s}; its queueing delay is not visible here.",
    "More bandwidth, or less data. A capture at {e} shows whether it paces and how long the queue "
    "is."
};

static const struct tw_advice shared = {
    "Connections of {p} together filled its link: {t}. It carried {rate_bytes_per_s}.",
    "More bandwidth at {p}, or fewer parallel requests, important ones first."
};

static const struct tw_advice behind = {
    "Data from {e} to {p} was queued behind data of other connections of its host, as their ACKs "
    "show: {t}.",
    "A shorter queue at the bottleneck after {e} (fq_codel, CAKE), which lets short messages pass; "
    "or a rate limit for the other connections."
};

static const struct tw_advice own = {
    "Data from {e} to {p} was queued in its own host for {queue_us}, as its TCP timestamps show: "
    "{t}. The queue drained at {rate_bytes_per_s}.",
    "At {e}: tc -s qdisc shows whether a shaper (tbf, htb, netem) holds it, and at which rate; "
    "otherwise check the link rate of the device (ethtool, ip -s link)."
};

static const struct tw_advice late = {
    "Data from {e} to {p} was delayed on the path by more than one RTT, as its TCP timestamps "
    "show: {t}.",
    "Find the traffic that fills the path from {e} to {p}, and shorten the queue there (fq_codel, "
    "CAKE); without such traffic the delay of the path itself varies (Wi-Fi, mobile)."
};

static const struct tw_advice paced = {
    "{e} sent full segments evenly, one every {m}, independent of ACKs: {t}. It paces, or its "
    "application writes at that rate.",
    "At {e}: ss -ti shows which (bbr, pacing_rate, app_limited). BBR paces at its last delivery "
    "rate, which short responses underestimate; fq and SO_MAX_PACING_RATE set a rate."
};

static const struct tw_advice slow_reader = {
    "{e} read its data slowly, so {p} filled its receive window and waited for it: {t}.",
    "The application at {e} reads late: profile it (disk, locks, processing of the data); a "
    "larger receive window would also fill."
};

static const struct tw_advice proxy = {
    "{e} opened the zero window of its SYN/ACK late, while {p} had data to send: {w}.",
    "Check for a SYN proxy in front of {e} (iptables SYNPROXY, a firewall, a load balancer), which "
    "connects to the server before the client may send: enable it during floods only, move it "
    "closer to the server, or let the server accept faster."
};

static const struct {
    enum tcpwhy_cause cause;
    const char *kind;
    const struct tw_advice *advice;
} kinds[] = {
    { TCPWHY_CONNECT_REFUSED, tw_kind_rejected, &rejected },
    { TCPWHY_CONNECT_REFUSED, tw_kind_unreachable, &unreachable },
    { TCPWHY_LOSS_RECOVERY, tw_kind_unanswered, &unanswered },
    { TCPWHY_LOSS_RECOVERY, tw_kind_arrived, &arrived },
    { TCPWHY_LOSS_RECOVERY, tw_kind_one_host, &one_host },
    { TCPWHY_LOSS_RECOVERY, tw_kind_policer, &policer },
    { TCPWHY_CONGESTION_WINDOW_LIMITED, tw_kind_policer, &policer },
    { TCPWHY_CONGESTION_WINDOW_LIMITED, tw_kind_marked, &marked },
    { TCPWHY_BANDWIDTH_LIMITED, tw_kind_spread, &spread },
    { TCPWHY_BANDWIDTH_LIMITED, tw_kind_shared, &shared },
    { TCPWHY_BANDWIDTH_LIMITED, tw_kind_behind, &behind },
    { TCPWHY_BANDWIDTH_LIMITED, tw_kind_own, &own },
    { TCPWHY_BANDWIDTH_LIMITED, tw_kind_late, &late },
    { TCPWHY_RECEIVE_WINDOW_LIMITED, tw_kind_slow_reader, &slow_reader },
    { TCPWHY_APP_LIMITED, tw_kind_paced, &paced },
    { TCPWHY_ZERO_WINDOW, tw_kind_proxy, &proxy },
};

const struct tw_advice *tw_advice_of_kind(enum tcpwhy_cause cause, const char *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].cause == cause && strcmp(kinds[i].kind, kind) == 0)
            return kinds[i].advice;
    if (cause != TCPWHY_CONNECT_RETRY)
        return NULL;
    for (int i = 0; i < TW_N_SILENCES; i++)
        if (silences[i].summary && strcmp(kind, tcpwhy_silence_name((enum tcpwhy_silence)i)) == 0)
            return &silences[i];
    return NULL;
}
