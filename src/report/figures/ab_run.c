/* SPDX-License-Identifier: MIT */
#include "report/figures/ab_run.h"

#include "base/array.h"
#include "base/hash_table.h"
#include "base/memory.h"
#include "report/flow/flow.h"

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

static uint64_t count_not_2xx(const struct tw_service *s)
{
    uint64_t n = 0;

    for (guint i = 0; i < s->requests->len; i++) {
        uint16_t status =
            tw_array_index(s->requests, struct tw_service_request, i).exchange->status;

        n += status && (status < 200 || status > 299);
    }
    return n;
}

bool tw_ab_run_make(const tcpwhy_report *report, tcpwhy_ns slower_ns, struct tw_ab_run *out)
{
    const struct tw_service *s;
    tw_array *done;

    *out = (struct tw_ab_run) { .services = tw_services(report, slower_ns) };
    if (out->services->len == 0)
        return false;
    out->service = s = &tw_array_index(out->services, struct tw_service, 0);
    if (s->answered == 0 || s->last_ns <= s->first_ns)
        return false;
    out->seconds = (double)(s->last_ns - s->first_ns) / 1e9;
    out->not_2xx = count_not_2xx(s);
    done = until_close(report, s);
    out->connect = parts(s, done, TW_SERVICE_CONNECT, NULL);
    out->processing = parts(s, done, TW_SERVICE_PROCESSING, NULL);
    out->waiting = parts(s, done, TW_SERVICE_WAITING, NULL);
    out->whole = parts(s, done, TW_SERVICE_WHOLE, &out->wholes);
    tw_array_free(done, TRUE);
    return true;
}

void tw_ab_run_clear(struct tw_ab_run *run)
{
    if (run->wholes)
        tw_array_free(run->wholes, TRUE);
    tw_services_free(run->services);
}
