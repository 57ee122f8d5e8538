/* SPDX-License-Identifier: MIT */
#include "report/figures/service.h"

#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "report/endpoints.h"

/* A begin or an end. */
struct edge {
    tcpwhy_ns at_ns;
    int step;
};

static gint by_time(gconstpointer a, gconstpointer b)
{
    const struct edge *x = a, *y = b;

    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    /* A connection that ends there makes room first. */
    return x->step - y->step;
}

static void add_edges(tw_array *edges, tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
    const struct edge both[] = { { from_ns, 1 }, { MAX(to_ns, from_ns + 1), -1 } };

    tw_array_append_vals(edges, both, 2);
}

static uint64_t most_at_once(tw_array *edges)
{
    int64_t now = 0, most = 0;

    tw_array_sort(edges, by_time);
    for (guint i = 0; i < edges->len; i++) {
        now += tw_array_index(edges, struct edge, i).step;
        most = MAX(most, now);
    }
    tw_array_free(edges, TRUE);
    return (uint64_t)most;
}

/* ---- gathering ------------------------------------------------------------------------------- */

struct gathering {
    tw_hash_table *by_endpoint; /* index + 1 */
    tw_array *services;
    tw_ptr_array *open;     /* tw_array of struct edge, of each service's connections in use */
    tw_ptr_array *sockets;  /* the same, and those that were never in use */
    tw_hash_table *serving; /* hosts that are servers here */
};

static struct tw_service *service_of(struct gathering *g, const struct tcpwhy_endpoint *endpoint,
                                     guint *index)
{
    gpointer found = tw_hash_table_lookup(g->by_endpoint, endpoint);

    if (!found) {
        struct tw_service fresh = { .endpoint = *endpoint,
                                    .first_ns = INT64_MAX,
                                    .asked_ns = INT64_MAX,
                                    .last_ns = INT64_MIN };

        fresh.requests = tw_array_new(FALSE, FALSE, sizeof(struct tw_service_request));
        tw_array_append_val(g->services, fresh);
        tw_ptr_array_add(g->open, tw_array_new(FALSE, FALSE, sizeof(struct edge)));
        tw_ptr_array_add(g->sockets, tw_array_new(FALSE, FALSE, sizeof(struct edge)));
        found = GUINT_TO_POINTER(g->services->len);
        tw_hash_table_insert(g->by_endpoint, tw_memdup2(endpoint, sizeof *endpoint), found);
    }
    *index = GPOINTER_TO_UINT(found) - 1;
    return &tw_array_index(g->services, struct tw_service, *index);
}

/* Flights of a TLS handshake are part of connecting. */
static size_t count_requests(const struct tw_stream_row *stream)
{
    size_t n = 0;

    for (size_t i = 0; i < stream->n_exchanges; i++)
        n += !stream->exchanges[i].of_session;
    return n;
}

static void add_request(struct tw_service *s, const struct tw_stream_row *stream,
                        const struct tcpwhy_exchange *e, size_t nth, size_t n_requests)
{
    tcpwhy_ns opened_ns = stream->start_ns - stream->way_ns[TCPWHY_CLIENT];
    struct tw_service_request r = { .exchange = e,
                                    .stream = stream->stream,
                                    .connect_ns = TCPWHY_NS_UNKNOWN,
                                    .waited_ns = TCPWHY_NS_UNKNOWN };

    if (e->start_ns == TCPWHY_NS_UNKNOWN)
        return;
    r.opens = stream->complete_start && n_requests == 1;
    if (stream->complete_start && nth == 0)
        r.connect_ns = MAX(e->start_ns - opened_ns, 0);
    if (!e->response_frame)
        r.waited_ns = MAX(stream->start_ns + stream->duration_ns - e->start_ns, 0);
    tw_array_append_val(s->requests, r);
}

static bool was_not_answered(const struct tw_stream_row *stream)
{
    return stream->isn[TCPWHY_CLIENT] >= 0 && stream->isn[TCPWHY_SERVER] < 0;
}

/* The time of the connection's last answer: it is unused from then until it is closed. */
static tcpwhy_ns in_use_until(const struct tw_stream_row *stream)
{
    tcpwhy_ns end_ns = stream->start_ns + stream->duration_ns, last_ns = INT64_MIN;

    for (size_t i = 0; i < stream->n_exchanges; i++) {
        const struct tcpwhy_exchange *e = &stream->exchanges[i];

        if (!e->complete || e->total_ns == TCPWHY_NS_UNKNOWN)
            return end_ns;
        last_ns = MAX(last_ns, e->start_ns + e->total_ns);
    }
    return stream->complete_end && stream->n_exchanges > 0 ? MIN(last_ns, end_ns) : end_ns;
}

static bool gather(void *user, const struct tw_stream_row *stream)
{
    struct gathering *g = user;
    guint index;
    struct tw_service *s = service_of(g, &stream->server, &index);
    size_t n_requests = count_requests(stream);

    s->connections++;
    s->first_ns = MIN(s->first_ns, stream->start_ns - stream->way_ns[TCPWHY_CLIENT]);
    if (stream->n_exchanges > 0)
        add_edges(tw_ptr_array_index(g->open, index), stream->start_ns, in_use_until(stream));
    if (stream->n_exchanges > 0 || was_not_answered(stream))
        add_edges(tw_ptr_array_index(g->sockets, index), stream->start_ns, in_use_until(stream));
    for (size_t i = 0, nth = 0; i < stream->n_exchanges; i++)
        if (!stream->exchanges[i].of_session)
            add_request(s, stream, &stream->exchanges[i], nth++, n_requests);
    return true;
}

/* ---- figures --------------------------------------------------------------------------------- */

static bool is_answered(const struct tcpwhy_exchange *e)
{
    return e->complete && e->total_ns != TCPWHY_NS_UNKNOWN;
}

static gint by_start(gconstpointer a, gconstpointer b)
{
    const struct tw_service_request *x = a, *y = b;

    if (x->exchange->start_ns != y->exchange->start_ns)
        return x->exchange->start_ns < y->exchange->start_ns ? -1 : 1;
    return (x->stream > y->stream) - (x->stream < y->stream);
}

static void count(struct tw_service *s, const struct tw_service_request *r, tcpwhy_ns slower_ns,
                  tcpwhy_ns *sum_ns, uint64_t *opening)
{
    const struct tcpwhy_exchange *e = r->exchange;

    s->request_bytes += e->request_bytes;
    s->asked_ns = MIN(s->asked_ns, e->start_ns);
    *opening += r->opens;
    if (!e->response_frame) {
        s->unanswered++;
        s->slower += r->waited_ns >= slower_ns;
    }
    if (!is_answered(e))
        return;
    s->answered++;
    s->response_bytes += e->response_bytes;
    s->slower += e->total_ns >= slower_ns;
    s->last_ns = MAX(s->last_ns, e->start_ns + e->total_ns);
    *sum_ns += e->total_ns;
}

static void measure(struct tw_service *s, tcpwhy_ns slower_ns)
{
    tw_array *busy = tw_array_new(FALSE, FALSE, sizeof(struct edge));
    uint64_t opening = 0;
    tcpwhy_ns sum_ns = 0;

    tw_array_sort(s->requests, by_start);
    for (guint i = 0; i < s->requests->len; i++) {
        const struct tw_service_request *r =
            &tw_array_index(s->requests, struct tw_service_request, i);

        count(s, r, slower_ns, &sum_ns, &opening);
        if (is_answered(r->exchange))
            add_edges(busy, r->exchange->start_ns, r->exchange->start_ns + r->exchange->total_ns);
    }
    s->opens = opening * 2 > s->requests->len;
    s->busy_at_once = most_at_once(busy);
    if (s->answered && s->last_ns > s->asked_ns)
        s->busy = (double)sum_ns / (double)(s->last_ns - s->asked_ns);
}

/* ---- order ----------------------------------------------------------------------------------- */

static bool note_server(void *user, const struct tw_stream_row *stream)
{
    struct tcpwhy_endpoint host = stream->server;

    host.port = 0;
    if (!tw_hash_table_contains(user, &host))
        tw_hash_table_add(user, tw_memdup2(&host, sizeof host));
    return true;
}

static bool note_clients(void *user, const struct tw_stream_row *stream)
{
    struct gathering *g = user;
    struct tcpwhy_endpoint host = stream->client;
    guint index;

    host.port = 0;
    service_of(g, &stream->server, &index)->clients_here +=
        tw_hash_table_contains(g->serving, &host) &&
        !tw_endpoint_same_host(&stream->client, &stream->server);
    return true;
}

static double waited(const struct tw_service *s)
{
    return s->answered ? s->busy * (double)(s->last_ns - s->asked_ns) : 0;
}

/* Servers that users ask directly come first: not those whose clients are servers; then by total
 * time of requests, which includes the servers behind. */
static gint front_first(gconstpointer a, gconstpointer b)
{
    const struct tw_service *x = a, *y = b;
    bool behind_x = x->clients_here * 2 > x->connections;
    bool behind_y = y->clients_here * 2 > y->connections;

    if ((x->answered == 0) != (y->answered == 0))
        return x->answered == 0 ? 1 : -1;
    if (behind_x != behind_y)
        return behind_x ? 1 : -1;
    if (waited(x) != waited(y))
        return waited(x) > waited(y) ? -1 : 1;
    return (x->first_ns > y->first_ns) - (x->first_ns < y->first_ns);
}

static void clear(gpointer service)
{
    tw_array_free(((struct tw_service *)service)->requests, TRUE);
}

/* Their requests point into the rows, which must stay: all are unpacked. */
static void visit_all(const tcpwhy_report *report, tw_stream_row_fn visit, void *user)
{
    size_t n;
    const struct tw_stream_row *s = tw_report_streams(report, &n);

    for (size_t i = 0; i < n; i++)
        visit(user, &s[i]);
}

tw_array *tw_services(const tcpwhy_report *report, tcpwhy_ns slower_ns)
{
    struct gathering g = { 0 };

    g.by_endpoint = tw_hash_table_new_full(tw_endpoint_hash, tw_endpoint_equal, tw_free, NULL);
    g.serving = tw_hash_table_new_full(tw_endpoint_hash, tw_endpoint_equal, tw_free, NULL);
    g.services = tw_array_new(FALSE, FALSE, sizeof(struct tw_service));
    g.open = tw_ptr_array_new();
    g.sockets = tw_ptr_array_new();
    tw_array_set_clear_func(g.services, clear);
    visit_all(report, gather, &g);
    visit_all(report, note_server, g.serving);
    visit_all(report, note_clients, &g);
    for (guint i = 0; i < g.services->len; i++) {
        struct tw_service *s = &tw_array_index(g.services, struct tw_service, i);

        s->server_name = tcpwhy_report_name(report, &s->endpoint);
        measure(s, slower_ns);
        s->at_once = most_at_once(tw_ptr_array_index(g.open, i));
        s->sockets = most_at_once(tw_ptr_array_index(g.sockets, i));
    }
    tw_array_sort(g.services, front_first);
    tw_hash_table_destroy(g.by_endpoint);
    tw_hash_table_destroy(g.serving);
    tw_ptr_array_free(g.open, TRUE);
    tw_ptr_array_free(g.sockets, TRUE);
    return g.services;
}

void tw_services_free(tw_array *services)
{
    tw_array_free(services, TRUE);
}

/* ---- times ----------------------------------------------------------------------------------- */

tcpwhy_ns tw_service_time(const struct tw_service_request *r, enum tw_service_part part)
{
    const struct tcpwhy_exchange *e = r->exchange;
    bool opening = part >= TW_SERVICE_CONNECT;

    if (!is_answered(e) || (opening && r->connect_ns == TCPWHY_NS_UNKNOWN) ||
        (e->first_byte_ns == TCPWHY_NS_UNKNOWN &&
         (part == TW_SERVICE_FIRST_BYTE || part == TW_SERVICE_TRANSFER ||
          part == TW_SERVICE_WAITING)))
        return TCPWHY_NS_UNKNOWN;
    switch (part) {
    case TW_SERVICE_FIRST_BYTE:
    case TW_SERVICE_WAITING:
        return e->first_byte_ns;
    case TW_SERVICE_TRANSFER:
        return MAX(e->total_ns - e->first_byte_ns, 0);
    case TW_SERVICE_CONNECT:
        return r->connect_ns;
    case TW_SERVICE_WHOLE:
        return r->connect_ns + e->total_ns;
    default:
        return e->total_ns;
    }
}

tw_array *tw_service_times(const struct tw_service *s, enum tw_service_part part, uint16_t status,
                           const char *operation)
{
    tw_array *times = tw_array_sized_new(FALSE, FALSE, sizeof(tcpwhy_ns), s->requests->len);

    for (guint i = 0; i < s->requests->len; i++) {
        const struct tw_service_request *r =
            &tw_array_index(s->requests, struct tw_service_request, i);
        tcpwhy_ns ns = tw_service_time(r, part);

        if (ns != TCPWHY_NS_UNKNOWN && (!status || r->exchange->status == status) &&
            (!operation || strcmp(r->exchange->request, operation) == 0))
            tw_array_append_val(times, ns);
    }
    return times;
}

tw_array *tw_service_times_until_next(const struct tw_service *s)
{
    tw_array *times = tw_array_sized_new(FALSE, FALSE, sizeof(tcpwhy_ns), s->requests->len);
    tw_hash_table *next_of = tw_hash_table_new(NULL, NULL); /* stream: index, one above */

    for (guint i = s->requests->len; i-- > 0;) {
        const struct tw_service_request *r =
            &tw_array_index(s->requests, struct tw_service_request, i);
        const struct tcpwhy_exchange *e = r->exchange;
        gpointer stream = GUINT_TO_POINTER(r->stream);
        guint next = GPOINTER_TO_UINT(tw_hash_table_lookup(next_of, stream));

        if (is_answered(e)) {
            tcpwhy_ns ns = e->total_ns;

            if (next)
                ns = MAX(ns, r[next - 1 - i].exchange->start_ns - e->start_ns);
            tw_array_append_val(times, ns);
        }
        tw_hash_table_replace(next_of, stream, GUINT_TO_POINTER(i + 1));
    }
    tw_hash_table_destroy(next_of);
    return times;
}
