/* SPDX-License-Identifier: MIT */
/* The layout of wrk. */
#include "base/number.h"
#include "base/text.h"
#include "render/as/as.h"
#include "render/view/latency_words.h"
#include "report/figures/wrk_run.h"

static unsigned two(double value)
{
    (void)value;
    return 2;
}

/* "65.83ms", "9.64k", "78.59MB" */
static struct tw_short_text as_time(double ns)
{
    static const char *const units[] = { "us", "ms", "s", NULL };

    return tw_as_scaled(ns / 1e3, 1000, units, two);
}

static struct tw_short_text as_metric(double value)
{
    static const char *const units[] = { "", "k", "M", "G", NULL };

    return tw_as_scaled(value, 1000, units, two);
}

static struct tw_short_text as_bytes(double value)
{
    static const char *const units[] = { "B", "KB", "MB", "GB", "TB", NULL };

    return tw_as_scaled(value, 1024, units, two);
}

static void thread_row(tw_string *to, const char *name, const char *mean, const char *deviation,
                       const char *max, double within)
{
    tw_string_append_printf(to, "    %s  %8s %9s %8s %8s%%\n", name, mean, deviation, max,
                            tw_as_real(within * 100, 2).text);
}

static void stats(tw_string *to, const struct tw_wrk_run *run)
{
    const struct tw_distribution *d = &run->corrected;
    const struct tw_spread *r = &run->rate;

    tw_string_append(to, "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n");
    thread_row(to, "Latency", as_time(d->mean_ns).text, as_time(d->deviation_ns).text,
               as_time((double)(d->n ? d->max_ns : 0)).text, d->within);
    thread_row(to, "Req/Sec", as_metric(r->mean).text, as_metric(r->deviation).text,
               as_metric(r->max).text, r->within);
    tw_string_append(to, "  Latency Distribution\n");
    tw_string_append_printf(to, "     50%% %8s\n", as_time((double)d->p50_ns).text);
    tw_string_append_printf(to, "     75%% %8s\n", as_time((double)d->p75_ns).text);
    tw_string_append_printf(to, "     90%% %8s\n", as_time((double)d->p90_ns).text);
    tw_string_append_printf(to, "     99%% %8s\n", as_time((double)d->p99_ns).text);
}

static void totals(tw_string *to, const struct tw_wrk_run *run)
{
    const struct tw_service *s = &run->service;

    tw_string_append_printf(to, "  %" G_GUINT64_FORMAT " requests in %ss, %s read\n", s->answered,
                            tw_as_real(run->seconds, 2).text,
                            as_bytes((double)s->response_bytes).text);
    if (run->timeouts)
        tw_string_append_printf(
            to, "  Socket errors: connect 0, read 0, write 0, timeout %" G_GUINT64_FORMAT "\n",
            run->timeouts);
    if (run->not_good)
        tw_string_append_printf(to, "  Non-2xx or 3xx responses: %" G_GUINT64_FORMAT "\n",
                                run->not_good);
    tw_string_append_printf(to, "Requests/sec: %10s\n",
                            tw_as_real((double)s->answered / run->seconds, 2).text);
    tw_string_append_printf(to, "Transfer/sec: %10s\n",
                            as_bytes((double)s->response_bytes / run->seconds).text);
}

static void figures(struct tw_json *json, const struct tw_wrk_run *run)
{
    tw_latency_json(json, &run->service);
    tw_json_ms(json, "interval_ms", run->interval_ns);
    tw_json_uint(json, "timeouts", run->timeouts);
    tw_json_uint(json, "not_2xx_3xx", run->not_good);
    tw_json_ms(json, "mean_ms", (tcpwhy_ns)run->corrected.mean_ns);
    tw_json_ms(json, "deviation_ms", (tcpwhy_ns)run->corrected.deviation_ns);
    tw_json_ms(json, "max_ms", run->corrected.max_ns);
    tw_json_real(json, "within", run->corrected.within);
    tw_json_ms(json, "p50_ms", run->corrected.p50_ns);
    tw_json_ms(json, "p75_ms", run->corrected.p75_ns);
    tw_json_ms(json, "p90_ms", run->corrected.p90_ns);
    tw_json_ms(json, "p99_ms", run->corrected.p99_ns);
    tw_json_ms(json, "until_next_p50_ms", run->until_next.p50_ns);
    tw_json_ms(json, "until_next_p99_ms", run->until_next.p99_ns);
    tw_json_ms(json, "uncorrected_p50_ms", run->plain.p50_ns);
    tw_json_ms(json, "uncorrected_p99_ms", run->plain.p99_ns);
}

/* wrk's clock runs until it reads an answer, of which a capture shows the bounds alone. */
static void note_read(struct tw_as *as, const struct tw_wrk_run *run)
{
    const struct tw_distribution *from = &run->corrected, *to = &run->until_next;

    if (to->p50_ns <= from->p50_ns && to->p99_ns <= from->p99_ns)
        return;
    tw_as_note(as,
               "wrk's clock runs until it has read an answer, after it arrived and before the next "
               "request on its connection: the 50th percentile lies between %s and %s, the 99th "
               "between %s and %s.",
               tw_duration(from->p50_ns).text, tw_duration(to->p50_ns).text,
               tw_duration(from->p99_ns).text, tw_duration(to->p99_ns).text);
}

static void notes(struct tw_as *as, const struct tw_wrk_run *run)
{
    if (run->interval_ns && run->corrected.n > run->plain.n) {
        tw_as_note(as,
                   "Latencies are corrected for coordinated omission as by wrk: each connection "
                   "asked every %s on average, and a longer wait stands for the requests that it "
                   "kept from being sent.",
                   tw_duration(run->interval_ns).text);
        tw_as_note(as, "Without that the 99th percentile is %s, and not %s.",
                   tw_duration(run->plain.p99_ns).text, tw_duration(run->corrected.p99_ns).text);
    }
    if (run->timeouts)
        tw_as_note(as,
                   "Requests slower than %s are counted as timeouts and left out of the "
                   "latencies.",
                   tw_duration(run->slower_ns).text);
    if (run->unread)
        tw_as_note(as,
                   "Answers after the last request: %" G_GUINT64_FORMAT
                   ". wrk had stopped, and does not count them.",
                   run->unread);
    if (run->service.unanswered)
        tw_as_note(as,
                   "%" G_GUINT64_FORMAT " requests were never answered; wrk does not count them.",
                   run->service.unanswered);
    tw_as_note(as, "Req/Sec is of the whole client: wrk's is of each of its threads, which a "
                   "capture does not show. Times are those of the network, without the client's "
                   "own delays.");
    note_read(as, run);
}

static void print(struct tw_as *as, const struct tw_wrk_run *run)
{
    const struct tw_service *s = &run->service;

    tw_string_append_printf(as->lines, "Running %ss test @ ", tw_as_real(run->seconds, 0).text);
    if (s->server_name)
        tw_string_append_printf(as->lines, "%s:%u\n", s->server_name, s->endpoint.port);
    else
        tw_string_append_printf(as->lines, "%s\n", tw_endpoint(&s->endpoint).text);
    tw_string_append_printf(as->lines, "  %" G_GUINT64_FORMAT " connections\n", s->sockets);
    stats(as->lines, run);
    totals(as->lines, run);
    if (as->json)
        figures(as->json, run);
    notes(as, run);
}

void tw_as_wrk(struct tw_as *as)
{
    struct tw_wrk_run run;

    if (tw_wrk_run_make(as->request->report, tw_latency_slower(&as->request->options), &run))
        print(as, &run);
    else
        tw_string_append(as->lines, "No request was answered.\n");
    tw_wrk_run_clear(&run);
}
