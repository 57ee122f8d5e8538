/* SPDX-License-Identifier: MIT */
/*
 * What to say of a cause once it is known of what kind it is: whose doing unanswered SYNs are, what
 * shows that a path is full, who paces himself; the places are those of advice.c.
 */
#include <string.h>

#include <tcpwhy/facts.h>

#include "base/counts.h"
#include "explain/attribute/details.h"
#include "report/findings/advice.h"
#include "report/facts/setups.h"

static const struct tw_advice silences[TW_N_SILENCES] = {
    [TCPWHY_SILENCE_BACKLOG] = { "{e} answered some connections and left others waiting, its "
                                 "queue was full: {unanswered_syns} of {syns} SYNs unanswered, "
                                 "finished handshakes set aside: {accept_overflows}, {t} lost.",
                                 "At {e}: let the application accept faster, and raise its "
                                 "listen() backlog together with net.core.somaxconn. ss -ltn shows "
                                 "Recv-Q at Send-Q, nstat TcpExtListenOverflows counts." },
    [TCPWHY_SILENCE_FILTER] = { "Something drops new connections to {e}: {unanswered_syns} of "
                                "{syns} SYNs unanswered, {t} lost. Ports silent at once: "
                                "{ports_waiting}; connections of that host that went on: "
                                "{host_connections_meanwhile}.",
                                "On {e} and the way to it: is conntrack full (dmesg: "
                                "nf_conntrack: table full; nf_conntrack_count against "
                                "nf_conntrack_max), does a firewall or a security group drop or "
                                "limit SYNs? It is not one listener's backlog." },
    [TCPWHY_SILENCE_DEAD_HOST] = { "Nothing at all came from {e}: {unanswered_syns} of {syns} SYNs "
                                   "unanswered, {t} lost.",
                                   "Is {e} up, and is that its address? ping, ip neigh, "
                                   "traceroute; a firewall that drops everything looks the same." },
    [TCPWHY_SILENCE_LOSS] = { "SYNs to {e} or their answers were lost on the way: "
                              "{syn_repeats} of {syns} were repeats, {t} lost.",
                              "Find where the path to {e} drops packets: interface counters, "
                              "queues, Wi-Fi. If there is no loss, look at the listen backlog "
                              "(nstat TcpExtListenOverflows)." },
};

static const struct tw_advice rejected = {
    "Connections to {e} that a firewall rejected by ICMP: {refused}.",
    "Allow {p} to reach {e} in the firewall on the way or on that host, or point {p} elsewhere."
};

static const struct tw_advice unreachable = {
    "Connections to {e} that a router called unreachable: {refused}.",
    "Is the host of {e} up and at that address? Look at the route to it (ip route get, "
    "traceroute), and ip neigh on the last router."
};

static const struct tw_advice unanswered = {
    "{e} sent data again and again, and {p} answered nothing any more: {t}.",
    "Is {p} still up, and does a NAT or firewall on the way still know the connection? If both: "
    "find where the path between {e} and {p} drops."
};

static const struct tw_advice arrived = {
    "What {e} sent again to {p} had arrived: its ACKs were late or lost, and waited for {x}: {t}.",
    "Nothing of it was lost: find what holds up {p}, or the path there and back, for so long: a "
    "queue, Wi-Fi or mobile that pauses, a host that was suspended or overloaded."
};

static const struct tw_advice marked = {
    "The congestion window of {e} was small after routers marked its packets (ECN): {t}.",
    "The bottleneck between {e} and {p} marks at a short queue: let it mark later (fq_codel and "
    "codel: ce_threshold, target; RED: min), or widen it; CUBIC recovers faster than Reno."
};

static const struct tw_advice spread = {
    "The path from {e} to {p} was full, as even arrivals tell: {t}. It carried "
    "{rate_bytes_per_s}; how long its queue was does not show from here.",
    "More bandwidth, or less to send. Whether {e} paces itself, and how long the queue is, a "
    "capture there tells."
};

static const struct tw_advice shared = {
    "The link of {p} was full of what its connections asked for together: {t}. It carried "
    "{rate_bytes_per_s}.",
    "More bandwidth at {p}, or less at a time: fewer requests side by side, those that matter "
    "first."
};

static const struct tw_advice behind = {
    "What {e} said to {p} stood behind what its host sent by other connections, as their ACKs "
    "tell: {t}.",
    "A shorter queue where the way out of {e} is narrow (fq_codel, CAKE), which lets short "
    "messages pass; or a limit on what the other connections send."
};

static const struct tw_advice own = {
    "What {e} sent to {p} stood in a queue of its own host for {queue_us}, as its TCP timestamps "
    "tell: {t}. That let {rate_bytes_per_s} pass.",
    "At {e}: tc -s qdisc show tells whether a shaper (tbf, htb, netem) holds it, and at what rate; "
    "if none does, what its device can carry (ethtool, ip -s link)."
};

static const struct tw_advice late = {
    "What {e} said to {p} was under way for more than a round trip longer than need be, as the "
    "clock of {e} (TCP timestamps) tells: {t}.",
    "Find what fills the path from {e} to {p}, and a shorter queue for it (fq_codel, CAKE); where "
    "nothing does, the way itself varies (Wi-Fi, mobile)."
};

static const struct tw_advice paced = {
    "{e} sent full segments evenly, one each {m}, without regard to ACKs: {t}. It paces "
    "itself, or its application writes so.",
    "At {e}: ss -ti tells which (bbr, pacing_rate, app_limited). BBR sends at the rate that was "
    "delivered before, and short answers show it no higher one; fq and SO_MAX_PACING_RATE set one."
};

static const struct tw_advice slow_reader = {
    "{e} took its data slowly, so that {p} filled its receive window and waited for it to move: "
    "{t}.",
    "The application at {e} reads late: profile it (disk, locks, what it does with the data); a "
    "larger receive window would be as full."
};

static const struct tw_advice proxy = {
    "{p} had something to say, and {e} opened the window of its SYN/ACK only after {m}{n}.",
    "Is there a proxy against SYN floods in front of {e} (iptables SYNPROXY, a firewall, a load "
    "balancer)? It asks the server itself before it lets a client send: have it act on floods "
    "alone, or bring it nearer to the server; look at how fast that accepts."
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
