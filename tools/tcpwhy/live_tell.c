/* SPDX-License-Identifier: MIT */
/*
 * Knows the forms of output, not when to print what.
 */
#include "live_tell.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "complain.h"
#include "output.h"

static void print(const struct live_tell *tell, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void print(const struct live_tell *tell, const char *format, ...)
{
    char text[512];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    output_text(tell->args->output, text);
}

/* A document inside of a line: without the line feed at its end. */
static bool write_inside(void *user, const char *bytes, size_t len)
{
    return output_write(user, bytes, len > 0 && bytes[len - 1] == '\n' ? len - 1 : len);
}

static bool as_lines(const struct live_tell *tell)
{
    return tell->args->format == FORMAT_NDJSON;
}

static void print_clock(const struct live_tell *tell, time_t clock)
{
    char text[32];

    strftime(text, sizeof(text), "%H:%M:%S", localtime(&clock));
    print(tell, "%s", text);
}

void live_tell_finding(const struct live_tell *tell, const tcpwhy_report *report,
                       const struct tcpwhy_finding *f, unsigned id, tcpwhy_ns before_ns)
{
    struct tcpwhy_render_options options = tell->args->render;
    struct output *output = tell->args->output;
    time_t clock = time(NULL);

    options.finding = f;
    if (as_lines(tell)) {
        print(tell,
              "{\"event\": \"finding\", \"time_s\": %lld, \"id\": %u, \"worse\": %s, "
              "\"before_ms\": ",
              (long long)clock, id, before_ns > 0 ? "true" : "false");
        if (before_ns > 0)
            print(tell, "%.6f, \"finding\": ", (double)before_ns / 1e6);
        else
            print(tell, "null, \"finding\": ");
        check_memory(tcpwhy_render(report, TCPWHY_DOC_FINDING, TCPWHY_FORMAT_JSON, &options,
                                   write_inside, output));
        print(tell, "}\n");
    } else {
        print_clock(tell, clock);
        print(tell, ", finding %u", id);
        if (before_ns > 0)
            print(tell, ", worse than before: %.1f s, not %.1f s", (double)f->cost_ns / 1e9,
                  (double)before_ns / 1e9);
        print(tell, "\n");
        check_memory(tcpwhy_render(report, TCPWHY_DOC_FINDING, TCPWHY_FORMAT_TEXT, &options,
                                   output_write, output));
        print(tell, "\n");
    }
    output_flush(output);
}

void live_tell_retracted(const struct live_tell *tell, const struct news_told *told,
                         const struct tcpwhy_finding *instead, unsigned instead_id)
{
    const struct tcpwhy_cause_info *was = tcpwhy_cause_info(told->cause);
    time_t clock = time(NULL);

    if (as_lines(tell)) {
        print(tell,
              "{\"event\": \"retracted\", \"time_s\": %lld, \"id\": %u, \"cause\": \"%s\", "
              "\"party\": \"%s\", \"instead\": ",
              (long long)clock, told->id, was->name, tcpwhy_party_name(told->party));
        print(tell, instead_id ? "%u}\n" : "null}\n", instead_id);
    } else {
        print_clock(tell, clock);
        print(tell, ", finding %u retracted: not %s", told->id, was->title);
        if (instead)
            print(tell, " but %s", tcpwhy_cause_info(instead->cause)->title);
        if (instead_id)
            print(tell, " (finding %u)", instead_id);
        print(tell, "\n\n");
    }
    output_flush(tell->args->output);
}

void live_tell_link(const struct live_tell *tell, bool is_down, tcpwhy_ns lasted)
{
    time_t clock = time(NULL);

    if (as_lines(tell)) {
        print(tell, "{\"event\": \"interface\", \"time_s\": %lld, \"state\": \"%s\", \"down_ms\": ",
              (long long)clock, is_down ? "down" : "up");
        print(tell, is_down ? "null}\n" : "%.0f}\n", (double)lasted / 1e6);
    } else {
        print_clock(tell, clock);
        if (is_down)
            print(tell, ", %s is down: no packets until it is up again\n\n", tell->name);
        else
            print(tell,
                  ", %s is up after %.1f s; what was sent meanwhile is not in the capture\n\n",
                  tell->name, (double)lasted / 1e9);
    }
    output_flush(tell->args->output);
}

void live_tell_summary(const struct live_tell *tell, const tcpwhy_report *report,
                       const struct tcpwhy_live_counts *counts, tcpwhy_ns lasted, tcpwhy_ns down_ns)
{
    struct output *output = tell->args->output;

    if (as_lines(tell)) {
        print(tell,
              "{\"event\": \"summary\", \"received\": %" PRIu64 ", \"dropped\": %" PRIu64
              ", \"interface_downs\": %" PRIu64 ", \"down_ms\": %.0f, \"document\": ",
              counts->received, counts->dropped, counts->went_down, (double)down_ns / 1e6);
        check_memory(tcpwhy_render(report, TCPWHY_DOC_DIAGNOSIS, TCPWHY_FORMAT_NDJSON, NULL,
                                   write_inside, output));
        print(tell, "}\n");
    } else {
        print(tell, "%s: %" PRIu64 " packets received, %" PRIu64 " dropped in %.1f s", tell->name,
              counts->received, counts->dropped, (double)lasted / 1e9);
        if (counts->went_down == 1)
            print(tell, "; down once, for %.1f s", (double)down_ns / 1e9);
        else if (counts->went_down > 1)
            print(tell, "; down %" PRIu64 " times, for %.1f s", counts->went_down,
                  (double)down_ns / 1e9);
        print(tell, "\n");
        check_memory(tcpwhy_render(report, TCPWHY_DOC_DIAGNOSIS, TCPWHY_FORMAT_TEXT,
                                   &tell->args->render, output_write, output));
    }
    output_flush(output);
}

void live_tell_pause(const struct live_tell *tell)
{
    if (!as_lines(tell))
        output_text(tell->args->output, "\n");
}
