/* SPDX-License-Identifier: MIT */
/*
 * parsed < LINES: segments that another program has parsed, a line each; print waits once they are
 * over, and what is known of the last connection while it is open. A line, as a Zeek script or an
 * eBPF program may print it, and as tshark does with "-T fields":
 *
 *     TIME_NS SOURCE PORT DESTINATION PORT FLAGS SEQ ACK WINDOW LENGTH
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>

#include <tcpwhy/tcpwhy.h>

static bool print_incident(void *user, const struct tcpwhy_incident *incident)
{
    char server[TCPWHY_ENDPOINT_TEXT];

    (void)user;
    printf("frame %" PRIu32 ": %s, %.1f ms, %s\n", incident->last_frame,
           tcpwhy_cause_info(incident->cause)->name, (double)incident->cost_ns / 1e6,
           tcpwhy_endpoint_format(&incident->server, server));
    return true;
}

static bool parse_address(const char *text, struct tcpwhy_endpoint *end)
{
    end->version = inet_pton(AF_INET, text, end->address) == 1    ? 4
                   : inet_pton(AF_INET6, text, end->address) == 1 ? 6
                                                                  : 0;
    return end->version != 0;
}

/* @return false at the end of the input, and for a line that is none. */
static bool read_segment(struct tcpwhy_parsed *segment)
{
    char source[64], destination[64];

    *segment = (struct tcpwhy_parsed)TCPWHY_PARSED_INIT;
    /* NOLINTNEXTLINE(cert-err34-c): a number that is none ends the input. */
    if (scanf("%" SCNd64 " %63s %" SCNu16 " %63s %" SCNu16 " %" SCNi16 " %" SCNu32 " %" SCNu32
              " %" SCNu16 " %" SCNu32,
              &segment->time_ns, source, &segment->source.port, destination,
              &segment->destination.port, (int16_t *)&segment->flags, &segment->seq, &segment->ack,
              &segment->window, &segment->len) != 10)
        return false;
    segment->options_unknown = true;
    return parse_address(source, &segment->source) &&
           parse_address(destination, &segment->destination);
}

static void print_state(tcpwhy_session *session, const struct tcpwhy_parsed *last)
{
    tcpwhy_report *report;
    const struct tcpwhy_stream *stream;

    if (tcpwhy_session_connection(session, &last->source, &last->destination, &report) < 0)
        return;
    stream = tcpwhy_report_stream(report, 0);
    printf("last connection: %s, %.1f ms of %.1f ms\n",
           tcpwhy_cause_info(stream->verdict->cause)->name, (double)stream->verdict->cost_ns / 1e6,
           (double)stream->duration_ns / 1e6);
    tcpwhy_report_free(report);
}

int main(void)
{
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    struct tcpwhy_parsed segment, last = TCPWHY_PARSED_INIT;
    char error[TCPWHY_ERROR_TEXT];
    tcpwhy_session *session;

    callbacks.on_incident = print_incident;
    options.callbacks = &callbacks;
    if (tcpwhy_session_new(&options, &session, error, sizeof error) < 0)
        return fprintf(stderr, "%s\n", error), 1;
    while (read_segment(&segment) && tcpwhy_session_push_parsed(session, &segment) == 0)
        last = segment;
    print_state(session, &last);
    tcpwhy_session_free(session);
    return 0;
}
