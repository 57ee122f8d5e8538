/* SPDX-License-Identifier: MIT */
/*
 * sniff INTERFACE|CAPTURE [FILTER]: push packets into a session and print new findings once a
 * second. Ctrl-C ends it with the diagnosis.
 */
#include <pcap/pcap.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
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

/* Report each cause when it is new, and again when its cost has doubled. */
static void tell_news(const tcpwhy_report *report)
{
    static tcpwhy_ns *told; /* of each cause, what it had cost */
    char text[TCPWHY_ENDPOINT_TEXT];
    const struct tcpwhy_finding *f;

    if (!told && !(told = calloc(tcpwhy_cause_count(), sizeof *told)))
        return;
    for (size_t i = 0; (f = tcpwhy_report_finding(report, i)); i++) {
        if (f->cost_ns < 2 * told[f->cause] || f->cost_ns == 0)
            continue;
        told[f->cause] = f->cost_ns;
        printf("%s at %s, %.1f ms: %s\n", tcpwhy_cause_info(f->cause)->name,
               tcpwhy_endpoint_format(&f->endpoint, text), (double)f->cost_ns / 1e6, f->remedy);
    }
    fflush(stdout);
}

static void look(tcpwhy_session *session)
{
    static time_t looked;
    tcpwhy_report *report;

    if (time(NULL) == looked || tcpwhy_session_snapshot(session, &report) < 0)
        return;
    tell_news(report);
    tcpwhy_report_free(report);
    looked = time(NULL);
}

static void push(u_char *session, const struct pcap_pkthdr *header, const u_char *bytes)
{
    struct tcpwhy_packet packet = {
        .struct_size = sizeof packet,
        .link_type = (uint32_t)pcap_datalink(capture),
        /* tv_usec holds nanoseconds, as requested from libpcap. */
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
    pcap_set_snaplen(live, 256); /* headers and the start of requests */
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
    int got;
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

    if (tcpwhy_session_new(NULL, &session, error, sizeof error) < 0)
        return fprintf(stderr, "%s\n", error), 1;
    signal(SIGINT, stop);
    signal(SIGTERM, stop);
    do {
        got = pcap_dispatch(capture, 1000, push, (u_char *)session);
        look(session);
    } while (got > 0 || (got == 0 && !pcap_file(capture)));
    if (tcpwhy_session_finish(session, &report) == 0) {
        tell_news(report);
        tcpwhy_render(report, TCPWHY_DOC_DIAGNOSIS, TCPWHY_FORMAT_TEXT, NULL, print, stdout);
        tcpwhy_report_free(report);
    }
    pcap_close(capture);
    return 0;
}
