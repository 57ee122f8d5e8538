/* SPDX-License-Identifier: MIT */
#include "report/figures/wrk_run.h"

#include "base/array.h"
#include "base/memory.h"
#include "report/figures/omission.h"

/* wrk counts the requests of each thread that often. */
#define SAMPLE_NS TCPWHY_MS(100)

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

static void count(struct tw_wrk_run *run)
{
    for (guint i = 0; i < run->service.requests->len; i++) {
        const struct tcpwhy_exchange *e =
            tw_array_index(run->service.requests, struct tw_service_request, i).exchange;

        if (!e->complete || e->total_ns == TCPWHY_NS_UNKNOWN)
            continue;
        run->timeouts += e->total_ns >= run->slower_ns;
        run->not_good += e->status > 399;
    }
}

static struct tw_distribution corrected_at(const struct tw_wrk_run *run, const tw_array *times,
                                           tcpwhy_ns interval_ns)
{
    tw_array *all = tw_omission_correct(times, interval_ns, run->slower_ns);
    struct tw_distribution d = tw_distribution_of(all);

    tw_array_free(all, TRUE);
    return d;
}

static void measure(struct tw_wrk_run *run)
{
    const struct tw_service *s = &run->service;
    tw_array *times = tw_service_times(s, TW_SERVICE_LATENCY, 0, NULL);
    tw_array *until_next = tw_service_times_until_next(s);
    uint64_t each = s->sockets ? s->answered / s->sockets : 0;

    run->seconds = (double)(s->last_ns - s->first_ns) / 1e9;
    run->interval_ns = each ? (s->last_ns - s->first_ns) / (tcpwhy_ns)each : 0;
    run->corrected = corrected_at(run, times, run->interval_ns);
    run->until_next = corrected_at(run, until_next, run->interval_ns);
    run->plain = corrected_at(run, times, 0);
    tw_array_free(until_next, TRUE);
    tw_array_free(times, TRUE);
    run->rate = rates(s);
    count(run);
}

bool tw_wrk_run_make(const tcpwhy_report *report, tcpwhy_ns slower_ns, struct tw_wrk_run *out)
{
    tw_array *services = tw_services(report, slower_ns);
    const struct tw_service *s = &out->service;

    *out = (struct tw_wrk_run) { .slower_ns = slower_ns };
    if (services->len > 0)
        out->service = in_run(&tw_array_index(services, struct tw_service, 0), &out->unread);
    tw_services_free(services);
    if (s->answered == 0 || s->last_ns <= s->first_ns)
        return false;
    measure(out);
    return true;
}

void tw_wrk_run_clear(struct tw_wrk_run *run)
{
    if (run->service.requests)
        tw_array_free(run->service.requests, TRUE);
}
