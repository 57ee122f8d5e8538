/* SPDX-License-Identifier: MIT */
/*
 * sniff INTERFACE|CAPTURE [FILTER]: a capture tool pushes the packets that it has, and prints each
 * finding as soon as its connection is over. Ctrl-C ends it
 * with the diagnosis of all.
 */
#include <pcap/pcap.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <tcpwhy/tcpwhy.h>

static pcap_t *capture;

static void stop(int number)
{
    (void)number;
    pcap_breakloop(capture);
}

static bool print(void *file, const char *bytes, size_t len)
{
    return fwrite(bytes, 1, len, file) == len;
}

static bool print_finding(void *user, const struct tcpwhy_finding *finding)
{
    char text[TCPWHY_ENDPOINT_TEXT];

    (void)user;
    printf("stream %u: %s at %s, %.1f ms: %s\n", finding->stream,
           tcpwhy_cause_info(finding->cause)->name,
           tcpwhy_endpoint_format(&finding->endpoint, text), (double)finding->cost_ns / 1e6,
           finding->remedy);
    return fflush(stdout) == 0;
}

static void push(u_char *session, const struct pcap_pkthdr *header, const u_char *bytes)
{
    struct tcpwhy_packet packet = {
        .link_type = (uint32_t)pcap_datalink(capture),
        /* tv_usec holds nanoseconds: they were asked for. */
        .time_ns = TCPWHY_S(header->ts.tv_sec) + header->ts.tv_usec,
        .captured_len = header->caplen,
        .original_len = header->len,
        .bytes = bytes,
    };

    if (tcpwhy_session_push((tcpwhy_session *)session, &packet) < 0)
        pcap_breakloop(capture);
}

static pcap_t *open_live(const char *interface, char *error)
{
    pcap_t *live = pcap_create(interface, error);

    if (!live)
        return NULL;
    pcap_set_snaplen(live, 256); /* headers, and what requests begin with */
    pcap_set_timeout(live, 100);
    pcap_set_tstamp_precision(live, PCAP_TSTAMP_PRECISION_NANO);
    if (pcap_activate(live) >= 0)
        return live;
    snprintf(error, PCAP_ERRBUF_SIZE, "%s", pcap_geterr(live));
    pcap_close(live);
    return NULL;
}

static bool set_filter(const char *expression)
{
    struct bpf_program program;

    if (pcap_compile(capture, &program, expression, 1, PCAP_NETMASK_UNKNOWN) < 0)
        return false;

    bool ok = pcap_setfilter(capture, &program) == 0;

    pcap_freecode(&program);
    return ok;
}

int main(int argc, char **argv)
{
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    char error[TCPWHY_ERROR_TEXT];
    tcpwhy_session *session;
    tcpwhy_report *report;

    if (argc < 2)
        return fprintf(stderr, "usage: %s INTERFACE|CAPTURE [FILTER]\n", argv[0]), 2;
    capture =
        access(argv[1], R_OK) == 0
            ? pcap_open_offline_with_tstamp_precision(argv[1], PCAP_TSTAMP_PRECISION_NANO, error)
            : open_live(argv[1], error);
    if (!capture)
        return fprintf(stderr, "%s\n", error), 1;
    if (!set_filter(argc > 2 ? argv[2] : "tcp"))
        return fprintf(stderr, "%s\n", pcap_geterr(capture)), 1;

    options.on_finding = print_finding;
    if (tcpwhy_session_new(&options, &session, error) < 0)
        return fprintf(stderr, "%s\n", error), 1;
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    pcap_loop(capture, -1, push, (u_char *)session);
    if (tcpwhy_session_finish(session, &report) == 0) {
        tcpwhy_render_text(report, TCPWHY_DOC_DIAGNOSIS, NULL, print, stdout);
        tcpwhy_report_free(report);
    }
    pcap_close(capture);
    return 0;
}
