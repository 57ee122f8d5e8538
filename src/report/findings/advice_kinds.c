/* SPDX-License-Identifier: MIT */
/*
 * Texts for kinds of a cause: unanswered SYNs, evidence of a full path, pacing. The placeholders
 * are those of advice.c.
 */
#include <string.h>

#include <tcpwhy/facts.h>

#include "base/counts.h"
#include "explain/attribute/detail_kinds.h"
#include "explain/distance/window_kinds.h"
#include "report/findings/advice.h"
#include "report/findings/before_syn.h"
#include "report/findings/syn_timer.h"
#include "report/facts/setups.h"
#include "report/findings/materiality.h"
#include "report/findings/one_at_a_time.h"
#include "report/findings/relayed.h"

static const struct tw_advice silences[TW_N_SILENCES] = {
    [TCPWHY_SILENCE_BACKLOG] = { "{e} did not accept connections, as if its accept queue were "
                                 "full: {unanswered_syns} of {syns} SYNs unanswered, final ACK of "
                                 "the handshake ignored {accept_overflows} times, {t} lost.",
                                 "Have the application at {e} accept faster, and raise its "
                                 "listen() backlog together with net.core.somaxconn. Confirm: ss "
                                 "-ltn (Recv-Q equals Send-Q), nstat TcpExtListenOverflows." },
    [TCPWHY_SILENCE_FILTER] = { "New connections to {e} were dropped: {unanswered_syns} of {syns} "
                                "SYNs unanswered, {t} lost. Ports without answers at that time: "
                                "{ports_waiting}; established connections of that host that "
                                "continued: {host_connections_meanwhile}.",
                                "On {e} and the path to it: check conntrack (dmesg: nf_conntrack: "
                                "table full; nf_conntrack_count against nf_conntrack_max), "
                                "firewalls and security groups that drop or rate-limit SYNs; if "
                                "only one port is silent, check its backlog, too (ss -ltn)." },
    [TCPWHY_SILENCE_DEAD_HOST] = { "No packet at all came from {e}: {unanswered_syns} of {syns} "
                                   "SYNs unanswered, {t} lost.",
                                   "Check that {e} is up and the address is right (ping, ip neigh, "
                                   "traceroute); a firewall that drops everything looks the "
                                   "same." },
    [TCPWHY_SILENCE_ECN] = { "A box on the path to {e} drops SYNs that ask for ECN (ECE, CWR): "
                             "{ecn_unanswered} of {ecn_syns} were unanswered, and all {plain_syns} "
                             "without ECN answered: {t} lost.",
                             "Find the firewall or load balancer in front of {e} that drops ECN "
                             "(compare tcptraceroute with -E and without), and have it pass ECE "
                             "and CWR. Until then, set net.ipv4.tcp_ecn = 0 at {p}. It is not the "
                             "backlog." },
    [TCPWHY_SILENCE_FAST_OPEN] = { "A box on the path to {e} drops SYNs that carry data (TCP Fast "
                                   "Open): {data_unanswered} of {data_syns} unanswered, and all "
                                   "{plain_syns} without data answered, {t} lost.",
                                   "Find the firewall or proxy in front of {e} that drops SYNs "
                                   "with data. Until then at {p}: no Fast Open "
                                   "(net.ipv4.tcp_fastopen = 0, or the program's own switch). It "
                                   "is not the backlog." },
    [TCPWHY_SILENCE_LOSS] = { "SYNs to {e} or their SYN/ACKs were lost on the path: {syn_repeats} "
                              "of {syns} SYNs were retransmissions, {t} lost.",
                              "Find where the path to {e} drops packets: interface counters, "
                              "queues, Wi-Fi. If there is no loss, check the listen backlog "
                              "(nstat TcpExtListenOverflows)." },
    [TCPWHY_SILENCE_OLD_CONNECTION] = { "{e} still had older connections on the same ports and "
                                        "answered SYNs with ACKs for those, {challenged} times: "
                                        "{t} passed until {p} tried again.",
                                        "Reuse ports less soon: widen net.ipv4.ip_local_port_range "
                                        "at {p}, keep connections alive, and avoid a NAT that maps "
                                        "many clients to few ports. Let the client's RST through "
                                        "the firewall, so that {e} drops the old connection "
                                        "immediately." },
    [TCPWHY_SILENCE_TIMESTAMPS] = { "{e} drops SYNs whose timestamp is older than that of another "
                                    "connection from the same address: {behind_unanswered} such "
                                    "connections were not answered, {not_behind_answered} others "
                                    "from these addresses immediately; {t} lost. Clients behind "
                                    "one NAT each have their own clock.",
                                    "Set net.ipv4.tcp_tw_recycle = 0 at {e} (Linux before 4.12; "
                                    "removed since). Confirm: nstat TcpExtPAWSPassive. Neither the "
                                    "clients nor the backlog are at fault." },
    [TCPWHY_SILENCE_PORTS] = { "Whether {e} answers depends on the connection's ports: "
                               "{connections_waited} connections got no answer to any of "
                               "{unanswered_syns} SYNs, while {answered_between} others in between "
                               "were answered immediately; {t} lost.",
                               "Check the path from {p}: a NAT without free ports to that "
                               "destination (cloud NAT or SNAT metrics: more ports or addresses, "
                               "keep-alive), one bad link of several (ECMP, LAG: error counters of "
                               "each), or a firewall with stale entries for those ports. It is not "
                               "the backlog, which accepts a later SYN." },
    [TCPWHY_SILENCE_LIMIT] = { "A limit of {connection_limit} connections in front of {e} was "
                               "reached, as when a conntrack table is full: {unanswered_syns} of "
                               "{syns} SYNs unanswered, and SYNs answered only below the limit; "
                               "the final ACK of no handshake was ignored, as a full accept queue "
                               "would. {t} lost.",
                               "Check dmesg at {e} and on the path (nf_conntrack: table full, "
                               "dropping packet), and nf_conntrack_count against nf_conntrack_max: "
                               "raise it (sysctl -w net.netfilter.nf_conntrack_max=1048576), "
                               "shorten its timeouts, or notrack that port; otherwise look for "
                               "connlimit or ct count rules, or a load balancer's connection "
                               "limit." },
};

static const struct tw_advice rejected = {
    "A firewall rejected connections to {e} with ICMP: {refused}.",
    "Allow {p} to reach {e} in the firewall on the path or on that host (a REJECT rule), or point "
    "{p} elsewhere. If {e} is a Kubernetes service, it has no ready endpoint (kubectl get "
    "endpointslices)."
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
    "Retransmissions from {e} to {p} were spurious: ACKs were late or lost, {x}, {t}.",
    "No data was lost: find what delays {p} or the path in either direction (a queue, Wi-Fi or "
    "mobile pauses, a suspended or overloaded host)."
};

static const struct tw_advice merged = {
    "A router reports that packets from {e} to {p} are too long for its MTU of {mtu}, though they "
    "fit: segments are merged before it, and dropped, {t}.",
    "At the router, or the virtual machine, that forwards packets of {e}: no LRO (ethtool -K "
    "INTERFACE lro off, and gro off if that does not help). A smaller MSS changes nothing."
};

static const struct tw_advice offload = {
    "Frames of {e} that hold several segments (segmentation offload) were lost, all "
    "{offloaded_frames} of them; single segments passed: {t}.",
    "At {e}: ethtool -K INTERFACE tso off gso off (Windows: Disable-NetAdapterLso); then fix what "
    "cuts them (the card's driver, a hypervisor's switch, a tunnel)."
};

static const struct tw_advice policer = {
    "Packets from {e} to {p} were dropped, probably by a policer: {rate_bytes_per_s} got through "
    "between losses, and no queue formed before a loss; {t}.",
    "Raise the policer's rate or burst, or shape below it at {e} (tc qdisc: cake bandwidth, fq "
    "maxrate), so that packets wait instead of being dropped."
};

static const struct tw_advice one_host = {
    "{e} retransmitted data to {p} on the same host, where no path loses packets: {p} did not "
    "accept it, {x}, {t}.",
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
    "Get more bandwidth, or send less data. A capture at {e} shows whether it paces and how long "
    "the queue is."
};

static const struct tw_advice shared = {
    "Connections of {p} together filled its link: {t}. It carried {rate_bytes_per_s}.",
    "Get more bandwidth at {p}, or send fewer requests in parallel, important ones first."
};

static const struct tw_advice behind = {
    "Data from {e} to {p} was queued behind data of other connections from the same host, as their "
    "ACKs show: {t}.",
    "Shorten the queue at the bottleneck after {e} (fq_codel, CAKE), so that short messages get "
    "past it, or limit the rate of the other connections."
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

static const struct tw_advice slow_reader = {
    "{e} read its data slowly, so {p} filled its receive window and waited for it: {t}.",
    "The application at {e} reads late: profile it (disk, locks, processing of the data); a larger "
    "receive window would fill up, too."
};

static const struct tw_advice proxy = {
    "{e} kept the window of its SYN/ACK at zero while {p} had data to send: {w}.",
    "Check for a SYN proxy in front of {e} (iptables SYNPROXY, a firewall, a load balancer), which "
    "connects to the server before the client may send: is the server up? Enable it during floods "
    "only, move it closer to the server, or have the server accept faster."
};

static const struct tw_advice relayed = {
    "The application at {e} was slow to respond: {w}. It was waiting for {waited_for} for "
    "{waited_for_ms} of {of_ms} (likely).",
    "Start at {waited_for}, not at {e}: the findings about the connections between them show why "
    "it was slow."
};

static const struct tw_advice looks_up = {
    "The application at {e} was slow to respond: {w}. It was waiting for {waited_for} to look up "
    "{name} for {waited_for_ms} of {of_ms} (likely).",
    "Have {waited_for} answer immediately (reverse names of clients: a PTR record, or an authority "
    "for that zone), or switch the lookup off at {e} (sshd UseDNS no, MySQL skip_name_resolve, "
    "Apache HostnameLookups Off)."
};

static const struct tw_advice scale_ignored = {
    "A middlebox between {e} and {p} takes the receive window of {p} for unscaled and drops "
    "everything beyond it: recovery took {t}.",
    "Find the firewall or router that does not know the window scale, update it, or let it see "
    "both directions of the handshake (nf_conntrack_tcp_be_liberal = 1). Until then, set "
    "net.ipv4.tcp_window_scaling = 0 at {p}."
};

static const struct tw_advice bad_sums = {
    "{p} dropped segments from {e} because of wrong checksums: recovery took {t}.",
    "Run ethtool -K DEVICE tx-checksum-ip-generic off at {e} (in overlays, on the tunnel device), "
    "or install a newer driver; otherwise suspect its NIC or memory, or a middlebox that rewrites "
    "payload."
};

static const struct tw_advice bad_syn_sums = {
    "SYNs to {e} had wrong checksums and were dropped: {t} lost.",
    "Run ethtool -K DEVICE tx-checksum-ip-generic off at the client (in overlays, on the tunnel "
    "device), or install a newer kernel or driver. It is neither the backlog nor the path."
};

static const struct tw_advice awaits_continue = {
    "{e} held back its request body for 100 Continue, which {p} never sent: {w}.",
    "Send no Expect: 100-continue from {e} (curl -H Expect:, .NET Expect100Continue = false). Or "
    "have {p}, or the proxy in front of it, answer 100 Continue (HTTP/1.1)."
};

static const struct tw_advice ignored = {
    "{e} answered the SYNs, but the client's host ignored the SYN/ACKs: {t} lost.",
    "Check at the client: net.ipv4.conf.*.rp_filter (nstat TcpExtIPReversePathFilter, "
    "log_martians), its own firewall, a route back through another interface."
};

static const struct tw_advice unheard = {
    "{e} answered the SYNs, but its SYN/ACKs were not acknowledged: {t} lost.",
    "Find where they get lost: ip route get CLIENT at {e} (asymmetric routing: the answer leaves "
    "by another interface or firewall than the SYN came in by), security groups; then capture at "
    "the client and check net.ipv4.conf.*.rp_filter and the firewall there."
};

static const struct tw_advice tested = {
    "{e}, or a box in front of it, answered SYNs with wrong acknowledgement numbers to test "
    "whether their sender is real: {t} passed until they were sent again.",
    "Exempt known clients from the protection (DDoS filter, SYN proxy), or have it use SYN "
    "cookies; keep connections open. It is not the backlog."
};

static const struct tw_advice hairpin = {
    "A NAT or load balancer sent the SYNs of {p} back to that host, from its own address, which "
    "it drops: {t} lost.",
    "Where the SYNs are translated, masquerade what goes back into the network that it came from "
    "(hairpin or loopback NAT: SNAT, kubelet hairpin-mode), keep no client addresses (AWS NLB "
    "preserve_client_ip.enabled=false), or use the local address on {p}."
};

static const struct tw_advice untranslated = {
    "{e} was asked, and another address answered: {p} reset those SYN/ACKs, {t} lost.",
    "The NAT of {e} does not see the answers, which take a direct way back: masquerade what goes "
    "back into the network that it came from (hairpin or loopback NAT: SNAT), or have {p} use the "
    "inner address (split DNS)."
};

static const struct tw_advice greeting = {
    "{e} kept {p} waiting {mostly}for its greeting: {w}.",
    "Check what {e} does before it greets: a lookup of the client's name or ident (MySQL "
    "skip_name_resolve, sshd UseDNS no, FTP and mail servers: reverse lookups; a PTR record and a "
    "resolver that answers); otherwise no thread was free, or MaxStartups was reached (see its "
    "log). Mail servers also pause on purpose, against spam (Postfix postscreen_greet_wait, "
    "sendmail greet_pause)."
};

static const struct tw_advice tarpit = {
    "{e} let {p} wait equally long for each of its replies, by a timer: {w}.",
    "A tarpit, which delays each reply on purpose (Exchange TarpitInterval, Exim delay, Postfix "
    "smtpd_error_sleep_time after errors): exempt known clients at {e}, or mend what it counts "
    "against {p}. Else a lookup per command that runs into its timeout (DNSBL, reverse names)."
};

static const struct tw_advice handshake = {
    "{e} kept {p} waiting {mostly}during the TLS handshake: {w}.",
    "Check what {e} does before it goes on: a revocation lookup (OCSP, CRL) that is not answered, "
    "a client certificate that a user or a smart card has to provide, slow keys."
};

static const struct tw_advice rest = {
    "{e} kept {p} waiting {mostly}for the rest of its request: {w}.",
    "Find out why the end of the request from {e} does not arrive: the source of the body, a "
    "Content-Length that is too large, a program that stopped; or the path, if {e} did send it."
};

static const struct tw_advice gateway = {
    "{e} answered 504 ({w}): the server behind it did not answer within its timeout.",
    "Look behind {e}: find the server there and why it was slow (its log, a capture between them). "
    "Only then raise the gateway's timeout above what it needs (nginx proxy_read_timeout or "
    "fastcgi_read_timeout, HAProxy timeout server, idle timeout of a cloud load balancer)."
};

static const struct tw_advice queued = {
    "{e} serves one request at a time: {queued} of {served} requests waited for others, and each "
    "takes {service_ms}: {w}.",
    "Run more workers or threads at {e} (gunicorn --workers and --threads, php-fpm "
    "pm.max_children, Puma, uWSGI, maxconn of a proxy in front), and avoid anything that blocks an "
    "event loop (Node, asyncio, slow Redis commands) or a lock that all requests take. Faster "
    "requests shorten the queue, too."
};

static const struct tw_advice events = {
    "{e} delivered the events of a stream (text/event-stream) all together: {w} for the first.",
    "Find what holds them back between the program and {p}: nginx proxy_buffering off (or the "
    "answer's X-Accel-Buffering: no), no compression of text/event-stream (gzip middleware waits "
    "for a full block), a flush after each event, proxies and CDNs that wait for the end."
};

static const struct tw_advice half_lost = {
    "{p} waited for {e} to resolve names before it could connect: {w}. Of its A and AAAA queries, "
    "which are sent together, one was answered immediately and the other only when it was "
    "repeated.",
    "Set options single-request-reopen (or use-vc) in /etc/resolv.conf at {p}, or run a resolver "
    "on the host itself (NodeLocal DNSCache): conntrack may drop one of two packets that a socket "
    "sends at the same time (conntrack -S: insert_failed). Otherwise find where the path to {e} "
    "loses packets."
};

static const struct tw_advice search_list = {
    "{p} waited for {e} while it tried one domain of its search list after another before it could "
    "connect: {w}. Lookups of names that do not exist: {searched}.",
    "Write the name in full with a trailing dot at {p} (api.example.com.), or set options ndots:1 "
    "in /etc/resolv.conf (Kubernetes: dnsConfig; its default is ndots:5), shorten the search list, "
    "or run a cache near {p} (NodeLocal DNSCache)."
};

#define UNSCALED                                                                                   \
    "{p} filled the receive window of {e}, which cannot exceed 65,535 bytes, and waited for it: "  \
    "{t}. "
#define LEFT_OUT                                                                                   \
    " answered without the window scale option that the client had offered, as "                   \
    "a load balancer or SYN proxy that answers for a server does."

static const struct tw_advice unscaled = {
    UNSCALED "{e}" LEFT_OUT,
    "Make whatever answered for {e} (load balancer, LVS synproxy, nft or iptables SYNPROXY: option "
    "wscale) answer with a window scale, or turn the proxy off; on a host, set "
    "net.ipv4.tcp_window_scaling = 1. A larger SO_RCVBUF does not help."
};

static const struct tw_advice unscaled_peer = {
    UNSCALED "{p}" LEFT_OUT,
    "Make whatever answered for {p} (load balancer, LVS synproxy, nft or iptables SYNPROXY: option "
    "wscale) answer with a window scale, or turn the proxy off; on a host, set "
    "net.ipv4.tcp_window_scaling = 1. SO_RCVBUF of {e} does not help."
};

static const struct tw_advice syn_timer = {
    "{e} answered late: {w}. {syn_timer_waits} of these took just over 1, 3, 7 or 15 s, the "
    "retransmission timer of a SYN: connections that {e} opens itself go unanswered.",
    "Look behind {e}: for a listener whose accept queue is full (ss -ltn there, nstat "
    "TcpExtListenOverflows; raise its backlog and net.core.somaxconn), a full conntrack table, or "
    "a firewall. A capture at {e} on all interfaces (-i any) shows which."
};

static const struct tw_advice http2_window = {
    "HTTP/2 flow control at {e} let {p} send only {window_bytes} per round trip: {t}.",
    "Raise the window per stream and connection at {e} (SETTINGS_INITIAL_WINDOW_SIZE and "
    "WINDOW_UPDATE: initial_stream_window_size, http2.initial_window, --http2-window), or have it "
    "follow the bandwidth-delay product."
};

static const struct tw_advice tls_window = {
    "Flow control inside TLS at {e} let {p} send only {window_bytes} per round trip: {t}.",
    "Raise the window of the protocol inside TLS at {e}, such as HTTP/2's per stream and "
    "connection (SETTINGS_INITIAL_WINDOW_SIZE), or keep more requests open."
};

static const struct tw_advice ssh_window = {
    "{e} let {p} send only {window_bytes} per round trip inside SSH (SFTP requests, or a channel's "
    "window): {t}.",
    "Send more and larger SFTP requests from {e} (sftp -R 256 -B 262144; pipelined reads or "
    "prefetch in libraries), or use rsync or tar over ssh, several sessions, or HPN-SSH for a "
    "channel's window."
};

static const struct tw_advice smb_window = {
    "SMB requests of {e} let {p} send only {window_bytes} per round trip: {t}.",
    "Use larger reads and writes at {e} and keep more of them open (SMB credits, smb2 max credits, "
    "smb2 max read and write), or use multichannel, or copy several files in parallel."
};

static const struct tw_advice smb_credits = {
    "{e} granted few SMB credits: {p} used them up and waited {credit_waits} times for more; {t}.",
    "Grant more credits at {e} (smb2 max credits; Set-SmbServerConfiguration -Smb2CreditsMax), and "
    "use larger reads and writes."
};

static const struct tw_advice echoes = {
    "Each keystroke shows up one round trip later: {keys} keys, {rtt_us} each, {t}.",
    "Shorten the path (a nearer host or VPN gateway), or hide it (mosh, or ssh with local line "
    "editing). TCP settings change nothing: the server answers immediately."
};

static const struct tw_advice reconnects = {
    "{e} opened {n} connections to {p} one after the other, each for a few round trips: {t}.",
    "Keep connections open: at {e} one client object or pool for all requests (HTTP keep-alive, "
    "persistent connections), at {p} a keep-alive timeout longer than the pauses. Each connection "
    "that is reused saves one round trip for TCP, and one or two for TLS."
};

static const struct tw_advice deadlock = {
    "{e} and {p} both wrote and neither read: both receive windows were 0, {w}.",
    "At either end, read while writing (a thread or poll() for each way), or bound what is written "
    "before its answer is read; larger socket buffers only move the limit."
};

static const struct tw_advice outage = {
    "The path from {e} to {p}, or that host, was down for a while: all that {e} sent was repeated "
    "in "
    "vain, then {p} answered again, {t}.",
    "Find what was down then: link, route, failover, firewall, a paused or rebooted host (its own "
    "log and its switch's). No hung program: its kernel would have acknowledged. The RTO doubles "
    "meanwhile, so that the wait outlasts the outage (Linux 6.15: net.ipv4.tcp_rto_max_ms)."
};

static const struct {
    enum tcpwhy_cause cause;
    const char *kind;
    const struct tw_advice *advice;
} kinds[] = {
    { TCPWHY_CONNECT_REFUSED, tw_kind_rejected, &rejected },
    { TCPWHY_CONNECT_REFUSED, tw_kind_unreachable, &unreachable },
    { TCPWHY_LOSS_RECOVERY, tw_kind_unanswered, &unanswered },
    { TCPWHY_PEER_SILENT, tw_kind_outage, &outage },
    { TCPWHY_LOSS_RECOVERY, tw_kind_arrived, &arrived },
    { TCPWHY_LOSS_RECOVERY, tw_kind_one_host, &one_host },
    { TCPWHY_LOSS_RECOVERY, tw_kind_policer, &policer },
    { TCPWHY_LOSS_RECOVERY, tw_kind_merged, &merged },
    { TCPWHY_LOSS_RECOVERY, tw_kind_offload, &offload },
    { TCPWHY_CONGESTION_WINDOW_LIMITED, tw_kind_policer, &policer },
    { TCPWHY_CONGESTION_WINDOW_LIMITED, tw_kind_marked, &marked },
    { TCPWHY_BANDWIDTH_LIMITED, tw_kind_spread, &spread },
    { TCPWHY_BANDWIDTH_LIMITED, tw_kind_shared, &shared },
    { TCPWHY_BANDWIDTH_LIMITED, tw_kind_behind, &behind },
    { TCPWHY_BANDWIDTH_LIMITED, tw_kind_own, &own },
    { TCPWHY_BANDWIDTH_LIMITED, tw_kind_late, &late },
    { TCPWHY_RECEIVE_WINDOW_LIMITED, tw_kind_slow_reader, &slow_reader },
    { TCPWHY_ZERO_WINDOW, tw_kind_proxy, &proxy },
    { TCPWHY_ZERO_WINDOW, tw_kind_deadlock, &deadlock },
    { TCPWHY_SERVER_THINK, tw_kind_relayed, &relayed },
    { TCPWHY_SERVER_THINK, tw_kind_looks_up, &looks_up },
    { TCPWHY_LOSS_RECOVERY, tw_kind_scale_ignored, &scale_ignored },
    { TCPWHY_LOSS_RECOVERY, tw_kind_checksum, &bad_sums },
    { TCPWHY_CONNECT_RETRY, tw_kind_checksum, &bad_syn_sums },
    { TCPWHY_CONNECT_RETRY, tw_kind_ignored, &ignored },
    { TCPWHY_CONNECT_RETRY, tw_kind_unheard, &unheard },
    { TCPWHY_CONNECT_RETRY, tw_kind_tested, &tested },
    { TCPWHY_CONNECT_RETRY, tw_kind_hairpin, &hairpin },
    { TCPWHY_CONNECT_RETRY, tw_kind_untranslated, &untranslated },
    { TCPWHY_APP_LIMITED, tw_kind_continue, &awaits_continue },
    { TCPWHY_RECEIVE_WINDOW_LIMITED, tw_kind_unscaled, &unscaled },
    { TCPWHY_RECEIVE_WINDOW_LIMITED, tw_kind_unscaled_peer, &unscaled_peer },
    { TCPWHY_SERVER_THINK, tw_kind_syn_timer, &syn_timer },
    { TCPWHY_SERVER_THINK, tw_kind_greeting, &greeting },
    { TCPWHY_SERVER_THINK, tw_kind_tarpit, &tarpit },
    { TCPWHY_SERVER_THINK, tw_kind_gateway, &gateway },
    { TCPWHY_SERVER_THINK, tw_kind_events, &events },
    { TCPWHY_SERVER_THINK, tw_kind_queued, &queued },
    { TCPWHY_CLIENT_THINK, tw_kind_handshake, &handshake },
    { TCPWHY_CLIENT_THINK, tw_kind_rest, &rest },
    { TCPWHY_NAME_LOOKUP, tw_kind_half_lost, &half_lost },
    { TCPWHY_NAME_LOOKUP, tw_kind_search_list, &search_list },
    { TCPWHY_ROUND_TRIPS, tw_window_kind_reconnects, &reconnects },
    { TCPWHY_PATH_LATENCY, tw_window_kind_echoes, &echoes },
    { TCPWHY_APP_WINDOW, tw_window_kind_http2, &http2_window },
    { TCPWHY_APP_WINDOW, tw_window_kind_tls, &tls_window },
    { TCPWHY_APP_WINDOW, tw_window_kind_ssh, &ssh_window },
    { TCPWHY_APP_WINDOW, tw_window_kind_smb, &smb_window },
    { TCPWHY_APP_WINDOW, tw_window_kind_credits, &smb_credits },
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
