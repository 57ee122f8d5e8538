/* SPDX-License-Identifier: MIT */
/* The layout of wrk, with its correction for coordinated omission. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "render/as/as.h"
#include "render/view/latency_words.h"
#include "report/figures/omission.h"

/* wrk counts the requests of each thread that often. */
#define SAMPLE_NS TCPWHY_MS(100)

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

struct load {
    const struct tw_service *s;
    tcpwhy_ns interval_ns, slower_ns;
    double seconds;
    struct tw_distribution plain, corrected;
    struct tw_distribution until_next; /* corrected, of times until the client asked again */
    struct tw_spread rate;
    uint64_t timeouts, not_good, unread;
};

/* The end of wrk's run: it reads no answer that comes later, as it asks again at once on reading. A
 * client with one connection, or one for each request, may end with its last answer. */
static tcpwhy_ns stopped_at(const struct tw_service *s)
{
    return s->opens || s->sockets < 2 || s->requests->len == 0
               ? INT64_MAX
               : tw_array_index(s->requests, struct tw_service_request, s->requests->len - 1)
                     .exchange->start_ns;
}

/* `of` without the answers that came after the run; its requests are the caller's. */
static struct tw_service in_run(const struct tw_service *of, uint64_t *unread)
{
    tcpwhy_ns stop_ns = stopped_at(of);
    struct tw_service s = *of;

    s.requests =
        tw_array_sized_new(FALSE, FALSE, sizeof(struct tw_service_request), of->requests->len);
    s.last_ns = MIN(of->last_ns, stop_ns);
    for (guint i = 0; i < of->requests->len; i++) {
        const struct tw_service_request *r =
            &tw_array_index(of->requests, struct tw_service_request, i);
        tcpwhy_ns total_ns = tw_service_time(r, TW_SERVICE_LATENCY);

        if (total_ns == TCPWHY_NS_UNKNOWN || r->exchange->start_ns <= stop_ns - total_ns) {
            tw_array_append_val(s.requests, *r);
            continue;
        }
        s.answered--;
        s.response_bytes -= r->exchange->response_bytes;
        ++*unread;
    }
    return s;
}

/* Answers of each tenth of a second, as a rate. */
static struct tw_spread rates(const struct tw_service *s)
{
    size_t n = (size_t)((s->last_ns - s->first_ns) / SAMPLE_NS);
    double *rate = tw_new0(double, n + 1);
    struct tw_spread spread;

    for (guint i = 0; i < s->requests->len; i++) {
        const struct tcpwhy_exchange *e =
            tw_array_index(s->requests, struct tw_service_request, i).exchange;
        tcpwhy_ns at_ns = e->start_ns + e->total_ns - s->first_ns;

        if (e->complete && e->total_ns != TCPWHY_NS_UNKNOWN && at_ns >= 0 &&
            at_ns < (tcpwhy_ns)n * SAMPLE_NS)
            rate[at_ns / SAMPLE_NS] += 1e9 / SAMPLE_NS;
    }
    spread = tw_spread_of(rate, n);
    tw_free(rate);
    return spread;
}

static void count(struct load *l)
{
    for (guint i = 0; i < l->s->requests->len; i++) {
        const struct tcpwhy_exchange *e =
            tw_array_index(l->s->requests, struct tw_service_request, i).exchange;

        if (!e->complete || e->total_ns == TCPWHY_NS_UNKNOWN)
            continue;
        l->timeouts += e->total_ns >= l->slower_ns;
        l->not_good += e->status > 399;
    }
}

static struct tw_distribution corrected_at(const struct load *l, const tw_array *times,
                                           tcpwhy_ns interval_ns)
{
    tw_array *all = tw_omission_correct(times, interval_ns, l->slower_ns);
    struct tw_distribution d = tw_distribution_of(all);

    tw_array_free(all, TRUE);
    return d;
}

static void measure(struct load *l)
{
    const struct tw_service *s = l->s;
    tw_array *times = tw_service_times(s, TW_SERVICE_LATENCY, 0, NULL);
    tw_array *until_next = tw_service_times_until_next(s);
    uint64_t each = s->sockets ? s->answered / s->sockets : 0;

    l->seconds = (double)(s->last_ns - s->first_ns) / 1e9;
    l->interval_ns = each ? (s->last_ns - s->first_ns) / (tcpwhy_ns)each : 0;
    l->corrected = corrected_at(l, times, l->interval_ns);
    l->until_next = corrected_at(l, until_next, l->interval_ns);
    l->plain = corrected_at(l, times, 0);
    tw_array_free(until_next, TRUE);
    tw_array_free(times, TRUE);
    l->rate = rates(s);
    count(l);
}

static void thread_row(tw_string *to, const char *name, const char *mean, const char *deviation,
                       const char *max, double within)
{
    tw_string_append_printf(to, "    %s  %8s %9s %8s %8s%%\n", name, mean, deviation, max,
                            tw_as_real(within * 100, 2).text);
}

static void stats(tw_string *to, const struct load *l)
{
    const struct tw_distribution *d = &l->corrected;
    const struct tw_spread *r = &l->rate;

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

static void totals(tw_string *to, const struct load *l)
{
    const struct tw_service *s = l->s;

    tw_string_append_printf(to, "  %" G_GUINT64_FORMAT " requests in %ss, %s read\n", s->answered,
                            tw_as_real(l->seconds, 2).text,
                            as_bytes((double)s->response_bytes).text);
    if (l->timeouts)
        tw_string_append_printf(
            to, "  Socket errors: connect 0, read 0, write 0, timeout %" G_GUINT64_FORMAT "\n",
            l->timeouts);
    if (l->not_good)
        tw_string_append_printf(to, "  Non-2xx or 3xx responses: %" G_GUINT64_FORMAT "\n",
                                l->not_good);
    tw_string_append_printf(to, "Requests/sec: %10s\n",
                            tw_as_real((double)s->answered / l->seconds, 2).text);
    tw_string_append_printf(to, "Transfer/sec: %10s\n",
                            as_bytes((double)s->response_bytes / l->seconds).text);
}

static void figures(struct tw_json *json, const struct load *l)
{
    tw_latency_json(json, l->s);
    tw_json_ms(json, "interval_ms", l->interval_ns);
    tw_json_uint(json, "timeouts", l->timeouts);
    tw_json_uint(json, "not_2xx_3xx", l->not_good);
    tw_json_ms(json, "mean_ms", (tcpwhy_ns)l->corrected.mean_ns);
    tw_json_ms(json, "deviation_ms", (tcpwhy_ns)l->corrected.deviation_ns);
    tw_json_ms(json, "max_ms", l->corrected.max_ns);
    tw_json_real(json, "within", l->corrected.within);
    tw_json_ms(json, "p50_ms", l->corrected.p50_ns);
    tw_json_ms(json, "p75_ms", l->corrected.p75_ns);
    tw_json_ms(json, "p90_ms", l->corrected.p90_ns);
    tw_json_ms(json, "p99_ms", l->corrected.p99_ns);
    tw_json_ms(json, "until_next_p50_ms", l->until_next.p50_ns);
    tw_json_ms(json, "until_next_p99_ms", l->until_next.p99_ns);
    tw_json_ms(json, "uncorrected_p50_ms", l->plain.p50_ns);
    tw_json_ms(json, "uncorrected_p99_ms", l->plain.p99_ns);
}

/* wrk's clock runs until it reads an answer, of which a capture shows the bounds alone. */
static void note_read(struct tw_as *as, const struct load *l)
{
    const struct tw_distribution *from = &l->corrected, *to = &l->until_next;

    if (to->p50_ns <= from->p50_ns && to->p99_ns <= from->p99_ns)
        return;
    tw_as_note(as,
               "wrk's clock runs until it has read an answer, after it arrived and before the next "
               "request on its connection: the 50th percentile lies between %s and %s, the 99th "
               "between %s and %s.",
               tw_duration(from->p50_ns).text, tw_duration(to->p50_ns).text,
               tw_duration(from->p99_ns).text, tw_duration(to->p99_ns).text);
}

static void notes(struct tw_as *as, const struct load *l)
{
    if (l->interval_ns && l->corrected.n > l->plain.n) {
        tw_as_note(as,
                   "Latencies are corrected for coordinated omission as by wrk: each connection "
                   "asked every %s on average, and a longer wait stands for the requests that it "
                   "kept from being sent.",
                   tw_duration(l->interval_ns).text);
        tw_as_note(as, "Without that the 99th percentile is %s, and not %s.",
                   tw_duration(l->plain.p99_ns).text, tw_duration(l->corrected.p99_ns).text);
    }
    if (l->timeouts)
        tw_as_note(as,
                   "Requests slower than %s are counted as timeouts and left out of the "
                   "latencies.",
                   tw_duration(l->slower_ns).text);
    if (l->unread)
        tw_as_note(as,
                   "Answers after the last request: %" G_GUINT64_FORMAT
                   ". wrk had stopped, and does not count them.",
                   l->unread);
    if (l->s->unanswered)
        tw_as_note(as,
                   "%" G_GUINT64_FORMAT " requests were never answered; wrk does not count them.",
                   l->s->unanswered);
    tw_as_note(as, "Req/Sec is of the whole client: wrk's is of each of its threads, which a "
                   "capture does not show. Times are those of the network, without the client's "
                   "own delays.");
    note_read(as, l);
}

static void print(struct tw_as *as, struct load *l)
{
    const struct tw_service *s = l->s;

    measure(l);
    tw_string_append_printf(as->lines, "Running %ss test @ ", tw_as_real(l->seconds, 0).text);
    if (s->server_name)
        tw_string_append_printf(as->lines, "%s:%u\n", s->server_name, s->endpoint.port);
    else
        tw_string_append_printf(as->lines, "%s\n", tw_endpoint(&s->endpoint).text);
    tw_string_append_printf(as->lines, "  %" G_GUINT64_FORMAT " connections\n", s->sockets);
    stats(as->lines, l);
    totals(as->lines, l);
    if (as->json)
        figures(as->json, l);
    notes(as, l);
}

void tw_as_wrk(struct tw_as *as)
{
    tcpwhy_ns slower_ns = tw_latency_slower(&as->request->options);
    tw_array *services = tw_services(as->request->report, slower_ns);
    struct tw_service run = { 0 };
    struct load l = { .s = &run, .slower_ns = slower_ns };

    if (services->len > 0)
        run = in_run(&tw_array_index(services, struct tw_service, 0), &l.unread);
    if (run.answered > 0 && run.last_ns > run.first_ns)
        print(as, &l);
    else
        tw_string_append(as->lines, "No request was answered.\n");
    if (run.requests)
        tw_array_free(run.requests, TRUE);
    tw_services_free(services);
}
