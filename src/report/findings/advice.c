/* SPDX-License-Identifier: MIT */
#include "base/counts.h"
#include "report/findings/advice.h"

#include <string.h>

#include "base/digits.h"

/*
 * Places a template fills: {e} endpoint, {p} peer, {x} "3 times", {c} "3 connections", {t} total,
 * {m} "40 ms at the median (3.1 s at most)", {n} ", 3 times: 3.2 s"; these two, of a single time,
 * "40 ms" and nothing; {quick_acks} what has the host that delays its ACKs, as its stack is known,
 * send them at once. Another name is a detail's, shown with the unit that its name ends in.
 */
static const struct tw_advice advice[TW_N_CAUSES] = {
    [TCPWHY_CONNECT_RETRY] = { "SYNs or first requests to {e} went unanswered and were repeated "
                               "{x}: {t} lost.",
                               "On {e}: look at the listen backlog (ss -ltn, nstat "
                               "TcpExtListenOverflows; raise somaxconn and the listen() argument), "
                               "conntrack (nf_conntrack: table full) and firewalls on the way." },
    [TCPWHY_CONNECT_REFUSED] = { "{e} refused {c}.",
                                 "Start or bind the service at {e}, or point {p} elsewhere: "
                                 "nothing listens there, or a firewall rejects." },
    [TCPWHY_SERVER_THINK] = { "{e} took {m} to begin its answer{n}.",
                              "The network is not it: profile the application at {e} (its "
                              "database, locks, upstream calls)." },
    [TCPWHY_CLIENT_THINK] = { "{e} took {m} to answer {p}{n}.", "Profile the application at {e}." },
    [TCPWHY_APP_LIMITED] = { "{e} stopped writing in the middle of its message for {m}{n}.",
                             "TCP had room: make the application at {e} write sooner or in larger "
                             "pieces (its source of data, flushes, rate limits)." },
    [TCPWHY_CORK_HOLD] = { "{e} held a partial segment back for {m}{n}.",
                           "At {e}: uncork (TCP_CORK off, or the last write without MSG_MORE) "
                           "when the message ends; nginx: tcp_nopush off, or sendfile with it." },
    [TCPWHY_NAGLE_HOLD] = { "Nagle's algorithm at {e} held partial segments for a round trip, "
                            "{m}{n}.",
                            "At {e}: set TCP_NODELAY, or hand the whole message to the kernel in "
                            "one write (nginx: tcp_nodelay on)." },
    [TCPWHY_NAGLE_DELAYED_ACK] = { "Nagle's algorithm at {e} waited for delayed ACKs of {p}, "
                                   "{m}{n}.",
                                   "At {e}: TCP_NODELAY, or header and body in one write (nginx: "
                                   "tcp_nodelay on). At {p}: {quick_acks}." },
    [TCPWHY_DELAYED_ACK] = { "{p} could send nothing until delayed ACKs of {e} came, {m}{n}.",
                             "At {e}: {quick_acks}, or a shorter delayed-ACK timer; at {p}: more "
                             "data in flight (a larger send buffer or initial window)." },
    [TCPWHY_ZERO_WINDOW] = { "{e} closed its window for {m}{n}.",
                             "The application at {e} does not read: profile it; a larger SO_RCVBUF "
                             "only hides it." },
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = { "{p} filled the receive window of {e} and waited for it to "
                                        "move: {t}.",
                                        "At {e}: leave SO_RCVBUF to the kernel "
                                        "(net.ipv4.tcp_rmem), and see that window scaling survives "
                                        "the path." },
    [TCPWHY_SEND_BUFFER_LIMITED] = { "{e} never had more in flight than its send buffer holds: "
                                     "{t}.",
                                     "At {e}: leave SO_SNDBUF to the kernel, or raise it to what "
                                     "the path wants (net.ipv4.tcp_wmem)." },
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
    [TCPWHY_LOSS_RECOVERY] = { "Data of {e} was lost on the way to {p}. Repairs were waited "
                               "for {x}: {t}.",
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

/* Further sentences, each left out when the finding lacks a detail that it names. */
#define MOST_NUMBERS 3
#define ESTIMATE     "Stream {s} took {took_ms} and would take about {would_take_ms} (estimate)."

static const char *const numbers[TW_N_CAUSES][MOST_NUMBERS] = {
    [TCPWHY_NAGLE_DELAYED_ACK] = { "The ACKs came {ack_delay_ms} late: the timer of {stack}.",
                                   ESTIMATE },
    [TCPWHY_NAGLE_HOLD] = { ESTIMATE },
    [TCPWHY_DELAYED_ACK] = { "The ACKs came {ack_delay_ms} late: the timer of {stack}." },
    [TCPWHY_ZERO_WINDOW] = { ESTIMATE },
    [TCPWHY_RECEIVE_WINDOW_LIMITED] = { "A window of {ceiling_bytes} a round trip of {rtt_us} is "
                                        "{rate_bytes_per_s}; the path carries about "
                                        "{path_bytes_per_s} and wants {bdp_bytes} of window. "
                                        "Window scale: {window_scale}.",
                                        ESTIMATE },
    [TCPWHY_CONNECT_RETRY] = { "It could also be: {kind_rival}." },
    [TCPWHY_SEND_BUFFER_LIMITED] = { "A flight of {ceiling_bytes} a round trip of {rtt_us} is "
                                     "{rate_bytes_per_s}; the path carries about "
                                     "{path_bytes_per_s} and wants {bdp_bytes} in flight.",
                                     ESTIMATE },
    [TCPWHY_EARLY_SLOW_START_EXIT] = { "A flight of {ceiling_bytes} a round trip of {rtt_us} is "
                                       "{rate_bytes_per_s}; the path carries about "
                                       "{path_bytes_per_s}." },
    [TCPWHY_LOSS_RECOVERY] = { "Fast retransmissions {fast_retransmissions}, tail loss probes "
                               "{tail_loss_probes}, timeouts {timeouts}, not needed "
                               "{spurious_retransmissions}." },
    [TCPWHY_MTU_BLACK_HOLE] = { "None with {vanished_bytes} of payload got through.",
                                "The largest that got through had {passed_bytes}.",
                                "A router let no packet of more than {mtu_bytes} pass." },
    [TCPWHY_BANDWIDTH_LIMITED] = { "It carried {rate_bytes_per_s}, and a queue of {queue_us} stood "
                                   "on top of the round trip of {rtt_us}." },
};

static void append_count(GString *to, uint64_t n)
{
    char digits[TW_DIGITS_GROUPED];

    g_string_append_len(to, digits, tw_digits_grouped(digits, n) - digits);
}

/* Seconds and more, in the units that the other texts take. */
static void append_long_time(GString *out, gint64 us)
{
    gint64 hundredths = (us + 5000) / 10000, tenths = (us + 50000) / 100000, s = us / 1000000;

    if (hundredths < 1000)
        g_string_append_printf(out, "%d.%02d s", (int)(hundredths / 100), (int)(hundredths % 100));
    else if (s < 600)
        g_string_append_printf(out, "%d.%d s", (int)(tenths / 10), (int)(tenths % 10));
    else if (s < 3600)
        g_string_append_printf(out, "%d min %d s", (int)(s / 60), (int)(s % 60));
    else if (s < 86400)
        g_string_append_printf(out, "%d h %d min", (int)(s / 3600), (int)(s % 3600 / 60));
    else
        g_string_append_printf(out, "%" G_GINT64_FORMAT " d %d h", s / 86400,
                               (int)(s % 86400 / 3600));
}

static void append_time(GString *out, tcpwhy_ns ns)
{
    gint64 us = ns / 1000;
    int tenths = us < 10000 ? (int)((us + 50) / 100) : 0;

    if (us < 100)
        g_string_append_printf(out, "0.%02d ms", (int)((us + 5) / 10));
    else if (us < 10000)
        g_string_append_printf(out, "%d.%d ms", tenths / 10, tenths % 10);
    else if (us < 999500)
        g_string_append_printf(out, "%d ms", (int)((us + 500) / 1000));
    else
        append_long_time(out, us);
}

static bool ends_in(const char *name, const char *unit)
{
    return g_str_has_suffix(name, unit);
}

/* Less is about the size of a segment. */
#define WHOLE_BYTES 2048

static void append_bytes(GString *out, double bytes)
{
    const char *unit = "B";

    if (bytes >= WHOLE_BYTES) {
        bytes /= 1024;
        unit = "KiB";
    }
    if (bytes >= 10240) {
        bytes /= 1024;
        unit = "MiB";
    }
    g_string_append_printf(out, "%" G_GINT64_FORMAT " %s", (gint64)(bytes + 0.5), unit);
}

/* Rates of one sentence are compared: thousands of a unit are told in the next. */
static void append_rate(GString *out, double bytes_per_s)
{
    gint64 kb = (gint64)(bytes_per_s / 1e3 + 0.5), tenths = (kb + 50) / 100;

    if (kb < 1000)
        g_string_append_printf(out, "%d kB/s", (int)kb);
    else if (tenths < 100)
        g_string_append_printf(out, "%d.%d MB/s", (int)(tenths / 10), (int)(tenths % 10));
    else
        g_string_append_printf(out, "%" G_GINT64_FORMAT " MB/s", (kb + 500) / 1000);
}

static void append_detail(GString *out, const struct tcpwhy_detail *d)
{
    if (d->text)
        g_string_append(out, d->text);
    else if (ends_in(d->name, "_per_s"))
        append_rate(out, d->number);
    else if (ends_in(d->name, "_bytes"))
        append_bytes(out, d->number);
    else if (ends_in(d->name, "_us"))
        append_time(out, (tcpwhy_ns)(d->number * 1e3));
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
static void append_endpoint(GString *out, const struct tcpwhy_endpoint *e,
                            const struct tw_finding_row *f)
{
    const struct tcpwhy_detail *n = detail_of(f, TW_ENDPOINTS, strlen(TW_ENDPOINTS));
    char text[TCPWHY_ENDPOINT_TEXT];

    if (e->version) {
        g_string_append(out, tcpwhy_endpoint_format(e, text));
    } else if (n && e == &f->endpoint) {
        append_count(out, (uint64_t)n->number);
        g_string_append(out, " endpoints");
    } else {
        g_string_append(out, "its peers");
    }
}

static bool append_named(GString *out, const char *name, size_t len, const struct tw_finding_row *f)
{
    const struct tcpwhy_detail *d = detail_of(f, name, len);

    if (d)
        append_detail(out, d);
    return d;
}

static void append_connections(GString *out, uint64_t n)
{
    append_count(out, n);
    g_string_append(out, n == 1 ? " connection" : " connections");
}

static void append_times(GString *out, uint64_t n)
{
    if (n == 1) {
        g_string_append(out, "once");
        return;
    }
    append_count(out, n);
    g_string_append(out, " times");
}

/* Of a single wait the median is the sum: one of the two is enough. */
static bool is_once(const struct tw_finding_row *f)
{
    return f->count == 1 && f->median_ns == f->cost_ns;
}

static void append_median(GString *out, const struct tw_finding_row *f)
{
    const struct tcpwhy_detail *longest = detail_of(f, TW_LONGEST_MS, strlen(TW_LONGEST_MS));

    append_time(out, f->median_ns);
    if (is_once(f))
        return;
    g_string_append(out, " at the median");
    if (!longest)
        return;
    g_string_append(out, " (");
    append_detail(out, longest);
    g_string_append(out, " at most)");
}

static void append_number(GString *out, const struct tw_finding_row *f)
{
    if (is_once(f))
        return;
    g_string_append(out, ", ");
    append_times(out, f->count);
    g_string_append(out, ": ");
    append_time(out, f->cost_ns);
}

/* Who delays is told by its stack (explain/model/delack_fingerprint.c). */
static const char *quick_acks(const struct tw_finding_row *f)
{
    const struct tcpwhy_detail *stack = detail_of(f, "stack", strlen("stack"));

    if (stack && stack->text && g_str_has_prefix(stack->text, "Windows"))
        return "TcpAckFrequency = 1 (registry), or Set-NetTCPSetting -DelayedAckFrequency 1";
    if (stack && stack->text && !strstr(stack->text, "Linux"))
        return "TCP_QUICKACK, where its stack has it";
    return "TCP_QUICKACK";
}

static bool append_place(GString *out, const char *name, size_t len, const struct tw_finding_row *f)
{
    if (g_str_has_prefix(name, "quick_acks}")) {
        g_string_append(out, quick_acks(f));
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
    else if (*name == 's')
        g_string_append_printf(out, "%u", (unsigned)f->stream);
    else if (*name == 'm')
        append_median(out, f);
    else if (*name == 'n')
        append_number(out, f);
    else
        append_time(out, f->cost_ns);
    return true;
}

/* @return false when a place has nothing to fill it. */
static bool fill(GString *out, const char *template, const struct tw_finding_row *f)
{
    bool complete = true;

    for (const char *p = template; p && *p; p++) {
        const char *end = *p == '{' ? strchr(p, '}') : NULL;

        if (end) {
            complete &= append_place(out, p + 1, (size_t)(end - p - 1), f);
            p = end;
        } else {
            g_string_append_c(out, *p);
        }
    }
    return complete;
}

static const char *keep(GString *text, GStringChunk *texts)
{
    const char *top = g_string_chunk_insert_len(texts, text->str, (gssize)text->len);

    g_string_free(text, TRUE);
    return top;
}

/* That the network is not it can be said to those who are sure; this is for the others. */
static const char unsure_server_think[] =
    "Begin at the application at {e} (its own log of request times, its database, locks, upstream "
    "calls); if it was quick, look at what else it may be.";

/* No SYN went unanswered: its answer did. */
static const struct tw_advice unheard_answer = {
    "{e} answered a SYN of {p} and sent the answer again, as no ACK of it came: {t}.",
    "Does {p} want the connection? A port scan acknowledges nothing. If it does: find where the "
    "path between {e} and {p} drops packets, in either direction."
};

/* The words of the finding's kind, when it has one that has its own. */
static const struct tw_advice *advice_of(const struct tw_finding_row *f)
{
    const struct tw_advice *of_kind = NULL;

    for (size_t i = 0; i < f->n_details && !of_kind; i++)
        if (f->details[i].text && strcmp(f->details[i].name, "kind") == 0)
            of_kind = tw_advice_of_kind(f->cause, f->details[i].text);
    if (!of_kind && f->cause == TCPWHY_CONNECT_RETRY && f->party == TCPWHY_PARTY_PATH)
        return &unheard_answer;
    return of_kind ? of_kind : &advice[f->cause];
}

static const char *summary(const struct tw_finding_row *f, GStringChunk *texts)
{
    GString *out = g_string_new(NULL);

    fill(out, advice_of(f)->summary, f);
    for (int i = 0; i < MOST_NUMBERS && numbers[f->cause][i]; i++) {
        gsize before = out->len;

        g_string_append_c(out, ' ');
        if (!fill(out, numbers[f->cause][i], f))
            g_string_truncate(out, before);
    }
    return keep(out, texts);
}

static const char *remedy(const struct tw_finding_row *f, GStringChunk *texts)
{
    bool unsure = f->cause == TCPWHY_SERVER_THINK && f->confidence != TCPWHY_CERTAIN;
    GString *out = g_string_new(NULL);

    fill(out, unsure ? unsure_server_think : advice_of(f)->remedy, f);
    return keep(out, texts);
}

void tw_advise(struct tw_finding_row *f, GStringChunk *texts)
{
    f->summary = summary(f, texts);
    f->remedy = remedy(f, texts);
}
