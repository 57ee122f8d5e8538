/* SPDX-License-Identifier: MIT */
/* The layout of ab: what a request took with and without its connection. */
#include <inttypes.h>
#include <math.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/number.h"
#include "base/text.h"
#include "render/as/as.h"
#include "render/view/latency_words.h"
#include "report/flow/flow.h"

/* ab rounds microseconds to milliseconds. */
static int64_t whole_ms(double ns)
{
    return (int64_t)floor(ns / 1e6 + 0.5);
}

struct bench {
    const struct tw_service *s;
    struct tw_distribution connect, processing, waiting, whole;
    tw_array *wholes; /* sorted by its distribution */
    double seconds;
    uint64_t bad;
};

/* When the client closed after the server had; or unknown. */
static tcpwhy_ns closed_ns(const struct tw_flow_source *source)
{
    bool server_closed = false;

    for (uint32_t i = 0; i < source->log->n; i++) {
        const struct tw_record *r = &source->log->record[i];

        if (r->from == TCPWHY_SERVER)
            server_closed |= (r->flags & TW_FIN) != 0;
        else if (r->flags & (TW_FIN | TW_RST))
            return server_closed ? r->time_ns - source->stream->way_ns[TCPWHY_CLIENT]
                                 : TCPWHY_NS_UNKNOWN;
    }
    return TCPWHY_NS_UNKNOWN;
}

/* ab's clock runs until it closes a connection that the server closed: it reads the answer to its
 * end, by its own queue of events. @return tcpwhy_ns of each request, from its begin. */
static tw_array *until_close(const tcpwhy_report *report, const struct tw_service *s)
{
    tw_array *done = tw_array_sized_new(FALSE, FALSE, sizeof(tcpwhy_ns), s->requests->len);
    tw_hash_table *source_of = tw_hash_table_new(NULL, NULL); /* stream: of it */
    struct tw_flow_source *source;
    uint32_t n = tw_flow_sources(report, &source);

    for (uint32_t i = 0; i < n; i++)
        tw_hash_table_replace(source_of, GUINT_TO_POINTER(source[i].stream->stream), &source[i]);
    for (guint i = 0; i < s->requests->len; i++) {
        const struct tw_service_request *r =
            &tw_array_index(s->requests, struct tw_service_request, i);
        const struct tw_flow_source *of =
            tw_hash_table_lookup(source_of, GUINT_TO_POINTER(r->stream));
        tcpwhy_ns ns = tw_service_time(r, TW_SERVICE_LATENCY);
        tcpwhy_ns end_ns = of && r->opens ? closed_ns(of) : TCPWHY_NS_UNKNOWN;

        if (ns != TCPWHY_NS_UNKNOWN && end_ns != TCPWHY_NS_UNKNOWN)
            ns = MAX(ns, end_ns - r->exchange->start_ns);
        tw_array_append_val(done, ns);
    }
    tw_hash_table_destroy(source_of);
    tw_free(source);
    return done;
}

/* A request on a connection that is there already connects in no time. */
static struct tw_distribution parts(const struct tw_service *s, const tw_array *done,
                                    enum tw_service_part part, tw_array **keep)
{
    tw_array *times = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    struct tw_distribution d;

    for (guint i = 0; i < s->requests->len; i++) {
        const struct tw_service_request *r =
            &tw_array_index(s->requests, struct tw_service_request, i);
        tcpwhy_ns total_ns = tw_array_index(done, tcpwhy_ns, i);
        tcpwhy_ns connect_ns = r->connect_ns == TCPWHY_NS_UNKNOWN ? 0 : r->connect_ns;
        tcpwhy_ns first_ns = tw_service_time(r, TW_SERVICE_FIRST_BYTE), ns;

        if (total_ns == TCPWHY_NS_UNKNOWN)
            continue;
        ns = part == TW_SERVICE_CONNECT ? connect_ns
             : part == TW_SERVICE_WHOLE ? connect_ns + total_ns
             : part == TW_SERVICE_WAITING
                 ? (first_ns == TCPWHY_NS_UNKNOWN ? r->exchange->total_ns : first_ns)
                 : total_ns;
        tw_array_append_val(times, ns);
    }
    d = tw_distribution_of(times);
    if (keep)
        *keep = times;
    else
        tw_array_free(times, TRUE);
    return d;
}

static void row(tw_string *to, const char *name, const struct tw_distribution *d)
{
    tw_string_append_printf(to, "%-11s %5" PRId64 " %4" PRId64 " %5s %6" PRId64 " %7" PRId64 "\n",
                            name, whole_ms((double)d->min_ns), whole_ms(d->mean_ns),
                            tw_as_real(d->deviation_ns / 1e6, 1).text, whole_ms((double)d->p50_ns),
                            whole_ms((double)d->max_ns));
}

static void head(tw_string *to, const struct bench *b)
{
    const struct tw_service *s = b->s;
    double done = (double)s->answered, at_once = (double)s->sockets;

    tw_string_append_printf(to, "Server Hostname:        %s\n",
                            s->server_name ? s->server_name : tw_host(&s->endpoint).text);
    tw_string_append_printf(to, "Server Port:            %u\n\n", s->endpoint.port);
    tw_string_append_printf(to, "Concurrency Level:      %" G_GUINT64_FORMAT "\n", s->sockets);
    tw_string_append_printf(to, "Time taken for tests:   %s seconds\n",
                            tw_as_real(b->seconds, 3).text);
    tw_string_append_printf(to, "Complete requests:      %" G_GUINT64_FORMAT "\n", s->answered);
    tw_string_append_printf(to, "Failed requests:        %" G_GUINT64_FORMAT "\n", s->unanswered);
    if (b->bad)
        tw_string_append_printf(to, "Non-2xx responses:      %" G_GUINT64_FORMAT "\n", b->bad);
    tw_string_append_printf(to, "Total transferred:      %" G_GUINT64_FORMAT " bytes\n",
                            s->response_bytes);
    tw_string_append_printf(to, "Requests per second:    %s [#/sec] (mean)\n",
                            tw_as_real(done / b->seconds, 2).text);
    tw_string_append_printf(to, "Time per request:       %s [ms] (mean)\n",
                            tw_as_real(at_once * b->seconds * 1e3 / done, 3).text);
    tw_string_append_printf(
        to, "Time per request:       %s [ms] (mean, across all concurrent requests)\n",
        tw_as_real(b->seconds * 1e3 / done, 3).text);
    tw_string_append_printf(to, "Transfer rate:          %s [Kbytes/sec] received\n\n",
                            tw_as_real((double)s->response_bytes / 1024 / b->seconds, 2).text);
}

static void times(tw_string *to, const struct bench *b)
{
    static const unsigned percents[] = { 50, 66, 75, 80, 90, 95, 98, 99 };

    tw_string_append(to, "Connection Times (ms)\n"
                         "              min  mean[+/-sd] median   max\n");
    row(to, "Connect:", &b->connect);
    row(to, "Processing:", &b->processing);
    row(to, "Waiting:", &b->waiting);
    row(to, "Total:", &b->whole);
    tw_string_append(to, "\nPercentage of the requests served within a certain time (ms)\n");
    for (size_t i = 0; i < G_N_ELEMENTS(percents); i++)
        tw_string_append_printf(to, "  %u%%  %5" PRId64 "\n", percents[i],
                                whole_ms((double)tw_distribution_at(b->wholes, percents[i] * 10)));
    tw_string_append_printf(to, " 100%%  %5" PRId64 " (longest request)\n",
                            whole_ms((double)b->whole.max_ns));
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

static void figures(struct tw_json *json, const struct bench *b)
{
    tw_latency_json(json, b->s);
    tw_json_uint(json, "not_2xx", b->bad);
    part(json, "connect", &b->connect);
    part(json, "processing", &b->processing);
    part(json, "waiting", &b->waiting);
    part(json, "total", &b->whole);
}

static uint64_t bad_answers(const struct tw_service *s)
{
    uint64_t n = 0;

    for (guint i = 0; i < s->requests->len; i++) {
        uint16_t status =
            tw_array_index(s->requests, struct tw_service_request, i).exchange->status;

        n += status && (status < 200 || status > 299);
    }
    return n;
}

void tw_as_ab(struct tw_as *as)
{
    tw_array *services = tw_services(as->request->report, tw_latency_slower(&as->request->options));
    const struct tw_service *s = &tw_array_index(services, struct tw_service, 0);
    struct bench b = { .s = s };
    tw_array *done;

    if (services->len == 0 || s->answered == 0 || s->last_ns <= s->first_ns) {
        tw_string_append(as->lines, "No request was answered.\n");
        tw_services_free(services);
        return;
    }
    b.seconds = (double)(s->last_ns - s->first_ns) / 1e9;
    b.bad = bad_answers(s);
    done = until_close(as->request->report, s);
    b.connect = parts(s, done, TW_SERVICE_CONNECT, NULL);
    b.processing = parts(s, done, TW_SERVICE_PROCESSING, NULL);
    b.waiting = parts(s, done, TW_SERVICE_WAITING, NULL);
    b.whole = parts(s, done, TW_SERVICE_WHOLE, &b.wholes);
    tw_array_free(done, TRUE);
    head(as->lines, &b);
    times(as->lines, &b);
    if (as->json)
        figures(as->json, &b);
    tw_as_note(as, "Connect ends where the request leaves. Processing ends where the client closes "
                   "a connection that the server closed, else with the answer. ab's own queue of "
                   "events is not on the wire: it adds to Waiting under load.");
    if (s->unanswered)
        tw_as_note(as, "Failed requests are those that were never answered; ab also counts answers "
                       "of another length than the first.");
    tw_array_free(b.wholes, TRUE);
    tw_services_free(services);
}
