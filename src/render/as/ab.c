/* SPDX-License-Identifier: MIT */
/* The layout of ab: what a request took with and without its connection. */
#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "base/text.h"
#include "render/as/as.h"
#include "render/view/latency_words.h"
#include "report/figures/ab_run.h"

/* ab rounds microseconds to milliseconds. */
static int64_t whole_ms(double ns)
{
    return (int64_t)floor(ns / 1e6 + 0.5);
}

static void row(tw_string *to, const char *name, const struct tw_distribution *d)
{
    tw_string_append_printf(to, "%-11s %5" PRId64 " %4" PRId64 " %5s %6" PRId64 " %7" PRId64 "\n",
                            name, whole_ms((double)d->min_ns), whole_ms(d->mean_ns),
                            tw_as_real(d->deviation_ns / 1e6, 1).text, whole_ms((double)d->p50_ns),
                            whole_ms((double)d->max_ns));
}

static void head(tw_string *to, const struct tw_ab_run *run)
{
    const struct tw_service *s = run->service;
    double done = (double)s->answered, at_once = (double)s->sockets;

    tw_string_append_printf(to, "Server Hostname:        %s\n",
                            s->server_name ? s->server_name : tw_host(&s->endpoint).text);
    tw_string_append_printf(to, "Server Port:            %u\n\n", s->endpoint.port);
    tw_string_append_printf(to, "Concurrency Level:      %" G_GUINT64_FORMAT "\n", s->sockets);
    tw_string_append_printf(to, "Time taken for tests:   %s seconds\n",
                            tw_as_real(run->seconds, 3).text);
    tw_string_append_printf(to, "Complete requests:      %" G_GUINT64_FORMAT "\n", s->answered);
    tw_string_append_printf(to, "Failed requests:        %" G_GUINT64_FORMAT "\n", s->unanswered);
    if (run->not_2xx)
        tw_string_append_printf(to, "Non-2xx responses:      %" G_GUINT64_FORMAT "\n",
                                run->not_2xx);
    tw_string_append_printf(to, "Total transferred:      %" G_GUINT64_FORMAT " bytes\n",
                            s->response_bytes);
    tw_string_append_printf(to, "Requests per second:    %s [#/sec] (mean)\n",
                            tw_as_real(done / run->seconds, 2).text);
    tw_string_append_printf(to, "Time per request:       %s [ms] (mean)\n",
                            tw_as_real(at_once * run->seconds * 1e3 / done, 3).text);
    tw_string_append_printf(
        to, "Time per request:       %s [ms] (mean, across all concurrent requests)\n",
        tw_as_real(run->seconds * 1e3 / done, 3).text);
    tw_string_append_printf(to, "Transfer rate:          %s [Kbytes/sec] received\n\n",
                            tw_as_real((double)s->response_bytes / 1024 / run->seconds, 2).text);
}

static void times(tw_string *to, const struct tw_ab_run *run)
{
    static const unsigned percents[] = { 50, 66, 75, 80, 90, 95, 98, 99 };

    tw_string_append(to, "Connection Times (ms)\n"
                         "              min  mean[+/-sd] median   max\n");
    row(to, "Connect:", &run->connect);
    row(to, "Processing:", &run->processing);
    row(to, "Waiting:", &run->waiting);
    row(to, "Total:", &run->whole);
    tw_string_append(to, "\nPercentage of the requests served within a certain time (ms)\n");
    for (size_t i = 0; i < G_N_ELEMENTS(percents); i++)
        tw_string_append_printf(
            to, "  %u%%  %5" PRId64 "\n", percents[i],
            whole_ms((double)tw_distribution_at(run->wholes, percents[i] * 10)));
    tw_string_append_printf(to, " 100%%  %5" PRId64 " (longest request)\n",
                            whole_ms((double)run->whole.max_ns));
}

static void part(struct tw_json *json, const char *key, const struct tw_distribution *d)
{
    tw_json_object(json, key);
    tw_json_ms(json, "min_ms", d->min_ns);
    tw_json_ms(json, "mean_ms", (tcpwhy_ns)d->mean_ns);
    tw_json_ms(json, "deviation_ms", (tcpwhy_ns)d->deviation_ns);
    tw_json_ms(json, "p50_ms", d->p50_ns);
    tw_json_ms(json, "p66_ms", d->p66_ns);
    tw_json_ms(json, "p75_ms", d->p75_ns);
    tw_json_ms(json, "p80_ms", d->p80_ns);
    tw_json_ms(json, "p90_ms", d->p90_ns);
    tw_json_ms(json, "p95_ms", d->p95_ns);
    tw_json_ms(json, "p98_ms", d->p98_ns);
    tw_json_ms(json, "p99_ms", d->p99_ns);
    tw_json_ms(json, "max_ms", d->max_ns);
    tw_json_end(json);
}

static void figures(struct tw_json *json, const struct tw_ab_run *run)
{
    tw_latency_json(json, run->service);
    tw_json_uint(json, "not_2xx", run->not_2xx);
    part(json, "connect", &run->connect);
    part(json, "processing", &run->processing);
    part(json, "waiting", &run->waiting);
    part(json, "total", &run->whole);
}

static void print(struct tw_as *as, const struct tw_ab_run *run)
{
    head(as->lines, run);
    times(as->lines, run);
    if (as->json)
        figures(as->json, run);
    tw_as_note(as, "Connect ends where the request leaves. Processing ends where the client closes "
                   "a connection that the server closed, else with the answer. ab's own queue of "
                   "events is not on the wire: it adds to Waiting under load.");
    if (run->service->unanswered)
        tw_as_note(as, "Failed requests are those that were never answered; ab also counts answers "
                       "of another length than the first.");
}

void tw_as_ab(struct tw_as *as)
{
    struct tw_ab_run run;

    if (tw_ab_run_make(as->request->report, tw_latency_slower(&as->request->options), &run))
        print(as, &run);
    else
        tw_string_append(as->lines, "No request was answered.\n");
    tw_ab_run_clear(&run);
}
