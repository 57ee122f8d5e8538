/* SPDX-License-Identifier: MIT */
#include "report/advice.h"

/* Places a template fills: {e} endpoint, {p} peer, {n} instances, {m} median, {t} total. */
struct advice {
    const char *summary, *remedy;
};

static const struct advice advice[TCPWHY_N_CAUSES] = {
    [TCPWHY_CONNECT_RETRY] = { "SYNs to {e} went unanswered and were repeated {n} times: {t} lost.",
                               "On {e}: look at the listen backlog (ss -ltn, nstat "
                               "TcpExtListenOverflows; raise somaxconn and the listen() argument), "
                               "conntrack (nf_conntrack: table full) and firewalls on the way." },
    [TCPWHY_CONNECT_REFUSED] = { "{e} refused {n} connections.",
                                 "Start or bind the service at {e}, or point {p} elsewhere: "
                                 "nothing listens there, or a firewall rejects." },
    [TCPWHY_SERVER_THINK] = { "{e} took {m} at the median to begin its answer, {n} times: {t}.",
                              "The network is not it: profile the application at {e} (its "
                              "database, locks, upstream calls)." },
    [TCPWHY_CLIENT_THINK] = { "{e} took {m} at the median to answer {p}, {n} times: {t}.",
                              "Profile the application at {e}." },
    [TCPWHY_APP_LIMITED] = { "{e} stopped writing in the middle of its message for {m} at the "
                             "median, {n} times: {t}.",
                             "TCP had room: make the application at {e} write sooner or in larger "
                             "pieces (its source of data, flushes, rate limits)." },
    [TCPWHY_CORK_HOLD] = { "{e} held a partial segment back for {m} at the median, {n} times: {t}.",
                           "At {e}: uncork (TCP_CORK off, or the last write without MSG_MORE) "
                           "when the message ends; nginx: tcp_nopush off, or sendfile with it." },
    [TCPWHY_NAGLE_HOLD] = { "Nagle's algorithm at {e} held partial segments for a round trip, {m} "
                            "at the median, {n} times: {t}.",
                            "At {e}: set TCP_NODELAY, or hand the whole message to the kernel in "
                            "one write (nginx: tcp_nodelay on)." },
    [TCPWHY_NAGLE_DELAYED_ACK] = { "Nagle's algorithm at {e} waited for delayed ACKs of {p}, {m} "
                                   "at "
                                   "the median, {n} times: {t}.",
                                   "At {e}: set TCP_NODELAY, or hand header and body to the kernel "
                                   "in one write (nginx: tcp_nodelay on). At {p}: TCP_QUICKACK "
                                   "helps too." },
    [TCPWHY_DELAYED_ACK] = { "{p} could send nothing until delayed ACKs of {e} came, {m} at the "
                             "median, {n} times: {t}.",
                             "At {e}: TCP_QUICKACK, or a shorter delayed-ACK timer; at {p}: more "
                             "data in flight (a larger send buffer or initial window)." },
    [TCPWHY_ZERO_WINDOW] = { "{e} closed its window {n} times, {m} at the median: {t}.",
                             "The application at {e} does not read: profile it; a larger SO_RCVBUF "
                             "only hides it." },
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = { "{p} filled the receive window of {e} and waited for it to "
                                        "move: {t}.",
                                        "At {e}: let the receive buffer grow (do not set "
                                        "SO_RCVBUF; raise net.ipv4.tcp_rmem) and check that window "
                                        "scaling survives the path." },
    [TCPWHY_SEND_BUFFER_LIMITED] = { "{e} never had more in flight than its send buffer holds: "
                                     "{t}.",
                                     "At {e}: do not set SO_SNDBUF (the kernel then sizes it), or "
                                     "raise it to the path's bandwidth-delay product; see "
                                     "net.ipv4.tcp_wmem." },
    [TCPWHY_SLOW_START] = { "{e} was still doubling its flight: {t}.",
                            "Reuse connections, or raise the initial window at {e} (ip route "
                            "change ... initcwnd)." },
    [TCPWHY_SLOW_START_AFTER_IDLE] = { "{e} started slowly again after an idle time: {t}.",
                                       "At {e}: net.ipv4.tcp_slow_start_after_idle = 0." },
    [TCPWHY_EARLY_SLOW_START_EXIT] = { "{e} left slow start early without a loss: {t}.",
                                       "At {e}: net.ipv4.tcp_no_metrics_save = 1 and ip "
                                       "tcp_metrics "
                                       "flush; consider another congestion control." },
    [TCPWHY_CONGESTION_WINDOW_LIMITED] = { "The congestion window of {e} was small after losses: "
                                           "{t}.",
                                           "Find the losses on the way between {e} and {p}; BBR or "
                                           "CUBIC recover faster than Reno." },
    [TCPWHY_LOSS_RECOVERY] = { "Data of {e} was lost on the way to {p} and sent again, {n} times: "
                               "{t}.",
                               "Find where the path between {e} and {p} drops (interface counters, "
                               "duplex, queues, Wi-Fi); at {e}: SACK, RACK and TLP on." },
    [TCPWHY_MTU_BLACK_HOLE] = { "Full-size segments of {e} vanish while small ones pass: {t}.",
                                "Let ICMP \"fragmentation needed\" through, clamp the MSS at the "
                                "tunnel, or set net.ipv4.tcp_mtu_probing = 1 at {e}." },
    [TCPWHY_BANDWIDTH_LIMITED] = { "The path from {e} to {p} was full: {t}.",
                                   "More bandwidth, or less to send; if latency suffers, a shorter "
                                   "queue at the bottleneck (fq_codel, CAKE)." },
    [TCPWHY_CLIENT_IDLE] = { "{e} asked for nothing: {t}.", "Nothing to mend: nobody waited." },
};

static void append_time(GString *out, tcpwhy_ns ns)
{
    gint64 us = ns / 1000;

    if (us < 10000)
        g_string_append_printf(out, "%d.%d ms", (int)(us / 1000), (int)(us % 1000 / 100));
    else if (us < 10000000)
        g_string_append_printf(out, "%d ms", (int)((us + 500) / 1000));
    else
        g_string_append_printf(out, "%" G_GINT64_FORMAT ".%d s", us / 1000000,
                               (int)(us % 1000000 / 100000));
}

static void append_place(GString *out, char place, const struct tcpwhy_finding *f)
{
    char text[TCPWHY_ENDPOINT_TEXT];

    if (place == 'e')
        g_string_append(out, tcpwhy_endpoint_format(&f->endpoint, text));
    else if (place == 'p')
        g_string_append(out, tcpwhy_endpoint_format(&f->peer, text));
    else if (place == 'n')
        g_string_append_printf(out, "%" G_GUINT64_FORMAT, f->count);
    else
        append_time(out, place == 'm' ? f->median_ns : f->cost_ns);
}

static const char *fill(const char *template, const struct tcpwhy_finding *f, GStringChunk *texts)
{
    GString *out = g_string_new(NULL);
    const char *kept;

    for (const char *p = template; p && *p; p++) {
        if (p[0] == '{' && p[1] && p[2] == '}') {
            append_place(out, p[1], f);
            p += 2;
        } else {
            g_string_append_c(out, *p);
        }
    }
    kept = g_string_chunk_insert_len(texts, out->str, (gssize)out->len);
    g_string_free(out, TRUE);
    return kept;
}

void tw_advise(struct tcpwhy_finding *f, GStringChunk *texts)
{
    f->summary = fill(advice[f->cause].summary, f, texts);
    f->remedy = fill(advice[f->cause].remedy, f, texts);
}
