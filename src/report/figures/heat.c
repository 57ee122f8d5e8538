/* SPDX-License-Identifier: MIT */
#include "report/figures/heat.h"

#include <math.h>

#include "base/array.h"
#include "base/ns.h"

/* Times that differ by less are as one row. */
#define LEAST_RATIO 1.02

/* Columns are no narrower. */
#define LEAST_STEP_NS TCPWHY_US(100)

static const struct tw_service_request *request_at(const struct tw_service *s, guint i)
{
    return &tw_array_index(s->requests, struct tw_service_request, i);
}

/* The least and the longest time; false when there is none. */
static bool range(const struct tw_service *s, double *low, double *high)
{
    bool any = false;

    for (guint i = 0; i < s->requests->len; i++) {
        tcpwhy_ns ns = tw_service_time(request_at(s, i), TW_SERVICE_LATENCY);

        if (ns == TCPWHY_NS_UNKNOWN)
            continue;
        *low = any ? MIN(*low, (double)MAX(ns, 1)) : (double)MAX(ns, 1);
        *high = any ? MAX(*high, (double)MAX(ns, 1)) : (double)MAX(ns, 1);
        any = true;
    }
    return any;
}

static guint column_of(const struct tw_heat *h, tcpwhy_ns at_ns)
{
    return MIN((guint)(MAX(at_ns - h->from_ns, 0) / h->step_ns), h->columns - 1);
}

static void count(struct tw_heat *h, const struct tw_service_request *r, tw_array **times)
{
    guint column = column_of(h, r->exchange->start_ns);
    tcpwhy_ns ns = tw_service_time(r, TW_SERVICE_LATENCY);
    int row;
    uint32_t *cell;

    h->asked[column]++;
    h->unanswered[column] += !r->exchange->response_frame;
    if (ns == TCPWHY_NS_UNKNOWN)
        return;
    row = (int)(log((double)MAX(ns, 1) / h->low_ns) / log(h->ratio));
    cell = &h->count[column * h->rows + (guint)CLAMP(row, 0, (int)h->rows - 1)];
    ++*cell;
    h->most = MAX(h->most, *cell);
    if (!times[column])
        times[column] = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    tw_array_append_val(times[column], ns);
}

static void close_columns(struct tw_heat *h, tw_array **times)
{
    for (guint i = 0; i < h->columns; i++) {
        struct tw_distribution d;

        h->p50_ns[i] = h->p99_ns[i] = h->max_ns[i] = TCPWHY_NS_UNKNOWN;
        if (!times[i])
            continue;
        d = tw_distribution_of(times[i]);
        h->p50_ns[i] = d.p50_ns;
        h->p99_ns[i] = d.p99_ns;
        h->max_ns[i] = d.max_ns;
        tw_array_free(times[i], TRUE);
    }
}

bool tw_heat_make(const struct tw_service *s, guint columns, guint rows, struct tw_heat *h)
{
    double low = 0, high = 0;
    tcpwhy_ns last_ns;
    tw_array **times;

    *h = (struct tw_heat) { 0 };
    if (s->requests->len == 0 || columns == 0 || rows == 0 || !range(s, &low, &high))
        return false;
    last_ns = request_at(s, s->requests->len - 1)->exchange->start_ns;
    h->step_ns = tw_ns_step((last_ns - s->asked_ns) / columns + 1, LEAST_STEP_NS);
    h->from_ns = s->asked_ns - s->asked_ns % h->step_ns;
    h->columns = (guint)((last_ns - h->from_ns) / h->step_ns) + 1;
    h->low_ns = low;
    h->ratio = MAX(pow(high / low * 1.000001, 1.0 / rows), LEAST_RATIO);
    h->rows = (guint)CLAMP(ceil(log(high / low * 1.000001) / log(h->ratio)), 1, rows);
    h->count = tw_new0(uint32_t, (gsize)h->columns * h->rows);
    h->asked = tw_new0(uint32_t, h->columns);
    h->unanswered = tw_new0(uint32_t, h->columns);
    h->p50_ns = tw_new0(tcpwhy_ns, h->columns);
    h->p99_ns = tw_new0(tcpwhy_ns, h->columns);
    h->max_ns = tw_new0(tcpwhy_ns, h->columns);
    times = tw_new0(tw_array *, h->columns);
    for (guint i = 0; i < s->requests->len; i++)
        count(h, request_at(s, i), times);
    close_columns(h, times);
    tw_free(times);
    return true;
}

void tw_heat_clear(struct tw_heat *h)
{
    tw_free(h->count);
    tw_free(h->asked);
    tw_free(h->unanswered);
    tw_free(h->p50_ns);
    tw_free(h->p99_ns);
    tw_free(h->max_ns);
}

uint32_t tw_heat_count(const struct tw_heat *h, guint column, guint row)
{
    return h->count[column * h->rows + row];
}

tcpwhy_ns tw_heat_bound(const struct tw_heat *h, guint row)
{
    return (tcpwhy_ns)(h->low_ns * pow(h->ratio, row) + 0.5);
}
