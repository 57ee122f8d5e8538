/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "base/counts.h"
#include "report/findings/advice.h"

#include <string.h>

#include "base/array.h"
#include "base/digits.h"
#include "base/ns.h"
#include "base/number.h"

/*
 * Placeholders: {e} endpoint, {p} peer, {x} "3 times", {c} "3 connections", {t} total time,
 * {n} "3", {w} "40.0 ms" for a single wait, else "3 times, median 40.0 ms (max 3.10 s), 3.20 s in
 * total", {m} the median, {quick_acks} how that host's stack acknowledges at once. Any other name
 * is that of a detail; its suffix is the unit.
 */
static const struct tw_advice advice[TW_N_CAUSES] = {
    [TCPWHY_CONNECT_RETRY] = { "SYNs or first requests to {e} were not answered and had to be "
                               "retransmitted: {t} lost.",
                               "On {e}: check the listen backlog (ss -ltn, nstat "
                               "TcpExtListenOverflows; raise somaxconn and the listen() argument), "
                               "conntrack (nf_conntrack: table full) and firewalls on the path." },
    [TCPWHY_CONNECT_REFUSED] = { "{e} refused {c}.", "Start the service at {e}, fix its bind "
                                                     "address, or point {p} elsewhere: the port is "
                                                     "closed, or a firewall rejects connections." },
    [TCPWHY_SERVER_THINK] = { "The application at {e} was slow to respond: {w}.",
                              "Not the network: profile the application at {e} (database, locks, "
                              "upstream calls)." },
    [TCPWHY_CLIENT_THINK] = { "{e} was slow to answer {p}: {w}.",
                              "Profile the application at {e}." },
    [TCPWHY_APP_LIMITED] = { "The application at {e} paused within its message: {w}.",
                             "TCP could have sent more: have the application at {e} write sooner "
                             "or in larger pieces (slow data source, flushes, rate limits)." },
    [TCPWHY_CORK_HOLD] = { "{e} held back a partial segment (TCP_CORK): {w}.",
                           "Uncork at the end of each message at {e} (TCP_CORK off, or the last "
                           "write without MSG_MORE); nginx: tcp_nopush off, or with sendfile." },
    [TCPWHY_NAGLE_HOLD] = { "Nagle's algorithm at {e} held partial segments for one RTT: {w}.",
                            "Set TCP_NODELAY at {e}, or write the whole message in one call "
                            "(nginx: tcp_nodelay on)." },
    [TCPWHY_NAGLE_DELAYED_ACK] = { "Nagle's algorithm at {e} waited for delayed ACKs from {p}: "
                                   "{w}.",
                                   "Set TCP_NODELAY at {e}, or write header and body in one call "
                                   "(nginx: tcp_nodelay on). Alternatively, at {p}: "
                                   "{quick_acks}." },
    [TCPWHY_DELAYED_ACK] = { "{p} could not send until delayed ACKs from {e} arrived: {w}.",
                             "At {e}: {quick_acks}, or a shorter delayed-ACK timer; at {p}: more "
                             "data in flight (a larger send buffer or initial window)." },
    [TCPWHY_ZERO_WINDOW] = { "{e} advertised a zero window: {w}.",
                             "Find out why the application at {e} does not read (profile it); a "
                             "larger SO_RCVBUF only hides the problem." },
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = { "{p} filled the receive window of {e} and waited for it: "
                                        "{t}.",
                                        "Leave SO_RCVBUF at {e} to the kernel (net.ipv4.tcp_rmem), "
                                        "and check that window scaling works across the path." },
    [TCPWHY_SEND_BUFFER_LIMITED] = { "The send buffer of {e} limited its data in flight: {t}.",
                                     "Leave SO_SNDBUF at {e} to the kernel, or raise it to the "
                                     "bandwidth-delay product (net.ipv4.tcp_wmem)." },
    [TCPWHY_SLOW_START] = { "{e} was in slow start: {t}.",
                            "Reuse connections, which saves up to this much, or raise the initial "
                            "window at {e} (ip route change ... initcwnd)." },
    [TCPWHY_SLOW_START_AFTER_IDLE] = { "{e} restarted slow start after idle periods: {t}.",
                                       "Set net.ipv4.tcp_slow_start_after_idle = 0 at {e}." },
    [TCPWHY_PACING] = { "{e} paced its segments at {rate_bytes_per_s}, independent of ACKs: {t}.",
                        "Find out what paces at {e}: ss -ti shows pacing_rate and bbr, tc -s qdisc "
                        "shows a shaper (fq maxrate, tbf, htb), and a program may set "
                        "SO_MAX_PACING_RATE. BBR paces at its last delivery rate, which short "
                        "responses underestimate." },
    [TCPWHY_EARLY_SLOW_START_EXIT] = { "{e} left slow start early without a loss: {t}.",
                                       "Set net.ipv4.tcp_no_metrics_save = 1 at {e} and run ip "
                                       "tcp_metrics flush; consider another congestion control." },
    [TCPWHY_CONGESTION_WINDOW_LIMITED] = { "The congestion window of {e} was small after losses: "
                                           "{t}.",
                                           "Find the losses on the path between {e} and {p}; BBR "
                                           "and CUBIC recover faster than Reno." },
    [TCPWHY_LOSS_RECOVERY] = { "Packets from {e} to {p} were lost; recovery took {t} ({x}).",
                               "Find where the path between {e} and {p} drops packets (interface "
                               "counters, duplex, queues, Wi-Fi); make sure that SACK, RACK and "
                               "TLP are on at {e}." },
    [TCPWHY_MTU_BLACK_HOLE] = { "Full-size segments of {e} were lost while small ones got through: "
                                "{t}.",
                                "Let ICMP \"fragmentation needed\" through, clamp the MSS at the "
                                "tunnel, or set net.ipv4.tcp_mtu_probing = 1 at {e}." },
    [TCPWHY_PEER_SILENT] = { "{p} fell silent: it stopped answering, and {e} retransmitted its "
                             "data in vain for {t}.",
                             "Check that {p} is up, and that NATs and firewalls on the path still "
                             "have the connection in their tables. At {e}, set TCP_USER_TIMEOUT or "
                             "a timeout in the program, and switch on TCP keep-alive." },
    [TCPWHY_BANDWIDTH_LIMITED] = { "The path from {e} to {p} was full: {t}.",
                                   "Get more bandwidth, or send less data; if latency suffers, "
                                   "shorten the queue at the bottleneck (fq_codel, CAKE)." },
    [TCPWHY_ROUND_TRIPS] = { "{n} round trips from {e} to {p}, one after the other: {t}.",
                             "Ask for more at once: fetch in batches (array size, prefetch, joins "
                             "instead of one query a row), pipeline, or keep several requests "
                             "open; or move {e} closer to {p}." },
    [TCPWHY_PATH_LATENCY] = { "The path between {p} and {e} is long: {n} waits of one round trip, "
                              "{t}.",
                              "Save round trips: keep connections open, ask for more at once "
                              "(pipelining, batches, HTTP/2 or HTTP/3), TLS 1.3 with session "
                              "resumption, TCP Fast Open; or answer from nearer {p} (CDN, edge, "
                              "replica)." },
    [TCPWHY_APP_WINDOW] = { "The application at {e} let {p} send only {window_bytes} per round "
                            "trip: {t}.",
                            "Have the application at {e} acknowledge sooner or in larger blocks, "
                            "or keep more requests open (a larger window in its protocol)." },
    [TCPWHY_NAME_LOOKUP] = { "{p} waited for {e} to resolve a name before it could connect: {w}.",
                             "Ask the resolver directly (dig NAME @ADDRESS); drop resolvers that "
                             "do not answer from /etc/resolv.conf (options timeout:1), and cache "
                             "names near {p}." },
    [TCPWHY_NEXT_HOP] = { "{p} waited for its next hop {e} to answer ARP or NDP before it could "
                          "connect: {w}.",
                          "Find out why {e} answers late (ip neigh, arping): Wi-Fi power saving, a "
                          "full ARP table, a filter on a switch." },
    [TCPWHY_CLIENT_IDLE] = { "{e} sent no request: {t}.", "Nothing to fix: the client was idle." },
};

/* Further sentences; one that names a missing detail is left out. */
#define MOST_NUMBERS 6
#define ESTIMATE                                                                                   \
    "Stream {s} took {took_ms}; with {would_take_with} about {would_take_ms} (estimate)."
#define IN_ONE_TRIP                                                                                \
    "In one round trip: about {would_take_ms}; half as far away: about {half_as_far_ms} "          \
    "(estimates)."
#define LOSS_PATTERN                                                                               \
    "Stream {s} lost {segments_lost} of {segments_sent} segments {loss_pattern}, {loss_groups} "   \
    "times."
#define LOSS_INTERVAL "The usual interval is {loss_every_ms}."
#define ONE_WAY       "Of {spared_segments} segments the other way none was lost."
#define ACK_TIMER     "ACK delay {ack_delay_ms}: delayed-ACK timer of {stack}."

static const char *const numbers[TW_N_CAUSES][MOST_NUMBERS] = {
    [TCPWHY_NAGLE_DELAYED_ACK] = { ACK_TIMER, ESTIMATE },
    [TCPWHY_NAGLE_HOLD] = { ESTIMATE },
    [TCPWHY_CORK_HOLD] = { ESTIMATE },
    [TCPWHY_DELAYED_ACK] = { ACK_TIMER, ESTIMATE },
    [TCPWHY_ZERO_WINDOW] = { ESTIMATE },
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = { "A window of {ceiling_bytes} per RTT of {rtt_us} is "
                                        "{rate_bytes_per_s}; seen: {seen_bytes_per_s}.",
                                        "The path carries about {path_bytes_per_s} and needs a "
                                        "window of {bdp_bytes}.",
                                        "Every 100 Mbit/s needs a window of "
                                        "{bdp_of_100mbit_bytes}.",
                                        "The window varied from {window_least_bytes} to "
                                        "{window_most_bytes}.",
                                        "Window scale: {window_scale}.", ESTIMATE },
    [TCPWHY_SERVER_THINK] = { "Connections from there to {behind} lost {behind_ms} this way." },
    [TCPWHY_CONNECT_RETRY] = { "Its queue seems to hold about {queue_most} connections: it dropped "
                               "a SYN with no more than that in it.",
                               "Could also be: {kind_rival}.",
                               "These are sums over {full_queues} listeners." },
    [TCPWHY_SEND_BUFFER_LIMITED] = { "{ceiling_bytes} in flight per RTT of {rtt_us} is "
                                     "{rate_bytes_per_s}; seen: {seen_bytes_per_s}.",
                                     "The path carries about {path_bytes_per_s} and needs "
                                     "{bdp_bytes} in flight.",
                                     "The next limit is the receive window of {p}, "
                                     "{next_window_bytes}: {next_bytes_per_s} unless it grows.",
                                     "Every 100 Mbit/s needs {bdp_of_100mbit_bytes} in flight.",
                                     ESTIMATE },
    [TCPWHY_EARLY_SLOW_START_EXIT] = { "{ceiling_bytes} in flight per RTT of {rtt_us} is "
                                       "{rate_bytes_per_s}; the path carries about "
                                       "{path_bytes_per_s}.",
                                       ESTIMATE },
    [TCPWHY_SLOW_START] = { "The receiver's first window is {first_window_bytes}.", ESTIMATE },
    [TCPWHY_SLOW_START_AFTER_IDLE] = { ESTIMATE },
    [TCPWHY_CONGESTION_WINDOW_LIMITED] = { LOSS_PATTERN, LOSS_INTERVAL, ONE_WAY, ESTIMATE },
    [TCPWHY_LOSS_RECOVERY] = { "Fast retransmissions {fast_retransmissions}, tail loss probes "
                               "{tail_loss_probes}, RTOs {timeouts}; spurious "
                               "{spurious_retransmissions}.",
                               LOSS_PATTERN, LOSS_INTERVAL, ONE_WAY, ESTIMATE },
    [TCPWHY_MTU_BLACK_HOLE] = { "No segment with {vanished_bytes} of payload arrived.",
                                "The largest that arrived had {passed_bytes}.",
                                "A router reported an MTU of {mtu_bytes}." },
    [TCPWHY_ROUND_TRIPS] = { "Stream {s}: {round_trips} round trips of {rtt_us}, {way_ms} of "
                             "{took_ms}; the server took {answer_us} for each.",
                             "{repeated_times} of its requests were the same: "
                             "\"{repeated_request}\".",
                             IN_ONE_TRIP },
    [TCPWHY_PATH_LATENCY] = { "Stream {s}: {round_trips} round trips of {rtt_us} in {took_ms} (TCP "
                              "{tcp_round_trips}, TLS {tls_round_trips}, requests "
                              "{request_round_trips}).",
                              "An open connection would have saved {kept_open_saves_ms}.",
                              IN_ONE_TRIP },
    [TCPWHY_APP_WINDOW] = { "With an RTT of {rtt_us} that was {rate_bytes_per_s}.", ESTIMATE },
    [TCPWHY_NAME_LOOKUP] = { "The longest was for {name}.", "It was queried {queries} times." },
    [TCPWHY_NEXT_HOP] = { "{p} asked for it {requests} times." },
    [TCPWHY_BANDWIDTH_LIMITED] = { "It carried {rate_bytes_per_s}; queueing delay {queue_us} on "
                                   "top of an RTT of {rtt_us}.",
                                   "Its connections together carried {together_bytes_per_s}." },
};

static void append_count(tw_string *to, uint64_t n)
{
    char digits[TW_DIGITS_GROUPED];

    tw_string_append_len(to, digits, tw_digits_grouped(digits, n) - digits);
}

static void append_time(tw_string *out, tcpwhy_ns ns)
{
    tw_string_append(out, tw_duration(ns).text);
}

/* A part of the whole, in its unit. */
static void append_part(tw_string *out, tcpwhy_ns ns, const struct tw_finding_row *f)
{
    tw_string_append(out, tw_part(ns, f->whole_ns).text);
}

static bool ends_in(const char *name, const char *unit)
{
    return g_str_has_suffix(name, unit);
}

/* Is it a part of the cost? Others are of one wait or of one connection. */
static bool is_part(const char *name)
{
    return strcmp(name, "behind_ms") == 0 || strcmp(name, "of_ms") == 0 ||
           strcmp(name, "waited_for_ms") == 0;
}

/* The suffix of a detail's name is its unit. */
static void append_detail(tw_string *out, const struct tcpwhy_detail *d,
                          const struct tw_finding_row *f)
{
    if (d->text)
        tw_string_append(out, d->text);
    else if (ends_in(d->name, "_per_s"))
        tw_string_append(out, tw_bit_rate(tw_ns_from(d->number * 8)).text);
    else if (ends_in(d->name, "_bytes"))
        tw_string_append(out, tw_byte_size((uint64_t)(d->number + 0.5)).text);
    else if (ends_in(d->name, "_us"))
        append_time(out, (tcpwhy_ns)(d->number * 1e3));
    else if (is_part(d->name))
        append_part(out, (tcpwhy_ns)(d->number * 1e6), f);
    else if (ends_in(d->name, "_ms") || g_str_has_prefix(d->name, "ms_"))
        append_time(out, (tcpwhy_ns)(d->number * 1e6));
    else
        append_count(out, d->number > 0 ? (uint64_t)d->number : 0);
}

static const struct tcpwhy_detail *detail_of(const struct tw_finding_row *f, const char *name,
                                             size_t len)
{
    for (size_t i = 0; i < f->n_details; i++)
        if (strlen(f->details[i].name) == len && strncmp(f->details[i].name, name, len) == 0)
            return &f->details[i];
    return NULL;
}

/* An end of the finding's connections, which may have no one endpoint in common. */
static void append_endpoint(tw_string *out, const struct tcpwhy_endpoint *e,
                            const struct tw_finding_row *f)
{
    const struct tcpwhy_detail *n = detail_of(f, TW_ENDPOINTS, strlen(TW_ENDPOINTS));
    char text[TCPWHY_ENDPOINT_TEXT];

    if (e->version) {
        tw_string_append(out, tcpwhy_endpoint_format(e, text));
    } else if (n && e == &f->endpoint) {
        append_count(out, (uint64_t)n->number);
        tw_string_append(out, " endpoints");
    } else {
        tw_string_append(out, "its peers");
    }
}

static bool append_named(tw_string *out, const char *name, size_t len,
                         const struct tw_finding_row *f)
{
    const struct tcpwhy_detail *d = detail_of(f, name, len);

    if (d)
        append_detail(out, d, f);
    return d;
}

static void append_connections(tw_string *out, uint64_t n)
{
    append_count(out, n);
    tw_string_append(out, n == 1 ? " connection" : " connections");
}

static void append_times(tw_string *out, uint64_t n)
{
    if (n == 1) {
        tw_string_append(out, "once");
        return;
    }
    append_count(out, n);
    tw_string_append(out, " times");
}

/* "40.0 ms"; of several waits "3 times, median 40.0 ms (max 3.10 s), 3.20 s in total". */
static void append_waits(tw_string *out, const struct tw_finding_row *f)
{
    const struct tcpwhy_detail *longest = detail_of(f, TW_LONGEST_MS, strlen(TW_LONGEST_MS));

    if (f->count == 1 && f->median_ns == f->cost_ns) {
        append_part(out, f->cost_ns, f);
        return;
    }
    append_times(out, f->count);
    tw_string_append(out, ", median ");
    append_time(out, f->median_ns);
    if (longest) {
        tw_string_append(out, " (max ");
        append_detail(out, longest, f);
        tw_string_append(out, ")");
    }
    tw_string_append(out, ", ");
    append_part(out, f->cost_ns, f);
    tw_string_append(out, " in total");
}

/* The setting depends on the stack that delays its ACKs (explain/model/delack_fingerprint.c). */
static const char *quick_acks(const struct tw_finding_row *f)
{
    const struct tcpwhy_detail *stack = detail_of(f, "stack", strlen("stack"));

    if (stack && stack->text && g_str_has_prefix(stack->text, "Windows"))
        return "TcpAckFrequency = 1 (registry), or Set-NetTCPSetting -DelayedAckFrequency 1";
    if (stack && stack->text && !strstr(stack->text, "Linux"))
        return "TCP_QUICKACK, if its stack has it";
    return "TCP_QUICKACK";
}

static bool append_placeholder(tw_string *out, const char *name, size_t len,
                               const struct tw_finding_row *f)
{
    if (g_str_has_prefix(name, "quick_acks}")) {
        tw_string_append(out, quick_acks(f));
        return true;
    }
    if (g_str_has_prefix(name, "mostly}")) { /* a kind that a connection has once */
        tw_string_append(out, f->count > f->streams ? "mostly " : "");
        return true;
    }
    if (len != 1)
        return append_named(out, name, len, f);
    if (*name == 'e')
        append_endpoint(out, &f->endpoint, f);
    else if (*name == 'p')
        append_endpoint(out, &f->peer, f);
    else if (*name == 'x')
        append_times(out, f->count);
    else if (*name == 'c')
        append_connections(out, f->count);
    else if (*name == 'n')
        append_count(out, f->count);
    else if (*name == 's')
        tw_string_append_printf(out, "%u", (unsigned)f->stream);
    else if (*name == 'w')
        append_waits(out, f);
    else if (*name == 'm')
        append_time(out, f->median_ns);
    else
        append_part(out, f->cost_ns, f);
    return true;
}

/* @return false if a placeholder names a missing detail. */
static bool fill(tw_string *out, const char *template, const struct tw_finding_row *f)
{
    bool complete = true;

    for (const char *p = template; p && *p; p++) {
        const char *end = *p == '{' ? strchr(p, '}') : NULL;

        if (end) {
            complete &= append_placeholder(out, p + 1, (size_t)(end - p - 1), f);
            p = end;
        } else {
            tw_string_append_c(out, *p);
        }
    }
    return complete;
}

static const char *keep(tw_string *text, tw_string_chunk *texts)
{
    const char *top = tw_string_chunk_insert_len(texts, text->str, (gssize)text->len);

    tw_string_free(text, TRUE);
    return top;
}

/* The network is ruled out only if the cause is certain. */
static const char unsure_server_think[] =
    "Start with the application at {e} (its request log, database, locks, upstream calls); if it "
    "was fast, check the other possible cause.";

/* With many endpoints, check the addresses and the path first, then single listeners. */
static const char many_silent[] =
    "Begin with what they have in common: the addresses that {p} asked for, and the path from {p} "
    "(route, NAT, firewall). Then check one of them: whether it is up, its listen backlog (ss "
    "-ltn, nstat TcpExtListenOverflows) and conntrack.";
static const char many_refused[] =
    "Nothing listens there, or a firewall rejects connections: check the addresses and ports that "
    "{p} asked for (a port scan asks for all of them); then start the services that should be "
    "there.";

/* The SYN was answered, the SYN/ACK was not acknowledged. */
static const struct tw_advice unacknowledged_syn_ack = {
    "{e} retransmitted its SYN/ACK to {p}, which did not acknowledge it: {t}.",
    "Unless this is a port scan: find where the path between {e} and {p} drops packets, in either "
    "direction."
};

/* A host that asks for more closed ports than this, each once, looks for open ones. Judgement: a
 * program has fewer servers there, and tries them again. */
#define SCANNED_PORTS 32

static const struct tw_advice scan = {
    "{p} asked for {endpoints} closed ports of {e}, each once, as port scans do.",
    "Find out what runs at {p} (nmap, a vulnerability scanner, the discovery of a monitor) and, if "
    "it is not wanted, restrict the ports of {e} that it can reach (firewall). No program waits "
    "for these."
};

static bool is_scan(const struct tw_finding_row *f)
{
    const struct tcpwhy_detail *n = detail_of(f, TW_ENDPOINTS, strlen(TW_ENDPOINTS));

    return f->cause == TCPWHY_CONNECT_REFUSED && f->endpoint.version && f->endpoint.port == 0 &&
           f->peer.version && n && n->number > SCANNED_PORTS && (double)f->count <= n->number;
}

#define PORTS_WAITING "ports_waiting"

/* A filter between here and hosts of which nothing was heard, and nothing counted: for each of them
 * the words are those for a dead host. */
static const char *kind_told(const struct tw_finding_row *f, const char *kind)
{
    bool filter = strcmp(kind, tcpwhy_silence_name(TCPWHY_SILENCE_FILTER)) == 0;

    return f->cause == TCPWHY_CONNECT_RETRY && filter &&
                   !detail_of(f, PORTS_WAITING, strlen(PORTS_WAITING))
               ? tcpwhy_silence_name(TCPWHY_SILENCE_DEAD_HOST)
               : kind;
}

/* The words of the finding's kind, if that has its own. */
static const struct tw_advice *advice_of(const struct tw_finding_row *f)
{
    const struct tw_advice *of_kind = NULL;

    for (size_t i = 0; i < f->n_details && !of_kind; i++)
        if (f->details[i].text && strcmp(f->details[i].name, "kind") == 0)
            of_kind = tw_advice_of_kind(f->cause, kind_told(f, f->details[i].text));
    if (!of_kind && f->cause == TCPWHY_CONNECT_RETRY && f->party == TCPWHY_PARTY_PATH)
        return &unacknowledged_syn_ack;
    if (!of_kind && is_scan(f))
        return &scan;
    return of_kind ? of_kind : &advice[f->cause];
}

static const char *summary(const struct tw_finding_row *f, tw_string_chunk *texts)
{
    tw_string *out = tw_string_new(NULL);

    fill(out, advice_of(f)->summary, f);
    for (int i = 0; i < MOST_NUMBERS && numbers[f->cause][i]; i++) {
        gsize before = out->len;

        tw_string_append_c(out, ' ');
        if (!fill(out, numbers[f->cause][i], f))
            tw_string_truncate(out, before);
    }
    return keep(out, texts);
}

static const char *remedy(const struct tw_finding_row *f, tw_string_chunk *texts)
{
    const struct tw_advice *says = advice_of(f);
    bool unsure = says == &advice[TCPWHY_SERVER_THINK] && f->confidence != TCPWHY_CERTAIN;
    bool many = says == &advice[f->cause] && detail_of(f, TW_ENDPOINTS, strlen(TW_ENDPOINTS));
    tw_string *out = tw_string_new(NULL);

    if (unsure)
        fill(out, unsure_server_think, f);
    else if (many && f->cause == TCPWHY_CONNECT_RETRY)
        fill(out, many_silent, f);
    else if (many && f->cause == TCPWHY_CONNECT_REFUSED)
        fill(out, many_refused, f);
    else
        fill(out, says->remedy, f);
    return keep(out, texts);
}

void tw_advise(struct tw_finding_row *f, tw_string_chunk *texts)
{
    f->summary = summary(f, texts);
    f->remedy = remedy(f, texts);
}

void tw_advise_all(tcpwhy_report *report, tcpwhy_ns whole_ns)
{
    for (guint i = 0; report->texts && i < report->findings->len; i++) {
        struct tw_finding_row *f = &tw_array_index(report->findings, struct tw_finding_row, i);

        f->whole_ns = whole_ns;
        tw_advise(f, report->texts);
    }
}
